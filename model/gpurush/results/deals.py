"""The deal record as a table: a row per run, period, kind, payer, payee and unit; no zero rows."""

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..names import Deal
from .columns import DEALS, Stored
from .recording import Recording, month_ends, quarter_ends
from .tables import labels, made, numbers

UNITS: dict[Deal, str] = {
    Deal.chips: "GPUs",
    Deal.advance: "H100e",
    Deal.rent: "GPU-months",
    Deal.spot_rent: "H100e-months",
    Deal.power: "MWh",
    Deal.gas: "MWh",
    Deal.payroll: "person-months",
    Deal.running: "H100e-months",
    Deal.service: "H100e-months",
    Deal.shell: "MW",
    Deal.integration: "racks",
    Deal.foundry: "GPUs",
    Deal.transfer: "GPUs",
}
"""What ``quantity`` counts for each kind paid in dollars; kinds that are not here have no quantity."""


def totals(of: NDArray[np.int64], groups: int, values: NDArray[Any]) -> NDArray[np.float64]:
    """Sums of values by group, in the order of the rows.

    Args:
        of: (rows,), the group of each row.
        groups: number of groups.
        values: (rows,).
    """
    return np.bincount(of, weights=values, minlength=groups).astype(np.float64)


def deals_table(recording: Recording, period: str = "month") -> pa.Table:
    """Table ``deals``.

    Args:
        recording: the recording.
        period: "month" or "quarter".
    """
    lines = recording.deal_rows
    until = quarter_ends(recording.start, recording.months)
    when = recording.deal_month if period == "month" else until[recording.deal_month]
    accounts, assets = len(recording.accounts), len(recording.chips) + 1
    sizes = (len(recording.runs), recording.months, max(Deal) + 1, accounts, accounts, assets)
    run = np.searchsorted(recording.runs, recording.deal_run)
    key = np.ravel_multi_index(
        (run, when, lines["kind"], lines["payer"], lines["payee"], lines["asset"] + 1), sizes
    )
    found, of = np.unique(key, return_inverse=True)
    amount = totals(of, len(found), lines["amount"])
    bought = totals(of, len(found), lines["quantity"])
    kept = (amount != 0.0) | (bought != 0.0)
    run, when, kind, payer, payee, asset = np.unravel_index(found[kept], sizes)
    usd = asset == 0
    unit_names, unit = units(kind, asset, recording.chips)
    dates = month_ends(recording.start, recording.months)
    return made(
        DEALS,
        {
            "run": pa.array(recording.runs.astype(np.int64)[run]),
            "date": pa.array(dates[when], pa.timestamp("ms")),
            "kind": labels(kind, [member.name for member in Deal]),
            "payer": labels(payer, recording.accounts),
            "payee": labels(payee, recording.accounts),
            "amount_usd": numbers(np.where(usd, amount[kept], 0.0), Stored.usd),
            "quantity": numbers(np.where(usd, bought[kept], amount[kept]), Stored.number),
            "unit": labels(unit, unit_names),
        },
    )


def units(
    kind: NDArray[np.int64], asset: NDArray[np.int64], chips: list[str]
) -> tuple[list[str], NDArray[np.int64]]:
    """The names of all units and which each row has; ``asset`` is 0 for USD, else the chip's number + 1."""
    names = list(dict.fromkeys(["", *UNITS.values(), *chips]))
    by_kind = np.array([names.index(UNITS.get(member, "")) for member in Deal], dtype=np.int64)
    by_chip = np.array([0, *(names.index(chip) for chip in chips)], dtype=np.int64)
    return names, np.where(asset == 0, by_kind[kind], by_chip[asset])
