"""Paired differences between two ensembles that share luck run by run, with intervals.

Runs of the same seed and number have the same luck in both scenarios (common random numbers), so the mean
of their differences is known far better than the difference of means. Intervals are percentile bootstrap
intervals over runs (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13), resampled
with a fixed seed.
"""

import os
from collections.abc import Iterator
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..results.panel import Array, Panel
from ..results.reader import Results
from ..usage import UsageError

if TYPE_CHECKING:
    import pandas as pd

RESAMPLES = 2000
STANDING = (("gpu", "H100"), ("lease", "H100e"))
"""Items that stand for their market."""
LEVEL = 0.95


class Metric(NamedTuple):
    """A quantity that is compared by year: a column, what it is called, its unit, how a year is taken together."""

    column: str
    title: str
    unit: str
    how: str


LAB_METRICS = (
    Metric("h100e_energised", "H100e running", "H100e", "end"),
    Metric("h100e_leased", "H100e leased", "H100e", "end"),
    Metric("h100e_stranded", "H100e stranded", "H100e", "end"),
    Metric("compute_spend_usd", "compute spend", "USD", "sum"),
    Metric("revenue_usd", "revenue", "USD", "sum"),
    Metric("equity_raised_usd", "equity raised", "USD", "sum"),
    Metric("research_share", "research share", "1", "end"),
    Metric("h100e_per_researcher", "H100e per researcher", "H100e", "end"),
    Metric("capability", "capability", "log10 FLOP", "end"),
    Metric("cash_usd", "cash", "USD", "end"),
)
"""What is summarised and compared for each lab; ``sum`` and ``mean`` over the year, ``end``: in its last month."""

SITE_METRICS = (
    Metric("h100e_energised", "site H100e running", "H100e", "end"),
    Metric("h100e_stranded", "site H100e stranded", "H100e", "end"),
    Metric("facility_mw", "site power drawn", "MW", "end"),
    Metric("passed_on", "GPUs passed to sister firms", "GPUs", "sum"),
)

MARKET_METRICS = (
    Metric("lead_time_months", "lead time", "months", "mean"),
    Metric("price_usd", "price", "USD", "mean"),
)
"""Of the market of GPUs as a whole, and of what stands for it and for leases."""

GROUPS = {"lab": LAB_METRICS, "site": SITE_METRICS, "market": MARKET_METRICS}
"""What is compared: group -> its metrics."""


def by_year(values: Array, span: tuple[str, int, int], how: str) -> NDArray[np.float64]:
    """(runs,), a year's figure of (runs, months)."""
    _, first, last = span
    if how == "end":
        return values[:, last].copy()
    year = values[:, first : last + 1]
    if how == "sum":
        total: Array = year.sum(axis=1)
        return total
    known = np.isfinite(year).sum(axis=1)
    total = np.nan_to_num(year).sum(axis=1)
    mean: Array = np.divide(total, known, out=np.full(len(year), np.nan), where=known > 0)
    return mean


def names_in(panel: Panel, metric: Metric, group: str) -> list[str]:
    """Whom a metric is of: labs, sites, or a market and its item, ``"lease H100e"``."""
    if group == "lab":
        return panel.labs
    if group == "site":
        return list(panel.sites)
    if metric.column == "lead_time_months":
        return ["gpu"]
    return [f"{market} {item}" for market, item in STANDING if (market, item) in panel.items]


def series_of(panel: Panel, metric: Metric, group: str, name: str) -> Array:
    """(runs, months), a metric of one name."""
    if group == "lab":
        return panel.agent(metric.column, name)
    if group == "site":
        return panel.passed_on(name) if metric.column == "passed_on" else panel.site(metric.column, name)
    market, _, item = name.partition(" ")
    return panel.market(metric.column, market, item) if item else panel.weighted(metric.column, market)


def intervals(differences: Array, seed: int = 0) -> Array:
    """Bootstrap intervals of the mean of each column.

    Args:
        differences: (runs, columns), ``nan`` where a run has no number.
        seed: seed of the resampling.

    Returns:
        (2, columns): low and high; ``nan`` with fewer than two runs.
    """
    runs, columns = differences.shape
    known = np.isfinite(differences)
    values = np.where(known, differences, 0.0)
    rng = np.random.default_rng(seed)
    weights = rng.multinomial(runs, np.full(runs, 1.0 / runs), RESAMPLES).astype(np.float64)
    counts = weights @ known
    means = np.divide(weights @ values, counts, out=np.full((RESAMPLES, columns), np.nan), where=counts > 0.0)
    out = np.full((2, columns), np.nan)
    for at in np.flatnonzero(known.sum(axis=0) >= 2):
        drawn = means[:, at][np.isfinite(means[:, at])]
        out[:, at] = np.quantile(drawn, [(1.0 - LEVEL) / 2.0, (1.0 + LEVEL) / 2.0])
    return out


class Comparison:
    """Two results of the same runs; differences are B minus A, run by run.

    Attributes:
        a: the results that are compared with.
        b: the results whose effect is asked for.
        folder: where both stand, or None if they were not made by one comparison.
    """

    def __init__(self, a: Results, b: Results, folder: str | os.PathLike[str] | None = None) -> None:
        """Pairs two results.

        Raises:
            UsageError: they do not have the same runs, seed and months.
        """
        for what in ("run_numbers", "seed"):
            if a.manifest[what] != b.manifest[what]:
                raise UsageError(
                    f"{what} differ: {a.manifest[what]} and {b.manifest[what]}; pairs need the same"
                )
        if any(a.manifest["scenario"][what] != b.manifest["scenario"][what] for what in ("start", "months")):
            raise UsageError("start or months of the two scenarios differ; pairs need the same")
        self.a, self.b = a, b
        self.folder = None if folder is None else Path(folder)

    def __repr__(self) -> str:
        return f"Comparison: {self.b.name} minus {self.a.name}, {self.a.manifest['runs']} paired runs"

    def _pairs(self) -> Iterator[tuple[str, Metric, str, tuple[str, int, int], Array, Array]]:
        a, b = Panel(self.a), Panel(self.b)
        for group, metrics in GROUPS.items():
            for metric in metrics:
                there = names_in(b, metric, group)
                for name in (each for each in names_in(a, metric, group) if each in there):
                    mine, other = (series_of(panel, metric, group, name) for panel in (a, b))
                    for span in a.years:
                        yield (
                            *(group, metric, name, span),
                            by_year(mine, span, metric.how),
                            by_year(other, span, metric.how),
                        )

    @cached_property
    def _table(self) -> "pd.DataFrame":
        import pandas as pd

        rows, differences = [], []
        for group, metric, name, (year, *_), mine, other in self._pairs():
            pair = np.isfinite(mine) & np.isfinite(other)
            difference = np.where(pair, np.where(pair, other, 0.0) - np.where(pair, mine, 0.0), np.nan)
            differences.append(difference)
            some = bool(pair.any())
            rows.append(
                {
                    "group": group,
                    "name": name,
                    "metric": metric.column,
                    "unit": metric.unit,
                    "year": year,
                    "a": float(mine[pair].mean()) if some else np.nan,
                    "b": float(other[pair].mean()) if some else np.nan,
                    "difference": float(difference[pair].mean()) if some else np.nan,
                    "pairs": int(pair.sum()),
                }
            )
        frame = pd.DataFrame(rows)
        low, high = intervals(np.column_stack(differences))
        frame.insert(8, "low", low)
        frame.insert(9, "high", high)
        return frame

    def table(self) -> "pd.DataFrame":
        """Paired differences by lab, site or market, metric and year.

        Columns: ``group`` (lab, site, market), ``name``, ``metric`` (column of the results; ``passed_on`` are GPUs sold
        to sister firms), ``unit``, ``year`` (flows are sums over it, prices and lead times its mean, stocks those of
        its last month), ``a`` and ``b`` (means), ``difference`` (mean of B minus A), ``low`` and ``high`` (95 %
        bootstrap interval of that mean; null with one run), ``pairs`` (runs in which both are defined).
        """
        return self._table.copy()

    def summary(self) -> str:
        """The differences as text."""
        # The report stands above this package, so it is loaded when asked for.
        return str(import_module("gpurush.report.differences").differences(self))
