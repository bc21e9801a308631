"""The scenarios that ship: each loads, writes itself, and draws values in range."""

from pathlib import Path

import numpy as np
import pytest

from gpurush.scenario import DISTS, available, draw, explain, imposed_table, load
from gpurush.scenario.files import shipped


@pytest.mark.parametrize("name", shipped())
def test_it_loads_and_its_text_loads_to_the_same(name: str, tmp_path: Path) -> None:
    scenario = load(name)
    path = tmp_path / "scenario.toml"
    path.write_text(scenario.dump_toml(), encoding="utf-8")
    again = load(path)
    assert again == scenario
    assert again.hash == scenario.hash
    assert again.name == name


@pytest.mark.parametrize("name", shipped())
def test_its_draws_are_finite_and_in_range(name: str) -> None:
    scenario = load(name)
    for path, values in draw(scenario, 7, range(8)).items():
        number = scenario.get(path)
        assert np.isfinite(values).all()
        if number.dist in DISTS and number.dist != "lognormal" and number.varies:
            assert number.low is not None
            assert number.high is not None
            assert ((values >= number.low) & (values <= number.high)).all()


@pytest.mark.parametrize("name", shipped())
def test_every_path_can_be_explained(name: str) -> None:
    scenario = load(name)
    assert all(explain(scenario, path).meaning for path in scenario.numbers)
    assert str(explain(scenario, "labs"))
    assert imposed_table(scenario).startswith("| item |")


def test_each_says_what_it_is_about() -> None:
    assert all(item.title and item.question for item in available())
