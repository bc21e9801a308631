"""A further lab is TOML alone, and changes no draw of the others."""

import numpy as np
import pytest
from small_industry import SEED, play

from gpurush import luck
from gpurush.scenario import ScenarioError, load

NEWCOMER = """
[labs.newcomer]
strategy = "catch_up"
h100e_target = 20000
founded = "{founded}"
clouds = ["coreweave"]
cash = {{ value = 2e9, low = 1e9, high = 3e9, unit = "USD", source = "a test", date = "2024-01", grade = "G" }}
valuation = 5e9
researchers = 50
efficiency = 1.0
capability = 24.5
demand = {demand}

[labs.newcomer.holders]
venture = 0.2
"""


@pytest.fixture
def write(tmp_path):
    def put(founded: str, demand: float = 1e6):
        head = 'extends = "baseline"\n\n[scenario]\ntitle = "One more"\n'
        path = tmp_path / "wider.toml"
        path.write_text(head + NEWCOMER.format(founded=founded, demand=demand))
        return path

    return put


def test_it_runs_and_trains(write):
    model = play(write("2023-06"), runs=4, months=24)
    assert "newcomer" in model.where.firms
    assert not model.runs["fault"].any()
    newcomer = model["newcomer"]
    assert np.all(newcomer.researchers > 50.0)
    assert np.all(newcomer.running > 0.0)


def test_it_changes_no_drawn_number_of_the_others(write, batch):
    model = play(write("2023-06"), months=0)
    others = {path: values for path, values in model.drawn.items() if not path.startswith("labs.newcomer")}
    assert others.keys() == batch.model.drawn.keys()
    for path, values in others.items():
        assert np.array_equal(values, batch.model.drawn[path]), path
    assert len(set(model.drawn["labs.newcomer.cash"])) == len(model.numbers)


def test_it_changes_no_luck_of_the_others(write, batch):
    model = play(write("2023-06"), months=0)
    for name in batch.model.where.firms:
        row, other = (each.runs["firms"]["who"][0, each.where.rows[name]] for each in (model, batch.model))
        assert row == other == luck.name(name)


@pytest.mark.parametrize("demand", [0.0, 1e6])
def test_one_that_is_founded_later_leaves_everything_before_as_it_was(write, batch, demand):
    model = play(write("2027-06", demand), runs=3, months=12)
    state = batch.states[11][:3]
    for name in batch.model.where.firms:
        ours, theirs = model.where.rows[name], batch.model.where.rows[name]
        for column in ("cash", "debt", "fleet", "energised", "revenue", "power_mw"):
            assert np.array_equal(model.runs["firms"][column][:, ours], state["firms"][column][:, theirs]), (
                name
            )
    for i, name in enumerate(batch.model.story.labs):
        assert list(model.story.labs).index(name) == i
        for column in ("running", "research", "capability", "efficiency", "demand", "valuation"):
            assert np.array_equal(model.runs["labs"][column][:, i], state["labs"][column][:, i]), (
                name,
                column,
            )


def test_more_labs_than_a_record_has_room_for_are_refused(tmp_path):
    text = 'extends = "baseline"\n[scenario]\ntitle = "Too many"\n'
    for number in range(12):
        block = NEWCOMER.format(founded="2024-01", demand=0.0).replace("newcomer", f"newcomer{number}")
        text += block
    path = tmp_path / "many.toml"
    path.write_text(text)
    with pytest.raises(ScenarioError, match="labs: found 18, allowed at most 12"):
        play(load(path), runs=1, months=0, seed=SEED)
