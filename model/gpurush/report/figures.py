"""The figures of a result: compute by lab, a site and its power, the GPU market, cash and runway."""

import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter
from numpy.typing import NDArray

from ..results.errors import ResultsError
from ..results.panel import Array, Panel, quantiles
from ..results.reader import Results
from .calendar import active
from .style import (
    INK,
    READING,
    SOFT,
    colours,
    dated,
    fan,
    headline,
    looks,
    outline,
    positive,
    sheet,
    short_ticks,
    steps,
)
from .summary import market_series, runway_of
from .words import plural, short, title

COLUMNS = 4
WIDEST = 150
"""Characters in a line under a figure."""
SHOWN = 2
"""Overrides named under a figure; the summary names all."""

STRANDED = 0.01
"""Share of a site's GPUs without power or cooling beyond which a run counts as one with stranded GPUs."""

BLUE, ORANGE, GREEN, GREY = "#0072B2", "#D55E00", "#009E73", "#8A8A8A"


def under(panel: Panel, reading: str = READING) -> str:
    """The line of explanation under a figure."""
    runs = len(panel.runs)
    overrides = panel.results.manifest["overrides"]
    laid = "".join(f", {path} = {value}" for path, value in list(overrides.items())[:SHOWN])
    laid += f" and {len(overrides) - SHOWN} more" if len(overrides) > SHOWN else ""
    what = f"{panel.results.name}{laid}: {plural(runs, 'run')}, seed {panel.results.seed}"
    lines = [f"{what}; {reading}" if runs > 1 else what]
    if len(lines[0].split("\n")[0]) > WIDEST:
        lines = [what, reading] if runs > 1 else [what]
    return "\n".join(
        folded for line in "\n".join(lines).split("\n") for folded in textwrap.wrap(line, WIDEST)
    )


def present(panel: Panel) -> list[str]:
    """The labs that ever run or own compute, the largest at the end first."""
    last = {}
    for lab in panel.labs:
        values = panel.agent("h100e_energised", lab) + panel.agent("h100e_owned", lab)
        if np.nan_to_num(values).any():
            last[lab] = float(np.nan_to_num(np.median(panel.agent("h100e_energised", lab)[:, -1])))
    return sorted(last, key=lambda lab: -last[lab])


def grid(count: int) -> tuple[int, int]:
    """Rows and columns for so many panels."""
    columns = 3 if count in (5, 6) else min(COLUMNS, count)
    return -(-count // columns), columns


def compute(panel: Panel) -> Figure:
    """H100e running by lab: a fan for each, the others' medians behind it in grey, on one log scale."""
    labs, shade = present(panel), colours(panel.labs)
    rows, columns = grid(max(len(labs), 1))
    figure, axes = sheet(rows, columns, (12.0, 1.0 + 2.75 * rows), sharex=True, sharey=True)
    median = {lab: quantiles(panel.agent("h100e_energised", lab), (0.5,))[0] for lab in labs}
    for place, axis in enumerate(axes.flat):
        if place >= len(labs):
            axis.set_visible(False)
            continue
        lab = labs[place]
        for other in labs:
            if other != lab:
                axis.plot(panel.dates, positive(median[other]), color="#C4C4C4", linewidth=0.9, zorder=1)
        fan(axis, panel.dates, panel.agent("h100e_energised", lab), shade[lab], log=True)
        axis.set_title(title(lab), color=shade[lab])
        ending(axis, median[lab], shade[lab])
        dated(axis, panel.dates)
        if place % columns == 0:
            axis.set_ylabel("running compute, H100e")
        axis.tick_params(labelbottom=place + columns >= len(labs))
    log_limits(axes[0, 0], [panel.agent("h100e_energised", lab) for lab in labs])
    headline(figure, "Compute by lab", under(panel, f"{READING}; grey: medians of the other labs; log scale"))
    return figure


def ending(axis: Axes, median: NDArray[np.float64], colour: str) -> None:
    """Writes the median of the last month in the corner."""
    said = short(float(median[-1]))
    text = f"{said} at the end"
    axis.text(0.97, 0.06, text, transform=axis.transAxes, ha="right", fontsize=9, color=colour)


def log_limits(axis: Axes, series: list[Array]) -> None:
    """A log scale that holds the 5-95 % bands, but at most four decades."""
    axis.set_yscale("log")
    axis.yaxis.set_major_locator(LogLocator(numticks=12))
    short_ticks(axis)
    axis.yaxis.set_minor_formatter(NullFormatter())
    if series:
        bands = np.concatenate([quantiles(values, (0.05, 0.95)).ravel() for values in series])
        known = bands[np.isfinite(bands) & (bands > 0.0)]
        if len(known):
            high = float(known.max()) * 1.6
            axis.set_ylim(max(float(known.min()) / 1.6, high / 2e4), high)


def focus(panel: Panel) -> str | None:
    """The site to show: Memphis, else the one with the most stranded GPUs."""
    for site in panel.sites:
        if "memphis" in site:
            return site
    if not panel.sites:
        return None
    stranded = {site: float(np.nan_to_num(panel.site("h100e_stranded", site)).sum()) for site in panel.sites}
    return max(stranded, key=lambda site: stranded[site])


def site(panel: Panel, name: str | None = None) -> Figure:
    """One site: GPUs delivered, energised and busy; in how many runs some stand dark; the megawatts."""
    name = name or focus(panel)
    figure, axes = sheet(3, 1, (10.0, 9.2), sharex=True, height_ratios=(1.25, 0.45, 1.0))
    top, middle, low = axes[:, 0]
    if name is None:
        headline(figure, "Site", "no site is recorded")
        return figure
    dates = panel.dates
    # The three lie close together, so only one of them has filled bands.
    fan(top, dates, panel.site("gpus_energised", name), BLUE, label="energised", linewidth=3.2)
    outline(top, dates, panel.site("gpus_delivered", name), INK, label="delivered", linestyle=(0, (4, 2)))
    outline(top, dates, panel.site("gpus_busy", name), ORANGE, label="busy")
    top.set_title("GPUs at the site")
    top.set_ylabel("GPUs")
    site_stranded(middle, panel, name)
    site_power(low, panel, name)
    opened = first_month(panel, name)
    for axis in (top, middle, low):
        axis.set_ylim(bottom=0.0)
        dated(axis, dates[opened:])
    for axis in (top, low):
        short_ticks(axis)
        axis.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0))
    reading = (
        f"{READING}, for what is energised and drawn\n"
        "delivered, busy: thin lines at 5 and 95 %; steps: medians at month's end; grid connected: its band is 5–95 %"
    )
    headline(figure, f"{title(name)}: chips against power", under(panel, reading))
    return figure


def site_stranded(axis: Axes, panel: Panel, name: str) -> None:
    """In how many runs a site holds GPUs that power or cooling does not carry: the median hardly shows them."""
    delivered, energised = panel.site("gpus_delivered", name), panel.site("gpus_energised", name)
    share = (delivered - energised > STRANDED * delivered).mean(axis=0)
    axis.fill_between(panel.dates, 100.0 * share, step="mid", color=INK, alpha=0.55, linewidth=0)
    axis.set_ylim(0.0, 100.0)
    axis.set_yticks((0, 50, 100))
    axis.set_title(f"Runs in which more than {STRANDED:.0%} of the GPUs stand dark")
    axis.set_ylabel("% of runs")


def site_power(axis: Axes, panel: Panel, name: str) -> None:
    """Megawatts of a site as steps: buildings, approval, connection, turbines on top; and what is drawn."""
    grid, gas = panel.site("grid_mw", name), panel.site("onsite_mw", name)
    middle, both = quantiles(grid, (0.5,))[0], quantiles(grid + gas, (0.5,))[0]
    axis.fill_between(panel.dates, middle, both, step="post", color=ORANGE, alpha=0.18, linewidth=0)
    for values, label, colour, line in (
        (panel.site("shell_mw", name), "buildings finished", "#C8A27A", {"linestyle": ":"}),
        (panel.site("approved_mw", name), "grid approved", GREY, {"linestyle": "--"}),
        (grid + gas, "grid + gas turbines on site", ORANGE, {}),
        (grid, "grid connected", BLUE, {"band": True}),
    ):
        steps(axis, panel.dates, values, colour, label=label, **line)
    fan(axis, panel.dates, panel.site("facility_mw", name), INK, linewidth=1.3, label="drawn")
    axis.set_title("Power")
    axis.set_ylabel("facility MW")


def first_month(panel: Panel, name: str) -> int:
    """Three months before anything is at a site, so that the picture begins where the story does."""
    used = np.zeros(panel.months, dtype=bool)
    for column in ("gpus_delivered", "shell_mw"):
        used |= np.nan_to_num(panel.site(column, name)).any(axis=0)
    begun = int(np.argmax(used)) if used.any() else 0
    return min(max(0, begun - 3), max(panel.months - 12, 0))


def market(panel: Panel) -> Figure:
    """The GPU market: lead time, book-to-bill, order inflation, price of the H100, rent; one panel each."""
    series = market_series(panel)
    figure, axes = sheet(len(series), 1, (9.5, 1.1 + 1.75 * len(series)), sharex=True)
    shade = (BLUE, GREEN, ORANGE, "#5B5EA6", "#CC79A7")
    for axis, (name, unit, values), colour in zip(axes[:, 0], series, shade, strict=False):
        fan(axis, panel.dates, values, colour)
        axis.set_title(name[0].upper() + name[1:])
        axis.set_ylabel({"": "ratio"}.get(unit, unit))
        short_ticks(axis)
        limits(axis, values)
        dated(axis, panel.dates)
        if name in ("book-to-bill", "order inflation"):
            axis.axhline(1.0, color=SOFT, linewidth=0.9, linestyle=":", zorder=1)
    reading = f"{READING}; dotted: 1, as much ordered as shipped, and orders not inflated"
    headline(figure, "Lead time, orders and prices", under(panel, reading))
    return figure


def limits(axis: Axes, values: Array) -> None:
    """From zero, or from near the data where that is far from zero, to the top of the 5-95 % band."""
    bands = quantiles(values, (0.05, 0.95))
    known = bands[np.isfinite(bands)]
    if len(known):
        low, high = float(known.min()), float(known.max())
        flat = max(0.0, 0.2 * abs(high) - (high - low)) / 2.0  # A flat line is no drama: show a fifth of it.
        low, high = low - flat, high + flat
        room = 0.08 * max(high - low, 1e-9)
        axis.set_ylim(0.0 if 0.0 <= low < 0.6 * high else low - room, high + room)


def rounds(panel: Panel, lab: str) -> list[tuple[int, float, float]]:
    """Months with a round in a tenth of the runs or more: month, share of runs, median amount, USD."""
    raised = np.nan_to_num(panel.agent("equity_raised_usd", lab))
    found = []
    for month in np.flatnonzero((raised > 0.0).mean(axis=0) >= 0.1):
        amounts = raised[:, month][raised[:, month] > 0.0]
        found.append((int(month), len(amounts) / len(raised), float(np.median(amounts))))
    return found


def cash_panel(axis: Axes, panel: Panel, lab: str, colour: str) -> None:
    """Cash of a lab, with its funding rounds as marks along the top."""
    cash = np.where(active(panel, lab), panel.agent("cash_usd", lab), np.nan)
    fan(axis, panel.dates, cash, colour)
    limits(axis, cash)
    low, high = axis.get_ylim()
    top = high + 0.26 * (high - low)
    axis.set_ylim(low, top)
    held = rounds(panel, lab)
    for month, share, amount in held:
        size = 14.0 + 26.0 * np.clip(np.log10(max(amount, 1.0)) - 8.0, 0.0, 2.5)
        look: Any = {"marker": "v", "color": INK, "alpha": 0.15 + 0.8 * share, "linewidth": 0, "zorder": 4}
        axis.scatter([panel.dates[month]], [top - 0.07 * (top - low)], s=size, **look)
    spoken: list[int] = []
    for month, share, amount in sorted(held, key=lambda each: -each[1] * each[2]):
        if (
            share >= 0.5
            and len(spoken) < 3
            and all(abs(month - other) > panel.months / 5 for other in spoken)
        ):
            spoken.append(month)
            edge = month / max(panel.months - 1, 1)
            side = "left" if edge < 0.06 else "right" if edge > 0.94 else "center"
            place = (panel.dates[month], top - 0.12 * (top - low))
            axis.annotate(short(amount), place, ha=side, va="top", fontsize=8, color=INK)
    axis.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value / 1e9:g}"))


def runway_panel(axis: Axes, panel: Panel, lab: str, colour: str) -> None:
    """Runway of a lab, where at least a fifth of the runs burn money."""
    shown = runway_of(panel, lab)
    axis.set_ylim(0.0, 48.0)
    axis.axhline(12.0, color=SOFT, linewidth=0.9, linestyle=":", zorder=1)
    axis.set_yticks((0, 12, 24, 36, 48))
    if np.isfinite(shown).any():
        fan(axis, panel.dates, shown, colour)
    else:
        axis.text(
            0.5,
            0.5,
            "hardly any run burns cash",
            transform=axis.transAxes,
            ha="center",
            va="center",
            color=SOFT,
        )


def finance(panel: Panel) -> Figure:
    """Cash with funding rounds, and under it the months of runway, for each lab."""
    labs, shade = present(panel), colours(panel.labs)
    blocks, columns = grid(max(len(labs), 1))
    figure, axes = sheet(
        2 * blocks, columns, (12.5, 1.1 + 3.9 * blocks), sharex=True, height_ratios=(1.35, 1.0) * blocks
    )
    for place in range(blocks * columns):
        block, column = divmod(place, columns)
        top, low = axes[2 * block, column], axes[2 * block + 1, column]
        if place >= len(labs):
            top.set_visible(False)
            low.set_visible(False)
            continue
        lab = labs[place]
        cash_panel(top, panel, lab, shade[lab])
        runway_panel(low, panel, lab, shade[lab])
        top.set_title(title(lab), color=shade[lab])
        for axis in (top, low):
            dated(axis, panel.dates)
        low.tick_params(labelbottom=place + columns >= len(labs))
        if column == 0:
            top.set_ylabel("cash, bn USD")
            low.set_ylabel("runway, months")
    reading = (
        f"{READING}; triangles: equity rounds (darker: in more runs; median USD)\n"
        "runway: of the runs that burn cash, where at least a fifth do, shown to 48 months; dotted: 12 months"
    )
    headline(figure, "Cash, funding rounds and runway", under(panel, reading))
    return figure


FIGURES: dict[str, Callable[[Panel], Figure]] = {
    "compute": compute,
    "site": site,
    "market": market,
    "finance": finance,
}
"""The figures by name."""


def draw(results: Results | Panel, name: str = "compute") -> Figure:
    """Draws one figure.

    Args:
        results: results, or a panel of them.
        name: compute, site, market or finance.

    Raises:
        ResultsError: there is no figure of that name.
    """
    if name not in FIGURES:
        raise ResultsError(f"no figure {name!r}; allowed: {', '.join(FIGURES)}")
    panel = results if isinstance(results, Panel) else Panel(results)
    with looks():
        figure = FIGURES[name](panel)
        sns.despine(fig=figure)
    return figure


def draw_all(results: Results, folder: Path) -> list[Path]:
    """Draws every figure into a folder as PNG; returns the files."""
    folder.mkdir(parents=True, exist_ok=True)
    panel = Panel(results)
    files = []
    for name in FIGURES:
        figure = draw(panel, name)
        files.append(folder / f"{name}.png")
        with looks():
            figure.savefig(files[-1], metadata={"Software": "gpurush"})
        figure.clear()
    return files
