"""What a batch keeps of every month: rows of firms, sites and markets as they are, lines of the deal record packed.

Memory is asked for and written to once, for all months: fresh pages every month would cost as much as a market.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .engine import LAYOUTS
from .ledger import pack
from .rows import AgentRow, DealRow, MarketRow, SiteRow

LINES = 192
"""Lines of the deal record that a run needs in a month, about: memory is asked for that many at once."""


class Recorder:
    """The recorded months of a batch.

    Args:
        runs: the state of the batch.
        months: months that will be recorded.
        agents, sites, items: rows of each table that are in use.
    """

    def __init__(self, runs: Any, months: int, agents: int, sites: int, items: int) -> None:
        self._sizes = {"agent_rows": agents, "site_rows": sites, "market_rows": items}
        self.rows: dict[str, Any] = {}
        for (name, size), kind in zip(self._sizes.items(), (AgentRow, SiteRow, MarketRow), strict=True):
            self.rows[name] = np.empty((months, len(runs), size), LAYOUTS[kind])
            self.rows[name].view(np.int64).fill(0)
        self._counts = np.zeros((months, len(runs)), np.int64)
        self._chunks = [self._chunk(months * len(runs) * LINES)]

    @staticmethod
    def _chunk(lines: int) -> tuple[Any, Any, int]:
        """Room for lines of the deal record, none of it used: small numbers, sums, lines used."""
        words, sums = np.empty((lines, 4), np.int16), np.empty((lines, 2))
        words.fill(0)
        sums.fill(0.0)
        return words, sums, 0

    def keep(self, month: int, block: slice, runs: Any) -> None:
        """Keeps the month's rows and deals of a block of runs."""
        for name, size in self._sizes.items():
            self.rows[name][month, block] = runs[name][:, :size]
        self._counts[month, block] = runs["deals_used"]
        most = int(self._counts[month, block].sum())
        words, sums, used = self._chunks[-1]
        if used + most > len(words):
            words, sums, used = self._chunk(max(most, len(words) // 8))
            self._chunks.append((words, sums, used))
        self._chunks[-1] = words, sums, int(pack(runs, words, sums, used))

    def deals(self, months: int, numbers: Sequence[int]) -> tuple[Any, Any, Any]:
        """All lines of the deal record so far, with number of the run and month of each."""
        counts = self._counts[:months]
        lines = np.zeros(int(counts.sum()), LAYOUTS[DealRow])
        at = 0
        for words, sums, used in self._chunks:
            here = lines[at : at + used]
            for column, name in enumerate(("kind", "payer", "payee", "asset")):
                here[name] = words[:used, column]
            here["amount"], here["quantity"] = sums[:used, 0], sums[:used, 1]
            at += used
        who = np.repeat(np.tile(np.asarray(numbers), months), counts.ravel())
        when = np.repeat(np.arange(months), counts.sum(axis=1))
        return lines, who, when
