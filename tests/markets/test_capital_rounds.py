"""Equity rounds: dilution, cap tables, limits, investors pro rata; debt secured on GPUs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_market import economy

from gpurush.agents import finance
from gpurush.ledger import open_month, share_gap
from gpurush.markets import capital
from gpurush.state import Kind

LAB, FUNDS = 1, (8, 9)


def startups(labs=1, powder=(2e10, 5e9), **terms):
    """Start-ups short of runway, and two funds."""
    batch = economy(labs=labs, investors=2)
    batch["sectors"] = 24
    for lab in range(labs):
        one = batch["labs"][0, lab]
        one["firm"], one["startup"], one["issued"], one["valuation"] = LAB + lab, True, 1e9, 1e10
        one["shares"][20], one["last_round"], one["released"] = 1e9, -100, -200
        one["burn"] = 1e8
        batch["firms"]["cash"][0, LAB + lab] = 2e8
    for fund, money in zip(FUNDS, powder, strict=True):
        batch["firms"]["cash"][0, fund] = money
    batch["investors"]["firm"][0, :2] = FUNDS
    base = {
        "runway_trigger": 12.0,
        "round_gap": 6.0,
        "ask_months": 18.0,
        "revenue_multiple": 30.0,
        "step_up": 1.15,
    }
    more = {"asset_multiple": 3.0, "sold_most": 0.2, "powder_share": 0.5, "close_low": 1.0, "close_high": 4.0}
    for name, value in {**base, **more, **terms}.items():
        batch["capital"][name] = value
    return batch


def close(batch, until=6):
    for at in range(1, until):
        batch["month"] = at
        capital.close_rounds.all(batch)


@settings(max_examples=50, deadline=None)
@given(st.floats(1e8, 5e11), st.floats(1e6, 1e11), st.floats(1e6, 1e11))
def test_post_is_pre_plus_investment_and_dilution_is_investment_over_post(pre, one, other):
    batch = startups(powder=(1e12, 1e12))
    lab, before = batch["labs"][0, 0], 1e9
    paid = [
        capital.issue(batch[0], lab, fund, money, pre)
        for fund, money in zip(FUNDS, (one, other), strict=True)
    ]
    capital.finish_round(batch[0], lab, sum(paid), pre)
    assert lab["valuation"] == pre + sum(paid)
    assert lab["shares"].sum() == lab["issued"]
    assert share_gap(batch[0])[0] == -1
    diluted = 1.0 - before / lab["issued"]
    assert diluted == pytest.approx(sum(paid) / (pre + sum(paid)), abs=3e-9)


def test_a_round_covers_burn_and_sells_no_more_than_allowed():
    batch = startups()
    capital.ask_for_capital.all(batch)
    lab = batch["labs"][0, 0]
    assert lab["asked"] == pytest.approx(18.0 * 1e8)
    assert 1 <= lab["closes"] <= 4
    batch = startups(ask_months=1000.0)
    capital.ask_for_capital.all(batch)
    assert batch["labs"]["asked"][0, 0] == pytest.approx(1e10 * 0.25)
    close(batch)
    lab = batch["labs"][0, 0]
    assert 1.0 - 1e9 / lab["issued"] == pytest.approx(0.2, abs=1e-8)
    assert share_gap(batch[0])[0] == -1


def test_half_the_dry_powder_is_shared_pro_rata_among_all_who_ask():
    batch = startups(labs=2, powder=(1.5e9, 5e8))
    batch["labs"]["burn"][0, :2] = [1e8, 3e7]
    capital.ask_for_capital.all(batch)
    asked = batch["labs"]["asked"][0, :2]
    assert asked.sum() == pytest.approx(1e9)
    assert asked[0] / asked[1] == pytest.approx(1e8 / 3e7)


def test_funds_pay_by_what_they_have():
    batch = startups()
    capital.ask_for_capital.all(batch)
    close(batch)
    shares = batch["labs"]["shares"][0, 0]
    assert shares[FUNDS[0]] / shares[FUNDS[1]] == pytest.approx(4.0, rel=1e-6)
    assert batch["firms"]["cash"][0, LAB] == pytest.approx(2e8 + 1.8e9, abs=2.0)


@pytest.mark.parametrize(
    ("change", "asks"),
    [
        ({"cash": 1.3e9}, False),
        ({"cash": 1.1e9}, True),
        ({"cash": 1.3e9, "indivisible": 2e9}, True),
        ({"last_round": -5}, False),
        ({"last_round": -6}, True),
        ({"startup": False}, False),
        ({"defaulted": True}, False),
        ({"burn": -1e8}, False),
    ],
    ids=str,
)
def test_who_asks(change, asks):
    batch = startups()
    for name, value in change.items():
        where = batch["firms"][0, LAB] if name in ("cash", "defaulted") else batch["labs"][0, 0]
        where[name] = value
    assert (capital.wanted(batch[0], batch["labs"][0, 0]) > 0.0) == asks


def test_pre_money_is_the_highest_of_its_floors():
    batch = startups()
    run, lab = batch[0], batch["labs"][0, 0]
    assert capital.pre_money(run, lab) == 1e10
    lab["released"] = 0
    assert capital.pre_money(run, lab) == pytest.approx(1.15e10)
    lab["revenue_year"] = 1e9
    assert capital.pre_money(run, lab) == pytest.approx(3e10)
    batch["firms"]["fleet"][0, LAB], batch["price"] = 1e6, 3e4
    assert capital.pre_money(run, lab) == pytest.approx(9e10)


def test_time_to_close_is_one_to_four_months():
    seen = set()
    batch = startups()
    for number in range(200):
        batch["number"], batch["labs"]["closes"] = number, -1
        capital.ask_for_capital.all(batch)
        seen.add(int(batch["labs"]["closes"][0, 0]))
    assert seen == {1, 2, 3, 4}


def test_a_round_of_the_record_takes_the_place_of_one_under_way():
    batch = startups()
    capital.ask_for_capital.all(batch)
    due = int(batch["labs"]["closes"][0, 0])
    known = batch["rounds"][0, 0]
    known["month"], known["lab"], known["investor"], known["amount"], known["post_money"] = (
        due - 1,
        0,
        FUNDS[0],
        5e9,
        4e10,
    )
    batch["rounds"]["month"][0, 1:] = -1
    close(batch, until=due + 3)
    lab = batch["labs"][0, 0]
    assert (lab["closes"], lab["asked"], lab["valuation"]) == (-1, 0.0, 4e10)


def borrower(debt=0.0, cash=1e9, limit=0.65):
    batch = startups()
    batch["clouds_used"] = 1
    batch["clouds"]["firm"][0, 0], batch["clouds"]["terms"]["debt_limit"][0, 0] = 4, limit
    batch["investors"]["debt"][0, 1] = True
    batch["investors"]["terms"]["interest"][0, 1], batch["investors"]["terms"]["amortisation"][0, 1] = (
        0.12,
        50.0,
    )
    firm = batch["firms"][0, 4]
    firm["debt"], firm["cash"], firm["fleet"] = debt, cash, 1000.0
    batch["price"] = 30_000.0
    return batch, firm


def test_a_loan_never_exceeds_its_share_of_the_fleets_value():
    batch, firm = borrower(cash=0.0)
    firm["committed"] = 1e12
    capital.serve_debt.all(batch)
    firm = batch["firms"][0, 4]
    assert firm["debt"] == pytest.approx(0.65 * 3e7)
    assert firm["cash"] == firm["debt"]


def test_a_borrower_keeps_months_of_what_it_spent_the_month_before():
    batch, firm = borrower(cash=0.0)
    firm["spent"], firm["spend"] = 2e6, 7e6
    capital.serve_debt.all(batch)
    assert batch["firms"]["debt"][0, 4] == pytest.approx(3.0 * 2e6)
    open_month.all(batch)
    assert (batch["firms"]["spent"][0, 4], batch["firms"]["spend"][0, 4]) == (7e6, 0.0)


def test_interest_and_principal_are_paid_on_what_is_owed():
    batch, _ = borrower(debt=5e6)
    capital.serve_debt.all(batch)
    firm = batch["firms"][0, 4]
    assert firm["debt"] == pytest.approx(5e6 * (1.0 - 1.0 / 50.0))
    assert firm["cash"] == pytest.approx(1e9 - 5e6 * (0.01 + 0.02))
    assert not np.any(batch["firms"]["owed_interest"])


def test_principal_that_is_not_paid_is_arrears():
    batch, _ = borrower(debt=5e6, cash=5e4, limit=0.1)
    capital.serve_debt.all(batch)
    assert batch["firms"]["arrears"][0, 4] == pytest.approx(1e5)


def recurring(batch, firm):
    """The cash flow that plans rest on, after a month that began before any payment."""
    batch["firms"]["kind"][0, firm] = Kind.cloud
    batch["planning"]["flow_months"] = 1.0
    finance.judge.all(batch)
    return batch["firms"]["inflow"][0, firm]


def test_a_loan_is_no_income_and_its_repayment_no_expense():
    batch, firm = borrower(debt=0.0, cash=0.0)
    firm["committed"] = 1e12
    open_month.all(batch)
    capital.serve_debt.all(batch)
    assert batch["firms"]["cash"][0, 4] > 0.0
    assert recurring(batch, 4) == 0.0
    batch, _ = borrower(debt=5e6, limit=0.1)
    open_month.all(batch)
    capital.serve_debt.all(batch)
    assert recurring(batch, 4) == pytest.approx(-5e6 * 0.01), "interest alone"
