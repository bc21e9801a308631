"""The record of one run: everything that rules read and write. Allocated once a batch, an array over runs."""

from typing import TYPE_CHECKING

from ..engine import Array, of, record, row
from ..parameters import (
    GLOBAL,
    AllocationTerms,
    CapitalTerms,
    DemandTerms,
    FoundryTerms,
    GpuMarketTerms,
    LeaseMarketTerms,
    OutsideTerms,
    PlanningTerms,
    PowerMarketTerms,
    ResearchTerms,
    TransferTerms,
)
from ..rows import AgentRow, DealRow, MarketRow, SiteRow
from .firms import Buyer, Cloud, Firm, Integrator, Investor, Lab, Maker, Sister, Utility
from .places import Chip, Contract, Programme, Round, Site
from .room import (
    ACCOUNTS,
    CHIPS,
    CLOUDS,
    CONTRACTS,
    DEALS,
    FIRMS,
    INTEGRATORS,
    INVESTORS,
    ITEMS,
    LABS,
    MAKERS,
    ORDERING,
    PIPELINE,
    PROGRAMMES,
    ROUNDS,
    SERIES,
    SISTERS,
    SITES,
    UTILITIES,
)

if TYPE_CHECKING:
    Grid = Array[Array[float]]
else:
    Grid = Array[float]  # A record knows an array's axes from ``per``, a type checker from its type.

for _terms in GLOBAL.values():
    record(_terms)


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
    contracts_used: int = of("", "contract records, up to the last one in use")
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
    closed_value: float = of("USD", "pre-money of the rounds that closed this month")
    closed_revenue: float = of("USD/year", "annual revenue of the labs whose rounds closed this month")
    it_tariff: float = of("USD/MWh", "energy for IT, overhead included: the mean over what runs")
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
    gpus_total: Array[float] = of("GPUs", "all accounts together", per=CHIPS)
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
