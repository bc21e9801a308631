"""Arrays of a recording -> tidy Arrow tables, rows by run, then date, then name.

``nan`` means "not defined" and becomes null; so does an infinite number, which a table never holds (its run's
``finite`` is false).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..names import Market
from ..parameters import GLOBAL, NAMED
from .columns import AGENTS, ENUMS, MARKETS, RUNS, SITES, Column, Stored, Table
from .recording import Recording, Records, month_ends


def numbers(values: NDArray[Any], kind: Stored) -> pa.Array:
    """Numbers as they are stored, those that are not finite as null."""
    if kind is Stored.number:
        with np.errstate(over="ignore", invalid="ignore"):
            values = values.astype(np.float32)
    elif kind is Stored.usd:
        values = values.astype(np.float64)
    else:
        return pa.array(values)
    missing = ~np.isfinite(values)
    return pa.array(values, mask=missing if missing.any() else None)


def labels(numbers_of: NDArray[Any], names: Sequence[str]) -> pa.DictionaryArray:
    """Names given by number, as categories.

    Args:
        numbers_of: (rows,), which name each row has.
        names: the names.
    """
    return pa.DictionaryArray.from_arrays(
        pa.array(numbers_of.astype(np.int32)), pa.array(list(names), pa.string())
    )


def stack(records: Records) -> Records:
    """(months, runs, names) -> rows by run, month, name."""
    return np.ascontiguousarray(records.transpose(1, 0, 2)).reshape(-1)


def keys(recording: Recording, names: int) -> tuple[NDArray[np.int64], pa.Array, NDArray[np.int64]]:
    """Run, date and number of the name of each row of a table with one row per name, month and run."""
    runs, months = len(recording.runs), recording.months
    run = np.repeat(recording.runs.astype(np.int64), months * names)
    date = np.tile(np.repeat(month_ends(recording.start, months), names), runs)
    return run, pa.array(date, pa.timestamp("ms")), np.tile(np.arange(names), runs * months)


def declared(table: Table, records: Records) -> dict[str, pa.Array]:
    """The columns of a table that are fields of its record."""
    rows = stack(records)
    fields = rows.dtype.names or ()
    return {
        column.name: labels(rows[column.name], [m.name for m in ENUMS[column.name]])
        if column.name in ENUMS
        else numbers(rows[column.name], column.stored)
        for column in table.columns
        if column.name in fields
    }


def made(table: Table, columns: dict[str, pa.Array]) -> pa.Table:
    """A table of these columns in the order of its declaration."""
    return pa.table([columns[column.name] for column in table.columns], schema=table.schema())


def agents_table(recording: Recording) -> pa.Table:
    """Table ``agents``."""
    run, date, who = keys(recording, len(recording.agents))
    kinds = sorted(set(recording.kinds), key=recording.kinds.index)
    kind = np.array([kinds.index(each) for each in recording.kinds], dtype=np.int64)[who]
    names = {
        "run": pa.array(run),
        "date": date,
        "agent": labels(who, recording.agents),
        "kind": labels(kind, kinds),
    }
    return made(AGENTS, names | declared(AGENTS, recording.agent_rows))


def sites_table(recording: Recording) -> pa.Table:
    """Table ``sites``."""
    run, date, which = keys(recording, len(recording.sites))
    owners = sorted(set(recording.site_owners), key=recording.site_owners.index)
    owner = np.array([owners.index(each) for each in recording.site_owners], dtype=np.int64)[which]
    names = {
        "run": pa.array(run),
        "date": date,
        "site": labels(which, recording.sites),
        "owner": labels(owner, owners),
    }
    return made(SITES, names | declared(SITES, recording.site_rows))


def markets_table(recording: Recording) -> pa.Table:
    """Table ``markets``."""
    run, date, which = keys(recording, len(recording.items))
    markets = [member.name for member in Market]
    market = np.array([markets.index(each) for each, _ in recording.items], dtype=np.int64)[which]
    items = sorted(
        {item: None for _, item in recording.items}, key=[item for _, item in recording.items].index
    )
    item = np.array([items.index(each) for _, each in recording.items], dtype=np.int64)[which]
    names = {
        "run": pa.array(run),
        "date": date,
        "market": labels(market, markets),
        "item": labels(item, items),
    }
    return made(MARKETS, names | declared(MARKETS, recording.market_rows))


def finite(recording: Recording) -> NDArray[np.bool_]:
    """(runs,), whether the run says it is finite and no row of it holds an infinite number."""
    out = recording.finite.astype(bool)
    for records in (recording.agent_rows, recording.site_rows, recording.market_rows):
        for name in records.dtype.names or ():
            if records.dtype[name].kind == "f":
                out &= ~np.isinf(records[name]).any(axis=(0, 2))
    return out


def parameter_column(path: str) -> Column:
    """The column of a drawn number of the scenario: unit and meaning as ``parameters.py`` has them."""
    head, _, leaf = path.rpartition(".")
    terms = GLOBAL.get(head) or NAMED.get(head.split(".")[0])
    field = getattr(terms, leaf, None)
    unit, meaning = (field.unit, field.meaning) if field else ("", "number of the scenario at this path")
    return Column(path, unit, f"drawn: {meaning}", Stored.usd)


def summary_column(name: str, values: NDArray[Any]) -> Column:
    """The column of a number of the end-of-run summary."""
    kind = {"b": Stored.flag, "i": Stored.whole, "u": Stored.whole}.get(values.dtype.kind, Stored.usd)
    return Column(name, "", "end-of-run summary", kind)


def runs_table(recording: Recording, seed: int) -> pa.Table:
    """Table ``runs``: its columns follow from the scenario."""
    columns = list(RUNS.columns)
    values: dict[str, pa.Array] = {
        "run": pa.array(recording.runs.astype(np.int64)),
        "seed": pa.array(np.full(len(recording.runs), seed, dtype=np.int64)),
        "finite": pa.array(finite(recording)),
    }
    for path, drawn in recording.parameters.items():
        columns.append(parameter_column(path))
        values[path] = numbers(np.asarray(drawn), Stored.usd)
    for name, known in recording.summary.items():
        if name not in values:
            column = summary_column(name, np.asarray(known))
            columns.append(column)
            values[name] = numbers(np.asarray(known), column.stored)
    return made(RUNS._replace(columns=tuple(columns)), values)
