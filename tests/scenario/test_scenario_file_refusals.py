"""Files that cannot be read, circles, errors in a file among several, and bad ``--set``: refused in one line."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import scenario_text

from gpurush.scenario import load, parse_set

Write = Callable[[str, str], Path]
Refusal = Callable[..., str]


def test_broken_toml_has_its_line(spoilt: Refusal) -> None:
    assert re.fullmatch(
        r"small\.toml: broken TOML: .*\(at line 2, column 9\)", spoilt('"A small world"', "A small world")
    )


def test_not_utf8(tmp_path: Path, refusal: Refusal) -> None:
    path = tmp_path / "latin.toml"
    path.write_bytes("[scenario]\ntitle = 'é'".encode("latin-1"))
    assert "broken TOML: not UTF-8 at byte 20" in refusal(lambda: load(path))


def test_missing_file_and_its_neighbour(small: Path, refusal: Refusal) -> None:
    line = refusal(lambda: load(small.with_name("smal.toml")))
    assert line.endswith('smal.toml: no such file, did you mean "small.toml"?')
    assert "no such file" in refusal(lambda: load("/nowhere/at/all.toml"))
    assert "is a folder, expected a scenario file" in refusal(lambda: load(small.parent))


def test_unknown_scenario(ship: Write, refusal: Refusal) -> None:
    ship("memphis-late", scenario_text.minimal())
    line = refusal(lambda: load("memphis_late"))
    assert line == (
        'unknown scenario "memphis_late", did you mean "memphis-late"? '
        "shipped: memphis-late; or give a path to a .toml file"
    )


def test_circles_are_refused(write: Write, refusal: Refusal) -> None:
    one = write("one", 'extends = "two.toml"')
    write("two", 'extends = "./three.toml"')
    write("three", 'extends = "one.toml"')
    line = refusal(lambda: load(one))
    assert "three.toml: extends: circular: " in line
    assert line.count("one.toml") == 2
    itself = write("itself", 'extends = "itself.toml"')
    assert "extends: circular" in refusal(lambda: load(itself))


def test_bad_extends(write: Write, refusal: Refusal) -> None:
    assert 'child.toml: extends: unknown scenario "basline"' in refusal(
        lambda: load(write("child", 'extends = "basline"'))
    )
    assert "extends: found 3, expected a scenario's name" in refusal(
        lambda: load(write("child", "extends = 3"))
    )
    assert "no such file" in refusal(lambda: load(write("child", 'extends = "gone.toml"')))


def test_an_empty_file_misses_its_header(write: Write, refusal: Refusal) -> None:
    assert "scenario.title: missing; give it (title, one line)" in refusal(lambda: load(write("empty", "")))
    assert "scenario: found 3, expected a table" in refusal(lambda: load(write("three", "scenario = 3")))


@pytest.mark.parametrize("kind", ["defaults = 3", "[defaults]\nlabs = 3"])
def test_defaults_that_are_no_table(write: Write, refusal: Refusal, kind: str) -> None:
    assert "expected a table" in refusal(lambda: load(write("bad", kind)))


def test_an_error_names_the_file_that_set_the_value(small: Path, write: Write, refusal: Refusal) -> None:
    child = write("child", 'extends = "small.toml"\n[labs.xai]\nbrand = "good"')
    assert refusal(lambda: load(child)).startswith(f"{child}: labs.xai.brand: ")
    text = scenario_text.minimal().replace("\ncapability = 1\n", "\n")
    base = write("small", text)
    child = write("child", 'extends = "small.toml"\n[labs.xai]\nbrand = 2')
    assert refusal(lambda: load(child)).startswith(f"{base}: labs.xai.capability: missing")


def test_an_appended_entry_is_counted_in_its_own_file(small: Path, write: Write, refusal: Refusal) -> None:
    event = '[[events]]\ndate = "2023-09"\nkind = "delay"\nsite = "memphis"\n'
    child = write("child", f'extends = "small.toml"\n{event}')
    assert refusal(lambda: load(child)).startswith(f"{child}: events.0.months: missing")
    child = write("child", f'extends = "small.toml"\n{event}months = "nine"')
    assert refusal(lambda: load(child)).startswith(f"{child}: events.0.months: found")


SETS = {
    "labs.xai.cash": '--set "labs.xai.cash": found no "=", expected path=value',
    "=3": '--set "=3": found no path, expected path=value',
    "labs.xai.cash=": '--set "labs.xai.cash=": found no value, expected path=value',
    "labs.xai.cahs=3": '--set labs.xai.cahs: unknown path, did you mean "labs.xai.cash"?',
    "labs.xay.cash=3": '--set labs.xay.cash: unknown path, did you mean "labs.xai.cash"?',
    "labs.xai=3": "--set labs.xai: unknown path",
    "labs.xai.cash.low=3": '--set labs.xai.cash.low: unknown path, did you mean "labs.xai.cash"?',
    "labs.xai.cash=lots": '--set labs.xai.cash: found "lots", expected a number in USD',
    "labs.xai.cash=nan": "--set labs.xai.cash: found nan, expected a finite number",
    "labs.xai.cash=true": "--set labs.xai.cash: found true, expected a number in USD",
    "labs.xai.cash=-3": "--set labs.xai.cash: found -3, expected 0 or more USD",
    "labs.xai.strategy=fronteer": '--set labs.xai.strategy: found "fronteer", did you mean "frontier"?',
    "labs.xai.founded=2023": "--set labs.xai.founded: found 2023, expected a month written",
    "labs.xai.clouds=cumulus,nimbos": '--set labs.xai.clouds.1: no cloud is named "nimbos"',
    "foundry.wafers.2024=3": '--set foundry.wafers.2024: found "2024", expected a month',
    "foundry.wafers=3": "--set foundry.wafers: found 3, expected a table",
    "defaults.labs.inflw=3": '--set defaults.labs.inflw: unknown path, did you mean "defaults.labs.inflow"?',
    "defaults.labs.inflow=none": "--set defaults.labs.inflow: found",
    "power.memphis.tranches.0.mw=many": '--set power.memphis.tranches.0.mw: found "many", expected a num',
    "power.memphis.tranches.7.mw=1": "--set power.memphis.tranches.7.mw: unknown path",
    "scenario.months=1.5": "--set scenario.months: found 1.5, expected a whole number",
}


@pytest.mark.parametrize(("word", "said"), SETS.items())
def test_a_bad_set_is_told_in_one_line(small: Path, refusal: Refusal, word: str, said: str) -> None:
    assert refusal(lambda: load(small, dict([parse_set(word)]))).startswith(said)
