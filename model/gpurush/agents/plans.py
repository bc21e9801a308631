"""Phase 7: expectations and targets of labs, clouds, sisters and outside buyers. Adaptive, never perfect foresight.

A lab's target comes from its strategy and is cut to what it can pay for; leases are planned a month or two
ahead, purchases for the quoted lead time. What the lease market did not give goes to purchase in the same month.
"""

import math

from ..engine import helper, rule
from ..markets.gpus import outside_target
from ..markets.leasing import energy_cost, outside_demand, owning_cost
from ..markets.power import months_to_grid
from ..markets.production import mix_kw, mix_price
from ..markets.transfers import expected_slots, taken_kw
from ..names import Strategy
from ..numbers import clip, compound
from ..state import CHIPS, CLOUDS, SITE_ACCOUNT, Cloud, Lab, Run, Sister
from ..units import HOURS_PER_MONTH, KW_PER_MW
from .research import hiring
from .service import service_price


@helper
def expected_demand(lab: Lab, run: Run, ahead: float) -> float:
    """Demand expected some months ahead, USD a month."""
    growth = clip(lab.growth, run.planning.growth_low, run.planning.growth_high)
    return lab.demand * math.exp(growth * min(ahead, run.planning.growth_horizon))


@helper
def expected_income(lab: Lab, run: Run) -> float:
    """Income that plans rest on, USD a month: demand at the horizon, but no more than today's compute can serve."""
    most = min(1.0 - lab.share, lab.terms.applied_cap) * lab.running * service_price(run)
    return min(expected_demand(lab, run, run.planning.demand_horizon), most)


@helper
def people_ahead(lab: Lab, run: Run, ahead: float) -> float:
    """Researchers expected some months ahead."""
    return lab.researchers * math.exp(math.log(1.0 + hiring(lab, run)) * ahead)


@helper
def frontier_pace(lab: Lab, run: Run, ahead: float) -> float:
    """Growth factor of the frontier strategy from now to some months ahead."""
    early = clip(run.planning.early_months - run.month, 0.0, ahead)
    return compound(lab.terms.compute_growth, early) * compound(lab.terms.compute_growth_late, ahead - early)


@helper
def strategic(lab: Lab, run: Run, ahead: float) -> float:
    """Compute that a lab's strategy aims at some months ahead, H100e."""
    served = expected_demand(lab, run, ahead) / max(service_price(run), 1.0)
    if lab.strategy == Strategy.frontier:
        return lab.running * frontier_pace(lab, run, ahead)
    if lab.strategy == Strategy.compute_per_researcher:
        per_head = lab.terms.h100e_per_researcher * compound(
            lab.terms.h100e_per_researcher_growth, run.month + ahead
        )
        return per_head * people_ahead(lab, run, ahead) + served
    if lab.strategy == Strategy.demand_led:
        return served / max(lab.terms.applied_cap, 1e-3)
    return max(lab.running * frontier_pace(lab, run, ahead), max(lab.terms.h100e_target, run.leader_run))


@helper
def made_most(run: Run) -> int:
    """The chip that the first maker now makes most of, in H100e."""
    maker = run.makers[0]
    chip = maker.generations[0]
    for g in range(CHIPS):
        c = maker.generations[g]
        if c >= 0 and maker.mix[c] > maker.mix[chip]:
            chip = c
    return chip


@helper
def gross(lab: Lab) -> float:
    """Chips to buy for one that works in the lab: its owner's other business uses a part of what it owns."""
    return 1.0 / max(1.0 - lab.terms.other_use, 1e-3)


@helper
def unit_cost(run: Run, own: bool) -> float:
    """Monthly cost of one H100e, USD: rent, or price with plant over two years, power and running."""
    if not own:
        return run.rent * HOURS_PER_MONTH
    chip = run.chips[made_most(run)]
    energy = energy_cost(run, made_most(run)) / chip.h100e
    return run.lease.owning_markup * run.price / run.planning.payback + energy + run.demand.running


@helper
def affordable(lab: Lab, run: Run, own: bool) -> float:
    """Compute that a lab can pay for: expected income, part of its cash, part of the equity that it can raise.

    What it leases costs what its contracts say, which may be far from today's rent; only the rest has today's cost.
    """
    firm = run.firms[lab.firm]
    fixed = lab.terms.fixed_cost + lab.researchers * run.demand.pay * run.demand.payroll_over_researchers
    inflow = lab.terms.inflow * math.exp(lab.terms.inflow_growth * run.month)
    money = expected_income(lab, run) + inflow - fixed
    money += (firm.cash - run.planning.fixed_kept * fixed) / run.planning.cash_months
    if lab.startup:
        money += run.planning.equity_share * lab.valuation / run.planning.cash_months
    left = money - lab.rent_bill
    cost = unit_cost(run, own) * (gross(lab) if own else 1.0)
    return max(0.0, lab.leased + left / cost)


@helper
def site_of_firm(run: Run, firm: int) -> int:
    """A firm's main site, -1 if it has none it can use."""
    best = -1
    for s in range(run.sites_used):
        site = run.sites[s]
        usable = site.retrofit < 0 or run.month >= site.retrofit
        if site.owner == firm and usable and (best < 0 or site.shell_mw > run.sites[best].shell_mw):
            best = s
    return best


@helper
def powered_fleet(run: Run, firm: int, ahead: float) -> float:
    """Compute that a firm can hope to power some months ahead, H100e: what it has, and free slots in chips made now."""
    chip = made_most(run)
    slots = 0.0
    for s in range(run.sites_used):
        if run.sites[s].owner == firm:
            slots += expected_slots(run, run.sites[s], chip, taken_kw(run, run.sites[s]), ahead)
    return run.firms[firm].fleet + max(0.0, slots) * run.chips[chip].h100e


@helper
def cheaper_to_own(lab: Lab, run: Run, site: int) -> bool:
    """Compares cost per hour of owning, with the months to power, to the posted rent."""
    chip = made_most(run)
    own = owning_cost(run, chip, run.makers[0].price[chip])
    wait = months_to_grid(run.sites[site], run) if run.sites[site].stranded > 0.0 else 0.0
    return (
        own * (1.0 + run.planning.waiting * wait / run.planning.payback) < run.chips[chip].rent
        or lab.clouds[0] < 0
    )


@helper
def grown(running: float, months: float, rate: float, least: float) -> float:
    """Most that a firm plans to have some months ahead, from what it runs now."""
    return running * math.exp(math.log(1.0 + rate) * months) + least * months


@rule
def plan(lab: Lab, run: Run) -> None:
    """A lab's targets: leases wanted, owned stock wanted, megawatts wanted."""
    firm = run.firms[lab.firm]
    lab.unmet_before = lab.unmet_lease
    lab.wants_leased, lab.unmet_lease, lab.prefers_own = 0.0, 0.0, False
    lab.aimed, lab.paid_for = lab.target, lab.affordable
    lab.indivisible = 0.0
    if run.month < firm.founded or firm.defaulted:
        lab.target = 0.0
        return
    site = site_of_firm(run, lab.firm)
    lab.prefers_own = site >= 0 and cheaper_to_own(lab, run, site)
    lab.target = max(strategic(lab, run, run.planning.lease_horizon), run.planning.least_kept * lab.running)
    lab.affordable = affordable(lab, run, lab.prefers_own)
    floor = run.planning.least_kept * lab.running
    lease = run.lease
    if lab.clouds[0] >= 0:
        most = grown(lab.running, run.planning.lease_horizon, lease.growth_cap, lease.growth_least)
        wanted = max(floor, min(lab.target, lab.affordable, most))
        now = firm.energised * (1.0 - lab.terms.other_use)
        lab.wants_leased = max(0.0, wanted - now)
        if lab.prefers_own:
            lab.wants_leased = min(lab.wants_leased, lab.leased)
    lead = min(run.makers[0].lead, run.gpu.horizon)
    ahead = max(floor, min(strategic(lab, run, lead + run.gpu.transit), lab.affordable))
    lab.target_ahead = min(
        ahead,
        grown(lab.running, lead + run.gpu.transit, run.gpu.buyer_growth_cap, run.gpu.buyer_growth_least),
    )
    lab.target_far = max(
        lab.target_ahead,
        min(strategic(lab, run, run.planning.power_horizon), run.planning.power_stretch * lab.affordable),
    )
    if firm.buyer >= 0 and site >= 0:
        plan_purchase(lab, run, site, lead)


@helper
def plan_purchase(lab: Lab, run: Run, site: int, lead: float) -> None:
    """Owned stock wanted now and at the horizon, what it costs, and the megawatts that it needs."""
    buyer = run.buyers[run.firms[lab.firm].buyer]
    firm = run.firms[lab.firm]
    gpu = run.gpu
    kept = lab.leased
    if lab.clouds[0] >= 0:
        kept = min(lab.leased, lab.leased_next) + run.lease.expected_weight * lab.negotiated
    near = min(
        strategic(lab, run, run.gpu.transit),
        lab.affordable,
        grown(lab.running, run.gpu.transit, gpu.buyer_growth_cap, gpu.buyer_growth_least),
    )
    own_near, own_far = max(0.0, near - kept) * gross(lab), max(0.0, lab.target_ahead - kept) * gross(lab)
    if not lab.prefers_own:
        own_near, own_far = min(own_near, firm.fleet), min(own_far, firm.fleet)
    powered = powered_fleet(run, lab.firm, lead + run.gpu.transit + run.planning.power_slack)
    buyer.target_now = min(max(own_near, firm.fleet), powered)
    buyer.target_ahead = min(max(own_far, buyer.target_now), powered)
    if lab.strategy == Strategy.catch_up:
        missing = buyer.target_ahead - firm.fleet - firm.moving
        for m in range(run.makers_used):
            missing -= buyer.backlog[m]  # What is on order is committed money, and counted as such.
        lab.indivisible = max(0.0, missing) * mix_price(run.makers[0], run)
    later = max(buyer.target_ahead, (lab.target_far - kept) * gross(lab)) if lab.prefers_own else firm.fleet
    ask_for_mw(run, site, later, firm.fleet)


@helper
def ask_for_mw(run: Run, site: int, later: float, fleet: float) -> None:
    """Megawatts that a site needs for the compute planned there: what it holds, and the rest in chips made now."""
    place = run.sites[site]
    held_kw = 0.0
    for c in range(CHIPS):
        held_kw += run.gpus[SITE_ACCOUNT + site][c] * run.chips[c].it_kw
    new_kw = mix_kw(run.makers[0], run)
    factor = place.terms.it_kw_factor * place.terms.pue / KW_PER_MW
    place.wanted_mw = (held_kw + max(0.0, later - fleet) * new_kw) * factor


@rule
def pass_on(lab: Lab, run: Run) -> None:
    """Phase 9, after the lease market: what it did not give goes to purchase in the same month, where the lab can.

    That is unmet demand, and of what was negotiated and collapsed or came short this month the part that plans had
    counted on. Chips that serve its owner's other business are bought along.
    """
    missing = (lab.unmet_lease + run.lease.expected_weight * lab.lost_lease) * gross(lab)
    if run.firms[lab.firm].buyer >= 0 and missing > 0.0 and site_of_firm(run, lab.firm) >= 0:
        buyer = run.buyers[run.firms[lab.firm].buyer]
        buyer.target_now += missing
        buyer.target_ahead = max(buyer.target_ahead + missing, buyer.target_now)


@helper
def tenants_growth(run: Run, cloud: int, far: bool) -> float:
    """Leases that labs will want of a cloud beyond what it leases now, H100e, split by the order of their clouds.

    At the horizon of purchases, or in two years.
    """
    total = 0.0
    for i in range(run.labs_used):
        lab = run.labs[i]
        weights = 0.0
        mine = 0.0
        for rank in range(CLOUDS):
            if lab.clouds[rank] < 0:
                break
            weights += 1.0 / (rank + 1.0)
            if lab.clouds[rank] == cloud:
                mine = 1.0 / (rank + 1.0)
        if mine > 0.0 and not lab.prefers_own:
            aim = lab.target_far if far else lab.target_ahead
            total += mine / weights * max(0.0, aim - lab.running)
    return total


@rule
def plan_cloud(cloud: Cloud, run: Run) -> None:
    """A cloud's stock: own use, outside renters, contracts, and most of the leases wanted from it."""
    firm = run.firms[cloud.firm]
    buyer = run.buyers[firm.buyer]
    lead = min(run.makers[0].lead, run.gpu.horizon)
    cloud.own_wanted = own_path(cloud, run, float(run.month + 1))
    base = cloud.contracted + outside_demand(cloud, run)
    asked = cloud.terms.lease_response * cloud.asked
    buyer.target_now = max(
        base + asked + own_path(cloud, run, run.month + run.gpu.transit), run.planning.fleet_kept * firm.fleet
    )
    growth = cloud.terms.lease_response * tenants_growth(run, firm.place, False)
    buyer.target_ahead = max(
        base + max(asked, growth) + own_path(cloud, run, run.month + lead + run.gpu.transit), buyer.target_now
    )
    site = site_of_firm(run, cloud.firm)
    if site >= 0:
        leases_later = cloud.terms.lease_response * tenants_growth(run, firm.place, True)
        later = base + max(asked, leases_later) + own_path(cloud, run, run.month + run.planning.power_horizon)
        ask_for_mw(run, site, max(later, buyer.target_ahead), firm.fleet)
    powered = powered_fleet(run, cloud.firm, lead + run.gpu.transit + run.planning.power_slack)
    buyer.target_now = min(buyer.target_now, powered)
    buyer.target_ahead = min(buyer.target_ahead, powered)


@helper
def own_path(cloud: Cloud, run: Run, month: float) -> float:
    """Own use that a cloud expects in a month, H100e."""
    early = min(month, run.planning.early_months)
    growth = compound(cloud.terms.own_growth, early) * compound(cloud.terms.own_growth_late, month - early)
    return cloud.terms.own_use * growth


@rule
def plan_sister(sister: Sister, run: Run) -> None:
    """A sister's stock follows its own use; without a site of its own it orders nothing."""
    buyer = run.buyers[run.firms[sister.firm].buyer]
    firm = run.firms[sister.firm]
    growth = sister.terms.own_growth
    sister.wanted = sister.terms.own_use * compound(growth, float(run.month))
    buyer.target_now = sister.terms.own_use * compound(growth, run.month + run.gpu.transit)
    buyer.target_ahead = sister.terms.own_use * compound(
        growth, run.month + run.gpu.transit + min(run.makers[0].lead, run.gpu.horizon)
    )
    site = site_of_firm(run, sister.firm)
    if site >= 0:
        ask_for_mw(run, site, buyer.target_ahead, firm.fleet)
    else:
        buyer.target_now, buyer.target_ahead = 0.0, 0.0


@rule
def plan_outside(run: Run) -> None:
    """Outside buyers aim at the dated stock, with an elasticity to price; they never sell."""
    buyer = run.buyers[run.buyers_used - 1]
    lead = min(run.makers[0].lead, run.gpu.horizon)
    buyer.target_now = outside_target(run, run.month + int(run.gpu.transit))
    buyer.target_ahead = outside_target(run, run.month + int(run.gpu.transit + lead))
    site = site_of_firm(run, buyer.firm)
    ask_for_mw(run, site, buyer.target_ahead, run.firms[buyer.firm].fleet)
