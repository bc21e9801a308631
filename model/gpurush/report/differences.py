"""A comparison in text: paired differences with intervals, by lab or site and year."""

from typing import TYPE_CHECKING

from ..experiments.comparing import LAB_METRICS, RESAMPLES, SITE_METRICS, Comparison
from .words import NOTHING, plural, short, table, title

if TYPE_CHECKING:
    import pandas as pd


def signed(value: float, unit: str) -> str:
    """A difference with its sign; a share in percentage points."""
    if unit == "1":
        text = f"{100.0 * value:.1f}" if value == value else NOTHING
    else:
        text = short(value, "log" if unit == "log10 FLOP" else "")
    if text.lstrip("-").strip("0.") == "":
        return "0"
    return f"+{text}" if value > 0.0 else text.replace("-", "−")


def cell(row: "pd.Series[float]", unit: str) -> str:
    """Mean difference and its interval."""
    middle, low, high = (signed(float(row[name]), unit) for name in ("difference", "low", "high"))
    if middle == low == high or low == NOTHING:
        return middle
    return f"{middle} [{low}, {high}]"


def differences(comparison: Comparison) -> str:
    """The differences of a comparison as text; lines without any difference are left out."""
    a, b = comparison.a, comparison.b
    runs = int(a.manifest["runs"])
    blocks = [
        [
            f"{b.name} minus {a.name}: {plural(runs, 'paired run')}, seed {a.seed}",
            f"mean difference [95 % bootstrap interval of the mean, {RESAMPLES:,} resamples of runs]"
            if runs > 1
            else "one run has no interval",
        ]
    ]
    frame = comparison.table()
    same = []
    for metric in (*LAB_METRICS, *SITE_METRICS):
        group = "lab" if metric in LAB_METRICS else "site"
        part = frame[(frame["group"] == group) & (frame["metric"] == metric.column)]
        years = list(dict.fromkeys(part["year"]))
        rows = []
        for name in dict.fromkeys(part["name"]):
            cells = [cell(row, metric.unit) for _, row in part[part["name"] == name].iterrows()]
            if any(each not in ("0", NOTHING) for each in cells):
                rows.append([title(name), *cells])
        if rows:
            when = "sum of the year" if metric.how == "sum" else "year's end"
            unit = {"1": "percentage points, "}.get(metric.unit, f"{metric.unit}, ")
            head = f"{metric.title[0].upper()}{metric.title[1:]} ({unit}{when})"
            blocks.append([head, *table(["", *years], rows)])
        elif len(part):
            same.append(metric.title)
    if same:
        blocks.append([f"No difference in: {', '.join(same)}"])
    return "\n\n".join("\n".join(block) for block in blocks)
