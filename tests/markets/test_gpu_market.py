"""Orders and cancellations, starts, packaging, delivery, posted prices."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_market import MAKER, economy, sell, stock

from gpurush import ledger
from gpurush.agents import finance
from gpurush.markets import gpus, integrators, production
from gpurush.names import Deal, Rationing
from gpurush.state import SITE_ACCOUNT

BUYER, PRICE = 3, 30_000.0


def buyer_of(batch, now=0.0, ahead=0.0, backlog=0.0, fill=1.0):
    sell(batch, PRICE)
    batch["buyers_used"] = 1
    buyer = batch["buyers"][0, 0]
    buyer["firm"], buyer["fill"] = BUYER, fill
    buyer["target_now"], buyer["target_ahead"], buyer["backlog"][0] = now, ahead, backlog
    return buyer


def order(batch):
    gpus.place_orders(batch["buyers"][0, 0], batch[0])
    return batch["buyers"][0, 0]


def test_orders_go_half_way_to_the_wanted_backlog_and_only_what_is_due_is_inflated():
    batch = economy()
    buyer_of(batch, now=1000.0, ahead=4000.0, backlog=200.0, fill=0.625)
    buyer = order(batch)
    assert (buyer["due"], buyer["inflation"]) == (1000.0, pytest.approx(1.6))
    wanted = 1.6 * 1000.0 + 3000.0
    assert buyer["orders"] == pytest.approx(0.5 * (wanted - 200.0))
    assert buyer["advance"][0] == pytest.approx(0.2 * buyer["orders"] * PRICE)


def test_orders_need_no_advance_and_one_that_cash_does_not_cover_cuts_them():
    batch = economy()
    buyer_of(batch, now=1000.0)
    batch["gpu"]["advance"] = 0.0
    assert order(batch)["orders"] == 500.0
    batch = economy()
    buyer_of(batch, now=1000.0)
    batch["firms"]["cash"][0, BUYER], batch["firms"]["inflow"][0, BUYER] = 1.5e6, 1e9
    batch["makers"]["lead"][0, 0], batch["gpu"]["horizon"] = 4.0, 6.0
    assert order(batch)["orders"] == pytest.approx(1.5e6 / (0.2 * PRICE))
    assert batch["firms"]["cash"][0, BUYER] == 0.0


@pytest.mark.parametrize(("lead", "months"), [(0.0, 0.0), (4.0, 4.0), (15.0, 6.0)])
def test_orders_leave_a_cushion_and_count_inflow_no_longer_than_buyers_plan(lead, months):
    batch = economy()
    buyer_of(batch, now=1e6)
    firm = batch["firms"][0, BUYER]
    firm["cash"], firm["inflow"], firm["spend"], firm["committed"], firm["owed_shell"] = (
        9e8,
        5e7,
        1e8,
        1e8,
        5e7,
    )
    batch["makers"]["lead"][0, 0], batch["gpu"]["horizon"], batch["capital"]["cushion"] = lead, 6.0, 3.0
    free = 9e8 - 3.0 * 1e8 - 1e8 - 5e7 + months * 5e7
    assert order(batch)["orders"] == pytest.approx(free / PRICE)
    batch = economy()
    buyer_of(batch, now=1e6)
    firm = batch["firms"][0, BUYER]
    firm["cash"], firm["spend"], batch["capital"]["cushion"] = 3e8, 1e8, 3.0
    assert order(batch)["orders"] == 0.0


def test_stock_and_chips_on_the_way_count_against_the_need():
    batch = economy()
    buyer_of(batch, now=1000.0, ahead=1500.0)
    batch["firms"]["fleet"][0, BUYER], batch["firms"]["moving"][0, BUYER] = 300.0, 500.0
    buyer = order(batch)
    assert buyer["due"] == 200.0
    assert buyer["orders"] == pytest.approx(0.5 * (200.0 + 500.0))


@pytest.mark.parametrize("fill", [0.01, 0.3, 0.7, 1.0])
def test_inflation_is_capped_and_absent_under_the_uniform_rule(fill):
    batch = economy()
    buyer_of(batch, now=1000.0, fill=fill)
    assert order(batch)["inflation"] == pytest.approx(min(1.0 / fill, 2.0))
    batch["rationing"] = Rationing.uniform
    assert order(batch)["inflation"] == 1.0


def test_a_third_of_an_excess_is_cancelled_and_its_deposit_stays_with_the_maker():
    batch = economy()
    buyer = buyer_of(batch, backlog=1000.0)
    buyer["advance"][0] = 6e6
    before = batch["firms"]["cash"].copy()
    buyer = order(batch)
    assert buyer["backlog"][0] == pytest.approx(650.0)
    assert buyer["advance"][0] == pytest.approx(0.65 * 6e6)
    assert batch["makers"]["cancelled"][0, 0] == pytest.approx(350.0)
    assert np.array_equal(batch["firms"]["cash"], before)


def test_orders_stop_at_the_cash_that_is_not_committed():
    batch = economy()
    buyer_of(batch, now=1e6)
    firm = batch["firms"][0, BUYER]
    firm["cash"], firm["committed"], firm["inflow"] = 5e6, 2e6, 0.0
    assert order(batch)["orders"] == pytest.approx(3e6 / PRICE)


@settings(max_examples=80, deadline=None)
@given(*[st.floats(0.0, 1e6)] * 4, st.floats(0.0, 2e5))
def test_starts_stay_within_their_bounds(expected, orders, backlog, started, wafers):
    batch = MARKET
    maker = sell(batch)[0, 0]
    for name, value in (("low", 0.95), ("high", 1.35)):
        maker["terms"][f"start_growth_{name}"] = value
    maker["terms"]["order_smoothing"], maker["terms"]["backlog_response"] = 0.3, 1.0 / 6.0
    maker["terms"]["backlog_target"], maker["terms"]["wafer_share"] = 2.0, 1.0
    maker["expected"], maker["orders"], maker["backlog"], maker["started"] = (
        expected,
        orders,
        backlog,
        started,
    )
    maker["shipped_h100e"], maker["pipeline"] = 1000.0, 0.0
    batch["wafers"], batch["foundry"]["start_lead"] = wafers, 5.0
    production.start_wafers(maker, batch[0])
    most = 1.35 * production.packaging(maker, batch[0])
    assert maker["started"] <= min(1.35 * started, most) * (1 + 1e-12)
    assert maker["started"] >= min(0.95 * started, most) * (1 - 1e-12)
    assert maker["pipeline"][4] == maker["started"]


MARKET = economy()


def test_what_is_started_is_finished_after_the_lead_as_far_as_packaging_goes():
    batch = economy()
    maker = sell(batch)[0, 0]
    maker["terms"]["wafer_share"], batch["wafers"] = 1.0, 10.0
    maker["pipeline"][4] = 150.0
    done = []
    for _ in range(7):
        gpus.finish(maker, batch[0])
        done.append(float(maker["output"]))
    assert done == [0.0, 0.0, 0.0, 0.0, 100.0, 50.0, 0.0]  # 10 wafers of 10 chips a month
    assert batch["gpus"][0, MAKER, 1] == 144.0  # Whole nodes; the rest is carried.
    assert maker["carry"][1] == pytest.approx(6.0)


def months_until_packaging_grows(lead):
    batch = economy()
    maker = sell(batch)
    maker["shipped_h100e"] = maker["backlog"] = 100.0
    terms = batch["foundry"]
    terms["expansion_lead"], terms["expansion_low"], terms["expansion_high"] = lead, -0.01, 0.05
    terms["expansion_base"] = 0.05
    batch["wafers_known"][0, :1] = 1000.0
    for month in range(15):
        batch["month"] = month
        production.expand_packaging(batch[0])
        if batch["wafers"][0] > 1000.0:
            return month
    return -1


def test_packaging_capacity_comes_a_lead_after_it_was_ordered():
    assert months_until_packaging_grows(4.0) - months_until_packaging_grows(1.0) == 3


@pytest.mark.parametrize("lead", [1.0, 4.0, 10.0])
def test_packaging_ordered_in_a_month_counts_from_the_lead_on(lead):
    assert months_until_packaging_grows(lead) == lead


def test_expansion_is_bounded():
    batch = economy()
    sell(batch)
    terms = batch["foundry"]
    terms["expansion_lead"], terms["expansion_slope"] = 3.0, 0.012
    terms["expansion_low"], terms["expansion_high"] = -0.01, 0.055
    batch["wafers_known"][0, :1] = 1000.0
    for backlog, growth in ((0.0, -0.01), (1e9, 0.055)):
        terms["expansion_normal"] = 2.5
        batch["makers"]["backlog"][0, 0] = backlog
        batch["additions"] = 0.0
        production.expand_packaging(batch[0])
        assert batch["additions"].sum() == pytest.approx(1000.0 * growth)


@pytest.mark.parametrize(("lead", "cut"), [(1.4, 0.04), (1.6, 0.0)])
def test_a_short_lead_time_cuts_the_price(lead, cut):
    batch = economy()
    maker = sell(batch)[0, 0]
    batch["gpu"]["price_cut"], batch["gpu"]["lead_short"], batch["gpu"]["lead_normal"] = 0.04, 1.5, 3.5
    batch["gpu"]["price_decline"], batch["gpu"]["price_decline_old"], batch["gpu"]["lead_smoothing"] = (
        0.0,
        0.0,
        0.0,
    )
    batch["gpu"]["price_sensitivity"], maker["lead"], before = 0.0, lead, float(maker["price"][1])
    production.quote(maker, batch[0])
    assert maker["price"][1] == pytest.approx(before * (1.0 - cut))


@settings(max_examples=80, deadline=None)
@given(st.floats(0.0, 1e6), st.floats(0.0, 36.0), st.integers(0, 40), st.floats(0.1, 1.0))
def test_a_posted_price_is_sticky_and_has_a_floor(backlog, lead, month, part):
    batch = MARKET
    maker = sell(batch)[0, 0]
    batch["chips"]["launch"][0, 1] = 0.0
    batch["month"], batch["wafers"] = month, 100.0
    maker["terms"]["unit_cost"], maker["terms"]["wafer_share"], maker["pipeline"] = 0.12, 1.0, 500.0
    maker["backlog"], maker["lead"], maker["price"][1] = backlog, lead, part * PRICE
    gpu = batch["gpu"]
    gpu["lead_smoothing"], gpu["price_sensitivity"], gpu["lead_normal"] = 0.5, 0.01, 3.5
    gpu["price_decline"], gpu["price_decline_old"], gpu["price_cut"] = 0.006, 0.02, 0.04
    gpu["lead_short"], gpu["margin_floor"] = 1.5, 0.5
    production.quote(maker, batch[0])
    before, after = part * PRICE, float(maker["price"][1])
    decline = 0.02 if month >= 12 else 0.006
    floor = min(before, PRICE * 0.12 / 0.5)
    assert after <= max(floor, before * (1.0 + 0.006 - decline)) * (1 + 1e-12)
    assert after >= max(floor, before * (1.0 - 0.01 - decline - 0.04)) * (1 - 1e-12)
    assert 0.0 <= maker["lead"] <= 36.0


def test_a_shipment_uses_the_advance_and_bills_the_rest():
    batch = economy()
    buyer = buyer_of(batch, backlog=80.0)
    buyer["advance"][0], buyer["entitled"][0] = 0.2 * 80.0 * PRICE, 40.0
    stock(batch, MAKER, 1, 64.0)
    ledger.open_month.all(batch)
    gpus.ship(batch[0], 0)
    assert batch["gpus"][0, BUYER, 1] == 40.0
    assert batch["buyers"]["backlog"][0, 0, 0] == 40.0
    paid = batch["deals"]["amount"][0][batch["deals"]["kind"][0] == Deal.chips].sum()
    assert paid == pytest.approx(0.8 * 40.0 * PRICE)
    assert batch["firms"]["revenue"][0, MAKER] == pytest.approx(40.0 * PRICE)
    assert batch["buyers"]["advance"][0, 0, 0] == pytest.approx(0.2 * 40.0 * PRICE), "half of it is used"
    assert batch["buyers"]["owed"][0, 0, 0] == 0.0


def test_chips_that_cash_does_not_pay_for_are_owed_and_paid_when_money_comes():
    batch = economy()
    buyer = buyer_of(batch, backlog=80.0)
    buyer["entitled"][0] = 40.0
    stock(batch, MAKER, 1, 64.0)
    batch["firms"]["cash"][0, BUYER] = 15.0 * PRICE
    ledger.open_month.all(batch)
    gpus.ship(batch[0], 0)
    assert batch["firms"]["cash"][0, BUYER] == 0.0
    assert batch["buyers"]["owed"][0, 0, 0] == 25.0 * PRICE
    batch["firms"]["cash"][0, BUYER] = 100.0 * PRICE
    finance.pay_running.all(batch)
    assert batch["buyers"]["owed"][0, 0, 0] == 0.0
    assert batch["firms"]["cash"][0, BUYER] == 75.0 * PRICE


def test_chips_arrive_two_months_after_their_racks():
    batch = economy()
    buyer = buyer_of(batch, backlog=80.0)
    buyer["entitled"][0], buyer["own_builder"] = 80.0, True
    batch["sites_used"] = 1
    batch["sites"]["owner"][0, 0] = BUYER
    stock(batch, MAKER, 1, 80.0)
    gpus.ship(batch[0], 0)
    arrived = []
    for _ in range(3):
        gpus.deliver.all(batch)
        arrived.append(batch["gpus"][0, SITE_ACCOUNT, 1])
    assert arrived == [0.0, 80.0, 80.0]


@pytest.mark.parametrize("cash", [0.0, 7e5, 3e6])
def test_chips_that_cash_does_not_cover_are_owed_and_counted_when_they_are_paid(cash):
    batch = economy()
    buyer = buyer_of(batch, backlog=80.0)
    batch["gpu"]["transit"], batch["gpu"]["network_share"] = 2.0, 1.0
    stock(batch, MAKER, 1, 80.0)
    batch["firms"]["cash"][0, BUYER] = cash
    gpus.hand_over(batch[0], 0, 0, 1, 80.0)
    bill = 80.0 * PRICE
    left = bill - min(cash, bill)
    assert buyer["owed"][0] == buyer["unpaid"] == left
    assert buyer["owed_gpus"][0] == pytest.approx(80.0 * left / bill)
    batch["firms"]["cash"][0, BUYER] = 1e9
    finance.pay_running.all(batch)
    assert (buyer["owed"][0], buyer["owed_gpus"][0]) == (0.0, 0.0)
    lines = batch["deals"][0, : int(batch["deals_used"][0])]
    chips = lines[lines["kind"] == Deal.chips]
    assert chips["amount"].sum() == bill
    assert chips["quantity"].sum() == pytest.approx(80.0)


def test_racks_of_the_month_bound_what_integrators_pass_on():
    batch = economy(integrators=2)
    buyer = buyer_of(batch)
    buyer["new_at_integrator"][1] = 640.0
    batch["chip_rack"] = 64.0
    batch["integrators"]["racks"][0, :2] = [3.0, 2.0]
    batch["integrators"]["terms"]["share"][0, :2] = [0.5, 0.5]
    batch["integrators"]["firm"][0, :2] = [5, 6]
    stock(batch, BUYER, 1, 640.0)
    gpus.integrate(batch[0])
    assert buyer["transit"][1].sum() == 5 * 64.0
    assert buyer["at_integrator"][1] == 320.0
    gpus.integrate(batch[0])
    assert buyer["at_integrator"][1] == 0.0


def test_integrators_share_out_each_rack_once_whatever_their_shares_sum_to():
    batch = economy(integrators=2)
    buyer_of(batch)
    batch["integrators"]["terms"]["share"][0, :2] = [0.7, 0.6]
    batch["integrators"]["terms"]["fee"][0, :2] = 60_000.0
    batch["integrators"]["firm"][0, :2] = [5, 6]
    integrators.pay_integrators(batch[0], batch["buyers"][0, 0], 10.0)
    assert batch["firms"]["revenue"][0, [5, 6]].sum() == pytest.approx(600_000.0)
