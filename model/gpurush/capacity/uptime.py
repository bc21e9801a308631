"""Failures, goodput and effective FLOP/s of a site, for people."""

import dataclasses

from ..catalog.chips import ChipSpec
from .compute import NODE_GPUS, effective_flops, mfu, usable, usable_with_spares
from .failures import (
    CHECKPOINT_SECONDS,
    LLAMA_RATE,
    REPAIR_DAYS,
    RESTART_SECONDS,
    SECONDS_PER_HOUR,
    best_goodput,
    mean_time_to_failure,
    nodes_down,
    spare_nodes,
    young_interval,
)
from .inputs import number
from .network import NetworkReport

CONFIDENCE = 0.99
"""Share of days on which the spare pool suffices."""


@dataclasses.dataclass(frozen=True, slots=True)
class Operation:
    """How a site fails and is kept running; the defaults are Llama 3's rate and this project's assumptions.

    Attributes:
        failure_rate: failures per node-day, nodes of eight GPUs.
        checkpoint_seconds: time to write a checkpoint, s.
        restart_seconds: time to detect a failure and restart, s.
        repair_days: days until a failed node is back.
        spares: whether a spare pool that suffices on 99% of days stands in for the nodes down.

    Raises:
        ValueError: for a rate or a time that cannot be.
    """

    failure_rate: float = LLAMA_RATE
    checkpoint_seconds: float = CHECKPOINT_SECONDS
    restart_seconds: float = RESTART_SECONDS
    repair_days: float = REPAIR_DAYS
    spares: bool = False

    def __post_init__(self) -> None:
        number("failure_rate", self.failure_rate, 0.0, 1.0, "failures per node-day")
        number("checkpoint_seconds", self.checkpoint_seconds, 0.0, 1e5, "seconds")
        number("restart_seconds", self.restart_seconds, 0.0, 1e5, "seconds")
        number("repair_days", self.repair_days, 0.0, 365.0, "days")


USUAL = Operation()
"""The default operation."""


@dataclasses.dataclass(frozen=True, slots=True)
class UptimeReport:
    """What the running GPUs compute, once failures are counted.

    Attributes:
        job_gpus: GPUs of the largest job: all that run, or what one fabric connects.
        mttf_hours: mean time between its stops, hours.
        checkpoint_every_seconds: work between its checkpoints, s (Young).
        goodput: share of the time that it does useful work.
        nodes_down: eight-GPU nodes of the site under repair on average.
        spare_nodes: spare nodes that suffice on 99% of days; 0 where no pool was asked for.
        usable_gpus: GPUs up on average, or those outside the spare pool.
        mfu: model FLOP utilisation at this job size, on the 16-bit peak.
        network_speed: speed that the network leaves; 1 where no fabric was named.
        effective_flops: useful FLOP/s of the site.
    """

    job_gpus: float
    mttf_hours: float | None
    checkpoint_every_seconds: float | None
    goodput: float
    nodes_down: float
    spare_nodes: float
    usable_gpus: float
    mfu: float
    network_speed: float
    effective_flops: float

    def rows(self) -> list[tuple[str, str]]:
        """Label and text of each line of the report."""
        stops = "never stops"
        if self.mttf_hours is not None:
            stops = f"a stop every {self.mttf_hours:,.2f} h on {self.job_gpus:,.0f} GPUs"
        return [
            ("goodput", f"{self.goodput:.1%}; {stops}"),
            ("usable", f"{self.usable_gpus:,.0f} GPUs; MFU {self.mfu:.1%} of the 16-bit peak"),
            ("effective", f"{self.effective_flops:.3g} FLOP/s"),
        ]


def uptime_of(
    spec: ChipSpec, running: float, network: NetworkReport | None, operation: Operation
) -> UptimeReport:
    """Failures, goodput and effective FLOP/s of GPUs that run.

    Args:
        spec: the chip.
        running: GPUs that run.
        network: their fabric, or None: then one job may span them all at full speed.
        operation: failure rate and times.
    """
    job = running if network is None else min(running, network.largest_job)
    speed = 1.0 if network is None else network.job_speed
    nodes = running / NODE_GPUS
    down = nodes_down(nodes, float(operation.failure_rate), float(operation.repair_days))
    pool = spare_nodes(down, CONFIDENCE) if operation.spares else 0.0
    up = usable(running, 1.0 - down / nodes) if nodes else 0.0
    if operation.spares:
        up = usable_with_spares(running, pool * NODE_GPUS)
    write = float(operation.checkpoint_seconds)
    rate = float(operation.failure_rate)
    good = best_goodput(job / NODE_GPUS, rate, write, float(operation.restart_seconds))
    mttf = mean_time_to_failure(job / NODE_GPUS, rate)
    stops = job * rate > 0.0
    return UptimeReport(
        job_gpus=job,
        mttf_hours=mttf if stops else None,
        checkpoint_every_seconds=young_interval(mttf * SECONDS_PER_HOUR, write) if stops else None,
        goodput=good,
        nodes_down=down,
        spare_nodes=pool,
        usable_gpus=up,
        mfu=mfu(job),
        network_speed=speed,
        effective_flops=effective_flops(up, spec.flops_16bit, mfu(job) * speed, good),
    )
