"""Failures and goodput against SciPy and against a search."""

import math

import numpy as np
import pytest
from scipy import optimize, stats

from gpurush.capacity import failures


@pytest.mark.parametrize("mean", [0.0, 0.01, 0.5, 3.0, 47.4, 379.0, 800.0, 5_000.0, 40_000.0])
@pytest.mark.parametrize("confidence", [0.01, 0.5, 0.9, 0.99, 0.9999])
def test_spares_are_the_poisson_quantile(mean, confidence):
    expected = stats.poisson.ppf(confidence, mean) if mean else 0
    assert failures.spare_nodes(mean, confidence) == expected


@pytest.mark.parametrize("up", [0.0, 0.2, 0.9, 0.99, 1.0])
@pytest.mark.parametrize("needed", [0, 1, 9, 16, 18])
def test_trays_are_binomial(up, needed):
    assert failures.at_least_up(18, needed, up) == pytest.approx(
        stats.binom.sf(needed - 1, 18, up), abs=1e-12
    )


@pytest.mark.parametrize("mttf", [600.0, 1_824.0, 11_135.0, 1e6])
@pytest.mark.parametrize("write", [1.0, 20.0])
def test_youngs_interval_is_the_best_of_the_first_order_loss(mttf, write):
    def loss(interval):
        return write / interval + interval / (2 * mttf)

    found = optimize.minimize_scalar(
        loss, bounds=(write / 10, mttf), method="bounded", options={"xatol": 1e-6}
    )
    assert failures.young_interval(mttf, write) == pytest.approx(found.x, rel=1e-4)
    assert failures.daly_interval(mttf, write) == pytest.approx(found.x - write, rel=1e-3)


def test_the_availability_interval_maximises_availability():
    """Work over expected time of a cycle: tau / (tau + delta) x (M - (tau + delta)/2 ...), to first order."""
    mttf, write, restart = 6000.0, 10.0, 600.0

    def availability(work):
        cycle = work + write
        lost = restart + cycle / 2
        return work / cycle * mttf / (mttf + lost)

    found = optimize.minimize_scalar(lambda work: -availability(work), bounds=(1, mttf), method="bounded")
    assert failures.availability_interval(mttf, write, restart) == pytest.approx(found.x, rel=0.02)


def test_goodput_falls_with_size_and_rate():
    sizes = [failures.best_goodput(nodes, 3.79e-3, 20.0, 300.0) for nodes in (0.0, 128.0, 2_048.0, 12_500.0)]
    rates = [failures.best_goodput(2_048.0, rate, 20.0, 300.0) for rate in (0.0, 2.34e-3, 3.79e-3, 6.5e-3)]
    assert sizes[0] == rates[0] == 1
    assert all(np.diff(sizes) < 0)
    assert all(np.diff(rates) < 0)


def test_goodput_is_never_negative():
    assert failures.best_goodput(1e7, 0.01, 60.0, 900.0) == 0
    assert failures.goodput(10.0, 60.0, 900.0, 30.0) == 0
    assert failures.effective_time_ratio(10.0, 60.0, 900.0, 30.0) == 0
    assert failures.goodput(10.0, 0.0, 0.0, 0.0) == 0


def test_what_never_fails():
    assert failures.mean_time_to_failure(0.0, 0.01) == math.inf
    assert failures.goodput(math.inf, 20.0, 300.0, 2_000.0) == pytest.approx(0.99)
    assert failures.best_goodput(100.0, 0.01, 0.0, 300.0) == pytest.approx(1 - 300 / 86_400)


def test_nodes_down_are_at_most_all():
    assert failures.nodes_down(100.0, 0.5, 10.0) == 100
    assert failures.whole_nodes(100_001.0, 8.0) == 12_501
