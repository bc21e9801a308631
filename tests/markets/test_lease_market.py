"""Leases: equity against a discount, present value, posted rents, collapse, renewal, end, sharing of what is free."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_market import economy, place, sell

from gpurush import ledger
from gpurush.luck import What, uniform
from gpurush.markets import contracts, leasing
from gpurush.state import Lease
from gpurush.units import HOURS_PER_MONTH

LAB, CLOUD = 1, 4


def world(labs=1, gpus=800.0, runs=1):
    """Labs that lease from one cloud, which runs GPUs of chip 1 at its one site."""
    batch = economy(runs, labs=labs, clouds=1, sites=1)
    sell(batch)
    for lab in range(labs):
        batch["labs"]["firm"][:, lab] = LAB + lab
        batch["firms"]["place"][:, LAB + lab] = lab
        batch["labs"]["clouds"][:, lab, 0] = 0
    batch["clouds"]["firm"][:, 0], batch["firms"]["kind"][:, CLOUD] = CLOUD, 1
    batch["sites"]["owner"][:, 0], batch["sites"]["running"][:, 0, 1] = CLOUD, gpus
    place(batch, 0, 1, gpus)
    batch["firms"]["fleet"][:, CLOUD] = batch["firms"]["energised"][:, CLOUD] = gpus
    batch["lease"]["term"], batch["lease"]["contract_discount"] = 12.0, 0.1
    batch["lease"]["take_or_pay"], batch["rent_start"] = 1.0, 2.0
    batch["chips"]["rent"][:, 1], batch["rent"] = 2.0, 2.0
    batch["lease"]["outside_elasticity"] = -1.2
    return batch


def contract(batch, gpus, end, lab=0, at=0, discount=0.0, state=Lease.delivering, start=0):
    batch["contracts"]["state"][:, at] = state
    one = batch["contracts"]
    one["lessee"][:, at], one["chip"][:, at], one["gpus"][:, at] = lab, 1, gpus
    one["start"][:, at], one["end"][:, at], one["rent"][:, at] = start, end, 2.0
    one["discount"][:, at], one["take_or_pay"][:, at] = discount, 1.0
    batch["contracts_used"] = np.maximum(batch["contracts_used"], at + 1)


def month(batch, at, wants=0.0):
    """Phases 3, 6 and 9 of a month; ``wants`` is the leased compute that each lab wants."""
    batch["month"] = at
    ledger.open_month.all(batch)
    leasing.deliver_leases.all(batch)
    leasing.pay_rents.all(batch)
    batch["labs"]["wants_leased"] = wants
    leasing.trade_leases.all(batch)


def test_present_value_is_an_annuity_and_the_plain_sum_at_rate_zero():
    assert contracts.present_value(100.0, 0.0, 24.0) == 2400.0
    term = sum(100.0 / 1.01**n for n in range(1, 25))
    assert contracts.present_value(100.0, 0.01, 24.0) == pytest.approx(term, rel=1e-12)
    assert contracts.present_value(100.0, 1e-9, 24.0) == pytest.approx(2400.0, rel=1e-6)


@settings(deadline=None)
@given(st.floats(0.01, 0.9), st.floats(1e6, 1e11), st.floats(1e6, 1e12))
def test_at_the_break_even_stake_the_lessor_gets_back_what_it_gives_up(discount, rent, pre):
    stake = contracts.break_even_stake(discount, rent, pre)
    post = pre + discount * rent
    assert stake * post == pytest.approx(discount * rent)
    assert 0.0 < stake < 1.0
    assert contracts.break_even_stake(0.0, rent, pre) == 0.0


def test_posted_rents_converge_to_owning_cost_with_its_margin():
    batch = world()
    lease = batch["lease"]
    lease["adjustment"], lease["margin"], lease["tightness_margin"] = 0.15, 1.25, 0.6
    lease["owning_markup"], lease["owning_months"] = 1.45, 48.0
    batch["tightness"], batch["demand"]["running"] = 0.5, 60.0
    batch["it_tariff"] = 1.25 * 70.0
    target = (1.45 * 30_000.0 / 48.0 + 1.4 * 1.25 * 730.0 * 70.0 / 1000.0 + 60.0) / 730.0 * (1.25 + 0.6 * 0.5)
    gaps = []
    for _ in range(60):
        leasing.post_rents.all(batch)
        gaps.append(float(batch["chips"]["rent"][0, 1]) - target)
    assert gaps[1] == pytest.approx(0.85 * gaps[0])
    assert abs(gaps[-1]) < 1e-3
    assert batch["rent"][0] == batch["chips"]["rent"][0, 1]


def hazard(gap=0.0, dark=0.0, base=0.05, months=4000):
    """Share of negotiations that collapse in their first month, over many runs' luck."""
    batch = world()
    batch["lease"]["collapse"], batch["lease"]["collapse_gap"], batch["lease"]["collapse_power"] = (
        base,
        2.0,
        1.5,
    )
    batch["clouds"]["free"][0, 0, 1] = 800.0 * (1.0 - gap)
    batch["firms"]["energised"][0, CLOUD] = 800.0 * (1.0 - dark)
    run, ended = batch[0], 0
    for number in range(months):
        contract(batch, 800.0, 48, state=Lease.negotiating, start=6)
        run["number"] = number
        contracts.negotiate(run, run["contracts"][0])
        ended += int(run["contracts"]["state"][0]) == Lease.empty
    return ended / months


def logistic(x):
    return 1.0 / (1.0 + np.exp(-x))


@pytest.mark.parametrize(("gap", "dark"), [(0.0, 0.0), (0.5, 0.0), (0.0, 0.6), (1.0, 1.0)])
def test_a_negotiation_collapses_by_its_hazard(gap, dark):
    expected = logistic(np.log(0.05 / 0.95) + 2.0 * gap + 1.5 * dark)
    deviation = np.sqrt(expected * (1.0 - expected) / 4000)
    assert abs(hazard(gap, dark) - expected) < 4.0 * deviation
    if gap == dark == 0.0:
        assert expected == pytest.approx(0.05)  # The base rate with nothing amiss.


def test_a_collapse_under_one_draw_stays_one_when_things_get_worse():
    batch = world()
    batch["lease"]["collapse"], batch["lease"]["collapse_gap"] = 0.05, 2.0
    run, ended = batch[0], []
    for free in (800.0, 400.0, 0.0):
        batch["clouds"]["free"][0, 0, 1] = free
        out = set()
        for number in range(500):
            contract(batch, 800.0, 48, state=Lease.negotiating, start=6)
            run["number"] = number
            contracts.negotiate(run, run["contracts"][0])
            if int(run["contracts"]["state"][0]) == Lease.empty:
                out.add(number)
        ended.append(out)
    assert ended[0] < ended[1] < ended[2]
    assert uniform(7, min(ended[0]), int(run["firms"]["who"][LAB]), What.collapse, 0) < 0.05


def test_a_negotiation_holds_nothing_until_it_is_signed_for_what_is_free():
    batch = world()
    batch["lease"]["collapse"] = 0.0
    contract(batch, 2000.0, 48, state=Lease.negotiating, start=2)
    for at in range(2):
        month(batch, at)
        assert batch["clouds"]["free"][0, 0, 1] == 800.0
    month(batch, 2)
    signed = batch["contracts"][0][batch["contracts"]["state"][0] == Lease.delivering]
    assert signed["gpus"].tolist() == [800.0]
    assert batch["leases_signed"][0] == 800.0
    assert batch["labs"]["lost_lease"][0, 0] == 1200.0, "what was not there is made up for by purchase"
    served = 0
    for at in range(3, 60):
        month(batch, at)
        served += float(batch["labs"]["leased"][0, 0]) > 0.0
    assert served == 48 - 2, "as many months as announced, one later"


@pytest.mark.parametrize("less", [0.0, 4e-9])
def test_whole_units_leave_no_less_than_nothing_free(less):
    batch = world(gpus=800.0 - less)
    month(batch, 0, wants=800.0)
    assert batch["leases_signed"][0] == 800.0
    assert batch["clouds"]["free"][0, 0, 1] == 0.0


def test_a_contract_is_renewed_at_the_posted_rent_while_its_tenant_wants_it():
    batch = world()
    contract(batch, 400.0, 3)
    batch["chips"]["rent"][0, 1] = 1.5
    for at in range(3):
        month(batch, at, wants=400.0)
    renewed = batch["contracts"][0, 0]
    assert renewed["state"] == Lease.delivering
    assert renewed["rent"] == pytest.approx(0.9 * 1.5)
    assert renewed["end"] >= 3 + 12
    assert batch["leases_signed"][0] == 0.0


def test_a_renewed_contract_ends_with_those_signed_in_the_same_month():
    batch = world()
    contract(batch, 400.0, 3)
    for at in range(3):
        month(batch, at, wants=400.0)
    assert batch["contracts"]["end"][0, 0] == contracts.expiry(batch[0])


def months_delivered(end, wants):
    batch = world()
    contract(batch, 400.0, end)
    served = []
    for at in range(end + 3):
        month(batch, at, wants=wants)
        served.append(float(batch["labs"]["leased"][0, 0]))
    return served


def test_a_contract_that_nobody_wants_ends():
    assert months_delivered(3, 0.0)[-1] == 0.0


def test_a_contract_serves_its_term_and_not_a_month_more():
    assert months_delivered(3, 0.0) == [400.0, 400.0, 400.0, 0.0, 0.0, 0.0]


def test_contracts_are_served_pro_rata_when_chips_do_not_run():
    batch = world(labs=2, gpus=800.0)
    contract(batch, 600.0, 40, lab=0, at=0)
    contract(batch, 200.0, 40, lab=1, at=1)
    batch["sites"]["running"][0, 0, 1] = 400.0
    leasing.deliver_leases.all(batch)
    assert batch["contracts"]["delivered"][0, :2].tolist() == [300.0, 100.0]
    assert batch["labs"]["leased"][0, :2].tolist() == [300.0, 100.0]


def test_labs_of_one_rank_share_what_is_free_pro_rata_and_never_more():
    batch = world(labs=2, gpus=800.0)
    month(batch, 0, wants=np.array([1200.0, 400.0] + [0.0] * 10))
    signed = batch["contracts"][0][batch["contracts"]["state"][0] == Lease.delivering]
    assert sorted(signed["gpus"].tolist()) == [200.0, 600.0]
    assert batch["clouds"]["free"][0, 0, 1] == 0.0
    assert batch["labs"]["unmet_lease"][0, :2].tolist() == [600.0, 200.0]


def test_rent_is_billed_for_what_is_delivered_less_the_discount():
    batch = world()
    contract(batch, 400.0, 40, discount=0.62)
    month(batch, 0)
    bill = np.floor(400.0 * 2.0 * 0.38 * HOURS_PER_MONTH + 0.5)
    assert batch["firms"]["revenue"][0, CLOUD] >= bill
    assert batch["labs"]["compute_spend"][0, 0] == pytest.approx(bill, abs=1.0)


def test_outside_renters_have_constant_elasticity():
    batch = world()
    terms = batch["clouds"]["terms"]
    terms["outside_rent"][0, 0] = 500.0
    terms["outside_rent_growth"][0, 0] = terms["outside_rent_growth_late"][0, 0] = 1.0
    at_par = leasing.outside_demand(batch["clouds"][0, 0], batch[0])
    batch["rent"] = 2.2
    dearer = leasing.outside_demand(batch["clouds"][0, 0], batch[0])
    assert np.log(dearer / at_par) / np.log(1.1) == pytest.approx(-1.2)


@pytest.mark.parametrize(
    ("take_or_pay", "idle", "share"), [(0.8, 500.0, 0.8), (0.8, 100.0, 0.9), (1.0, 500.0, 1.0)]
)
def test_rent_is_due_on_what_is_used_and_at_least_on_the_part_that_is_take_or_pay(take_or_pay, idle, share):
    batch = world()
    contract(batch, 800.0, 24)
    batch["contracts"]["take_or_pay"][:, 0] = take_or_pay
    batch["labs"]["running"][:, 0], batch["labs"]["idle"][:, 0] = 1000.0, idle
    month(batch, 1)
    bill = 800.0 * 2.0 * HOURS_PER_MONTH * share
    assert batch["labs"]["rent_bill"][0, 0] == pytest.approx(bill)
    assert batch["firms"]["spend"][0, LAB] == pytest.approx(bill, abs=1.0)


def test_rent_that_cash_does_not_cover_is_owed_to_its_cloud():
    batch = world()
    contract(batch, 800.0, 24)
    bill = 800.0 * 2.0 * HOURS_PER_MONTH
    batch["firms"]["cash"][0, LAB] = 0.25 * bill
    month(batch, 1)
    assert batch["labs"]["owed_rent"][0, 0, 0] == batch["firms"]["arrears"][0, LAB] == 0.75 * bill
    batch["firms"]["cash"][0, LAB] = 10.0 * bill
    month(batch, 2)
    assert batch["labs"]["owed_rent"][0, 0, 0] == 0.0
    assert batch["firms"]["cash"][0, LAB] == 8.25 * bill


def test_the_leases_of_a_bankrupt_end():
    batch = world(labs=2)
    contract(batch, 400.0, 24, lab=0, at=0)
    contract(batch, 400.0, 24, lab=1, at=1)
    batch["firms"]["defaulted"][0, LAB] = True
    month(batch, 1, wants=1000.0)
    assert batch["contracts"]["state"][0, 0] != Lease.delivering or batch["contracts"]["lessee"][0, 0] != 0
    assert batch["contracts"]["state"][0, 1] == Lease.delivering
