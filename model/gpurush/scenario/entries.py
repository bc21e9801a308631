"""What a scenario lists rather than names: tranches of power, leases, rounds, events.

Every entry may say where it is from (``source``, ``note``) and whether it is imposed on the model rather than
made by it (``imposed``).
"""

from typing import Annotated, Any, ClassVar

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    ValidationInfo,
    field_validator,
    model_validator,
)

from ..catalog.chips import Chip
from ..names import EventKind
from .errors import choose
from .number import ByName, Month, Number, Quantity, declared, one_of

CHIPS = tuple(Chip.__members__)
"""Chips that a scenario may speak of: those of the catalogue."""

ChipName = Annotated[str, AfterValidator(one_of(CHIPS))]
"""Name of a chip in the catalogue."""


class Strict(BaseModel):
    """A table of a scenario: unknown keys are refused, nothing is converted, nothing changes later."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Entry(Strict):
    """An entry of a list."""

    imposed: bool = Field(False, description="whether the model is given this rather than makes it")
    source: str | None = Field(None, description="where it is from")
    note: str | None = Field(None, description="a remark")


class Tranche(Entry):
    """Power that a site has asked for before the start or is known to ask for.

    A tranche with a date of ``energised`` is imposed: the model does not work out its wait.
    """

    mw: Annotated[Number, Quantity("MW", "power asked for")]
    requested: Month = Field(description="month of the request")
    energised: Month | None = Field(None, description="imposed month of connection")
    board: bool = Field(description="whether the utility's board votes on it")

    @model_validator(mode="after")
    def _in_order(self) -> "Tranche":
        if self.energised is not None and self.energised < self.requested:
            raise ValueError(f"energised {self.energised} is before requested {self.requested}")
        return self


class Lease(Entry):
    """``[[leases]]`` A contract in force at the start or signed before the model signs its own."""

    lessor: str = Field(description="cloud that leases out")
    lessee: str = Field(description="firm that rents")
    chip: ChipName = Field(description="chip leased")
    gpus: Annotated[Number, Quantity("GPUs", "chips leased when the contract begins")]
    rent: Annotated[Number, Quantity("USD/GPU-hour", "rent of a chip")]
    start: Month = Field(description="first month")
    term: Annotated[Number, Quantity("months", "length of the contract")]
    discount: Annotated[Number, Quantity("1", "discount from the rent", 0.0, 0.99)]
    equity: bool = Field(description="whether the rent is paid from the lessor's investment in the lessee")
    grows: Annotated[Number, Quantity("1/month", "growth of the contract by staged delivery")]


class Round(Entry):
    """``[[rounds]]`` A funding round that has closed."""

    imposed: bool = Field(True, description="closed rounds are imposed")
    date: Month = Field(description="month of closing")
    firm: str = Field(description="firm that raises money")
    investor: str = Field(description="investor or firm that pays")
    amount: Annotated[Number, Quantity("USD", "amount raised")]
    post_money: Annotated[Number, Quantity("USD", "valuation after the round")]

    @model_validator(mode="after")
    def _below_value(self) -> "Round":
        if self.amount.value > self.post_money.value:
            raise ValueError(f"amount {self.amount.value:g} is above post_money {self.post_money.value:g}")
        return self


class Event(Entry):
    """``[[events]]`` Something that the scenario says happens in a month."""

    which: ClassVar[EventKind]
    imposed: bool = Field(True, description="events are imposed")
    date: Month = Field(description="month in which it happens")
    kind: Annotated[EventKind, ByName(EventKind)] = Field(description="what happens")


class SetEvent(Event):
    """A number of the scenario has a new value from that month on."""

    which: ClassVar[EventKind] = EventKind.set
    path: str = Field(description="dotted path of the number")
    value: Annotated[Number, Quantity(None, "new value, in the unit of the number")]

    @field_validator("value", mode="before")
    @classmethod
    def _read(cls, raw: Any, info: ValidationInfo) -> Any:
        quantity = declared(info.data.get("path", ""))
        return quantity.read(raw) if quantity else raw

    @field_validator("value")
    @classmethod
    def _check(cls, value: Number, info: ValidationInfo) -> Number:
        quantity = declared(info.data.get("path", ""))
        return quantity.check(value) if quantity else value


class DelayEvent(Event):
    """Every request for power that a site has waiting takes longer."""

    which: ClassVar[EventKind] = EventKind.delay
    site: str = Field(description="site whose requests wait")
    months: Annotated[Number, Quantity("months", "further delay")]


class NegotiationEvent(Event):
    """The negotiation of a lease opens."""

    which: ClassVar[EventKind] = EventKind.negotiation
    lessor: str = Field(description="cloud that leases out")
    lessee: str = Field(description="firm that rents")
    chip: ChipName = Field(description="chip leased")
    value: Annotated[Number, Quantity("USD", "value of the contract")]
    months: Annotated[Number, Quantity("months", "length of the contract")]
    gpus: Annotated[Number, Quantity("GPUs", "chips of the contract")]


class CollapseEvent(Event):
    """Every negotiation between a lessor and a lessee ends."""

    which: ClassVar[EventKind] = EventKind.collapse
    lessor: str = Field(description="cloud that leases out")
    lessee: str = Field(description="firm that rents")


EVENTS: dict[str, type[Event]] = {
    kind.which.name: kind for kind in (SetEvent, DelayEvent, NegotiationEvent, CollapseEvent)
}
"""Kind of event, by its name in a file -> class of its fields."""


def _kind(raw: Any) -> str | None:
    kind = raw.get("kind") if isinstance(raw, dict) else getattr(raw, "kind", None)
    name = kind.name if isinstance(kind, EventKind) else kind
    return name if isinstance(name, str) and name in EVENTS else None


def wrong_kind(raw: object) -> str:
    """The sentence for an event whose kind is missing or unknown."""
    if isinstance(raw, dict) and "kind" in raw:
        return choose(raw["kind"], EVENTS)
    return f"missing; allowed: {', '.join(EVENTS)}"


AnyEvent = Annotated[
    Annotated[SetEvent, Tag("set")]
    | Annotated[DelayEvent, Tag("delay")]
    | Annotated[NegotiationEvent, Tag("negotiation")]
    | Annotated[CollapseEvent, Tag("collapse")],
    Discriminator(_kind),
]
"""An event of any kind; ``isinstance`` tells which."""
