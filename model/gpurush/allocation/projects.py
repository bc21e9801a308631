"""Projects of a lab: pitched, waiting, running, winding down, closed. What they want and what they hold, H100e.

Research projects stand in a queue, oldest first; products stand beside it. Good ideas keep arriving, more than can
be served. A project that nears its end needs less and less; its hardware is what operations give to those that wait.
"""

import math

from ..engine import helper
from ..luck import What, poisson, uniform
from ..state import PROJECTS, Lab, Project, Run, Task

PITCHES = 8
"""Most projects that enter a lab in a month; each has its own address of luck."""
STANDS = 12.0
"""Months that a product always has before it: long enough for any move of hardware to repay itself."""


@helper
def empty_slot(lab: Lab) -> int:
    """A free slot, -1 if there is none; a lab then hears no further pitch."""
    for p in range(PROJECTS):
        if lab.projects[p].state == Task.empty:
            return p
    return -1


@helper
def enter(lab: Lab, p: int, programme: int) -> Project:
    """Puts a research project into an empty slot, behind all that came before it."""
    project = lab.projects[p]
    project.state, project.programme = Task.waiting, programme
    project.age, project.held = 0.0, 0.0
    lab.queue[lab.queued] = p
    lab.queued += 1
    return project


@helper
def pick_programme(run: Run, at: float) -> int:
    """The research programme of a pitch, by weight; ``at`` is uniform on (0, 1). -1 if a scenario has none."""
    total = 0.0
    for g in range(run.programmes_used):
        if not run.programmes[g].applied:
            total += run.programmes[g].weight
    left = at * total
    found = -1
    for g in range(run.programmes_used):
        if not run.programmes[g].applied:
            found = g
            left -= run.programmes[g].weight
            if left < 0.0:
                break
    return found


@helper
def pitch(lab: Lab, run: Run) -> None:
    """New projects of the month: number, programme, size and length by luck."""
    terms = run.allocation
    who = run.firms[lab.firm].who
    n = int(poisson(terms.project_arrivals, run.seed, run.number, who, What.projects, run.month))
    if run.month <= run.firms[lab.firm].founded:
        n = int(terms.opening_projects)
    for k in range(min(n, PITCHES)):
        p = empty_slot(lab)
        if p < 0:
            return
        at = run.month * PITCHES + k  # Month and rank make the address.
        programme = pick_programme(run, uniform(run.seed, run.number, who, What.projects, at, 1))
        if programme < 0:
            return
        project = enter(lab, p, programme)
        size = -math.log(uniform(run.seed, run.number, who, What.project_size, at))
        length = -math.log(uniform(run.seed, run.number, who, What.project_time, at))
        project.wanted = max(lab.unit, terms.project_size * lab.research * min(size, terms.project_longest))
        project.left = 1.0 + terms.project_months * min(length, terms.project_longest)


@helper
def age_projects(lab: Lab, run: Run) -> float:
    """A month passes: running projects near their end, those past it wind down and want less, the finished close.

    Returns what research projects hold, H100e.
    """
    winddown = max(run.allocation.winddown_months, 1.0)
    kept = 0
    held = 0.0
    for k in range(lab.queued):
        project = lab.projects[lab.queue[k]]
        project.age += 1.0
        if project.state == Task.running:
            project.left -= 1.0
            if project.left <= 0.0:
                project.state, project.left = Task.winding_down, winddown
        elif project.state == Task.winding_down:
            project.left -= 1.0
            project.wanted = project.held * max(0.0, project.left) / (project.left + 1.0)
            if project.left <= 0.0:
                project.state, project.held, project.wanted = Task.empty, 0.0, 0.0
                continue
        held += project.held
        lab.queue[kept] = lab.queue[k]
        kept += 1
    lab.queued = kept
    return held


@helper
def stand_products(lab: Lab, run: Run, need: float) -> int:
    """Products are standing projects of the applied side: one a programme, wanting its part of the need.

    Returns how many there are; ``lab.standing`` holds their slots, each the number of its programme.
    """
    total = 0.0
    n = 0
    for g in range(run.programmes_used):
        if run.programmes[g].applied:
            total += run.programmes[g].weight
            lab.standing[n] = g
            n += 1
    for k in range(n):
        g = lab.standing[k]
        product = lab.products[g]
        product.state, product.programme, product.left = Task.running, g, STANDS
        product.wanted = need * run.programmes[g].weight / max(total, 1e-9)
    return n
