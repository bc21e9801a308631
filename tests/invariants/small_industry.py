"""A small batch of the baseline, and a model after some months."""

from dataclasses import dataclass
from typing import Any

from gpurush.industry import Industry
from gpurush.results.recording import Recording

SEED, RUNS, MONTHS = 7, 20, 36


@dataclass(frozen=True, repr=False)
class Batch:
    """Runs 0 to 19 of the baseline over three years, and the state at each month's end."""

    model: Industry
    recording: Recording
    states: list[Any]


def play(
    scenario: Any = "baseline", runs: Any = RUNS, months: int = MONTHS, seed: int = SEED, **more: Any
) -> Industry:
    """A model after some months."""
    model = Industry(scenario, runs=runs, rng=seed, **more)
    for _ in range(months):
        model.step()
    return model
