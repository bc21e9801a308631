"""A run is its seed and number: not its batch, order, process, thread or compiler."""

import dataclasses
import hashlib
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pytest
from small_industry import MONTHS, SEED, play

from gpurush.experiments.runner import simulate
from gpurush.industry import Industry
from gpurush.scenario import load

ROWS = ("agent_rows", "site_rows", "market_rows")


def digest(array):
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()[:16]


def arrays(recording, run):
    """All that is recorded of a run: name -> hash of its bytes."""
    at = recording.runs.tolist().index(run)
    found = {name: digest(getattr(recording, name)[:, at]) for name in ROWS}
    mine = recording.deal_run == run
    found |= {
        name: digest(getattr(recording, name)[mine]) for name in ("deal_rows", "deal_run", "deal_month")
    }
    for name in ("parameters", "summary"):
        found |= {f"{name} {key}": digest(values[at]) for key, values in getattr(recording, name).items()}
    return found


def state(runs):
    """The state of some runs: field -> hash of its bytes."""
    return {name: digest(runs[name]) for name in runs.dtype.names}


def test_run_17_alone_is_run_17_in_a_batch(batch):
    alone = play(runs=[17])
    assert arrays(alone.recording(), 17) == arrays(batch.recording, 17)
    assert state(alone.runs) == state(batch.model.runs[17:18])


def test_runs_in_another_order_are_the_same_runs(batch):
    turned = play(runs=[19, 3, 17], months=12)
    for place, run in enumerate((19, 3, 17)):
        assert state(turned.runs[place : place + 1]) == state(batch.states[11][run : run + 1])


def test_two_runs_and_two_seeds_differ(batch):
    assert arrays(batch.recording, 3)["agent_rows"] != arrays(batch.recording, 17)["agent_rows"]
    other = play(runs=[17], months=6, seed=SEED + 1)
    assert digest(other.runs[0]["firms"]["cash"]) != digest(batch.states[5][17]["firms"]["cash"])
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
    on, off = (
        in_process(script, "18", "baseline", "17", env={"NUMBA_DISABLE_JIT": jit}) for jit in ("0", "1")
    )
    assert len(on) > 1000
    assert on == off


def turned(model: Industry, name: str) -> None:
    """Turns the order of the agents of one kind round."""
    agents = list(getattr(model, name))
    assert len(agents) > 1
    setattr(model, name, model._set(reversed(agents)))


@pytest.mark.parametrize("kind", ["labs", "sites", "clouds", "sisters"])
def test_the_order_of_agents_within_a_phase_does_not_matter(kind, batch):
    model = Industry("baseline", runs=[0, 1, 2], rng=SEED)
    turned(model, kind)
    for _ in range(MONTHS):
        model.step()
    assert state(model.runs) == state(batch.model.runs[:3])


def by_name(model):
    """(months, runs, firms, columns), what is recorded of the firms, in alphabetical order."""
    kept = model.recording()
    rows = kept.agent_rows[:, :, np.argsort(kept.agents)]
    return np.stack([rows[name].astype(float) for name in rows.dtype.names], axis=-1)


@pytest.mark.parametrize(
    ("table", "months", "tolerance"),
    [
        ("sisters", 24, 0.0),
        ("integrators", 24, 0.0),
        ("utilities", 24, 0.0),
        ("clouds", 12, 1e-9),
        ("labs", 1, 1e-12),
    ],
)
def test_the_order_of_firms_in_a_scenario_does_not_matter_where_nothing_is_taken_in_turn(
    table, months, tolerance
):
    plain = load("baseline")
    turned = dataclasses.replace(plain, **{table: dict(reversed(getattr(plain, table).items()))})
    assert list(getattr(turned, table)) != list(getattr(plain, table))
    before, after = (by_name(play(each, runs=3, months=months)) for each in (plain, turned))
    np.testing.assert_allclose(after, before, rtol=tolerance, atol=1e3 * tolerance)
