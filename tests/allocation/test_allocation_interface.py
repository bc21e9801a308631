"""The interface of the rules carries rules of other kinds: published examples, by columns alone."""

import numpy as np
import pytest
import wider_rules as wider

from gpurush.allocation.rules import Claims


def claims(n, **columns):
    given = {name: np.array(values, float) for name, values in columns.items()}
    goods = len(given.get("pots", [0.0]))
    rest = {name: np.zeros(n) for name in ("demand", "weight", "work", "guarantee", "tier", "credits")}
    rest |= {"needs": np.zeros((n, goods)), "pots": np.zeros(goods), "bundles": np.zeros((n, max(goods, n)))}
    return wider.WiderClaims(n=n, **(rest | given))


def share(rule, pot, found):
    out = np.full(found.n, np.nan)
    price = rule(float(pot), found, out)
    return out.tolist(), price


def test_every_column_of_claims_but_value_and_exponent_is_kept_and_more_are_added():
    kept = {"n", "demand", "weight", "work"}
    assert kept < set(Claims._fields)
    assert kept < set(wider.WiderClaims._fields)


def test_guarantees_and_tiers():
    found = claims(3, demand=(1, 3, 2), weight=(1, 2, 1), guarantee=(1, 1, 0), tier=(2, 1, 1))
    assert share(wider.guarantee_then_tiers, 5, found)[0] == pytest.approx([1.0, 3.0, 1.0])


def test_several_resources():
    tasks, level = share(wider.dominant_resource, 0, claims(2, needs=((1, 4), (3, 1)), pots=(9, 18)))
    assert (tasks, level) == (pytest.approx([3.0, 2.0]), pytest.approx(2.0 / 3.0))
    less = share(wider.dominant_resource, 0, claims(2, needs=((3, 1), (4, 4)), pots=(8, 6)))[0]
    more = share(wider.dominant_resource, 0, claims(2, needs=((3, 1), (4, 4)), pots=(16, 6)))[0]
    assert less == pytest.approx([32 / 21, 6 / 7])
    assert more == pytest.approx([48 / 17, 27 / 34])


def test_bundles_of_goods():
    found = claims(2, needs=((0.6, 0.4), (0.2, 0.8)), pots=(1000, 500))
    first, _ = share(wider.elasticity, 0, found)
    assert first == pytest.approx([750.0, 250.0])
    assert found.bundles[:, 1] == pytest.approx([500.0 / 3.0, 1000.0 / 3.0])


def test_credits_that_are_kept_from_month_to_month():
    found = claims(2, demand=(8, 0), credits=(10, 10))
    assert share(wider.karma, 8, found)[0] == [8.0, 0.0]
    assert found.credits.tolist() == [6.0, 14.0]
    found.demand[:] = 8.0
    assert share(wider.karma, 8, found)[0] == [0.0, 8.0]
    assert found.credits.tolist() == [10.0, 10.0]
