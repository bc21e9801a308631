"""What a scenario says happens in a month: to the runs, in that month, and to nothing else."""

import numpy as np
import pytest

from gpurush.industry import Industry
from gpurush.scenario import load
from gpurush.state import Asked, Lease, Stage

RUNS = 6


def story(tmp_path, text):
    path = tmp_path / "story.toml"
    path.write_text(f'extends = "baseline"\n{text}', encoding="utf-8")
    return load(path)


def at(scenario, month):
    """A batch at the opening of a month."""
    model = Industry(scenario, runs=RUNS, rng=7)
    model.run_for(month)
    return model


def test_a_delay_lengthens_every_request_for_power_of_its_site(tmp_path):
    event = '[[events]]\ndate = "2024-08"\nkind = "delay"\nsite = "memphis"\nmonths = 5\n'
    with_it, without = at(story(tmp_path, event), 19), at("baseline", 19)
    memphis = with_it.where.sites.index("memphis")
    before = without.runs["sites"]["requests"][:, memphis].copy()
    with_it._happen(slice(None))
    without._happen(slice(None))
    after = with_it.runs["sites"]["requests"][:, memphis]
    waiting = (before["stage"] != Stage.empty) & (before["asked"] == Asked.grid)
    assert waiting.any(axis=1).all()
    for name in ("left", "expected"):
        assert after[name] == pytest.approx(before[name] + 5.0 * waiting)
    others = np.arange(len(with_it.where.sites)) != memphis
    assert np.array_equal(
        with_it.runs["sites"][:, : len(others)][:, others], without.runs["sites"][:, : len(others)][:, others]
    )


def test_a_delay_brings_power_later(tmp_path):
    event = '[[events]]\ndate = "2024-07"\nkind = "delay"\nsite = "memphis"\nmonths = 6\n'
    late, soon = (at(scenario, 30).recording() for scenario in (story(tmp_path, event), "baseline"))
    memphis = late.sites.index("memphis")
    grid = [each.site_rows["grid_mw"][:, :, memphis] for each in (late, soon)]
    assert (grid[0] <= grid[1]).all()
    assert (grid[0].sum(axis=0) < grid[1].sum(axis=0)).all()


def test_a_collapse_ends_what_is_negotiated_by_the_two_and_nothing_else(tmp_path):
    event = '[[events]]\ndate = "2024-06"\nkind = "collapse"\nlessor = "oracle"\nlessee = "xai"\n'
    model = at(
        story(tmp_path, f"{event}[markets.lease]\ncollapse = 0\ncollapse_gap = 0\ncollapse_power = 0\n"), 17
    )
    contracts = model.runs["contracts"]
    open_before = contracts["state"] == Lease.negotiating
    delivering = contracts["state"] == Lease.delivering
    assert open_before.any(axis=1).all(), (
        "the negotiation opened the month before and cannot collapse by chance"
    )
    model._happen(slice(None))
    assert not (contracts["state"] == Lease.negotiating).any()
    assert np.array_equal(contracts["state"] == Lease.delivering, delivering)


def test_a_set_event_changes_its_number_from_its_month_on(tmp_path):
    event = '[[events]]\ndate = "2023-03"\nkind = "set"\npath = "labs.meta.inflow"\nvalue = 0\n'
    model = Industry(story(tmp_path, event), runs=RUNS, rng=7)
    seen = []
    for _ in range(4):
        model.run_for(1)
        seen.append(float(model["meta"].terms["inflow"].min()))
    assert seen[0] == seen[1] > 0.0
    assert seen[2] == seen[3] == 0.0
