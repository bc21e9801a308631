"""Every number that a scenario may set: its name, its unit, its meaning. Declared once, here.

``scenario/schema.py`` makes the blocks of a scenario file from these classes, ``state.py`` the compiled records that
rules read (``lab.terms.cash``). Values, ranges, sources and grades stand in ``scenarios/*.toml``, never in code.
"""

from .fields import of


class ResearchTerms:
    """[research] Production of research from compute and researchers."""

    elasticity: float = of("1", "elasticity of substitution between research compute and researchers")
    compute_weight: float = of("1", "weight of compute in research at the reference point", most=1.0)
    reference_h100e: float = of("H100e", "research compute at the reference point", least=1.0)
    reference_researchers: float = of("persons", "researchers at the reference point", least=1.0)
    progress: float = of("1/month", "growth of algorithmic efficiency at the reference point")
    parallelisation: float = of("1", "exponent of research input in progress")
    diminishing: float = of("1", "exponent by which past progress slows progress")
    progress_cap: float = of("1/month", "most that efficiency can grow in a month by own research")
    spillover: float = of("1/month", "share of the gap to the frontier's efficiency closed in a month")
    mfu: float = of("1", "model FLOP utilisation of a big run, of dense 16-bit peak", most=1.0)
    goodput: float = of("1", "share of a big run's time that is not lost to failures", most=1.0)
    release_step: float = of("log10 FLOP", "effective FLOP by which a new model must exceed the last")
    release_gap: float = of("months", "least time between two releases")


class DemandTerms:
    """[demand] Demand for the labs' services."""

    potential: float = of("USD/month", "market potential at the reference capability")
    capability_elasticity: float = of(
        "1/log10 FLOP", "log10 growth of the potential with the frontier's capability"
    )
    reference_capability: float = of("log10 FLOP", "capability at which the potential is stated")
    diffusion: float = of("1/month", "growth of demand while it is far below the potential", most=1.0)
    arrival: float = of(
        "1/month", "share of the gap to a lab's potential that arrives from outside", most=1.0
    )
    choice_intensity: float = of("1/log10 FLOP", "how strongly customers follow capability")
    price_elasticity: float = of("1", "elasticity of demanded volume to price")
    price_over_rent: float = of("1", "price of a served H100e-month over its rent")
    price_reference: float = of("USD/H100e-month", "price at which the potential is stated", least=1.0)
    leakage: float = of("1", "share of unserved demand that goes to rivals with room", most=1.0)
    pay: float = of("USD/month", "pay of a researcher")
    payroll_over_researchers: float = of("1", "payroll over the pay of researchers")
    running: float = of("USD/H100e-month", "other running cost of compute")


class GpuMarketTerms:
    """[markets.gpu] Posted price, orders, rationing and delivery of GPUs."""

    order_inflation_cap: float = of("1", "most that a buyer inflates what it is due", least=1.0)
    inflation_learning: float = of("1/month", "weight of the latest fill in the expected fill", most=1.0)
    order_speed: float = of("1/month", "share of the gap to the wanted backlog ordered in a month", most=1.0)
    cancel_speed: float = of("1/month", "share of an excess backlog cancelled in a month", most=1.0)
    advance: float = of("1", "customer advance at the order, of its price", most=1.0)
    lead_smoothing: float = of("1/month", "weight of the latest reading in the quoted lead time", most=1.0)
    lead_normal: float = of("months", "lead time at which the price stays", least=0.1)
    price_sensitivity: float = of("1/month", "price rise for a lead time twice the normal one")
    price_decline: float = of("1/month", "price decline of a chip in its first year")
    price_decline_old: float = of("1/month", "price decline of a chip after that")
    price_cut: float = of("1/month", "further cut while the lead time is short")
    lead_short: float = of("months", "lead time below which makers cut prices")
    margin_floor: float = of("1", "gross margin below which the price does not fall", most=0.99)
    network_share: float = of("1", "networking sold with the chips, of their price", least=1.0)
    transit: float = of("months", "time from shipment to the site", least=1.0, most=5.0)
    buyer_growth_cap: float = of("1/month", "most that a buyer plans to grow by purchase in a month")
    buyer_growth_least: float = of("H100e/month", "least growth that any buyer may plan for")
    horizon: float = of("months", "longest lead time that buyers plan for")
    lead_longest: float = of("months", "longest lead time that a maker quotes")
    lead_excess_most: float = of("1", "most by which a lead time over the normal one raises the price")
    order_opening: float = of("months", "time before its first launch from which a maker takes orders")
    fill_start: float = of("1", "fill that buyers expect at the start", most=1.0, opening=True)


class FoundryTerms:
    """[foundry] Advanced packaging: capacity, its pipeline and its rule of expansion."""

    start_lead: float = of("months", "time from wafer start to finished chip", least=1.0, most=11.0)
    expansion_lead: float = of(
        "months", "time from an order of packaging tools to capacity", least=1.0, most=12.0
    )
    expansion_base: float = of("1/month", "expansion when the backlog is normal")
    expansion_slope: float = of("1/month", "further expansion per month of backlog above normal")
    expansion_normal: float = of("months", "backlog at which expansion is the base")
    expansion_low: float = of("1/month", "least expansion")
    expansion_high: float = of("1/month", "most expansion")


class LeaseMarketTerms:
    """[markets.lease] Posted rents, contracts and outside renters."""

    adjustment: float = of("1/month", "share of the gap to the target rent closed in a month", most=1.0)
    margin: float = of("1", "target rent over owning cost when capacity is slack")
    tightness_margin: float = of("1", "further margin when capacity is tight")
    tight_from: float = of("months", "lead time at which capacity starts to be tight")
    tight_to: float = of("months", "lead time at which capacity is fully tight")
    owning_markup: float = of("1", "cost of a powered, networked GPU over its price")
    owning_months: float = of("months", "months over which an owner recovers its cost", least=1.0)
    term: float = of("months", "length of a lease", least=1.0)
    take_or_pay: float = of("1", "share of a lease that is paid whether used or not", most=1.0)
    growth_cap: float = of("1/month", "most that a lessee plans to grow its leases in a month")
    growth_least: float = of("H100e/month", "least growth that any lessee may plan for")
    contract_discount: float = of("1", "discount of a term contract from the posted rent", most=1.0)
    outside_elasticity: float = of("1", "elasticity of outside renters' demand to rent")
    collapse: float = of("1/month", "hazard that a negotiation collapses, with nothing amiss", most=1.0)
    collapse_gap: float = of("1", "effect of undelivered capacity on the logit of that hazard")
    collapse_power: float = of("1", "effect of unpowered capacity on the logit of that hazard")
    expected_weight: float = of("1", "share of a lease under negotiation that the lessee counts on", most=1.0)
    negotiation: float = of("months", "time from the opening of a negotiation to its signature")
    renewal_need: float = of(
        "1", "share of its leased compute that a lessee must still want to renew a lease", most=1.0
    )
    own_use_first: float = of(
        "1", "share of newly free capacity that a cloud keeps for its own use, if it wants it", most=1.0
    )


class PowerMarketTerms:
    """[markets.power] Interconnection queue, building of shells, on-site gas."""

    variation: float = of("1", "coefficient of variation of every stage's time")
    request_least: float = of("MW", "least amount that a firm asks for")
    queue_slowdown: float = of(
        "1", "lengthening of a study for each headroom of requests beyond the congestion share"
    )
    crowding_most: float = of("1", "most crowding beyond the congestion share that lengthens a study")
    window: float = of("months", "time between two windows in which a utility takes requests", least=1.0)
    building_share: float = of("1", "most of its cash that a firm commits to buildings at once", most=1.0)
    gas_block: float = of("MW", "size of one rented turbine", least=0.1)
    gas_energy: float = of("USD/MWh", "cost of energy from on-site gas")
    gas_premium: float = of("USD/MW-month", "rental of a turbine")
    gas_permit_risk: float = of("USD/MW", "expected cost of permits and suspension")


class CapitalTerms:
    """[markets.capital] Equity rounds."""

    runway_trigger: float = of("months", "runway below which a firm asks for money")
    round_gap: float = of("months", "least time between two rounds")
    ask_months: float = of("months", "burn that a round covers")
    revenue_multiple: float = of("1", "pre-money valuation over annual revenue")
    step_up: float = of("1", "valuation over the last one after a release")
    asset_multiple: float = of("1", "floor of the valuation over the replacement value of compute")
    sold_most: float = of("1", "largest share sold in a round", most=0.99)
    powder_share: float = of("1", "share of dry powder that investors commit in a month", most=1.0)
    close_low: float = of("months", "shortest time to close a round")
    close_high: float = of("months", "longest time to close a round")
    cushion: float = of("months", "operating outflows that a firm keeps in cash when it orders or borrows")
    default_after: float = of(
        "months", "months in a row with arrears after which a firm is in default", least=1.0
    )


class TransferTerms:
    """[markets.transfer] Chips without power meet power without chips, inside a group."""

    horizon: float = of("months", "time over which a chip's value is counted", most=36.0)
    discount: float = of("1/month", "discount rate", most=1.0)
    friction: float = of("USD/GPU", "cost of moving a chip to a sister firm")
    cash_cost: float = of("USD/H100e-hour", "running cost of a chip")


class AllocationTerms:
    """[allocation] The allocator inside a lab."""

    value_exponent: float = of("1", "exponent of the value of compute on a side", most=0.99)
    research_value: float = of("1", "value of research compute over that of applied compute")
    review_gap: float = of("months", "time between two reviews of the research share")
    moving_cost: float = of("days", "work lost when a block of GPUs changes project")
    project_months: float = of("months", "mean length of a project")
    winddown_months: float = of("months", "time over which a project winds down", least=1.0)
    project_arrivals: float = of("1/month", "new projects pitched in a lab in a month")
    project_size: float = of("1", "mean size of a project, of research compute")
    project_longest: float = of("1", "largest size and length of a project, over the mean")
    opening_projects: float = of("1", "projects under way when a lab opens", most=8.0)
    project_stretch: float = of("1", "most that a project can use, over what it asked for")
    big_run_months: float = of("months", "longest time that a big run holds its fabric", least=1.0)
    big_run_pause: float = of("months", "time between two big runs")
    big_run_most: float = of("1", "largest share of research compute that a big run may take", most=1.0)


class PlanningTerms:
    """[planning] How firms plan: horizons, expectations, what they hold to be affordable."""

    lease_horizon: float = of("months", "time ahead for which leases are planned")
    power_horizon: float = of("months", "time ahead for which power and buildings are planned")
    power_slack: float = of(
        "months", "time by which firms let chips run ahead of the power that they hope for"
    )
    power_stretch: float = of("1", "most compute that a lab plans to power, over what it can pay for")
    early_months: float = of(
        "months", "time from the start or the founding over which early growth rates hold"
    )
    least_kept: float = of("1", "share of what it runs that a lab never plans to fall below", most=1.0)
    fleet_kept: float = of("1", "share of its fleet that a cloud never plans to fall below", most=1.0)
    growth_start: float = of("1/month", "growth of demand that labs expect at the start", opening=True)
    growth_seen_low: float = of("1/month", "least growth of demand that a lab believes when it sees it")
    growth_seen_high: float = of("1/month", "most growth of demand that a lab believes when it sees it")
    growth_low: float = of("1/month", "least growth of demand that a lab plans with")
    growth_high: float = of("1/month", "most growth of demand that a lab plans with")
    growth_horizon: float = of("months", "longest time over which a lab projects that growth")
    demand_learning: float = of(
        "1/month", "weight of the latest growth in the expected growth of demand", most=1.0
    )
    demand_horizon: float = of("months", "time ahead whose demand counts as income")
    fixed_kept: float = of("months", "fixed cost that a lab keeps in cash")
    flow_months: float = of("months", "time over which cash flow and burn are averaged", least=1.0)
    revenue_smoothing: float = of("1/month", "weight of the latest month in annual revenue", most=1.0)
    cash_months: float = of("months", "time over which a lab plans to spend its cash", least=1.0)
    equity_share: float = of("1", "share of its valuation that a start-up plans to raise over that time")
    payback: float = of("months", "time over which a buyer wants a chip to pay", least=1.0)
    waiting: float = of("1", "cost of waiting for power for the payback time, over owning cost")


class LabTerms:
    """[labs.<name>] A lab."""

    cash: float = of("USD", "cash at the start", opening=True)
    valuation: float = of("USD", "post-money valuation of the last round before the start", opening=True)
    researchers: float = of("persons", "researchers at the start or the founding", opening=True)
    researcher_growth: float = of("1/month", "growth of researchers in the first two years")
    researcher_growth_late: float = of("1/month", "growth of researchers after that")
    efficiency: float = of("1", "algorithmic efficiency at the start, 1 = frontier of 2023-01", opening=True)
    capability: float = of(
        "log10 FLOP", "effective FLOP of the best released model at the start", opening=True
    )
    brand: float = of("1", "advantage in customers' choice, in units of utility")
    demand: float = of("USD/month", "demand for the service at the start", opening=True)
    run_share: float = of("1", "share of research compute that a big run takes", most=1.0)
    big_run_h100e: float = of("H100e", "least compute on one fabric for a big run")
    research_share: float = of("1", "research share under the fixed rule", most=1.0)
    applied_cap: float = of("1", "largest share of compute that goes to applied", most=1.0)
    compute_growth: float = of("1/year", "compute over that of a year before, to the end of the second year")
    compute_growth_late: float = of("1/year", "compute over that of a year before, afterwards")
    h100e_per_researcher: float = of("H100e", "target of the strategy compute_per_researcher, at the start")
    h100e_per_researcher_growth: float = of("1/year", "that target over the one of a year before")
    h100e_target: float = of("H100e", "announced run size of the strategy catch_up")
    inflow: float = of("USD/month", "cash set aside for AI by the lab's owner")
    inflow_growth: float = of("1/month", "growth of that inflow")
    fixed_cost: float = of("USD/month", "cost that does not follow compute or people")
    second_source: float = of("1", "share of orders placed with a second chipmaker", most=1.0, opening=True)
    other_use: float = of(
        "1", "share of owned compute that the owner's other business uses: ranking, advertising", most=0.99
    )


class CloudTerms:
    """[clouds.<name>] A cloud, or the host of a lab."""

    cash: float = of("USD", "cash at the start", opening=True)
    inflow: float = of("USD/month", "cash set aside for AI by the rest of the firm")
    inflow_growth: float = of("1/month", "growth of that inflow")
    own_use: float = of("H100e", "compute that the firm uses itself at the start")
    own_growth: float = of("1/year", "growth of own use, to the end of the second year")
    own_growth_late: float = of("1/year", "growth of own use afterwards")
    lease_response: float = of("1", "share of the leases wanted from it that it builds for")
    outside_rent: float = of("H100e", "compute that outside renters take at the start's rent")
    outside_rent_growth: float = of("1/year", "growth of that, to the end of the second year")
    outside_rent_growth_late: float = of("1/year", "growth of that afterwards")
    debt_limit: float = of("1", "debt secured on GPUs, of their replacement value")
    second_source: float = of("1", "share of orders placed with a second chipmaker", most=1.0, opening=True)


class SisterTerms:
    """[sisters.<name>] A firm of the same owner as a lab, with a use of its own for GPUs."""

    cash: float = of("USD", "cash at the start", opening=True)
    inflow: float = of("USD/month", "cash set aside for AI")
    inflow_growth: float = of("1/month", "growth of that inflow")
    own_use: float = of("H100e", "compute wanted at the start")
    own_growth: float = of("1/year", "growth of the compute wanted")


class MakerTerms:
    """[makers.<name>] A chipmaker."""

    cash: float = of("USD", "cash at the start", opening=True)
    wafer_share: float = of("1", "share of packaged wafers that carry its chips, with the yield in it")
    backlog: float = of("months", "backlog at the start, in months of output", opening=True)
    start_growth_low: float = of("1", "least starts over those of the month before")
    start_growth_high: float = of("1", "most starts over those of the month before")
    backlog_response: float = of("1/month", "share of excess backlog added to starts")
    backlog_target: float = of("months", "backlog that the maker aims at")
    order_smoothing: float = of("1/month", "weight of the latest orders in the maker's expectation", most=1.0)
    unit_cost: float = of("1", "unit cost over the launch price")
    output: float = of("H100e/month", "output of the first month, from starts before the start", opening=True)
    output_growth: float = of("1/month", "growth of the output already started", opening=True)


class IntegratorTerms:
    """[integrators.<name>] A builder of racks."""

    cash: float = of("USD", "cash at the start", opening=True)
    racks: float = of("racks/month", "racks that it can build in a month at the start", opening=True)
    liquid_racks: float = of(
        "racks/month", "liquid-cooled racks that it can build in a month at the start", opening=True
    )
    growth: float = of("1/month", "growth of both")
    share: float = of("1", "share of the racks of firms that use integrators", most=1.0)
    fee: float = of("USD/rack", "fee for building a rack")


class UtilityTerms:
    """[utilities.<name>] A power utility."""

    headroom: float = of("MW", "load that it can still connect at the start", opening=True)
    headroom_growth: float = of("MW/month", "load that becomes possible each month")
    tariff: float = of("USD/MWh", "price of energy")
    study: float = of("months", "mean time of a study")
    construction: float = of("months", "mean time to build a connection")
    board_threshold: float = of("MW", "site load from which its board votes")
    board: float = of("months", "mean time to a board's vote")
    congestion: float = of("1", "share of headroom above which studies take longer")


class InvestorTerms:
    """[capital.<name>] A group of investors."""

    dry_powder: float = of("USD", "money ready to invest at the start", opening=True)
    inflow: float = of("USD/month", "new money each month at the start")
    inflow_growth: float = of("1/month", "growth of that")
    interest: float = of("1/year", "interest on secured debt")
    amortisation: float = of("months", "time over which secured debt is repaid", least=1.0)


class OutsideTerms:
    """[outside] Buyers of GPUs and renters that are not agents of their own."""

    demand: float = of("1", "multiplier of the stock of GPUs that outside buyers aim at", most=100.0)
    price_elasticity: float = of("1", "elasticity of that stock to the price of GPUs")
    growth_late: float = of(
        "1/year", "growth of the stock aimed at after the last dated value", least=0.01, opening=True
    )
    growth_fade: float = of("1/year", "share of that growth rate lost in a year", most=0.99, opening=True)
    fleet: float = of("H100e", "stock at the start", opening=True)
    second_source: float = of("1", "share of orders placed with a second chipmaker", most=1.0, opening=True)


class SiteTerms:
    """[sites.<name>] A building that holds GPUs."""

    shell_mw: float = of("MW", "facility power that the finished building can take, at the start")
    pue: float = of("1", "power usage effectiveness", least=1.0)
    it_kw_factor: float = of("1", "all-in IT power of a chip over the catalogue's")
    liquid_share_limit: float = of("1", "share of the building's IT power that liquid cooling can carry")
    liquid_share_built: float = of(
        "1", "share of the IT power of what is built on later that liquid cooling can carry"
    )
    air_share_limit: float = of("1", "share of the building's IT power that air cooling can carry")
    racks: float = of("racks/MW", "rack positions per MW of shell")
    shell_build: float = of("months", "mean time to fit out a building that stands already")
    extension_build: float = of("months", "mean time to build an extension")
    shell_cost: float = of("USD/MW", "cost of a shell with its electrical plant, without IT")


class SitePowerTerms:
    """[power.<name>] The grid connection and the turbines of a site."""

    grid_mw: float = of("MW", "connected at the start", opening=True)
    pipeline_mw: float = of("MW/month", "connections and shells under way at the start, arriving each month")
    pipeline_months: float = of("months", "months over which these arrive")
    approval_delay: float = of("months", "further delay of a board's approval")
    gas_mw: float = of("MW", "most on-site generation that can be rented; 0 bars it")
    gas_delivery: float = of("months", "mean time from order to running turbine")


GLOBAL = {
    "research": ResearchTerms,
    "demand": DemandTerms,
    "markets.gpu": GpuMarketTerms,
    "markets.lease": LeaseMarketTerms,
    "markets.power": PowerMarketTerms,
    "markets.capital": CapitalTerms,
    "markets.transfer": TransferTerms,
    "foundry": FoundryTerms,
    "allocation": AllocationTerms,
    "planning": PlanningTerms,
    "outside": OutsideTerms,
}
"""Blocks that stand once in a scenario: path -> class."""

NAMED = {
    "labs": LabTerms,
    "clouds": CloudTerms,
    "sisters": SisterTerms,
    "makers": MakerTerms,
    "integrators": IntegratorTerms,
    "utilities": UtilityTerms,
    "capital": InvestorTerms,
    "sites": SiteTerms,
    "power": SitePowerTerms,
}
"""Blocks that stand once for each name: path of the table -> class."""
