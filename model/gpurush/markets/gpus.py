"""GPUs: orders, rationing, shipment, delivery to sites; the month of the GPU market.

Posted price with rationing (Cachon and Lariviere 1999): a shortage shows in the lead time before it shows in the price.
Buyers order what they are due, inflated by their expected fill (Lee, Padmanabhan and Whang 1997), and forward for the
quoted lead time; only what is due is inflated. Orders are in H100e: makers deliver them in the chips they then make.
"""

import math

from ..engine import helper, rule
from ..ledger import move, pay, uncommitted
from ..names import Deal, Rationing
from ..numbers import clip, power, whole_units
from ..state import CHIPS, ORDERING, SERIES, SITE_ACCOUNT, TRANSIT, Buyer, Run
from .integrators import integrate
from .power import site_limit_mw
from .production import expand_packaging, finish, mix_price, output_mix, quote, start_wafers

LEAST = 1e-9
"""Orders below so many H100e are rounding; a division by them could overflow."""


@rule
def deliver(run: Run) -> None:
    """Phase 2: chips on the way come a month nearer; those that arrive get a place at a site of their owner."""
    for b in range(run.buyers_used):
        buyer = run.buyers[b]
        site = site_for(run, buyer.firm)
        for c in range(CHIPS):
            if run.month < run.chips[c].launch:
                continue
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
            free = site_limit_mw(site) - site.facility_mw - 1e-3 * site.stranded
            if free > room:
                best, room = s, free
    return best


@helper
def order_share(buyer: Buyer, run: Run, m: int) -> float:
    """Share of a buyer's orders placed with a maker: the first gets what the second source does not."""
    second = 0.0
    if run.makers_used > 1:
        chip = run.makers[1].generations[0]
        second = (
            buyer.second_source
            if chip >= 0 and run.month >= run.chips[chip].launch - run.gpu.order_opening
            else 0.0
        )
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
def place_orders(buyer: Buyer, run: Run) -> None:
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
            order = min(gpu.order_speed * gap, uncommitted(run, firm) / max(price, 1.0))
            due = math.floor(gpu.advance * order * price + 0.5)
            advance = pay(run, Deal.advance, buyer.firm, maker.firm, due, order)
            order *= advance / due if due > 0.0 else 1.0  # What the advance does not cover is not ordered.
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
    if stock <= 0.0 or asked < LEAST:
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
    left = max(0.0, math.floor(rest + 0.5) - paid)
    if left > 0.0:
        buyer.owed[m] += left
        buyer.owed_gpus[m] += gpus * left / rest
        buyer.unpaid += left
    run.firms[buyer.firm].capex += paid
    run.firms[maker.firm].revenue += bill
    maker.shipped[c] += gpus
    maker.shipped_h100e += h100e
    if buyer.own_builder:
        buyer.transit[c][int(clip(run.gpu.transit, 1.0, TRANSIT - 1.0)) - 1] += gpus
    else:
        buyer.new_at_integrator[c] += gpus


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
        maker.orders, maker.cancelled, maker.need, maker.shipped_h100e = 0.0, 0.0, 0.0, 0.0
        for c in range(CHIPS):
            maker.shipped[c] = 0.0
        finish(maker, run)
    for b in range(run.buyers_used):
        buyer = run.buyers[b]
        buyer.received, buyer.unpaid = 0.0, 0.0
        for m in range(run.makers_used):
            buyer.sent[m] = 0.0
        firm = run.firms[buyer.firm]
        if not firm.defaulted and run.month >= firm.founded:
            place_orders(buyer, run)
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
