"""What runs, added up: fabrics by their ports, the price of energy, compute that is held and compute that is not."""

import sys
from pathlib import Path

import numpy as np
import pytest

from gpurush.agents import capacity, research, service
from gpurush.engine import LAYOUTS
from gpurush.state import Run

sys.path.insert(0, str(Path(__file__).parents[1] / "allocation"))
from small_lab import add, lab_of, month, small_lab


def two_sites():
    """A lab with a site of 100,000 GPUs of two types, and one that is half as large."""
    batch = np.zeros(1, LAYOUTS[Run])
    batch["firms_used"], batch["labs_used"], batch["sites_used"], batch["utilities_used"] = 1, 1, 2, 2
    site = batch["sites"]
    site["ports"][0, :2], site["running"][0, :2, 1] = 65_536.0, [50_000.0, 25_000.0]
    site["running"][0, :2, 2], site["energised"][0, :2] = [50_000.0, 25_000.0], [450_000.0, 225_000.0]
    site["facility_mw"][0, :2], site["terms"]["pue"][0, :2] = [300.0, 100.0], [1.1, 1.5]
    site["utility"][0, :2], batch["utilities"]["terms"]["tariff"][0, :2] = [0, 1], [60.0, 100.0]
    site["unit"][0, :2] = 8.0
    return batch


def test_ports_count_gpus_and_not_what_they_compute():
    batch = two_sites()
    capacity.add_up.all(batch)
    assert batch["labs"]["fabric"][0, 0] == pytest.approx(65_536.0 * 4.5), "100,000 GPUs of 1 and 8 H100e"
    batch["sites"]["ports"], batch["labs"]["by_site"] = 200_000.0, 0.0
    capacity.add_up.all(batch)
    assert batch["labs"]["fabric"][0, 0] == 450_000.0


def test_energy_costs_what_it_costs_where_chips_run_in_any_order_of_sites():
    batch = two_sites()
    capacity.price_energy.all(batch)
    assert batch["it_tariff"][0] == pytest.approx((300.0 * 1.1 * 60.0 + 100.0 * 1.5 * 100.0) / 400.0)
    turned = two_sites()
    turned["sites"][0, :2] = turned["sites"][0, :2][::-1].copy()
    capacity.price_energy.all(turned)
    assert turned["it_tariff"][0] == pytest.approx(batch["it_tariff"][0], rel=1e-15)
    batch["sites"]["facility_mw"] = 0.0
    capacity.price_energy.all(batch)
    assert batch["it_tariff"][0] == pytest.approx((1.1 * 60.0 + 1.5 * 100.0) / 2.0), "nothing runs: the mean"


def test_what_no_project_holds_does_no_research():
    growth = []
    for wanted in (100.0, 600.0):
        runs = small_lab(need=0.0, project_arrivals=0.0, opening_projects=0.0, project_stretch=1.0)
        add(runs, 0, 0, wanted)
        lab = month(runs)
        assert lab["researching"] + lab["idle"] == 1000.0
        terms = runs["research"]
        terms["reference_h100e"], terms["reference_researchers"], terms["elasticity"] = 1000.0, 100.0, 0.67
        terms["compute_weight"], terms["progress"], terms["progress_cap"] = 0.4, 0.04, 0.12
        terms["parallelisation"], terms["diminishing"] = 0.7, 0.6
        lab["researchers"], lab["efficiency"] = 100.0, 1.0
        research.research.all(runs, 0)
        growth.append(float(lab["efficiency"]) - 1.0)
    assert 0.0 < growth[0] < 0.7 * growth[1]


def test_products_serve_with_what_they_hold():
    runs = small_lab(need=300.0)
    lab = month(runs)
    assert 0.0 < lab["serving"] <= lab["applied"]
    assert lab["applied"] - lab["serving"] < lab["unit"]
    lab_of(runs)["serving"] = 80.0
    runs["firms"]["cash"] = 1e12
    runs["sectors"] = 1
    runs["demand"]["diffusion"] = 0.0
    service.sell.all(runs)
    assert lab["served"] == 80.0
