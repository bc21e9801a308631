"""Rules that share compute: worked examples, and the table of properties, by random instances and counterexamples."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpurush.allocation.rules import Claims, divide
from gpurush.names import AllocationRule

NEAR = 1e-9
MAX_MIN, SLOPES, QUOTA = (
    AllocationRule.weighted_max_min,
    AllocationRule.equal_marginal_value,
    AllocationRule.fixed_share,
)


def shared(rule, pot, demand, weight, exponent=0.5):
    """Shares and shadow price under a rule; the weights are the values too."""
    n = len(demand)
    d, w = np.array(demand, float), np.array(weight, float)
    out, work = np.full((2, n), np.nan)
    price = divide(int(rule), float(pot), Claims(n, d, w, w.copy(), exponent, work), out)
    assert np.array_equal(d, np.array(demand, float)), "claims are read, never changed"
    assert np.array_equal(w, np.array(weight, float))
    return out, price


def share(rule, pot, demand, weight, exponent=0.5):
    return shared(rule, pot, demand, weight, exponent)[0]


def max_min(pot, demand, weight):
    return share(MAX_MIN, pot, demand, weight)


def marginal(pot, demand, value, exponent=0.5):
    return share(SLOPES, pot, demand, value, exponent)


def test_water_filling_example():
    out, level = shared(MAX_MIN, 1000.0, [150.0, 400.0, 600.0, 700.0], [1.0, 1.0, 2.0, 2.0])
    assert level == 170.0
    assert out.tolist() == [150.0, 170.0, 340.0, 340.0]


def test_equal_slopes_example():
    value = np.array([1.0, 2.0, 3.0])
    out, price = shared(SLOPES, 1400.0, np.full(3, 1e9), value)
    assert out == pytest.approx([100.0, 400.0, 900.0], rel=NEAR)
    assert price == pytest.approx(0.05, rel=NEAR)
    assert float(value @ np.sqrt(out)) == pytest.approx(140.0, rel=NEAR)
    assert float(value @ np.sqrt(np.full(3, 1400.0 / 3.0))) == pytest.approx(129.6, abs=0.05)
    assert float(value @ np.sqrt(1400.0 * value / 6.0)) == pytest.approx(137.9, abs=0.05)


def test_a_fixed_share_is_kept_and_never_passed_on():
    assert share(QUOTA, 1000.0, [150.0, 700.0], [1.0, 1.0]).tolist() == [150.0, 500.0]
    assert share(MAX_MIN, 1000.0, [150.0, 700.0], [1.0, 1.0]).tolist() == [150.0, 700.0]


@pytest.mark.parametrize("exponent", [0.3, 0.5, 0.7])
def test_five_to_two_reveals_the_value_of_research_and_back(exponent):
    revealed = 2.5 ** (1.0 - exponent)
    assert marginal(1400.0, [1e9, 1e9], [revealed, 1.0], exponent) == pytest.approx([1000.0, 400.0], rel=NEAR)


def test_level_1_values_of_the_calibration():
    found = [2.5 ** (1.0 - exponent) for exponent in (0.3, 0.5, 0.7)]
    assert found == pytest.approx([1.90, 1.58, 1.32], abs=0.005)


def test_the_shadow_price_is_what_one_more_unit_adds():
    demand, value, exponent = [40.0, 900.0, 900.0], np.array([5.0, 2.0, 3.0]), 0.6
    out, price = shared(SLOPES, 700.0, demand, value, exponent)
    assert out[0] == 40.0
    worth = [float(value @ marginal(c, demand, value, exponent) ** exponent) for c in (699.5, 700.5)]
    assert price == pytest.approx(worth[1] - worth[0], rel=1e-5)


@pytest.mark.parametrize("rule", AllocationRule)
def test_nobody_short_means_no_price(rule):
    out, price = shared(rule, 60.0, [30.0, 20.0], [1.0, 1.0])
    assert out.tolist() == [30.0, 20.0]
    assert price == 0.0
    assert shared(rule, 40.0, [30.0, 20.0], [1.0, 1.0])[1] > 0.0


@pytest.mark.parametrize("rule", AllocationRule)
@pytest.mark.parametrize(
    ("capacity", "demand", "weight"), [(0.0, [5.0], [1.0]), (-3.0, [5.0], [1.0]), (9.0, [], [])]
)
def test_edges(rule, capacity, demand, weight):
    assert not share(rule, capacity, demand, weight).any()


def test_a_claimant_without_weight_gets_nothing_and_blocks_nobody():
    assert max_min(100.0, [80.0, 500.0, 0.0], [0.0, 1.0, 1.0]).tolist() == [0.0, 100.0, 0.0]


weights = st.floats(0.1, 10.0)
claims = st.lists(st.tuples(st.floats(0.0, 1000.0), weights), min_size=1, max_size=7)
capacities = st.floats(0.0, 4000.0)
rules = st.sampled_from(list(AllocationRule))
instances = given(rule=rules, capacity=capacities, claims=claims, data=st.data())
many = settings(max_examples=60, deadline=None)


def unpack(claims):
    demand, weight = zip(*claims, strict=True)
    return list(demand), list(weight)


def close(a, b):
    return np.allclose(a, b, rtol=1e-7, atol=1e-7)


@many
@instances
def test_feasible_and_non_wasteful(rule, capacity, claims, data):
    demand, weight = unpack(claims)
    out = share(rule, capacity, demand, weight)
    assert np.all(out >= 0.0)
    assert np.all(out <= np.array(demand) + 1e-9)
    if rule is QUOTA:  # Wasteful, and not consistent either: its quotas rest on the whole pot.
        assert out.sum() <= capacity * (1.0 + NEAR)
    else:
        assert out.sum() == pytest.approx(min(capacity, sum(demand)), rel=NEAR, abs=1e-9)


@many
@instances
def test_resource_monotone(rule, capacity, claims, data):
    demand, weight = unpack(claims)
    more = capacity + data.draw(st.floats(0.0, 1000.0))
    before, after = (share(rule, c, demand, weight) for c in (capacity, more))
    assert np.all(after >= before - 1e-7)


@many
@instances
def test_population_monotone(rule, capacity, claims, data):
    demand, weight = unpack(claims)
    newcomer = data.draw(st.tuples(st.floats(0.0, 1000.0), weights))
    before = share(rule, capacity, demand, weight)
    after = share(rule, capacity, [*demand, newcomer[0]], [*weight, newcomer[1]])[:-1]
    assert np.all(after <= before + 1e-7)


@many
@instances
def test_anonymous(rule, capacity, claims, data):
    order = data.draw(st.permutations(range(len(claims))))
    demand, weight = unpack(claims)
    out = share(rule, capacity, demand, weight)
    turned = share(rule, capacity, [demand[i] for i in order], [weight[i] for i in order])
    assert close(turned, out[list(order)])


@many
@instances
def test_scale_free(rule, capacity, claims, data):
    demand, weight = unpack(claims)
    k = data.draw(st.floats(0.2, 5.0))
    out = share(rule, capacity, demand, weight)
    assert close(share(rule, capacity, demand, [k * w for w in weight]), out)
    assert close(share(rule, k * capacity, [k * d for d in demand], weight), k * out)


@many
@instances
def test_idempotent_and_consistent(rule, capacity, claims, data):
    demand, weight = unpack(claims)
    out = share(rule, capacity, demand, weight)
    assert close(share(rule, capacity, out, weight), out)
    if rule is QUOTA:
        return
    gone = data.draw(st.integers(0, len(claims) - 1))
    rest = [i for i in range(len(claims)) if i != gone]
    left = share(rule, capacity - out[gone], [demand[i] for i in rest], [weight[i] for i in rest])
    assert close(left, out[rest])


@many
@given(capacity=capacities, claims=claims)
def test_max_min_shares_and_envies_nobody(capacity, claims):
    demand, weight = (np.array(each) for each in unpack(claims))
    out = max_min(capacity, demand, weight)
    equal = capacity * weight / weight.sum()
    assert np.all(out >= np.minimum(equal, demand) - 1e-7)
    for i in range(len(demand)):
        assert out[i] >= np.minimum(out * weight[i] / weight, demand[i]).max() - 1e-7


@many
@given(capacity=capacities, claims=claims, data=st.data())
def test_max_min_is_strategy_proof_in_one_shot(capacity, claims, data):
    demand, weight = unpack(claims)
    liar = data.draw(st.integers(0, len(claims) - 1))
    told = [*demand]
    told[liar] = data.draw(st.floats(0.0, 3000.0))
    honest, lying = (max_min(capacity, each, weight)[liar] for each in (demand, told))
    assert min(lying, demand[liar]) <= honest + 1e-7


@many
@given(capacity=st.floats(1.0, 4000.0), claims=claims, data=st.data(), exponent=st.floats(0.2, 0.8))
def test_equal_marginal_value_maximises_the_sum(capacity, claims, data, exponent):
    demand, value = (np.array(each) for each in unpack(claims))
    out = marginal(capacity, demand, value, exponent)
    best = float(value @ out**exponent)
    parts = np.array(data.draw(st.lists(st.floats(0.0, 1.0), min_size=len(claims), max_size=len(claims))))
    other = np.minimum(demand, capacity * parts / max(parts.sum(), 1e-9))
    assert float(value @ other**exponent) <= best * (1.0 + 1e-9) + 1e-9


def test_equal_marginal_value_breaks_sharing_envy_and_truth():
    plenty = [1e9] * 3
    out = marginal(1400.0, plenty, [1.0, 2.0, 3.0])
    assert out[0] < 1400.0 / 3.0, "no sharing incentive"
    assert out[0] < out[1], "envy, at equal weights"
    assert marginal(1400.0, plenty, [3.0, 2.0, 3.0])[0] > out[0], "a stated value pays"
