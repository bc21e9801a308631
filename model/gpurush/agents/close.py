"""Phase 12: the month's rows are written; a number that is not finite is noted with its firm or site."""

import math

from ..engine import helper, rule
from ..ledger import note
from ..markets.power import pending, slowdown
from ..markets.production import mix_price
from ..names import Bound
from ..rows import AgentRow, MarketRow
from ..state import CHIPS, Asked, Fault, Firm, Kind, Lab, Run, Site

NOT_DEFINED = math.nan
REACHED = 0.98
"""Share of an aim that counts as all of it, when it is asked what bound a lab; no rule of behaviour uses it."""
DARK, FEW = 0.05, 8.0
"""Stranded compute that counts as want of power: share of the fleet, and a node's worth, H100e."""


@helper
def ratio(top: float, bottom: float) -> float:
    """A ratio, not defined unless its denominator is positive."""
    return top / bottom if bottom > 0.0 else NOT_DEFINED


@helper
def what_binds(run: Run, lab: Lab) -> int:
    """What keeps a lab's running compute below its target: power, money, chips, leases, or the pace of its plans."""
    firm = run.firms[lab.firm]
    dark = firm.fleet - firm.energised
    if lab.running >= REACHED * lab.aimed:
        return Bound.nothing
    if dark > DARK * max(firm.fleet, 1.0) and dark > FEW:
        return Bound.power
    if lab.paid_for < REACHED * lab.aimed:
        return Bound.money
    waiting = firm.moving
    if firm.buyer >= 0:
        for m in range(run.makers_used):
            waiting += run.buyers[firm.buyer].backlog[m]
    if waiting > (1.0 - REACHED) * lab.running:
        return Bound.chips
    return Bound.leases if lab.unmet_before > (1.0 - REACHED) * lab.running else Bound.adjustment


@helper
def write_firm(firm: Firm, out: AgentRow) -> None:
    """What every firm reports."""
    # The purse of those outside the model is not a balance sheet.
    out.cash_usd = firm.cash if firm.kind < Kind.outside else NOT_DEFINED
    out.debt_usd, out.arrears_usd = firm.debt, firm.arrears
    out.equity_raised_usd, out.revenue_usd, out.capex_usd = firm.raised, firm.revenue, firm.capex
    out.h100e_owned, out.h100e_energised = firm.fleet, firm.energised
    out.h100e_stranded, out.h100e_in_transit = firm.fleet - firm.energised, firm.moving
    out.facility_mw = firm.power_mw
    out.valuation_usd, out.runway_months = NOT_DEFINED, NOT_DEFINED
    out.compute_spend_usd, out.research_spend_usd, out.inference_spend_usd = 0.0, 0.0, 0.0
    out.h100e_leased, out.h100e_target = 0.0, NOT_DEFINED
    out.research_share, out.h100e_per_researcher, out.researchers = NOT_DEFINED, NOT_DEFINED, 0.0
    out.big_run_h100e, out.reserved_h100e, out.idle_h100e, out.moved_h100e = 0.0, 0.0, 0.0, 0.0
    out.shadow_price_usd, out.efficiency, out.capability = NOT_DEFINED, NOT_DEFINED, NOT_DEFINED
    out.order_inflation, out.bound_by = NOT_DEFINED, Bound.nothing


@helper
def write_lab(run: Run, lab: Lab, out: AgentRow) -> None:
    """What a lab reports beside."""
    firm = run.firms[lab.firm]
    share = lab.research / lab.running if lab.running > 0.0 else 0.0
    if lab.startup and lab.valuation > 0.0:
        out.valuation_usd = lab.valuation
    out.runway_months = ratio(firm.cash, lab.burn)
    out.compute_spend_usd = lab.compute_spend
    out.research_spend_usd = lab.compute_spend * share
    out.inference_spend_usd = lab.compute_spend * (1.0 - share) if lab.running > 0.0 else 0.0
    out.h100e_leased = lab.leased
    out.h100e_energised = lab.running
    out.h100e_target = lab.aimed
    out.researchers = lab.researchers
    out.research_share = ratio(lab.research, lab.running)
    out.h100e_per_researcher = ratio(lab.research, lab.researchers)
    out.big_run_h100e, out.reserved_h100e = lab.big_run, lab.reserved
    out.idle_h100e, out.moved_h100e = lab.idle, lab.moved
    out.shadow_price_usd = lab.shadow
    out.efficiency, out.capability = lab.efficiency, lab.capability
    out.bound_by = what_binds(run, lab)


@helper
def write_agents(run: Run) -> None:
    """Rows of all firms; those not founded yet report nothing but zeros."""
    for f in range(run.firms_used):
        firm = run.firms[f]
        write_firm(firm, run.agent_rows[f])
        if not math.isfinite(firm.cash + firm.fleet + firm.energised + firm.revenue):
            note(run, Fault.not_finite, f)
    for b in range(run.buyers_used):
        buyer = run.buyers[b]
        run.agent_rows[buyer.firm].order_inflation = buyer.inflation
        run.agent_rows[buyer.firm].arrears_usd += buyer.unpaid
    for i in range(run.labs_used):
        lab = run.labs[i]
        if run.month >= run.firms[lab.firm].founded:
            write_lab(run, lab, run.agent_rows[lab.firm])
        if not math.isfinite(
            lab.running
            + lab.demand
            + lab.efficiency
            + lab.capability
            + lab.valuation
            + lab.burn
            + lab.compute_spend
        ):
            note(run, Fault.not_finite, lab.firm)
    for k in range(run.clouds_used):
        cloud = run.clouds[k]
        run.agent_rows[cloud.firm].idle_h100e = max(
            0.0, run.firms[cloud.firm].energised - cloud.contracted - cloud.own_held - cloud.spot
        )
        run.agent_rows[cloud.firm].h100e_leased = -cloud.contracted


@helper
def busy_share(run: Run, site: Site) -> float:
    """Share of a site's running GPUs in use, as its owner uses them."""
    owner = run.firms[site.owner]
    if owner.kind == Kind.lab:
        lab = run.labs[owner.place]
        return 1.0 - (lab.idle + lab.reserved) / lab.running if lab.running > 0.0 else 0.0
    if owner.kind == Kind.cloud and owner.energised > 0.0:
        cloud = run.clouds[owner.place]
        return min(1.0, (cloud.contracted + cloud.own_held + cloud.spot) / owner.energised)
    return 1.0


@helper
def write_sites(run: Run) -> None:
    """Rows of all sites."""
    for s in range(run.sites_used):
        site = run.sites[s]
        out = run.site_rows[s]
        running = 0.0
        for c in range(CHIPS):
            running += site.running[c]
        site.busy = busy_share(run, site)
        out.gpus_delivered, out.gpus_energised, out.gpus_busy = site.delivered, running, running * site.busy
        out.h100e_energised, out.h100e_stranded = site.energised, site.stranded
        out.shell_mw, out.grid_mw, out.onsite_mw = site.shell_mw, site.grid_mw, site.gas_mw
        out.requested_mw, out.approved_mw, out.facility_mw = (
            site.requested_mw,
            site.approved_mw,
            site.facility_mw,
        )
        out.binding_limit, out.shadow_h100e_per_mw = site.binding, site.shadow
        if not math.isfinite(site.facility_mw + site.energised + site.grid_mw + site.shell_mw):
            note(run, Fault.not_finite, run.firms_used + s)


@helper
def fill_market(
    out: MarketRow, price: float, orders: float, need: float, shipped: float, backlog: float
) -> None:
    """What every market item reports; ratios with nothing below the line are not defined."""
    out.price_usd, out.orders, out.need, out.shipped, out.backlog = price, orders, need, shipped, backlog
    out.fill_rate = min(1.0, shipped / need) if need > 0.0 else NOT_DEFINED
    out.book_to_bill = ratio(orders, shipped)
    out.lead_time_months = NOT_DEFINED


@helper
def write_chips(run: Run) -> None:
    """Rows of the GPU market, one a chip."""
    for c in range(CHIPS):
        out = run.market_rows[c]
        fill_market(out, NOT_DEFINED, 0.0, 0.0, 0.0, 0.0)
    for m in range(run.makers_used):
        maker = run.makers[m]
        for g in range(CHIPS):
            c = maker.generations[g]
            if c < 0:
                break
            chip = run.chips[c]
            per = maker.mix[c] / chip.h100e
            price = maker.price[c] if run.month >= chip.launch else NOT_DEFINED
            fill_market(
                run.market_rows[c],
                price,
                maker.orders * per,
                maker.need * per,
                maker.shipped[c],
                maker.backlog * per,
            )
            if maker.mix[c] > 0.0:
                run.market_rows[c].lead_time_months = maker.lead
        if not math.isfinite(maker.lead + maker.backlog + mix_price(maker, run)):
            note(run, Fault.not_finite, maker.firm)


@helper
def write_others(run: Run) -> None:
    """Rows of leases, utilities and capital: one lease item, one a utility, one for equity."""
    at = CHIPS
    backlog = 0.0
    for i in range(run.labs_used):
        backlog += run.labs[i].unmet_lease
    fill_market(run.market_rows[at], run.rent, run.lease_need, run.lease_need, run.leases_signed, backlog)
    at += 1
    for u in range(run.utilities_used):
        utility = run.utilities[u]
        out = run.market_rows[at]
        queue = 0.0
        for s in range(run.sites_used):
            if run.sites[s].utility == u:
                queue += pending(run.sites[s], Asked.grid)
        fill_market(out, utility.terms.tariff, utility.asked, utility.asked, utility.connected, queue)
        out.lead_time_months = utility.terms.study * slowdown(utility, run) + utility.terms.construction
        at += 1
    open_rounds = 0.0
    for i in range(run.labs_used):
        if run.labs[i].closes >= 0:
            open_rounds += run.labs[i].asked
    asked, closed = run.asked_capital, run.closed_capital
    multiple = ratio(run.closed_value, run.closed_revenue)
    fill_market(run.market_rows[at], multiple, asked, asked, closed, open_rounds)


@rule
def look_round(run: Run) -> None:
    """What everybody can see at the month's end: the frontier, the largest run."""
    run.frontier, run.frontier_capability, run.leader_run = 0.0, 0.0, 0.0
    for i in range(run.labs_used):
        lab = run.labs[i]
        if run.month >= run.firms[lab.firm].founded and not run.firms[lab.firm].defaulted:
            run.frontier = max(run.frontier, lab.efficiency)
            run.frontier_capability = max(run.frontier_capability, lab.capability)
            run.leader_run = max(run.leader_run, lab.big_run)


@helper
def check_markets(run: Run) -> None:
    """Prices, rents and the market's potential must be finite; their address comes after all firms and sites."""
    if not math.isfinite(run.rent + run.price + run.potential + run.it_tariff + run.wafers):
        note(run, Fault.not_finite, run.firms_used + run.sites_used)


@rule
def close_month(run: Run) -> None:
    """Writes the month's rows."""
    check_markets(run)
    write_agents(run)
    write_sites(run)
    write_chips(run)
    write_others(run)


@rule
def reset_month(run: Run) -> None:
    """Flows that are summed over the month start at zero."""
    for i in range(run.labs_used):
        run.labs[i].compute_spend, run.labs[i].rent_bill, run.labs[i].lost_lease = 0.0, 0.0, 0.0
