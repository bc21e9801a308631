"""Transfers inside a group: only where a chip is worth more, units conserved, by power and not by price."""

import numpy as np
import pytest
from small_market import economy, place, sell

from gpurush import ledger
from gpurush.agents import finance
from gpurush.markets import transfers
from gpurush.state import SITE_ACCOUNT, Asked, Kind, Stage

GIVER, RECEIVER, STRANGER = 1, 2, 3
CHIP = 1


def group(giver_mw=0.0, receiver_mw=100.0, gpus=8000.0, price=30_000.0, cash=1e12):
    """A firm with dark chips, its sister, and a stranger with power to spare."""
    batch = economy(sites=3, cash=cash)
    sell(batch, price)
    site = batch["sites"]
    site["number"][0, :3], site["owner"][0, :3] = [0, 1, 2], [GIVER, RECEIVER, STRANGER]
    site["shell_mw"][0, :3] = site["grid_mw"][0, :3] = [giver_mw, receiver_mw, 500.0]
    site["requested_mw"][0, :3] = site["approved_mw"][0, :3] = site["grid_mw"][0, :3]
    site["terms"]["pue"][0, :3] = site["terms"]["it_kw_factor"][0, :3] = 1.0
    batch["firms"]["owner"][0, [GIVER, RECEIVER, STRANGER]] = [0, 0, -1]
    place(batch, 0, CHIP, gpus)
    runs_here = min(gpus, np.floor(giver_mw / 1.4e-3 / 8.0) * 8.0)
    site["running"][0, 0, CHIP], site["stranded"][0, 0] = runs_here, gpus - runs_here
    batch["chips"]["rent"][0, CHIP] = 2.5
    terms = batch["transfer"]
    terms["horizon"], terms["discount"], terms["friction"], terms["cash_cost"] = 12.0, 0.01, 1500.0, 0.4
    return batch


def moved(batch):
    ledger.open_month.all(batch)
    before = batch["gpus"].sum(axis=1)
    transfers.transfer_chips.all(batch)
    assert np.array_equal(batch["gpus"].sum(axis=1), before)
    ledger.check_books.all(batch)
    assert batch["fault"][0] == 0
    where = batch["gpus"][0, SITE_ACCOUNT : SITE_ACCOUNT + 3, CHIP]
    assert where.sum() == 8000.0
    assert where[2] == 0.0
    return where[1]


def request(batch, site, mw, left, asked=Asked.grid, approved=True):
    one = batch["sites"]["requests"][0, site, 0 if asked == Asked.grid else 1]
    one["stage"], one["asked"], one["mw"], one["left"] = Stage.construction, asked, mw, left
    one["approved"], one["expected"] = approved, max(left, 1.0)


def test_dark_chips_go_to_the_sister_with_power_for_them():
    assert moved(group()) == 8000.0
    assert moved(group(receiver_mw=5.0)) == np.floor(5e3 / 1.4 / 8.0) * 8.0


def test_equal_values_move_nothing():
    # Both expect the slots for all these chips from the same month on.
    batch = group(giver_mw=0.0, receiver_mw=0.0)
    for site in (0, 1):
        request(batch, site, 100.0, 3.0)
        batch["sites"]["shell_mw"][0, site] = 200.0
    values = [
        transfers.chip_value(batch[0], firm, CHIP, extra) for firm, extra in ((GIVER, -1.0), (RECEIVER, 0.0))
    ]
    assert values[0] == values[1] > 0.0
    assert moved(batch) == 0.0


def test_a_gain_below_the_friction_moves_nothing():
    batch = group()
    batch["transfer"]["friction"] = transfers.chip_value(batch[0], RECEIVER, CHIP, 0.0) + 1.0
    assert moved(batch) == 0.0
    batch["transfer"]["friction"] -= 2.0
    assert moved(batch) == 8000.0


def test_a_firm_that_expects_power_soon_keeps_its_chips():
    for left, gone in ((2.0, 0.0), (11.0, 8000.0)):
        batch = group()
        request(batch, 0, 100.0, left)
        batch["sites"]["shell_mw"][0, 0] = 200.0
        batch["transfer"]["friction"] = 5000.0
        assert moved(batch) == gone


def test_owners_expect_the_mean_of_a_stage_and_not_the_luck_of_its_draw():
    values = []
    for drawn in (0.5, 5.0, 30.0):
        batch = group()
        request(batch, 0, 100.0, drawn)
        batch["sites"]["requests"]["expected"][0, 0, 0] = 5.0
        batch["sites"]["shell_mw"][0, 0] = 200.0
        values.append(transfers.chip_value(batch[0], GIVER, CHIP, -1.0))
    assert values[0] == values[1] == values[2] > 0.0


def test_the_friction_is_by_chip_whatever_a_chip_can_do():
    batch = group()
    batch["transfer"]["friction"] = transfers.chip_value(batch[0], RECEIVER, CHIP, 0.0) - 1.0
    batch["chips"]["h100e"] = 8.0
    batch["transfer"]["cash_cost"] /= 8.0
    assert moved(batch) == 8000.0


def test_chips_follow_power_and_not_price():
    assert {moved(group(price=price)) for price in (1_000.0, 30_000.0, 90_000.0)} == {8000.0}
    batch = group()
    batch["chips"]["rent"][0, CHIP] = 5.0
    assert moved(batch) == 8000.0


def test_a_sister_buys_no_more_than_its_cash_allows():
    batch = group()
    batch["firms"]["cash"][0, RECEIVER] = 1000.0 * 30_000.0
    assert moved(batch) == 1000.0


def test_nobody_gives_to_a_stranger_or_what_runs():
    batch = group()
    batch["firms"]["owner"][0, RECEIVER] = 1
    assert moved(batch) == 0.0
    assert moved(group(giver_mw=50.0)) == 0.0


def test_value_is_the_discounted_margin_of_the_months_with_a_slot():
    batch = group()
    net = (2.5 - 0.4) * 730.0
    assert transfers.chip_value(batch[0], RECEIVER, CHIP, 0.0) == pytest.approx(
        sum(net / 1.01**ahead for ahead in range(12))
    )
    assert transfers.chip_value(batch[0], GIVER, CHIP, -1.0) == 0.0


def test_power_that_waits_for_approval_is_no_slot_today():
    batch = group(receiver_mw=0.0)
    request(batch, 1, 100.0, -4.0, approved=False)
    batch["sites"]["requests"]["stage"][0, 1, 0] = Stage.study
    batch["sites"]["shell_mw"][0, 1] = 100.0
    assert (
        transfers.expected_slots(
            batch[0], batch["sites"][0, 1], CHIP, transfers.taken_kw(batch[0], batch["sites"][0, 1]), 0.0
        )
        <= 0.0
    )


def test_chips_sold_to_a_sister_are_no_income_that_plans_rest_on():
    batch = group()
    batch["firms"]["kind"][0, [GIVER, RECEIVER]], batch["planning"]["flow_months"] = Kind.lab, 1.0
    ledger.open_month.all(batch)
    transfers.transfer_chips.all(batch)
    assert batch["firms"]["capex"][0, [GIVER, RECEIVER]].tolist() == [-8000 * 30_000.0, 8000 * 30_000.0]
    finance.judge.all(batch)
    assert not batch["firms"]["inflow"][0, [GIVER, RECEIVER]].any()
