"""The divisible optimum of a site with several limits: a small exact linear programme.

    maximise  sum_j value[j] x[j]   subject to   use x <= limit,   0 <= x <= most

``use`` and ``limit`` are not negative, so x = 0 is feasible and no first phase is needed. The method is the
primal simplex on a dense tableau with bounded variables (Dantzig 1963, ch. 18) and the pivot rule of Bland
(1977), which cannot cycle. With at most 12 chip types and 6 limits it takes a few pivots. Rows are scaled by
the load of running all, columns by the number delivered, so that every coefficient lies between 0 and 1 and
one tolerance fits all.

``tests/oracles/test_capacity_simplex.py`` holds it against ``scipy.optimize.linprog``.
"""

import math

import numpy as np

from ..engine import helper
from .limits import Matrix, Vector, within

SMALL = 1.0e-12
"""A scaled reduced cost or pivot below this counts as zero."""
TIED = 1.0e-9
"""Two scaled levels closer than this count as equal: the optimum is then degenerate."""
MOST_PIVOTS = 10_000
"""A stop that Bland's rule never needs; it guards against a fault in arithmetic."""


@helper
def load_of(use: Vector, running: Vector) -> float:
    """What GPUs take of one limit, in the limit's unit; both arrays (chips,)."""
    load = 0.0
    for j in range(len(running)):
        load += use[j] * running[j]
    return load


@helper
def entering(cost: Vector, at_most: Vector, columns: int) -> int:
    """The first column whose move improves the value (Bland), or -1 at the optimum.

    Args:
        cost: (columns,), reduced costs.
        at_most: (columns,), 1 where a non-basic variable sits at its upper bound.
        columns: how many columns.
    """
    for j in range(columns):
        if (at_most[j] == 0.0 and cost[j] > SMALL) or (at_most[j] > 0.0 and cost[j] < -SMALL):
            return j
    return -1


@helper
def leaving(
    tableau: Matrix, level: Vector, basic: Vector, rows: int, chips: int, column: int, way: float
) -> tuple[int, float]:
    """The row whose variable meets a bound first when ``column`` moves, and how far it moves.

    Args:
        tableau: (rows + 1, columns).
        level: (rows,), values of the basic variables.
        basic: (rows,), their columns.
        rows: how many rows.
        chips: how many columns have the upper bound 1; slack variables have none.
        column: the moving column.
        way: 1 when it rises, -1 when it falls.

    Returns:
        the row, or -1 when the moving variable meets its own other bound first; the step.
    """
    row, first, step = -1, float(column), math.inf
    if column < chips:
        step = 1.0
    for i in range(rows):
        slope = tableau[i, column] * way
        if slope > SMALL:
            room = max(level[i], 0.0) / slope
        elif slope < -SMALL and basic[i] < chips:
            room = max(1.0 - level[i], 0.0) / -slope
        else:
            continue
        if room < step or (room == step and basic[i] < first):
            row, first, step = i, basic[i], room
    return row, step


@helper
def pivot(tableau: Matrix, rows: int, columns: int, row: int, column: int) -> None:
    """Makes ``column`` basic in ``row``; the last row of the tableau holds the reduced costs."""
    scale = 1.0 / tableau[row, column]
    for j in range(columns):
        tableau[row, j] *= scale
    tableau[row, column] = 1.0
    for i in range(rows + 1):
        factor = tableau[i, column]
        if i != row and factor != 0.0:
            for j in range(columns):
                tableau[i, j] -= factor * tableau[row, j]
            tableau[i, column] = 0.0


@helper
def optimise(tableau: Matrix, level: Vector, basic: Vector, at_most: Vector, rows: int, chips: int) -> None:
    """Moves from x = 0 to the optimum, pivot by pivot; all arrays are changed in place."""
    columns = chips + rows
    for _ in range(MOST_PIVOTS):
        column = entering(tableau[rows], at_most, columns)
        if column < 0:
            return
        way = 1.0
        if at_most[column] > 0.0:
            way = -1.0
        row, step = leaving(tableau, level, basic, rows, chips, column, way)
        for i in range(rows):
            level[i] -= step * way * tableau[i, column]
        if row < 0:
            at_most[column] = 1.0 - at_most[column]
            continue
        out = int(basic[row])
        falls = tableau[row, column] * way > 0.0
        at_most[out] = 0.0
        if not falls:
            at_most[out] = 1.0
        entered = step
        if way < 0.0:
            entered = 1.0 - step
        level[row] = entered
        basic[row] = float(column)
        at_most[column] = 0.0
        pivot(tableau, rows, columns, row, column)


@helper
def divisible_optimum(
    value: Vector, use: Matrix, limit: Vector, most: Vector, x: Vector, dual: Vector
) -> tuple[float, bool]:
    """The best use of a site if chips could be cut.

    Args:
        value: (chips,), what one GPU is worth, e.g. in H100e; a type with a negative value stays off.
        use: (limits, chips), what one GPU takes of each limit, not negative.
        limit: (limits,), what the site has of each, not negative.
        most: (chips,), GPUs on site.
        x: (chips,), written: GPUs that run, in parts.
        dual: (limits,), written: value gained by one more of each limit; 0 for a limit that does not bind.

    Returns:
        the value, and whether the optimum is degenerate: then the duals are one choice among several.
    """
    chips, limits = len(value), len(limit)
    loads, scarce = np.zeros(limits), np.zeros(limits)
    rows = 0
    for i in range(limits):
        dual[i] = 0.0
        loads[i] = load_of(use[i], most)
        if not within(loads[i], limit[i]):
            scarce[rows] = float(i)
            rows += 1
    top = 0.0
    for j in range(chips):
        top = max(top, value[j] * most[j])
    if top <= 0.0:
        top = 1.0
    tableau, level, basic = np.zeros((rows + 1, chips + rows)), np.zeros(rows), np.zeros(rows)
    at_most = np.zeros(chips + rows)
    for j in range(chips):
        tableau[rows, j] = value[j] * most[j] / top
    for r in range(rows):
        i = int(scarce[r])
        for j in range(chips):
            tableau[r, j] = use[i, j] * most[j] / loads[i]
        tableau[r, chips + r] = 1.0
        level[r] = limit[i] / loads[i]
        basic[r] = float(chips + r)
    optimise(tableau, level, basic, at_most, rows, chips)
    for r in range(rows):
        i = int(scarce[r])
        dual[i] = max(0.0, -tableau[rows, chips + r]) * top / loads[i]
    return read_solution(value, most, at_most, basic, level, x)


@helper
def read_solution(
    value: Vector, most: Vector, at_most: Vector, basic: Vector, level: Vector, x: Vector
) -> tuple[float, bool]:
    """Writes the solution in GPUs; returns its value and whether a basic variable sits at a bound."""
    degenerate = False
    for j in range(len(most)):
        x[j] = most[j] * at_most[j]
    for r in range(len(basic)):
        j = int(basic[r])
        if level[r] < TIED or (j < len(most) and level[r] > 1.0 - TIED):
            degenerate = True
        if j < len(most):
            x[j] = most[j] * min(max(level[r], 0.0), 1.0)
    best = 0.0
    for j in range(len(most)):
        best += value[j] * x[j]
    return best, degenerate
