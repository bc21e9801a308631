"""Records of what firms build, buy and sign: chips, sites with their requests, contracts, rounds, programmes."""

from ..engine import Array, of, record
from ..parameters import SitePowerTerms, SiteTerms
from .room import CHIPS, REQUESTS

for _terms in (SiteTerms, SitePowerTerms):
    record(_terms)


@record
class Chip:
    """A chip type as this run sees it."""

    h100e: float = of("H100e/GPU", "8-bit peak over an H100's")
    it_kw: float = of("kW/GPU", "all-in IT power")
    unit: float = of("GPUs", "GPUs in a node or rack")
    liquid: float = of("1", "share of its heat that liquid carries")
    per_wafer: float = of("GPUs/wafer", "good chips per packaged wafer")
    launch: float = of("months", "launch, months after the start")
    price: float = of("USD/GPU", "launch price")
    ramp: float = of("months", "time from launch to full share of output")
    rent: float = of("USD/GPU-hour", "posted rent")


@record
class Request:
    """A place in the queue for power, a shell or a turbine."""

    stage: int = of("", "Stage")
    asked: int = of("", "Asked")
    mw: float = of("MW", "how much")
    left: float = of("months", "left in this stage: known to luck, not to its owner")
    expected: float = of("months", "that its owner expects this stage still to take")
    since: int = of("months", "month of the request")
    board: bool = of("", "the utility's board votes")
    approved: bool = of("", "approved")
    until: int = of("months", "imposed month of connection, -1 for none")


@record
class Round:
    """A funding round that closed in the record: imposed."""

    month: int = of("months", "month in which it closes, -1 for none")
    lab: int = of("", "the lab")
    investor: int = of("", "the firm that pays")
    amount: float = of("USD", "paid in")
    post_money: float = of("USD", "valuation after the round")


@record
class Site:
    """A building with GPUs."""

    terms: SiteTerms = of()
    power: SitePowerTerms = of()
    number: int = of("", "its row")
    who: int = of("", "hash of the name, its address for luck")
    owner: int = of("", "the firm")
    utility: int = of("", "its utility")
    own_builder: bool = of("", "racks are built by the owner")
    retrofit: int = of("months", "month from which the building can be fitted out, -1 for a standing one")
    ports: float = of("GPUs", "GPUs that one back-end fabric can hold")
    shell_mw: float = of("MW", "finished")
    grid_mw: float = of("MW", "connected")
    gas_mw: float = of("MW", "turbines running")
    requested_mw: float = of("MW", "asked of the utility, in all")
    approved_mw: float = of("MW", "approved, in all")
    running: Array[float] = of("GPUs", "energised", per=CHIPS)
    delivered: float = of("GPUs", "at the site")
    energised: float = of("H100e", "running")
    stranded: float = of("H100e", "delivered and not running")
    unit: float = of("H100e", "node or rack of the chip that most of its compute is in")
    busy: float = of("1", "share of running GPUs in use")
    it_kw: float = of("kW", "IT power drawn")
    facility_mw: float = of("MW", "drawn, cooling included")
    binding: int = of("", "names.Binding")
    shadow: float = of("H100e/MW", "gain from one more MW")
    taken_kw: float = of("kW", "facility power that all its chips would draw, when last counted")
    wanted_mw: float = of("MW", "facility power that its owner's plan needs")
    owed_power: float = of("USD", "energy not yet paid")
    owed_gas: float = of("USD", "turbines not yet paid")
    requests: Array[Request] = of(per=REQUESTS)


@record
class Contract:
    """A lease: whole GPUs of one type at one site."""

    state: int = of("", "Lease")
    end: int = of("months", "month after the last")
    lessee: int = of("", "row of the lab")
    chip: int = of("", "what")
    lessor: int = of("", "row of the cloud")
    start: int = of("months", "first month")
    growth: float = of("1/month", "staged delivery: growth of the contracted units")
    gpus: float = of("GPUs", "leased")
    site: int = of("", "where")
    delivered: float = of("GPUs", "running for the lessee")
    rent: float = of("USD/GPU-hour", "rent before the discount")
    discount: float = of("1", "discount against equity")
    take_or_pay: float = of("1", "share paid whether used or not")
    value: float = of("USD", "value under negotiation")


@record
class Programme:
    """A programme or product that projects belong to."""

    applied: bool = of("", "a product; else research")
    weight: float = of("1", "its weight among the programmes of its side")
    value: float = of("1", "its value")
