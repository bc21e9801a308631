"""Fixtures on a made-up recording."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "results"))

import synthetic_recording as made

from gpurush.results.reader import Results
from gpurush.results.recording import Recording
from gpurush.results.writer import Writer


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
