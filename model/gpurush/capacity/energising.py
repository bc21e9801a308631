"""What a site runs of several chip types, why no more, and what one more of each limit would give.

* No limit is short: everything runs.
* One limit is short: chips are filled in by value per unit of it. That is exact for divisible chips (the
  greedy solution of the fractional knapsack, Dantzig 1957).
* Several are short: the divisible optimum comes from ``simplex.py``; it is rounded down to whole units, and
  what is left is filled by value per unit of the tightest limit.

A limit is short when running everything would exceed it; the others cannot bind. Whole units stay less than
one unit per chip type below the divisible optimum.

``energise_site`` is the quick path of the monthly model, ``energise_chips`` the general one.
"""

import numpy as np

from ..engine import helper
from ..names import Binding
from ..units import KW_PER_MW
from .limits import (
    AIR,
    LIMITS,
    LIQUID,
    POWER,
    RACKS,
    TOLERANCE,
    UNLIMITED,
    Matrix,
    Vector,
    uses,
    whole,
    within,
)
from .simplex import divisible_optimum, load_of

SAME = 1.0e-12
"""Two values closer than this, relatively, are the same."""


@helper
def fill_by_value(
    value: Vector, use: Vector, limit: float, delivered: Vector, per_unit: Vector, running: Vector
) -> float:
    """Fills one short limit with whole units, the most valuable per unit of the limit first.

    Ties go to the type that comes first. A type of negative value stays off.

    Args:
        value: (chips,), worth of one GPU.
        use: (chips,), what one GPU takes of the limit.
        limit: what the site has of it, in the same unit.
        delivered: (chips,), GPUs on site.
        per_unit: (chips,), GPUs in one node or rack.
        running: (chips,), written: GPUs that run.

    Returns:
        the shadow price: value per unit of the limit of the first type that does not run whole.
    """
    open_types = 0
    for j in range(len(value)):
        running[j] = 0.0
        if delivered[j] > 0.0 and value[j] >= 0.0:
            running[j] = -1.0
            open_types += 1
    room = limit * (1.0 + TOLERANCE)
    shadow = -1.0
    for _ in range(open_types):
        best = -1
        for j in range(len(value)):
            if running[j] < 0.0 and (best < 0 or value[j] * use[best] > value[best] * use[j]):
                best = j
        if use[best] <= 0.0:
            running[best] = delivered[best]
            continue
        most = max(room, 0.0) / use[best]
        if shadow < 0.0 and most < delivered[best]:
            shadow = value[best] / use[best]
        running[best] = whole(most, delivered[best], per_unit[best])
        room -= running[best] * use[best]
    return max(shadow, 0.0)


@helper
def fill_what_is_left(
    value: Vector,
    use: Matrix,
    limit: Vector,
    delivered: Vector,
    per_unit: Vector,
    tight: int,
    running: Vector,
) -> None:
    """Adds whole units to a feasible site as long as every limit has room.

    Types come in order of value per unit of the limit ``tight``; ties go to the type that comes first. Arrays
    as in ``energise_chips``; ``running`` is changed.
    """
    load = np.zeros(len(limit))
    for i in range(len(limit)):
        load[i] = load_of(use[i], running)
    seen = np.zeros(len(value))
    for _ in range(len(value)):
        best = -1
        for j in range(len(value)):
            if seen[j] == 0.0 and (best < 0 or value[j] * use[tight, best] > value[best] * use[tight, j]):
                best = j
        seen[best] = 1.0
        rest = delivered[best] - running[best]
        if rest <= 0.0 or value[best] < 0.0:
            continue
        most = rest
        for i in range(len(limit)):
            if use[i, best] > 0.0 and limit[i] < UNLIMITED:
                most = min(most, (limit[i] * (1.0 + TOLERANCE) - load[i]) / use[i, best])
        more = whole(max(most, 0.0), rest, per_unit[best])
        running[best] += more
        for i in range(len(limit)):
            load[i] += use[i, best] * more


@helper
def gain_of_one_more(
    value: Vector, use: Matrix, limit: Vector, willing: Vector, best: float, shadow: Vector
) -> None:
    """Replaces duals that are not unique by what one more kW, rack or port of each limit gains.

    Args:
        value: (chips,), worth of one GPU.
        use: (limits, chips), what one GPU takes of each limit.
        limit: (limits,), what the site has.
        willing: (chips,), GPUs that would run if nothing were short.
        best: the divisible optimum.
        shadow: (limits,), written.
    """
    x, dual, more = np.zeros(len(value)), np.zeros(len(limit)), np.zeros(len(limit))
    for i in range(len(limit)):
        more[i] = limit[i]
    for i in range(len(limit)):
        shadow[i] = 0.0
        if not within(load_of(use[i], willing), limit[i]):
            more[i] = limit[i] + 1.0
            reached, _ = divisible_optimum(value, use, more, willing, x, dual)
            more[i] = limit[i]
            if reached > best * (1.0 + SAME):
                shadow[i] = reached - best


@helper
def energise_chips(
    value: Vector,
    use: Matrix,
    limit: Vector,
    delivered: Vector,
    per_unit: Vector,
    running: Vector,
    shadow: Vector,
) -> tuple[float, float, int]:
    """What a site runs of several chip types under up to six limits.

    Args:
        value: (chips,), what one GPU is worth, e.g. in H100e; a type with a negative value stays off.
        use: (limits, chips), what one GPU takes of each limit; see ``limits.uses``.
        limit: (limits,), what the site has of each; ``UNLIMITED`` where there is no such limit.
        delivered: (chips,), GPUs on site.
        per_unit: (chips,), GPUs in one node or rack.
        running: (chips,), written: GPUs that run, in whole units.
        shadow: (limits,), written: value gained by one more of each limit (kW, rack, port), chips divisible.

    Returns:
        the value of what runs; the value if chips could be cut; the binding limit, a ``Binding``: the one
        whose shortage, at its shadow price, costs most.
    """
    chips = len(value)
    willing = np.zeros(chips)
    for j in range(chips):
        if value[j] >= 0.0:
            willing[j] = delivered[j]
        running[j] = willing[j]
    short, last = 0, -1
    for i in range(len(limit)):
        shadow[i] = 0.0
        if not within(load_of(use[i], willing), limit[i]):
            short, last = short + 1, i
    if short == 0:
        best = load_of(value, running)
        return best, best, Binding.nothing.value
    if short == 1:
        shadow[last] = fill_by_value(value, use[last], limit[last], delivered, per_unit, running)
        best = shadow[last] * limit[last]
        for j in range(chips):
            best += max(0.0, value[j] - shadow[last] * use[last, j]) * willing[j]
        return load_of(value, running), best, last + 1
    best, degenerate = divisible_optimum(value, use, limit, willing, running, shadow)
    tight = last
    cost = -1.0
    for i in range(len(limit)):
        load = load_of(use[i], willing)
        if not within(load, limit[i]) and shadow[i] * (load - limit[i]) > cost:
            tight, cost = i, shadow[i] * (load - limit[i])
    for j in range(chips):
        running[j] = whole(running[j] * (1.0 + TOLERANCE), delivered[j], per_unit[j])
    fill_what_is_left(value, use, limit, delivered, per_unit, tight, running)
    if degenerate:
        gain_of_one_more(value, use, limit, willing, best, shadow)
    return load_of(value, running), best, tight + 1


@helper
def energise_crowded(
    delivered: Vector,
    facility_kw: float,
    pue: float,
    liquid_kw: float,
    air_kw: float,
    racks: float,
    it_kw: Vector,
    liquid_share: Vector,
    per_unit: Vector,
    per_rack: Vector,
    value: Vector,
    running: Vector,
) -> tuple[float, int, float]:
    """``energise_site`` where cooling or racks are short: the same arguments, the general method."""
    chips = len(delivered)
    use, limit, shadow, ones = np.zeros((LIMITS, chips)), np.zeros(LIMITS), np.zeros(LIMITS), np.ones(chips)
    uses(it_kw, pue, liquid_share, per_rack, ones, ones, use)
    for i in range(LIMITS):
        limit[i] = UNLIMITED
    limit[POWER] = facility_kw
    limit[LIQUID] = liquid_kw
    limit[AIR] = air_kw
    limit[RACKS] = racks
    _, _, binding = energise_chips(value, use, limit, delivered, per_unit, running, shadow)
    return load_of(it_kw, running), binding, shadow[POWER] * KW_PER_MW


@helper
def energise_site(
    delivered: Vector,
    facility_kw: float,
    pue: float,
    liquid_kw: float,
    air_kw: float,
    racks: float,
    it_kw: Vector,
    liquid_share: Vector,
    per_unit: Vector,
    per_rack: Vector,
    value: Vector,
    running: Vector,
) -> tuple[float, int, float]:
    """What one site runs this month; nothing is allocated unless a limit other than power is short.

    Args:
        delivered: (chips,), GPUs on site.
        facility_kw: facility power, kW, any reserve taken off.
        pue: facility power over IT power, at least 1.
        liquid_kw: liquid cooling, IT kW; ``UNLIMITED`` or infinite where it is no limit, as the next two.
        air_kw: air cooling, IT kW.
        racks: rack positions.
        it_kw: (chips,), all-in IT kW per GPU.
        liquid_share: (chips,), share of the heat that liquid takes away.
        per_unit: (chips,), GPUs in one node or rack.
        per_rack: (chips,), GPUs per rack position.
        value: (chips,), what one GPU is worth, e.g. in H100e; a type with a negative value stays off.
        running: (chips,), written: GPUs that run, in whole units.

    Returns:
        IT kW drawn; the binding limit, a ``Binding``; value gained by one more facility MW.
    """
    power, liquid, racked = 0.0, 0.0, 0.0
    for j in range(len(delivered)):
        running[j] = 0.0
        if delivered[j] > 0.0 and value[j] >= 0.0:
            running[j] = delivered[j]
            power += delivered[j] * it_kw[j]
            liquid += delivered[j] * it_kw[j] * liquid_share[j]
            racked += delivered[j] / per_rack[j]
    it_limit = facility_kw / pue
    # Cooling that can carry all the power there is never binds, however much is delivered.
    cooled = within(liquid, liquid_kw) or within(it_limit, liquid_kw)
    cooled = cooled and (within(power - liquid, air_kw) or within(it_limit, air_kw))
    others = cooled and within(racked, racks)
    if others and within(power, it_limit):
        return power, Binding.nothing.value, 0.0
    if others:
        shadow = fill_by_value(value, it_kw, it_limit, delivered, per_unit, running)
        return load_of(it_kw, running), Binding.power.value, shadow * KW_PER_MW / pue
    return energise_crowded(
        delivered,
        facility_kw,
        pue,
        liquid_kw,
        air_kw,
        racks,
        it_kw,
        liquid_share,
        per_unit,
        per_rack,
        value,
        running,
    )
