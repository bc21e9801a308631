"""Paired differences and their intervals; the API that makes them."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import synthetic_recording as made

import gpurush
from gpurush.experiments import Comparison, UsageError
from gpurush.experiments.comparing import intervals
from gpurush.report.differences import largest, signed
from gpurush.results import Results, ResultsError
from gpurush.results.panel import Panel


def test_intervals_hold_the_mean() -> None:
    rng = np.random.default_rng(1)
    draws = rng.normal(3.0, 2.0, (200, 1))
    (low,), (high,) = intervals(draws)
    assert low < draws.mean() < high
    assert high - low == pytest.approx(2 * 1.96 * draws.std() / np.sqrt(200), rel=0.1)


def test_coverage_of_the_intervals() -> None:
    rng = np.random.default_rng(2)
    low, high = intervals(rng.normal(0.0, 1.0, (100, 400)))
    assert 0.91 < ((low < 0.0) & (high > 0.0)).mean() < 0.98


def test_intervals_of_little() -> None:
    gone = np.array([[1.0, np.nan, 2.0], [1.0, np.nan, np.nan]])
    low, high = intervals(gone)
    assert (low[0], high[0]) == (1.0, 1.0)
    assert np.isnan([low[1], high[1], low[2], high[2]]).all()


def test_compare(model: type[made.FakeIndustry], tmp_path: Path) -> None:
    out = tmp_path / "both"
    told: list[float] = []
    found = gpurush.compare(
        "baseline",
        "memphis-late",
        runs=12,
        seed=4,
        out=out,
        figures=False,
        progress=lambda d, _: told.append(d),
    )
    assert told[-1] == 24.0
    assert sorted(each.name for each in out.iterdir()) == [
        *("baseline", "differences.parquet", "manifest.json", "memphis-late", "summary.txt")
    ]
    frame = found.table()
    row = frame.query("name == 'openai' and metric == 'h100e_energised' and year == '2024'").iloc[0]
    a, b = (
        each.agents.query("agent == 'openai' and date > '2024-12-01'")["h100e_energised"].to_numpy(float)
        for each in (found.a, found.b)
    )
    assert row["difference"] == pytest.approx((b - a).mean())
    assert row["low"] < row["difference"] < row["high"]
    assert row["low"] > 0.0, "the pairs share their luck, so the effect is clear"
    assert (row["pairs"], row["unit"], row["group"]) == (12, "H100e", "lab")
    market = frame.query("group == 'market' and name == 'gpu H100' and year == '2023'").iloc[0]
    rows = found.a.markets.query("market == 'gpu' and item == 'H100' and date < '2024-01-01'")
    assert market["a"] == pytest.approx(rows.groupby("run")["price_usd"].mean().mean(), rel=1e-6)
    assert set(frame.query("group == 'market'")["name"]) == {"gpu", "gpu H100"}, "no lease of H100e here"
    same = frame.query("group == 'site'")
    assert (same["difference"] == 0.0).all()
    assert (same["low"] == 0.0).all()
    text = found.summary()
    assert "memphis-late minus baseline: 12 paired runs, seed 4" in text
    assert "95 % bootstrap interval" in text
    assert "No difference in:" in text
    assert "memphis-late minus baseline" in repr(found)
    with pytest.raises(ResultsError, match="holds a comparison"):
        Results(out)


def test_the_largest_effects_come_first_and_chance_and_trifles_do_not_come() -> None:
    columns = ("group", "name", "metric", "year", "a", "b", "difference", "low", "high")
    rows = [
        ("lab", "openai", "h100e_energised", "2024", 100e3, 110e3, 10e3, 5e3, 15e3),
        ("lab", "openai", "h100e_energised", "2025", 100e3, 130e3, 30e3, 5e3, 55e3),
        ("lab", "xai", "h100e_energised", "2025", 50e3, 25e3, -25e3, -30e3, -20e3),
        ("lab", "meta", "h100e_energised", "2025", 50e3, 150e3, 100e3, -5e3, 205e3),
        ("lab", "tesla", "h100e_energised", "2025", 100.0, 300.0, 200.0, 150.0, 250.0),
        ("lab", "xai", "research_share", "2025", 0.1, 0.9, 0.8, 0.7, 0.9),
        ("site", "memphis", "h100e_energised", "2025", 1e3, 9e3, 8e3, 7e3, 9e3),
    ]
    head, *lines = largest(pd.DataFrame(rows, columns=columns))
    assert head == "Largest relative effects on labs (of the mean)"
    assert [" ".join(line.split()) for line in lines] == [
        "xAI: H100e running at the end of 2025 −50 % 50.0k to 25.0k",
        "OpenAI: H100e running at the end of 2025 +30 % 100k to 130k",
    ]
    assert largest(pd.DataFrame(rows[3:], columns=columns)[:1]) == []


@pytest.mark.parametrize("runs", [8, 201])
def test_gpus_passed_on_are_those_of_the_deals(tmp_path: Path, runs: int) -> None:
    results = gpurush.run(
        "baseline", runs, seed=7, overrides={"scenario.months": 24}, out=tmp_path / "x", figures=False
    )
    panel = Panel(results)
    deals = results.deals.query("kind == 'swap'")
    assert deals["quantity"].sum() > 0.0
    for site in panel.sites:
        mine = deals[deals["payer"] == f"site {site}"]
        found = panel.passed_on(site)
        assert found.shape == (runs, 24)
        for year, months in ((2023, slice(0, 12)), (2024, slice(12, 24))):
            expected = mine[mine["date"].dt.year == year]["quantity"].sum()
            assert found[:, months].sum() == pytest.approx(expected, rel=1e-6)


def test_a_scenario_with_itself(model: type[made.FakeIndustry], tmp_path: Path) -> None:
    found = gpurush.compare("baseline", "baseline", runs=[17], out=tmp_path / "x", figures=False)
    assert (found.table()["difference"].dropna() == 0.0).all()
    assert found.table()["low"].isna().all()
    assert "one run has no interval" in found.summary()


def test_what_cannot_be_paired(model: type[made.FakeIndustry], tmp_path: Path) -> None:
    a = gpurush.run("baseline", runs=2, seed=1, out=tmp_path / "a", figures=False)
    for name, options in (("b", {"runs": 3, "seed": 1}), ("c", {"runs": 2, "seed": 2})):
        other = gpurush.run("baseline", out=tmp_path / name, figures=False, **options)  # type: ignore[arg-type]
        with pytest.raises(UsageError, match="pairs need the same"):
            Comparison(a, other)


def test_signs() -> None:
    assert [signed(value, "") for value in (1200.0, -0.001, -5e6)] == ["+1.20k", "0", "−5.00M"]
    assert [signed(value, "1") for value in (0.031, -0.0002)] == ["+3.1", "0"]
    assert signed(0.004, "log10 FLOP") == "0"
