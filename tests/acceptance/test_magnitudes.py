"""The magnitudes of the record to mid-2024: ensemble medians within a factor of 1.5, lead times within 2.5."""

from collections.abc import Callable

import numpy as np
import pytest
from ensembles import RUNS, Ensemble

FIVE = ("openai", "anthropic", "google_deepmind", "meta", "xai")
SIX = (*FIVE, "tesla")
YEAR_END = {2023: 11, 2024: 23, 2025: 35, 2026: 47, 2027: 59}


def near(found: float, record: float, factor: float = 1.5) -> bool:
    return record / factor <= found <= record * factor


@pytest.mark.parametrize(
    ("quarter", "record"),
    [(0, 4.28), (1, 10.32), (2, 14.51), (3, 18.40), (4, 22.60)],
    ids=lambda value: str(value),
)
def test_nvidia_revenue_by_fiscal_quarter(baseline: Ensemble, quarter: int, record: float) -> None:
    first = 1 + 3 * quarter
    quarterly = baseline.agent("nvidia", "revenue_usd")[first : first + 3].sum(axis=0) / 1e9
    assert near(float(np.median(quarterly)), record)


@pytest.mark.parametrize(("month", "record"), [(5, 0.594), (11, 1.391), (17, 2.649)])
def test_world_h100e_sold(baseline: Ensemble, month: int, record: float) -> None:
    chips = {"A100": 624 / 1979, "H100": 1.0, "H200": 1.0}
    sold = sum(
        baseline.market("gpu", chip, "shipped")[: month + 1].sum(axis=0) * per for chip, per in chips.items()
    )
    assert near(float(np.median(0.290 + sold / 1e6)), record)


@pytest.mark.parametrize(
    ("owner", "record"),
    [("azure", 607), ("meta", 320), ("google_cloud", 232), ("aws", 232), ("oracle", 131)],
)
def test_fleets_in_mid_2024(baseline: Ensemble, owner: str, record: float) -> None:
    assert near(float(np.median(baseline.agent(owner, "h100e_owned")[17])) / 1e3, record)


@pytest.mark.parametrize(("month", "record"), [(10, 10.1), (15, 2.3)])
def test_lead_times(baseline: Ensemble, month: int, record: float) -> None:
    lead = np.median(baseline.market("gpu", "H100", "lead_time_months")[month])
    assert near(float(lead), record, 2.5)


@pytest.mark.parametrize(("month", "record"), [(0, 34.6), (11, 33.8), (17, 33.8)])
def test_h100_price(baseline: Ensemble, month: int, record: float) -> None:
    assert near(float(np.median(baseline.market("gpu", "H100", "price_usd")[month])) / 1e3, record)


def test_openai_compute_and_revenue(baseline: Ensemble) -> None:
    compute = np.median(baseline.agent("openai", "h100e_energised"), axis=1) / 1e3
    revenue = np.median(baseline.agent("openai", "revenue_usd"), axis=1) * 12 / 1e9
    assert near(float(compute[11]), 102.5)
    assert near(float(revenue[11]), 2.0)
    assert near(float(revenue[17]), 3.4)


def test_openai_compute_spend_of_2024(baseline: Ensemble) -> None:
    spend = baseline.agent("openai", "compute_spend_usd")[12:24].sum(axis=0)
    research = baseline.agent("openai", "research_spend_usd")[12:24].sum(axis=0)
    assert 5e9 <= np.median(spend) <= 9e9
    assert 0.55 <= np.median(research / spend) <= 0.8


def test_shortage_shows_in_lead_time_before_price(baseline: Ensemble) -> None:
    lead = np.median(baseline.market("gpu", "H100", "lead_time_months"), axis=1)
    price = np.median(baseline.market("gpu", "H100", "price_usd"), axis=1)
    assert lead[:12].max() > 6.0
    assert np.all(np.abs(price[:12] / price[0] - 1.0) <= 0.15)
    assert lead[17] <= 0.5 * lead[:18].max()
    # The price falls after the lead: when it has lost 10 % the lead has long passed its peak.
    falls = int(np.argmax(price < 0.9 * price[0]))
    assert falls > int(np.argmax(lead[:18]))


def test_it_is_the_shortage_that_holds_the_price_up(
    baseline: Ensemble, run_scenario: Callable[..., Ensemble]
) -> None:
    deaf = {"markets.gpu.price_sensitivity": 0.0, "markets.gpu.price_cut": 0.0}
    same = run_scenario("baseline", RUNS, deaf, months=24)
    price, without = (
        np.median(each.market("gpu", "H100", "price_usd")[:24], axis=1) for each in (baseline, same)
    )
    ratio = price / without
    assert ratio[11] > 1.02, "short in 2023: dearer than age alone makes it"
    assert int(np.argmax(ratio)) in range(9, 18), (
        "dearest, against age alone, once the lead has passed its peak"
    )
    assert ratio[23] < ratio.max()


def test_compute_of_the_labs_multiplies_each_year(baseline: Ensemble) -> None:
    compute = np.median(sum(baseline.agent(lab, "h100e_energised") for lab in SIX), axis=1)
    for before, after in ((0, 11), (11, 23), (23, 35)):
        assert 2.0 <= compute[after] / compute[before] <= 5.0


def test_concentration_stays_while_compute_explodes(baseline: Ensemble) -> None:
    compute = np.stack([baseline.agent(lab, "h100e_energised") for lab in FIVE])
    shares = compute / compute.sum(axis=0)
    hhi = np.median(1e4 * (shares * shares).sum(axis=0), axis=1)
    for month in YEAR_END.values():
        assert 1500 <= hhi[month] <= 3000


def test_energised_compute_is_used(baseline: Ensemble) -> None:
    idle = sum(baseline.agent(lab, "idle_h100e") for lab in SIX)
    energised = sum(baseline.agent(lab, "h100e_energised") for lab in SIX)
    assert np.median(idle / energised, axis=1).max() < 0.05
    assert float(idle.sum() / energised.sum()) < 0.05


def test_money_binds_at_xai_before_its_round_and_late_at_openai(baseline: Ensemble) -> None:
    money = 1
    assert (baseline.agent("xai", "bound_by")[8:16] == money).any(axis=0).mean() > 0.5
    assert (baseline.agent("openai", "bound_by")[:24] == money).mean() < 0.05
