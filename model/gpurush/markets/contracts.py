"""Contracts: a lease as a record, from negotiation and signature through growth and renewal to its end.

A contract is a claim on whole GPUs of one type at one site of a cloud: rent in USD per chip-hour, term, take-or-pay,
discount. Contracts of the same parties, site, chip and half-year of expiry are one record that is topped up at the
blended rent.
"""

import math

from ..engine import helper
from ..ledger import note
from ..luck import What, uniform
from ..numbers import clip, whole_units
from ..state import CONTRACTS, Contract, Fault, Lease, Run
from ..units import HOURS_PER_MONTH

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
def expiry(run: Run) -> int:
    """Expiry of a lease signed now: its term, to the end of a half-year."""
    end = run.month + 1 + int(max(run.lease.term, 1.0))
    return (end + HALF_YEAR - 1) // HALF_YEAR * HALF_YEAR


@helper
def end(contract: Contract) -> None:
    """Ends a contract: its GPUs are free again."""
    contract.state = Lease.empty
    contract.gpus, contract.delivered = 0.0, 0.0


@helper
def renew_or_end(run: Run, contract: Contract) -> None:
    """In its last month a contract is renewed at the posted rent if the lessee still wants it; a bankrupt's ends."""
    lab = run.labs[contract.lessee]
    if run.firms[lab.firm].defaulted:
        end(contract)
        return
    last = contract.end == run.month + 1 and contract.discount <= 0.0
    if last and lab.wants_leased >= run.lease.renewal_need * lab.leased:
        contract.rent = run.chips[contract.chip].rent * (1.0 - run.lease.contract_discount)
        contract.end = expiry(run)


@helper
def bill_of(contract: Contract, used: float) -> float:
    """Rent of a contract for a month, USD: at least its take-or-pay share of what was delivered."""
    paid_for = contract.delivered * max(contract.take_or_pay, used)
    return paid_for * contract.rent * (1.0 - contract.discount) * HOURS_PER_MONTH


@helper
def same_lease(contract: Contract, cloud: int, lab: int, site: int, chip: int) -> bool:
    """Whether a contract is one without a discount between these two, for that chip at that site."""
    if contract.state != Lease.delivering or contract.lessee != lab or contract.chip != chip:
        return False
    return contract.lessor == cloud and contract.site == site and contract.discount == 0.0


@helper
def record_for(run: Run, cloud: int, lab: int, site: int, chip: int, end: int) -> int:
    """The contract that a new lease is added to, or an empty place; -1 if there is no room at all.

    With no empty place left, the lease joins the parties' last one for that chip and takes its expiry.
    """
    newest = run.labs[lab].newest[cloud]
    last = run.contracts[newest[chip]]
    if last.end == end and same_lease(last, cloud, lab, site, chip):
        return newest[chip]
    empty = -1
    for j in range(run.contracts_used):
        contract = run.contracts[j]
        if contract.end == end and same_lease(contract, cloud, lab, site, chip):
            newest[chip] = j
            return j
        if empty < 0 and contract.state == Lease.empty:
            empty = j
    if empty < 0 and run.contracts_used < CONTRACTS:
        empty = run.contracts_used
        run.contracts_used += 1
    if empty >= 0:
        newest[chip] = empty
        return empty
    near = -1
    for j in range(CONTRACTS):
        contract = run.contracts[j]
        if same_lease(contract, cloud, lab, site, chip) and (
            near < 0 or contract.end > run.contracts[near].end
        ):
            near = j
    return near


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
    cloud.free[chip] = max(0.0, cloud.free[chip] - gpus)  # Whole units may round up by a billionth.
    run.leases_signed += gpus * run.chips[chip].h100e


@helper
def grow(run: Run, contract: Contract) -> None:
    """A staged contract grows by whole units as far as the cloud has them free."""
    if contract.growth <= 0.0 or contract.state != Lease.delivering or contract.start > run.month:
        return
    chip = run.chips[contract.chip]
    free = run.clouds[contract.lessor].free
    more = whole_units(min(contract.gpus * contract.growth, free[contract.chip]), chip.unit)
    contract.gpus += more
    free[contract.chip] = max(0.0, free[contract.chip] - more)
    run.leases_signed += more * chip.h100e


@helper
def negotiate(run: Run, contract: Contract) -> None:
    """A month of negotiation: it may collapse, is signed at its end, and until then holds nothing.

    The hazard of collapse is logistic in the delivery gap and the unpowered share of the lessor's chips; the base is
    its value with nothing amiss. What collapses, or is not there to be signed, goes to purchase in the same month, as
    far as plans had counted on it. What is signed serves from next month on, as long as announced.
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
        lab.lost_lease += contract.gpus * run.chips[contract.chip].h100e
    elif contract.start <= run.month:
        chip = run.chips[contract.chip]
        gpus = whole_units(min(contract.gpus, cloud.free[contract.chip]), chip.unit)
        contract.state = Lease.empty
        months = max(float(contract.end - contract.start), 1.0)
        rent = contract.value / (contract.gpus * HOURS_PER_MONTH * months)
        lab.lost_lease += (contract.gpus - gpus) * chip.h100e
        if gpus > 0.0:
            sign(run, contract.lessor, contract.lessee, contract.chip, gpus, rent, contract.end + 1)


@helper
def add_up_leases(run: Run) -> None:
    """What each lab has under contract next month and under negotiation, H100e."""
    for i in range(run.labs_used):
        run.labs[i].leased_next, run.labs[i].negotiated = 0.0, 0.0
    for j in range(run.contracts_used):
        contract = run.contracts[j]
        compute = contract.gpus * run.chips[contract.chip].h100e
        if contract.state == Lease.negotiating:
            run.labs[contract.lessee].negotiated += compute
        elif contract.state == Lease.delivering and contract.end > run.month + 1:
            run.labs[contract.lessee].leased_next += compute


@helper
def trim(run: Run) -> None:
    """Forgets the empty records at the end."""
    while run.contracts_used > 0 and run.contracts[run.contracts_used - 1].state == Lease.empty:
        run.contracts_used -= 1
