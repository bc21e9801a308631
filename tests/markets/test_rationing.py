"""Rationing of a shortage: feasible, whole, even-handed; truth is dominant under the uniform rule only."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_market import MAKER, economy, sell, stock

from gpurush.markets.gpus import level, ration
from gpurush.names import Rationing

ORDERS = st.lists(st.floats(0.0, 1e5), min_size=2, max_size=24)
BATCH = economy()


def shares(orders, made, rule):
    """What each buyer is granted of ``made`` H100e."""
    batch = BATCH
    batch["buyers"]["backlog"] = batch["buyers"]["entitled"] = 0.0
    batch["gpus"] = 0.0
    sell(batch)
    stock(batch, MAKER, 1, made)
    batch["rationing"], batch["buyers_used"] = rule, len(orders)
    batch["buyers"]["backlog"][0, : len(orders), 0] = orders
    ration(batch[0], 0)
    return batch["buyers"]["entitled"][0, : len(orders), 0].copy()


@pytest.mark.parametrize("rule", list(Rationing))
@settings(max_examples=60, deadline=None)
@given(ORDERS, st.integers(0, 200_000))
def test_all_of_the_stock_and_no_more_than_ordered(rule, orders, made):
    given_out = shares(orders, float(made), rule)
    assert np.all(given_out >= 0.0)
    assert np.all(given_out <= np.array(orders) * (1 + 1e-12) + 1e-9)
    assert given_out.sum() == pytest.approx(min(made, sum(orders)), rel=1e-9, abs=1e-6)


@pytest.mark.parametrize("rule", list(Rationing))
@settings(max_examples=30, deadline=None)
@given(ORDERS, st.floats(0.05, 1.0))
def test_equal_orders_get_equal_shares(rule, orders, part):
    orders = [orders[0], *orders[:23]]
    got = shares(orders, float(np.floor(part * sum(orders))), rule)
    assert got[0] == got[1]


def test_proportional_shares():
    assert shares([100.0, 300.0, 600.0], 500.0, Rationing.proportional).tolist() == [50.0, 150.0, 300.0]


def test_uniform_shares_are_water_filled():
    assert shares([100.0, 300.0, 600.0], 500.0, Rationing.uniform).tolist() == [100.0, 200.0, 200.0]
    assert level(BATCH[0], 0, 0.0) == 0.0


@settings(max_examples=60, deadline=None)
@given(ORDERS, st.floats(0.05, 1.2), st.floats(0.3, 10.0))
def test_under_the_uniform_rule_no_scaled_order_gets_more_of_the_need(orders, part, factor):
    made = float(np.floor(part * sum(orders)))
    need = orders[0]
    truth = min(shares(orders, made, Rationing.uniform)[0], need)
    bent = min(shares([factor * need, *orders[1:]], made, Rationing.uniform)[0], need)
    assert bent <= truth * (1 + 1e-9) + 1e-6


def test_under_the_proportional_rule_inflating_pays():
    honest = shares([100.0, 100.0], 100.0, Rationing.proportional)[0]
    assert shares([200.0, 100.0], 100.0, Rationing.proportional)[0] > 1.3 * honest
