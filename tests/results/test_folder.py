"""A results folder appears whole or not at all, and replaces only one of ours."""

import json
from pathlib import Path

import pytest
import synthetic_recording as made

from gpurush.results import Results, ResultsError
from gpurush.results.folder import RESULTS, check, replacing, write_manifest
from gpurush.results.manifest import span
from gpurush.results.recording import Recording
from gpurush.results.writer import Writer

# ruff: noqa: PT012 - the block is what fails


def finish(folder: Path, text: str = "new") -> None:
    (folder / "figures").mkdir()
    (folder / "figures" / "a.png").write_text(text)
    (folder / "agents.parquet").write_text(text)
    write_manifest(folder, {"format": RESULTS})


def test_appears_when_complete(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "er" / "out"
    with replacing(out) as folder:
        assert not out.exists()
        finish(folder)
    assert sorted(each.name for each in out.iterdir()) == ["agents.parquet", "figures", "manifest.json"]
    assert [each.name for each in out.parent.iterdir()] == ["out"]
    assert json.loads((out / "manifest.json").read_text())["files"] == ["agents.parquet", "figures/a.png"]


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, SystemExit])
def test_nothing_is_left_of_a_failure(tmp_path: Path, error: type[BaseException]) -> None:
    with pytest.raises(error), replacing(tmp_path / "results" / "out") as folder:
        finish(folder)
        raise error
    assert list(tmp_path.iterdir()) == []


def test_older_results_stay_until_the_new_are_complete(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with replacing(out) as folder:
        finish(folder, "old")
    with pytest.raises(KeyboardInterrupt), replacing(out) as folder:
        finish(folder)
        raise KeyboardInterrupt
    assert (out / "agents.parquet").read_text() == "old"
    with replacing(out) as folder:
        finish(folder)
        assert (out / "agents.parquet").read_text() == "old"
    assert (out / "agents.parquet").read_text() == "new"
    assert [each.name for each in tmp_path.iterdir()] == ["out"]


def test_notes_in_an_older_folder_are_kept(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with replacing(out) as folder:
        finish(folder, "old")
        (folder / "gone.txt").write_text("made by us, not made again")
        write_manifest(folder, {"format": RESULTS})
    (out / "notes.md").write_text("mine")
    with replacing(out) as folder:
        finish(folder)
    assert (out / "notes.md").read_text() == "mine"
    assert not (out / "gone.txt").exists()


def test_foreign_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("dear")
    with pytest.raises(ResultsError, match="not results of gpurush"), replacing(tmp_path):
        pytest.fail("the block must not run")
    (tmp_path / "manifest.json").write_text('{"format": "something else"}')
    with pytest.raises(ResultsError):
        check(tmp_path)
    (tmp_path / "manifest.json").write_text("not json")
    with pytest.raises(ResultsError):
        check(tmp_path)
    assert (tmp_path / "thesis.tex").read_text() == "dear"


def test_folder_that_became_foreign_meanwhile_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(ResultsError), replacing(out) as folder:
        finish(folder)
        out.mkdir()
        (out / "thesis.tex").write_text("dear")
    assert [each.name for each in tmp_path.rglob("*")] == ["out", "thesis.tex"]


def test_empty_folder_is_taken(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    with replacing(out) as folder:
        finish(folder)
    assert (out / "manifest.json").exists()


def test_file_and_unwritable_parent_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ResultsError, match="is a file"):
        check(tmp_path / "file")
    for bad in (tmp_path / "file" / "out", Path("/proc/out")):
        with pytest.raises(ResultsError, match="cannot be written"), replacing(bad):
            pytest.fail("the block must not run")


def test_writer_appends_batches(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    for folder, batches in ((whole, [[0, 1, 2, 5]]), (parts, [[0, 1], [2, 5]])):
        folder.mkdir()
        with Writer(folder, 0, 4) as writer:
            for runs in batches:
                writer.add(made.recording(runs, months=6))
            writer.finish(made.scenario(months=6), {"labs.xai.cash": 1e9}, "test")
    a, b = Results(whole), Results(parts)
    assert a.agents.equals(b.agents)
    assert a.runs.equals(b.runs)
    assert a.manifest["run_numbers"] == "0-2, 5"
    assert a.manifest["overrides"] == {"labs.xai.cash": 1e9}
    assert a.manifest["tables"]["agents"]["rows"] == len(a.agents)
    assert a.manifest["versions"]["gpurush"]
    assert {"compiled", "svml", "seed", "command", "created", "wall_seconds", "runs"} <= set(a.manifest)
    assert a.scenario_toml == made.scenario(months=6).dump_toml()


def test_same_runs_make_the_same_files(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).mkdir()
        with Writer(tmp_path / name, 0, 2) as writer:
            writer.add(made.recording(2, months=6))
            writer.finish(made.scenario(months=6), {}, "test")
    for file in (tmp_path / "a").glob("*.parquet"):
        assert file.read_bytes() == (tmp_path / "b" / file.name).read_bytes()


@pytest.mark.parametrize(
    ("runs", "detail", "period"), [(200, None, "month"), (201, None, "quarter"), (201, "deals", "month")]
)
def test_period_of_deals(tmp_path: Path, runs: int, detail: str | None, period: str) -> None:
    assert Writer(tmp_path, 0, runs, detail).period == period


def test_writer_refuses_what_does_not_fit(tmp_path: Path, recording: Recording) -> None:
    with Writer(tmp_path, 0, 4) as writer:
        writer.add(made.recording([3, 4], months=6))
        with pytest.raises(ValueError, match="comes after run"):
            writer.add(made.recording([4], months=6))
        with pytest.raises(ValueError, match="other names"):
            writer.add(made.recording([5], months=7))


def test_reader_refuses_what_is_not_there(tmp_path: Path, results: Results) -> None:
    with pytest.raises(ResultsError, match="no such folder"):
        Results(tmp_path / "nothing")
    with pytest.raises(ResultsError, match=r"manifest\.json"):
        Results(tmp_path)
    with pytest.raises(ResultsError, match="allowed: agents"):
        results.read("agent")
    with pytest.raises(ResultsError, match="no column 'cash'"):
        results.read("agents", ["cash"])
    assert "20 runs, seed 0" in repr(results)


def test_a_handle_on_results_that_were_replaced_says_so(tmp_path: Path) -> None:
    def made_of(runs: int) -> None:
        with replacing(tmp_path / "x") as folder, Writer(folder, 0, runs) as writer:
            writer.add(made.recording(runs, months=3))
            writer.finish(made.scenario(months=3), {}, "test")

    made_of(4)
    old = Results(tmp_path / "x")
    assert len(old.runs) == 4
    made_of(2)
    with pytest.raises(ResultsError, match="were replaced since they were opened"):
        old.sites  # noqa: B018
    assert len(Results(tmp_path / "x").runs) == 2


def test_span() -> None:
    assert span([17]) == "17"
    assert span([0, 1, 2, 4, 6, 7]) == "0-2, 4, 6-7"
