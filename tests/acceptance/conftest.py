"""One ensemble of the baseline for all questions; medians over its runs."""

from collections.abc import Callable

import pytest
from ensembles import RUNS, Ensemble, simulate


@pytest.fixture(scope="session")
def baseline() -> Ensemble:
    return simulate("baseline", RUNS)


@pytest.fixture(scope="session")
def run_scenario() -> Callable[..., Ensemble]:
    return simulate
