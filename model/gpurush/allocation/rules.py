"""Rules that share a pot among claimants: pure, on numbers and arrays. Each with citation, formula and example.

Every rule is ``rule(pot, claims, out)``: it fills ``out`` with the shares and returns the shadow price of the pot. A
rule takes from the claims what it needs and leaves the rest; one that needs more adds a column to ``Claims``. Rules
know no market and no agent: columns are arrays, alone or inside a record.
"""

from typing import NamedTuple

from ..engine import Array, helper
from ..names import AllocationRule
from ..numbers import power


class Claims(NamedTuple):
    """What claimants bring to a pot: a column each, the first ``n`` entries count.

    Attributes:
        n: number of claimants.
        demand: most that a claimant can use, in the unit of the pot.
        weight: its weight, 1.
        value: v in the value ``v x^b`` of a share x.
        exponent: b, strictly between 0 and 1, the same for all.
        work: room of n entries for a rule's own figures.
    """

    n: int
    demand: Array[float]
    weight: Array[float]
    value: Array[float]
    exponent: float
    work: Array[float]


@helper
def fill(pot: float, demand: Array[float], weight: Array[float], n: int, out: Array[float]) -> float:
    """Water-filling: ``x_i = min(d_i, w_i L)`` with L from ``sum x_i = min(C, sum d_i)``.

    Returns:
        The level L: one more unit of weight would get it; 0 if nobody is short.
    """
    left = pot
    for i in range(n):
        out[i] = -1.0
    for _ in range(n + 1):
        open_weight = 0.0
        for i in range(n):
            if out[i] < 0.0:
                open_weight += weight[i]
        if open_weight <= 0.0:
            break
        level = max(left, 0.0) / open_weight
        capped = False
        for i in range(n):
            if out[i] < 0.0 and demand[i] <= weight[i] * level:
                out[i] = demand[i]
                left -= demand[i]
                capped = True
        if not capped:
            for i in range(n):
                if out[i] < 0.0:
                    out[i] = weight[i] * level
            return level
    for i in range(n):
        if out[i] < 0.0:
            out[i] = 0.0
    return 0.0


@helper
def weighted_max_min(pot: float, claims: Claims, out: Array[float]) -> float:
    """Weighted max-min fairness (Bertsekas and Gallager, Data Networks; Demers, Keshav, Shenker 1989).

    Water-filling by the weights. Example: C = 1000, d = (150, 400, 600, 700), w = (1, 1, 2, 2) gives
    (150, 170, 340, 340). Non-wasteful, envy-free, strategy-proof in one shot.

    Returns:
        The level: what one more unit of weight would get; 0 if nobody is short.
    """
    return fill(pot, claims.demand, claims.weight, claims.n, out)


@helper
def equal_marginal_value(pot: float, claims: Claims, out: Array[float]) -> float:
    """Equal slopes (KKT): maximises ``sum v_i x_i^b`` with caps; inside, ``x_i`` follows ``v_i^(1/(1-b))``.

    With one exponent for all it is water-filling by those weights. Example: b = 1/2, v = (1, 2, 3), C = 1400 gives
    (100, 400, 900) and the shadow price 0.05. Neither envy-free nor strategy-proof.

    Returns:
        The shadow price: value of one more unit of the pot; 0 if nobody is short.
    """
    for i in range(claims.n):
        claims.work[i] = power(claims.value[i], 1.0 / (1.0 - claims.exponent))
    level = fill(pot, claims.demand, claims.work, claims.n, out)
    return claims.exponent * power(level, claims.exponent - 1.0) if level > 0.0 else 0.0


@helper
def fixed_share(pot: float, claims: Claims, out: Array[float]) -> float:
    """Fixed shares: ``x_i = min(d_i, C w_i / sum w)``; what a claimant does not want goes to nobody.

    Example: C = 1000, d = (150, 700), w = (1, 1) gives (150, 500). Wasteful: the quota of a budget, not of a market.

    Returns:
        What one more unit of weight would get, C / sum w; 0 if nobody is short.
    """
    total = 0.0
    for i in range(claims.n):
        total += claims.weight[i]
    level = max(pot, 0.0) / total if total > 0.0 else 0.0
    short = False
    for i in range(claims.n):
        out[i] = min(claims.demand[i], claims.weight[i] * level)
        short = short or claims.demand[i] > out[i]
    return level if short else 0.0


@helper
def divide(rule: int, pot: float, claims: Claims, out: Array[float]) -> float:
    """Shares a pot by the rule of that name: the one place where rules are chosen.

    Args:
        rule: ``names.AllocationRule``.
        pot: what is to be shared.
        claims: what the claimants bring.
        out: filled with the shares, n entries.

    Returns:
        The shadow price of the pot, in the rule's own measure; 0 if nobody is short.
    """
    if rule == AllocationRule.equal_marginal_value:
        return equal_marginal_value(pot, claims, out)
    if rule == AllocationRule.fixed_share:
        return fixed_share(pot, claims, out)
    return weighted_max_min(pot, claims, out)
