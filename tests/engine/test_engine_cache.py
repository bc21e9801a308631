"""The cache of compiled rules: an edit anywhere below a rule compiles it anew; no writable place is no failure."""

import os
from pathlib import Path

import pytest

from gpurush import engine

FILES = {
    "__init__.py": "",
    "constants.py": "FACTOR = 2.0\n",
    "inner.py": "from gpurush.engine import helper\nfrom .constants import FACTOR\n\n\n@helper\n"
    "def scaled(x: float) -> float:\n    return FACTOR * x\n",
    "outer.py": "from gpurush.engine import helper\nfrom .inner import scaled\n\n\n@helper\n"
    "def plus_one(x: float) -> float:\n    return scaled(x) + 1.0\n",
    "aside.py": "NOTHING = 0\n",
}
CALL = "from tiny.outer import plus_one; print(plus_one(3.0))"
STALE = "from tiny.outer import plus_one; plus_one(3.0); print(sum(plus_one.stats.cache_hits.values()))"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "tiny"
    folder.mkdir()
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def call(package: Path, tmp_path: Path, in_process):
    """Calls the outer helper in a process of its own, with a cache of its own."""

    def run(code: str = CALL, cache: Path | None = None) -> str:
        places = {"NUMBA_CACHE_DIR": str(cache or tmp_path / "cache"), "NUMBA_DISABLE_JIT": "0"}
        [line] = in_process("-c", code, env=places, path=str(package.parent))
        return line

    return run


def folder_of(file: Path) -> str:
    engine.cache_folder.cache_clear()
    return engine.cache_folder(str(file))


def test_a_rule_rests_on_all_that_it_imports_and_nothing_else(package):
    found = engine.rests_on(package / "outer.py", set())
    assert {file.name for file in found} == {"outer.py", "inner.py", "constants.py"}


def test_the_folder_changes_with_any_file_below(package):
    before = folder_of(package / "outer.py")
    (package / "aside.py").write_text("NOTHING = 1\n")
    assert folder_of(package / "outer.py") == before
    (package / "constants.py").write_text("FACTOR = 3.0\n")
    assert folder_of(package / "outer.py") != before


def test_the_folder_stands_where_the_environment_says(package, monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "a"))
    assert folder_of(package / "outer.py").startswith(str(tmp_path / "a"))
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "b"))
    assert folder_of(package / "outer.py").startswith(str(tmp_path / "b"))
    engine.cache_folder.cache_clear()


@pytest.mark.slow
def test_an_edited_constant_two_files_away_is_seen(package, call):
    assert call() == "7.0"
    assert call(STALE) == "1", "the second process compiles nothing"
    (package / "constants.py").write_text("FACTOR = 3.0\n")
    assert call() == "10.0"


@pytest.mark.slow
def test_without_a_writable_cache_rules_run_all_the_same(call, tmp_path):
    in_the_way = tmp_path / "a file"
    in_the_way.write_text("")
    assert call(cache=in_the_way / "cache") == "7.0"
    assert not os.path.isdir(in_the_way)
