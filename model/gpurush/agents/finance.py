"""Phase 6: bills are paid as far as cash goes, in the order power, payroll, interest, rent, running cost, chips.

What is left unpaid is arrears; arrears month after month are default, and a defaulted firm trades no more.
"""

import math

from ..engine import helper, rule
from ..ledger import pay
from ..names import Deal
from ..state import Firm, Kind, Run, Sector
from ..units import HOURS_PER_MONTH


@helper
def settle_bill(run: Run, kind: int, payer: int, payee: int, due: float, quantity: float) -> float:
    """Pays a bill as far as cash goes; returns what is still owed, USD."""
    whole = math.floor(due + 0.5)
    paid = pay(run, kind, payer, payee, whole, quantity)
    run.firms[payer].spend += paid
    left = max(0.0, whole - paid)
    run.firms[payer].arrears += left
    return left


@rule
def pay_power(run: Run) -> None:
    """Energy from the grid and from turbines, for every site."""
    for f in range(run.firms_used):
        run.firms[f].arrears = 0.0
    for s in range(run.sites_used):
        site = run.sites[s]
        utility = run.utilities[site.utility]
        gas_mw = max(0.0, min(site.gas_mw, site.facility_mw - site.grid_mw))
        energy = (site.facility_mw - gas_mw) * HOURS_PER_MONTH
        due = energy * utility.terms.tariff + site.owed_power
        site.owed_power = settle_bill(run, Deal.power, site.owner, utility.firm, due, energy)
        rent = site.gas_mw * run.power.gas_premium + gas_mw * HOURS_PER_MONTH * run.power.gas_energy
        world, burnt = run.sectors + Sector.world, gas_mw * HOURS_PER_MONTH
        site.owed_gas = settle_bill(run, Deal.gas, site.owner, world, rent + site.owed_gas, burnt)
        if run.firms[site.owner].kind == Kind.lab:
            lab = run.labs[run.firms[site.owner].place]
            lab.compute_spend += (energy * utility.terms.tariff + rent) * (1.0 - lab.terms.other_use)


@rule
def pay_people(run: Run) -> None:
    """Payroll of labs."""
    households = run.sectors + Sector.households
    for i in range(run.labs_used):
        lab = run.labs[i]
        firm = run.firms[lab.firm]
        if run.month < firm.founded or firm.defaulted:
            continue
        due = lab.researchers * run.demand.pay * run.demand.payroll_over_researchers + firm.owed_payroll
        firm.owed_payroll = settle_bill(run, Deal.payroll, lab.firm, households, due, lab.researchers)


@rule
def pay_running(run: Run) -> None:
    """Other running cost of compute, fixed cost, buildings, and chips shipped but not paid."""
    world = run.sectors + Sector.world
    for i in range(run.labs_used):
        lab = run.labs[i]
        firm = run.firms[lab.firm]
        if run.month < firm.founded or firm.defaulted:
            continue
        own = max(0.0, lab.running - lab.leased)  # A lessor runs what it leases out: rent covers it.
        running = run.demand.running * own
        lab.compute_spend += running
        owned = firm.fleet * (1.0 - lab.terms.other_use)
        lab.compute_spend += owned * run.price / max(run.lease.owning_months, 1.0)
        due = running + lab.terms.fixed_cost + firm.owed_running
        firm.owed_running = settle_bill(run, Deal.running, lab.firm, world, due, own)
    for k in range(run.clouds_used):
        firm = run.firms[run.clouds[k].firm]
        due = run.demand.running * firm.energised + firm.owed_running
        firm.owed_running = settle_bill(run, Deal.running, run.clouds[k].firm, world, due, firm.energised)
    for f in range(run.firms_used):
        firm = run.firms[f]
        if firm.owed_shell > 0.0:
            before, owed = firm.spend, firm.owed_shell
            builder = run.sectors + Sector.construction
            firm.owed_shell = settle_bill(run, Deal.shell, f, builder, owed, firm.owed_mw)
            firm.owed_mw *= firm.owed_shell / owed
            firm.capex += firm.spend - before
            firm.spend = before
    for b in range(run.buyers_used):
        buyer = run.buyers[b]
        for m in range(run.makers_used):
            if buyer.owed[m] > 0.0:
                owed, gpus = buyer.owed[m], buyer.owed_gpus[m]
                paid = pay(run, Deal.chips, buyer.firm, run.makers[m].firm, owed, gpus)
                buyer.owed[m] = owed - paid
                buyer.owed_gpus[m] = gpus * (1.0 - paid / owed)
                run.firms[buyer.firm].capex += paid
                run.firms[buyer.firm].arrears += buyer.owed[m]


@helper
def judge_firm(firm: Firm, run: Run) -> None:
    """Counts months with arrears, smooths the cash flow that plans rest on; some months of arrears are default.

    Arrears are what a month's payments left unpaid. Chips are billed after them, and have until the month after.
    """
    firm.arrears_months = firm.arrears_months + 1.0 if firm.arrears > 0.0 else 0.0
    if firm.arrears_months >= run.capital.default_after:
        firm.defaulted = True
    flow = firm.cash - firm.opening + firm.capex - firm.raised - firm.borrowed
    firm.inflow += (flow - firm.inflow) / max(run.planning.flow_months, 1.0)


@rule
def judge(run: Run) -> None:
    """Phase 12: judges labs, clouds and sisters."""
    for f in range(run.firms_used):
        firm = run.firms[f]
        if firm.kind <= Kind.sister and run.month >= firm.founded:
            judge_firm(firm, run)


@rule
def measure_burn(run: Run) -> None:
    """Smoothed net burn, what runway is counted by."""
    for i in range(run.labs_used):
        lab = run.labs[i]
        firm = run.firms[lab.firm]
        if run.month >= firm.founded:
            net = firm.cash - firm.opening - firm.raised
            lab.burn += (-net - lab.burn) / max(run.planning.flow_months, 1.0)
