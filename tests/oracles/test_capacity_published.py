"""The capacity core against numbers that others published."""

import pytest

from gpurush.capacity import failures
from gpurush.capacity.fabric import (
    fabric_limit,
    job_speed,
    leaf_ports_down,
    switches_in_tier,
    tiers_needed,
)


@pytest.mark.parametrize(
    ("gpus", "tiers", "switches"),
    [
        (512, 2, (16, 8)),
        (1_024, 2, (32, 16)),
        (2_048, 2, (64, 32)),
        (4_096, 3, (128, 128, 64)),
        (8_192, 3, (256, 256, 128)),
        (16_384, 3, (512, 512, 256)),
    ],
)
def test_nvidias_superpod_b200_table(gpus, tiers, switches):
    """NVIDIA, DGX SuperPOD B200 reference architecture: leaf, spine and core switches of 64 ports."""
    assert tiers_needed(float(gpus), 64.0) == tiers
    assert tuple(switches_in_tier(float(gpus), 64.0, tiers, tier + 1) for tier in range(tiers)) == switches


@pytest.mark.parametrize(
    ("radix", "limits"),
    [
        (64, (64, 2_048, 65_536)),
        (128, (128, 8_192, 524_288)),
        (144, (144, 10_368, 746_496)),
        (512, (512, 131_072, 33_554_432)),
    ],
)
def test_fat_tree_limits(radix, limits):
    """2 (k/2)^L; 131,072 is also the two-tier limit in the paper of OpenAI and Microsoft."""
    assert tuple(fabric_limit(float(radix), tiers) for tiers in (1, 2, 3)) == limits


@pytest.mark.parametrize(("over", "down", "limit"), [(1.0, 32, 2_048), (3.0, 48, 3_072), (7.0, 56, 3_584)])
def test_oversubscribed_leaves(over, down, limit):
    assert leaf_ports_down(64.0, over) == down
    assert fabric_limit(64.0, 2, over) == limit == 64 * down


@pytest.mark.parametrize(
    ("share", "exposed", "speed"), [(0.95, 0.2, 0.9896), (0.60, 0.2, 0.8824), (1.0, 0.3, 1.0)]
)
def test_job_speed(share, exposed, speed):
    assert job_speed(share, exposed) == pytest.approx(speed, abs=5e-5)


@pytest.mark.parametrize(("exposed", "gain"), [(0.1, 0.06), (0.2, 0.12), (0.3, 0.18)])
def test_a_faster_network_gains_less_than_its_bandwidth(exposed, gain):
    ratio = job_speed(0.95, exposed) / job_speed(0.60, exposed) - 1
    assert ratio == pytest.approx(gain, abs=0.005)
    assert ratio < 0.95 / 0.60 - 1


@pytest.mark.parametrize(("gpus", "hours"), [(16_384, 1.8), (131_072, 0.23)])
def test_metas_two_times_to_failure(gpus, hours):
    """Kokolis et al., HPCA 2025: 6.50 failures per 1,000 node-days; 1.8 h and 0.23 h projected."""
    assert failures.mean_time_to_failure(gpus / 8.0, 6.50e-3) == pytest.approx(hours, rel=0.025)


def test_the_known_misfit_for_small_jobs():
    """The same paper measured 7.9 h at 1,024 GPUs: inverse scaling is for large jobs only."""
    assert failures.mean_time_to_failure(128.0, 6.50e-3) == pytest.approx(28.8, abs=0.05)


def test_llama_trained_more_than_nine_tenths_of_the_time():
    """Llama team 2024: over 90% effective training time on 16,384 GPUs."""
    assert failures.best_goodput(2_048.0, failures.LLAMA_RATE, 20.0, 300.0) > 0.90
