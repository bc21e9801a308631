"""The state of one run as one record: firms, labs, clouds, makers, sites, contracts. Allocated once per batch.

Sizes inside a record are compiled in, so records have *room* and the run counts say how much of it is used; a scenario
that needs more room is refused with a sentence. Firms are numbered across all kinds: a firm's number is also its
account for USD, and its account for GPUs that it owns and that are at no site (a maker's stock, a buyer's chips in
transit). After the firms come the sites, as accounts of GPUs, then the foundry and the scrap heap.
"""

from enum import IntEnum
from typing import TYPE_CHECKING

from .engine import Array, of, record, row
from .parameters import (
    GLOBAL,
    NAMED,
    AllocationTerms,
    CapitalTerms,
    CloudTerms,
    DemandTerms,
    FoundryTerms,
    GpuMarketTerms,
    IntegratorTerms,
    InvestorTerms,
    LabTerms,
    LeaseMarketTerms,
    MakerTerms,
    OutsideTerms,
    PlanningTerms,
    PowerMarketTerms,
    ResearchTerms,
    SisterTerms,
    SitePowerTerms,
    SiteTerms,
    TransferTerms,
    UtilityTerms,
)
from .rows import AgentRow, DealRow, MarketRow, SiteRow

if TYPE_CHECKING:
    Grid = Array[Array[float]]
else:
    Grid = Array[float]  # A record knows an array's axes from ``per``, a type checker from its type.

LABS, CLOUDS, SISTERS, MAKERS, INTEGRATORS, UTILITIES, INVESTORS = 12, 10, 6, 3, 4, 6, 5
FIRMS, SITES, CHIPS, CONTRACTS, REQUESTS, PROGRAMMES, PROJECTS = 48, 24, 10, 384, 16, 8, 24
PIPELINE, TRANSIT, SERIES, ITEMS, DEALS, ORDERING, ROUNDS = 12, 6, 128, 20, 512, 24, 24
SITE_ACCOUNT = FIRMS
FOUNDRY_GPUS = FIRMS + SITES
SCRAP = FIRMS + SITES + 1
ACCOUNTS = FIRMS + SITES + 2


class Kind(IntEnum):
    """What a firm is."""

    lab = 0
    cloud = 1
    sister = 2
    maker = 3
    integrator = 4
    utility = 5
    investor = 6
    outside = 7
    sector = 8


class Sector(IntEnum):
    """The accounts of those outside the model, in this order at the end of the firms."""

    buyers = 0
    renters = 1
    households = 2
    world = 3
    foundry = 4
    construction = 5


class Stage(IntEnum):
    """Where a request for power, a shell or a turbine stands."""

    empty = 0
    study = 1
    board = 2
    construction = 3
    planned = 4


class Asked(IntEnum):
    """What a request is for."""

    grid = 0
    shell = 1
    gas = 2


class Lease(IntEnum):
    """State of a contract."""

    empty = 0
    negotiating = 1
    delivering = 2


class Task(IntEnum):
    """State of a project."""

    empty = 0
    waiting = 1
    running = 2
    winding_down = 3


class Fault(IntEnum):
    """What stops a run: noted in the run and raised once a month as a sentence."""

    none = 0
    not_finite = 1
    no_room_for_contract = 2
    no_room_for_deal = 3
    usd_book = 4
    gpu_book = 5
    cap_table = 6
    power_book = 7


for _terms in (*GLOBAL.values(), *NAMED.values()):
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
class Firm:
    """Any firm or sector: its account, its bills and the flows of the month."""

    who: int = of("", "hash of the name, its address for luck")
    kind: int = of("", "Kind")
    place: int = of("", "row among the firms of its kind")
    owner: int = of("", "group of the same owner, -1 for none")
    founded: int = of("months", "month of entry")
    cash: float = of("USD", "in the bank")
    opening: float = of("USD", "in the bank at the month's start")
    debt: float = of("USD", "drawn and not repaid")
    committed: float = of("USD", "still to pay for orders placed")
    owed_payroll: float = of("USD", "payroll not yet paid")
    owed_running: float = of("USD", "running and fixed cost not yet paid")
    owed_interest: float = of("USD", "interest not yet paid")
    owed_shell: float = of("USD", "buildings ordered and not yet paid")
    owed_principal: float = of("USD", "principal due and not yet paid")
    arrears: float = of("USD", "bills left unpaid at the month's end")
    arrears_months: float = of("months", "months in a row with arrears")
    defaulted: bool = of("", "arrears of three months: it trades no more")
    revenue: float = of("USD", "revenue of the month")
    capex: float = of("USD", "chips, networks, racks, buildings of the month")
    spend: float = of("USD", "operating outflows of the month")
    raised: float = of("USD", "equity paid in during the month")
    fleet: float = of("H100e", "owned and at a site")
    energised: float = of("H100e", "owned and running")
    moving: float = of("H100e", "owned and at no site")
    power_mw: float = of("MW", "drawn by its sites")
    inflow: float = of("USD/month", "smoothed operating cash flow, before chips and buildings")


@record
class Buyer:
    """The order book of a firm that buys GPUs. Quantities in H100e; makers deliver what they then make."""

    firm: int = of("", "its number")
    own_builder: bool = of("", "builds its racks itself")
    liquid: bool = of("", "its racks are liquid-cooled whatever the chip")
    target_now: float = of("H100e", "owned stock wanted two months ahead")
    target_ahead: float = of("H100e", "owned stock wanted at the horizon")
    due: float = of("H100e", "what it would like shipped now: need")
    inflation: float = of("1", "order inflation")
    fill: float = of("1", "expected fill")
    received: float = of("H100e", "shipped to it this month")
    orders: float = of("H100e", "new orders of the month")
    backlog: Array[float] = of("H100e", "ordered and not shipped", per=MAKERS)
    advance: Array[float] = of("USD", "advance paid on the backlog", per=MAKERS)
    entitled: Array[float] = of("H100e", "granted and not yet a whole unit", per=MAKERS)
    sent: Array[float] = of("H100e", "shipped to it this month, by maker", per=MAKERS)
    owed: Array[float] = of("USD", "chips shipped and not yet paid", per=MAKERS)
    second_source: float = of("1", "share of orders placed with a second maker, once it sells")
    at_integrator: Array[float] = of("GPUs", "waiting for racks, carried over", per=CHIPS)
    new_at_integrator: Array[float] = of("GPUs", "waiting for racks, shipped this month", per=CHIPS)
    transit: Grid = of("GPUs", "on the way, by months left", per=(CHIPS, TRANSIT))


@record
class Project:
    """A slot of a lab's allocator."""

    state: int = of("", "Task")
    programme: int = of("", "its programme")
    wanted: float = of("H100e", "asked for")
    held: float = of("H100e", "held")
    age: float = of("months", "since it was pitched")
    left: float = of("months", "left to run")


@record
class Lab:
    """A lab: its compute, research, service, finance and plans."""

    terms: LabTerms = of()
    firm: int = of("", "its number")
    buyer: int = of("", "its order book, -1 for none")
    strategy: int = of("", "names.Strategy")
    top_rule: int = of("", "names.TopRule")
    research_rule: int = of("", "names.ProgrammeRule among research programmes")
    applied_rule: int = of("", "names.ProgrammeRule among products")
    startup: bool = of("", "raises equity; else money comes from its owner")
    clouds: Array[int] = of("", "clouds it may lease from, in order; -1 ends", per=CLOUDS)
    by_site: Array[float] = of("H100e", "running compute by site: one fabric each", per=SITES)
    fabric: float = of("H100e", "running compute on its largest single fabric")
    leased: float = of("H100e", "leased and delivered")
    running: float = of("H100e", "own energised and leased")
    need: float = of("H100e", "compute that would serve all demand")
    research: float = of("H100e", "given to research")
    applied: float = of("H100e", "given to applied")
    share: float = of("1", "research share decided at the last review")
    reviewed: int = of("months", "month of the last review")
    big_run: float = of("H100e", "held by the big run")
    run_months: float = of("months", "since the big run began, 0 for none")
    reserved: float = of("H100e", "held back for a big run that waits")
    idle: float = of("H100e", "held by no project")
    moved: float = of("H100e", "moved by operations this month")
    shadow: float = of("1", "marginal value of compute, in units of applied value")
    unit: float = of("H100e", "node or rack of its largest fabric: what operations move")
    asked_by: Array[float] = of("H100e", "level 2: what a programme's projects want", per=PROGRAMMES)
    weights: Array[float] = of("1", "level 2: weights of programmes under the rule in force", per=PROGRAMMES)
    granted: Array[float] = of("H100e", "level 2: what a programme is granted", per=PROGRAMMES)
    held_by: Array[float] = of("H100e", "level 3: what a programme's projects hold", per=PROGRAMMES)
    projects: Array[Project] = of(per=PROJECTS)
    order: Array[int] = of("", "level 3: slots of projects that may get more, in their order", per=PROJECTS)
    researchers: float = of("persons", "researchers")
    efficiency: float = of("1", "algorithmic efficiency")
    flop: float = of("FLOP", "training compute of the run in progress")
    capability: float = of("log10 FLOP", "effective FLOP of the best released model")
    released: int = of("months", "month of the last release")
    demand: float = of("USD/month", "demand for the service")
    demand_before: float = of("USD/month", "demand a month before")
    growth: float = of("1/month", "expected growth of demand")
    served: float = of("H100e", "compute that serves")
    unserved: float = of("USD", "demand not served this month")
    utility: float = of("1", "weight in customers' choice")
    compute_spend: float = of("USD", "rent, power, running cost and depreciation of the month")
    valuation: float = of("USD", "post-money of the last round")
    burn: float = of("USD/month", "smoothed net burn")
    revenue_year: float = of("USD/year", "annual revenue, from a smoothed month")
    shares: Array[float] = of("shares", "cap table: whole shares by holder", per=FIRMS)
    issued: float = of("shares", "all shares")
    round_shares: float = of("shares", "issued in the round that is closing")
    indivisible: float = of("USD", "cost of an order that cannot be cut up: a big run's cluster")
    asked: float = of("USD", "round under way")
    pre_money: float = of("USD", "its pre-money valuation")
    closes: int = of("months", "month in which it closes, -1 for none")
    last_round: int = of("months", "month of the last round")
    target: float = of("H100e", "strategic target at the lease horizon")
    affordable: float = of("H100e", "most that it can pay for")
    aimed: float = of("H100e", "target set a month before, for now")
    paid_for: float = of("H100e", "what it could pay for a month before")
    target_ahead: float = of("H100e", "strategic target at the purchase horizon, within what it can pay")
    target_far: float = of("H100e", "strategic target in two years, within what it can pay")
    prefers_own: bool = of("", "owning costs less than leasing, waiting for power included")
    wants_leased: float = of("H100e", "leased compute wanted next month")
    unmet_lease: float = of("H100e", "wanted and not found on the lease market")
    bound: int = of("", "names.Bound")


@record
class Cloud:
    """A cloud: what it holds, uses, leases out."""

    terms: CloudTerms = of()
    firm: int = of("", "its number")
    buyer: int = of("", "its order book")
    own_wanted: float = of("H100e", "wanted for its own use")
    own_held: float = of("H100e", "held for its own use")
    leased_out: Array[float] = of("GPUs", "under contract, by chip", per=CHIPS)
    free: Array[float] = of("GPUs", "running and under no contract", per=CHIPS)
    contracted: float = of("H100e", "under contract and delivered")
    spot: float = of("H100e", "rented to outside renters")
    asked: float = of("H100e", "leases wanted from it and not met")


@record
class Sister:
    """A firm of the same owner as a lab, with its own use for GPUs."""

    terms: SisterTerms = of()
    firm: int = of("", "its number")
    buyer: int = of("", "its order book")
    wanted: float = of("H100e", "compute wanted")


@record
class Maker:
    """A chipmaker."""

    terms: MakerTerms = of()
    firm: int = of("", "its number")
    generations: Array[int] = of("", "its chips in order; -1 ends", per=CHIPS)
    mix: Array[float] = of("1", "share of each chip in this month's output, in H100e", per=CHIPS)
    price: Array[float] = of("USD/GPU", "posted price", per=CHIPS)
    pipeline: Array[float] = of("H100e", "starts, by months until finished", per=PIPELINE)
    started: float = of("H100e", "starts of the month")
    expected: float = of("H100e/month", "expected new orders")
    output: float = of("H100e", "finished this month")
    carry: Array[float] = of("GPUs", "finished part of a unit", per=CHIPS)
    shipped: Array[float] = of("GPUs", "shipped this month", per=CHIPS)
    shipped_h100e: float = of("H100e", "shipped this month")
    shipped_before: float = of("H100e", "shipped the month before")
    orders: float = of("H100e", "new orders of the month")
    cancelled: float = of("H100e", "cancelled this month")
    backlog: float = of("H100e", "ordered by all and not shipped")
    need: float = of("H100e", "need of all buyers this month")
    lead: float = of("months", "quoted lead time")


@record
class Integrator:
    """A builder of racks: custodian between shipment and delivery."""

    terms: IntegratorTerms = of()
    firm: int = of("", "its number")
    racks: float = of("racks/month", "racks that it can build")
    liquid: float = of("racks/month", "of these, liquid-cooled")


@record
class Utility:
    """A power utility."""

    terms: UtilityTerms = of()
    firm: int = of("", "its number")
    headroom: float = of("MW", "load that it can still approve")
    connected: float = of("MW", "connected this month")
    asked: float = of("MW", "asked for this month")
    waiting: float = of("MW", "asked for and not connected")


@record
class Investor:
    """A group of investors."""

    terms: InvestorTerms = of()
    firm: int = of("", "its number")
    debt: bool = of("", "lends instead of buying shares")


@record
class Request:
    """A place in the queue for power, a shell or a turbine."""

    stage: int = of("", "Stage")
    asked: int = of("", "Asked")
    mw: float = of("MW", "how much")
    left: float = of("months", "left in this stage")
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
    requests: Array[Request] = of(per=REQUESTS)
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
    wanted_mw: float = of("MW", "facility power that its owner's plan needs")
    owed_power: float = of("USD", "energy not yet paid")
    owed_gas: float = of("USD", "turbines not yet paid")


@record
class Contract:
    """A lease: whole GPUs of one type at one site."""

    state: int = of("", "Lease")
    lessor: int = of("", "row of the cloud")
    lessee: int = of("", "row of the lab")
    site: int = of("", "where")
    chip: int = of("", "what")
    gpus: float = of("GPUs", "leased")
    delivered: float = of("GPUs", "running for the lessee")
    rent: float = of("USD/GPU-hour", "rent before the discount")
    discount: float = of("1", "discount against equity")
    start: int = of("months", "first month")
    end: int = of("months", "month after the last")
    growth: float = of("1/month", "staged delivery: growth of the contracted units")
    take_or_pay: float = of("1", "share paid whether used or not")
    value: float = of("USD", "value under negotiation")
    owed: float = of("USD", "rent not yet paid")


@record
class Programme:
    """A programme or product that projects belong to."""

    applied: bool = of("", "a product; else research")
    weight: float = of("1", "its weight among the programmes of its side")
    value: float = of("1", "its value")


@record
class Run:
    """One run: everything that rules read and write."""

    number: int = of("", "number of the run")
    seed: int = of("", "seed of the ensemble")
    month: int = of("months", "since the start")
    fault: int = of("", "Fault")
    fault_at: int = of("", "firm, site or account of the fault")
    firms_used: int = of("", "firms and sectors")
    labs_used: int = of("", "labs")
    clouds_used: int = of("", "clouds")
    sisters_used: int = of("", "sisters")
    makers_used: int = of("", "makers")
    integrators_used: int = of("", "integrators")
    utilities_used: int = of("", "utilities")
    investors_used: int = of("", "investors")
    sites_used: int = of("", "sites")
    buyers_used: int = of("", "order books")
    programmes_used: int = of("", "programmes")
    sectors: int = of("", "number of the first sector")
    rationing: int = of("", "names.Rationing")
    research: ResearchTerms = of()
    demand: DemandTerms = of()
    gpu: GpuMarketTerms = of()
    foundry: FoundryTerms = of()
    lease: LeaseMarketTerms = of()
    power: PowerMarketTerms = of()
    capital: CapitalTerms = of()
    transfer: TransferTerms = of()
    allocation: AllocationTerms = of()
    planning: PlanningTerms = of()
    outside: OutsideTerms = of()
    wafers_known: Array[float] = of(
        "wafers/month", "imposed packaging capacity by month, 0 once unknown", per=SERIES
    )
    outside_path: Array[float] = of("H100e", "stock aimed at by outside buyers, by month", per=SERIES)
    wafers: float = of("wafers/month", "packaging capacity")
    additions: Array[float] = of("wafers/month", "capacity under way, by months left", per=PIPELINE)
    rent: float = of("USD/H100e-hour", "posted rent of the current generation")
    rent_start: float = of("USD/H100e-hour", "that rent at the start")
    price_start: float = of("USD/H100e", "the price of the current generation at the start")
    price: float = of("USD/H100e", "price of the current generation")
    tightness: float = of("1", "how tight GPU capacity is")
    frontier: float = of("1", "highest algorithmic efficiency")
    frontier_capability: float = of("log10 FLOP", "highest capability")
    leader_run: float = of("H100e", "largest big run")
    potential: float = of("USD/month", "market potential for all labs")
    asked_capital: float = of("USD", "equity asked for this month")
    closed_capital: float = of("USD", "equity paid in this month")
    rented_outside: float = of("H100e", "compute that outside renters would take")
    lease_need: float = of("H100e", "leases wanted and not yet held, this month")
    leases_signed: float = of("H100e", "signed this month")
    chips: Array[Chip] = of(per=CHIPS)
    chip_kw: Array[float] = of("kW/GPU", "all-in IT power, as the capacity core wants it", per=CHIPS)
    chip_liquid: Array[float] = of("1", "share of heat that liquid carries", per=CHIPS)
    chip_unit: Array[float] = of("GPUs", "GPUs in a node or rack", per=CHIPS)
    chip_rack: Array[float] = of("GPUs", "GPUs in a rack position", per=CHIPS)
    chip_value: Array[float] = of("H100e", "value of a chip when power is short", per=CHIPS)
    firms: Array[Firm] = of(per=FIRMS)
    buyers: Array[Buyer] = of(per=ORDERING)
    labs: Array[Lab] = of(per=LABS)
    clouds: Array[Cloud] = of(per=CLOUDS)
    sisters: Array[Sister] = of(per=SISTERS)
    makers: Array[Maker] = of(per=MAKERS)
    integrators: Array[Integrator] = of(per=INTEGRATORS)
    utilities: Array[Utility] = of(per=UTILITIES)
    investors: Array[Investor] = of(per=INVESTORS)
    sites: Array[Site] = of(per=SITES)
    contracts: Array[Contract] = of(per=CONTRACTS)
    programmes: Array[Programme] = of(per=PROGRAMMES)
    rounds: Array[Round] = of(per=ROUNDS)
    gpus: Grid = of("GPUs", "books of GPUs: account x chip", per=(ACCOUNTS, CHIPS))
    gpus_opening: Grid = of("GPUs", "books at the month's start", per=(ACCOUNTS, CHIPS))
    deals_used: int = of("", "lines of the month's deal record")
    deals: Array[DealRow] = of(per=DEALS)
    deal_slots: Array[int] = of("", "where a line stands, by hash; 0 for none", per=2 * DEALS)
    agent_rows: Array[AgentRow] = of(per=FIRMS)
    site_rows: Array[SiteRow] = of(per=SITES)
    market_rows: Array[MarketRow] = of(per=ITEMS)


@row("Lab")
def lab_of(run: Run, who: int) -> Lab:
    """A lab's record in a run."""
    return run.labs[who]


@row("Cloud")
def cloud_of(run: Run, who: int) -> Cloud:
    """A cloud's record in a run."""
    return run.clouds[who]


@row("Sister")
def sister_of(run: Run, who: int) -> Sister:
    """A sister's record in a run."""
    return run.sisters[who]


@row("Maker")
def maker_of(run: Run, who: int) -> Maker:
    """A maker's record in a run."""
    return run.makers[who]


@row("Integrator")
def integrator_of(run: Run, who: int) -> Integrator:
    """An integrator's record in a run."""
    return run.integrators[who]


@row("Utility")
def utility_of(run: Run, who: int) -> Utility:
    """A utility's record in a run."""
    return run.utilities[who]


@row("Investor")
def investor_of(run: Run, who: int) -> Investor:
    """An investor's record in a run."""
    return run.investors[who]


@row("Firm")
def firm_of(run: Run, who: int) -> Firm:
    """A firm's record in a run."""
    return run.firms[who]


@row("Site")
def site_of(run: Run, who: int) -> Site:
    """A site's record in a run."""
    return run.sites[who]
