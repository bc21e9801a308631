"""Chipmakers: what they start, what packaging lets them finish, the mix of generations, quoted lead time and price."""

from ..engine import helper
from ..ledger import move, pay
from ..names import Deal
from ..numbers import clip, whole_units
from ..state import CHIPS, FOUNDRY_GPUS, PIPELINE, SERIES, Maker, Run, Sector


@helper
def price_mix(maker: Maker, run: Run) -> None:
    """States anew what a H100e costs in the chips that a maker now makes."""
    total = 0.0
    for c in range(CHIPS):
        total += maker.mix[c] * maker.price[c] / max(run.chips[c].h100e, 1e-9)
    maker.mix_price = total


@helper
def mix_kw(maker: Maker, run: Run) -> float:
    """IT power of a H100e in the chips that a maker now makes, kW."""
    kw = 0.0
    for c in range(CHIPS):
        kw += maker.mix[c] * run.chips[c].it_kw / run.chips[c].h100e
    return kw


@helper
def mix_price(maker: Maker, run: Run) -> float:
    """Price of a H100e in the chips that a maker now makes, networking included, USD."""
    return maker.mix_price * run.gpu.network_share


@helper
def output_mix(maker: Maker, run: Run) -> None:
    """Shares of a maker's chips in its output, H100e: each generation ramps up and crowds out the one before."""
    total = 0.0
    for g in range(CHIPS):
        c = maker.generations[g]
        if c < 0:
            break
        chip = run.chips[c]
        share = clip((run.month - chip.launch + 1.0) / max(chip.ramp, 1.0), 0.0, 1.0)
        after = maker.generations[g + 1] if g + 1 < CHIPS else -1
        if after >= 0:
            later = run.chips[after]
            share *= 1.0 - clip((run.month - later.launch + 1.0) / max(later.ramp, 1.0), 0.0, 1.0)
        maker.mix[c] = share
        total += share
    for c in range(CHIPS):
        maker.mix[c] = maker.mix[c] / total if total > 0.0 else 0.0
    price_mix(maker, run)


@helper
def packaging(maker: Maker, run: Run) -> float:
    """Most that packaging lets a maker finish in a month, H100e."""
    wafers_per_h100e = 0.0
    for c in range(CHIPS):
        if maker.mix[c] > 0.0:
            wafers_per_h100e += maker.mix[c] / (run.chips[c].per_wafer * run.chips[c].h100e)
    return run.wafers * maker.terms.wafer_share / wafers_per_h100e if wafers_per_h100e > 0.0 else 0.0


@helper
def finish(maker: Maker, run: Run) -> None:
    """Wafers started months ago are packaged, as far as packaging goes, and become whole units of stock."""
    most = packaging(maker, run)
    maker.output = min(maker.pipeline[0], most)
    late = maker.pipeline[0] - maker.output
    for m in range(PIPELINE - 1):
        maker.pipeline[m] = maker.pipeline[m + 1]
    maker.pipeline[PIPELINE - 1] = 0.0
    maker.pipeline[0] += late
    cost = 0.0
    made = 0.0
    for c in range(CHIPS):
        if maker.mix[c] > 0.0:
            chip = run.chips[c]
            total = maker.carry[c] + maker.output * maker.mix[c] / chip.h100e
            gpus = whole_units(total, chip.unit)
            maker.carry[c] = total - gpus
            move(run, Deal.make, FOUNDRY_GPUS, maker.firm, c, gpus)
            cost += gpus * chip.price * maker.terms.unit_cost
            made += gpus
    pay(run, Deal.foundry, maker.firm, run.sectors + Sector.foundry, cost, made)


@helper
def expand_packaging(run: Run) -> None:
    """Packaging capacity: imposed while the record is known, then additions ordered months before (time to build)."""
    known = run.wafers_known[run.month] if run.month < SERIES else 0.0
    arriving = run.additions[0]
    for m in range(PIPELINE - 1):
        run.additions[m] = run.additions[m + 1]
    run.additions[PIPELINE - 1] = 0.0
    run.wafers = known if known > 0.0 else run.wafers + arriving
    maker = run.makers[0]
    backlog = maker.backlog / max(maker.shipped_h100e, 1.0)
    terms = run.foundry
    growth = terms.expansion_base + terms.expansion_slope * (backlog - terms.expansion_normal)
    lead = int(clip(terms.expansion_lead, 1.0, float(PIPELINE)))
    run.additions[lead - 1] = run.wafers * clip(growth, terms.expansion_low, terms.expansion_high)


@helper
def first_starts(maker: Maker, run: Run) -> float:
    """Starts of a maker that has not shipped yet, from the date that lets its first chip out on time, H100e."""
    first = maker.generations[0]
    if first < 0 or maker.shipped_h100e > 0.0 or run.month > run.chips[first].launch + 1.0:
        return 0.0
    return maker.terms.output if run.month + run.foundry.start_lead >= run.chips[first].launch else 0.0


@helper
def start_wafers(maker: Maker, run: Run) -> None:
    """Starts follow smoothed orders and the backlog, within bounds on last month's starts and on packaging."""
    terms = maker.terms
    maker.expected += terms.order_smoothing * (maker.orders - maker.expected)
    excess = maker.backlog - terms.backlog_target * maker.shipped_h100e
    wanted = maker.expected + terms.backlog_response * excess
    low, high = terms.start_growth_low * maker.started, terms.start_growth_high * maker.started
    started = min(clip(wanted, low, high), terms.start_growth_high * packaging(maker, run))
    maker.started = max(started, first_starts(maker, run))
    lead = int(clip(run.foundry.start_lead, 1.0, PIPELINE - 1.0))
    maker.pipeline[lead - 1] += maker.started


@helper
def quote(maker: Maker, run: Run) -> None:
    """Quoted lead time: backlog over the next three months' planned output, half-smoothed; then the posted prices."""
    planned = (maker.pipeline[0] + maker.pipeline[1] + maker.pipeline[2]) / 3.0
    planned = max(min(planned, packaging(maker, run)), 1.0)
    reading = clip(maker.backlog / planned, 0.0, run.gpu.lead_longest)
    maker.lead += run.gpu.lead_smoothing * (reading - maker.lead)
    gpu = run.gpu
    pull = gpu.price_sensitivity * clip(maker.lead / gpu.lead_normal - 1.0, -1.0, gpu.lead_excess_most)
    cut = gpu.price_cut if maker.lead < gpu.lead_short else 0.0
    for c in range(CHIPS):
        if maker.price[c] > 0.0 and run.month >= run.chips[c].launch:
            old = run.month >= run.chips[c].launch + 12.0
            decline = gpu.price_decline_old if old else gpu.price_decline
            floor = run.chips[c].price * maker.terms.unit_cost / (1.0 - gpu.margin_floor)
            maker.price[c] = max(min(floor, maker.price[c]), maker.price[c] * (1.0 + pull - decline - cut))
    price_mix(maker, run)
