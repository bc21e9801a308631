"""A thousand runs of the baseline: every run ends, with its books closed every month; run 17 is run 17."""

import gc

import numpy as np
import pytest

from gpurush.industry import Industry
from gpurush.state import Fault


@pytest.mark.slow
def test_books_close_in_a_thousand_runs_and_run_17_alone_is_the_same() -> None:
    alone = Industry("baseline", runs=[17], rng=0)
    alone.run_for(60)
    for first in range(0, 1000, 250):
        batch = Industry("baseline", runs=list(range(first, first + 250)), rng=0)
        batch.run_for(60)  # A book that does not close, or a lack of room, raises.
        assert np.all(batch.runs["fault"] == Fault.none)
        if first == 0:
            assert batch.runs[17].tobytes() == alone.runs[0].tobytes()
        del batch
        gc.collect()
