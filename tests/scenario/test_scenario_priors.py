"""Priors: in range, of the right shape, and the same value for a run whatever else is drawn."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scenario_text
from hypothesis import given
from hypothesis import strategies as st

from gpurush.scenario import Number, Scenario, draw, load, quantile

inside = st.floats(0, 1, exclude_min=True, exclude_max=True)


def number(value: float, low: float, high: float, dist: Any) -> Number:
    return Number(value=value, low=low, high=high, dist=dist)


def test_every_path_has_values_and_fixed_ones_are_constant(scenario: Scenario) -> None:
    drawn = draw(scenario, 7, range(4))
    assert list(drawn) == list(scenario.numbers)
    for path, values in drawn.items():
        assert values.shape == (4,)
        assert values.dtype == np.float64
        assert (len(set(values)) > 1) == scenario.get(path).varies


def test_a_run_alone_has_the_values_of_that_run_in_a_batch(scenario: Scenario) -> None:
    batch, alone, shuffled = (draw(scenario, 7, runs) for runs in (range(50), [17], [3, 17, 8]))
    for path, values in batch.items():
        assert alone[path][0] == values[17] == shuffled[path][1]


def test_seeds_differ(scenario: Scenario) -> None:
    assert draw(scenario, 7, [0])["labs.xai.cash"] != draw(scenario, 8, [0])["labs.xai.cash"]


def test_a_further_firm_changes_no_draw(scenario: Scenario, small: Path) -> None:
    text = scenario_text.minimal()
    second = text[text.index("[labs.xai]") : text.index("[clouds.cumulus]")].replace("xai", "openai")
    more = (
        load(small.with_name("more.toml"))
        if small.with_name("more.toml").write_text(second + text)
        else scenario
    )
    few, many = draw(scenario, 7, range(20)), draw(more, 7, range(20))
    assert len(many) > len(few)
    assert all((many[path] == values).all() for path, values in few.items())
    assert (many["labs.openai.fixed_cost"] != many["labs.xai.fixed_cost"]).any()


def test_values_fill_their_range(scenario: Scenario) -> None:
    drawn = draw(scenario, 1, range(400))
    for path, item in scenario.numbers.items():
        if item.varies:
            assert item.low is not None
            assert item.high is not None
            width = item.high - item.low
            assert item.low <= drawn[path].min() < item.low + 0.2 * width
            assert item.high - 0.2 * width < drawn[path].max() <= item.high


@given(
    st.tuples(*[st.floats(1e-6, 1e12)] * 3), st.sampled_from(["triangular", "uniform", "loguniform"]), inside
)
def test_bounded_priors_stay_in_range(span: tuple[float, ...], dist: str, u: float) -> None:
    low, value, high = sorted(span)
    assert low <= quantile(number(value, low, high, dist), u) <= high


@given(
    st.tuples(*[st.floats(1e-3, 1e6)] * 3),
    st.sampled_from(["triangular", "uniform", "loguniform", "lognormal"]),
    inside,
    inside,
)
def test_quantiles_never_fall(span: tuple[float, ...], dist: str, one: float, two: float) -> None:
    low, value, high = sorted(span)
    prior = number(value, low, high, dist)
    below, above = quantile(prior, min(one, two)), quantile(prior, max(one, two))
    assert below <= above * (1 + 1e-12)


def test_triangular_against_its_distribution_function() -> None:
    prior = number(3, 1, 9, "triangular")
    assert quantile(prior, 0.25) == pytest.approx(3)
    assert quantile(prior, 0.0625) == pytest.approx(2)
    assert quantile(prior, 1 - (9 - 6) ** 2 / (8 * 6)) == pytest.approx(6)
    assert quantile(number(1, 1, 2, "triangular"), 0.75) == pytest.approx(1.5)
    assert quantile(number(2, 1, 2, "triangular"), 0.25) == pytest.approx(1.5)


def test_uniform_and_loguniform() -> None:
    assert quantile(number(2, 1, 5, "uniform"), 0.25) == 2
    assert quantile(number(10, 1, 100, "loguniform"), 0.5) == pytest.approx(10)


def test_lognormal_has_its_median_and_its_5_and_95_percent() -> None:
    prior = number(10, 2, 30, "lognormal")
    assert quantile(prior, 0.5) == pytest.approx(10)
    assert quantile(prior, 0.05) == pytest.approx(2, rel=0.02)
    assert quantile(prior, 0.95) == pytest.approx(30, rel=0.02)
    assert 0 < quantile(prior, 1e-300) < 2
    assert quantile(prior, 1 - 2**-53) == pytest.approx(10 * 3 ** (3.0902 / 1.6449), rel=1e-3)


def test_lognormal_is_the_usual_one_if_the_value_is_the_geometric_mean() -> None:
    prior = number(4, 1, 16, "lognormal")
    logs = [math.log(quantile(prior, (at + 0.5) / 20000)) for at in range(20000)]
    assert np.mean(logs) == pytest.approx(math.log(4), abs=1e-9)
    assert np.std(logs) == pytest.approx(math.log(4) / 1.6449, rel=0.02)


def test_a_range_of_no_width_is_fixed() -> None:
    for dist in ("triangular", "uniform", "loguniform", "lognormal"):
        assert quantile(number(2, 2, 2, dist), 0.3) == 2
    assert quantile(number(2, 1, 3, "fixed"), 0.9) == 2
