"""What kept each lab below its target, when: one line per lab, one cell per quarter."""

import numpy as np
from numpy.typing import NDArray

from ..names import Bound
from ..results.panel import Panel
from ..results.recording import quarter_ends
from .words import table, title

LETTERS = {
    Bound.nothing: "·",
    Bound.money: "M",
    Bound.chips: "C",
    Bound.leases: "L",
    Bound.power: "P",
    Bound.adjustment: "A",
}
"""The letter of each constraint."""


def quarters(panel: Panel) -> list[tuple[int, int]]:
    """First and last month of each calendar quarter."""
    ends = sorted(set(quarter_ends(panel.start, panel.months).tolist()))
    return list(zip([0, *(end + 1 for end in ends[:-1])], ends, strict=True))


def active(panel: Panel, lab: str) -> NDArray[np.bool_]:
    """(runs, months), whether a lab is there: it has researchers or a target."""
    return (panel.agent("researchers", lab) > 0.0) | (panel.agent("h100e_target", lab) > 0.0)


def cell(bound: NDArray[np.float64], there: NDArray[np.bool_]) -> str:
    """The most frequent constraint of a quarter and its share of run-months in per cent.

    Args:
        bound: (runs, months), numbers of ``Bound``.
        there: (runs, months), whether the lab is there.
    """
    found = bound[there]
    if not len(found):
        return ""
    counts = [int((found == member).sum()) for member in Bound]
    most = int(np.argmax(counts))
    share = min(99, round(100.0 * counts[most] / len(found)))
    return f"{LETTERS[Bound(most)]}{share:02d}"


def calendar(panel: Panel) -> list[str]:
    """The calendar of binding constraints as lines of text."""
    spans = quarters(panel)
    names = panel.month_names
    head = [""]
    for first, last in spans:
        year, month = names[last].split("-")
        opening = first == 0 or names[first].endswith("-01")
        head.append(year if opening else f"Q{(int(month) + 2) // 3}")
    rows = []
    for lab in panel.labs:
        bound, there = panel.agent("bound_by", lab), active(panel, lab)
        cells = [cell(bound[:, a : b + 1], there[:, a : b + 1]) for a, b in spans]
        if any(cells):
            rows.append([title(lab), *cells])
    legend = "; ".join(f"{LETTERS[member]} {member.help.split(':')[0]}" for member in Bound)
    return [
        "What keeps running compute below its target: the most frequent constraint of each quarter",
        "and its share of run-months in per cent (99: 99 or more)",
        f"  {legend}",
        *table(head, rows),
    ]
