"""A comparison in text: paired differences with intervals, by lab or site and year."""

from typing import TYPE_CHECKING

from ..experiments.comparing import GROUPS, LAB_METRICS, RESAMPLES, Comparison
from .words import NOTHING, plural, short, table, title

if TYPE_CHECKING:
    import pandas as pd


MARKETS = {"gpu": "GPUs", "gpu H100": "H100, per GPU", "lease H100e": "H100e leased, per hour"}
"""What a market and its item are called."""
LARGEST = 6
"""Effects named at the top."""
WORTH = 0.02
"""Share of the largest lab's figure below which an effect is not named at the top."""
LEAST = 0.005
"""Relative effect below which nothing is named at the top."""


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


def largest(frame: "pd.DataFrame") -> list[str]:
    """The largest relative effects on labs, one for each lab and metric, of those that are no matter of chance.

    Shares and logarithms have no relative effect, the mean of what strands in few runs hardly one; a lab that has
    next to nothing of a thing is left out.
    """
    shown = {metric.column: metric for metric in LAB_METRICS if metric.unit not in ("1", "log10 FLOP")}
    del shown["h100e_stranded"]
    part = frame[(frame["group"] == "lab") & frame["metric"].isin(shown)].copy()
    size = part[["a", "b"]].abs().max(axis=1)
    clear = part["low"].isna() | (part["low"] > 0.0) | (part["high"] < 0.0)
    worth = size >= WORTH * size.groupby([part["metric"], part["year"]]).transform("max")
    part["effect"] = part["difference"] / part["a"].where(part["a"].abs() > 0.0)
    part = part[clear & worth & (part["effect"].abs() >= LEAST)]
    part = part.sort_values("effect", key=abs, ascending=False, kind="stable")
    part = part.drop_duplicates(["name", "metric"]).head(LARGEST)
    rows = []
    for _, row in part.iterrows():
        metric = shown[row["metric"]]
        when = "in" if metric.how == "sum" else "at the end of"
        what = f"{title(row['name'])}: {metric.title} {when} {row['year']}"
        mean = f"{short(row['a'])} to {short(row['b'])}{'' if metric.unit in metric.title else ' ' + metric.unit}"
        rows.append([what, f"{100.0 * row['effect']:+.0f} %".replace("-", "−"), mean])
    return ["Largest relative effects on labs (of the mean)", *table(["", "", ""], rows)[1:]] if rows else []


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
    shared = [f"with {path} = {value}" for path, value in b.manifest["overrides"].items()]
    blocks[0][1:1] = shared
    question = b.manifest["scenario"].get("question")
    if question and question != a.manifest["scenario"].get("question"):
        blocks[0].insert(1, question)
    frame = comparison.table()
    blocks.append(largest(frame))
    same = []
    for group, metric in ((group, metric) for group, metrics in GROUPS.items() for metric in metrics):
        part = frame[(frame["group"] == group) & (frame["metric"] == metric.column)]
        years = list(dict.fromkeys(part["year"]))
        rows = []
        for name in dict.fromkeys(part["name"]):
            cells = [cell(row, metric.unit) for _, row in part[part["name"] == name].iterrows()]
            if any(each not in ("0", NOTHING) for each in cells):
                rows.append([MARKETS.get(name) or title(name), *cells])
        if rows:
            when = {"sum": "sum of the year", "mean": "mean of the year", "end": "year's end"}[metric.how]
            unit = {"1": "percentage points, "}.get(metric.unit, f"{metric.unit}, ")
            head = f"{metric.title[0].upper()}{metric.title[1:]} ({unit}{when})"
            blocks.append([head, *table(["", *years], rows)])
        elif len(part):
            same.append(metric.title)
    if same:
        blocks.append([f"No difference in: {', '.join(same)}"])
    return "\n\n".join("\n".join(block) for block in blocks if block)
