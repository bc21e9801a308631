"""The catalogue as arrays in the order of ``Chip``: what the compiled rules take.

Each function gives a fresh array of float64, (chips,), so a caller may change it, e.g. put in the all-in
power that a scenario states for a site.
"""

import numpy as np

from ..catalog.chips import chip_specs
from .limits import Vector


def h100e() -> Vector:
    """H100 equivalents per chip."""
    return np.array([each.h100e for each in chip_specs()])


def it_kw() -> Vector:
    """All-in IT kW per GPU."""
    return np.array([each.it_kw for each in chip_specs()])


def liquid_share() -> Vector:
    """Share of the heat that liquid takes away."""
    return np.array([each.liquid_share for each in chip_specs()])


def per_unit() -> Vector:
    """GPUs in one node or rack, the unit that is bought and switched on."""
    return np.array([float(each.gpus_per_unit) for each in chip_specs()])


def per_rack() -> Vector:
    """GPUs per rack position."""
    return np.array([float(each.gpus_per_rack) for each in chip_specs()])


def per_node() -> Vector:
    """GPUs that share one front-end port."""
    return np.array([float(each.gpus_per_node) for each in chip_specs()])


def nics() -> Vector:
    """Back-end ports per GPU."""
    return np.array([float(each.nics_per_gpu) for each in chip_specs()])


def flops_16bit() -> Vector:
    """Dense 16-bit peak per chip, FLOP/s."""
    return np.array([each.flops_16bit for each in chip_specs()])


def price_usd() -> Vector:
    """Price to large buyers, USD per GPU."""
    return np.array([each.price_usd for each in chip_specs()])


def chips_per_wafer() -> Vector:
    """Good chips per packaging wafer, times the product's share of the wafers."""
    return np.array([each.chips_per_wafer for each in chip_specs()])
