"""Rules that share compute among claimants: pure, on numbers and arrays. Each with citation, formula and example.

They know no market and no agent; ``demand``, ``weight`` and ``out`` may be lists, arrays or arrays inside a record.
"""

from ..engine import Array, helper
from ..numbers import power


@helper
def weighted_max_min(
    capacity: float, demand: Array[float], weight: Array[float], n: int, out: Array[float]
) -> float:
    """Weighted max-min fairness, water-filling (Bertsekas and Gallager, Data Networks; Demers, Keshav, Shenker 1989).

    ``x_i = min(d_i, w_i L)`` with L from ``sum x_i = min(C, sum d_i)``. Example: C = 1000, d = (150, 400, 600, 700),
    w = (1, 1, 2, 2) gives (150, 170, 340, 340). Non-wasteful, envy-free, strategy-proof in one shot.

    Args:
        capacity: what is to be shared.
        demand: cap of each claimant, same unit.
        weight: weight of each claimant, 1.
        n: number of claimants.
        out: filled with the shares.

    Returns:
        The level L: one more unit of weight would get it; 0 if nobody is short.
    """
    left = capacity
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
def marginal_value_weight(value: float, exponent: float) -> float:
    """Weight under which weighted max-min equalises the marginal values ``v b x^(b-1)`` of claimants with one b."""
    return power(value, 1.0 / (1.0 - exponent))


@helper
def equal_marginal_value(
    capacity: float,
    demand: Array[float],
    value: Array[float],
    exponent: float,
    n: int,
    weight: Array[float],
    out: Array[float],
) -> float:
    """Equal slopes (KKT): maximises ``sum v_i x_i^b`` with caps; ``x_i`` proportional to ``v_i^(1/(1-b))`` inside.

    With one exponent for all it is water-filling with those weights. Example: b = 1/2, v = (1, 2, 3), C = 1400 gives
    (100, 400, 900) and the shadow price 0.05.

    Args:
        capacity: what is to be shared.
        demand: cap of each claimant.
        value: value of each claimant.
        exponent: b, strictly between 0 and 1.
        n: number of claimants.
        weight: filled with the weights.
        out: filled with the shares.

    Returns:
        The shadow price: value of one more unit of capacity; 0 if nobody is short.
    """
    for i in range(n):
        weight[i] = marginal_value_weight(value[i], exponent)
    level = weighted_max_min(capacity, demand, weight, n, out)
    return exponent * power(level, exponent - 1.0) if level > 0.0 else 0.0


@helper
def split_by_marginal_value(capacity: float, first: float, second: float, exponent: float) -> float:
    """Share of the first of two claimants with values ``v x^b`` under equal marginal values.

    Spending 5 : 2 reveals ``v1/v2 = 2.5^(1-b)``: 1.58 at b = 1/2, and back.
    """
    if capacity <= 0.0:
        return 0.0
    a, b = marginal_value_weight(first, exponent), marginal_value_weight(second, exponent)
    return a / (a + b)
