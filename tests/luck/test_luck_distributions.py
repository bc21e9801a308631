"""Draws follow the distributions that their names say: compared with SciPy's."""

import numpy as np
import pytest
from scipy import special, stats

from gpurush import luck

DRAWS = 6000
WHO, WHAT = luck.name("tva"), int(luck.What.study)
SMALLEST = 1e-3
"""Least probability of a draw as odd as this one; the addresses are fixed, so a test passes always or never."""


def sample(draw, *terms):
    return np.array([draw(*terms, 11, run, WHO, WHAT, run % 60) for run in range(DRAWS)])


def test_uniform():
    assert stats.kstest(sample(luck.uniform), "uniform").pvalue > SMALLEST


def test_normal():
    assert stats.kstest(sample(luck.normal), "norm").pvalue > SMALLEST


@pytest.mark.parametrize("shape", [1.0, 1.7, 4.0, 60.0])
def test_gamma(shape):
    assert stats.kstest(sample(luck.gamma, shape), stats.gamma(shape).cdf).pvalue > SMALLEST


@pytest.mark.parametrize("mean", [0.2, 2.0, 30.0, 300.0])
def test_poisson_is_the_quantile_of_the_uniform_draw(mean):
    assert np.array_equal(sample(luck.poisson, mean), stats.poisson.ppf(sample(luck.uniform), mean))


def test_poisson_of_nothing_is_nothing():
    assert luck.poisson(0.0, 1, 2, 3, 4, 5) == 0.0


@pytest.mark.parametrize("p", [0.0, 0.05, 0.5, 1.0])
def test_bernoulli(p):
    found = int(sample(luck.bernoulli, p).sum())
    assert stats.binomtest(found, DRAWS, p).pvalue > SMALLEST


@pytest.mark.parametrize("variation", [0.25, 0.6, 1.0])
def test_waiting_time_has_its_mean_and_variation(variation):
    mean, shape = 9.0, 1.0 / variation**2
    drawn = sample(luck.waiting_time, mean, variation)
    assert stats.kstest(drawn, stats.gamma(shape, scale=mean / shape).cdf).pvalue > SMALLEST
    assert drawn.mean() == pytest.approx(mean, rel=0.05)
    assert drawn.std() / drawn.mean() == pytest.approx(variation, rel=0.05)


def test_waiting_time_without_variation_is_its_mean():
    assert luck.waiting_time(9.0, 0.0, 1, 2, 3, 4, 5) == 9.0
    assert luck.waiting_time(-1.0, 0.5, 1, 2, 3, 4, 5) == 0.0


def test_waiting_time_varies_no_more_than_an_exponential_one():
    assert sample(luck.waiting_time, 9.0, 5.0).std() == pytest.approx(9.0, rel=0.05)


def test_normal_quantile_agrees_with_scipy_to_1e_14():
    tails = 10.0 ** -np.arange(1.0, 300.0)
    middle = np.linspace(0.0005, 0.9995, 2000)
    p = np.concatenate([tails, middle, [0.075, 0.925, 0.5 + 1e-9, np.exp(-25.0), np.exp(-25.0) * 1.0001]])
    ours = np.array([luck.normal_quantile(float(each)) for each in p])
    truth = special.ndtri(p)
    assert np.max(np.abs(ours - truth) / np.maximum(np.abs(truth), 1e-3)) < 1e-14
    assert luck.normal_quantile(0.5) == 0.0


def test_normal_quantile_rises():
    p = np.linspace(1e-6, 1.0 - 1e-6, 20_001)
    ours = np.array([luck.normal_quantile(float(each)) for each in p])
    assert np.all(np.diff(ours) > 0.0)
