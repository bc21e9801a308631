"""Demand for the labs' services: elasticities, shares, what leaks is neither lost nor made."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpurush.agents.service import choose, sell, service_price
from gpurush.engine import LAYOUTS
from gpurush.names import Deal
from gpurush.state import Run

SECTORS, MARKUP = 24, 2.8


def market(demand, applied, rent=2.0, leakage=0.5, arrival=0.01, runs=1):
    """Labs with a demand in USD a month and applied compute in H100e; the households are rich."""
    batch = np.zeros(runs, LAYOUTS[Run])
    labs = len(demand)
    batch["labs_used"], batch["firms_used"], batch["sectors"] = labs, 30, SECTORS
    batch["month"], batch["rent"] = 5, rent
    batch["firms"]["cash"][:, SECTORS : SECTORS + 6] = 1e14
    batch["labs"]["firm"][:, :labs] = np.arange(labs)
    batch["labs"]["demand"][:, :labs], batch["labs"]["serving"][:, :labs] = demand, applied
    batch["labs"]["capability"], batch["frontier_capability"] = 25.32, 25.32
    values = {
        "potential": 2.7e8,
        "capability_elasticity": 0.5,
        "reference_capability": 25.32,
        "diffusion": 0.3,
        "arrival": arrival,
        "choice_intensity": 2.0,
        "price_elasticity": -1.11,
        "price_over_rent": MARKUP,
        "price_reference": 6500.0,
        "leakage": leakage,
    }
    for name, value in values.items():
        batch["demand"][name] = value
    return batch


def revenue(batch):
    return batch["firms"]["revenue"][0, : int(batch["labs_used"][0])].copy()


def sold(batch):
    batch["firms"]["revenue"] = 0.0
    sell.all(batch)
    return revenue(batch)


def test_price_is_a_markup_on_rent():
    assert service_price(market([1e6], [1e3])[0]) == pytest.approx(MARKUP * 2.0 * 730.0)


def settled(rent, applied):
    batch = market([2e8], [applied], rent=rent)
    for _ in range(400):
        found = sold(batch)
    return float(found[0])


def test_revenue_elasticity_is_one_plus_epsilon_while_capacity_is_slack_and_one_when_it_binds():
    slack = math.log(settled(2.2, 1e9) / settled(2.0, 1e9)) / math.log(1.1)
    assert slack == pytest.approx(1.0 - 1.11, abs=1e-6)
    short = math.log(settled(2.2, 1e3) / settled(2.0, 1e3)) / math.log(1.1)
    assert short == pytest.approx(1.0, abs=1e-6)


def test_potential_grows_with_the_frontier():
    batch = market([1e8], [1e9])
    sold(batch)
    before = float(batch["potential"][0])
    batch["frontier_capability"] = 26.32
    sold(batch)
    assert batch["potential"][0] / before == pytest.approx(10.0**0.5)


def test_demand_below_the_potential_grows_at_the_rate_of_diffusion_and_settles_at_the_potential():
    batch = market([1e5], [1e9], arrival=0.0)
    before = float(batch["labs"]["demand"][0, 0])
    sold(batch)
    assert batch["labs"]["demand"][0, 0] / before == pytest.approx(1.3, rel=1e-3)
    for _ in range(200):
        sold(batch)
    assert batch["labs"]["demand"][0, 0] == pytest.approx(float(batch["potential"][0]))


def test_choice_is_logit():
    batch = market([1e6] * 3, [1e3] * 3)
    batch["labs"]["capability"][0, :3] = [25.0, 25.5, 26.0]
    batch["labs"]["terms"]["brand"][0, :3] = [1.0, 0.0, 0.0]
    choose(batch[0])
    weight = np.exp([51.0, 51.0, 52.0] - np.float64(52.0))
    assert batch["labs"]["utility"][0, :3] == pytest.approx(weight / weight.sum())


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.floats(1e5, 1e9), st.floats(0.0, 3e5)), min_size=2, max_size=6),
    st.floats(0.0, 1.0),
)
def test_what_leaks_is_conserved(labs, leakage):
    demand, applied = (list(each) for each in zip(*labs, strict=True))
    leaking, tight = (market(demand, applied, leakage=each) for each in (leakage, 0.0))
    with_leak, without = sold(leaking), sold(tight)
    n = len(demand)
    price = MARKUP * 2.0 * 730.0
    unserved = leaking["labs"]["unserved"][0, :n].sum()
    room = (np.array(applied) - np.minimum(tight["labs"]["demand"][0, :n] / price, applied)).sum() * price
    gained = with_leak.sum() - without.sum()
    assert gained == pytest.approx(min(leakage * unserved, room), rel=1e-6, abs=2.0 * n)
    assert np.all(leaking["labs"]["served"][0, :n] <= np.array(applied) * (1 + 1e-9) + 1e-9)
    # Customers who leave one lab arrive at another.
    assert leaking["labs"]["demand"][0, :n].sum() == pytest.approx(
        tight["labs"]["demand"][0, :n].sum(), rel=1e-9
    )


def test_revenue_is_paid_by_the_households():
    batch = market([1e8, 1e8], [1e3, 1e9])
    found = sold(batch)
    lines = batch["deals"][0][: int(batch["deals_used"][0])]
    assert set(lines["kind"]) == {Deal.service}
    assert lines["amount"].sum() == found.sum()


def test_who_has_defaulted_or_is_not_founded_sells_nothing():
    batch = market([1e8, 1e8], [1e5, 1e5])
    batch["firms"]["defaulted"][0, 0] = True
    batch["firms"]["founded"][0, 1] = 9
    assert sold(batch).tolist() == [0.0, 0.0]


def test_customers_of_a_defaulted_lab_leave_room_for_its_rivals():
    grown = []
    for gone in (0.0, 1.5e8):
        batch = market([1e8, gone], [1e6, 0.0], arrival=0.0)
        batch["firms"]["defaulted"][0, 1] = True
        sold(batch)
        grown.append(float(batch["labs"]["demand"][0, 0]))
    assert grown[0] == grown[1]
