"""The leaves of a scenario: numbers with a birth certificate, months, names of rules.

A number is plain, ``cash = 3e9``, or a table ``{value, low, high, dist, unit, source, date, grade}``; both
become a ``Number`` that knows its unit. The range is the prior of the number (``priors.py``).
"""

import datetime
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    model_validator,
)
from pydantic_core import CoreSchema, core_schema

from .. import fields
from ..names import Named
from ..parameters import GLOBAL, NAMED
from .errors import choose, shown

GRADES = {
    "P": "primary document",
    "R": "named press report",
    "S": "secondary source",
    "M": "textbook or standard",
    "X": "computed from other values",
    "G": "guess",
}
"""How good the source of a number is."""

DISTS = {
    "fixed": "always the value",
    "triangular": "between low and high, mode at the value",
    "uniform": "between low and high, all equally likely",
    "loguniform": "between low and high, all factors equally likely",
    "lognormal": "median at the value, low and high are the 5 % and 95 % quantiles",
}
"""Distributions that a prior may have."""

SIGNED = ("1", "log10")
"""How units begin whose numbers may be negative: pure numbers and rates. Stocks, times and prices may not."""

LARGEST = 1e15
"""Most dollars or chips: the books are whole numbers in floats, exact below 2^53, about 9e15."""

_DAY = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?")
_MONTH = re.compile(r"[12]\d{3}-(0[1-9]|1[0-2])")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def _day(raw: object) -> object:
    text = raw.isoformat() if isinstance(raw, datetime.date) else raw
    if text is None or (isinstance(text, str) and _DAY.fullmatch(text)):
        return text
    raise ValueError(f'found {shown(raw)}, expected a date: "YYYY", "YYYY-MM" or "YYYY-MM-DD"')


def _month(raw: object) -> object:
    if isinstance(raw, str) and _MONTH.fullmatch(raw):
        return raw
    raise ValueError(f'found {shown(raw)}, expected a month written "YYYY-MM"')


def _name(raw: str) -> str:
    if _NAME.fullmatch(raw):
        return raw
    raise ValueError(f"found {shown(raw)}, expected a name: a letter, then letters, digits, - or _")


Month = Annotated[str, BeforeValidator(_month)]
"""A month, written ``YYYY-MM``."""

Name = Annotated[str, AfterValidator(_name)]
"""Name of a firm, a site or a programme, as it stands in dotted paths."""

Finite = Annotated[float, Field(strict=True, allow_inf_nan=False), AfterValidator(lambda x: x + 0.0)]


class Number(BaseModel):
    """A number of a scenario with its range, unit and source. ``float(number)`` is its value."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    value: Finite
    low: Finite | None = None
    high: Finite | None = None
    dist: Literal["fixed", "triangular", "uniform", "loguniform", "lognormal"] = "fixed"
    unit: str = "1"
    source: str | None = None
    date: Annotated[str | None, BeforeValidator(_day)] = None
    grade: Literal["P", "R", "S", "M", "X", "G"] | None = None
    imposed: bool = False

    def __float__(self) -> float:
        return self.value

    @property
    def varies(self) -> bool:
        """Whether draws of this number differ between runs."""
        return self.dist != "fixed" and self.low != self.high

    @model_validator(mode="before")
    @classmethod
    def _prior(cls, raw: Any) -> Any:
        ranged = isinstance(raw, dict) and (raw.get("low") is not None or raw.get("high") is not None)
        return {"dist": "triangular", **raw} if ranged else raw

    @model_validator(mode="after")
    def _range(self) -> "Number":
        low, high = self.low, self.high
        if low is None or high is None:
            if low is not high:
                raise ValueError("only one of low and high is given, expected both or none")
            if self.dist != "fixed":
                raise ValueError(f'dist "{self.dist}" needs low and high')
            return self
        if low > high:
            raise ValueError(f"low {low:g} is above high {high:g}")
        if not low <= self.value <= high:
            side = f"below low {low:g}" if self.value < low else f"above high {high:g}"
            hint = "give low and high too, or a plain number to fix it"
            raise ValueError(f"value {self.value:g} is {side}; {hint}")
        if self.dist in ("loguniform", "lognormal") and low <= 0.0:
            raise ValueError(f'low {low:g} must be above 0 for dist "{self.dist}"')
        return self


@dataclass(frozen=True)
class Quantity:
    """Unit and meaning of a number in the schema; reads plain numbers and tables.

    Attributes:
        unit: the declared unit, or None where any unit is accepted.
        meaning: what the number says.
        least: least value allowed, where the unit does not say it.
        most: most that is allowed.
        opening: whether the number is read when a run opens and never after.
    """

    unit: str | None
    meaning: str
    least: float | None = None
    most: float | None = None
    opening: bool = False

    @classmethod
    def of(cls, field: fields.Field) -> "Quantity":
        """That of a declared parameter."""
        return cls(field.unit, field.meaning, field.least, field.most, field.opening)

    def read(self, raw: object) -> object:
        """A plain number or table of a file, as the keys of a ``Number``."""
        unit = {} if self.unit is None else {"unit": self.unit}
        if isinstance(raw, Number):
            raw = raw.model_dump()
        if isinstance(raw, dict):
            found = raw.get("unit", self.unit)
            if self.unit is not None and found != self.unit:
                raise ValueError(f"found unit {shown(found)}, expected {shown(self.unit)} ({self.meaning})")
            return {**raw, **unit}
        if isinstance(raw, bool) or not isinstance(raw, int | float):
            raise ValueError(f"found {shown(raw)}, expected a number{_in(self.unit)} or a table with value")
        if not abs(raw) <= 1.7976931348623157e308:
            raise ValueError(f"found {shown(raw)}, expected a finite number")
        return {"value": raw, **unit}

    def check(self, number: Number) -> Number:
        """Refuses a negative stock, time or price, what is out of bounds, and more than the books can hold."""
        low = number.value if number.low is None else number.low
        high = number.value if number.high is None else number.high
        if number.unit in ("USD", "GPUs") and high > LARGEST:
            raise ValueError(f"found {high:g}, expected at most {LARGEST:g} {number.unit}: books stay exact")
        if low < 0.0 and not number.unit.startswith(SIGNED):
            raise ValueError(f"found {low:g}, expected 0 or more {number.unit}")
        if self.least is not None and low < self.least:
            raise ValueError(f"found {low:g}, expected {self.least:g} or more{_of(number.unit)}")
        if self.most is not None and high > self.most:
            raise ValueError(f"found {high:g}, expected at most {self.most:g}{_of(number.unit)}")
        return number

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        inner = core_schema.no_info_before_validator_function(self.read, handler(source))
        return core_schema.no_info_after_validator_function(self.check, inner)


@dataclass(frozen=True)
class ByName:
    """A choice of ``names.py`` that files write by its name."""

    kind: type[Named]

    def read(self, raw: object) -> Named:
        """The member of that name."""
        if isinstance(raw, self.kind):
            return raw
        if isinstance(raw, str) and raw in self.kind.__members__:
            return self.kind[raw]
        raise ValueError(choose(raw, self.kind.__members__))

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self.read)


def one_of(allowed: tuple[str, ...]) -> Callable[[str], str]:
    """A validator of a text that must be one of the allowed names."""

    def read(raw: str) -> str:
        """The text as it is, if it is allowed."""
        if raw not in allowed:
            raise ValueError(choose(raw, allowed))
        return raw

    return read


def declared(path: str) -> Quantity | None:
    """Unit and meaning of a parameter by its dotted path; None if ``parameters.py`` does not declare it."""
    head, _, leaf = path.rpartition(".")
    terms = GLOBAL.get(head)
    if terms is None and head.count(".") == 1:
        terms = NAMED.get(head.split(".")[0])
    field = fields.fields_of(terms).get(leaf) if terms else None
    return Quantity.of(field) if field else None


def _in(unit: str | None) -> str:
    return f" in {unit}" if unit not in (None, "1") else ""


def _of(unit: str) -> str:
    return "" if unit == "1" else f" {unit}"
