"""The command line and the API behind it: what is printed, refused and left behind."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent / "results"))

import synthetic_recording as made

import gpurush
from gpurush import api, cli
from gpurush.experiments import UsageError
from gpurush.results import ResultsError

ROOT = Path(__file__).parents[1]


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> type[made.FakeIndustry]:
    monkeypatch.chdir(tmp_path)
    return made.stand_in(monkeypatch)


def python(code: str) -> str:
    environment = os.environ | {"PYTHONPATH": str(ROOT / "model")}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    return done.stdout


@pytest.mark.parametrize(
    "code",
    [
        "import gpurush; dir(gpurush)",
        "from gpurush.cli import main; main(['scenarios', '--hel'])",
        "from gpurush.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass",
        "from gpurush.cli import main\ntry: main(['run', '--help'])\nexcept SystemExit: pass",
    ],
)
def test_help_is_light(code: str) -> None:
    heavy = "('mesa', 'numba', 'pandas', 'numpy', 'pyarrow', 'matplotlib', 'pydantic')"
    out = python(f"{code}\nimport sys; print('loaded', [name for name in {heavy} if name in sys.modules])")
    assert out.endswith("loaded []\n")


def test_run(model: type[made.FakeIndustry], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["run", "baseline", "--runs", "3", "--seed", "7", "--set", "labs.xai.cash=2e9", "--no-figures"]
    assert cli.main(words) == cli.OK
    out, err = capsys.readouterr()
    assert out.startswith("baseline: The rush as it was\n3 runs, seed 7, 2023-01 to 2024-12")
    assert "with labs.xai.cash = 2000000000.0" in out
    assert out.endswith(f"results in {Path('results', 'baseline')}{os.sep}\n")
    assert "3 of 3 runs" in err
    folder = tmp_path / "results" / "baseline"
    assert sorted(each.name for each in folder.iterdir()) == [
        *("agents.parquet", "deals.parquet", "manifest.json", "markets.parquet", "runs.parquet"),
        *("scenario.toml", "sites.parquet", "summary.txt"),
    ]
    manifest = json.loads((folder / "manifest.json").read_text())
    assert (manifest["seed"], manifest["runs"]) == (7, 3)
    assert manifest["overrides"] == {"labs.xai.cash": 2e9}
    assert "labs.xai.cash" in (folder / "scenario.toml").read_text()


def test_figures_are_in_the_folder(model: type[made.FakeIndustry], tmp_path: Path) -> None:
    results = gpurush.run("baseline", runs=2, out=tmp_path / "x")
    assert sorted(file.name for file in (tmp_path / "x" / "figures").iterdir()) == [
        *("compute.png", "finance.png", "market.png", "site.png")
    ]
    assert "figures/site.png" in results.manifest["files"]


def test_many_runs_go_through_threads_in_order(
    model: type[made.FakeIndustry], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(api, "BATCH", 4)
    results = gpurush.run("baseline", runs=10, out=tmp_path / "x", figures=False)
    assert list(results.runs["run"]) == list(range(10))
    assert sorted(map(len, model.built)) == [3, 3, 4]


def test_one_run_alone_is_the_same(model: type[made.FakeIndustry], tmp_path: Path) -> None:
    alone = gpurush.run("baseline", runs=[7], out=tmp_path / "a", figures=False)
    among = gpurush.run("baseline", runs=9, out=tmp_path / "b", figures=False)
    same = among.agents.query("run == 7").reset_index(drop=True)
    assert alone.agents.equals(same)
    assert alone.manifest["run_numbers"] == "7"


def test_compare(model: type[made.FakeIndustry], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["compare", "baseline", "memphis-late", "--runs", "4", "--no-figures"]) == cli.OK
    out, _ = capsys.readouterr()
    assert out.startswith("memphis-late minus baseline: 4 paired runs")
    assert (tmp_path / "results" / "baseline-vs-memphis-late" / "memphis-late" / "runs.parquet").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["rnu", "baseline"], "did you mean 'run'?"),
        (["run"], "the following arguments are required: NAME"),
        (["run", "baseline", "--rnus", "3"], "found '--rnus', did you mean '--runs'?"),
        (["run", "baseline", "--runs", "0"], "runs: found 0, allowed 1 to 1,000,000"),
        (["run", "baseline", "--runs", "many"], "--runs: found 'many'"),
        (["run", "baseline", "--runs", "3,3"], "runs: found run 3 twice"),
        (["run", "baseline", "--seed", "-1"], "seed: found -1"),
        (["run", "baseline", "--seed", "x"], "--seed: invalid int value"),
        (["run", "baselin"], 'did you mean "baseline"?'),
        (["run", "baseline", "--set", "cash"], 'found no "="'),
        (["run", "baseline", "--detail", "all"], "--detail: found 'all'; allowed: deals"),
        (["run", "baseline", "--out", "/proc/x"], "/proc/x: cannot be written"),
        (["run", "baseline", "--out", "."], ".: is the folder you are in"),
        (["run", "baseline", "--out", ".."], "..: is the folder you are in, or above it"),
        (["run", "baseline", "--runs", "4000000000"], "allowed 1 to 1,000,000"),
        (["run", "baseline", "--set", "labs.xai.clouds=[1"], 'expected a list such as ["a", "b"]'),
        (["capacity", "--chip", "H10"], "unknown chip 'H10'"),
        (["capacity", "--mw", "-5"], "mw is -5"),
        (["capacity", "--gpus", "x"], "--gpus: invalid float value"),
        (["explain", "labs.xai.cahs"], "gpurush:"),
    ],
)
def test_mistakes_are_one_line(
    model: type[made.FakeIndustry], words: list[str], said: str, tmp_path: Path,
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    if words[0] == "explain":
        from gpurush.scenario.errors import ScenarioError

        def refuse(*_: object) -> None:
            raise ScenarioError('nothing has the path "labs.xai.cahs"')

        monkeypatch.setattr("gpurush.scenario.explain", refuse)
    assert cli.main(words) == cli.MISTAKE
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("gpurush: ")
    assert err.count("\n") == 1
    assert said in err
    assert model.built == []
    assert list(tmp_path.iterdir()) == []


def test_foreign_folder_is_refused_before_the_model_runs(
    model: type[made.FakeIndustry], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("dear")
    assert cli.main(["run", "baseline", "--out", "mine"]) == cli.MISTAKE
    assert "not results of gpurush" in capsys.readouterr().err
    assert model.built == []
    with pytest.raises(ResultsError):
        gpurush.run("baseline", out=tmp_path / "mine")


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (KeyboardInterrupt(), cli.INTERRUPTED, "gpurush: stopped; nothing was written\n"),
        (
            RuntimeError("run 3, 2023-02:\ncash"),
            cli.FAULT,
            "gpurush: the model stopped: run 3, 2023-02: cash\n",
        ),
    ],
)
@pytest.mark.parametrize("batch", [64, 2])
def test_a_stop_in_the_middle_leaves_nothing(
    model: type[made.FakeIndustry], monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
    capsys: pytest.CaptureFixture[str], error: BaseException, status: int, said: str, batch: int,
) -> None:  # fmt: skip
    monkeypatch.setattr(api, "BATCH", batch)
    model.fail_at, model.error = 5, error
    assert cli.main(["run", "baseline", "--runs", "6"]) == status
    assert capsys.readouterr().err.endswith(said)
    assert list(tmp_path.iterdir()) == []


def test_older_results_survive_a_stop(model: type[made.FakeIndustry], tmp_path: Path) -> None:
    gpurush.run("baseline", runs=2, figures=False)
    model.fail_at = 5
    assert cli.main(["run", "baseline"]) == cli.FAULT
    model.fail_at = None
    assert len(gpurush.Results("results/baseline").runs) == 2
    assert [each.name for each in (tmp_path / "results").iterdir()] == ["baseline"]


def test_a_programming_error_is_not_hidden(model: type[made.FakeIndustry], tmp_path: Path) -> None:
    model.fail_at, model.error = 5, ZeroDivisionError()
    with pytest.raises(ZeroDivisionError):
        cli.main(["run", "baseline", "--runs", "2"])
    assert list(tmp_path.iterdir()) == []


def test_sigterm_leaves_nothing(tmp_path: Path) -> None:
    code = f"""
import os, signal, sys
sys.path.insert(0, {str(ROOT / "tests" / "results")!r})
import pytest, synthetic_recording as made
with pytest.MonkeyPatch.context() as patch:
    model = made.stand_in(patch)
    plain = model.run_for
    def run_for(self, months):
        os.kill(os.getpid(), signal.SIGTERM)
        plain(self, months)
    model.run_for = run_for
    from gpurush.cli import main
    sys.exit(main(["run", "baseline", "--runs", "2"]))
"""
    environment = os.environ | {"PYTHONPATH": str(ROOT / "model")}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.returncode == cli.TERMINATED, done.stderr
    assert list(tmp_path.iterdir()) == []
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


def test_capacity(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["capacity", "--chip", "H100", "--gpus", "100000", "--mw", "50"]) == cli.OK
    assert "power" in capsys.readouterr().out
    assert cli.main(["capacity", "--gpus", "1000", "--json"]) == cli.OK
    found = json.loads(capsys.readouterr().out)
    assert (found["chip"], found["energised"], found["binding"]) == ("H100", 1000, "nothing")


def test_scenarios(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from gpurush.scenario import Shipped

    shipped = [Shipped("baseline", "The rush", "?"), Shipped("memphis-late", "Late", "?")]
    monkeypatch.setattr("gpurush.scenario.available", lambda: shipped)
    assert cli.main(["scenarios"]) == cli.OK
    assert capsys.readouterr().out == "baseline      The rush\nmemphis-late  Late\n"


def test_explain(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    made.stand_in(monkeypatch)
    monkeypatch.setattr("gpurush.scenario.explain", lambda scenario, path: f"{path} of {scenario.name}")
    assert cli.main(["explain", "labs.xai.cash", "--scenario", "memphis-late"]) == cli.OK
    assert capsys.readouterr().out == "labs.xai.cash of memphis-late\n"


def test_version_and_bare_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        cli.main(["--version"])
    assert stop.value.code == 0
    assert capsys.readouterr().out == f"gpurush {gpurush.__version__}\n"
    assert cli.main([]) == cli.OK
    assert "commands" in capsys.readouterr().out


def test_api_refuses_what_makes_no_sense(model: type[made.FakeIndustry]) -> None:
    for options in ({"runs": 0}, {"seed": -1}, {"detail": "all"}, {"detail": "projects"}):
        with pytest.raises(UsageError):
            gpurush.run("baseline", **options)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="loaded scenario"):
        gpurush.run(made.scenario(), overrides={"a": 1})
    assert gpurush.Industry is model
    with pytest.raises(AttributeError):
        _ = api.nothing


def test_first_compile_is_told_once() -> None:
    out = python("""
import numba
from gpurush.experiments.compiling import on_first_compile
with on_first_compile(lambda: print("compiling")):
    f = numba.njit(lambda x: x + 1)
    f(1); f(1.0)
numba.njit(lambda x: x)(1)
""")
    assert out == "compiling\n"


def test_the_module_is_the_command() -> None:
    said = python(
        "import runpy, sys; sys.argv = ['x', '--version']; runpy.run_module('gpurush', run_name='__main__')"
    )
    assert said == f"gpurush {gpurush.__version__}\n"


def test_the_first_block_of_the_readme_is_two_lines_each_enough_by_itself() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    block = text.split("```")[1].splitlines()[1:]
    assert len(block) == 2
    assert all(line.startswith("python3 -m venv .venv && .venv/bin/pip install") for line in block)
    assert block[0].endswith("&& .venv/bin/gpurush run baseline")
    assert block[1].endswith("&& .venv/bin/python -m pytest")
