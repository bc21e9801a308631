"""The six limits of a site, and how much of each one GPU takes.

The order is that of ``Binding`` in ``names.py``, less one: power, liquid cooling, air cooling, rack
positions, back-end ports, front-end ports. A limit that is not in force is ``UNLIMITED``. The constraint set
is C1 of the capacity formulas::

    sum_j use[i, j] * running[j] <= limit[i]     i: limit, j: chip type

Units of a limit: facility kW, IT kW of heat to liquid, IT kW of heat to air, racks, ports, ports.
"""

import math

import numpy as np
import numpy.typing as npt

from ..engine import Array, helper
from ..names import Binding

Vector = Array[float]
"""An array of floats over chips or over limits."""
Column = npt.NDArray[np.float64]
"""A NumPy array of floats, for code that is not compiled."""
Matrix = npt.NDArray[np.float64]
"""An array of floats, (limits, chips)."""

LIMITS = 6
"""How many limits a site has."""
UNLIMITED = 1.0e15
"""A limit this high is not in force; infinity will do as well."""
TOLERANCE = 1.0e-9
"""A limit is met up to this relative error: 0.15 W in 150 MW. It keeps 16.8 MW enough for 12,000 x 1.4 kW."""

POWER = 0
"""Row of facility power, kW."""
LIQUID = 1
"""Row of liquid cooling, IT kW."""
AIR = 2
"""Row of air cooling, IT kW."""
RACKS = 3
"""Row of rack positions."""
BACK_END = 4
"""Row of back-end ports."""
FRONT_END = 5
"""Row of front-end ports."""


@helper
def within(load: float, limit: float) -> bool:
    """Whether a load meets a limit, both in the limit's unit."""
    return load <= limit * (1.0 + TOLERANCE)


@helper
def whole(most: float, delivered: float, per_unit: float) -> float:
    """GPUs that run in whole units where at most ``most`` could run in parts.

    Chips come in units of ``per_unit``. If the number delivered leaves an odd, partly filled unit over, this
    unit runs too when there is room for it.

    Args:
        most: GPUs that the limits would let run if a GPU could be cut.
        delivered: GPUs on site.
        per_unit: GPUs in one node or rack.
    """
    if most >= delivered:
        return delivered
    full = math.floor(most / per_unit) * per_unit
    odd = delivered - math.floor(delivered / per_unit) * per_unit
    if 0.0 < odd <= most - full:
        return full + odd
    return full


@helper
def gpus_per_rack(rack_kw: float, it_kw: float, per_unit: float, places: float) -> float:
    """GPUs in one rack position: as many whole units as its places and its power or cooling allow.

    Args:
        rack_kw: IT kW that one rack may draw.
        it_kw: IT kW per GPU.
        per_unit: GPUs in one node.
        places: GPUs that fit by space.

    Returns:
        GPUs per rack; 0 when not even one unit may run.
    """
    return min(places, math.floor(rack_kw * (1.0 + TOLERANCE) / (it_kw * per_unit)) * per_unit)


@helper
def uses(
    it_kw: Vector,
    pue: float,
    liquid_share: Vector,
    per_rack: Vector,
    nics: Vector,
    per_node: Vector,
    use: Matrix,
) -> None:
    """Writes what one GPU of each type takes of each limit.

    Args:
        it_kw: (chips,), IT kW per GPU with its share of host, network and storage.
        pue: facility power over IT power.
        liquid_share: (chips,), share of the heat that liquid takes away.
        per_rack: (chips,), GPUs per rack position.
        nics: (chips,), back-end ports per GPU.
        per_node: (chips,), GPUs that share one front-end port.
        use: (limits, chips), written.
    """
    for j in range(len(it_kw)):
        use[POWER, j] = it_kw[j] * pue
        use[LIQUID, j] = it_kw[j] * liquid_share[j]
        use[AIR, j] = it_kw[j] * (1.0 - liquid_share[j])
        use[RACKS, j] = 1.0 / per_rack[j]
        use[BACK_END, j] = nics[j]
        use[FRONT_END, j] = 1.0 / per_node[j]


@helper
def energise_one(
    delivered: float, use: Vector, limit: Vector, per_unit: float
) -> tuple[float, float, int, float]:
    """What one chip type can run: formula C1, the least of what is delivered and of what each limit carries.

    Args:
        delivered: GPUs on site.
        use: (limits,), what one GPU takes of each limit.
        limit: (limits,), what the site has of each.
        per_unit: GPUs in one node or rack.

    Returns:
        GPUs that run in whole units; GPUs that would run if they could be cut; the binding limit, a
        ``Binding``; GPUs gained by one more of the binding limit (kW, rack, port), 0 where a second limit
        stops it at once.
    """
    least = delivered
    binding = Binding.nothing.value
    second = delivered
    for i in range(LIMITS):
        if use[i] > 0.0 and not within(use[i] * delivered, limit[i]):
            carried = limit[i] / use[i]
            if binding == Binding.nothing or carried < least:
                second = least
                least = carried
                binding = i + 1
            else:
                second = min(second, carried)
    if binding == Binding.nothing:
        return delivered, delivered, binding, 0.0
    gain = 0.0
    if second > least * (1.0 + TOLERANCE):
        gain = 1.0 / use[binding - 1]
    return whole(least * (1.0 + TOLERANCE), delivered, per_unit), least, binding, gain
