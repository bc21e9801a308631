"""A lab of its own: one run record with two research programmes and two products, and nothing else."""

import numpy as np

from gpurush.allocation.levels import allocate
from gpurush.engine import LAYOUTS
from gpurush.names import AllocationRule
from gpurush.state import Run, Task
from gpurush.units import HOURS_PER_MONTH

PRICE = 2.0
UNIT = 8.0


def small_lab(running=1000.0, need=300.0, **terms):
    """A batch of one run with one lab; ``need`` is the compute that would serve all demand, H100e."""
    runs = np.zeros(1, LAYOUTS[Run])
    runs["seed"], runs["labs_used"], runs["firms_used"], runs["programmes_used"] = 5, 1, 1, 4
    runs["month"] = 1
    runs["rent"], runs["demand"]["price_over_rent"] = PRICE, 1.0
    allocation = {
        "value_exponent": 0.5,
        "research_value": 2.5**0.5,
        "review_gap": 3.0,
        "moving_cost": 6.0,
        "project_months": 6.0,
        "winddown_months": 3.0,
        "project_arrivals": 2.0,
        "project_size": 0.2,
        "project_stretch": 2.0,
        "big_run_months": 5.0,
        "big_run_pause": 3.0,
        "big_run_most": 0.8,
        "project_longest": 4.0,
        "opening_projects": 7.0,
    }
    for name, value in allocation.items():
        runs["allocation"][name] = terms.pop(name, value)
    runs["programmes"]["applied"][0, :4] = [False, False, True, True]
    runs["programmes"]["weight"][0, :4] = [1.0, 2.0, 1.0, 1.0]
    runs["programmes"]["value"][0, :4] = [1.0, 2.0, 1.0, 1.0]
    lab = runs["labs"][0, 0]
    lab["terms"]["research_share"], lab["terms"]["applied_cap"] = 0.7, 0.6
    lab["terms"]["big_run_h100e"], lab["terms"]["run_share"] = 0.0, 0.3
    for name, value in terms.items():
        lab["terms"][name] = value
    lab["running"] = lab["fabric"] = running
    lab["unit"], lab["reviewed"] = UNIT, -1000
    lab["demand"] = need * PRICE * HOURS_PER_MONTH
    lab["top_rule"], lab["research_rule"] = (
        AllocationRule.equal_marginal_value,
        AllocationRule.weighted_max_min,
    )
    lab["applied_rule"] = AllocationRule.equal_marginal_value
    return runs


def lab_of(runs):
    return runs["labs"][0, 0]


def month(runs):
    """A month of the allocator."""
    runs["month"] += 1
    allocate.all(runs, 0)
    return lab_of(runs)


def add(runs, place, programme, wanted, held=0.0, left=6.0, age=1.0, state=None):
    """Puts a project into a slot."""
    project = lab_of(runs)["projects"][place]
    project["programme"], project["wanted"], project["held"] = programme, wanted, held
    project["left"], project["age"] = left, age
    project["state"] = state or (Task.running if held else Task.waiting)
    lab = lab_of(runs)
    slots = [*lab["queue"][: int(lab["queued"])], place]
    slots.sort(key=lambda slot: -lab["projects"]["age"][slot])
    lab["queue"][: len(slots)], lab["queued"] = slots, len(slots)
    return project


def held(lab):
    """What research projects, then products, hold."""
    return np.append(lab["projects"]["held"], lab["products"]["held"])


def gap(lab):
    """What is nowhere: zero."""
    return held(lab).sum() + lab["big_run"] + lab["reserved"] + lab["idle"] - lab["running"]
