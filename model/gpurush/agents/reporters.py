"""What Mesa's own data collector can read of the industry: plain floats, for a model of one run.

Ensembles are recorded to tables instead; at more than one run the reporters refuse with a sentence.
"""

from collections.abc import Callable
from typing import Any

Reporter = Callable[[Any], float]


def single(model: Any) -> Any:
    """The run of a model that has one.

    Raises:
        ValueError: the model has more runs than one.
    """
    if len(model.runs) != 1:
        raise ValueError(
            f"a Mesa reporter gives one number, and this model has {len(model.runs)} runs: "
            "use Industry(..., runs=1), or gpurush.run for an ensemble"
        )
    return model.runs[0]


def labs_h100e(model: Any) -> float:
    """Compute that all labs run, H100e."""
    return float(sum(lab["running"] for lab in single(model)["labs"][: len(model.story.labs)]))


def h100_price_usd(model: Any) -> float:
    """Posted price of an H100, USD per GPU."""
    run = single(model)
    return float(run["makers"]["price"][0, model.where.chips.index("H100")])


def lead_time_months(model: Any) -> float:
    """Lead time that the first chipmaker quotes, months."""
    return float(single(model)["makers"]["lead"][0])


def rent_usd(model: Any) -> float:
    """Posted rent of the current generation, USD per H100e-hour."""
    return float(single(model)["rent"])


def frontier_capability(model: Any) -> float:
    """Effective FLOP of the best released model, log10."""
    return float(single(model)["frontier_capability"])


REPORTERS: dict[str, Reporter] = {
    reporter.__name__: reporter
    for reporter in (labs_h100e, h100_price_usd, lead_time_months, rent_usd, frontier_capability)
}
"""Name -> reporter, for ``mesa.DataCollector``."""
