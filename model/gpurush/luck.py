"""Addressable random numbers: (seed, run, who, what for, month) -> draw.

A counter-based generator, Philox 4x32-10 (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2,
3", SC 2011), turns an address into bits: key = seed (two words), counter = (run, who, what, month + 65,536 x attempt).
So a draw depends on nothing but its address: not on batch size, order, process or on what else is drawn. A new firm or
a new draw shifts nobody else's luck, and two scenarios share luck.

``who`` and ``what`` are 32-bit hashes of names (``name``). Everything here is pure and compiled.
"""

import hashlib
import math
from enum import IntEnum

import numpy as np

from .engine import helper

_MASK = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_M0, _M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_W0, _W1 = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
_SHIFT = np.uint64(6)
_TWO26, _TWO_52 = 67108864.0, 1.0 / 4503599627370496.0
_TRY = 65536


def name(text: str) -> int:
    """The 32-bit number of a name, the same in every process and version."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest(), "little")


class What(IntEnum):
    """What a draw is for: hashes of names, so a new purpose shifts no other draw."""

    study = name("study")
    board = name("board")
    construction = name("construction")
    shell = name("shell")
    gas = name("gas")
    round_time = name("round time")
    collapse = name("collapse")
    projects = name("projects")
    project_size = name("project size")
    project_time = name("project time")


@helper
def philox(
    c0: np.uint64, c1: np.uint64, c2: np.uint64, c3: np.uint64, k0: np.uint64, k1: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Ten rounds of Philox 4x32 on 32-bit words held in 64 bits (so that nothing can overflow)."""
    for _ in range(10):
        p0, p1 = _M0 * c0, _M1 * c2
        c0, c1, c2, c3 = (p1 >> _HALF) ^ c1 ^ k0, p1 & _MASK, (p0 >> _HALF) ^ c3 ^ k1, p0 & _MASK
        k0, k1 = (k0 + _W0) & _MASK, (k1 + _W1) & _MASK
    return c0, c1, c2, c3


@helper
def words(
    seed: int, run: int, who: int, what: int, place: int
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """The four words of an address; ``place`` is month + 65,536 x attempt."""
    key = np.uint64(seed)
    return philox(
        np.uint64(run) & _MASK,
        np.uint64(who) & _MASK,
        np.uint64(what) & _MASK,
        np.uint64(place) & _MASK,
        key & _MASK,
        (key >> _HALF) & _MASK,
    )


@helper
def to_uniform(a: np.uint64, b: np.uint64) -> float:
    """Two words to a uniform number in (0, 1), never 0 or 1."""
    return (float(a >> _SHIFT) * _TWO26 + float(b >> _SHIFT) + 0.5) * _TWO_52


@helper
def uniform(seed: int, run: int, who: int, what: int, month: int, attempt: int = 0) -> float:
    """Uniform on (0, 1)."""
    a, b, _, _ = words(seed, run, who, what, month + _TRY * attempt)
    return to_uniform(a, b)


@helper
def normal_quantile(p: float) -> float:
    """Quantile of the standard normal: Wichura's AS241 (Applied Statistics 37, 1988), good to 1e-15; monotone."""
    q = p - 0.5
    if abs(q) <= 0.425:
        r = 0.180625 - q * q
        top = (((((((2509.0809287301226727 * r + 33430.575583588128105) * r + 67265.770927008700853) * r
                  + 45921.953931549871457) * r + 13731.693765509461125) * r + 1971.5909503065514427) * r
                + 133.14166789178437745) * r + 3.387132872796366608)  # fmt: skip
        low = (((((((5226.495278852545925 * r + 28729.085735721942674) * r + 39307.89580009271061) * r
                  + 21213.794301586595867) * r + 5394.1960214247511077) * r + 687.1870074920579083) * r
                + 42.313330701600911252) * r + 1.0)  # fmt: skip
        return q * top / low
    r = math.sqrt(-math.log(p if q < 0.0 else 1.0 - p))
    if r <= 5.0:
        r -= 1.6
        top = (((((((7.7454501427834140764e-4 * r + 0.0227238449892691845833) * r + 0.24178072517745061177) * r
                  + 1.27045825245236838258) * r + 3.64784832476320460504) * r + 5.7694972214606914055) * r
                + 4.6303378461565452959) * r + 1.42343711074968357734)  # fmt: skip
        low = (((((((1.05075007164441684324e-9 * r + 5.475938084995344946e-4) * r + 0.0151986665636164571966) * r
                  + 0.14810397642748007459) * r + 0.68976733498510000455) * r + 1.6763848301838038494) * r
                + 2.05319162663775882187) * r + 1.0)  # fmt: skip
    else:
        r -= 5.0
        top = (((((((2.01033439929228813265e-7 * r + 2.71155556874348757815e-5) * r + 0.0012426609473880784386) * r
                  + 0.026532189526576123093) * r + 0.29656057182850489123) * r + 1.7848265399172913358) * r
                + 5.4637849111641143699) * r + 6.6579046435011037772)  # fmt: skip
        low = (((((((2.04426310338993978564e-15 * r + 1.4215117583164458887e-7) * r + 1.8463183175100546818e-5) * r
                  + 7.868691311456132591e-4) * r + 0.0148753612908506148525) * r + 0.13692988092273580531) * r
                + 0.59983220655588793769) * r + 1.0)  # fmt: skip
    return -(top / low) if q < 0.0 else top / low


@helper
def normal(seed: int, run: int, who: int, what: int, month: int, attempt: int = 0) -> float:
    """Standard normal by inversion, so that paired runs stay paired."""
    return normal_quantile(uniform(seed, run, who, what, month, attempt))


@helper
def bernoulli(p: float, seed: int, run: int, who: int, what: int, month: int) -> bool:
    """True with probability ``p``."""
    return uniform(seed, run, who, what, month) < p


@helper
def poisson(mean: float, seed: int, run: int, who: int, what: int, month: int) -> float:
    """Poisson by inversion of the distribution function; means up to some hundreds."""
    u = uniform(seed, run, who, what, month)
    k, term = 0.0, math.exp(-mean)
    total = term
    while u > total and term > 1e-300 and k < 10.0 * mean + 100.0:
        k += 1.0
        term *= mean / k
        total += term
    return k


@helper
def gamma(shape: float, seed: int, run: int, who: int, what: int, month: int) -> float:
    """Gamma with mean ``shape`` and scale 1, for shape >= 1 (Marsaglia and Tsang, ACM TOMS 26, 2000)."""
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    for attempt in range(64):
        w0, w1, w2, w3 = words(seed, run, who, what, month + _TRY * (attempt + 1))
        x = normal_quantile(to_uniform(w0, w1))
        v = 1.0 + c * x
        if v > 0.0:
            v = v * v * v
            if math.log(to_uniform(w2, w3)) < 0.5 * x * x + d - d * v + d * math.log(v):
                return d * v
    return shape


@helper
def waiting_time(
    mean: float, variation: float, seed: int, run: int, who: int, what: int, month: int
) -> float:
    """Gamma-distributed time with that mean and coefficient of variation (at most 1); ``mean`` if that is 0."""
    if mean <= 0.0 or variation <= 0.0:
        return max(mean, 0.0)
    shape = max(1.0, 1.0 / (variation * variation))
    return mean / shape * gamma(shape, seed, run, who, what, month)
