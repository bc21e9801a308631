"""Fixtures: a minimal scenario on disk, and a way to write another beside it."""

from collections.abc import Callable
from pathlib import Path

import pytest
import scenario_text

from gpurush.scenario import Scenario, ScenarioError, files, load

Write = Callable[[str, str], Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a file ``name.toml`` and gives its path."""

    def put(name: str, text: str) -> Path:
        path = tmp_path / f"{name}.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return put


@pytest.fixture
def small(write: Write) -> Path:
    return write("small", scenario_text.minimal())


@pytest.fixture
def scenario(small: Path) -> Scenario:
    return load(small)


@pytest.fixture
def spoilt(write: Write) -> Callable[..., str]:
    """The error of the minimal scenario with one text replaced, or with a text added at its end."""

    def refused(old: str, new: str) -> str:
        text = scenario_text.minimal()
        assert not old or old in text
        path = write("small", text.replace(old, new, 1) if old else text + new)
        return error_of(lambda: load(path)).replace(str(path), "small.toml")

    return refused


@pytest.fixture
def ship(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Ships a scenario in a folder of its own instead of the real ones."""
    place = tmp_path / "shipped"
    place.mkdir()
    monkeypatch.setattr(files, "folder", lambda: place)

    def put(name: str, text: str) -> Path:
        path = place / f"{name}.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return put


def error_of(act: Callable[[], object]) -> str:
    """The one line of the error that an act raises."""
    with pytest.raises(ScenarioError) as caught:
        act()
    line = str(caught.value)
    assert "\n" not in line
    assert "pydantic" not in line
    assert "Value error" not in line
    return line


@pytest.fixture
def refusal() -> Callable[[Callable[[], object]], str]:
    return error_of
