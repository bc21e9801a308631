"""The network: how many GPUs one fabric holds, the switches it takes, and what its speed does to a job.

A non-blocking folded Clos network ("fat tree") of switches with k ports in L tiers connects ``2 (k/2)^L`` end
points (Clos 1953, Leiserson 1985, Al-Fares et al. 2008). The switch counts agree with NVIDIA's SuperPOD
reference architecture, all six rows (``tests/oracles/test_capacity_published.py``).

A rail is a fabric of its own for the i-th GPU of every node: 8 rails carry eight times as many GPUs, for
traffic that stays in its rail.
"""

import math

from ..engine import helper
from .limits import TOLERANCE

MOST_TIERS = 6
"""Nobody builds deeper fat trees; six tiers of 64 ports already carry two thousand million GPUs."""
EXPOSED = 0.2
"""Share of a training step spent waiting for the network at full rate (assumption; 0.1 to 0.3)."""


@helper
def fabric_limit(radix: float, tiers: int, oversubscription: float = 1.0) -> float:
    """End points of one fabric: ``2 (k/2)^L``, times ``2 o / (1 + o)`` with oversubscribed leaves.

    Args:
        radix: ports of a switch, k.
        tiers: tiers of switches, L, at least 1.
        oversubscription: ports down over ports up at the leaves, o; 1 is non-blocking. One tier has no ports
            up.

    Returns:
        GPU ports.
    """
    ports = radix
    for _ in range(tiers - 1):
        ports *= radix / 2.0
    if tiers > 1:
        ports *= 2.0 * oversubscription / (1.0 + oversubscription)
    return math.floor(ports * (1.0 + TOLERANCE)) * 1.0


@helper
def leaf_ports_down(radix: float, oversubscription: float) -> float:
    """Ports of a leaf switch that face the GPUs: ``k o / (1 + o)``; its bisection bandwidth is 1/o."""
    return math.floor(radix * oversubscription / (1.0 + oversubscription) * (1.0 + TOLERANCE)) * 1.0


@helper
def tiers_needed(ports: float, radix: float) -> int:
    """The least number of tiers whose fabric holds ``ports``; 0 if even the deepest does not."""
    for tiers in range(1, MOST_TIERS + 1):
        if fabric_limit(radix, tiers) >= ports:
            return tiers
    return 0


@helper
def switches_in_tier(ports: float, radix: float, tiers: int, tier: int) -> float:
    """Switches in one tier of a non-blocking fabric: ``N/k`` at the top, ``2N/k`` below, rounded up.

    Args:
        ports: end points to connect, N.
        radix: ports of a switch, k.
        tiers: tiers of the fabric, L.
        tier: which tier, 1 for the leaves to L for the top.

    Returns:
        switches; 0 if the fabric has no such tier. Whether N end points fit at all, ``fabric_limit`` says.
    """
    if tier < 1 or tier > tiers:
        return 0.0
    share = 2.0
    if tier == tiers:
        share = 1.0
    return math.ceil(share * ports / radix * (1.0 - TOLERANCE)) * 1.0


@helper
def largest_job(gpus: float, radix: float, tiers: int, rails: float, oversubscription: float = 1.0) -> float:
    """GPUs that one job can span: those there are, or those that one fabric (with its rails) connects.

    Args:
        gpus: GPUs that run.
        radix: ports of a switch.
        tiers: tiers of switches.
        rails: separate fabrics, one per GPU index of a node; 1 for a single fabric.
        oversubscription: ports down over ports up at the leaves.
    """
    return min(gpus, rails * fabric_limit(radix, tiers, oversubscription))


@helper
def job_speed(delivered_share: float, exposed: float = EXPOSED) -> float:
    """Speed of a job against one at full line rate: ``1 / (1 + phi (1/b - 1))``, Amdahl's form (assumption).

    Args:
        delivered_share: share of the line rate that the job gets, b, above 0.
        exposed: share of the step that waits for the network at full rate, phi.
    """
    return 1.0 / (1.0 + exposed * (1.0 / delivered_share - 1.0))
