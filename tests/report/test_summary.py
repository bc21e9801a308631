"""The text of a result: numbers, tables, calendar, concentration."""

import math
from pathlib import Path

import numpy as np
import pytest
import synthetic_recording as made

from gpurush.names import Bound
from gpurush.report.calendar import LETTERS, cell, quarters
from gpurush.report.summary import hhi, inflation, summary
from gpurush.report.words import band, short, table, title
from gpurush.results.panel import Panel, quantiles
from gpurush.results.reader import Results
from gpurush.results.writer import Writer


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (412_345.0, "", "412k"),
        (999_600.0, "", "1.00M"),
        (6.04e9, "", "6.04bn"),
        (0.3071, "%", "31%"),
        (26.137, "log", "26.14"),
        (0.0, "", "0"),
        (14.0, "", "14"),
        (0.31, "", "0.31"),
        (-2.5e6, "", "-2.50M"),
        (math.nan, "", "–"),
        (500.0, "months", ">120"),
        (2881.4, "whole", "2,881"),
    ],
)
def test_short_numbers(value: float, unit: str, text: str) -> None:
    assert short(value, unit) == text


def test_bands() -> None:
    assert band(350e3, 412e3, 501e3) == "412k (350–501k)"
    assert band(350e3, 412e3, 1.5e6) == "412k (350k–1.50M)"
    assert band(5.0, 5.0, 5.0) == "5"
    assert band(math.nan, math.nan, math.nan) == "–"
    assert band(0.0, 2e9, 4e9) == "2.00bn (0–4.00bn)"


def test_names_and_tables() -> None:
    assert [title(name) for name in ("xai", "openai", "google_deepmind", "new_lab")] == [
        *("xAI", "OpenAI", "Google DeepMind", "New Lab")
    ]
    assert table(["", "a"], [["x", "1"], ["long", "100"]]) == ["          a", "  x       1", "  long  100"]


def test_quantiles_leave_out_what_is_null() -> None:
    values = np.array([[1.0, np.nan, np.nan], [3.0, 4.0, np.nan]])
    np.testing.assert_array_equal(quantiles(values, (0.5,))[0], [2.0, 4.0, np.nan])


def test_summary_says_what_the_tables_say(results: Results) -> None:
    text = summary(results)
    assert max(map(len, text.splitlines())) <= 130
    ends = results.agents.query("agent == 'openai' and date > '2027-12-01'")
    assert len(ends) == 20
    assert short(float(ends["h100e_energised"].median())) in text
    year = (
        results.agents.query("agent == 'openai' and date > '2026-12-31'").groupby("run")["revenue_usd"].sum()
    )
    assert short(float(year.median())) in text
    for said in (
        "20 runs, seed 0",
        "H100 price",
        "lead time, months",
        "HHI, points",
        "Runway",
        "2027 H2",
        "C chips",
    ):
        assert said in text


def test_panel_has_the_arrays_of_the_recording(results: Results, recording: object) -> None:
    panel = Panel(results)
    rows = made.recording(20).agent_rows[:, :, 4]
    np.testing.assert_array_equal(panel.agent("cash_usd", "xai"), rows["cash_usd"].T)
    np.testing.assert_array_equal(panel.agent("bound_by", "xai"), rows["bound_by"].T)
    assert panel.labs == made.LABS
    assert panel.sites == made.SITES
    assert panel.items == made.ITEMS
    assert (panel.months, panel.month_names[-1]) == (60, "2027-12")
    there = panel.agent("researchers", "xai") > 0
    assert not there[:, :6].any()
    assert np.isfinite(inflation(panel)).all()


def test_calendar_cells(results: Results) -> None:
    bound = np.array([[2, 2, 4], [2, 2, 4]], dtype=float)
    assert cell(bound, np.ones_like(bound, dtype=bool)) == "C67"
    assert cell(bound, np.zeros_like(bound, dtype=bool)) == ""
    assert cell(bound, bound == 4) == f"{LETTERS[Bound.power]}99"
    assert quarters(Panel(results))[:2] == [(0, 2), (3, 5)]
    xai = next(line for line in summary(results).splitlines() if line.startswith("  xAI  ") and "C" in line)
    assert len(xai.split()) == 1 + 18, "xAI is founded in the third quarter"


def test_concentration() -> None:
    assert hhi(np.array([[1.0], [0.0]]))[0] == 10_000.0
    assert hhi(np.ones((5, 1)))[0] == pytest.approx(2000.0)
    assert math.isnan(hhi(np.zeros((5, 1)))[0])


def test_one_run_and_a_run_that_is_not_finite(tmp_path: Path) -> None:
    one = made.recording([17], months=14)
    one.finite[0] = False
    with Writer(tmp_path, 3, 1) as writer:
        writer.add(one)
        writer.finish(made.scenario(months=14), {"labs.xai.cash": 1}, "test")
    text = summary(Results(tmp_path))
    assert "1 run, seed 3, 2023-01 to 2024-02" in text
    assert "NOT FINITE: run 17" in text
    assert "with labs.xai.cash = 1" in text
    assert "2024-02" in text
    assert "(5 %" not in text
    assert "defaults" not in text


def test_few_runs_and_defaults_are_said(results: Results, tmp_path: Path) -> None:
    assert "A firm defaults in 2 runs of 20" in summary(results), "runs 3 and 13 of the recording"
    assert "of so few runs" not in summary(results)
    with Writer(tmp_path, 3, 4) as writer:
        writer.add(made.recording(4, months=14))
        writer.finish(made.scenario(months=14), {}, "test")
    assert "median (5 %–95 % of runs): of so few runs next to the lowest and the highest" in summary(
        Results(tmp_path)
    )
