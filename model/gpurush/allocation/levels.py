"""Phase 4: the allocator inside a lab, on three levels.

1. Leadership shares compute between research and applied, reviewed every quarter.
2. Heads share each side's compute among programmes (research) and products (applied).
3. Operations move whole nodes or racks from projects that wind down to those that wait, if the time left is worth the
   move; a big run is served first and needs its least size on one fabric.
"""

import math
from typing import NamedTuple

from ..engine import Array, helper, rule
from ..numbers import clip, power, whole_units
from ..state import PROGRAMMES, PROJECTS, Lab, Project, Run, Task
from ..units import DAYS_PER_MONTH, HOURS_PER_MONTH
from .projects import age_projects, pitch, stand_products
from .rules import Claims, divide


class Side(NamedTuple):
    """One side of a lab, research or applied, with the projects that share its compute.

    Attributes:
        applied: whether it serves products.
        pool: what its projects share, H100e.
        projects: slots of projects.
        order: slots in use, the first to be served first; the first ``n`` entries count.
        n: number of projects.
    """

    applied: bool
    pool: float
    projects: Array[Project]
    order: Array[int]
    n: int


@helper
def share_out(lab: Lab, run: Run, rule: int, pot: float, n: int) -> float:
    """Divides a pot among the first ``n`` claimants of the lab's columns, by a rule; returns the shadow price."""
    claims = Claims(n, lab.asked_by, lab.weight_by, lab.value_by, run.allocation.value_exponent, lab.work_by)
    return divide(rule, pot, claims, lab.granted)


@helper
def decide_share(lab: Lab, run: Run) -> None:
    """Level 1: the research share, at each review: two claimants, research and applied, who want all there is."""
    if run.month - lab.reviewed < run.allocation.review_gap and lab.share > 0.0:
        return
    lab.reviewed = run.month
    lab.asked_by[0], lab.asked_by[1] = lab.running, lab.running
    lab.weight_by[0], lab.weight_by[1] = lab.terms.research_share, 1.0 - lab.terms.research_share
    lab.value_by[0], lab.value_by[1] = run.allocation.research_value, 1.0
    share_out(lab, run, lab.top_rule, lab.running, 2)
    lab.share = lab.granted[0] / lab.running


@helper
def split(lab: Lab, run: Run) -> None:
    """Level 1 in force: applied gets at most its need, its cap and leadership's share; research the rest."""
    price = run.demand.price_over_rent * run.rent * HOURS_PER_MONTH
    lab.need = lab.demand / price if price > 0.0 else 0.0
    lab.applied = min(lab.need, min((1.0 - lab.share) * lab.running, lab.terms.applied_cap * lab.running))
    lab.research = lab.running - lab.applied
    slope = 1.0
    if lab.applied > 0.0 and lab.research > 0.0:
        ratio = power(lab.research / lab.applied, run.allocation.value_exponent - 1.0)
        slope = min(1.0, run.allocation.research_value * ratio)
    lab.shadow = price * (1.0 if lab.need > lab.applied else slope)


@helper
def hold_big_run(lab: Lab, run: Run, held: float) -> None:
    """The big run: waits until its least size stands on one fabric, then holds its share of research.

    ``held`` is what research projects hold, H100e.
    """
    least = math.ceil(lab.terms.big_run_h100e / lab.unit - 1e-9) * lab.unit
    room = min(lab.fabric, run.allocation.big_run_most * lab.research)
    if room < least or least <= 0.0:
        lab.big_run, lab.reserved = 0.0, 0.0
        return
    wanted = whole_units(min(max(least, lab.terms.run_share * lab.research), room), lab.unit)
    if lab.run_months >= run.allocation.big_run_months:
        lab.run_months = -run.allocation.big_run_pause
    if lab.run_months < 0.0:
        lab.big_run, lab.reserved = 0.0, 0.0
        lab.run_months += 1.0
        return
    free = max(lab.research - held, lab.big_run)  # Once it runs it keeps what it holds: projects make room.
    got = whole_units(clip(free, 0.0, wanted), lab.unit)
    if got >= least:
        lab.big_run, lab.reserved = got, 0.0
        lab.run_months += 1.0
    else:
        lab.big_run, lab.reserved = 0.0, got


@helper
def take_back(lab: Lab, side: Side) -> float:
    """Takes back what wind-down sets free, and whole units where a side exceeds its pool; returns what is held.

    Holdings are whole units of the lab's largest fabric; when its hardware changes they are stated anew, rounded down.
    """
    held = 0.0
    for k in range(side.n):
        project = side.projects[side.order[k]]
        project.held = whole_units(project.held, lab.unit)
        if project.state == Task.winding_down:
            kept = min(project.held, math.ceil(project.wanted / lab.unit - 1e-9) * lab.unit)
            lab.moved += project.held - kept
            project.held = kept
        held += project.held
    if held <= side.pool:
        return held
    part = side.pool / held
    total = 0.0
    for k in range(side.n):
        project = side.projects[side.order[k]]
        kept = whole_units(project.held * part, lab.unit)
        lab.moved += project.held - kept
        project.held = kept
        total += kept
    return total


@helper
def grant(lab: Lab, run: Run, side: Side) -> None:
    """Level 2: one side's pool among its programmes, by the rule of its heads."""
    for g in range(run.programmes_used):
        programme = run.programmes[g]
        mine = programme.applied == side.applied
        lab.weight_by[g] = programme.weight if mine else 0.0
        lab.value_by[g] = programme.value if mine else 0.0
        lab.asked_by[g], lab.held_by[g] = 0.0, 0.0
    for k in range(side.n):
        project = side.projects[side.order[k]]
        lab.asked_by[project.programme] += project.wanted
        lab.held_by[project.programme] += project.held
    heads = lab.applied_rule if side.applied else lab.research_rule
    share_out(lab, run, heads, side.pool, run.programmes_used)


@helper
def worth_moving(run: Run, project: Project) -> bool:
    """Whether the time a project has left repays the work lost when hardware changes hands, days.

    What a wind-down sets free is worth nothing to its giver, so the gain is the receiver's value for the time left and
    the cost is that value for the days lost: the receiver's slope cancels.
    """
    return project.left * DAYS_PER_MONTH > run.allocation.moving_cost


@helper
def may_still_get(lab: Lab, project: Project, stretch: float) -> float:
    """What a project wants beyond what it holds, within its programme's grant unless projects may stretch, H100e."""
    want = stretch * project.wanted - project.held
    if stretch <= 1.0:
        want = min(want, lab.granted[project.programme] - lab.held_by[project.programme])
    return max(want, 0.0)


@helper
def hand_out(lab: Lab, run: Run, side: Side, free: float, stretch: float) -> float:
    """Level 3: whole units to projects that want more, oldest first within the grant; returns the rest."""
    for k in range(side.n):
        if free < lab.unit:
            return free
        project = side.projects[side.order[k]]
        if project.state == Task.winding_down or not worth_moving(run, project):
            continue
        want = min(may_still_get(lab, project, stretch), free)
        if want < lab.unit:
            continue
        more = whole_units(want, lab.unit)
        project.held += more
        project.state = Task.running
        lab.held_by[project.programme] += more
        free -= more
    return free


@helper
def operate(lab: Lab, run: Run, side: Side) -> float:
    """Levels 2 and 3 for one side; returns what no project holds, H100e.

    What the grants leave over is used at once: projects stretch beyond what they asked for, up to a limit.
    """
    held = take_back(lab, side)
    grant(lab, run, side)
    free = hand_out(lab, run, side, side.pool - held, 1.0)
    return max(0.0, hand_out(lab, run, side, free, run.allocation.project_stretch))


@helper
def let_go(lab: Lab) -> None:
    """A lab with nothing to run: no project holds anything, and what it has is idle."""
    for p in range(PROJECTS):
        lab.projects[p].held = 0.0
    for g in range(PROGRAMMES):
        lab.products[g].held = 0.0
    lab.research, lab.applied, lab.big_run, lab.reserved, lab.idle = 0.0, 0.0, 0.0, 0.0, lab.running
    lab.researching, lab.serving, lab.shadow = 0.0, 0.0, 0.0


@rule
def allocate(lab: Lab, run: Run) -> None:
    """A month of the allocator: pitches, review, split, big run, programmes, moves."""
    lab.moved = 0.0
    firm = run.firms[lab.firm]
    if firm.defaulted or run.month < firm.founded or lab.running < max(lab.unit, 1.0):
        let_go(lab)
        return
    decide_share(lab, run)
    split(lab, run)
    held = age_projects(lab, run)
    pitch(lab, run)
    standing = stand_products(lab, run, lab.applied)
    hold_big_run(lab, run, held)
    rest = max(0.0, lab.research - lab.big_run - lab.reserved)
    research = Side(False, rest, lab.projects, lab.queue, lab.queued)
    applied = Side(True, lab.applied, lab.products, lab.standing, standing)
    idle_research, idle_applied = operate(lab, run, research), operate(lab, run, applied)
    lab.researching, lab.serving = rest - idle_research, lab.applied - idle_applied
    lab.idle = idle_research + idle_applied
