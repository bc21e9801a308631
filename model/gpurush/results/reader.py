"""``Results``: a results folder, its frames read from disk when they are asked for."""

import os
from collections.abc import Callable, Sequence
from copy import deepcopy
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq

from ..names import Binding, Bound, Deal, Market, Named
from .errors import ResultsError
from .folder import MANIFEST, RESULTS, manifest_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

TABLES = ("agents", "sites", "markets", "deals", "runs")

ENUMERATIONS: dict[str, dict[str, type[Named]]] = {
    "agents": {"bound_by": Bound},
    "sites": {"binding_limit": Binding},
    "markets": {"market": Market},
    "deals": {"kind": Deal},
}
"""Columns whose categories are all members of an enumeration, in its order."""


class Results:
    """The results of one ensemble.

    ``results.agents``, ``.sites``, ``.markets``, ``.deals`` and ``.runs`` are tidy pandas frames, read when
    first used and then kept; ``read`` takes only some columns of a table. ``docs/results.md`` describes the
    columns.

    Attributes:
        folder: where they stand.
        manifest: what is needed to make them again.
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        """Opens a results folder.

        Raises:
            ResultsError: there is none.
        """
        self.folder = Path(folder)
        found = manifest_of(self.folder)
        if found is None:
            what = f"has no {MANIFEST} of gpurush" if self.folder.is_dir() else "no such folder"
            raise ResultsError(f"{folder}: {what}, expected a results folder")
        if found["format"] != RESULTS:
            raise ResultsError(f"{folder}: holds a comparison; its two results are in folders inside it")
        self.manifest: dict[str, Any] = found
        self._opened = deepcopy(found)

    def __repr__(self) -> str:
        runs = f"{self.manifest['runs']} run{'' if self.manifest['runs'] == 1 else 's'}"
        return f"Results({str(self.folder)!r}): {self.name}, {runs}, seed {self.seed}"

    @property
    def name(self) -> str:
        """Name of the scenario."""
        return str(self.manifest["scenario"]["name"])

    @property
    def seed(self) -> int:
        """Seed of the ensemble."""
        return int(self.manifest["seed"])

    def read(self, table: str, columns: Sequence[str] | None = None) -> "pd.DataFrame":
        """A table as a frame, read anew.

        Args:
            table: agents, sites, markets, deals or runs.
            columns: the columns wanted; all if None.

        Raises:
            ResultsError: no such table or column, or its file cannot be read.
        """
        return self._frame(table, columns, lambda file, names: file.read(names))

    def head(self, table: str, columns: Sequence[str] | None = None) -> "pd.DataFrame":
        """The first rows of a table, those of a few runs at least; otherwise as ``read``."""
        return self._frame(table, columns, lambda file, names: file.read_row_group(0, names))

    def _frame(
        self, table: str, columns: Sequence[str] | None, take: Callable[[pq.ParquetFile, Any], Any]
    ) -> "pd.DataFrame":
        if table not in TABLES:
            raise ResultsError(f"no table {table!r}; allowed: {', '.join(TABLES)}")
        if manifest_of(self.folder) != self._opened:
            raise ResultsError(
                f"{self.folder}: the results here were replaced since they were opened; open them anew"
            )
        path = self.folder / f"{table}.parquet"
        try:
            with pq.ParquetFile(path) as file:
                known = file.schema_arrow.names
                unknown = [name for name in columns or () if name not in known]
                if unknown:
                    said = f"table {table} has no column {unknown[0]!r}; allowed: {', '.join(known)}"
                    raise ResultsError(said)
                found = take(file, None if columns is None else list(columns))
        except (OSError, ValueError) as error:
            raise ResultsError(f"{path}: cannot be read: {error}") from None
        frame: pd.DataFrame = found.to_pandas()
        for column, kind in ENUMERATIONS.get(table, {}).items():
            if column in frame:
                frame[column] = frame[column].cat.set_categories([member.name for member in kind])
        return frame

    @cached_property
    def agents(self) -> "pd.DataFrame":
        """One firm, one month: keys run, date, agent."""
        return self.read("agents")

    @cached_property
    def sites(self) -> "pd.DataFrame":
        """One building, one month: keys run, date, site."""
        return self.read("sites")

    @cached_property
    def markets(self) -> "pd.DataFrame":
        """One item of a market, one month: keys run, date, market, item."""
        return self.read("markets")

    @cached_property
    def deals(self) -> "pd.DataFrame":
        """Transfers of one kind between two accounts: keys run, date, kind, payer, payee, unit."""
        return self.read("deals")

    @cached_property
    def runs(self) -> "pd.DataFrame":
        """One run: drawn numbers, end-of-run summary, seed, finite check."""
        return self.read("runs")

    @cached_property
    def scenario_toml(self) -> str:
        """The effective scenario."""
        return (self.folder / "scenario.toml").read_text(encoding="utf-8")

    def summary(self) -> str:
        """The main figures as text, with medians and 5-95 % bands."""
        # The report stands above this package, so it is loaded when asked for.
        return str(import_module("gpurush.report.summary").summary(self))

    def plot(self, figure: str = "compute") -> "Figure":
        """One of the figures: compute, site, market or finance.

        Raises:
            ResultsError: there is no figure of that name.
        """
        drawn: Figure = import_module("gpurush.report.figures").draw(self, figure)
        return drawn
