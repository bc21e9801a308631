"""Rules of quite other kinds behind the interface of ``allocation/rules.py``: what they need beyond it is columns.

They are here to show that the interface carries them, not for use: guarantees and tiers (B2 of the allocation rules:
KAI, Kueue), several resources (dominant resource fairness, Ghodsi et al. 2011), bundles of goods (REF, Zahedi and Lee
2014), credits with memory (Karma, Vuppalapati et al. 2023).
"""

from typing import NamedTuple

from gpurush.allocation.rules import fill
from gpurush.engine import Array, helper


class WiderClaims(NamedTuple):
    """The columns of ``Claims`` that these rules use, and those that they add."""

    n: int
    demand: Array[float]
    weight: Array[float]
    work: Array[float]
    guarantee: Array[float]
    tier: Array[float]
    credits: Array[float]
    needs: Array[float]
    pots: Array[float]
    bundles: Array[float]


@helper
def guarantee_then_tiers(pot: float, claims: WiderClaims, out: Array[float]) -> float:
    """Guarantees first, the rest by weight within the highest tier, then the next; returns the last level."""
    left = pot
    for i in range(claims.n):
        out[i] = min(claims.guarantee[i], claims.demand[i])
        left -= out[i]
    level = 0.0
    for back in range(9):
        for i in range(claims.n):
            mine = claims.tier[i] == 9.0 - back
            claims.work[i] = claims.demand[i] - out[i] if mine else 0.0
        more = claims.bundles[0]
        level = fill(left, claims.work, claims.weight, claims.n, more)
        for i in range(claims.n):
            out[i] += more[i]
            left -= more[i]
    return level


@helper
def dominant_resource(pot: float, claims: WiderClaims, out: Array[float]) -> float:
    """Tasks by equal dominant shares (every need positive, no caps); returns the share. ``pot`` is not used."""
    share = 1e300
    for r in range(len(claims.pots)):
        used = 0.0
        for i in range(claims.n):
            used += claims.needs[i][r] / dominant(claims, i)
        share = min(share, claims.pots[r] / used)
    for i in range(claims.n):
        out[i] = share / dominant(claims, i)
    return share


@helper
def dominant(claims: WiderClaims, i: int) -> float:
    """Dominant share of one task of a claimant."""
    most = 0.0
    for r in range(len(claims.pots)):
        most = max(most, claims.needs[i][r] / claims.pots[r])
    return most


@helper
def elasticity(pot: float, claims: WiderClaims, out: Array[float]) -> float:
    """Each good by the claimants' elasticities (``needs``); ``out`` is of the first good, ``bundles`` of all."""
    for r in range(len(claims.pots)):
        total = 0.0
        for i in range(claims.n):
            total += claims.needs[i][r]
        for i in range(claims.n):
            claims.bundles[i][r] = claims.pots[r] * claims.needs[i][r] / total
    for i in range(claims.n):
        out[i] = claims.bundles[i][0]
    return 1.0 / claims.pots[0]


@helper
def karma(pot: float, claims: WiderClaims, out: Array[float]) -> float:
    """Slices go to the richest in credits, one at a time, and each costs one beyond the free grant."""
    free = pot / claims.n
    for i in range(claims.n):
        out[i] = 0.0
        claims.credits[i] += free
    for _ in range(int(pot)):
        best = -1
        for i in range(claims.n):
            wants = out[i] < claims.demand[i] and claims.credits[i] > 0.0
            if wants and (best < 0 or claims.credits[i] > claims.credits[best]):
                best = i
        if best < 0:
            break
        out[best] += 1.0
        claims.credits[best] -= 1.0
    return 0.0
