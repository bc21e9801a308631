"""Figures: every one is drawn, for many runs and for one, and leaves no state behind."""

from pathlib import Path

import matplotlib as mpl
import pytest
import synthetic_recording as made

from gpurush.report.figures import FIGURES, WIDEST, draw, draw_all, focus, grid, rounds, under
from gpurush.report.style import colours, tick
from gpurush.results import ResultsError
from gpurush.results.panel import Panel
from gpurush.results.reader import Results
from gpurush.results.writer import Writer


def test_all_figures(results: Results, tmp_path: Path) -> None:
    before = dict(mpl.rcParams)
    files = draw_all(results, tmp_path / "figures")
    assert [file.stem for file in files] == list(FIGURES)
    assert all(file.read_bytes().startswith(b"\x89PNG") and file.stat().st_size > 20_000 for file in files)
    assert dict(mpl.rcParams) == before
    from matplotlib import pyplot

    assert pyplot.get_fignums() == []


def test_one_short_run(tmp_path: Path) -> None:
    with Writer(tmp_path, 0, 1) as writer:
        writer.add(made.recording([3], months=3))
        writer.finish(made.scenario(months=3), {}, "test")
    assert len(draw_all(Results(tmp_path), tmp_path / "figures")) == len(FIGURES)


def test_axes_are_labelled_with_units(results: Results) -> None:
    said = {
        "compute": "running compute, H100e",
        "site": "facility MW",
        "market": "months",
        "finance": "runway, months",
    }
    for name, label in said.items():
        assert label in [axis.get_ylabel() for axis in draw(results, name).axes]


def test_no_line_under_a_figure_is_wider_than_the_figure(results: Results) -> None:
    panel = Panel(results)
    results.manifest["overrides"] = {f"labs.openai.{'x' * 40}{n}": "compute_per_researcher" for n in range(4)}
    try:
        said = under(panel, "first words about bands; " * 8 + "\nsecond line")
    finally:
        results.manifest["overrides"] = {}
    assert max(map(len, said.split("\n"))) <= WIDEST
    assert said.endswith("second line")
    assert "and 2 more: 20 runs, seed 0" in " ".join(said.split("\n"))


@pytest.mark.parametrize(("dark", "share"), [(0.0, 0.0), (0.5, 100.0)])
def test_the_site_figure_shows_in_how_many_runs_gpus_stand_dark(
    tmp_path: Path, dark: float, share: float
) -> None:
    recording = made.recording(3, months=14)
    at = list(made.SITES).index("memphis")
    recording.site_rows["gpus_delivered"][:, :, at] = 1000.0
    recording.site_rows["gpus_energised"][:, :, at] = 1000.0 * (1.0 - dark)
    with Writer(tmp_path, 3, 3) as writer:
        writer.add(recording)
        writer.finish(made.scenario(months=14), {}, "test")
    middle = draw(Results(tmp_path), "site").axes[1]
    assert middle.get_ylabel() == "% of runs"
    (area,) = middle.collections
    assert area.get_paths()[0].vertices[:, 1].max() == share


def test_rounds_and_site(results: Results) -> None:
    panel = Panel(results)
    assert focus(panel) == "memphis"
    assert rounds(panel, "meta") == []
    months = [month for month, share, _ in rounds(panel, "anthropic") if share == 1.0]
    assert months == [5, 19, 33, 47]


def test_small_things(results: Results) -> None:
    assert (grid(1), grid(4), grid(6), grid(9)) == ((1, 1), (1, 4), (2, 3), (3, 4))
    shade = colours(["openai", *(f"lab{n}" for n in range(20))])
    assert shade["openai"] == "#0072B2"
    assert len(shade) == 21
    assert [tick(value) for value in (7.5, 2e5, 0.0, -1e6)] == ["7.5", "200k", "0", "-1M"]
    with pytest.raises(ResultsError, match="allowed: compute"):
        results.plot("nothing")
    assert results.plot("market").axes
