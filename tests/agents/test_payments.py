"""Bills: the order of payment, arrears, default after three months; what nobody can pay is never made up."""

import numpy as np
import pytest

from gpurush import ledger
from gpurush.agents import finance
from gpurush.engine import LAYOUTS
from gpurush.markets import capital, leasing
from gpurush.names import Deal
from gpurush.state import Kind, Lease, Run
from gpurush.units import HOURS_PER_MONTH

LAB, CLOUD, UTILITY, MAKER, SECTORS = 0, 1, 2, 3, 24
POWER, PAYROLL, RENT, RUNNING, CHIPS = 73_000.0, 160_000.0, 146_000.0, 6_000.0, 50_000.0
ORDER = [
    (Deal.power, POWER),
    (Deal.payroll, PAYROLL),
    (Deal.rent, RENT),
    (Deal.running, RUNNING),
    (Deal.chips, CHIPS),
]


def lab(cash):
    """A lab with one bill of each kind."""
    batch = np.zeros(1, LAYOUTS[Run])
    batch["firms_used"], batch["sectors"], batch["month"] = 30, SECTORS, 4
    for kind in ("labs", "clouds", "sites", "utilities", "buyers", "makers"):
        batch[f"{kind}_used"] = 1
    firms = batch["firms"][0]
    firms["kind"][:4] = [Kind.lab, Kind.cloud, Kind.utility, Kind.maker]
    firms["cash"][LAB] = cash
    site, terms = batch["sites"][0, 0], batch["utilities"]["terms"]
    site["owner"], site["facility_mw"], site["grid_mw"] = LAB, 1.0, 1.0
    batch["utilities"]["firm"], terms["tariff"] = UTILITY, POWER / HOURS_PER_MONTH
    batch["labs"]["researchers"][0, 0], batch["labs"]["running"][0, 0] = 1.0, 100.0
    batch["demand"]["pay"], batch["demand"]["payroll_over_researchers"] = 100_000.0, 1.6
    batch["demand"]["running"], batch["lease"]["owning_months"] = 60.0, 48.0
    batch["clouds"]["firm"][0, 0] = CLOUD
    contract = batch["contracts"][0, 0]
    contract["state"], contract["delivered"], contract["rent"], contract["end"] = (
        Lease.delivering,
        100.0,
        2.0,
        99,
    )
    contract["take_or_pay"] = 1.0
    batch["contracts_used"], batch["capital"]["default_after"] = 1, 3.0
    batch["planning"]["flow_months"] = 3.0
    batch["makers"]["firm"][0, 0] = MAKER
    batch["buyers"]["firm"][0, 0], batch["buyers"]["owed"][0, 0, 0] = LAB, CHIPS
    return batch


def pay_all(batch):
    """Phase 6, in its order."""
    ledger.open_month.all(batch)
    finance.pay_power.all(batch)
    finance.pay_people.all(batch)
    capital.serve_debt.all(batch)
    leasing.pay_rents.all(batch)
    finance.pay_running.all(batch)
    lines = batch["deals"][0][: int(batch["deals_used"][0])]
    return {Deal(int(line["kind"])): float(line["amount"]) for line in lines if line["payer"] == LAB}


@pytest.mark.parametrize("cash", [0.0, 50_000.0, 200_000.0, 300_000.0, 383_000.0, 400_000.0, 435_000.0, 1e6])
def test_bills_are_paid_in_order_as_far_as_cash_goes(cash):
    batch = lab(cash)
    paid = pay_all(batch)
    left = cash
    for kind, bill in ORDER:
        assert paid.get(kind, 0.0) == min(bill, left)
        left -= min(bill, left)
    total = sum(bill for _, bill in ORDER)
    assert batch["firms"]["cash"][0, LAB] == left >= 0.0
    assert batch["firms"]["arrears"][0, LAB] == total - (cash - left)


def test_what_is_owed_is_paid_first_when_money_comes():
    batch = lab(0.0)
    pay_all(batch)
    batch["firms"]["cash"][0, LAB] = 1e7
    paid = pay_all(batch)
    # Two months of every bill, but the chips are billed once.
    assert paid == {kind: bill * (1 if kind == Deal.chips else 2) for kind, bill in ORDER}
    assert batch["firms"]["arrears"][0, LAB] == 0.0


def month(batch):
    pay_all(batch)
    finance.judge.all(batch)
    return bool(batch["firms"]["defaulted"][0, LAB])


def test_three_months_of_arrears_in_a_row_are_default():
    batch = lab(0.0)
    assert [month(batch) for _ in range(4)] == [False, False, True, True]


def test_a_month_without_arrears_starts_the_count_anew():
    batch = lab(0.0)
    assert [month(batch) for _ in range(2)] == [False, False]
    batch["firms"]["cash"][0, LAB] = 1e7
    assert not month(batch)
    batch["firms"]["cash"][0, LAB] = 0.0
    assert [month(batch) for _ in range(3)] == [False, False, True]


def test_burn_is_a_smoothed_net_outflow_without_equity():
    batch = lab(1e7)
    for _ in range(40):
        batch["firms"]["cash"][0, LAB] = 1e7
        ledger.open_month.all(batch)
        batch["firms"]["cash"][0, LAB] += 2e6
        batch["firms"]["raised"][0, LAB] = 5e6
        finance.measure_burn.all(batch)
    assert batch["labs"]["burn"][0, 0] == pytest.approx(3e6, rel=1e-6)


def test_compute_spend_counts_a_bill_once():
    batch = lab(0.0)
    site = batch["sites"][0, 0]
    site["gas_mw"], site["grid_mw"] = 1.0, 0.0
    batch["power"]["gas_premium"], batch["power"]["gas_energy"] = 20_000.0, 175.0
    spent = []
    for _ in range(2):
        batch["labs"]["compute_spend"] = 0.0
        ledger.open_month.all(batch)
        finance.pay_power.all(batch)
        spent.append(float(batch["labs"]["compute_spend"][0, 0]))
    assert spent[0] == spent[1]
