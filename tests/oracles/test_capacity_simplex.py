"""The compiled simplex against ``scipy.optimize.linprog``, on random instances, plain and degenerate."""

import numpy as np
import pytest
from scipy.optimize import linprog

from gpurush.capacity.energising import energise_chips, fill_by_value
from gpurush.capacity.simplex import divisible_optimum

CASES = 400


def instance(rng, chips, limits, whole):
    """Value, use, limit and most; ``whole`` draws small whole numbers, so ties and degeneracy abound."""
    if whole:
        value = rng.integers(0, 4, chips).astype(float)
        use = rng.integers(0, 3, (limits, chips)).astype(float)
        most = rng.integers(0, 5, chips).astype(float)
        limit = rng.integers(0, 8, limits).astype(float)
    else:
        value = rng.lognormal(0, 1, chips)
        use = rng.lognormal(0, 1, (limits, chips)) * (rng.random((limits, chips)) < 0.8)
        most = np.floor(rng.lognormal(7, 2, chips)) * (rng.random(chips) < 0.9)
        limit = use @ most * rng.uniform(0.1, 1.1, limits)
    return value, use, limit, most


def reference(value, use, limit, most):
    found = linprog(-value, A_ub=use, b_ub=limit, bounds=[(0, top) for top in most], method="highs")
    assert found.status == 0
    return -found.fun, -found.ineqlin.marginals


@pytest.mark.parametrize("whole", [False, True], ids=["plain", "degenerate"])
def test_value_and_duals_equal_linprog(whole):
    rng = np.random.default_rng(20 + whole)
    degenerate_cases = unique_cases = 0
    for _ in range(CASES):
        chips, limits = int(rng.integers(1, 13)), int(rng.integers(1, 7))
        value, use, limit, most = instance(rng, chips, limits, whole)
        x, dual = np.full(chips, np.nan), np.full(limits, np.nan)
        best, degenerate = divisible_optimum(value, use, limit, most, x, dual)
        expected, prices = reference(value, use, limit, most)
        size = max(1.0, expected)
        assert best == pytest.approx(expected, abs=1e-9 * size)
        assert np.all(x >= 0)
        assert np.all(x <= most)
        assert np.all(use @ x <= limit + 1e-9 * np.maximum(1, use @ most))
        assert np.all(dual >= 0)
        rent = dual @ limit + np.maximum(0, value - dual @ use) @ most
        assert rent == pytest.approx(best, abs=1e-8 * size), "strong duality"
        if degenerate:
            degenerate_cases += 1
        else:
            unique_cases += 1
            scale = np.maximum(1e-12, dual.max(initial=0))
            assert dual == pytest.approx(prices, abs=1e-8 * scale)
    assert unique_cases > 20
    assert degenerate_cases > (100 if whole else -1)


def test_shadow_price_at_a_kink_is_the_gain_of_one_more():
    """Two limits that stop the same chips at once: one more of either alone gains nothing."""
    value, use = np.array([1.0]), np.array([[2.0], [2.0]])
    limit, most = np.array([100.0, 100.0]), np.array([80.0])
    running, shadow = np.zeros(1), np.zeros(2)
    worth, best, binding = energise_chips(value, use, limit, most, np.array([1.0]), running, shadow)
    assert (worth, best, binding) == (50, 50, 1)
    assert shadow.tolist() == [0, 0]


@pytest.mark.parametrize("seed", range(5))
def test_degenerate_shadow_prices_are_one_sided_gains(seed):
    rng = np.random.default_rng(seed)
    checked = 0
    for _ in range(CASES // 4):
        value, use, limit, most = instance(rng, 4, 6, True)
        running, shadow, x, dual = np.zeros(4), np.zeros(6), np.zeros(4), np.zeros(6)
        energise_chips(value, use, limit, most, np.ones(4), running, shadow)
        _, degenerate = divisible_optimum(value, use, limit, most, x, dual)
        if not degenerate or np.sum(use @ most > limit) < 2:
            continue
        checked += 1
        for i in range(6):
            more = limit.copy()
            more[i] += 1
            gain = reference(value, use, more, most)[0] - reference(value, use, limit, most)[0]
            assert shadow[i] == pytest.approx(gain, abs=1e-8)
    assert checked > 10


def test_greedy_equals_the_linear_programme_with_one_limit():
    """Dantzig 1957: by value per unit is exact for divisible chips; the dual is the marginal chip's."""
    rng = np.random.default_rng(3)
    for _ in range(CASES):
        value, use, limit, most = instance(rng, int(rng.integers(1, 13)), 1, False)
        if use[0] @ most <= limit[0]:
            continue
        running = np.zeros(len(value))
        shadow = fill_by_value(value, use[0], limit[0], most, np.full(len(value), 1e-6), running)
        best, prices = reference(value, use, limit, most)
        assert value @ running == pytest.approx(best, rel=1e-6)
        assert shadow == pytest.approx(prices[0], rel=1e-9)
