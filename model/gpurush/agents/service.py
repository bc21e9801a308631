"""Phase 5: demand for the labs' services, what is served, what leaks to rivals, what comes in from owners.

The market's potential grows with the frontier's capability; a lab's demand diffuses towards its share, by logit of
capability and brand. Served up to what products hold; half of what is not served goes to rivals with room.
"""

import math

from ..engine import helper, rule
from ..ledger import pay
from ..names import Deal
from ..numbers import clip, power
from ..state import Lab, Run, Sector
from ..units import HOURS_PER_MONTH


@helper
def service_price(run: Run) -> float:
    """Price of serving with one H100e for a month, USD."""
    return run.demand.price_over_rent * run.rent * HOURS_PER_MONTH


@helper
def in_business(run: Run, lab: Lab) -> bool:
    """Whether a lab offers a service."""
    firm = run.firms[lab.firm]
    return run.month >= firm.founded and not firm.defaulted


@helper
def choose(run: Run) -> None:
    """Customers' choice weights, by logit; scaled by the best so that no exponent can overflow."""
    best = -1e18
    for i in range(run.labs_used):
        lab = run.labs[i]
        if in_business(run, lab):
            lab.utility = run.demand.choice_intensity * lab.capability + lab.terms.brand
            best = max(best, lab.utility)
    total = 0.0
    for i in range(run.labs_used):
        lab = run.labs[i]
        lab.utility = math.exp(clip(lab.utility - best, -60.0, 0.0)) if in_business(run, lab) else 0.0
        total += lab.utility
    for i in range(run.labs_used):
        run.labs[i].utility /= max(total, 1e-300)


@rule
def sell(run: Run) -> None:
    """Demand grows, is served, leaks; users pay."""
    terms = run.demand
    choose(run)
    price = service_price(run)
    all_demand = 0.0
    for i in range(run.labs_used):
        if in_business(run, run.labs[i]):
            all_demand += run.labs[i].demand
    exponent = terms.capability_elasticity * (run.frontier_capability - terms.reference_capability)
    dearness = power(price / max(terms.price_reference, 1e-9), 1.0 + terms.price_elasticity)
    run.potential = terms.potential * math.exp(math.log(10.0) * clip(exponent, -20.0, 20.0)) * dearness
    leaked = 0.0
    room = 0.0
    for i in range(run.labs_used):
        lab = run.labs[i]
        if not in_business(run, lab):
            continue
        lab.demand_before = lab.demand
        gap = lab.utility * run.potential - lab.demand
        lab.demand += terms.diffusion * lab.demand * (1.0 - all_demand / max(run.potential, 1.0))
        lab.demand = max(0.0, lab.demand + terms.arrival * max(0.0, gap))
        growth = lab.demand / lab.demand_before - 1.0 if lab.demand_before > 1.0 else 0.0
        lab.growth += run.planning.demand_learning * (
            clip(growth, run.planning.growth_seen_low, run.planning.growth_seen_high) - lab.growth
        )
        lab.served = min(lab.demand / price, lab.serving)
        lab.unserved = lab.demand - lab.served * price
        leaked += terms.leakage * lab.unserved
        room += lab.serving - lab.served
    taken = min(leaked, room * price)
    for i in range(run.labs_used):
        lab = run.labs[i]
        if not in_business(run, lab):
            continue
        gained = taken * (lab.serving - lab.served) / room if room > 0.0 else 0.0
        lost = taken * terms.leakage * lab.unserved / leaked if leaked > 0.0 else 0.0
        lab.demand = max(0.0, lab.demand + terms.arrival * (gained - lost))
        revenue = lab.served * price + gained
        lab.served += gained / price
        paid = pay(run, Deal.service, run.sectors + Sector.households, lab.firm, revenue, lab.served)
        run.firms[lab.firm].revenue += paid
        lab.revenue_year += run.planning.revenue_smoothing * (12.0 * paid - lab.revenue_year)


@rule
def receive_inflows(run: Run) -> None:
    """Owners set money aside for AI: corporate labs, clouds, sisters; outside buyers have the rest of the world's."""
    world = run.sectors + Sector.world
    for i in range(run.labs_used):
        lab = run.labs[i]
        if lab.terms.inflow > 0.0 and in_business(run, lab):
            money = lab.terms.inflow * math.exp(lab.terms.inflow_growth * run.month)
            pay(run, Deal.inflow, world, lab.firm, money, 0.0)
    for k in range(run.clouds_used):
        cloud = run.clouds[k]
        money = cloud.terms.inflow * math.exp(cloud.terms.inflow_growth * run.month)
        pay(run, Deal.inflow, world, cloud.firm, money, 0.0)
    for n in range(run.sisters_used):
        sister = run.sisters[n]
        money = sister.terms.inflow * math.exp(sister.terms.inflow_growth * run.month)
        pay(run, Deal.inflow, world, sister.firm, money, 0.0)
