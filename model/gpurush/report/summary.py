"""An ensemble in text: labs by year, markets by half-year, what bound whom, concentration."""

import numpy as np
from numpy.typing import NDArray

from ..experiments.comparing import LAB_METRICS, Metric, by_year
from ..results.panel import Array, Panel, quantiles
from ..results.reader import Results
from .calendar import active, calendar
from .words import band, plural, table, title

BAND = (0.05, 0.5, 0.95)

BURNING = 0.2
"""Least share of runs with a net burn for which a runway is shown."""

IDLE = 0.05
"""Least share of runs that end with a lab running nothing for which that is said."""

RUNWAY = Metric("runway_months", "runway", "months", "end")
"""Not compared: it is null or next to infinite wherever hardly any cash is burnt, so pairs of runs mean little."""

LEADERS = ("openai", "anthropic", "google_deepmind", "meta", "xai")
"""The labs over which concentration is measured: those that train at the frontier."""

FEW = 20
"""Runs below which a 5-95 % band is little more than the lowest and the highest run."""

UNITS = {"1": "%", "log10 FLOP": "log", "months": "months"}
"""How words show a unit."""


def summary(results: Results) -> str:
    """The main figures of an ensemble as text.

    Args:
        results: the results.
    """
    panel = Panel(results)
    blocks = [heading(panel), *labs(panel), markets(panel), calendar(panel), concentration(panel)]
    return "\n\n".join("\n".join(block) for block in blocks if block)


def heading(panel: Panel) -> list[str]:
    """What was run, and how to read the numbers."""
    manifest = panel.results.manifest
    runs = int(manifest["runs"])
    said = manifest["scenario"]["title"]
    lines = [f"{panel.results.name}: {said}" if said else panel.results.name]
    months = panel.month_names
    lines.append(f"{plural(runs, 'run')}, seed {manifest['seed']}, {months[0]} to {months[-1]}")
    for path, value in manifest["overrides"].items():
        lines.append(f"with {path} = {value}")
    if runs > 1:
        lines[1] += "; median (5 %–95 % of runs)"
        lines[1] += ": of so few runs next to the lowest and the highest" if runs < FEW else ""
    idle = {lab: float((panel.agent("h100e_energised", lab)[:, -1] <= 0.0).mean()) for lab in panel.labs}
    ends = [f"{title(lab)} in {share:.0%} of runs" for lab, share in idle.items() if share >= IDLE]
    if ends:
        lines.append(f"Runs nothing at the end: {', '.join(ends)}; growth starts from what a lab runs")
    defaults = panel.results.read("runs", ["run", "defaults"])["defaults"]
    if (defaults > 0).any():
        lines.append(f"A firm defaults in {plural(int((defaults > 0).sum()), 'run')} of {runs:,}")
    broken = panel.results.read("runs", ["run", "finite"]).query("not finite")["run"].tolist()
    if broken:
        lines.append(f"NOT FINITE: run {', '.join(map(str, broken[:10]))}{' …' if len(broken) > 10 else ''}")
    return lines


def labs(panel: Panel) -> list[list[str]]:
    """A table for each metric: labs down, years across."""
    return [block for metric in (*LAB_METRICS, RUNWAY) if (block := lab_table(panel, metric))]


def lab_table(panel: Panel, metric: Metric) -> list[str]:
    """One metric by lab and year; a lab that is nothing but zero is left out."""
    rows = []
    for lab in panel.labs:
        there = active(panel, lab)
        values = runway_of(panel, lab) if metric is RUNWAY else panel.agent(metric.column, lab)
        if not np.nan_to_num(values).any():
            continue
        cells = []
        for span in panel.years:
            found = np.where(there[:, span[2]], by_year(values, span, metric.how), np.nan)
            cells.append(said(found, UNITS.get(metric.unit, "")))
        rows.append([title(lab), *cells])
    if not rows:
        return []
    when = "sum of the year" if metric.how == "sum" else "year's end"
    unit = "" if metric.unit == "1" or metric.unit in metric.title else f"{metric.unit}, "
    name = metric.title[0].upper() + metric.title[1:]
    if metric is RUNWAY:
        unit = "months, of the runs that burn cash, where at least a fifth do; "
    return [f"{name} ({unit}{when})", *table(["", *(label for label, *_ in panel.years)], rows)]


def runway_of(panel: Panel, lab: str) -> Array:
    """(runs, months), runway of a lab; ``nan`` without net burn, and in months in which few runs burn cash."""
    runway = panel.agent("runway_months", lab)
    burning = np.isfinite(runway).mean(axis=0)
    shown: Array = np.where(burning >= BURNING, runway, np.nan)
    return shown


def said(values: Array, unit: str = "") -> str:
    """Median and band of (runs,) as text."""
    low, middle, high = quantiles(values, BAND)
    return band(float(low), float(middle), float(high), unit)


def flagship(panel: Panel, market: str) -> str | None:
    """The item that stands for a market: the H100 where it is traded, else the first."""
    items = panel.items_of(market)
    named = [item for item in items if item.upper().startswith("H100")]
    return next(iter(named or items), None)


def inflation(panel: Panel) -> Array:
    """(runs, months), mean order inflation of the labs that are there."""
    total = np.zeros((len(panel.runs), panel.months))
    count = np.zeros_like(total)
    for lab in panel.labs:
        values = panel.agent("order_inflation", lab)
        there = active(panel, lab) & (values > 0.0)
        total += np.where(there, values, 0.0)
        count += there
    out: Array = np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0.0)
    return out


def market_series(panel: Panel) -> list[tuple[str, str, Array]]:
    """Title, unit and (runs, months) of what tells the state of the markets."""
    series: list[tuple[str, str, Array]] = []
    chip, lease = flagship(panel, "gpu"), flagship(panel, "lease")
    if chip:
        series.append(("lead time", "months", panel.weighted("lead_time_months", "gpu")))
        series.append(("book-to-bill", "", book_to_bill(panel)))
    series.append(("order inflation", "", inflation(panel)))
    if chip:
        series.append((f"{chip} price", "USD/GPU", panel.market("price_usd", "gpu", chip)))
    if lease:
        name = "rent" if lease.lower().startswith("rent") else f"{lease} rent"
        unit = "USD/H100e-hour" if lease.lower() == "h100e" else "USD/GPU-hour"
        series.append((name, unit, panel.market("price_usd", "lease", lease)))
    return series


def book_to_bill(panel: Panel) -> Array:
    """(runs, months), orders over shipments of all GPUs; ``nan`` with nothing shipped."""
    items = panel.items_of("gpu")
    orders = sum((np.nan_to_num(panel.market("orders", "gpu", item)) for item in items), np.zeros(1))
    shipped = sum((np.nan_to_num(panel.market("shipped", "gpu", item)) for item in items), np.zeros(1))
    out: Array = np.divide(orders, shipped, out=np.full(shipped.shape, np.nan), where=shipped > 0.0)
    return out


def markets(panel: Panel) -> list[str]:
    """Markets by half-year: the mean of its months."""
    series = market_series(panel)
    halves: dict[str, list[int]] = {}
    for month, name in enumerate(panel.month_names):
        halves.setdefault(f"{name[:4]} H{1 if int(name[5:]) <= 6 else 2}", []).append(month)
    rows = [
        [half, *(said(mean(values[:, months])) for _, _, values in series)] for half, months in halves.items()
    ]
    head = ["", *(f"{name}, {unit}" if unit else name for name, unit, _ in series)]
    return ["Markets (mean of the half-year)", *table(head, rows)]


def mean(values: Array) -> Array:
    """(runs,), the mean of (runs, months) over the months with a number."""
    known = np.isfinite(values)
    count = known.sum(axis=1)
    total = np.where(known, values, 0.0).sum(axis=1)
    out: Array = np.divide(total, count, out=np.full(len(values), np.nan), where=count > 0)
    return out


def hhi(shares_of: NDArray[np.float64]) -> Array:
    """(runs,), the Herfindahl-Hirschman index in points: 10,000 x the sum of squared shares.

    Args:
        shares_of: (firms, runs), what each firm has.
    """
    total = shares_of.sum(axis=0)
    safe = np.where(total > 0.0, total, 1.0)
    points: Array = np.where(total > 0.0, 1e4 * ((shares_of / safe) ** 2).sum(axis=0), np.nan)
    return points


def concentration(panel: Panel) -> list[str]:
    """Concentration of running compute over the leading labs, and their total."""
    labs = [lab for lab in LEADERS if lab in panel.agents]
    if len(labs) < 2:
        return []
    running = np.stack([np.nan_to_num(panel.agent("h100e_energised", lab)) for lab in labs])
    last = [month for _, _, month in panel.years]
    rows = [
        ["HHI, points", *(said(hhi(running[:, :, month]), "whole") for month in last)],
        ["H100e, these five", *(said(running[:, :, month].sum(axis=0)) for month in last)],
    ]
    who = ", ".join(title(lab) for lab in labs)
    if len(labs) < len(LEADERS):
        rows[1][0] = "H100e, these"
    return [
        f"Concentration of running compute (year's end): {who}",
        *table(["", *(label for label, *_ in panel.years)], rows),
    ]
