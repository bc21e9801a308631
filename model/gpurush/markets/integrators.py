"""Integrators: chips become racks in order of shipment, liquid-cooled lines apart from the others."""

from ..engine import helper
from ..ledger import pay
from ..names import Deal
from ..numbers import clip, whole_units
from ..state import CHIPS, TRANSIT, Buyer, Run


@helper
def is_liquid(run: Run, buyer: Buyer, chip: int) -> bool:
    """Whether a rack is liquid-cooled: by the chip, or by the buyer's building."""
    return buyer.liquid or run.chips[chip].liquid > 0.5


@helper
def build_racks(run: Run, liquid: bool, carried: bool, racks_left: float) -> float:
    """Builds liquid or air-cooled racks, those carried over or those new this month; returns racks still free.

    So the queue runs in order of shipment, and within a month pro rata.
    """
    racks = 0.0
    for b in range(run.buyers_used):
        buyer = run.buyers[b]
        if buyer.own_builder:
            continue
        for c in range(CHIPS):
            waiting = buyer.at_integrator[c] if carried else buyer.new_at_integrator[c]
            if waiting > 0.0 and is_liquid(run, buyer, c) == liquid:
                racks += waiting / run.chip_rack[c]
    if racks <= 0.0:
        return racks_left
    part = min(1.0, racks_left / racks)
    used = 0.0
    lag = int(clip(run.gpu.transit, 1.0, TRANSIT - 1.0)) - 1
    for b in range(run.buyers_used):
        buyer = run.buyers[b]
        if buyer.own_builder:
            continue
        for c in range(CHIPS):
            waiting = buyer.at_integrator[c] if carried else buyer.new_at_integrator[c]
            if waiting <= 0.0 or is_liquid(run, buyer, c) != liquid:
                continue
            gpus = whole_units(waiting * part, run.chips[c].unit)
            buyer.transit[c][lag] += gpus
            used += gpus / run.chip_rack[c]
            if carried:
                buyer.at_integrator[c] -= gpus
            else:
                buyer.at_integrator[c] += waiting - gpus
                buyer.new_at_integrator[c] = 0.0
            pay_integrators(run, buyer, gpus / run.chip_rack[c])
    return racks_left - used


@helper
def pay_integrators(run: Run, buyer: Buyer, racks: float) -> None:
    """Integrators share the racks in proportion to their shares and earn a fee for each."""
    shares = 0.0
    for i in range(run.integrators_used):
        shares += run.integrators[i].terms.share
    for i in range(run.integrators_used):
        integrator = run.integrators[i]
        mine = racks * integrator.terms.share / max(shares, 1e-9)
        paid = pay(run, Deal.integration, buyer.firm, integrator.firm, integrator.terms.fee * mine, mine)
        run.firms[buyer.firm].capex += paid
        run.firms[integrator.firm].revenue += paid


@helper
def integrate(run: Run) -> None:
    """All racks of the month: liquid-cooled lines apart from the others."""
    racks = 0.0
    liquid = 0.0
    for i in range(run.integrators_used):
        integrator = run.integrators[i]
        racks += integrator.racks - integrator.liquid
        liquid += integrator.liquid
        integrator.racks *= 1.0 + integrator.terms.growth
        integrator.liquid *= 1.0 + integrator.terms.growth
    racks = build_racks(run, False, True, racks)
    build_racks(run, False, False, racks)
    liquid = build_racks(run, True, True, liquid)
    build_racks(run, True, False, liquid)
