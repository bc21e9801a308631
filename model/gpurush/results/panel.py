"""The tables of a result as arrays over runs and months, for summaries, figures and comparisons."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..names import Deal
from ..units import month_name
from .reader import Results
from .recording import month_ends, year_ends

Array = NDArray[np.float64]


class Panel:
    """Arrays of a result, read column by column and kept.

    Every array is (runs, months), in run order. What is null in a table is ``nan``.
    """

    def __init__(self, results: Results) -> None:
        self.results = results
        self.start = str(results.manifest["scenario"]["start"])
        self._kept: dict[tuple[str, str], NDArray[Any]] = {}

    @cached_property
    def runs(self) -> NDArray[np.int64]:
        """(runs,), run numbers."""
        return np.asarray(self.results.read("runs", ["run"])["run"], dtype=np.int64)

    @cached_property
    def agents(self) -> dict[str, str]:
        """Name of each firm -> its kind."""
        first = self._first("agents", ["agent", "kind"])
        return dict(zip(first["agent"].astype(str), first["kind"].astype(str), strict=True))

    @cached_property
    def sites(self) -> dict[str, str]:
        """Name of each site -> its owner."""
        first = self._first("sites", ["site", "owner"])
        return dict(zip(first["site"].astype(str), first["owner"].astype(str), strict=True))

    @cached_property
    def items(self) -> list[tuple[str, str]]:
        """Market and item of each row of a month."""
        first = self._first("markets", ["market", "item"])
        return list(zip(first["market"].astype(str), first["item"].astype(str), strict=True))

    def _first(self, table: str, columns: list[str]) -> Any:
        """The rows of the first run's first month."""
        frame = self.results.head(table, ["run", "date", *columns])
        same = (frame["run"] == frame["run"].iloc[0]) & (frame["date"] == frame["date"].iloc[0])
        return frame[same.to_numpy()]

    @property
    def labs(self) -> list[str]:
        """Names of the labs."""
        return [name for name, kind in self.agents.items() if kind == "lab"]

    @cached_property
    def months(self) -> int:
        """Number of months."""
        rows = int(self.results.manifest["tables"]["agents"]["rows"])
        return rows // (len(self.runs) * len(self.agents))

    @property
    def dates(self) -> NDArray[np.datetime64]:
        """(months,), the last day of each month."""
        return month_ends(self.start, self.months)

    @property
    def month_names(self) -> list[str]:
        """Each month as ``YYYY-MM``."""
        return [month_name(self.start, month) for month in range(self.months)]

    @property
    def years(self) -> list[tuple[str, int, int]]:
        """Calendar years: label, first and last month."""
        return year_ends(self.start, self.months)

    def _column(self, table: str, column: str, names: int, at: int) -> Array:
        """(runs, months), a column for the name at that place in every month's rows."""
        if (table, column) not in self._kept:
            frame = self.results.read(table, [column])[column]
            values = (frame.cat.codes if frame.dtype == "category" else frame).to_numpy()
            self._kept[table, column] = values.reshape(len(self.runs), self.months, names)
        return self._kept[table, column][:, :, at].astype(np.float64)

    def agent(self, column: str, name: str) -> Array:
        """A column of one firm; ``bound_by`` as the number of its name."""
        return self._column("agents", column, len(self.agents), list(self.agents).index(name))

    def site(self, column: str, name: str) -> Array:
        """A column of one site."""
        return self._column("sites", column, len(self.sites), list(self.sites).index(name))

    def market(self, column: str, market: str, item: str) -> Array:
        """A column of one item of a market."""
        return self._column("markets", column, len(self.items), self.items.index((market, item)))

    @cached_property
    def _swaps(self) -> Any:
        deals = self.results.read("deals", ["run", "date", "kind", "payer", "quantity"])
        return deals[deals["kind"] == Deal.swap.name]

    def passed_on(self, site: str) -> Array:
        """(runs, months), GPUs that a site passed to sister firms; by quarter where deals are kept by quarter."""
        mine = self._swaps[self._swaps["payer"] == f"site {site}"]
        out = np.zeros((len(self.runs), self.months))
        rows = np.searchsorted(self.runs, mine["run"].to_numpy())
        columns = np.searchsorted(self.dates, mine["date"].to_numpy().astype("datetime64[D]"))
        np.add.at(out, (rows, columns), mine["quantity"].to_numpy(dtype=np.float64))
        return out

    def items_of(self, market: str) -> list[str]:
        """The items of a market."""
        return [item for which, item in self.items if which == market]

    def weighted(self, column: str, market: str) -> Array:
        """A column over all items of a market, weighted by what is on order; ``nan`` where nothing is."""
        total = np.zeros((len(self.runs), self.months))
        weight = np.zeros_like(total)
        for item in self.items_of(market):
            values = self.market(column, market, item)
            here = np.nan_to_num(self.market("backlog", market, item) + self.market("orders", market, item))
            here = np.where(np.isfinite(values), np.maximum(here, 0.0), 0.0)
            total += here * np.nan_to_num(values)
            weight += here
        return np.divide(total, weight, out=np.full_like(total, np.nan), where=weight > 0.0)


def quantiles(values: Array, at: tuple[float, ...]) -> Array:
    """Quantiles over the first axis, ``nan`` left out; ``nan`` where no run has a number.

    Args:
        values: (runs, ...).
        at: probabilities.

    Returns:
        (quantiles, ...).
    """
    out: Array = np.full((len(at), *values.shape[1:]), np.nan)
    some = np.isfinite(values).any(axis=0)
    whole = np.isfinite(values).all(axis=0)
    if whole.any():
        out[:, whole] = np.quantile(values[:, whole], at, axis=0)
    for place in np.argwhere(some & ~whole):
        column = values[(slice(None), *place)]
        out[(slice(None), *place)] = np.quantile(column[np.isfinite(column)], at)
    return out
