"""The market for leases: posted rents, delivery, renewals, new contracts in the order of each lab's clouds, renters.

Posted rents move towards owning cost with a margin that rises with tightness.
"""

import math

from ..engine import helper, rule
from ..ledger import pay
from ..names import Deal
from ..numbers import compound, power, whole_units
from ..state import CHIPS, CLOUDS, Cloud, Kind, Lab, Lease, Run, Sector
from ..units import HOURS_PER_MONTH, KW_PER_MW
from .contracts import add_up_leases, bill_of, end, expiry, grow, negotiate, renew_or_end, sign, trim


@helper
def energy_cost(run: Run, chip: int) -> float:
    """Energy of a running chip, USD a month, at the average tariff and overhead of all that runs."""
    return run.chips[chip].it_kw * HOURS_PER_MONTH * run.it_tariff / KW_PER_MW


@helper
def owning_cost(run: Run, chip: int, price: float) -> float:
    """Cost of owning and running a chip, USD per GPU-hour: capital over its months, power, running."""
    lease = run.lease
    capital = lease.owning_markup * price / max(lease.owning_months, 1.0)
    return (capital + energy_cost(run, chip) + run.demand.running * run.chips[chip].h100e) / HOURS_PER_MONTH


@rule
def post_rents(run: Run) -> None:
    """Posted rents move part of the way to owning cost with its margin; the reference rent follows what is made."""
    lease = run.lease
    reference = 0.0
    for m in range(run.makers_used):
        maker = run.makers[m]
        for c in range(CHIPS):
            if maker.price[c] <= 0.0:
                continue
            chip = run.chips[c]
            target = owning_cost(run, c, maker.price[c]) * (
                lease.margin + lease.tightness_margin * run.tightness
            )
            chip.rent = target if chip.rent <= 0.0 else chip.rent + lease.adjustment * (target - chip.rent)
            if m == 0:
                reference += maker.mix[c] * chip.rent / chip.h100e
    run.rent = reference


@rule
def deliver_leases(run: Run) -> None:
    """Phase 3: what runs at clouds' sites is delivered to tenants, then own use, then outside renters.

    Contracts are served in full when the chips run, else pro rata by chip and site.
    """
    for i in range(run.labs_used):
        run.labs[i].leased = 0.0
        for s in range(run.sites_used):
            run.labs[i].by_site[s] = 0.0
    for k in range(run.clouds_used):
        cloud = run.clouds[k]
        cloud.contracted = 0.0
        for c in range(CHIPS):
            cloud.leased_out[c], cloud.free[c] = 0.0, 0.0
    for s in range(run.sites_used):
        k = run.firms[run.sites[s].owner].place
        if run.firms[run.sites[s].owner].kind == Kind.cloud:
            for c in range(CHIPS):
                run.clouds[k].free[c] += run.sites[s].running[c]
    for j in range(run.contracts_used):
        contract = run.contracts[j]
        if contract.state == Lease.delivering and contract.end <= run.month:
            end(contract)
        if contract.state == Lease.delivering and contract.start <= run.month:
            run.clouds[contract.lessor].leased_out[contract.chip] += contract.gpus
    for k in range(run.clouds_used):
        cloud = run.clouds[k]
        for c in range(CHIPS):
            out = cloud.leased_out[c]
            cloud.honoured[c] = min(1.0, cloud.free[c] / out) if out > 0.0 else 0.0
    for j in range(run.contracts_used):
        contract = run.contracts[j]
        if contract.state != Lease.delivering or contract.start > run.month:
            continue
        cloud = run.clouds[contract.lessor]
        contract.delivered = contract.gpus * cloud.honoured[contract.chip]
        compute = contract.delivered * run.chips[contract.chip].h100e
        lab = run.labs[contract.lessee]
        lab.leased += compute
        lab.by_site[contract.site] += compute
        cloud.contracted += compute
    for k in range(run.clouds_used):
        use_rest(run.clouds[k], run)
    trim(run)
    add_up_leases(run)


@helper
def use_rest(cloud: Cloud, run: Run) -> None:
    """What no contract claims: own use shares what is new with tenants; outside renters fill up by the month."""
    free = 0.0
    for c in range(CHIPS):
        cloud.free[c] = max(0.0, cloud.free[c] - cloud.leased_out[c])
        free += cloud.free[c] * run.chips[c].h100e
    before = min(cloud.own_held, free) if run.month > 0 else free
    cloud.own_held = min(cloud.own_wanted, before + run.lease.own_use_first * (free - before))
    keep = 1.0 - cloud.own_held / free if free > 0.0 else 0.0
    for c in range(CHIPS):
        cloud.free[c] *= keep
    cloud.spot = min(free - cloud.own_held, outside_demand(cloud, run))


@helper
def outside_demand(cloud: Cloud, run: Run) -> float:
    """Compute that outside renters take of a cloud at today's rent, H100e: constant elasticity."""
    early = min(float(run.month), run.planning.early_months)
    growth = compound(cloud.terms.outside_rent_growth, early)
    growth *= compound(cloud.terms.outside_rent_growth_late, run.month - early)
    relative = max(run.rent, 1e-6) / max(run.rent_start, 1e-6)
    return cloud.terms.outside_rent * growth * power(relative, run.lease.outside_elasticity)


@helper
def pay_rent(run: Run, lab: Lab, k: int) -> None:
    """A lab pays what it owes to one cloud, as far as its cash goes; the rest is owed."""
    bill = lab.rent_due[k]
    lab.compute_spend += bill
    lab.rent_bill += bill
    due = math.floor(bill + 0.5) + lab.owed_rent[k]
    if due <= 0.0:
        return
    lessor = run.clouds[k].firm
    paid = pay(run, Deal.rent, lab.firm, lessor, due, lab.leased_from[k])
    lab.owed_rent[k] = max(0.0, due - paid)
    run.firms[lab.firm].spend += paid
    run.firms[lab.firm].arrears += lab.owed_rent[k]
    run.firms[lessor].revenue += paid


@rule
def pay_rents(run: Run) -> None:
    """Phase 6: rents of the month and those still owed, one bill from each cloud to each of its tenants."""
    for i in range(run.labs_used):
        lab = run.labs[i]
        lab.in_use = 1.0 - lab.idle / lab.running if lab.running > 0.0 else 1.0
        for k in range(run.clouds_used):
            lab.rent_due[k], lab.leased_from[k] = 0.0, 0.0
    for j in range(run.contracts_used):
        contract = run.contracts[j]
        if contract.state == Lease.delivering:
            lab = run.labs[contract.lessee]
            lab.rent_due[contract.lessor] += bill_of(contract, lab.in_use)
            lab.leased_from[contract.lessor] += contract.delivered
    for i in range(run.labs_used):
        for k in range(run.clouds_used):
            pay_rent(run, run.labs[i], k)
    for k in range(run.clouds_used):
        cloud = run.clouds[k]
        rent = cloud.spot * run.rent * HOURS_PER_MONTH
        paid = pay(run, Deal.spot_rent, run.sectors + Sector.renters, cloud.firm, rent, cloud.spot)
        run.firms[cloud.firm].revenue += paid


@helper
def offer(run: Run, i: int, k: int, wanted: float) -> float:
    """A cloud offers a lab its free chips, newest first; returns what was signed, H100e."""
    signed = 0.0
    for back in range(CHIPS):
        c = CHIPS - 1 - back
        chip = run.chips[c]
        gpus = whole_units(min(run.clouds[k].free[c], (wanted - signed) / chip.h100e), chip.unit)
        if gpus > 0.0:
            rent = chip.rent * (1.0 - run.lease.contract_discount)
            sign(run, k, i, c, gpus, rent, expiry(run))
            signed += gpus * chip.h100e
    return signed


@rule
def trade_leases(run: Run) -> None:
    """Phase 9: negotiations, renewals, staged growth, then new leases by the order of each lab's clouds.

    Labs that ask the same cloud at the same rank share its free capacity pro rata, so their order does not matter.
    """
    run.leases_signed = 0.0
    run.lease_need = 0.0
    for j in range(run.contracts_used):
        contract = run.contracts[j]
        if contract.state == Lease.negotiating:
            negotiate(run, contract)
        elif contract.state == Lease.delivering:
            renew_or_end(run, contract)
            grow(run, contract)
    add_up_leases(run)
    for i in range(run.labs_used):
        lab = run.labs[i]
        lab.unmet_lease = max(0.0, lab.wants_leased - lab.leased_next)
        run.lease_need += lab.unmet_lease
    for k in range(run.clouds_used):
        run.clouds[k].asked = 0.0
    for rank in range(CLOUDS):
        if not serve_rank(run, rank):
            break
    for i in range(run.labs_used):
        lab = run.labs[i]
        if lab.unmet_lease > 0.0 and lab.clouds[0] >= 0:
            run.clouds[lab.clouds[0]].asked += lab.unmet_lease


@helper
def serve_rank(run: Run, rank: int) -> bool:
    """Serves the labs by the cloud at one place of their lists; false once no list is that long."""
    some = False
    for k in range(run.clouds_used):
        run.clouds[k].sought = 0.0
    for i in range(run.labs_used):
        k = run.labs[i].clouds[rank]
        if k >= 0:
            some = True
            run.clouds[k].sought += run.labs[i].unmet_lease
    for k in range(run.clouds_used):
        cloud = run.clouds[k]
        if cloud.sought > 0.0:
            free = 0.0
            for c in range(CHIPS):
                free += cloud.free[c] * run.chips[c].h100e
            cloud.part = min(1.0, free / cloud.sought)
    for i in range(run.labs_used):
        lab = run.labs[i]
        k = lab.clouds[rank]
        if k >= 0 and lab.unmet_lease > 0.0:
            signed = offer(run, i, k, lab.unmet_lease * run.clouds[k].part)
            lab.unmet_lease = max(0.0, lab.unmet_lease - signed)
    return some
