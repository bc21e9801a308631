"""Failures: how often a job stops, how often it saves its state, what share of its time is useful.

Symbols: M mean time to failure of the job, delta time to write a checkpoint, R time to restart, tau work
between two checkpoints; all in the same unit of time. r is failures per node-day.

Sources: Young 1974 (first-order interval), Daly 2006 (correction by delta), Saxena et al. 2024 (the interval
that is best for availability), Kokolis et al. 2025 (HPCA; the effective training time ratio of Meta), Llama
team 2024 (the rate). Inverse scaling of M with size holds for large jobs only: at 1,024 GPUs the rate
predicts 28.8 hours where Meta measured 7.9.
"""

import math

from ..engine import helper
from .limits import TOLERANCE

HOURS_PER_DAY = 24.0
SECONDS_PER_HOUR = 3600.0
LLAMA_RATE = 419.0 / (54.0 * 2048.0)
"""Failures per node-day of the Llama 3 405B run: 419 unexpected stops, 54 days, 2,048 nodes; 0.00379."""
CHECKPOINT_SECONDS = 20.0
"""Time to write a checkpoint, s (assumption; 5 to 60)."""
RESTART_SECONDS = 300.0
"""Time to detect a failure and restart, s (assumption; 60 to 900)."""
REPAIR_DAYS = 1.0
"""Days until a failed node is back (assumption)."""
RESCALE = 1.0e200
"""Where a running sum is scaled down, lest it overflow."""


@helper
def mean_time_to_failure(nodes: float, rate: float) -> float:
    """Mean time between stops of a job, hours: ``24 / (nodes r)``; infinite without nodes or failures."""
    if nodes * rate <= 0.0:
        return math.inf
    return HOURS_PER_DAY / (nodes * rate)


@helper
def young_interval(mttf: float, write: float) -> float:
    """Work between checkpoints (Young 1974): ``sqrt(2 delta M)``, in the unit of the arguments."""
    return math.sqrt(2.0 * write * mttf)


@helper
def daly_interval(mttf: float, write: float) -> float:
    """Work between checkpoints (Daly 2006, first order): ``sqrt(2 delta M) - delta``, never negative."""
    return max(0.0, math.sqrt(2.0 * write * mttf) - write)


@helper
def availability_interval(mttf: float, write: float, restart: float) -> float:
    """Work between checkpoints, best for availability (Saxena 2024): ``sqrt(2 (M + R) delta + delta^2)``.

    The cycle is this plus delta, the write itself.
    """
    return math.sqrt(2.0 * (mttf + restart) * write + write * write)


@helper
def goodput(mttf: float, write: float, restart: float, interval: float) -> float:
    """Share of the time that is useful work, first order: ``1 - delta/tau - tau/(2M) - R/M``, not below 0.

    Args:
        mttf: mean time to failure, M; infinity for a job that never fails.
        write: time to write a checkpoint, delta.
        restart: time to restart, R.
        interval: work between checkpoints, tau; 0 stands for none, and gives 0.
    """
    if interval <= 0.0:
        return 0.0
    if mttf == math.inf:
        return max(0.0, 1.0 - write / interval)
    return max(0.0, 1.0 - write / interval - interval / (2.0 * mttf) - restart / mttf)


@helper
def effective_time_ratio(mttf: float, write: float, restart: float, interval: float) -> float:
    """Meta's effective training time ratio: ``(1 - (R + tau/2)/M) / (1 + delta/tau)``, not below 0.

    Arguments as in ``goodput``; 1/M is Meta's N r.
    """
    if interval <= 0.0:
        return 0.0
    return max(0.0, (1.0 - (restart + interval / 2.0) / mttf) / (1.0 + write / interval))


@helper
def best_goodput(nodes: float, rate: float, write_seconds: float, restart_seconds: float) -> float:
    """First-order goodput of a job that writes checkpoints at Young's interval; 1 for no job or no failures.

    Args:
        nodes: nodes of the job.
        rate: failures per node-day.
        write_seconds: time to write a checkpoint, s.
        restart_seconds: time to restart, s.
    """
    mttf = mean_time_to_failure(nodes, rate) * SECONDS_PER_HOUR
    if mttf == math.inf:
        return 1.0
    if write_seconds <= 0.0:
        return max(0.0, 1.0 - restart_seconds / mttf)
    return goodput(mttf, write_seconds, restart_seconds, young_interval(mttf, write_seconds))


@helper
def nodes_down(nodes: float, rate: float, repair_days: float) -> float:
    """Nodes under repair on average: failures per day times repair days (Little 1961), at most all."""
    return min(nodes, nodes * rate * repair_days)


@helper
def spare_nodes(mean_down: float, confidence: float) -> float:
    """Spare nodes that suffice with probability ``confidence``: the Poisson quantile.

    Args:
        mean_down: nodes down on average.
        confidence: probability, above 0 and below 1.
    """
    term, total, scale, count = 1.0, 1.0, -mean_down, 0.0
    target = math.log(confidence)
    while math.log(total) + scale < target and count < 20.0 * mean_down + 1000.0:
        count += 1.0
        term *= mean_down / count
        total += term
        if total > RESCALE:
            term /= RESCALE
            total /= RESCALE
            scale += math.log(RESCALE)
    return count


@helper
def at_least_up(trays: int, needed: int, up: float) -> float:
    """Probability that at least ``needed`` of ``trays`` are up, each with probability ``up``, independently.

    An NVL72 rack has 18 trays; 16 of them, 64 GPUs, are what a scheduler can count on.
    """
    if up <= 0.0:
        if needed <= 0:
            return 1.0
        return 0.0
    chance = 1.0
    for _ in range(trays):
        chance *= up
    total = 0.0
    for k in range(trays, needed - 1, -1):
        total += chance
        chance *= k / (trays - k + 1.0) * (1.0 - up) / up
    return min(1.0, total)


@helper
def schedulable(trays: float, held_back: float, gpus_per_tray: float) -> float:
    """GPUs of one rack that a scheduler counts on when ``held_back`` trays wait for failures."""
    return max(0.0, trays - held_back) * gpus_per_tray


@helper
def whole_nodes(gpus: float, per_node: float) -> float:
    """Nodes that hold ``gpus``, the last one perhaps partly filled."""
    return math.ceil(gpus / per_node * (1.0 - TOLERANCE)) * 1.0
