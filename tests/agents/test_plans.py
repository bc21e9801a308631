"""What labs aim at, what they hold affordable, what they ask for. Adaptive: from what they see, never the future."""

import math

import numpy as np
import pytest

from gpurush.agents import plans
from gpurush.engine import LAYOUTS
from gpurush.names import Strategy
from gpurush.state import Run
from gpurush.units import HOURS_PER_MONTH


def lab(strategy=Strategy.frontier, **terms):
    """A lab that runs 1,000 H100e, 100 people, a demand of 1 M USD a month."""
    batch = np.zeros(1, LAYOUTS[Run])
    batch["labs_used"], batch["month"], batch["rent"] = 1, 3, 2.0
    batch["demand"]["price_over_rent"], batch["demand"]["pay"] = 2.8, 80_000.0
    batch["demand"]["payroll_over_researchers"], batch["demand"]["running"] = 1.5, 60.0
    batch["planning"]["demand_horizon"], batch["planning"]["cash_months"] = 6.0, 18.0
    planning = batch["planning"]
    planning["equity_share"], planning["early_months"], planning["fixed_kept"] = 0.15, 24.0, 3.0
    planning["growth_low"], planning["growth_high"], planning["growth_horizon"] = -0.1, 0.15, 12.0
    one = batch["labs"][0, 0]
    one["strategy"], one["running"], one["researchers"], one["demand"] = strategy, 1000.0, 100.0, 1e6
    one["clouds"], batch["firms"]["buyer"] = -1, -1
    values = {"compute_growth": 3.3, "compute_growth_late": 2.6, "applied_cap": 0.6}
    values |= {"h100e_per_researcher": 20.0, "h100e_per_researcher_growth": 1.6, "h100e_target": 5000.0}
    for name, value in (values | terms).items():
        one["terms"][name] = value
    return batch


def aim(batch, ahead):
    return plans.strategic(batch["labs"][0, 0], batch[0], ahead)


SERVED = 1e6 / (2.8 * 2.0 * HOURS_PER_MONTH)


def test_frontier_grows_at_its_pace_and_slower_after_two_years():
    assert aim(lab(), 12.0) == pytest.approx(3300.0)
    batch = lab()
    batch["month"] = 18
    assert aim(batch, 12.0) == pytest.approx(1000.0 * 3.3**0.5 * 2.6**0.5)
    batch["month"] = 40
    assert aim(batch, 12.0) == pytest.approx(2600.0)


def test_compute_per_researcher_follows_people_and_its_own_growth():
    batch = lab(Strategy.compute_per_researcher, researcher_growth=0.02)
    people = 100.0 * 1.02**6
    assert aim(batch, 6.0) == pytest.approx(20.0 * 1.6 ** (9.0 / 12.0) * people + SERVED)


def test_demand_led_sizes_by_the_expected_demand():
    batch = lab(Strategy.demand_led)
    batch["labs"]["growth"] = 0.05
    assert aim(batch, 4.0) == pytest.approx(SERVED * math.exp(0.2) / 0.6)


def test_catch_up_looks_at_its_announced_size_and_at_the_leader():
    batch = lab(Strategy.catch_up)
    assert aim(batch, 2.0) == 5000.0
    batch["leader_run"] = 9000.0
    assert aim(batch, 2.0) == 9000.0
    batch["labs"]["running"] = 1e6
    assert aim(batch, 12.0) == pytest.approx(3.3e6)


@pytest.mark.parametrize("startup", [True, False])
def test_affordable_compute(startup):
    batch = lab(fixed_cost=1e6)
    one = batch["labs"][0, 0]
    one["startup"], one["valuation"], batch["firms"]["cash"] = startup, 1e10, 2e9
    fixed = 1e6 + 100.0 * 80_000.0 * 1.5
    money = 1e6 - fixed + (2e9 - 3.0 * fixed) / 18.0 + (0.15 * 1e10 / 18.0 if startup else 0.0)
    assert plans.affordable(one, batch[0], False) == pytest.approx(money / (2.0 * HOURS_PER_MONTH))


def test_owned_compute_is_paid_for_gross_of_the_owners_other_business():
    batch = lab()
    batch["firms"]["cash"], batch["price"], batch["lease"]["owning_markup"] = 1e9, 30_000.0, 1.45
    batch["planning"]["payback"], batch["chips"]["h100e"], batch["makers"]["generations"] = 24.0, 1.0, 1
    one = batch["labs"][0, 0]
    whole = plans.affordable(one, batch[0], True)
    one["terms"]["other_use"] = 0.5
    assert plans.affordable(one, batch[0], True) == pytest.approx(0.5 * whole)
    assert plans.affordable(one, batch[0], False) == pytest.approx(
        1e9 / 18.0 / (2.0 * HOURS_PER_MONTH), rel=0.5
    )


def test_what_is_on_order_is_no_indivisible_to_raise_money_for():
    batch = lab(Strategy.catch_up)
    batch["firms"]["buyer"], batch["sites_used"], batch["makers_used"] = 0, 1, 1
    batch["sites"]["retrofit"], batch["makers"]["generations"], batch["chips"]["h100e"] = -1, 1, 1.0
    batch["makers"]["mix_price"][0, 0], batch["gpu"]["network_share"] = 30_000.0, 1.0
    batch["gpu"]["buyer_growth_least"], batch["gpu"]["transit"], batch["gpu"]["horizon"] = 1e9, 2.0, 6.0
    one = batch["labs"][0, 0]
    one["prefers_own"], one["affordable"], one["target_ahead"] = True, 1e9, 5000.0
    batch["sites"]["shell_mw"], batch["sites"]["grid_mw"], batch["chips"]["it_kw"] = 1e6, 1e6, 1.4
    batch["sites"]["terms"]["it_kw_factor"], batch["sites"]["terms"]["pue"] = 1.0, 1.0
    asked = []
    for backlog in (0.0, 2000.0, 9000.0):
        batch["buyers"]["backlog"][0, 0, 0] = backlog
        plans.plan_purchase(one, batch[0], 0, 2.0)
        asked.append(float(one["indivisible"]))
    assert asked == [5000.0 * 30_000.0, 3000.0 * 30_000.0, 0.0]


@pytest.mark.parametrize(("asked", "growth"), [(0.0, 0.0), (100.0, 0.0), (100.0, 900.0)])
def test_a_cloud_builds_once_for_what_a_tenant_wants(asked, growth):
    batch = lab()
    batch["clouds_used"], batch["firms"]["place"] = 1, 0
    cloud, one = batch["clouds"][0, 0], batch["labs"][0, 0]
    one["clouds"][0], one["target_ahead"] = 0, 1000.0 + growth
    cloud["contracted"], cloud["asked"], cloud["terms"]["lease_response"] = 500.0, asked, 0.8
    cloud["firm"], batch["firms"]["buyer"] = 0, 0
    batch["sites"]["owner"] = -1
    batch["firms"]["fleet"] = 1e6  # Power is no matter here.
    batch["rent_start"] = 2.0
    plans.plan_cloud.all(batch, 0)
    assert batch["buyers"]["target_now"][0, 0] == pytest.approx(500.0 + 0.8 * asked)
    assert batch["buyers"]["target_ahead"][0, 0] == pytest.approx(500.0 + 0.8 * max(asked, growth))


def test_a_lab_without_money_plans_for_what_it_has():
    batch = lab()
    batch["planning"]["least_kept"], batch["planning"]["lease_horizon"] = 0.97, 1.5
    batch["lease"]["growth_cap"], batch["lease"]["growth_least"] = 0.1, 1500.0
    batch["labs"]["clouds"][0, 0, 0] = 0
    batch["labs"]["leased"] = 1000.0
    batch["sites"]["retrofit"] = -1
    plans.plan.all(batch, 0)
    assert batch["labs"]["affordable"][0, 0] == 0.0
    assert batch["labs"]["wants_leased"][0, 0] == pytest.approx(970.0)


def test_growth_by_lease_is_bounded_by_ramp_and_least():
    assert plans.grown(1000.0, 1.5, 0.1, 1500.0) == pytest.approx(1000.0 * 1.1**1.5 + 2250.0)


def test_demand_expected_from_the_trend_is_bounded():
    batch = lab()
    one = batch["labs"][0, 0]
    for growth, factor in (
        (0.5, math.exp(0.15 * 12.0)),
        (-0.5, math.exp(-0.1 * 12.0)),
        (0.03, math.exp(0.36)),
    ):
        one["growth"] = growth
        assert plans.expected_demand(one, batch[0], 24.0) == pytest.approx(1e6 * factor)


def test_plans_count_on_no_more_income_than_compute_can_serve():
    batch = lab()
    one = batch["labs"][0, 0]
    one["demand"], one["share"] = 1e9, 0.7
    assert plans.expected_income(one, batch[0]) == pytest.approx(0.3 * 1000.0 * 2.8 * 2.0 * HOURS_PER_MONTH)
    one["share"] = 0.1
    assert plans.expected_income(one, batch[0]) == pytest.approx(0.6 * 1000.0 * 2.8 * 2.0 * HOURS_PER_MONTH)
    one["demand"] = 1e3
    assert plans.expected_income(one, batch[0]) == 1e3


def test_what_a_lease_market_does_not_give_and_what_collapses_is_bought():
    batch = lab()
    batch["firms"]["buyer"], batch["sites_used"] = 0, 1
    batch["sites"]["retrofit"], batch["lease"]["expected_weight"] = -1, 0.25
    batch["buyers"]["target_now"][0, 0], batch["buyers"]["target_ahead"][0, 0] = 100.0, 200.0
    batch["labs"]["unmet_lease"][0, 0], batch["labs"]["lost_lease"][0, 0] = 50.0, 400.0
    plans.pass_on.all(batch, 0)
    assert batch["buyers"]["target_now"][0, 0] == 100.0 + 50.0 + 0.25 * 400.0
    assert batch["buyers"]["target_ahead"][0, 0] == 200.0 + 50.0 + 0.25 * 400.0
    batch["labs"]["terms"]["other_use"][0, 0] = 0.5
    plans.pass_on.all(batch, 0)
    assert batch["buyers"]["target_now"][0, 0] == 250.0 + 2.0 * 150.0, "half of what it owns serves its owner"
    batch["sites_used"], before = 0, batch["buyers"].copy()
    plans.pass_on.all(batch, 0)
    assert np.array_equal(batch["buyers"], before), "without a building nothing can be bought"
