"""What everybody finds on the first day: rents that cover energy, outside buyers at their utility."""

import numpy as np
import pytest

from gpurush.catalog.chips import Chip
from gpurush.industry import Industry
from gpurush.units import HOURS_PER_MONTH

RUNS = 4


def tariffs(model):
    """(runs, sites), USD/MWh that each site pays."""
    sites = model.runs["sites"][:, : len(model.where.sites)]
    every = model.runs["utilities"]["terms"]["tariff"]
    return np.take_along_axis(every, sites["utility"], axis=1)


@pytest.mark.parametrize("name", ["grid", "mlgw"])
def test_outside_buyers_pay_the_tariff_of_the_utility_that_is_named(name):
    model = Industry("baseline", runs=RUNS, rng=7, overrides={"outside.utility": name})
    outside = model.where.sites.index("outside")
    assert np.array_equal(tariffs(model)[:, outside], model.drawn[f"utilities.{name}.tariff"])
    assert not np.array_equal(model.drawn["utilities.grid.tariff"], model.drawn["utilities.mlgw.tariff"])


def test_opening_rents_hold_the_cost_of_energy():
    model = Industry("baseline", runs=RUNS, rng=7)
    runs, chip = model.runs, model.runs["chips"][:, Chip.H100]
    sites = runs["sites"][:, : len(model.where.sites)]
    per_mwh = (sites["terms"]["pue"] * tariffs(model)).mean(axis=1)
    lease = runs["lease"]
    capital = lease["owning_markup"] * runs["makers"]["price"][:, 0, Chip.H100] / lease["owning_months"]
    energy = chip["it_kw"] * HOURS_PER_MONTH * per_mwh / 1000.0
    running = runs["demand"]["running"] * chip["h100e"]
    cost = (capital + energy + running) / HOURS_PER_MONTH
    target = cost * (lease["margin"] + lease["tightness_margin"] * runs["tightness"])
    assert chip["rent"] == pytest.approx(target, rel=1e-9)
    assert (energy / (capital + energy + running)).min() > 0.03, "else energy could be left out unseen"


def test_the_growth_of_the_outside_path_loses_its_share_in_a_year():
    model = Industry("baseline", runs=RUNS, rng=7)
    path = np.log(model.runs["outside_path"])
    last = 17  # 2024-06, the last dated month.
    first, later = (path[:, last + at + 1] - path[:, last + at] for at in (0, 12))
    assert first == pytest.approx(np.log(model.drawn["outside.growth_late"]) / 12.0)
    assert later / first == pytest.approx(1.0 - model.drawn["outside.growth_fade"])
