"""Units and the few constants that convert between them. Nothing else.

Step t is month t. A month has 730 hours wherever a formula needs hours. Power is *facility* MW unless the name says
``it``. Money is nominal USD. H100e counts chips weighted by dense 8-bit peak throughput relative to an H100; model
FLOP utilisation (MFU) in every source is relative to dense *16-bit* peak, so training FLOP use the 16-bit figure.
"""

HOURS_PER_MONTH = 730.0
SECONDS_PER_MONTH = HOURS_PER_MONTH * 3600.0
MONTHS_PER_YEAR = 12
DAYS_PER_MONTH = HOURS_PER_MONTH / 24.0
KW_PER_MW = 1000.0
H100_FLOPS_16BIT = 0.9894e15
"""Dense 16-bit peak of one H100, FLOP/s (Epoch AI, machine-learning hardware data)."""
H100_FLOPS_8BIT = 1.979e15
"""Dense 8-bit peak of one H100, FLOP/s: the definition of one H100e (same source)."""


def month_index(start: str, month: str) -> int:
    """Months from ``start`` to ``month``, both written ``YYYY-MM``; negative when earlier."""
    (year, number), (other, there) = (tuple(map(int, text.split("-"))) for text in (start, month))
    return (other - year) * MONTHS_PER_YEAR + there - number


def month_name(start: str, index: int) -> str:
    """The month ``index`` months after ``start``, written ``YYYY-MM``."""
    year, number = map(int, start.split("-"))
    months = year * MONTHS_PER_YEAR + number - 1 + index
    return f"{months // MONTHS_PER_YEAR:04d}-{months % MONTHS_PER_YEAR + 1:02d}"
