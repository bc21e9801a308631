"""Double-entry books of dollars and GPUs. Nothing appears or vanishes: only a transfer moves anything.

A transfer takes from one account and gives to another and is noted in the run's deal record, merged by (kind, payer,
payee, asset) within the month: the record *is* the flow of funds. Amounts are whole numbers held in floats, rounded
once before the transfer, so sums are exact below 2^53 and the check at each month's end uses ``==``:

* conservation: what all accounts hold of an asset is what they held a month before;
* recorded: opening + recorded transfers = closing, account by account;
* cap tables: the holders' whole shares sum to the shares issued;
* megawatts: energised <= connected <= approved <= requested at every site, and no utility beyond its headroom.

``check`` raises ``LedgerError`` with run, month, book, imbalance and the month's sums by kind.
"""

import math
from typing import Any

import numpy as np

from .engine import Array, helper, rule
from .names import Deal
from .state import (
    ACCOUNTS,
    CHIPS,
    DEALS,
    FIRMS,
    Fault,
    Firm,
    Run,
)

SLOTS = 2 * DEALS
USD = -1
FLOOR_OF_NAN = -(2.0**62)
"""Compiled code makes -2^63 of ``floor(nan)``: no bill is as far below zero as this."""


@helper
def note(run: Run, fault: int, at: int) -> None:
    """Keeps a run's first fault; it is raised as a sentence once all runs have gone through the month."""
    if run.fault == Fault.none:
        run.fault = fault
        run.fault_at = at


@helper
def line_of(run: Run, kind: int, payer: int, payee: int, asset: int) -> int:
    """The line of the month's deal record for these four; made if it is not there."""
    at = (kind * 7919 + payer * 613 + payee * 31 + asset + 1) % SLOTS
    while True:
        line = run.deal_slots[at] - 1
        if line < 0:
            break
        deal = run.deals[line]
        if deal.payer == payer and deal.payee == payee and deal.kind == kind and deal.asset == asset:
            return line
        at = (at + 1) % SLOTS
    if run.deals_used >= DEALS:
        note(run, Fault.no_room_for_deal, kind)
        return DEALS - 1
    line = run.deals_used
    run.deals_used += 1
    run.deal_slots[at] = line + 1
    fresh = run.deals[line]
    fresh.kind, fresh.payer, fresh.payee, fresh.asset = kind, payer, payee, asset
    fresh.amount = 0.0
    fresh.quantity = 0.0
    return line


@helper
def pay(run: Run, kind: int, payer: int, payee: int, amount: float, quantity: float) -> float:
    """Pays ``amount`` USD, rounded to whole dollars, as far as the payer's cash goes.

    Returns what was paid; the caller keeps what is left as a bill. An amount that is no number is a fault of its payer.
    """
    if not math.isfinite(amount) or amount < FLOOR_OF_NAN:
        note(run, Fault.not_finite, payer)
        return 0.0
    paid = math.floor(min(amount, run.firms[payer].cash) + 0.5)
    if not paid > 0.0 or payer == payee:
        return 0.0
    run.firms[payer].cash -= paid
    run.firms[payee].cash += paid
    deal = run.deals[line_of(run, kind, payer, payee, USD)]
    deal.amount += paid
    deal.quantity += quantity * min(1.0, paid / amount)  # A part payment buys a part.
    return paid


@helper
def move(run: Run, kind: int, source: int, target: int, chip: int, gpus: float) -> None:
    """Moves whole GPUs of a type from one account to another; the caller sees to it that the source holds them."""
    if gpus <= 0.0:
        return
    run.gpus[source][chip] -= gpus
    run.gpus[target][chip] += gpus
    run.deals[line_of(run, kind, source, target, chip)].amount += gpus


@helper
def uncommitted(run: Run, firm: Firm) -> float:
    """Money that no order has claimed, USD: cash but for a cushion, and coming inflow, less what is ordered or owed.

    Inflow counts for the lead time, but no longer than buyers plan ahead: what comes later is no cover for an order.
    """
    kept = run.capital.cushion * firm.spend
    coming = firm.inflow * min(run.makers[0].lead, run.gpu.horizon)
    return max(0.0, firm.cash - kept + coming - firm.committed - firm.owed_shell)


@rule
def open_month(run: Run) -> None:
    """Remembers the opening balances and empties the deal record."""
    run.deals_used = 0
    for at in range(SLOTS):
        run.deal_slots[at] = 0
    for f in range(run.firms_used):
        firm = run.firms[f]
        firm.opening = firm.cash
        firm.revenue = 0.0
        firm.capex = 0.0
        firm.spent, firm.spend = firm.spend, 0.0
        firm.raised = 0.0
        firm.borrowed = 0.0
    for a in range(ACCOUNTS):
        for c in range(CHIPS):
            run.gpus_opening[a][c] = run.gpus[a][c]


@helper
def pack(runs: Array[Run], words: Array[Array[int]], sums: Array[Array[float]], at: int) -> int:
    """Copies the lines of the month's deal record, run by run.

    Args:
        runs: states of some runs.
        words: kind, payer, payee and asset of a line, shape (lines, 4).
        sums: amount and quantity of a line, shape (lines, 2).
        at: the first free line.

    Returns:
        The first line that is free now.
    """
    for r in range(len(runs)):
        run = runs[r]
        for line in range(run.deals_used):
            deal = run.deals[line]
            words[at, 0] = deal.kind
            words[at, 1] = deal.payer
            words[at, 2] = deal.payee
            words[at, 3] = deal.asset
            sums[at, 0] = deal.amount
            sums[at, 1] = deal.quantity
            at += 1
    return at


@helper
def usd_gap(run: Run) -> tuple[int, float]:
    """The first account of dollars that its recorded transfers do not explain, and by how much; (-1, 0) if none."""
    total = 0.0
    for f in range(run.firms_used):
        total += run.firms[f].cash - run.firms[f].opening
    if total != 0.0:
        return FIRMS, total
    for line in range(run.deals_used):
        deal = run.deals[line]
        if deal.asset == USD:
            run.firms[deal.payer].opening -= deal.amount
            run.firms[deal.payee].opening += deal.amount
    for f in range(run.firms_used):
        if run.firms[f].cash != run.firms[f].opening:
            return f, run.firms[f].cash - run.firms[f].opening
    return -1, 0.0


@helper
def gpu_gap(run: Run) -> tuple[int, int, float]:
    """The same for GPUs: account, chip, imbalance; the account is ``ACCOUNTS`` where conservation fails."""
    for line in range(run.deals_used):
        deal = run.deals[line]
        if deal.asset >= 0:
            run.gpus_opening[deal.payer][deal.asset] -= deal.amount
            run.gpus_opening[deal.payee][deal.asset] += deal.amount
    unexplained = 0
    for c in range(CHIPS):
        run.gpus_total[c] = 0.0
    for a in range(ACCOUNTS):
        for c in range(CHIPS):
            run.gpus_total[c] += run.gpus[a][c]
            unexplained += run.gpus[a][c] != run.gpus_opening[a][c]
    for a in range(ACCOUNTS if unexplained > 0 else 0):
        for c in range(CHIPS):
            if run.gpus[a][c] != run.gpus_opening[a][c]:
                return a, c, run.gpus[a][c] - run.gpus_opening[a][c]
    for c in range(CHIPS):
        if run.gpus_total[c] != 0.0:
            return ACCOUNTS, c, run.gpus_total[c]
    return -1, 0, 0.0


@helper
def share_gap(run: Run) -> tuple[int, float]:
    """The first lab whose cap table does not sum to the shares issued."""
    for i in range(run.labs_used):
        lab = run.labs[i]
        total = 0.0
        for f in range(run.firms_used):
            total += lab.shares[f]
        if total != lab.issued:
            return i, total - lab.issued
    return -1, 0.0


@helper
def power_gap(run: Run) -> tuple[int, float]:
    """The first site where energised <= connected <= approved <= requested fails, by MW; or a utility (beyond sites).

    The book of approvals counts what a utility connects; on-site turbines stand beside it. Megawatts are not whole
    numbers: they are checked to a watt in a megawatt.
    """
    for s in range(run.sites_used):
        site = run.sites[s]
        over = max(site.facility_mw - site.gas_mw - site.grid_mw, site.grid_mw - site.approved_mw)
        over = max(over, site.approved_mw - site.requested_mw)
        if over > 1e-6 * max(1.0, site.grid_mw):
            return s, over
    for u in range(run.utilities_used):
        if run.utilities[u].headroom < -1e-6:
            return run.sites_used + u, -run.utilities[u].headroom
    return -1, 0.0


@rule
def check_books(run: Run) -> None:
    """Notes a fault in the run if a book does not close (the sentence is made in Python)."""
    usd, _ = usd_gap(run)
    if usd >= 0:
        note(run, Fault.usd_book, usd)
    gpus, chip, _ = gpu_gap(run)
    if gpus >= 0:
        note(run, Fault.gpu_book, gpus * CHIPS + chip)
    lab, _ = share_gap(run)
    if lab >= 0:
        note(run, Fault.cap_table, lab)
    site, _ = power_gap(run)
    if site >= 0:
        note(run, Fault.power_book, site)


class LedgerError(RuntimeError):
    """A book does not close: run, month, book, imbalance, and the month's sums by kind."""


def sums_by_kind(run: Any) -> str:
    """The month's transfers of one run, summed by kind, in words."""
    sums: dict[tuple[int, int], float] = {}
    for line in run["deals"][: int(run["deals_used"])]:
        key = int(line["kind"]), int(line["asset"])
        sums[key] = sums.get(key, 0.0) + float(line["amount"])
    parts = [
        f"{Deal(kind).name} {total:,.0f} {'USD' if asset < 0 else 'GPUs'}"
        for (kind, asset), total in sums.items()
    ]
    return "; ".join(parts) or "no transfer"


def imbalance(run: Any) -> float:
    """The imbalance behind a run's fault, found anew from its closing books and recorded transfers."""
    fault = int(run["fault"])
    if fault == Fault.usd_book:
        cash, opening = run["firms"]["cash"], run["firms"]["opening"]
        at = int(run["fault_at"])
        return float(np.sum(cash - opening)) if at == FIRMS else float(cash[at] - opening[at])
    if fault == Fault.gpu_book:
        account, chip = divmod(int(run["fault_at"]), CHIPS)
        book, opening = run["gpus"], run["gpus_opening"]
        return float(
            book[:, chip].sum() if account == ACCOUNTS else book[account, chip] - opening[account, chip]
        )
    if fault == Fault.cap_table:
        lab = run["labs"][int(run["fault_at"])]
        return float(lab["shares"].sum() - lab["issued"])
    return float(power_gap(run)[1])
