"""Shared by all tests: a process of its own, and a made-up recording with its results folder."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import gpurush

sys.path.insert(0, str(Path(__file__).parent / "results"))

import synthetic_recording as made

from gpurush.results.reader import Results
from gpurush.results.recording import Recording
from gpurush.results.writer import Writer

SOURCE = Path(gpurush.__file__).parents[1]


def python(*words: str, env: Mapping[str, str] | None = None, path: str = "") -> list[str]:
    """Runs Python on this package, warnings as errors; gives the printed lines, or fails with what it said."""
    where = os.pathsep.join(filter(None, (str(SOURCE), path)))
    environment = {**os.environ, "PYTHONPATH": where, "PYTHONWARNINGS": "error", **(env or {})}
    done = subprocess.run([sys.executable, *words], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout.splitlines()


@pytest.fixture(scope="session")
def in_process() -> Callable[..., list[str]]:
    return python


@pytest.fixture(scope="session")
def both_ways() -> Callable[[Path], tuple[list[str], list[str]]]:
    """What a script prints with the compiler on, and with it off."""

    def run(script: Path) -> tuple[list[str], list[str]]:
        on, off = (python(str(script), env={"NUMBA_DISABLE_JIT": off}) for off in ("0", "1"))
        return on, off

    return run


@pytest.fixture(scope="session")
def recording() -> Recording:
    return made.recording(20)


@pytest.fixture(scope="session")
def results(recording: Recording, tmp_path_factory: pytest.TempPathFactory) -> Results:
    folder = tmp_path_factory.mktemp("results") / "baseline"
    folder.mkdir()
    with Writer(folder, 0, 20) as writer:
        writer.add(recording)
        writer.finish(made.scenario(), {}, "a test")
    return Results(folder)


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> type[made.FakeIndustry]:
    return made.stand_in(monkeypatch)
