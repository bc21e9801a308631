"""A small batch of the baseline, shared by the tests of what must always hold."""

import pytest
from small_industry import MONTHS, RUNS, SEED, Batch

from gpurush.industry import Industry


@pytest.fixture(scope="session")
def batch() -> Batch:
    model = Industry("baseline", runs=RUNS, rng=SEED)
    states = []
    for _ in range(MONTHS):
        model.step()
        states.append(model.runs.copy())
    return Batch(model, model.recording(), states)
