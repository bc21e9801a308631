"""The three levels inside a lab, on a small hand-made lab."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_lab import add, gap, held, lab_of, month, small_lab

from gpurush.names import AllocationRule
from gpurush.state import PROJECTS, Task


def test_leadership_shares_by_equal_marginal_value():
    lab = month(small_lab(need=1e6, applied_cap=1.0))
    assert lab["share"] == pytest.approx(5.0 / 7.0)
    assert (lab["research"], lab["applied"]) == pytest.approx((5000.0 / 7.0, 2000.0 / 7.0))


def test_leadership_keeps_a_fixed_share():
    runs = small_lab(need=1e6, research_share=0.6)
    lab_of(runs)["top_rule"] = AllocationRule.fixed_share
    assert month(runs)["research"] == pytest.approx(600.0)


def test_the_two_top_rules_differ_in_what_they_follow():
    shares = {}
    for rule in AllocationRule:
        for value in (1.2, 2.0):
            runs = small_lab(need=1e6, research_value=value)
            lab_of(runs)["top_rule"] = rule
            shares[rule, value] = month(runs)["share"]
    assert shares[AllocationRule.fixed_share, 1.2] == shares[AllocationRule.fixed_share, 2.0]
    assert shares[AllocationRule.equal_marginal_value, 1.2] < shares[AllocationRule.equal_marginal_value, 2.0]


def test_the_share_is_reviewed_every_quarter_only():
    runs = small_lab(need=1e6)
    first = float(month(runs)["share"])
    runs["allocation"]["research_value"] = 3.0
    seen = [float(month(runs)["share"]) for _ in range(3)]
    assert seen[:2] == [first, first]
    assert seen[2] > first


@pytest.mark.parametrize(
    ("need", "cap", "applied"), [(100.0, 0.6, 100.0), (1e6, 0.2, 200.0), (1e6, 1.0, 285.714)]
)
def test_applied_gets_at_most_need_cap_and_share(need, cap, applied):
    lab = month(small_lab(need=need, applied_cap=cap))
    assert lab["applied"] == pytest.approx(applied, rel=1e-4)
    assert lab["research"] + lab["applied"] == lab["running"]


def test_heads_share_research_by_weight_of_programmes():
    runs = small_lab(need=0.0, project_stretch=1.0, project_arrivals=0.0)
    for place in range(4):
        add(runs, place, place % 2, 1000.0)
    lab = month(runs)
    assert [held(lab)[at::2].sum() for at in (0, 1)] == [328.0, 664.0], (
        "a third and two thirds, in whole nodes"
    )
    assert lab["idle"] == 8.0


def test_heads_share_research_by_equal_marginal_value():
    runs = small_lab(need=0.0, project_stretch=1.0, project_arrivals=0.0)
    lab_of(runs)["research_rule"] = AllocationRule.equal_marginal_value
    for place in range(4):
        add(runs, place, place % 2, 1000.0)
    lab = month(runs)
    assert [held(lab)[at::2].sum() for at in (0, 1)] == [200.0, 800.0], "1 to 4: values 1 and 2, squared"


def test_the_oldest_project_is_served_first_within_its_programme():
    runs = small_lab(running=304.0, need=0.0, project_stretch=1.0, project_arrivals=0.0)
    young, old = add(runs, 0, 0, 200.0, age=2.0), add(runs, 1, 0, 200.0, age=5.0)
    lab = month(runs)
    assert old["held"] == 200.0
    assert young["held"] == 104.0
    assert gap(lab) == 0.0


def test_hardware_of_projects_that_wind_down_goes_to_those_that_wait():
    runs = small_lab(running=480.0, need=0.0, project_stretch=1.0, project_arrivals=0.0, winddown_months=2.0)
    donors = [add(runs, place, 0, 96.0, held=96.0, left=1.0, age=6.0) for place in range(5)]
    waiting = add(runs, 5, 0, 480.0, age=3.0)
    seen = []
    for _ in range(4):
        lab = month(runs)
        seen.append((float(held(lab)[:5].sum()), float(waiting["held"]), float(lab["moved"])))
        assert gap(lab) == 0.0
    assert seen[0] == (480.0, 0.0, 0.0), "winding down, and nothing is freed yet"
    assert [donated for donated, _, _ in seen] == [480.0, 240.0, 0.0, 0.0]
    assert seen[1] == (240.0, 240.0, 240.0)
    assert seen[3][1] == 480.0
    assert waiting["state"] == Task.running
    assert all(donor["state"] == Task.empty for donor in donors)


def test_a_move_must_repay_the_work_it_costs():
    found = {}
    for cost in (29.0, 31.0):
        runs = small_lab(need=0.0, project_arrivals=0.0, moving_cost=cost)
        project = add(runs, 0, 0, 80.0, left=1.0)
        month(runs)
        found[cost] = float(project["held"])
    assert found[29.0] > 0.0
    assert found[31.0] == 0.0


def test_new_gpus_are_used_at_once_and_little_is_idle():
    runs = small_lab()
    for step in range(24):
        lab = lab_of(runs)
        lab["running"] = lab["fabric"] = 1000.0 + 200.0 * step
        month(runs)
        if step > 2:
            assert lab["idle"] / lab["running"] < 0.05


def test_projects_stretch_beyond_what_they_asked_up_to_a_limit():
    runs = small_lab(need=0.0, project_arrivals=0.0)
    project = add(runs, 0, 0, 160.0)
    lab = month(runs)
    assert project["held"] == 320.0
    assert lab["idle"] == 680.0


def big(runs, **columns):
    lab = lab_of(runs)
    for name, value in columns.items():
        lab[name] = value
    return lab


def test_a_big_run_waits_until_its_least_size_stands_on_one_fabric():
    runs = small_lab(running=1000.0, need=0.0, big_run_h100e=400.0, project_arrivals=0.0)
    lab = big(runs, fabric=392.0)
    assert month(runs)["big_run"] == 0.0
    assert lab["reserved"] == 0.0
    lab["fabric"] = 400.0
    assert month(runs)["big_run"] == 400.0


def test_a_big_run_reserves_what_comes_free_until_it_can_start():
    runs = small_lab(running=1000.0, need=0.0, big_run_h100e=400.0, project_arrivals=0.0, project_stretch=1.0)
    add(runs, 0, 0, 800.0, held=800.0, left=2.0)
    seen = []
    for _ in range(6):
        lab = month(runs)
        seen.append((float(lab["reserved"]), float(lab["big_run"])))
        assert gap(lab) == pytest.approx(0.0, abs=1e-9)
    assert seen[0] == (200.0, 0.0)
    assert seen[-1] == (0.0, 400.0)
    starts = [at for at, (_, run) in enumerate(seen) if run]
    assert all(reserved < 400.0 for reserved, _ in seen[: starts[0]])


def test_a_big_run_holds_whole_units_and_never_less_than_its_least_size():
    runs = small_lab(running=1000.0, need=0.0, big_run_h100e=401.0, project_arrivals=0.0)
    assert month(runs)["big_run"] == 408.0
    runs = small_lab(running=1000.0, need=0.0, big_run_h100e=401.0, project_arrivals=0.0)
    big(runs, fabric=404.0)
    assert month(runs)["big_run"] == 0.0


def test_a_running_big_run_is_served_before_projects_when_compute_shrinks():
    runs = small_lab(running=1000.0, need=0.0, big_run_h100e=400.0, project_arrivals=0.0)
    for place in range(3):
        add(runs, place, 0, 300.0)
    assert month(runs)["big_run"] == 400.0
    big(runs, running=900.0, fabric=900.0)
    lab = month(runs)
    assert lab["big_run"] == 400.0
    assert gap(lab) == pytest.approx(0.0, abs=1e-9)


def test_a_big_run_ends_and_lets_go():
    runs = small_lab(need=0.0, big_run_h100e=400.0, project_arrivals=0.0, big_run_months=3.0)
    seen = [bool(month(runs)["big_run"]) for _ in range(9)]
    assert seen == [True] * 3 + [False] * 3 + [True] * 3


def test_a_lab_with_nothing_to_run_holds_nothing():
    runs = small_lab()
    for _ in range(3):
        month(runs)
    big(runs, running=4.0, fabric=4.0)
    lab = month(runs)
    assert not held(lab).any()
    assert lab["idle"] == 4.0
    runs["firms"]["defaulted"][0, 0] = True
    big(runs, running=1000.0)
    lab["shadow"] = 5.0
    assert month(runs)["idle"] == 1000.0
    assert gap(lab) == 0.0
    assert lab["shadow"] == 0.0, "with nothing to allocate one more GPU is worth nothing"


def test_projects_are_pitched_more_than_can_be_served():
    runs = small_lab(need=0.0, project_arrivals=6.0, project_stretch=1.0)
    for _ in range(12):
        month(runs)
    states = lab_of(runs)["projects"]["state"]
    assert (states == Task.waiting).sum() > 3
    assert (states == Task.running).sum() > 0
    assert (states != Task.empty).sum() <= PROJECTS


compute = st.floats(1.0, 5000.0)


@settings(max_examples=25, deadline=None)
@given(
    path=st.lists(st.tuples(compute, compute, st.sampled_from([8.0, 8.0, 20.0])), min_size=4, max_size=12),
    least=st.sampled_from([0.0, 100.0, 900.0]),
    top=st.sampled_from(list(AllocationRule)),
    rule=st.sampled_from(list(AllocationRule)),
    seed=st.integers(0, 1000),
)
def test_every_h100e_is_held_by_a_project_a_big_run_reserved_or_idle(path, least, top, rule, seed):
    runs = small_lab(big_run_h100e=least)
    runs["seed"] = seed
    big(runs, top_rule=top, research_rule=rule, applied_rule=rule)
    for running, need, unit in path:
        lab = big(runs, running=running, fabric=running, demand=need * 1460.0, unit=unit)
        month(runs)
        assert gap(lab) == pytest.approx(0.0, abs=1e-6)
        for number in (lab["idle"], lab["reserved"], lab["big_run"], held(lab).min()):
            assert number >= 0.0
        units = np.append(held(lab), [lab["big_run"], lab["reserved"]]) / unit
        assert np.allclose(units, np.round(units), atol=1e-6)
        assert lab["research"] + lab["applied"] == pytest.approx(running if running >= unit else 0.0)
