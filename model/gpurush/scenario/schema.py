"""The blocks of a scenario file, made from ``parameters.py``, and the document that holds them.

``numbers_from`` gives a block every number of its class of terms, with unit and meaning; what stands here by
hand is what is not a number: rules, months, owners, lists. A new number needs nothing here. In code a block's
numbers are attributes: ``scenario.labs["xai"].cash.value``.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, get_args

from pydantic import AfterValidator, Field, create_model
from pydantic.fields import FieldInfo

from .. import parameters as p
from ..fields import fields_of
from ..names import AllocationRule, Rationing, Strategy
from .entries import AnyEvent, ChipName, Lease, Round, Strict, Tranche
from .errors import shown
from .number import ByName, Month, Name, Number, Quantity, one_of


class Block(Strict):
    """A block of numbers, ``[research]`` or ``[labs.xai]``."""

    imposed: bool = Field(False, description="whether the model is given this block rather than makes it")

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Number:
            """A number declared in ``parameters.py``."""


def numbers_from[B: Block](terms: type) -> Callable[[type[B]], type[B]]:
    """Gives a block the numbers that a class of ``parameters.py`` declares, all of them required."""

    def extend(kind: type[B]) -> type[B]:
        """The same block with a field for each number."""
        numbers: dict[str, Any] = {
            name: (Annotated[Number, Quantity.of(field)], ...) for name, field in fields_of(terms).items()
        }
        return create_model(
            kind.__name__, __base__=kind, __module__=kind.__module__, __doc__=kind.__doc__, **numbers
        )

    return extend


def quantity_of(field: FieldInfo) -> Quantity | None:
    """Unit and meaning of a field that holds a number or a table of numbers."""
    return _quantity(field.metadata) or _quantity(get_args(field.annotation))


def _quantity(parts: Any) -> Quantity | None:
    for part in parts:
        found = part if isinstance(part, Quantity) else _quantity(get_args(part))
        if found is not None:
            return found
    return None


def _in_order(series: dict[str, Number]) -> dict[str, Number]:
    if not series:
        raise ValueError("found no month, expected at least one")
    return {month: series[month] for month in sorted(series)}


def _once(names: list[str]) -> list[str]:
    for place, name in enumerate(names):
        if name in names[:place]:
            raise ValueError(f'found "{name}" twice')
    return names


Names = Annotated[list[str], AfterValidator(_once)]
"""A list of names, each once, in an order that means something."""

SharedBy = Annotated[AllocationRule, ByName(AllocationRule)]
"""A rule of level 2 of the allocator."""


@numbers_from(p.ResearchTerms)
class Research(Block):
    """Production of research."""


@numbers_from(p.DemandTerms)
class Demand(Block):
    """Demand for the labs' services."""


@numbers_from(p.GpuMarketTerms)
class GpuMarket(Block):
    """Market of GPUs."""

    rationing: Annotated[Rationing, ByName(Rationing)] = Field(description="how makers share what they ship")


@numbers_from(p.LeaseMarketTerms)
class LeaseMarket(Block):
    """Market of leases."""


@numbers_from(p.PowerMarketTerms)
class PowerMarket(Block):
    """Connections, shells and turbines."""


@numbers_from(p.CapitalTerms)
class CapitalMarket(Block):
    """Equity rounds."""


@numbers_from(p.TransferTerms)
class TransferMarket(Block):
    """Transfers inside a group."""


class Markets(Strict):
    """The markets, one block each."""

    gpu: GpuMarket
    lease: LeaseMarket
    power: PowerMarket
    capital: CapitalMarket
    transfer: TransferMarket


@numbers_from(p.FoundryTerms)
class Foundry(Block):
    """Advanced packaging."""

    wafers: Annotated[
        dict[Month, Annotated[Number, Quantity("wafers/month", "packaging capacity from that month on")]],
        AfterValidator(_in_order),
    ] = Field(description="packaging capacity by month")


@numbers_from(p.AllocationTerms)
class Allocation(Block):
    """The allocator inside a lab."""


@numbers_from(p.PlanningTerms)
class Planning(Block):
    """How firms plan."""


@numbers_from(p.OutsideTerms)
class Outside(Block):
    """Buyers and renters that are not agents of their own."""

    utility: str = Field(description="utility whose tariff outside buyers pay")
    path: Annotated[
        dict[Month, Annotated[Number, Quantity("H100e", "stock of compute that outside buyers aim at")]],
        AfterValidator(_in_order),
    ] = Field(description="stock that outside buyers aim at, by month")


class ChipLaunch(Block):
    """A chip on the market."""

    launch: Month = Field(description="month of the first shipment")
    price: Annotated[Number, Quantity("USD", "price of a chip at its launch")]
    ramp: Annotated[Number, Quantity("months", "time from launch to full production")]


@numbers_from(p.LabTerms)
class Lab(Block):
    """A lab."""

    strategy: Annotated[Strategy, ByName(Strategy)] = Field(description="what the lab aims its compute at")
    top_rule: SharedBy = Field(description="how research and applied share compute")
    research_rule: SharedBy = Field(description="how research programmes share compute")
    applied_rule: SharedBy = Field(description="how products share compute")
    kind: Annotated[str, AfterValidator(one_of(("startup", "corporate")))] = Field(
        description="startup: raises equity; corporate: lives on its owner's inflow"
    )
    owner: str | None = Field(None, description="group that owns the lab")
    founded: Month | None = Field(None, description="month of founding, if after the start")
    clouds: Names = Field(default_factory=list, description="clouds that the lab may lease from, in order")
    holders: dict[str, Annotated[Number, Quantity("1", "share of the lab's equity at the start")]] = Field(
        default_factory=dict, description="cap table at the start"
    )


@numbers_from(p.CloudTerms)
class Cloud(Block):
    """A cloud, or the host of a lab."""

    own_builder: bool = Field(
        description="whether the firm's own builder makes its racks, past the integrators"
    )


@numbers_from(p.SisterTerms)
class Sister(Block):
    """A firm of the same owner as a lab."""

    owner: str = Field(description="group that owns the firm, that of a lab")


@numbers_from(p.MakerTerms)
class Maker(Block):
    """A chipmaker."""

    chips: Annotated[list[ChipName], AfterValidator(_once)] = Field(description="its chips, by generation")


@numbers_from(p.IntegratorTerms)
class Integrator(Block):
    """A builder of racks."""


@numbers_from(p.UtilityTerms)
class Utility(Block):
    """A power utility."""


@numbers_from(p.InvestorTerms)
class Investor(Block):
    """A group of investors."""

    role: Annotated[str, AfterValidator(one_of(("equity", "debt")))] = Field(
        description="what it finances with"
    )


@numbers_from(p.SiteTerms)
class Site(Block):
    """A building that holds GPUs."""

    owner: str = Field(description="firm that owns the site")
    utility: str = Field(description="utility that serves the site")
    fabric: Annotated[str, Field(min_length=1)] = Field(
        description="back-end fabric, by its name in the catalogue"
    )
    own_builder: bool = Field(description="whether racks for the site skip the integrators")
    ready: Month | None = Field(
        None, description="month from which the building can be used, if after the start"
    )
    chips: dict[ChipName, Annotated[Number, Quantity("GPUs", "chips on the site at the start")]] = Field(
        default_factory=dict, description="chips on the site at the start"
    )


@numbers_from(p.SitePowerTerms)
class SitePower(Block):
    """The grid connection and the turbines of a site."""

    tranches: list[Tranche] = Field(default_factory=list, description="requests under way or known")


class Programme(Block):
    """A research programme or a product that every lab has."""

    side: Annotated[str, AfterValidator(one_of(("research", "applied")))] = Field(
        description="side of the lab"
    )
    weight: Annotated[Number, Quantity("1", "weight in the allocation of its side", 0.0)]
    value: Annotated[Number, Quantity("1", "value of its first unit of compute", 0.0)]


def _file_name(raw: str) -> str:
    if set(raw) & set("/\\:\0\n") or raw.startswith((".", "-")):
        raise ValueError(
            f"found {shown(raw)}, expected a name that a folder can have: no / \\ : and no leading . or -"
        )
    return raw


class Header(Strict):
    """``[scenario]`` What the scenario is about, and its months."""

    name: Annotated[str, Field(min_length=1), AfterValidator(_file_name)] | None = Field(
        None, description="name, if not that of the file; results stand in a folder of that name"
    )
    title: str = Field(description="title, one line")
    question: str = Field(description="question that the scenario answers")
    start: Month = Field(description="first month")
    months: Annotated[int, Field(ge=1, le=120)] = Field(description="number of months")


class Document(Strict):
    """A whole scenario file, after inheritance and defaults."""

    scenario: Header
    research: Research
    demand: Demand
    markets: Markets
    foundry: Foundry
    allocation: Allocation
    planning: Planning
    outside: Outside
    chips: dict[ChipName, ChipLaunch]
    programmes: dict[Name, Programme] = Field(default_factory=dict)
    labs: dict[Name, Lab] = Field(default_factory=dict)
    clouds: dict[Name, Cloud] = Field(default_factory=dict)
    sisters: dict[Name, Sister] = Field(default_factory=dict)
    makers: dict[Name, Maker] = Field(default_factory=dict)
    integrators: dict[Name, Integrator] = Field(default_factory=dict)
    utilities: dict[Name, Utility] = Field(default_factory=dict)
    capital: dict[Name, Investor] = Field(default_factory=dict)
    sites: dict[Name, Site] = Field(default_factory=dict)
    power: dict[Name, SitePower] = Field(default_factory=dict)
    leases: list[Lease] = Field(default_factory=list)
    rounds: list[Round] = Field(default_factory=list)
    events: list[AnyEvent] = Field(default_factory=list)


BLOCKS: dict[str, type[Block]] = {
    "labs": Lab,
    "clouds": Cloud,
    "sisters": Sister,
    "makers": Maker,
    "integrators": Integrator,
    "utilities": Utility,
    "capital": Investor,
    "sites": Site,
    "power": SitePower,
}
"""Kinds of named blocks that may have ``[defaults.<kind>]`` -> class of their blocks."""

FIRMS = ("labs", "clouds", "sisters", "makers", "integrators", "utilities", "capital")
"""Tables of firms: a name stands in one of them only."""

APPENDED = ("leases", "rounds", "events")
"""Lists that a scenario adds to those of the scenario it extends."""
