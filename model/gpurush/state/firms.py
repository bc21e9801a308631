"""Records of firms: what all have, then labs, clouds, sisters, makers, integrators, utilities, investors."""

from typing import TYPE_CHECKING

from ..engine import Array, of, record
from ..parameters import (
    CloudTerms,
    IntegratorTerms,
    InvestorTerms,
    LabTerms,
    MakerTerms,
    SisterTerms,
    UtilityTerms,
)
from .room import CHIPS, CLOUDS, FIRMS, MAKERS, PIPELINE, PROGRAMMES, PROJECTS, SITES, TRANSIT

if TYPE_CHECKING:
    Grid = Array[Array[float]]
    Slots = Array[Array[int]]
else:
    Grid, Slots = (
        Array[float],
        Array[int],
    )  # A record knows an array's axes from ``per``, a type checker from its type.

for _terms in (CloudTerms, IntegratorTerms, InvestorTerms, LabTerms, MakerTerms, SisterTerms, UtilityTerms):
    record(_terms)


@record
class Firm:
    """Any firm or sector: its account, its bills and the flows of the month."""

    who: int = of("", "hash of the name, its address for luck")
    kind: int = of("", "Kind")
    place: int = of("", "row among the firms of its kind")
    owner: int = of("", "group of the same owner, -1 for none")
    buyer: int = of("", "its order book, -1 for none")
    founded: int = of("months", "month of entry")
    cash: float = of("USD", "in the bank")
    opening: float = of("USD", "in the bank at the month's start")
    debt: float = of("USD", "drawn and not repaid")
    committed: float = of("USD", "still to pay for orders placed")
    owed_payroll: float = of("USD", "payroll not yet paid")
    owed_running: float = of("USD", "running and fixed cost not yet paid")
    owed_interest: float = of("USD", "interest not yet paid")
    owed_shell: float = of("USD", "buildings ordered and not yet paid")
    owed_mw: float = of("MW", "the facility power that they will take")
    owed_principal: float = of("USD", "principal due and not yet paid")
    arrears: float = of("USD", "bills left unpaid at the month's end")
    arrears_months: float = of("months", "months in a row with arrears")
    defaulted: bool = of("", "it trades no more")
    revenue: float = of("USD", "revenue of the month")
    capex: float = of("USD", "chips, networks, racks, buildings of the month, less chips sold to a sister")
    spend: float = of("USD", "operating outflows of the month")
    spent: float = of("USD", "operating outflows of the month before")
    raised: float = of("USD", "equity paid in during the month")
    borrowed: float = of("USD", "debt drawn during the month, less principal repaid")
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
    owed_gpus: Array[float] = of("GPUs", "the chips that this is the price of", per=MAKERS)
    unpaid: float = of("USD", "of this month's shipments what was not paid")
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
    """A lab: its compute, research, service, finance and plans; then its allocator; what is read rarely comes last."""

    terms: LabTerms = of()
    firm: int = of("", "its number")
    strategy: int = of("", "names.Strategy")
    top_rule: int = of("", "names.AllocationRule between research and applied")
    research_rule: int = of("", "names.AllocationRule among research programmes")
    applied_rule: int = of("", "names.AllocationRule among products")
    startup: bool = of("", "raises equity; else money comes from its owner")
    fabric: float = of("H100e", "running compute on its largest single fabric")
    leased: float = of("H100e", "leased and delivered")
    leased_next: float = of("H100e", "under contract next month")
    negotiated: float = of("H100e", "under negotiation")
    running: float = of("H100e", "own energised and leased")
    need: float = of("H100e", "compute that would serve all demand")
    research: float = of("H100e", "given to research")
    applied: float = of("H100e", "given to applied")
    researching: float = of("H100e", "held by research projects")
    serving: float = of("H100e", "held by products")
    share: float = of("1", "research share decided at the last review")
    reviewed: int = of("months", "month of the last review")
    big_run: float = of("H100e", "held by the big run")
    run_months: float = of("months", "since the big run began, 0 for none")
    reserved: float = of("H100e", "held back for a big run that waits")
    idle: float = of("H100e", "held by no project")
    moved: float = of("H100e", "moved by operations this month")
    shadow: float = of("USD/H100e-month", "marginal value of compute; 0 with nothing to allocate")
    unit: float = of("H100e", "node or rack of its largest fabric: what operations move")
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
    rent_bill: float = of("USD", "rent of the month, discounts taken off")
    valuation: float = of("USD", "post-money of the last round")
    burn: float = of("USD/month", "smoothed net burn")
    revenue_year: float = of("USD/year", "annual revenue, from a smoothed month")
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
    unmet_before: float = of("H100e", "leases wanted the month before and not found")
    asked_by: Array[float] = of("H100e", "what each claimant to a pot can use", per=PROGRAMMES)
    weight_by: Array[float] = of("1", "weight of each claimant to a pot", per=PROGRAMMES)
    value_by: Array[float] = of("1", "value of each claimant to a pot", per=PROGRAMMES)
    work_by: Array[float] = of("", "room for a rule's own figures", per=PROGRAMMES)
    granted: Array[float] = of("H100e", "what each claimant is granted", per=PROGRAMMES)
    held_by: Array[float] = of("H100e", "level 3: what a programme's projects hold", per=PROGRAMMES)
    queued: int = of("", "how many research projects there are")
    queue: Array[int] = of("", "slots of the research projects, oldest first", per=PROJECTS)
    standing: Array[int] = of("", "slots of the products in use", per=PROGRAMMES)
    projects: Array[Project] = of(per=PROJECTS)
    products: Array[Project] = of(per=PROGRAMMES)
    lost_lease: float = of("H100e", "under negotiation until it collapsed or gave less this month")
    in_use: float = of("1", "share of its running compute that is not idle")
    rent_due: Array[float] = of("USD", "rent of the month, by cloud", per=CLOUDS)
    owed_rent: Array[float] = of("USD", "rent not yet paid, by cloud", per=CLOUDS)
    leased_from: Array[float] = of("GPUs", "running for it under contract, by cloud", per=CLOUDS)
    clouds: Array[int] = of("", "clouds it may lease from, in order; -1 ends", per=CLOUDS)
    by_site: Array[float] = of("H100e", "running compute by site: one fabric each", per=SITES)
    newest: Slots = of("", "its last lease by cloud and chip: row of the contract", per=(CLOUDS, CHIPS))
    shares: Array[float] = of("shares", "cap table: whole shares by holder", per=FIRMS)


@record
class Cloud:
    """A cloud: what it holds, uses, leases out."""

    terms: CloudTerms = of()
    firm: int = of("", "its number")
    own_wanted: float = of("H100e", "wanted for its own use")
    own_held: float = of("H100e", "held for its own use")
    leased_out: Array[float] = of("GPUs", "under contract, by chip", per=CHIPS)
    free: Array[float] = of("GPUs", "running and under no contract", per=CHIPS)
    honoured: Array[float] = of("1", "share of its contracts that it serves this month, by chip", per=CHIPS)
    contracted: float = of("H100e", "under contract and delivered")
    spot: float = of("H100e", "rented to outside renters")
    asked: float = of("H100e", "leases wanted from it and not met")
    sought: float = of("H100e", "leases sought from it by the labs that it serves now")
    part: float = of("1", "part of these that it can serve")


@record
class Sister:
    """A firm of the same owner as a lab, with its own use for GPUs."""

    terms: SisterTerms = of()
    firm: int = of("", "its number")
    wanted: float = of("H100e", "compute wanted")


@record
class Maker:
    """A chipmaker."""

    terms: MakerTerms = of()
    firm: int = of("", "its number")
    generations: Array[int] = of("", "its chips in order; -1 ends", per=CHIPS)
    mix: Array[float] = of("1", "share of each chip in this month's output, in H100e", per=CHIPS)
    price: Array[float] = of("USD/GPU", "posted price", per=CHIPS)
    mix_price: float = of("USD/H100e", "posted price of the mix, without networking")
    pipeline: Array[float] = of("H100e", "starts, by months until finished", per=PIPELINE)
    started: float = of("H100e", "starts of the month")
    expected: float = of("H100e/month", "expected new orders")
    output: float = of("H100e", "finished this month")
    carry: Array[float] = of("GPUs", "finished part of a unit", per=CHIPS)
    shipped: Array[float] = of("GPUs", "shipped this month", per=CHIPS)
    shipped_h100e: float = of("H100e", "shipped this month")
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
    waiting: float = of("MW", "asked for and not approved")


@record
class Investor:
    """A group of investors."""

    terms: InvestorTerms = of()
    firm: int = of("", "its number")
    debt: bool = of("", "lends instead of buying shares")
