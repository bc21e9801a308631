"""Capital: equity rounds with dilution, investors' dry powder, debt secured on GPUs.

Staged financing (Gompers 1995): a start-up asks when its runway is short or an indivisible order needs the cash.
Pre-money by a multiple of revenue, with floors from the last round and from the replacement value of its compute;
post-money is pre-money and investment. Shares are whole, so a cap table sums exactly to what was issued.
"""

import math

from ..engine import helper, rule
from ..ledger import pay
from ..luck import What, uniform
from ..names import Deal
from ..state import ROUNDS, Lab, Run, Sector

ASKS = -2
"""``closes`` of a lab that asks this month, before its round gets a date."""


@helper
def issue(run: Run, lab: Lab, investor: int, amount: float, pre_money: float) -> float:
    """An investor pays and gets new shares at the pre-money price; returns what was paid."""
    paid = pay(run, Deal.equity, investor, lab.firm, amount, 0.0)
    if paid > 0.0 and pre_money > 0.0:
        shares = math.floor(paid / pre_money * lab.issued + 0.5)
        lab.shares[investor] += shares
        lab.round_shares += shares
        run.firms[lab.firm].raised += paid
        run.closed_capital += paid
    return paid


@helper
def finish_round(run: Run, lab: Lab, raised: float, pre_money: float) -> None:
    """Books the shares of a round, all issued at the same price, and the new valuation."""
    if raised <= 0.0:
        return
    lab.issued += lab.round_shares
    lab.round_shares = 0.0
    lab.valuation = pre_money + raised
    run.closed_value += pre_money
    run.closed_revenue += lab.revenue_year
    lab.last_round = run.month


@helper
def dry_powder(run: Run) -> float:
    """Money that equity investors have ready, USD."""
    total = 0.0
    for v in range(run.investors_used):
        if not run.investors[v].debt:
            total += run.firms[run.investors[v].firm].cash
    return total


@rule
def close_rounds(run: Run) -> None:
    """Phase 2: investors get new money; rounds of the record close, then those that were under way."""
    run.closed_capital, run.closed_value, run.closed_revenue = 0.0, 0.0, 0.0
    for v in range(run.investors_used):
        investor = run.investors[v]
        money = investor.terms.inflow * math.exp(investor.terms.inflow_growth * run.month)
        pay(run, Deal.funding, run.sectors + Sector.world, investor.firm, money, 0.0)
    for j in range(ROUNDS):
        known = run.rounds[j]
        if known.month == run.month and known.amount > 0.0:
            lab = run.labs[known.lab]
            pre_money = known.post_money - known.amount
            finish_round(run, lab, issue(run, lab, known.investor, known.amount, pre_money), pre_money)
            lab.closes, lab.asked = -1, 0.0  # The record's round takes the place of one under way.
    for i in range(run.labs_used):
        lab = run.labs[i]
        if run.firms[lab.firm].defaulted:
            lab.closes, lab.asked = -1, 0.0
        if lab.closes == run.month:
            close_round(run, lab)


@helper
def close_round(run: Run, lab: Lab) -> None:
    """Pays in a round that was under way, each investor by the money it has ready."""
    powder = dry_powder(run)
    raised = 0.0
    share = min(1.0, lab.asked / powder) if powder > 0.0 else 0.0
    for v in range(run.investors_used):
        if not run.investors[v].debt:
            firm = run.investors[v].firm
            raised += issue(run, lab, firm, run.firms[firm].cash * share, lab.pre_money)
    finish_round(run, lab, raised, lab.pre_money)
    lab.closes = -1
    lab.asked = 0.0


@helper
def wanted(run: Run, lab: Lab) -> float:
    """What a start-up asks for now, USD: months of burn and the indivisible; 0 when it need not or may not ask."""
    capital = run.capital
    firm = run.firms[lab.firm]
    if not lab.startup or lab.closes >= 0 or run.month < firm.founded or firm.defaulted:
        return 0.0
    if run.month - lab.last_round < capital.round_gap:
        return 0.0
    indivisible = max(0.0, lab.indivisible - max(0.0, firm.cash - firm.committed))
    runway = firm.cash / lab.burn if lab.burn > 0.0 else 1e9
    if runway >= capital.runway_trigger and indivisible <= 0.0:
        return 0.0
    return max(0.0, capital.ask_months * lab.burn) + indivisible


@helper
def pre_money(run: Run, lab: Lab) -> float:
    """Pre-money valuation, USD: revenue multiple, last round with its step-up, replacement value of compute."""
    capital = run.capital
    last = lab.valuation * (capital.step_up if lab.released > lab.last_round else 1.0)
    compute = capital.asset_multiple * run.firms[lab.firm].fleet * run.price
    return max(capital.revenue_multiple * lab.revenue_year, last, compute)


@rule
def ask_for_capital(run: Run) -> None:
    """Phase 6: those short of money ask; half of the dry powder is shared pro rata; rounds close in some months."""
    run.asked_capital = 0.0
    total = 0.0
    for i in range(run.labs_used):
        lab = run.labs[i]
        most = wanted(run, lab)
        if most > 0.0:
            lab.pre_money = pre_money(run, lab)
            sold = run.capital.sold_most
            lab.asked = min(most, lab.pre_money * sold / (1.0 - sold))
            total += lab.asked
            lab.closes = ASKS
    run.asked_capital = total
    if total <= 0.0:
        return
    share = min(1.0, run.capital.powder_share * dry_powder(run) / total)
    for i in range(run.labs_used):
        lab = run.labs[i]
        if lab.closes == ASKS:
            lab.asked *= share
            low, high = run.capital.close_low, run.capital.close_high
            u = uniform(run.seed, run.number, run.firms[lab.firm].who, What.round_time, run.month)
            lab.closes = run.month + int(low + u * (high - low) + 0.5)


@rule
def serve_debt(run: Run) -> None:
    """Phase 6: interest and principal of debt secured on GPUs; new loans while the fleet's value allows them."""
    lender = -1
    for v in range(run.investors_used):
        if run.investors[v].debt:
            lender = v
    if lender < 0:
        return
    investor = run.investors[lender]
    for k in range(run.clouds_used):
        cloud = run.clouds[k]
        if cloud.terms.debt_limit <= 0.0:
            continue
        firm = run.firms[cloud.firm]
        interest = math.floor(firm.debt * investor.terms.interest / 12.0 + 0.5) + firm.owed_interest
        paid = pay(run, Deal.interest, cloud.firm, investor.firm, interest, 0.0)
        firm.owed_interest = interest - paid
        due = math.floor(firm.debt / max(investor.terms.amortisation, 1.0) + 0.5) + firm.owed_principal
        due = min(due, firm.debt)
        repaid = pay(run, Deal.principal, cloud.firm, investor.firm, due, 0.0)
        firm.debt -= repaid
        firm.borrowed -= repaid
        firm.owed_principal = due - repaid
        firm.spend += paid
        firm.arrears += firm.owed_interest + firm.owed_principal
        room = cloud.terms.debt_limit * (firm.fleet + firm.moving) * run.price - firm.debt
        need = firm.committed + run.capital.cushion * firm.spent - firm.cash
        if room > 0.0 and need > 0.0 and firm.owed_interest + firm.owed_principal <= 0.0:
            drawn = pay(run, Deal.loan, investor.firm, cloud.firm, min(room, need), 0.0)
            firm.debt += drawn
            firm.borrowed += drawn
