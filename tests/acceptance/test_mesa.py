"""Used as a Mesa model: one run, run_for, its data collector, batch_run."""

import mesa
import numpy as np
import pytest

from gpurush.industry import Industry
from gpurush.scenario import ScenarioError, load
from gpurush.usage import UsageError


def test_a_model_of_one_run_is_a_mesa_model() -> None:
    model = Industry("baseline", runs=1, rng=7)
    assert isinstance(model, mesa.Model)
    model.run_for(3)
    assert model.month == 3
    assert model["openai"].cash.shape == (1,)
    frame = model.datacollector.get_model_vars_dataframe()
    assert len(frame) == 3
    assert frame["h100_price_usd"].between(30_000, 40_000).all()
    assert {type(lab).__name__ for lab in model.labs} == {"Lab"}


def test_running_turns_false_at_the_horizon() -> None:
    model = Industry("baseline", runs=1, rng=7, overrides={"scenario.months": 4})
    while model.running:
        model.step()
    assert model.month == 4


def test_reporters_refuse_more_runs_with_a_sentence() -> None:
    model = Industry("baseline", runs=2, rng=7)
    with pytest.raises(RuntimeError, match="this model has 2 runs"):
        model.datacollector.collect(model)


def test_batch_run_of_mesa() -> None:
    rows = mesa.batch_run(
        Industry, {"scenario": "baseline", "runs": 1}, rng=[7], max_steps=5, display_progress=False
    )
    assert len(rows) == 1
    assert np.isfinite(rows[0]["labs_h100e"])
    model = Industry("baseline", runs=1, rng=7)
    model.run_for(5)
    assert rows[0]["labs_h100e"] == pytest.approx(sum(float(lab.running[0]) for lab in model.labs), rel=1e-12)


def test_a_loaded_scenario_takes_no_overrides():
    with pytest.raises(ScenarioError, match="takes no overrides"):
        Industry(load("baseline"), overrides={"scenario.months": 4})


@pytest.mark.parametrize("runs", ["3", [-1], [1, 1], [1.7], True, 1.5, [], 0, [2**40]])
def test_runs_that_are_none_are_refused_with_a_sentence(runs):
    with pytest.raises(UsageError, match="runs: found"):
        Industry("baseline", runs=runs)


def test_agents_say_who_they_are():
    model = Industry("baseline", runs=2, rng=7)
    assert repr(model["openai"]) == "Lab('openai'): 2 runs, month 0"
    assert repr(model.sites.to_list()[0]).startswith("Site('")
    assert repr(model.recording()) == "Recording: 2 runs from 2023-01, 0 months"
