"""Research as the model makes it: CES and its limits, progress, release of models."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpurush.agents.research import research, research_input
from gpurush.engine import LAYOUTS
from gpurush.state import Run

SIGMAS = (0.0, 0.1, 0.33, 0.67, 0.99, 1.0, 1.5, 2.58)
POSITIVE = st.floats(1e-3, 1e3)


@pytest.mark.parametrize("sigma", SIGMAS)
@settings(deadline=None)
@given(st.floats(0.05, 0.95))
def test_normalised_at_the_reference_point(sigma, weight):
    assert research_input(sigma, weight, 1.0, 1.0) == pytest.approx(1.0, rel=1e-12)


@pytest.mark.parametrize("sigma", SIGMAS)
@settings(deadline=None)
@given(st.floats(0.05, 0.95), POSITIVE, POSITIVE, POSITIVE)
def test_constant_returns(sigma, weight, compute, people, factor):
    once = research_input(sigma, weight, compute, people)
    assert research_input(sigma, weight, factor * compute, factor * people) == pytest.approx(
        factor * once, rel=1e-9
    )


@settings(deadline=None)
@given(st.floats(0.05, 0.95), POSITIVE, POSITIVE)
def test_cobb_douglas_at_one_and_continuous_there(weight, compute, people):
    limit = compute**weight * people ** (1.0 - weight)
    assert research_input(1.0, weight, compute, people) == pytest.approx(limit, rel=1e-9)
    for sigma in (0.9995, 1.0005):
        assert research_input(sigma, weight, compute, people) == pytest.approx(limit, rel=0.02)


@settings(deadline=None)
@given(st.floats(0.3, 0.7), POSITIVE, POSITIVE)
def test_leontief_as_substitution_vanishes(weight, compute, people):
    limit = min(compute, people)
    assert research_input(0.0, weight, compute, people) == limit
    assert research_input(0.02, weight, compute, people) == pytest.approx(limit, rel=0.03)


@settings(deadline=None)
@given(st.floats(0.05, 3.0), POSITIVE, POSITIVE)
def test_more_of_an_input_never_gives_less(sigma, compute, people):
    once = research_input(sigma, 0.4, compute, people)
    assert research_input(sigma, 0.4, 1.1 * compute, people) >= once * (1 - 1e-12)
    assert research_input(sigma, 0.4, compute, 1.1 * people) >= once * (1 - 1e-12)


def test_nothing_comes_of_nothing():
    assert research_input(0.67, 0.4, 0.0, 1.0) == research_input(2.58, 0.4, 1.0, 0.0) == 0.0


@pytest.mark.parametrize(("sigma", "ratio"), [(0.1, 1.5), (0.67, 15.0), (1.0, 57.1)])
def test_cheapest_compute_per_researcher(sigma, ratio):
    """C/L = (alpha/(1 - alpha) w/p)^sigma: 1 M USD a researcher-year, 2 USD an hour, equal weights."""
    wage, rent = 1e6, 2.0 * 8760.0
    per_head = np.exp(np.linspace(np.log(0.5), np.log(500.0), 20_000))
    cost = (per_head * rent + wage) / np.array([research_input(sigma, 0.5, each, 1.0) for each in per_head])
    best = per_head[int(np.argmin(cost))]
    assert best == pytest.approx((wage / rent) ** sigma, rel=0.01)
    assert best == pytest.approx(ratio, rel=0.02)


def one_lab(**lab):
    """A lab at the reference point."""
    batch = np.zeros(1, LAYOUTS[Run])
    terms = batch["research"]
    values = {
        "elasticity": 0.67,
        "compute_weight": 0.4,
        "reference_h100e": 20_000.0,
        "reference_researchers": 250.0,
        "progress": 0.044,
        "parallelisation": 0.7,
        "diminishing": 0.6,
        "progress_cap": 0.12,
        "spillover": 0.06,
        "mfu": 0.38,
        "goodput": 0.88,
        "release_step": 1.0,
        "release_gap": 6.0,
    }
    for name, value in values.items():
        terms[name] = value
    batch["labs_used"], batch["month"], batch["frontier"] = 1, 12, 1.0
    one = batch["labs"][0, 0]
    one["researching"], one["researchers"], one["efficiency"] = 20_000.0, 250.0, 1.0
    one["capability"] = 25.32
    for name, value in lab.items():
        one[name] = value
    return batch


def after(batch):
    research.all(batch, 0)
    return batch["labs"][0, 0]


def test_progress_at_the_reference_point():
    assert after(one_lab())["efficiency"] == pytest.approx(1.044)


def test_progress_has_diminishing_returns_to_effort_and_to_past_progress():
    double = after(one_lab(researching=40_000.0, researchers=500.0))["efficiency"] - 1.0
    assert double == pytest.approx(0.044 * 2.0**0.7)
    late = after(one_lab(efficiency=4.0))["efficiency"] / 4.0 - 1.0
    assert late == pytest.approx(0.044 * 4.0**-0.6)


def test_progress_is_capped_and_the_follower_catches_up():
    assert after(one_lab(researching=2e8, researchers=2.5e6))["efficiency"] == pytest.approx(1.12)
    batch = one_lab(researching=0.0, efficiency=0.5)
    assert after(batch)["efficiency"] == pytest.approx(0.5 + 0.06 * 0.5)


def test_training_compute_counts_16_bit_peak_mfu_and_goodput():
    found = after(one_lab(researching=20_000.0, big_run=25_000.0))
    assert found["flop"] == pytest.approx(25_000.0 * 0.9894e15 * 0.38 * 0.88 * 730.0 * 3600.0)
    assert found["efficiency"] == pytest.approx(1.044)  # The big run is no experiment.


@pytest.mark.parametrize(("flop", "released", "comes"), [(25.9, 0, False), (26.4, 0, True), (26.4, 7, False)])
def test_a_model_comes_a_step_above_the_last_and_not_too_soon_after_it(flop, released, comes):
    batch = one_lab(big_run=800.0, flop=10.0**flop, released=released)
    lab = after(batch)
    assert (lab["released"] == 12) == comes
    if comes:
        assert lab["capability"] == pytest.approx(math.log10(10.0**26.4 * 1.042), abs=0.01)
        assert lab["flop"] == 0.0
