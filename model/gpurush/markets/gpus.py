"""GPUs: orders, starts, packaging, rationing, shipment through integrators, delivery, posted price.

Posted price with rationing (Cachon and Lariviere 1999): a shortage shows in the lead time before it shows in the price.
Buyers order what they are due, inflated by their expected fill (Lee, Padmanabhan and Whang 1997), and forward for the
quoted lead time; only what is due is inflated. Orders are in H100e: makers deliver them in the chips they then make.
"""

import math

from ..engine import helper, rule
from ..ledger import move, pay
from ..names import Deal, Rationing
from ..numbers import clip, power, whole_units
from ..state import (
    CHIPS,
    FOUNDRY_GPUS,
    ORDERING,
    PIPELINE,
    SERIES,
    SITE_ACCOUNT,
    TRANSIT,
    Buyer,
    Maker,
    Run,
    Sector,
)

GPUS_PER_RACK = 64.0


@helper
def mix_price(maker: Maker, run: Run) -> float:
    """Price of a H100e in the chips that a maker now makes, networking included, USD."""
    total = 0.0
    for c in range(CHIPS):
        total += maker.mix[c] * maker.price[c] / max(run.chips[c].h100e, 1e-9)
    return total * run.gpu.network_share


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


@helper
def packaging(maker: Maker, run: Run) -> float:
    """Most that packaging lets a maker finish in a month, H100e."""
    wafers_per_h100e = 0.0
    for c in range(CHIPS):
        if maker.mix[c] > 0.0:
            wafers_per_h100e += maker.mix[c] / (run.chips[c].per_wafer * run.chips[c].h100e)
    return run.wafers * maker.terms.wafer_share / wafers_per_h100e if wafers_per_h100e > 0.0 else 0.0


@rule
def deliver(run: Run) -> None:
    """Phase 2: chips on the way come a month nearer; those that arrive get a place at a site of their owner."""
    for b in range(run.buyers_used):
        buyer = run.buyers[b]
        site = site_for(run, buyer.firm)
        for c in range(CHIPS):
            arrived = buyer.transit[c][0]
            for m in range(TRANSIT - 1):
                buyer.transit[c][m] = buyer.transit[c][m + 1]
            buyer.transit[c][TRANSIT - 1] = 0.0
            if arrived > 0.0 and site >= 0:
                move(run, Deal.place, buyer.firm, SITE_ACCOUNT + site, c, arrived)
            elif arrived > 0.0:
                buyer.transit[c][0] += arrived


@helper
def site_for(run: Run, firm: int) -> int:
    """Where a firm places new chips: its site with the most power to spare; -1 if it has none."""
    best = -1
    room = -1e18
    for s in range(run.sites_used):
        site = run.sites[s]
        if site.owner == firm:
            free = min(site.shell_mw, site.grid_mw + site.gas_mw) - site.facility_mw - 1e-3 * site.stranded
            if free > room:
                best, room = s, free
    return best


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
def order_share(buyer: Buyer, run: Run, m: int) -> float:
    """Share of a buyer's orders placed with a maker: the first gets what the second source does not."""
    second = 0.0
    if run.makers_used > 1:
        chip = run.makers[1].generations[0]
        second = buyer.second_source if chip >= 0 and run.month >= run.chips[chip].launch - 3.0 else 0.0
    if m == 0:
        return 1.0 - second
    return second if m == 1 else 0.0


@helper
def cancel(run: Run, buyer: Buyer, m: int, cancelled: float) -> None:
    """Cancels part of a backlog; its advance is lost to the maker."""
    if buyer.backlog[m] <= 0.0:
        return
    lost = buyer.advance[m] * cancelled / buyer.backlog[m]
    buyer.advance[m] -= lost
    buyer.backlog[m] -= cancelled
    buyer.entitled[m] = min(buyer.entitled[m], buyer.backlog[m])
    run.makers[m].cancelled += cancelled
    run.firms[run.makers[m].firm].revenue += lost


@helper
def place_orders(buyer: Buyer, run: Run, lead: float) -> None:
    """A buyer's orders and cancellations: half-way up to the wanted backlog, some of any excess cancelled."""
    gpu = run.gpu
    firm = run.firms[buyer.firm]
    due, ahead = max(0.0, buyer.target_now), max(0.0, buyer.target_ahead)
    stock = firm.fleet + firm.moving
    buyer.due = max(0.0, due - stock)
    forward = max(0.0, ahead - stock - buyer.due)
    inflation = clip(1.0 / max(buyer.fill, 1e-3), 1.0, gpu.order_inflation_cap)
    buyer.inflation = 1.0 if run.rationing == Rationing.uniform else inflation
    wanted = buyer.inflation * buyer.due + forward
    buyer.orders = 0.0
    for m in range(run.makers_used):
        maker = run.makers[m]
        share = order_share(buyer, run, m)
        gap = wanted * share - buyer.backlog[m]
        price = mix_price(maker, run)
        if gap >= 0.0:
            free = firm.cash + firm.inflow * lead - firm.committed
            order = min(gpu.order_speed * gap, max(0.0, free) / max(price, 1.0))
            advance = pay(run, Deal.advance, buyer.firm, maker.firm, gpu.advance * order * price, order)
            order = advance / max(gpu.advance * price, 1e-9)
            buyer.backlog[m] += order
            buyer.advance[m] += advance
            firm.capex += advance
            firm.committed += order * price - advance
            buyer.orders += order
            maker.orders += order
        else:
            cancelled = min(-gpu.cancel_speed * gap, buyer.backlog[m])
            cancel(run, buyer, m, cancelled)
        maker.need += buyer.due * share


@helper
def level(run: Run, maker: int, stock: float) -> float:
    """Water-filling level of the uniform rule: the most that any buyer gets (Sprumont 1991; Bertsekas-Gallager)."""
    low = 0.0
    left = stock
    for _ in range(ORDERING):
        above = 0.0
        fixed = 0.0
        for b in range(run.buyers_used):
            asked = run.buyers[b].backlog[maker] - run.buyers[b].entitled[maker]
            if asked > low:
                above += 1.0
            else:
                fixed += max(asked, 0.0)
        if above == 0.0:
            return low
        raised = (left - fixed) / above
        if raised <= low + 1e-9:
            return low
        low = raised
    return low


@helper
def ration(run: Run, m: int) -> None:
    """Shares what a maker has over the backlog; a grant below a whole unit is kept for the next month."""
    maker = run.makers[m]
    stock = 0.0
    asked = 0.0
    for c in range(CHIPS):
        stock += run.gpus[maker.firm][c] * run.chips[c].h100e
    for b in range(run.buyers_used):
        stock -= run.buyers[b].entitled[m]
        asked += run.buyers[b].backlog[m] - run.buyers[b].entitled[m]
    if stock <= 0.0 or asked <= 0.0:
        return
    part = min(1.0, stock / asked)
    most = level(run, m, stock) if run.rationing == Rationing.uniform and part < 1.0 else 0.0
    for b in range(run.buyers_used):
        buyer = run.buyers[b]
        open_order = buyer.backlog[m] - buyer.entitled[m]
        if run.rationing == Rationing.uniform and part < 1.0:
            buyer.entitled[m] += min(open_order, most)
        else:
            buyer.entitled[m] += open_order * part


@helper
def ship(run: Run, m: int) -> None:
    """Ships whole units in the mix of the stock; title passes, the rest of the price falls due."""
    maker = run.makers[m]
    stock = 0.0
    for c in range(CHIPS):
        stock += run.gpus[maker.firm][c] * run.chips[c].h100e
    if stock <= 0.0:
        return
    for c in range(CHIPS):
        chip = run.chips[c]
        part = run.gpus[maker.firm][c] * chip.h100e / stock
        if part <= 0.0:
            continue
        for b in range(run.buyers_used):
            buyer = run.buyers[b]
            wanted = buyer.entitled[m] * part / chip.h100e
            gpus = whole_units(min(wanted, run.gpus[maker.firm][c]), chip.unit)
            if gpus > 0.0:
                hand_over(run, m, b, c, gpus)


@helper
def hand_over(run: Run, m: int, b: int, c: int, gpus: float) -> None:
    """One shipment: chips to the buyer's account, the advance used, the rest billed."""
    maker = run.makers[m]
    buyer = run.buyers[b]
    h100e = gpus * run.chips[c].h100e
    move(run, Deal.ship, maker.firm, buyer.firm, c, gpus)
    used = buyer.advance[m] * min(1.0, h100e / max(buyer.backlog[m], h100e))
    buyer.advance[m] -= used
    buyer.backlog[m] = max(0.0, buyer.backlog[m] - h100e)
    buyer.sent[m] += h100e
    buyer.received += h100e
    bill = gpus * maker.price[c] * run.gpu.network_share
    rest = max(0.0, bill - used)
    paid = pay(run, Deal.chips, buyer.firm, maker.firm, rest, gpus)
    buyer.owed[m] += max(0.0, math.floor(rest + 0.5) - paid)
    run.firms[buyer.firm].capex += paid
    run.firms[maker.firm].revenue += bill
    maker.shipped[c] += gpus
    maker.shipped_h100e += h100e
    if buyer.own_builder:
        buyer.transit[c][int(clip(run.gpu.transit, 1.0, TRANSIT - 1.0)) - 1] += gpus
    else:
        buyer.new_at_integrator[c] += gpus


@helper
def rack_size(run: Run, chip: int) -> float:
    """GPUs in a rack: eight nodes of eight, or one NVL72."""
    unit = run.chips[chip].unit
    return GPUS_PER_RACK if unit < GPUS_PER_RACK else unit


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
        for c in range(CHIPS):
            waiting = buyer.at_integrator[c] if carried else buyer.new_at_integrator[c]
            if waiting > 0.0 and is_liquid(run, buyer, c) == liquid:
                racks += waiting / rack_size(run, c)
    if racks <= 0.0:
        return racks_left
    part = min(1.0, racks_left / racks)
    used = 0.0
    lag = int(clip(run.gpu.transit, 1.0, TRANSIT - 1.0)) - 1
    for b in range(run.buyers_used):
        buyer = run.buyers[b]
        for c in range(CHIPS):
            waiting = buyer.at_integrator[c] if carried else buyer.new_at_integrator[c]
            if waiting <= 0.0 or is_liquid(run, buyer, c) != liquid:
                continue
            gpus = whole_units(waiting * part, run.chips[c].unit)
            buyer.transit[c][lag] += gpus
            used += gpus / rack_size(run, c)
            if carried:
                buyer.at_integrator[c] -= gpus
            else:
                buyer.at_integrator[c] += waiting - gpus
                buyer.new_at_integrator[c] = 0.0
            pay_integrators(run, buyer, gpus / rack_size(run, c))
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


@helper
def quote(maker: Maker, run: Run) -> None:
    """Quoted lead time: backlog over the next three months' planned output, half-smoothed; then the posted prices."""
    planned = (maker.pipeline[0] + maker.pipeline[1] + maker.pipeline[2]) / 3.0
    planned = max(min(planned, packaging(maker, run)), 1.0)
    reading = clip(maker.backlog / planned, 0.0, 36.0)
    maker.lead += run.gpu.lead_smoothing * (reading - maker.lead)
    gpu = run.gpu
    pull = gpu.price_sensitivity * clip(maker.lead / gpu.lead_normal - 1.0, -1.0, 0.6)
    cut = gpu.price_cut if maker.lead < gpu.lead_short else 0.0
    for c in range(CHIPS):
        if maker.price[c] > 0.0 and run.month >= run.chips[c].launch:
            old = run.month >= run.chips[c].launch + 12.0
            decline = gpu.price_decline_old if old else gpu.price_decline
            floor = run.chips[c].price * maker.terms.unit_cost / (1.0 - gpu.margin_floor)
            maker.price[c] = max(min(floor, maker.price[c]), maker.price[c] * (1.0 + pull - decline - cut))


@helper
def learn_fill(run: Run) -> None:
    """Expected fill follows received over due; what is committed is counted anew; the market's price and tightness."""
    for b in range(run.buyers_used):
        buyer = run.buyers[b]
        if buyer.due > 0.0:
            fill = min(1.0, buyer.received / buyer.due)
            buyer.fill += run.gpu.inflation_learning * (fill - buyer.fill)
        committed = 0.0
        for m in range(run.makers_used):
            committed += max(0.0, buyer.backlog[m] * mix_price(run.makers[m], run) - buyer.advance[m])
        run.firms[buyer.firm].committed = committed
    run.price = mix_price(run.makers[0], run) / run.gpu.network_share
    lease = run.lease
    tight = (run.makers[0].lead - lease.tight_from) / max(lease.tight_to - lease.tight_from, 1e-9)
    run.tightness = clip(tight, 0.0, 1.0)


@rule
def first_quotes(run: Run) -> None:
    """Opening of the market: mixes, prices, and the backlog that buyers bring along, in proportion to their fleets."""
    fleets = 0.0
    for b in range(run.buyers_used):
        fleets += opening_fleet(run, run.buyers[b].firm)
    for m in range(run.makers_used):
        maker = run.makers[m]
        output_mix(maker, run)
        for b in range(run.buyers_used):
            part = opening_fleet(run, run.buyers[b].firm) / fleets if fleets > 0.0 else 0.0
            run.buyers[b].backlog[m] = maker.terms.backlog * maker.shipped_h100e * part
        maker.backlog = maker.terms.backlog * maker.shipped_h100e
    learn_fill(run)


@helper
def opening_fleet(run: Run, firm: int) -> float:
    """H100e at a firm's sites, from the books."""
    total = 0.0
    for s in range(run.sites_used):
        if run.sites[s].owner == firm:
            for c in range(CHIPS):
                total += run.gpus[SITE_ACCOUNT + s][c] * run.chips[c].h100e
    return total


@rule
def trade_gpus(run: Run) -> None:
    """Phase 10: output, orders, rationing, shipment, racks, starts, packaging, quotes."""
    expand_packaging(run)
    for m in range(run.makers_used):
        maker = run.makers[m]
        output_mix(maker, run)
        maker.shipped_before = maker.shipped_h100e
        maker.orders, maker.cancelled, maker.need, maker.shipped_h100e = 0.0, 0.0, 0.0, 0.0
        for c in range(CHIPS):
            maker.shipped[c] = 0.0
        finish(maker, run)
    for b in range(run.buyers_used):
        buyer = run.buyers[b]
        buyer.received = 0.0
        for m in range(run.makers_used):
            buyer.sent[m] = 0.0
        firm = run.firms[buyer.firm]
        if not firm.defaulted and run.month >= firm.founded:
            place_orders(buyer, run, run.makers[0].lead)
        elif firm.defaulted:
            buyer.due, buyer.orders = 0.0, 0.0
            for m in range(run.makers_used):
                cancel(run, buyer, m, buyer.backlog[m])
    for m in range(run.makers_used):
        ration(run, m)
        ship(run, m)
        maker = run.makers[m]
        maker.backlog = 0.0
        for b in range(run.buyers_used):
            buyer = run.buyers[b]
            buyer.entitled[m] = max(0.0, buyer.entitled[m] - buyer.sent[m])
            maker.backlog += buyer.backlog[m]
        start_wafers(maker, run)
        quote(maker, run)
    integrate(run)
    learn_fill(run)


@helper
def outside_target(run: Run, month: int) -> float:
    """Stock that outside buyers aim at: dated path, times demand, with an elasticity to price."""
    at = min(max(month, 0), SERIES - 1)
    relative = run.price / run.price_start if run.price_start > 0.0 else 1.0
    return (
        run.outside_path[at] * run.outside.demand * power(max(relative, 1e-6), run.outside.price_elasticity)
    )
