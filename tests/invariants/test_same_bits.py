"""A run is its seed and number: not its batch, order, process, thread or compiler."""

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from small_industry import MONTHS, SEED, play

from gpurush.experiments.runner import simulate
from gpurush.industry import Industry

ROWS = ("agent_rows", "site_rows", "market_rows")


def arrays(recording, run=None):
    """All that is recorded, of all runs or of one, as bytes by name."""
    at = slice(None) if run is None else recording.runs.tolist().index(run)
    found = {name: np.ascontiguousarray(getattr(recording, name)[:, at]).tobytes() for name in ROWS}
    mine = np.full(len(recording.deal_run), True) if run is None else recording.deal_run == run
    for name in ("deal_rows", "deal_run", "deal_month"):
        found[name] = getattr(recording, name)[mine].tobytes()
    for name in ("parameters", "summary"):
        found[name] = {key: np.asarray(values[at]).tobytes() for key, values in getattr(recording, name).items()}
    return found


def test_run_17_alone_is_run_17_in_a_batch(batch):
    alone = play(runs=[17])
    assert arrays(alone.recording(), 17) == arrays(batch.recording, 17)
    assert alone.runs[0].tobytes() == batch.model.runs[17].tobytes()


def test_runs_in_another_order_are_the_same_runs(batch):
    turned = play(runs=[19, 3, 17], months=12)
    for place, run in enumerate((19, 3, 17)):
        assert turned.runs[place].tobytes() == batch.states[11][run].tobytes()


def test_two_runs_and_two_seeds_differ(batch):
    recording = batch.recording
    assert arrays(recording, 3) != arrays(recording, 17)
    other = play(runs=[17], months=6, seed=SEED + 1)
    assert other.runs[0]["firms"]["cash"].tobytes() != batch.states[5][17]["firms"]["cash"].tobytes()
    assert other.drawn["foundry.expansion_base"][0] != batch.model.drawn["foundry.expansion_base"][17]


def everything(executor=None, batch=4):
    found = simulate("baseline", 4, SEED, {"scenario.months": 18}, batch=batch, executor=executor)
    parts = [arrays(recording, int(run)) for recording in found for run in recording.runs]
    assert len(parts) == 4
    return parts


def test_threads_give_what_one_process_gives():
    with ThreadPoolExecutor(2) as threads:
        assert everything(threads, batch=2) == everything()


@pytest.mark.slow
def test_two_processes_give_what_one_gives():
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        assert everything(processes, batch=2) == everything()


@pytest.mark.slow
def test_compiler_on_and_off_give_the_same_bits(in_process):
    script = str(Path(__file__).parent / "industry_digest.py")
    on, off = (in_process(script, "18", "baseline", "17", env={"NUMBA_DISABLE_JIT": jit}) for jit in ("0", "1"))
    assert len(on) > 1000
    assert on == off


def turned(model: Industry, name: str) -> None:
    """Turns the order of the agents of one kind round."""
    agents = list(getattr(model, name))
    assert len(agents) > 1
    setattr(model, name, model._set(reversed(agents)))


@pytest.mark.parametrize("kind", ["labs", "sites", "clouds", "sisters", "_judged"])
def test_the_order_of_agents_within_a_phase_does_not_matter(kind, batch):
    model = Industry("baseline", runs=[0, 1, 2], rng=SEED)
    turned(model, kind)
    for _ in range(MONTHS):
        model.step()
    assert model.runs.tobytes() == batch.model.runs[:3].tobytes()
