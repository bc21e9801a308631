"""What the back-end fabric of a site takes and allows, for people."""

import dataclasses
import math
from typing import Any

from ..catalog.fabrics import fabric as find_fabric
from .fabric import MOST_TIERS, fabric_limit, job_speed, largest_job, switches_in_tier, tiers_needed
from .inputs import number


@dataclasses.dataclass(frozen=True, slots=True)
class NetworkReport:
    """The back-end fabric of a site.

    Attributes:
        fabric: its name.
        radix: ports of a switch.
        tiers: tiers of switches.
        rails: separate fabrics, one per GPU index; 1 for a single one.
        ports: end points to connect, over all rails.
        limit: end points that the fabric connects, over all rails.
        one_fabric: whether that is enough.
        fabrics: fabrics of this kind that the end points need.
        tiers_needed: least tiers of this switch that would hold all; 0 if none would.
        switches: switches by tier, leaves first, over all rails; empty where one fabric is not enough.
        largest_job: GPUs that one job can span.
        delivered_share: share of the line rate that a large job gets.
        job_speed: speed of a job against one at full line rate.
    """

    fabric: str
    radix: int
    tiers: int
    rails: int
    ports: float
    limit: float
    one_fabric: bool
    fabrics: int
    tiers_needed: int
    switches: tuple[float, ...]
    largest_job: float
    delivered_share: float
    job_speed: float

    def to_dict(self) -> dict[str, Any]:
        """The report as plain numbers and words."""
        return {**dataclasses.asdict(self), "switches": list(self.switches)}

    def rows(self) -> list[tuple[str, str]]:
        """Label and text of each line of the report."""
        head = f"{self.fabric}, {self.tiers} tiers of {self.radix} ports"
        if self.rails > 1:
            head += f", {self.rails} rails"
        if self.one_fabric:
            counts = " + ".join(f"{each:,.0f}" for each in self.switches)
            fit = f"one fabric holds all {self.ports:,.0f} ports (of {self.limit:,.0f}); switches {counts}"
        else:
            fit = f"holds {self.limit:,.0f} of {self.ports:,.0f} ports: {self.fabrics} fabrics"
            if self.tiers_needed:
                fit += f", or {self.tiers_needed} tiers"
        job = f"{self.largest_job:,.0f} GPUs at {self.job_speed:.1%} of full-rate speed"
        return [("fabric", head), ("", fit), ("largest job", job)]


def network_of(name: str, ports: float, gpus: float, tiers: int | None, rails: int) -> NetworkReport:
    """The fabric that connects a site.

    Args:
        name: the fabric, as in the catalogue.
        ports: end points to connect.
        gpus: GPUs that run.
        tiers: tiers of switches; the catalogue's if None.
        rails: separate fabrics, one per GPU index.

    Raises:
        ValueError: for an unknown fabric, or tiers or rails that cannot be.
    """
    spec = find_fabric(name)
    number("rails", rails, 1.0, 16.0, "rails", whole=True)
    depth = spec.tiers if tiers is None else int(number("tiers", tiers, 1.0, MOST_TIERS, "tiers", whole=True))
    each = math.ceil(ports / rails) * 1.0
    radix = float(spec.radix)
    limit = fabric_limit(radix, depth)
    fits = each <= limit
    switches: tuple[float, ...] = ()
    if fits:
        switches = tuple(rails * switches_in_tier(each, radix, depth, tier + 1) for tier in range(depth))
    per_gpu = ports / gpus if gpus else 1.0
    return NetworkReport(
        fabric=spec.name,
        radix=spec.radix,
        tiers=depth,
        rails=int(rails),
        ports=ports,
        limit=rails * limit,
        one_fabric=fits,
        fabrics=max(1, math.ceil(each / limit)),
        tiers_needed=tiers_needed(each, radix),
        switches=switches,
        largest_job=largest_job(ports, radix, depth, float(rails)) / per_gpu,
        delivered_share=spec.delivered_share,
        job_speed=job_speed(spec.delivered_share),
    )
