"""The worked examples W1 to W19 of the capacity formulas, each computed by the core.

Each can be checked by hand; power is facility MW unless marked IT; where no PUE is named it is 1.
"""

import math

import numpy as np
import pytest

from gpurush.capacity import compute, energise, fabric, failures
from gpurush.capacity.energising import energise_chips
from gpurush.capacity.limits import LIMITS, UNLIMITED, gpus_per_rack
from gpurush.catalog import rack
from gpurush.names import Binding

W12_RATE = 419.0 / (54.0 * 2048.0)


@pytest.mark.parametrize(
    ("kw", "pue", "mw"), [(1.3, 1, 130), (1.4, 1, 140), (1.3, 1.1, 143), (1.4, 1.1, 154)]
)
def test_w1_power_of_100_000_h100(kw, pue, mw):
    site = energise(gpus=100_000, mw=None, it_kw=kw, pue=pue)
    assert site.units == 12_500
    assert site.mw_drawn == pytest.approx(mw, rel=1e-12)


@pytest.mark.parametrize(("kw", "pue"), [(1.3, 1.154), (1.4, 1.071)])
def test_w1_break_even_pue(kw, pue):
    assert energise(mw=150, it_kw=kw, pue=pue - 0.001).binding == Binding.nothing
    assert energise(mw=150, it_kw=kw, pue=pue + 0.001).binding == Binding.power


@pytest.mark.parametrize(
    ("kw", "pue", "mw", "nodes", "gpus"),
    [
        pytest.param(1.4, 1, 8, 714, 5_712, id="W2"),
        pytest.param(1.4, 1, 50, 4_464, 35_712, id="W2"),
        pytest.param(1.4, 1, 150, 13_392, 107_136, id="W2"),
        pytest.param(1.3, 1, 8, 769, 6_152, id="W3"),
        pytest.param(1.3, 1, 50, 4_807, 38_456, id="W3"),
        pytest.param(1.3, 1, 150, 14_423, 115_384, id="W3"),
        pytest.param(1.4, 1.25, 8, 571, 4_568, id="W4"),
        pytest.param(1.4, 1.25, 50, 3_571, 28_568, id="W4"),
        pytest.param(1.4, 1.25, 150, 10_714, 85_712, id="W4"),
        pytest.param(1.4, 1, 8 + 14 * 2.5, 3_839, 30_712, id="W5"),
        pytest.param(1.453, 1.25, 8, 550, 4_400, id="catalogue"),
        pytest.param(1.453, 1.25, 50, 3_441, 27_528, id="catalogue"),
        pytest.param(1.453, 1.25, 150, 10_323, 82_584, id="catalogue"),
        pytest.param(1.81, 1, 8, 552, 4_416, id="1.81 facility kW"),
        pytest.param(1.81, 1, 50, 3_453, 27_624, id="1.81 facility kW"),
        pytest.param(1.81, 1, 150, 10_359, 82_872, id="1.81 facility kW"),
    ],
)
def test_w2_to_w5_power_stages(kw, pue, mw, nodes, gpus):
    site = energise(gpus=200_000, mw=mw, it_kw=kw, pue=pue)
    assert (site.units, site.energised, site.binding) == (nodes, gpus, Binding.power)
    assert site.gpus_per_mw == pytest.approx(1000 / (kw * pue))


def test_w4_150_mw_no_longer_feeds_100_000():
    assert energise(gpus=100_000, mw=150, it_kw=1.4, pue=1.25).energised == 85_712


def test_w5_the_claim_of_32_000_needs_44_8_mw():
    assert energise(gpus=32_000, mw=None, it_kw=1.4, pue=1).mw_drawn == pytest.approx(44.8)
    assert energise(gpus=32_000, mw=44.8, it_kw=1.4, pue=1).energised == 32_000


def test_w6_4_608_gb300():
    spec = rack("GB300 NVL72")
    racks = energise("GB300", 4_608, mw=None).units
    assert (racks, racks * spec.trays, spec.gpus_per_tray, racks * spec.cpus) == (64, 1_152, 4, 2_304)
    assert racks * spec.fp4_flops == pytest.approx(92.16e18)
    assert racks * failures.schedulable(18.0, 2.0, 4.0) == racks * spec.schedulable_gpus == 4_096
    for kw, it_mw in ((132, 8.45), (136, 8.70), (142, 9.09)):
        drawn = energise("GB300", 4_608, mw=None, it_kw=kw / 72, pue=1).mw_drawn
        assert drawn == pytest.approx(it_mw, abs=0.005)
    assert energise("GB300", 4_608, mw=None, it_kw=136 / 72, pue=1.15).mw_drawn == pytest.approx(
        10.0, abs=0.05
    )


@pytest.mark.parametrize(("mw", "racks", "gpus"), [(8, 51, 3_672), (50, 319, 22_968), (150, 959, 69_048)])
def test_w7_nvl72_racks(mw, racks, gpus):
    site = energise("GB300", 100_000 // 72 * 72, mw=mw, it_kw=136 / 72, pue=1.15)
    assert (site.units, site.energised) == (racks, gpus)


def test_w8_100_000_back_end_ports():
    small = energise(mw=None, fabric="Quantum-2", tiers=3).network
    assert not small.one_fabric
    assert (small.limit, small.switches, small.largest_job) == (65_536, (), 65_536)
    rails = energise(mw=None, fabric="Quantum-2", tiers=3, rails=8).network
    assert rails.one_fabric
    assert rails.largest_job == 100_000
    large = energise(mw=None, fabric="Spectrum-X").network
    assert large.switches == (1_563, 1_563, 782)
    assert sum(large.switches) == 3_908
    assert fabric.tiers_needed(12_500.0, 64.0) == 3
    front = [fabric.switches_in_tier(12_500.0, 64.0, 3, tier) for tier in (1, 2, 3)]
    assert front == [391, 391, 196]
    assert sum(front) == 978


def test_w9_4_608_ports_of_800g():
    found = energise("GB300", 4_608, mw=None, fabric="Quantum-X800").network
    assert (found.tiers, found.switches, sum(found.switches), found.limit) == (2, (64, 32), 96, 10_368)


def test_w10_racks():
    racks = math.ceil(100_000 / rack("Colossus H100").gpus)
    assert racks == 1_563
    assert math.ceil(racks / 8) == 196
    assert energise(mw=None, racks=1_563).energised == 100_000
    assert energise(mw=None, racks=1_562).energised == 1_562 * 64
    assert gpus_per_rack(40.0, 1.4, 8.0, 64.0) == 24
    assert energise(mw=None, racks=4_167, rack_kw=40, it_kw=1.4).energised == 100_000
    assert energise(mw=None, racks=4_166, rack_kw=40, it_kw=1.4).energised == 4_166 * 24


def test_w11_cooling():
    site = energise(gpus=100_000, mw=40, liquid_mw=20, air_mw=8, it_kw=1.4, pue=1, liquid_share=0.8)
    assert (site.units, site.energised, site.binding) == (2_232, 17_856, Binding.liquid)
    assert site.divisible == pytest.approx(17_857, abs=0.5)
    assert site.shadow_prices[Binding.liquid] == pytest.approx(892.9, abs=0.05)
    assert site.shadow_prices[Binding.power] == 0
    assert site.gpus_per_mw == 0
    for only in ({"mw": 40}, {"mw": None, "air_mw": 8}):
        alone = energise(gpus=100_000, it_kw=1.4, pue=1, liquid_share=0.8, **only)
        assert alone.divisible == pytest.approx(28_571, abs=0.5)


def test_w12_the_llama_run():
    mttf = failures.mean_time_to_failure(2_048.0, W12_RATE)
    assert mttf == pytest.approx(3.093, abs=0.0005)
    assert pytest.approx(3.79, abs=0.005) == W12_RATE * 1000
    assert mttf * 16_384 == pytest.approx(50_677, abs=1)
    seconds = mttf * 3600
    interval = failures.young_interval(seconds, 20.0)
    assert interval == pytest.approx(667, abs=0.5)
    assert failures.goodput(seconds, 20.0, 300.0, interval) == pytest.approx(0.913, abs=5e-4)
    assert failures.effective_time_ratio(seconds, 20.0, 300.0, interval) == pytest.approx(0.916, abs=5e-4)


def test_w13_100_000_gpus():
    assert pytest.approx(47.4, abs=0.05) == 12_500 * W12_RATE
    seconds = failures.mean_time_to_failure(12_500.0, W12_RATE) * 3600
    assert seconds / 60 == pytest.approx(30.4, abs=0.05)
    good = {}
    for write, restart, first_order, meta in ((20.0, 300.0, 0.687, 0.709), (5.0, 60.0, 0.893, 0.897)):
        interval = failures.young_interval(seconds, write)
        good[write] = failures.goodput(seconds, write, restart, interval)
        assert good[write] == pytest.approx(first_order, abs=5e-4)
        assert failures.best_goodput(12_500.0, W12_RATE, write, restart) == good[write]
        ratio = failures.effective_time_ratio(seconds, write, restart, interval)
        assert ratio == pytest.approx(meta, abs=5e-4)
    assert 100_000 * (good[5.0] - good[20.0]) == pytest.approx(20_000, rel=0.05)


@pytest.mark.parametrize(
    ("nodes", "rate", "hours"),
    [
        (12_500, 6.50e-3, 17.7 / 60),
        (12_500, 2.34e-3, 49.2 / 60),
        (2_048, 6.50e-3, 1.80),
        (2_048, 2.34e-3, 5.01),
        (16_384, 6.50e-3, 0.225),
    ],
)
def test_w14_other_rates(nodes, rate, hours):
    assert failures.mean_time_to_failure(float(nodes), rate) == pytest.approx(hours, rel=3e-3)


def test_w15_spares():
    down = failures.nodes_down(12_500.0, W12_RATE, 1.0)
    assert down == pytest.approx(47.4, abs=0.05)
    assert down * 8 == pytest.approx(379, abs=0.5)
    assert failures.spare_nodes(down, 0.99) == 64


def test_w16_trays():
    assert failures.at_least_up(18, 18, 0.99) == pytest.approx(0.835, abs=5e-4)
    assert failures.at_least_up(18, 16, 0.99) == pytest.approx(0.9993, abs=5e-5)


def test_w17_teslas_12_000():
    site = energise(gpus=12_000, mw=None, it_kw=1.4, pue=1)
    assert (site.units, site.mw_drawn) == (1_500, pytest.approx(16.8))
    assert energise(gpus=12_000, mw=16.8, it_kw=1.4, pue=1).energised == 12_000
    nowhere = energise(gpus=12_000, mw=16.8, it_kw=1.4, pue=1, racks=0)
    assert (nowhere.energised, nowhere.binding) == (0, Binding.racks)


def test_w18_racks_of_two_kinds():
    use, limit = np.zeros((LIMITS, 2)), np.full(LIMITS, UNLIMITED)
    use[0] = 89.6 / 64, 136 / 72
    use[3] = 1 / 64, 1 / 72
    limit[0], limit[3] = 10_000.0, 100.0
    running, shadow = np.zeros(2), np.zeros(LIMITS)
    unit = np.array([64.0, 72.0])
    worth, best, binding = energise_chips(
        np.array([1.0, 3.0]), use, limit, np.array([6_400.0, 7_200.0]), unit, running, shadow
    )
    assert running.tolist() == [0, 73 * 72]
    assert (worth, binding) == (15_768, Binding.power)
    assert best == pytest.approx(10_000 * 3 * 72 / 136)
    assert shadow[3] == 0


def test_w19_availability_optimal_interval():
    work = failures.availability_interval(6000.0, 10.0, 600.0)
    assert work / 15 == pytest.approx(24.2, abs=0.05)
    assert work + 10 == pytest.approx(373.5, abs=0.05)
    assert (work + 10) / 15 == pytest.approx(24.9, abs=0.05)


@pytest.mark.parametrize(("gpus", "share"), [(8_192, 0.43), (16_384, 0.41), (100_000, 0.362)])
def test_mfu_by_job_size(gpus, share):
    assert compute.mfu(float(gpus)) == pytest.approx(share, abs=5e-4)
