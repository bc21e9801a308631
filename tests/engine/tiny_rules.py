"""A small model in the engine's words, for the tests of the engine; run as a script it prints its bits."""

from __future__ import annotations

import math
from enum import IntEnum

import numpy as np

from gpurush.engine import LAYOUTS, Array, helper, of, record, row, rule


class Metal(IntEnum):
    iron = 0
    gold = 1


@record
class Hoard:
    """Some metal."""

    amount: Array[float] = of("kg", "held", per=Metal)
    sealed: bool = of("", "nobody may add to it")


@record
class Dwarf:
    """A miner."""

    skill: float = of("kg/month", "dug in a month")
    months: int = of("months", "worked")
    hoards: Array[Hoard] = of(per=3)


@record
class Run:
    """A mountain."""

    month: int = of("months", "since the start")
    total: float = of("kg", "dug by all")
    dwarfs: Array[Dwarf] = of(per=4)


@row("Dwarf")
def dwarf_of(run: Run, who: int) -> Dwarf:
    return run.dwarfs[who]


@helper
def open_hoard(dwarf: Dwarf) -> int:
    for h in range(3):
        if not dwarf.hoards[h].sealed:
            return h
    return -1


@rule
def dig(dwarf: Dwarf, run: Run) -> None:
    """Digs, with diminishing returns; a hoard above 50 kg is sealed."""
    at = open_hoard(dwarf)
    if at < 0:
        return
    hoard = dwarf.hoards[at]
    found = dwarf.skill * math.exp(-0.01 * run.month) + math.log(1.0 + run.month) / 7.0
    hoard.amount[Metal.iron] += found
    hoard.amount[Metal.gold] += math.sqrt(found) * 1e-3
    hoard.sealed = hoard.amount[Metal.iron] > 50.0
    dwarf.months += 1
    run.total += found


@rule
def pass_month(run: Run) -> None:
    """A month passes."""
    run.month += 1


def play(runs: int, months: int = 30):
    state = np.zeros(runs, LAYOUTS[Run])
    state["dwarfs"]["skill"] = 1.0 + np.arange(4) / 3.0 + np.arange(runs)[:, None] / 7.0
    for _ in range(months):
        for who in range(4):
            dig.all(state, who)
        pass_month.all(state)
    return state


if __name__ == "__main__":
    print(play(5).tobytes().hex())
