"""Memphis: chips against power; sister firms; what scenarios change. Months count from 2023-01 = 0."""

from collections.abc import Callable

import numpy as np
import pytest
from ensembles import SEED, Ensemble, simulate

from gpurush.names import Deal
from gpurush.units import month_index

H100_KW = 1.453
SUMMER = slice(month_index("2023-01", "2024-06"), month_index("2023-01", "2024-09") + 1)


def test_xai_owns_more_than_it_can_energise_in_the_summer_of_2024(baseline: Ensemble) -> None:
    stranded = baseline.site("memphis", "h100e_stranded")[SUMMER]
    assert (stranded > 0).any(axis=0).mean() > 0.5


def test_without_gas_no_site_energises_more_than_its_grid_feeds() -> None:
    from gpurush.industry import Industry

    model = Industry("no-gas", runs=16, rng=SEED)
    sites = model.runs["sites"]
    chips = model.runs["chips"]
    for _ in range(60):
        before = sites["grid_mw"].copy()
        model.step()
        kw = (sites["running"] * chips["it_kw"][:, None, :]).sum(axis=2)
        facility = kw * sites["terms"]["it_kw_factor"] * sites["terms"]["pue"] / 1e3
        assert np.all(facility <= np.maximum(before, sites["grid_mw"]) * (1 + 1e-9) + 1e-9)
        assert np.all(sites["gas_mw"][:, : len(model.story.sites)] == 0.0)


@pytest.mark.parametrize(("mw", "gpus"), [(8.0, 4400), (50.0, 27528), (150.0, 82584)])
def test_ladder_of_memphis_at_the_catalogues_power(mw: float, gpus: int) -> None:
    from gpurush.industry import Industry
    from gpurush.state import SITE_ACCOUNT

    fixed = {
        "sites.memphis.pue": 1.25,
        "sites.memphis.it_kw_factor": 1.0,
        "power.memphis.grid_mw": mw,
        "power.memphis.gas_mw": 0,
    }
    model = Industry("no-gas", runs=1, rng=SEED, overrides=fixed)
    site = list(model.story.sites).index("memphis")
    model.runs["gpus"][0, SITE_ACCOUNT + site, 1] = 100_000.0
    model.runs["sites"]["shell_mw"][0, site] = 1e6
    model.buildings[site].energise()
    assert model.runs["sites"]["running"][0, site, 1] == gpus


def test_chips_move_to_a_sister_that_expects_slots_and_not_otherwise(
    baseline: Ensemble, run_scenario: Callable[..., Ensemble]
) -> None:
    months = range(6, 24)
    moved = baseline.moved("site tesla", "site x", Deal.swap, months)
    assert np.median(moved) > 1000
    none = {"sites.tesla.shell_mw": 0, "power.tesla.grid_mw": 0, "power.tesla.pipeline_mw": 0}
    dark = run_scenario("baseline", 24, none, 24)
    assert (dark.moved("site tesla", "site x", Deal.swap, range(24)) > 1000).all()
    room = run_scenario("tesla-has-slots", 24, None, 24)
    assert room.moved("site tesla", "site x", Deal.swap, months).sum() == 0


def test_a_late_approval_costs_xai_compute_and_nothing_before_it(
    run_scenario: Callable[..., Ensemble],
) -> None:
    early, late = (simulate(name, 48, None, 48) for name in ("baseline", "memphis-late"))
    before = slice(0, month_index("2023-01", "2024-06"))
    for lab in ("openai", "xai", "meta"):
        column = "h100e_energised"
        assert np.array_equal(early.agent(lab, column)[before], late.agent(lab, column)[before])
    gap = late.site("memphis", "grid_mw") - early.site("memphis", "grid_mw")
    assert gap[24:36].mean() < 0.0
    lost = (late.agent("xai", "h100e_energised") - early.agent("xai", "h100e_energised"))[24:40].mean(axis=0)
    assert lost.mean() + 1.96 * lost.std() / np.sqrt(len(lost)) < 0.0


def test_gas_brings_compute_forward(baseline: Ensemble, run_scenario: Callable[..., Ensemble]) -> None:
    dry = run_scenario("no-gas", 48, None, 36)
    assert np.all(dry.site("memphis", "onsite_mw") == 0.0)
    assert (baseline.site("memphis", "onsite_mw")[17:30] > 0).any(axis=0).mean() > 0.5
    with_gas = baseline.site("memphis", "h100e_energised")[17:30, :48].sum(axis=0)
    assert (with_gas - dry.site("memphis", "h100e_energised")[17:30].sum(axis=0)).mean() > 0.0
