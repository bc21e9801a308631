"""How figures look: colours for colour-blind readers, fan bands, axes with dates and short numbers.

Figures are made without pyplot, so that drawing one leaves no state behind in a notebook or a server.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
import numpy as np
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FixedFormatter, FixedLocator, FuncFormatter
from numpy.typing import NDArray

from ..results.panel import Array, quantiles
from .words import short

COLOURS = {
    "openai": "#0072B2",
    "anthropic": "#D55E00",
    "google_deepmind": "#009E73",
    "meta": "#56B4E9",
    "xai": "#CC79A7",
    "tesla": "#8C564B",
}
"""Colours of well-known labs (Okabe and Ito's palette); others take what is left of it."""

OTHERS = ("#E69F00", "#5B5EA6", "#6B8E23", "#444444", "#B8860B", "#8B3A62")
INK, SOFT = "#333333", "#767676"
FAN = (0.05, 0.25, 0.5, 0.75, 0.95)
READING = "line: median; dark band: 25–75 % of runs; light band: 5–95 %"

_RC: dict[str, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 9.5,
    "axes.labelcolor": INK,
    "axes.edgecolor": "#9A9A9A",
    "axes.linewidth": 0.8,
    "axes.grid": True,
    "grid.color": "#E4E4E4",
    "grid.linewidth": 0.7,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
    "text.color": INK,
    "legend.frameon": False,
    "legend.fontsize": 9,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
}


def colours(labs: Sequence[str]) -> dict[str, str]:
    """A colour for each lab, the same in every figure."""
    spare = iter(OTHERS * (1 + len(labs) // len(OTHERS)))
    return {lab: COLOURS.get(lab) or next(spare) for lab in labs}


@contextmanager
def looks() -> Iterator[None]:
    """The style, within a block only."""
    style: dict[Any, Any] = {**sns.axes_style("ticks"), **_RC}
    with mpl.rc_context(style):
        yield


def sheet(
    rows: int, columns: int, size: tuple[float, float], **options: Any
) -> tuple[Figure, NDArray[np.object_]]:
    """A figure with a grid of axes that needs no pyplot.

    Args:
        rows: rows of the grid.
        columns: its columns.
        size: width and height in inches.
        options: passed to ``Figure.subplots``.
    """
    figure = Figure(figsize=size, dpi=150, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(rows, columns, squeeze=False, **options)
    return figure, axes


def headline(figure: Figure, title: str, under: str) -> None:
    """Title and a line of explanation at the top left."""
    figure.suptitle(title, x=0.008, ha="left", fontsize=14, fontweight="bold")
    figure.text(0.008, 0.0, under, ha="left", va="bottom", fontsize=8.5, color=SOFT)
    layout: Any = figure.get_layout_engine()
    layout.set(rect=(0.0, 0.035, 1.0, 0.965), h_pad=0.06, w_pad=0.06)


def positive(values: Array) -> Array:
    """Values with all that is not above zero as ``nan``, for a log scale."""
    return np.where(values > 0.0, values, np.nan)


def fan(axes: Axes, dates: NDArray[Any], values: Array, colour: str, log: bool = False, **line: Any) -> None:
    """Median and bands of 25-75 and 5-95 % of runs; one run is a line.

    Args:
        axes: where.
        dates: (months,).
        values: (runs, months); ``nan`` is left out.
        colour: of line and bands.
        log: the scale is logarithmic: a band reaches down to a tenth where its lower edge is zero, a line
            that is zero is not drawn.
        line: passed to the median's ``plot``.
    """
    q05, q25, q50, q75, q95 = quantiles(values, FAN)
    if log:
        q05, q25 = np.where(positive(q95) > 0.0, np.maximum(q05, 0.1), np.nan), np.maximum(q25, 0.1)
        q50, q75, q95 = positive(q50), np.maximum(q75, 0.1), positive(q95)
    if len(values) > 1:
        axes.fill_between(dates, q05, q95, color=colour, alpha=0.16, linewidth=0)
        axes.fill_between(dates, q25, q75, color=colour, alpha=0.30, linewidth=0)
    axes.plot(dates, q50, **{"color": colour, "linewidth": 1.9, "solid_capstyle": "round", **line})


def outline(axes: Axes, dates: NDArray[Any], values: Array, colour: str, **line: Any) -> None:
    """Median of (runs, months), and thin lines at 5 and 95 % of runs, for series that overlap."""
    q05, q50, q95 = quantiles(values, (0.05, 0.5, 0.95))
    if len(values) > 1:
        for edge in (q05, q95):
            axes.plot(dates, edge, **{"color": colour, "linewidth": 0.6, "alpha": 0.8, **line, "label": None})
    axes.plot(dates, q50, **{"color": colour, "linewidth": 1.5, **line})


def steps(
    axes: Axes, dates: NDArray[Any], values: Array, colour: str, band: bool = False, **line: Any
) -> None:
    """Median of (runs, months) as a step line, with the 5-95 % band if asked for."""
    q05, q50, q95 = quantiles(values, (0.05, 0.5, 0.95))
    if band and len(values) > 1:
        axes.fill_between(dates, q05, q95, step="post", color=colour, alpha=0.14, linewidth=0)
    axes.plot(dates, q50, **{"color": colour, "linewidth": 1.9, "drawstyle": "steps-post", **line})


def dated(axes: Axes, dates: NDArray[Any]) -> None:
    """Years on the horizontal axis, with the record's months as its limits."""
    axes.set_xlim(dates[0].astype("datetime64[M]"), dates[-1])
    months = dates.astype("datetime64[M]")
    opening = [month for month in months if str(month).endswith("-01")]
    quarters = [month for month in months if int(str(month)[5:]) % 3 == 1]
    if len(dates) < 18:
        opening = [month for month in months if month in quarters or len(months) < 7]
    # Fixed ticks: locators of dates are slow, and slower with every panel that shares them.
    axes.xaxis.set_major_locator(FixedLocator([days(month) for month in opening]))
    axes.xaxis.set_minor_locator(FixedLocator([days(month) for month in quarters]))
    axes.xaxis.set_major_formatter(
        FixedFormatter([str(m)[:4] if len(dates) >= 18 else str(m) for m in opening])
    )


def days(month: np.datetime64) -> float:
    """A date as matplotlib counts it: days since 1970."""
    return float(month.astype("datetime64[D]").astype(np.int64))


def short_ticks(axes: Axes) -> None:
    """Short numbers on the vertical axis: 200k, 1.5M."""
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: tick(value)))


def tick(value: float) -> str:
    """A number beside an axis: short, without zeros at its end."""
    number, letters = re.fullmatch(r"(-?[\d.]+)(\D*)", short(value)).groups()  # type: ignore[union-attr]
    return f"{float(number):g}{letters}"
