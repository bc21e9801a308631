"""Every table of the results and every column of it: unit, meaning, type. The documents are made from this.

The numbers come from the declarations in ``rows.py``; the keys and names that a table adds are declared
here. How a column is stored follows from the declaration: USD is float64, any other number float32, a name
a category.
"""

from enum import Enum
from typing import NamedTuple

import pyarrow as pa

from ..engine import FIELDS, LAYOUTS
from ..names import Binding, Bound, Named
from ..rows import AgentRow, MarketRow, SiteRow


class Stored(Enum):
    """How a column is stored."""

    whole = "int64"
    date = "datetime"
    name = "category"
    usd = "float64"
    number = "float32"
    flag = "bool"


ARROW: dict[Stored, pa.DataType] = {
    Stored.whole: pa.int64(),
    Stored.date: pa.timestamp("ms"),
    Stored.name: pa.dictionary(pa.int32(), pa.string()),
    Stored.usd: pa.float64(),
    Stored.number: pa.float32(),
    Stored.flag: pa.bool_(),
}
"""The Arrow type of each."""


class Column(NamedTuple):
    """A column of a table."""

    name: str
    unit: str
    meaning: str
    stored: Stored

    def field(self) -> pa.Field:
        """The Arrow field, with unit and meaning in its metadata."""
        return pa.field(self.name, ARROW[self.stored], metadata={"unit": self.unit, "meaning": self.meaning})


class Table(NamedTuple):
    """A table: its keys, all its columns, and what one row is."""

    name: str
    row: str
    keys: tuple[str, ...]
    columns: tuple[Column, ...]

    def schema(self) -> pa.Schema:
        """The Arrow schema."""
        about = {"table": self.name, "row": self.row, "keys": ", ".join(self.keys)}
        return pa.schema([column.field() for column in self.columns], metadata=about)


ENUMS: dict[str, type[Named]] = {"bound_by": Bound, "binding_limit": Binding}
"""Columns that rules write as numbers and tables as names."""

RUN = Column("run", "", "number of the run: with the seed, its luck", Stored.whole)
DATE = Column("date", "", "last day of the month", Stored.date)


def _name(name: str, meaning: str) -> Column:
    return Column(name, "", meaning, Stored.name)


def declared(row: type) -> tuple[Column, ...]:
    """The columns of a record of ``rows.py``, in its order."""
    columns = []
    for name, field in FIELDS[row].items():
        if name in ENUMS:
            kind = Stored.name
        elif LAYOUTS[row][name].kind == "i":
            kind = Stored.whole
        else:
            kind = Stored.usd if name.endswith("_usd") or field.unit == "USD" else Stored.number
        columns.append(Column(name, field.unit, field.meaning, kind))
    return tuple(columns)


AGENTS = Table(
    "agents",
    "one firm, one month",
    ("run", "date", "agent"),
    (
        *(RUN, DATE, _name("agent", "name of the firm")),
        _name("kind", "lab, cloud, sister, maker, integrator, utility, investor or outside"),
        *declared(AgentRow),
    ),
)
SITES = Table(
    "sites",
    "one building, one month",
    ("run", "date", "site"),
    (RUN, DATE, _name("site", "name of the site"), _name("owner", "firm that owns it"), *declared(SiteRow)),
)
MARKETS = Table(
    "markets",
    "one item of a market, one month",
    ("run", "date", "market", "item"),
    (
        *(RUN, DATE, _name("market", "gpu, lease, power or capital")),
        _name("item", "the chip, H100e for leases, the utility, or equity"),
        *declared(MarketRow),
    ),
)
DEALS = Table(
    "deals",
    "the transfers of one kind between two accounts in one period",
    ("run", "date", "kind", "payer", "payee", "unit"),
    (
        *(
            RUN,
            Column(
                "date", "", "last day of the period: a month up to 200 runs, a quarter beyond", Stored.date
            ),
        ),
        _name("kind", "kind of transfer"),
        _name("payer", "account that gives"),
        _name("payee", "account that receives"),
        Column("amount_usd", "USD", "money paid; 0 where GPUs move", Stored.usd),
        Column(
            "quantity", "see unit", "GPUs moved, or what the money buys; 0 where there is none", Stored.number
        ),
        _name("unit", "unit of the quantity: the chip where GPUs move; empty where there is none"),
    ),
)
RUNS = Table(
    "runs",
    "one run; a column for each drawn number (its dotted path) and each number of the end-of-run summary",
    ("run",),
    (
        RUN,
        Column("seed", "", "seed of the ensemble", Stored.whole),
        Column("finite", "", "whether every number of the run is finite", Stored.flag),
    ),
)
TABLES = {table.name: table for table in (AGENTS, SITES, MARKETS, DEALS, RUNS)}
"""The tables by name, in the order of the documents."""
