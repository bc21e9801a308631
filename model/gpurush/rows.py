"""The rows of the result tables as records: one row per agent, site or market item and month.

The rule that closes a month fills them; recording copies them as they are. A column's unit and meaning stand here
and nowhere else. ``nan`` means "not defined" (a ratio with nothing below the line) and becomes null in files.
"""

from .engine import of, record


@record
class AgentRow:
    """Table ``agents``: one firm, one month. Flows are sums over the month, stocks those of its last day."""

    cash_usd: float = of("USD", "cash")
    debt_usd: float = of("USD", "debt drawn and not repaid")
    arrears_usd: float = of("USD", "bills due and not paid")
    equity_raised_usd: float = of("USD", "equity paid in during the month")
    valuation_usd: float = of("USD", "post-money valuation of the last round")
    runway_months: float = of("months", "cash over three-month mean net burn; null without net burn")
    revenue_usd: float = of("USD", "revenue of the month")
    capex_usd: float = of(
        "USD", "chips, networks, racks, buildings paid in the month, less chips sold to a sister"
    )
    compute_spend_usd: float = of("USD", "rent, power, running cost and depreciation of the compute used")
    research_spend_usd: float = of("USD", "compute spend on research")
    inference_spend_usd: float = of("USD", "compute spend on applied products")
    h100e_owned: float = of("H100e", "owned and delivered to a site")
    h100e_leased: float = of(
        "H100e", "leased from others and delivered; of a cloud what labs lease of it, negative"
    )
    h100e_energised: float = of(
        "H100e",
        "running: own, plus leased; of a lab without its other use, of a cloud with what it leases out",
    )
    h100e_stranded: float = of("H100e", "owned, delivered and not energised")
    h100e_in_transit: float = of("H100e", "bought, shipped and not at a site")
    h100e_target: float = of(
        "H100e", "compute that the strategy aimed at for this month, before affordability"
    )
    facility_mw: float = of("MW", "drawn by its own sites")
    research_share: float = of("1", "share of running compute given to research")
    big_run_h100e: float = of("H100e", "running compute held by a big run")
    reserved_h100e: float = of("H100e", "compute held back for a big run that waits")
    idle_h100e: float = of("H100e", "running compute that no project holds, reserved apart")
    shadow_price_usd: float = of("USD/H100e-month", "value of one more H100e for a month")
    moved_h100e: float = of("H100e", "given back by projects that wind down or when a side shrinks")
    researchers: float = of("persons", "researchers")
    h100e_per_researcher: float = of("H100e", "research compute over researchers")
    efficiency: float = of("1", "algorithmic efficiency, 1 = frontier of 2023-01")
    capability: float = of("log10 FLOP", "effective FLOP of the best released model")
    order_inflation: float = of("1", "order inflation of the month")
    bound_by: int = of("", "what keeps running compute below the target (names.Bound)")


@record
class SiteRow:
    """Table ``sites``: one building, one month."""

    gpus_delivered: float = of("GPUs", "delivered to the site")
    gpus_energised: float = of("GPUs", "running")
    gpus_busy: float = of("GPUs", "running and held by a project, a tenant or own use")
    h100e_energised: float = of("H100e", "running")
    h100e_stranded: float = of("H100e", "delivered and not running")
    shell_mw: float = of("MW", "facility power that finished buildings can take")
    grid_mw: float = of("MW", "connected to the grid")
    requested_mw: float = of("MW", "asked for, in all")
    approved_mw: float = of("MW", "approved, in all")
    onsite_mw: float = of("MW", "turbines running")
    facility_mw: float = of("MW", "drawn")
    binding_limit: int = of("", "the limit that binds (names.Binding)")
    shadow_h100e_per_mw: float = of("H100e/MW", "H100e that one more MW would energise")


@record
class MarketRow:
    """Table ``markets``: one item of a market, one month; units by market in ``names.Market``."""

    price_usd: float = of(
        "USD", "posted price or rent; tariff of the utility; pre-money over annual revenue of the rounds"
    )
    orders: float = of("", "new orders")
    need: float = of("", "what buyers would like shipped now")
    shipped: float = of("", "shipped, signed, connected or closed")
    backlog: float = of("", "ordered and not shipped")
    fill_rate: float = of("1", "shipped over need; null without need")
    lead_time_months: float = of("months", "quoted lead time")
    book_to_bill: float = of("1", "orders over shipped; null with nothing shipped")


@record
class DealRow:
    """Table ``deals``: the transfers of one kind between two accounts in one month."""

    kind: int = of("", "kind of transfer (names.Deal)")
    payer: int = of("", "account that gives")
    payee: int = of("", "account that receives")
    asset: int = of("", "-1 for USD, else the chip")
    amount: float = of("USD or GPUs", "whole dollars, or whole GPUs")
    quantity: float = of("", "what the money buys, in the unit of the kind; 0 where there is none")
