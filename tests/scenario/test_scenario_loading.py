"""Inheritance, defaults, overrides, and the text that a scenario writes."""

import pickle
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
import scenario_text
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpurush.names import Rationing, Strategy
from gpurush.scenario import (
    DISTS,
    GRADES,
    Number,
    Scenario,
    SetEvent,
    available,
    files,
    load,
    parse_set,
    parse_sets,
)
from gpurush.scenario.write import figure, key, text

Write = Callable[[str, str], Path]


def extended(write: Write, body: str, base: str = "small.toml") -> Scenario:
    return load(write("child", f'extends = "{base}"\n{body}'))


def test_a_child_changes_little(small: Path, scenario: Scenario, write: Write) -> None:
    child = extended(write, '[scenario]\ntitle = "Later"\n[markets.gpu]\nrationing = "uniform"\n')
    assert (child.name, child.title, child.question) == ("child", "Later", "Does it load?")
    assert child.markets.gpu.rationing is Rationing.uniform
    assert child.numbers == scenario.numbers
    assert [file.name for file in child.files] == ["small.toml", "child.toml"]


def test_a_plain_number_over_a_table_fixes_it_and_has_no_source_of_the_old_one(
    small: Path, write: Write
) -> None:
    cash = extended(write, "[labs.xai]\ncash = 7e9\n").labs["xai"].cash
    assert cash == Number(value=7e9, unit="USD")
    assert not cash.varies


def test_a_table_over_a_table_replaces_the_keys_it_gives(small: Path, write: Write) -> None:
    cash = extended(write, '[labs.xai]\ncash = { value = 2e9, dist = "uniform" }\n').labs["xai"].cash
    assert (cash.value, cash.low, cash.high, cash.dist, cash.source) == (2e9, 1e9, 5e9, "uniform", None)
    narrow = extended(write, "[labs.xai]\ncash = { low = 2e9 }\n").labs["xai"].cash
    assert (narrow.value, narrow.low, narrow.source, narrow.grade) == (3e9, 2e9, "press", "R")


def test_a_table_over_a_plain_number_gives_it_a_range(small: Path, write: Write) -> None:
    brand = extended(write, "[labs.xai]\nbrand = { low = 0.5, high = 2 }\n").labs["xai"].brand
    assert (brand.value, brand.low, brand.high, brand.dist) == (1.0, 0.5, 2.0, "triangular")


def test_lists_of_events_are_appended_and_other_lists_replaced(small: Path, write: Write) -> None:
    event = '[[events]]\ndate = "2024-01"\nkind = "collapse"\nlessor = "cumulus"\nlessee = "xai"\n'
    lab = '[labs.xai]\nclouds = ["nimbus"]\n'
    tranche = '[[power.memphis.tranches]]\nmw = 1\nrequested = "2024-01"\nboard = false\n'
    child = extended(write, lab + tranche + event)
    assert len(child.events) == 5
    assert child.events[4].date == "2024-01"
    assert child.labs["xai"].clouds == ["nimbus"]
    assert len(child.power["memphis"].tranches) == 1


def test_a_series_merges_by_month(small: Path, write: Write) -> None:
    child = extended(write, "[foundry.wafers]\n2021-01 = 1\n2023-07 = 12000\n")
    assert {month: number.value for month, number in child.foundry.wafers.items()} == {
        "2021-01": 1,
        "2022-12": 9000,
        "2023-07": 12000,
    }
    assert list(child.foundry.wafers) == sorted(child.foundry.wafers)


def test_a_grandchild_and_a_shipped_base(ship: Write, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    ship("baseline", scenario_text.minimal())
    ship(
        "late",
        'extends = "baseline"\n[scenario]\ntitle = "Late"\nquestion = "How late?"\n[outside]\ndemand = 2\n',
    )
    third = extended(write, "[outside]\nprice_elasticity = 3\n", "late")
    assert (third.title, third.outside.demand.value, third.outside.price_elasticity.value) == ("Late", 2, 3)
    assert [file.name for file in third.files] == ["baseline.toml", "late.toml", "child.toml"]
    assert [tuple(item) for item in available()] == [
        ("baseline", "A small world", "Does it load?"),
        ("late", "Late", "How late?"),
    ]
    assert load().name == "baseline"
    assert load("late").origin("outside.demand") == ("late.toml", "outside.demand")


def test_shipped_scenarios_are_in_the_wheel_or_in_the_checkout(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "model" / "gpurush"
    (tmp_path / "scenarios").mkdir()
    package.mkdir(parents=True)
    monkeypatch.setattr(files, "PACKAGE", package)
    assert files.folder() == tmp_path / "scenarios"
    (package / "scenarios").mkdir()
    assert files.folder() == package / "scenarios"


def test_extends_is_relative_to_the_file(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("small", scenario_text.minimal())
    below = tmp_path / "below"
    below.mkdir()
    (below / "child.toml").write_text('extends = "../small.toml"')
    monkeypatch.chdir(below)
    assert load("child.toml") != load("../small.toml")
    assert load("child.toml").numbers == load(tmp_path / "small.toml").numbers


def test_defaults_go_to_every_block_that_does_not_set_them(write: Write) -> None:
    body = (
        scenario_text.minimal()
        + "\n[defaults.clouds]\nown_builder = false\ncash = { value = 5, low = 1, high = 9 }\n"
    )
    body = body.replace("own_builder = true\n", "", 1).replace(
        "[clouds.cumulus]\ncash = 1", "[clouds.cumulus]"
    )
    scenario = load(write("small", body))
    assert (scenario.clouds["cumulus"].own_builder, scenario.clouds["nimbus"].own_builder) == (False, True)
    assert (scenario.clouds["cumulus"].cash.high, scenario.clouds["nimbus"].cash.high) == (9, None)
    assert scenario.labs["xai"].fixed_cost.high == 4
    assert scenario.origin("labs.xai.fixed_cost")[1] == "defaults.labs.fixed_cost"


def test_defaults_of_a_child_reach_the_blocks_of_its_base(small: Path, write: Write) -> None:
    child = extended(write, "[defaults.labs]\nfixed_cost = 3\n[labs.xai]\ninflow = 4\n")
    lab = child.labs["xai"]
    assert (lab.fixed_cost.value, lab.fixed_cost.varies, lab.inflow.value) == (3, False, 4)


def test_overrides_of_every_sort(small: Path, scenario: Scenario) -> None:
    words = [
        "labs.xai.cash=4e9",
        "labs.xai.fixed_cost=9",
        "labs.xai.strategy=compute_per_researcher",
        "labs.xai.founded=2023-03",
        "labs.xai.clouds=nimbus, cumulus",
        "sites.memphis.own_builder=true",
        "sites.memphis.chips.A100=64",
        "foundry.wafers.2024-01=12000",
        "power.memphis.tranches.1.mw=50",
        "events.1.months=12",
        "scenario.months=6",
    ]
    changed = load(small, parse_sets(words))
    lab, site = changed.labs["xai"], changed.sites["memphis"]
    assert lab.cash == Number(value=4e9, unit="USD")
    assert (lab.fixed_cost.value, lab.fixed_cost.varies) == (9, False)
    assert (lab.strategy, lab.founded) == (Strategy.compute_per_researcher, "2023-03")
    assert (lab.clouds, site.own_builder, site.chips["A100"].value) == (["nimbus", "cumulus"], True, 64)
    assert changed.foundry.wafers["2024-01"].value == 12000
    assert [tranche.mw.value for tranche in changed.power["memphis"].tranches] == [8, 50]
    assert changed.get("events.1.months").varies is False
    assert changed.months == 6
    assert changed.origin("labs.xai.cash") == ("--set", "labs.xai.cash")
    assert changed.overrides == parse_sets(words)
    assert load(small) == scenario


def test_overrides_from_python_take_tables_numbers_and_members(small: Path) -> None:
    changed = load(
        small,
        {
            "labs.xai.cash": {"low": 2e9},
            "labs.xai.brand": Number(value=1, low=0, high=2, dist="uniform"),
            "labs.xai.strategy": Strategy.catch_up,
        },
    )
    lab = changed.labs["xai"]
    assert (lab.cash.value, lab.cash.low, lab.cash.high) == (3e9, 2e9, 5e9)
    assert (lab.brand.high, lab.brand.dist, lab.strategy) == (2, "uniform", Strategy.catch_up)


def test_an_override_of_a_default_reaches_all_that_use_it(small: Path) -> None:
    assert load(small, {"defaults.labs.fixed_cost": 8}).labs["xai"].fixed_cost == Number(
        value=8, unit="USD/month"
    )


def test_parse_set() -> None:
    assert parse_set(" a.b = 3 ") == ("a.b", 3)
    assert parse_set("a=0.5") == ("a", 0.5)
    assert parse_set("a=1e9") == ("a", 1e9)
    assert parse_set("a=2023-01") == ("a", "2023-01")
    assert parse_set("a=true") == ("a", True)
    assert parse_set("a=false") == ("a", False)
    assert parse_set("a=x=y") == ("a", "x=y")


def test_the_dump_loads_to_an_equal_scenario(scenario: Scenario, write: Write) -> None:
    again = load(write("scenario", scenario.dump_toml()))
    assert again == scenario
    assert (again.name, again.hash, hash(again)) == (scenario.name, scenario.hash, hash(scenario))
    assert again.dump_toml() == scenario.dump_toml()
    assert tomllib.loads(scenario.dump_toml())["labs"]["xai"]["cash"] == {
        "value": 3e9,
        "low": 1e9,
        "high": 5e9,
        "dist": "triangular",
        "unit": "USD",
        "source": "press",
        "date": "2023-01-31",
        "grade": "R",
    }


def test_the_hash_follows_the_content(small: Path, scenario: Scenario, write: Write) -> None:
    assert load(small, {"labs.xai.brand": 1}).hash == scenario.hash
    assert load(small, {"labs.xai.brand": 2}).hash != scenario.hash
    assert len(scenario.hash) == 64


def test_a_scenario_can_be_sent_to_another_process(scenario: Scenario) -> None:
    again = pickle.loads(pickle.dumps(scenario))
    assert again == scenario
    assert type(again.labs["xai"]) is type(scenario.labs["xai"])


words = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
figures = st.floats(0, 1e15)


@st.composite
def numbers(draw: st.DrawFn) -> Number:
    low, value, high = sorted(draw(st.tuples(figures, figures, figures)))
    dist = draw(st.sampled_from([name for name in DISTS if low > 0 or not name.startswith("log")]))
    ranged = dist != "fixed" or draw(st.booleans())
    return Number(
        value=value,
        low=low if ranged else None,
        high=high if ranged else None,
        dist=dist,  # type: ignore[arg-type]
        unit="USD",
        source=draw(st.none() | words),
        date=draw(st.sampled_from([None, "2023", "2023-02", "2023-02-28"])),
        grade=draw(st.sampled_from([None, *GRADES])),  # type: ignore[arg-type]
        imposed=draw(st.booleans()),
    )


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(number=numbers(), title=words, note=words, share=st.floats(-10, 10))
def test_whatever_is_loaded_survives_the_round_trip(
    small: Path, write: Write, number: Number, title: str, note: str, share: float
) -> None:
    overrides = {
        "labs.xai.cash": number,
        "scenario.title": title,
        "events.0.note": note,
        "labs.xai.brand": share,
    }
    scenario = load(small, overrides)
    assert scenario.labs["xai"].cash == number
    assert (scenario.title, scenario.events[0].note) == (title, note)
    again = load(write("again", scenario.dump_toml()))
    assert again == scenario
    assert again.hash == scenario.hash


@given(st.floats(allow_nan=False, allow_infinity=False), words)
def test_figures_and_texts_are_toml(value: float, word: str) -> None:
    read = tomllib.loads(f"{key(word)} = {figure(value)}\nother.text = {text(word)}")
    assert float(read[word]) == value or word == "other"
    assert word == "other" or read["other"]["text"] == word


def test_a_set_event_knows_the_unit_of_its_number(scenario: Scenario) -> None:
    events = [event for event in scenario.events if isinstance(event, SetEvent)]
    assert [event.value.unit for event in events] == ["USD/month"]
