"""Transfers: chips without power meet power without chips, inside a group of firms with one owner.

The value of one more chip to a firm is the discounted sum, over the next year, of the chance of a powered slot in that
month, as the firm's own queue lets it expect, times rent less cash cost. A chip moves when the receiver's value exceeds
the giver's by more than the friction. So transfers follow power, not price; the group's total is unchanged.
"""

import math

from ..engine import helper, rule
from ..ledger import move, pay
from ..names import Deal
from ..numbers import whole_units
from ..state import CHIPS, REQUESTS, SITE_ACCOUNT, TRANSIT, Asked, Run, Site, Stage
from ..units import HOURS_PER_MONTH, KW_PER_MW
from .power import expected_wait

HORIZON = 36


@helper
def slot_kw(run: Run, site: Site, chip: int) -> float:
    """Facility kW that one chip takes at a site."""
    return run.chips[chip].it_kw * site.terms.it_kw_factor * site.terms.pue


@helper
def taken_kw(run: Run, site: Site) -> float:
    """Facility kW that all chips at a site would draw."""
    kw = 0.0
    for c in range(CHIPS):
        kw += run.gpus[SITE_ACCOUNT + site.number][c] * slot_kw(run, site, c)
    return kw


@helper
def expected_slots(run: Run, site: Site, chip: int, taken: float, ahead: float) -> float:
    """Free powered slots for a chip at a site some months ahead, GPUs: as its queue lets its owner expect.

    ``taken`` is what the chips at the site would draw, facility kW.

    An owner counts a request from the month in which it expects it to serve: stages take their mean times, and what
    is late is expected within the month; a request that waits for headroom has no date.
    """
    grid = site.grid_mw + site.gas_mw
    shell = site.shell_mw
    for q in range(REQUESTS):
        request = site.requests[q]
        waits = request.left <= 0.0  # For headroom.
        if request.stage != Stage.empty and not waits and expected_wait(site, request, run) <= ahead:
            if request.asked == Asked.shell:
                shell += request.mw
            else:
                grid += request.mw
    coming = min(ahead, max(0.0, site.power.pipeline_months - 1.0 - run.month)) * site.power.pipeline_mw
    limit = min(shell, grid) + coming
    return (limit * KW_PER_MW - taken) / slot_kw(run, site, chip)


@helper
def arriving(run: Run, firm: int, chip: int, ahead: float) -> float:
    """Chips of a type that a firm has on the way and that come within some months, GPUs."""
    if run.firms[firm].buyer < 0:
        return 0.0
    buyer = run.buyers[run.firms[firm].buyer]
    total = buyer.at_integrator[chip] + buyer.new_at_integrator[chip]
    for m in range(int(min(ahead, TRANSIT - 1.0)) + 1):
        total += buyer.transit[chip][m]
    return total


@helper
def chip_value(run: Run, firm: int, chip: int, extra: float) -> float:
    """Value of one more chip to a firm that holds ``extra`` of them more, USD: lambda of a powered slot."""
    total = 0.0
    factor = 1.0
    net = (run.chips[chip].rent - run.transfer.cash_cost * run.chips[chip].h100e) * HOURS_PER_MONTH
    for s in range(run.sites_used):
        if run.sites[s].owner == firm:
            run.sites[s].taken_kw = taken_kw(run, run.sites[s])
    for ahead in range(int(min(run.transfer.horizon, float(HORIZON)))):
        slots = 0.0
        for s in range(run.sites_used):
            site = run.sites[s]
            if site.owner == firm:
                slots += expected_slots(run, site, chip, site.taken_kw, float(ahead))
        if slots - extra - arriving(run, firm, chip, float(ahead)) > 0.0:
            total += net * factor
        factor /= 1.0 + run.transfer.discount
    return total


@helper
def homeless(run: Run, site: Site, chip: int) -> float:
    """Chips of a type that are at a site and do not run, GPUs."""
    return run.gpus[SITE_ACCOUNT + site.number][chip] - site.running[chip]


@helper
def hand_on(run: Run, giver: Site, receiver: Site, chip: int, gpus: float) -> None:
    """Sells chips to the sister that has slots, at the posted price as far as its cash goes; title and place change."""
    price = 0.0
    for m in range(run.makers_used):
        price = max(price, run.makers[m].price[chip])
    gpus = min(gpus, math.floor(max(run.firms[receiver.owner].cash, 0.0) / max(price, 1.0)))
    gpus = whole_units(gpus, run.chips[chip].unit)
    if gpus <= 0.0:
        return
    paid = pay(run, Deal.transfer, receiver.owner, giver.owner, gpus * price, gpus)
    run.firms[receiver.owner].capex += paid
    run.firms[giver.owner].capex -= paid
    move(run, Deal.swap, SITE_ACCOUNT + giver.number, SITE_ACCOUNT + receiver.number, chip, gpus)


@helper
def worth_moving(run: Run, giver: Site, receiver: Site, chip: int) -> bool:
    """Whether a chip is worth more to the receiver than to the giver, by more than the friction."""
    gain = chip_value(run, receiver.owner, chip, 0.0) - chip_value(run, giver.owner, chip, -1.0)
    return gain > run.transfer.friction


@rule
def transfer_chips(run: Run) -> None:
    """Phase 11: within each group, chips that do not run move to a sister that expects slots for them."""
    for g in range(run.sites_used):
        giver = run.sites[g]
        owner = run.firms[giver.owner]
        if owner.owner < 0 or giver.stranded <= 0.0:
            continue
        for r in range(run.sites_used):
            receiver = run.sites[r]
            other = run.firms[receiver.owner]
            if (
                r == g
                or other.owner != owner.owner
                or receiver.owner == giver.owner
                or run.month < other.founded
            ):
                continue
            for c in range(CHIPS):
                spare = homeless(run, giver, c)
                if spare <= 0.0:
                    continue
                slots = expected_slots(run, receiver, c, taken_kw(run, receiver), 0.0) - arriving(
                    run, receiver.owner, c, 1.0
                )
                gpus = whole_units(min(spare, slots), run.chips[c].unit)
                if gpus > 0.0 and worth_moving(run, giver, receiver, c):
                    hand_on(run, giver, receiver, c, gpus)
