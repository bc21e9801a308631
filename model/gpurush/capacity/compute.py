"""From running GPUs to useful arithmetic.

``effective FLOP/s = usable GPUs x dense 16-bit peak x MFU(job size) x network speed x goodput``

MFU, model FLOP utilisation, is always relative to the dense *16-bit* peak. The 8-bit peak serves to count
H100e and nothing else.
"""

import math

from ..engine import helper

MFU_AT = 16384.0
"""Job size of the reference point, GPUs: Llama 3 405B."""
MFU_THERE = 0.41
"""MFU of the reference point."""
MFU_FROM = 8192.0
"""Smallest job that the scaling speaks of, GPUs; below it MFU is held at the value here, 43%."""
MFU_SLOPE = -0.0687
"""Exponent of MFU in job size, from Llama's two points; weak evidence beyond them."""
NODE_GPUS = 8.0
"""Failure rates are per node of eight GPUs, whatever the rack."""


@helper
def mfu(gpus: float) -> float:
    """Model FLOP utilisation of a training job: proportional to ``N^-0.0687`` above 8,192 GPUs.

    Llama 3: 43% at 8,192, 41% at 16,384; extrapolated 36.2% at 100,000. MegaScale's 55.2% at 12,288 shows
    that software matters more than size.
    """
    size = max(gpus, MFU_FROM)
    return MFU_THERE * math.exp(MFU_SLOPE * math.log(size / MFU_AT))


@helper
def usable(running: float, availability: float) -> float:
    """GPUs that are up on average, where no spare pool stands in for the nodes down: ``E A``."""
    return running * availability


@helper
def usable_with_spares(running: float, spare_gpus: float) -> float:
    """GPUs that jobs may hold where a spare pool stands in for the nodes down: ``E - spares``."""
    return max(0.0, running - spare_gpus)


@helper
def effective_flops(usable_gpus: float, peak: float, utilisation: float, good: float) -> float:
    """Useful FLOP/s.

    Args:
        usable_gpus: GPUs up and in use.
        peak: dense 16-bit peak of one, FLOP/s.
        utilisation: MFU times the speed that the network leaves.
        good: goodput, the share of the time that is useful work.
    """
    return usable_gpus * peak * utilisation * good
