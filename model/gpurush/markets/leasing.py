"""Leases: posted rents, contracts as records, renewals, staged delivery, negotiation, outside renters.

A contract is a claim on whole GPUs of one type at one site of a cloud: rent in USD per chip-hour, term, take-or-pay,
discount. Contracts of the same parties, site, chip and half-year of expiry are one record that is topped up at
the blended rent. Posted rents move towards owning cost with a margin that rises with tightness.
"""

import math

from ..engine import helper, rule
from ..ledger import note, pay
from ..luck import What, uniform
from ..names import Deal
from ..numbers import clip, compound, power, whole_units
from ..state import CHIPS, CLOUDS, CONTRACTS, Cloud, Contract, Fault, Lab, Lease, Run, Sector
from ..units import HOURS_PER_MONTH, KW_PER_MW

HALF_YEAR = 6


@helper
def break_even_stake(discount: float, present_value: float, pre_money: float) -> float:
    """Stake at which a lessor loses nothing by a discount against equity: what it gives up, over post-money.

    Args:
        discount: share of the rent given up.
        present_value: present value of the rent before the discount, USD.
        pre_money: valuation before the equity is issued, USD; post-money = pre-money + discount x present value.
    """
    given = discount * present_value
    return given / (pre_money + given) if given > 0.0 else 0.0


@helper
def present_value(payment: float, rate: float, months: float) -> float:
    """Present value of a monthly payment, USD: an annuity at a monthly rate."""
    if rate <= 0.0:
        return payment * months
    return payment * (1.0 - math.exp(-months * math.log1p(rate))) / rate


@helper
def energy_cost(run: Run, chip: int) -> float:
    """Energy of a running chip, USD a month, at the first site's power usage effectiveness and tariff."""
    site = run.sites[0]
    kwh = run.chips[chip].it_kw * site.terms.pue * HOURS_PER_MONTH
    return kwh * run.utilities[site.utility].terms.tariff / KW_PER_MW


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


@helper
def end(contract: Contract) -> None:
    """Ends a contract: its GPUs are free again."""
    contract.state = Lease.empty
    contract.gpus, contract.delivered = 0.0, 0.0


@helper
def renew_or_end(run: Run, contract: Contract) -> None:
    """In its last month a contract is renewed at the posted rent if the tenant still wants it; a bankrupt's ends."""
    lab = run.labs[contract.lessee]
    lessee = run.firms[lab.firm]
    wanted = lab.wants_leased >= 0.98 * lab.leased and not lessee.defaulted
    if contract.end == run.month + 1 and wanted and contract.discount <= 0.0:
        contract.rent = run.chips[contract.chip].rent * (1.0 - run.lease.contract_discount)
        contract.end = expiry(run)
    elif lessee.defaulted:
        end(contract)


@helper
def expiry(run: Run) -> int:
    """Expiry of a lease signed now: its term, to the end of a half-year."""
    end = run.month + 1 + int(max(run.lease.term, 1.0))
    return (end + HALF_YEAR - 1) // HALF_YEAR * HALF_YEAR


@rule
def deliver_leases(run: Run) -> None:
    """Phase 3: what runs at clouds' sites is delivered to tenants, then own use, then outside renters.

    Contracts are served in full when the chips run, else pro rata by chip and site.
    """
    for i in range(run.labs_used):
        run.labs[i].leased = 0.0
    for k in range(run.clouds_used):
        cloud = run.clouds[k]
        cloud.contracted = 0.0
        for c in range(CHIPS):
            cloud.leased_out[c] = 0.0
            cloud.free[c] = 0.0
    for s in range(run.sites_used):
        k = run.firms[run.sites[s].owner].place
        if run.firms[run.sites[s].owner].kind == 1:
            for c in range(CHIPS):
                run.clouds[k].free[c] += run.sites[s].running[c]
    for j in range(CONTRACTS):
        contract = run.contracts[j]
        if contract.state == Lease.delivering and contract.end <= run.month:
            end(contract)
        if contract.state == Lease.delivering and contract.start <= run.month:
            run.clouds[contract.lessor].leased_out[contract.chip] += contract.gpus
    for j in range(CONTRACTS):
        contract = run.contracts[j]
        if contract.state != Lease.delivering or contract.start > run.month:
            continue
        cloud = run.clouds[contract.lessor]
        c = contract.chip
        part = min(1.0, cloud.free[c] / cloud.leased_out[c]) if cloud.leased_out[c] > 0.0 else 0.0
        contract.delivered = contract.gpus * part
        run.labs[contract.lessee].leased += contract.delivered * run.chips[c].h100e
        cloud.contracted += contract.delivered * run.chips[c].h100e
    for k in range(run.clouds_used):
        use_rest(run.clouds[k], run)


@helper
def use_rest(cloud: Cloud, run: Run) -> None:
    """What no contract claims: own use first, then what can be offered; outside renters fill up by the month."""
    free = 0.0
    for c in range(CHIPS):
        cloud.free[c] = max(0.0, cloud.free[c] - cloud.leased_out[c])
        free += cloud.free[c] * run.chips[c].h100e
    # New capacity is shared between own use and tenants: own use takes half of what it has not got yet.
    before = min(cloud.own_held, free)
    cloud.own_held = (
        min(cloud.own_wanted, before + 0.5 * (free - before))
        if run.month > 0
        else min(cloud.own_wanted, free)
    )
    keep = 1.0 - cloud.own_held / free if free > 0.0 else 0.0
    for c in range(CHIPS):
        cloud.free[c] *= keep
    cloud.spot = min(free - cloud.own_held, outside_demand(cloud, run))


@helper
def outside_demand(cloud: Cloud, run: Run) -> float:
    """Compute that outside renters take of a cloud at today's rent, H100e: constant elasticity."""
    early = min(float(run.month), 24.0)
    late = float(run.month) - early
    growth = compound(cloud.terms.outside_rent_growth, early) * compound(
        cloud.terms.outside_rent_growth_late, late
    )
    relative = max(run.rent, 1e-6) / max(run.rent_start, 1e-6)
    return cloud.terms.outside_rent * growth * power(relative, run.lease.outside_elasticity)


@helper
def bill_of(contract: Contract, used: float) -> float:
    """Rent of a contract for a month, USD: at least its take-or-pay share of what was delivered."""
    paid_for = contract.delivered * max(contract.take_or_pay, used)
    return paid_for * contract.rent * (1.0 - contract.discount) * HOURS_PER_MONTH


@rule
def pay_rents(run: Run) -> None:
    """Phase 6: rents of the month and those still owed."""
    for j in range(CONTRACTS):
        contract = run.contracts[j]
        if contract.state != Lease.delivering and contract.owed <= 0.0:
            continue
        lab = run.labs[contract.lessee]
        bill = 0.0
        if contract.state == Lease.delivering:
            bill = bill_of(contract, 1.0 - lab.idle / lab.running if lab.running > 0.0 else 1.0)
        due = math.floor(bill + 0.5) + contract.owed
        lessor = run.clouds[contract.lessor].firm
        paid = pay(run, Deal.rent, lab.firm, lessor, due, contract.delivered)
        contract.owed = max(0.0, due - paid)
        lab.compute_spend += bill
        run.firms[lab.firm].spend += paid
        run.firms[lab.firm].arrears += contract.owed
        run.firms[lessor].revenue += paid
    for k in range(run.clouds_used):
        cloud = run.clouds[k]
        rent = cloud.spot * run.rent * HOURS_PER_MONTH
        paid = pay(run, Deal.spot_rent, run.sectors + Sector.renters, cloud.firm, rent, cloud.spot)
        run.firms[cloud.firm].revenue += paid


@helper
def held(run: Run, lab: int) -> float:
    """Leased compute that a lab has under contract next month, H100e."""
    total = 0.0
    for j in range(CONTRACTS):
        contract = run.contracts[j]
        if contract.state == Lease.delivering and contract.lessee == lab and contract.end > run.month + 1:
            total += contract.gpus * run.chips[contract.chip].h100e
    return total


@helper
def add_up_held(run: Run) -> None:
    """Leased compute that each lab has under contract next month, H100e, left in its ``unmet_lease``."""
    for i in range(run.labs_used):
        run.labs[i].unmet_lease = 0.0
    for j in range(CONTRACTS):
        contract = run.contracts[j]
        if contract.state == Lease.delivering and contract.end > run.month + 1:
            run.labs[contract.lessee].unmet_lease += contract.gpus * run.chips[contract.chip].h100e


@helper
def record_for(run: Run, cloud: int, lab: int, site: int, chip: int, end: int) -> int:
    """The contract that a new lease is added to, or an empty place; -1 if there is no room at all.

    With no empty place left, the lease joins the parties' last one for that chip and takes its expiry.
    """
    empty = -1
    near = -1
    for j in range(CONTRACTS):
        contract = run.contracts[j]
        if contract.state == Lease.empty:
            if empty < 0 and contract.owed <= 0.0:
                empty = j
        elif (
            contract.state == Lease.delivering
            and contract.lessor == cloud
            and contract.lessee == lab
            and contract.chip == chip
            and contract.site == site
            and contract.discount == 0.0
        ):
            if contract.end == end:
                return j
            if near < 0 or contract.end > run.contracts[near].end:
                near = j
    return empty if empty >= 0 else near


@helper
def sign(run: Run, k: int, i: int, chip: int, gpus: float, rent: float, end: int) -> None:
    """Signs a lease of whole GPUs from next month on."""
    cloud = run.clouds[k]
    site = -1
    for s in range(run.sites_used):
        if run.sites[s].owner == cloud.firm and (
            site < 0 or run.sites[s].running[chip] > run.sites[site].running[chip]
        ):
            site = s
    j = record_for(run, k, i, site, chip, end)
    if j < 0:
        note(run, Fault.no_room_for_contract, i)
        return
    contract = run.contracts[j]
    if contract.state == Lease.delivering:
        contract.rent = (contract.rent * contract.gpus + rent * gpus) / (contract.gpus + gpus)
        contract.gpus += gpus
    else:
        contract.state, contract.lessor, contract.lessee = Lease.delivering, k, i
        contract.site, contract.chip, contract.gpus, contract.delivered = site, chip, gpus, 0.0
        contract.rent, contract.discount, contract.growth = rent, 0.0, 0.0
        contract.start, contract.end = run.month + 1, end
        contract.take_or_pay = run.lease.take_or_pay
        contract.owed = 0.0
    cloud.free[chip] -= gpus
    run.leases_signed += gpus * run.chips[chip].h100e


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
    for j in range(CONTRACTS):
        contract = run.contracts[j]
        if contract.state == Lease.negotiating:
            negotiate(run, contract)
        elif contract.state == Lease.delivering:
            renew_or_end(run, contract)
            grow(run, contract)
    add_up_held(run)
    for i in range(run.labs_used):
        lab = run.labs[i]
        lab.unmet_lease = max(0.0, lab.wants_leased - lab.unmet_lease)
        run.lease_need += lab.unmet_lease
    for k in range(run.clouds_used):
        run.clouds[k].asked = 0.0
    for rank in range(CLOUDS):
        serve_rank(run, rank)
    for i in range(run.labs_used):
        lab = run.labs[i]
        if lab.unmet_lease > 0.0 and lab.clouds[0] >= 0:
            run.clouds[lab.clouds[0]].asked += lab.unmet_lease


@helper
def serve_rank(run: Run, rank: int) -> None:
    """Serves the labs that have the same place for a cloud in their list."""
    for k in range(run.clouds_used):
        asked = 0.0
        for i in range(run.labs_used):
            if run.labs[i].clouds[rank] == k:
                asked += run.labs[i].unmet_lease
        if asked <= 0.0:
            continue
        free = 0.0
        for c in range(CHIPS):
            free += run.clouds[k].free[c] * run.chips[c].h100e
        part = min(1.0, free / asked)
        for i in range(run.labs_used):
            lab = run.labs[i]
            if lab.clouds[rank] == k and lab.unmet_lease > 0.0:
                lab.unmet_lease = max(0.0, lab.unmet_lease - offer(run, i, k, lab.unmet_lease * part))


@helper
def grow(run: Run, contract: Contract) -> None:
    """A staged contract grows by whole units as far as the cloud has them free."""
    if contract.growth <= 0.0 or contract.state != Lease.delivering or contract.start > run.month:
        return
    chip = run.chips[contract.chip]
    free = run.clouds[contract.lessor].free
    more = whole_units(min(contract.gpus * contract.growth, free[contract.chip]), chip.unit)
    contract.gpus += more
    free[contract.chip] -= more
    run.leases_signed += more * chip.h100e


@helper
def negotiate(run: Run, contract: Contract) -> None:
    """A month of negotiation: it may collapse, is signed at its end, and until then holds nothing.

    The hazard of collapse is logistic in the delivery gap and the unpowered share of the lessor's chips; the base is
    its value with nothing amiss. What collapses is wanted anew from the market in the same month.
    """
    cloud = run.clouds[contract.lessor]
    firm = run.firms[cloud.firm]
    gap = 1.0 - min(1.0, cloud.free[contract.chip] / max(contract.gpus, 1.0))
    dark = 1.0 - firm.energised / firm.fleet if firm.fleet > 0.0 else 0.0
    base = clip(run.lease.collapse, 1e-6, 1.0 - 1e-6)
    logit = math.log(base / (1.0 - base)) + run.lease.collapse_gap * gap + run.lease.collapse_power * dark
    hazard = 1.0 / (1.0 + math.exp(-clip(logit, -50.0, 50.0)))
    lab = run.labs[contract.lessee]
    if uniform(run.seed, run.number, run.firms[lab.firm].who, What.collapse, run.month) < hazard:
        contract.state = Lease.empty
    elif contract.start <= run.month:
        chip = run.chips[contract.chip]
        gpus = whole_units(min(contract.gpus, cloud.free[contract.chip]), chip.unit)
        contract.state = Lease.empty
        months = max(float(contract.end - contract.start), 1.0)
        rent = contract.value / (contract.gpus * HOURS_PER_MONTH * months)
        if gpus > 0.0:
            sign(run, contract.lessor, contract.lessee, contract.chip, gpus, rent, contract.end)


@helper
def in_negotiation(run: Run, lab: Lab) -> float:
    """Compute that a lab has under negotiation, H100e."""
    total = 0.0
    for j in range(CONTRACTS):
        contract = run.contracts[j]
        if contract.state == Lease.negotiating and run.labs[contract.lessee].firm == lab.firm:
            total += contract.gpus * run.chips[contract.chip].h100e
    return total
