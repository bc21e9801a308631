"""Small functions of numbers that rules share: bit-stable powers, clipping, whole units."""

import math

from .engine import helper


@helper
def power(x: float, y: float) -> float:
    """``x`` to the ``y`` for x > 0, else 0. ``**`` gives other last bits compiled and not: rules use this instead."""
    return math.exp(y * math.log(x)) if x > 0.0 else 0.0


@helper
def clip(x: float, low: float, high: float) -> float:
    """``x`` kept within ``low`` and ``high``."""
    return min(max(x, low), high)


@helper
def whole_units(gpus: float, unit: float) -> float:
    """GPUs in whole nodes or racks, rounded down; a hair is added for sums that should be whole."""
    return math.floor(gpus / unit + 1e-9) * unit


@helper
def compound(yearly: float, months: float) -> float:
    """Growth factor over some months at ``yearly``, compute over that of a year before."""
    return math.exp(math.log(max(yearly, 1e-9)) * months / 12.0)
