"""Priors: the range of a number, and the values that an ensemble draws from it.

A draw has an address: seed, run and the number's own path. So run 17 alone has the values of run 17 in any
batch, a further firm shifts no other draw, and two scenarios share the luck of every number they share.
"""

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from .loading import Scenario
from .number import Number

_Z95 = 1.6448536269514722
"""The 95 % quantile of the standard normal."""

_TAIL = 0.001
"""A lognormal prior is cut at its 0.1 % and 99.9 % quantiles, so that no run gets an absurd value."""

_NORMAL = NormalDist()


def quantile(number: Number, u: float) -> float:
    """The value of a number at probability ``u``.

    Args:
        number: the number; a fixed one has its value at any ``u``.
        u: probability in (0, 1).

    Returns:
        A value between low and high, but ``lognormal`` goes beyond: there low and high are the 5 % and 95 %
        quantiles, the value is the median, and draws end at the 0.1 % and 99.9 % quantiles. Below the median
        the spread is that from low to value, above it that from value to high; if value is the geometric mean
        of low and high this is the usual lognormal distribution.
    """
    value, low, high = number.value, number.low, number.high
    if low is None or high is None or not number.varies:
        return value
    if number.dist == "lognormal":
        z = _NORMAL.inv_cdf(_TAIL + (1.0 - 2.0 * _TAIL) * u)
        edge = low if z < 0.0 else high
        return value * math.exp(abs(z) / _Z95 * math.log(edge / value))
    if number.dist == "uniform":
        drawn = low + u * (high - low)
    elif number.dist == "loguniform":
        drawn = low * math.exp(u * math.log(high / low))
    else:
        drawn = _triangular(low, value, high, u)
    return min(max(drawn, low), high)


def _triangular(low: float, mode: float, high: float, u: float) -> float:
    width = high - low
    below = (mode - low) / width
    if u < below:
        return low + width * math.sqrt(u * below)
    return high - width * math.sqrt((1.0 - u) * (1.0 - below))


def draw(scenario: Scenario, seed: int, runs: Sequence[int]) -> dict[str, NDArray[np.float64]]:
    """The values of every number in every run.

    Args:
        scenario: the scenario.
        seed: the seed of the ensemble.
        runs: numbers of the runs, e.g. ``range(200)`` or ``[17]``.

    Returns:
        Dotted path -> values, shape (runs,), in the number's unit; those of fixed numbers are all the same.
    """
    from .. import luck

    what = luck.name("prior")
    drawn = {}
    for path, number in scenario.numbers.items():
        values = np.full(len(runs), number.value, dtype=np.float64)
        if number.varies:
            who = luck.name(path)
            for place, run in enumerate(runs):
                values[place] = quantile(number, float(luck.uniform(seed, int(run), who, what, 0)))
        drawn[path] = values
    return drawn
