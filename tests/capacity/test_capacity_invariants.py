"""What must hold for any site: Hypothesis looks for a counterexample."""

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from gpurush.capacity.energising import energise_chips, energise_site
from gpurush.capacity.limits import LIMITS, UNLIMITED, energise_one, uses
from gpurush.capacity.simplex import divisible_optimum
from gpurush.names import Binding

UNIT = st.sampled_from([1.0, 4.0, 8.0, 64.0, 72.0])
CHIPS = st.integers(1, 6)
SLACK = 1 + 1e-8


@st.composite
def sites(draw, chips=CHIPS, whole=False):
    """A site: value, use, limit, delivered, per unit; some limits absent, some zero."""
    n = draw(chips)

    def column(low, high):
        return np.array([draw(st.floats(low, high)) for _ in range(n)])

    per_unit = np.array([draw(UNIT) for _ in range(n)])
    units = np.array([float(draw(st.integers(0, 200))) for _ in range(n)])
    odd = np.array([0.0 if whole else float(draw(st.integers(0, 7))) for _ in range(n)])
    delivered = units * per_unit + np.minimum(odd, per_unit - 1)
    use = np.zeros((LIMITS, n))
    places, node = np.maximum(per_unit, 24.0), np.minimum(per_unit, 8.0)
    uses(column(0.5, 4.0), draw(st.floats(1, 1.6)), column(0, 1).round(3), places, np.ones(n), node, use)
    limit = np.full(LIMITS, UNLIMITED)
    for i in range(LIMITS):
        if draw(st.booleans()):
            limit[i] = draw(st.floats(0, 1.2)) * float(use[i] @ delivered)
    return column(0.1, 10.0), use, limit, delivered, per_unit


def energised(value, use, limit, delivered, per_unit):
    running, shadow = np.full(len(value), np.nan), np.full(LIMITS, np.nan)
    worth, best, binding = energise_chips(value, use, limit, delivered, per_unit, running, shadow)
    return running, shadow, worth, best, Binding(binding)


@given(sites())
@settings(max_examples=300, deadline=None)
def test_a_site_keeps_its_limits_and_its_units(site):
    value, use, limit, delivered, per_unit = site
    running, shadow, worth, best, binding = energised(*site)
    assert np.all(running >= 0)
    assert np.all(running <= delivered)
    assert np.all(use @ running <= limit * SLACK)
    rest = np.mod(running, per_unit)
    assert np.all((rest == 0) | (rest == np.mod(delivered, per_unit))), "whole units, and perhaps the odd one"
    assert np.all(shadow >= 0)
    assert worth <= best * SLACK
    assert best - worth < value @ per_unit, "the gap stays under one unit of each type"
    assert (binding == Binding.nothing) == bool(np.all(running == delivered))
    if binding != Binding.nothing:
        row = binding - 1
        assert use[row] @ delivered > limit[row], "a binding limit is short"


@given(sites())
@settings(max_examples=300, deadline=None)
def test_nothing_more_fits(site):
    """No stranded unit fits into what the limits leave."""
    _, use, limit, delivered, per_unit = site
    running = energised(*site)[0]
    left = limit - use @ running
    for j in np.flatnonzero(running < delivered):
        step = min(per_unit[j], delivered[j] - running[j])
        assert np.any(use[:, j] * step > left * (1 - 1e-9) - 1e-9)


@given(sites(), st.integers(0, 5), st.floats(1, 3))
@settings(max_examples=300, deadline=None)
def test_more_capacity_is_never_less_compute(site, row, more):
    """The divisible optimum never falls; in whole units it may, by less than one unit of each type."""
    value, use, limit, delivered, per_unit = site
    _, _, worth, best, _ = energised(*site)
    wider = limit.copy()
    wider[row] = wider[row] * more + (more - 1)
    _, _, worth_wider, best_wider, _ = energised(value, use, wider, delivered, per_unit)
    assert best_wider >= best * (1 - 1e-9)
    assert worth_wider > worth - value @ per_unit


@given(sites(), st.integers(0, 5), st.floats(0, 1.2), st.floats(0, 1.2))
@settings(max_examples=300, deadline=None)
def test_with_one_limit_more_is_never_less_even_in_whole_units(site, row, one, other):
    value, use, _, delivered, per_unit = site
    worth = []
    for share in sorted((one, other)):
        limit = np.full(LIMITS, UNLIMITED)
        limit[row] = share * float(use[row] @ delivered)
        worth.append(energised(value, use, limit, delivered, per_unit)[2])
    assert worth[1] >= worth[0] * (1 - 1e-12)


@given(sites(chips=st.just(1)), st.integers(0, 5), st.floats(1, 3))
@settings(max_examples=200, deadline=None)
def test_one_chip_type_is_the_least_of_its_limits(site, row, more):
    """Formula C1 equals the general method, and more of any limit never gives fewer GPUs."""
    value, use, limit, delivered, per_unit = site
    column = np.ascontiguousarray(use[:, 0])
    running, divisible, binding, gain = energise_one(delivered[0], column, limit, per_unit[0])
    general, shadow, _, best, _ = energised(*site)
    assert running == general[0]
    assert abs(divisible * value[0] - best) <= 1e-9 * max(1, best)
    if binding and divisible > 1e-6 * delivered[0]:  # not at 0, a degenerate optimum
        assert abs(shadow[binding - 1] - gain * value[0]) <= 1e-6 * value[0] * max(gain, 1)
    wider = limit.copy()
    wider[row] *= more
    assert energise_one(delivered[0], column, wider, per_unit[0])[0] >= running


@given(sites(), st.randoms(use_true_random=False))
@settings(max_examples=200, deadline=None)
def test_the_order_of_chips_does_not_matter(site, random):
    """Values are drawn from a continuum, so there are no ties to break."""
    value, use, limit, delivered, per_unit = site
    order = list(range(len(value)))
    random.shuffle(order)
    _, _, _, best, _ = energised(*site)
    moved = energised(
        value[order], np.ascontiguousarray(use[:, order]), limit, delivered[order], per_unit[order]
    )
    assert abs(moved[3] - best) <= 1e-9 * max(1, best)


@given(sites(chips=st.integers(1, 3), whole=True), st.integers(1, 3))
@settings(max_examples=60, deadline=None)
def test_whole_units_against_every_combination(site, most_units):
    """On small sites all combinations of whole units are tried: the best is at most the divisible optimum."""
    value, use, _, _, per_unit = site
    delivered = most_units * per_unit
    limit = 0.55 * (use @ delivered)
    _, _, worth, best, _ = energised(value, use, limit, delivered, per_unit)
    reached = 0.0
    for units in itertools.product(range(most_units + 1), repeat=len(value)):
        running = np.array(units) * per_unit
        if np.all(use @ running <= limit):
            reached = max(reached, float(value @ running))
    assert worth <= reached * SLACK
    assert reached <= best * SLACK


@given(sites(), st.floats(0, 1.2), st.floats(1, 1.6))
@settings(max_examples=300, deadline=None)
def test_the_quick_path_agrees_with_the_general_one(site, share, pue):
    value, use, limit, delivered, per_unit = site
    kw = use[1] + use[2]
    liquid_share = np.divide(use[1], kw)
    per_rack = 1 / use[3]
    facility = share * pue * float(kw @ delivered)
    running = np.full(len(value), np.nan)
    drawn, binding, shadow = energise_site(
        delivered,
        facility,
        pue,
        limit[1],
        limit[2],
        limit[3],
        kw,
        liquid_share,
        per_unit,
        per_rack,
        value,
        running,
    )
    full, wide = use.copy(), np.full(LIMITS, UNLIMITED)
    full[0] = kw * pue
    full[1], full[2] = kw * liquid_share, kw * (1 - liquid_share)
    wide[:4] = facility, limit[1], limit[2], limit[3]
    general, prices, worth, _, limit_found = energised(value, full, wide, delivered, per_unit)
    assert abs(value @ running - worth) <= 1e-9 * max(1, worth)
    assert abs(drawn - kw @ running) <= 1e-9 * max(1, drawn)
    assert np.array_equal(running, general)
    cooling = limit[1] < kw * liquid_share @ delivered or limit[2] < kw * (1 - liquid_share) @ delivered
    if cooling and binding == Binding.power:
        # Cooling is short too, though never before power: the value of one whole kW more is at most its price.
        assert 1000 * prices[0] <= shadow * SLACK
        return
    assert binding == limit_found
    assert abs(shadow - 1000 * prices[0]) <= 1e-6 * max(1, shadow)


@given(sites())
@settings(max_examples=200, deadline=None)
def test_shadow_prices_bound_what_one_more_gives(site):
    """The optimum is concave in each limit: a shadow price is at least the gain of any larger step."""
    value, use, limit, delivered, _ = site
    _, shadow, _, best, binding = energised(*site)
    for i in range(LIMITS):
        if binding == Binding.nothing or limit[i] >= UNLIMITED:
            assert shadow[i] == 0 or limit[i] < UNLIMITED
            continue
        wider = limit.copy()
        wider[i] += 10.0
        x, dual = np.zeros(len(value)), np.zeros(LIMITS)
        gain = divisible_optimum(value, use, wider, delivered, x, dual)[0] - best
        assert gain <= 10.0 * shadow[i] + 1e-6 * max(1, best) or shadow[i] == 0
