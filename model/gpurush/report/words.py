"""Numbers as short text, tables with aligned columns, and names as people write them."""

import math
from collections.abc import Sequence

NAMES = {
    "openai": "OpenAI",
    "anthropic": "Anthropic",
    "google_deepmind": "Google DeepMind",
    "deepmind": "DeepMind",
    "meta": "Meta",
    "xai": "xAI",
    "x": "X",
    "tesla": "Tesla",
    "amd": "AMD",
    "aws": "AWS",
    "coreweave": "CoreWeave",
    "mlgw": "MLGW",
    "deepseek": "DeepSeek",
    "mistral": "Mistral",
}
"""Names that are not simply their own words with capitals."""

NOTHING = "–"
MANY_MONTHS = 120
"""A runway beyond says no more than that it is long."""

STEPS = ((1e12, "T"), (1e9, "bn"), (1e6, "M"), (1e3, "k"))


def title(name: str) -> str:
    """A firm's or site's name as people write it."""
    return NAMES.get(name, name.replace("_", " ").replace("-", " ").title() if name.islower() else name)


def short(value: float, unit: str = "") -> str:
    """A number with three significant digits: ``412k``, ``6.0bn``, ``0.31``.

    Args:
        value: the number; ``nan`` gives a dash.
        unit: "%" turns a share into per cent; "log" keeps two decimals; "whole" has none and no letters;
            "months" beyond ten years are ``>120``.
    """
    if not math.isfinite(value):
        return NOTHING
    if unit == "%":
        return f"{100.0 * value:.0f}%"
    if unit == "log":
        return f"{value:.2f}"
    if unit == "months" and value > MANY_MONTHS:
        return f">{MANY_MONTHS}"
    if unit == "whole":
        return f"{value:,.0f}"
    size = abs(value)
    for step, letters in STEPS:
        if size >= 0.9995 * step:
            return digits(value / step) + letters
    if value == round(value):
        return f"{value:.0f}"
    return digits(value) if size >= 0.005 else "0"


def digits(value: float) -> str:
    """Three significant digits, at most two decimals."""
    size = abs(value)
    return f"{value:.{0 if size >= 99.95 else 1 if size >= 9.995 else 2}f}"


def band(low: float, middle: float, high: float, unit: str = "") -> str:
    """Median and band: ``412k (350–501k)``; the median alone where the band has no width."""
    if not math.isfinite(middle):
        return NOTHING
    said, below, above = short(middle, unit), short(low, unit), short(high, unit)
    if below == said == above:
        return said
    letters = above.lstrip("-0123456789.")
    if letters and below.endswith(letters) and below[: -len(letters)][-1:].isdigit():
        below = below[: -len(letters)]
    return f"{said} ({below}–{above})"


def table(head: Sequence[str], rows: Sequence[Sequence[str]], indent: str = "  ") -> list[str]:
    """Lines of a table: the first column to the left, the others to the right."""
    widths = [max(len(line[at]) for line in (head, *rows)) for at in range(len(head))]

    def line(cells: Sequence[str]) -> str:
        """One row, padded to the widths of its columns."""
        first, *others = cells
        right = "".join(f"  {cell:>{width}}" for cell, width in zip(others, widths[1:], strict=True))
        return f"{indent}{first:<{widths[0]}}{right}".rstrip()

    return [line(head), *map(line, rows)]


def plural(count: int, what: str) -> str:
    """``1 run``, ``200 runs``."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"
