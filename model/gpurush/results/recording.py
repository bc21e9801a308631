"""What a batch of runs hands over when it ends: arrays, the month first, then the run."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..units import MONTHS_PER_YEAR, month_index, month_name

Records = np.ndarray[Any, np.dtype[np.void]]
"""A structured array: a column of a table for each field."""


@dataclass(frozen=True)
class Recording:
    """All that a batch of R runs recorded over M months.

    Attributes:
        start: first month, ``YYYY-MM``.
        runs: (R,), numbers of the runs, rising.
        months: months recorded, M.
        agents: names of the firms.
        kinds: kind of each firm: lab, cloud, sister, maker, integrator, utility, investor, outside, sector.
        sites: names of the sites.
        site_owners: name of each site's owner.
        items: market and item of each row of a market table.
        accounts: names of the accounts that ``DealRow.payer`` and ``.payee`` number.
        chips: names of the chips that ``DealRow.asset`` numbers.
        agent_rows: (M, R, agents), records ``AgentRow``.
        site_rows: (M, R, sites), records ``SiteRow``.
        market_rows: (M, R, items), records ``MarketRow``.
        deal_rows: (D,), records ``DealRow``: every line of every month and run.
        deal_run: (D,), number of the run of each line.
        deal_month: (D,), month of each line, from 0.
        parameters: dotted path -> (R,), the drawn numbers that vary.
        summary: name -> (R,), what is known at the end of a run.
        finite: (R,), whether every number of the run is finite.
    """

    start: str
    runs: NDArray[np.int64]
    months: int
    agents: list[str]
    kinds: list[str]
    sites: list[str]
    site_owners: list[str]
    items: list[tuple[str, str]]
    accounts: list[str]
    chips: list[str]
    agent_rows: Records
    site_rows: Records
    market_rows: Records
    deal_rows: Records
    deal_run: NDArray[np.int64]
    deal_month: NDArray[np.int64]
    parameters: dict[str, NDArray[Any]]
    summary: dict[str, NDArray[Any]]
    finite: NDArray[np.bool_]

    def __repr__(self) -> str:
        return f"Recording: {len(self.runs)} runs from {self.start}, {self.months} months"

    @property
    def names(self) -> tuple[object, ...]:
        """All that must be the same in every batch of one ensemble."""
        lists: tuple[list[Any], ...] = (
            self.agents,
            self.kinds,
            self.sites,
            self.site_owners,
            self.items,
            self.accounts,
            self.chips,
        )
        fixed = [tuple(each) for each in (*lists, self.parameters, self.summary)]
        return (self.start, self.months, *fixed)


def month_ends(start: str, months: int) -> NDArray[np.datetime64]:
    """The last day of each month from ``start`` on, (months,)."""
    first = np.datetime64(start, "M")
    after = (first + np.arange(1, months + 1)).astype("datetime64[D]")
    return (after - np.timedelta64(1, "D")).astype("datetime64[ms]")


def quarter_ends(start: str, months: int) -> NDArray[np.int64]:
    """For each month the last recorded month of its calendar quarter, (months,)."""
    to_january = month_index(f"{start[:4]}-01", start)
    ends = [min(m + 2 - (m + to_january) % 3, months - 1) for m in range(months)]
    return np.array(ends, dtype=np.int64)


def year_ends(start: str, months: int) -> list[tuple[str, int, int]]:
    """Calendar years: label, first month, last month (both recorded).

    The label is the year, or the last month ``YYYY-MM`` where the record ends before December.
    """
    spans: list[tuple[str, int, int]] = []
    for year in range(int(start[:4]), int(month_name(start, months - 1)[:4]) + 1):
        first = max(0, month_index(start, f"{year}-01"))
        last = min(months - 1, month_index(start, f"{year}-01") + MONTHS_PER_YEAR - 1)
        end = month_name(start, last)
        spans.append((str(year) if end.endswith("-12") else end, first, last))
    return spans
