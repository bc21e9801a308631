"""What a path means, what is imposed."""

from collections.abc import Callable
from pathlib import Path

import pytest

from gpurush.scenario import Scenario, explain, explanation, imposed, imposed_table, load
from gpurush.scenario.explanation import readers


def test_a_number(scenario: Scenario, small: Path) -> None:
    said = explain(scenario, "labs.xai.cash")
    assert (said.value, said.unit, said.meaning) == (3e9, "USD", "cash at the start")
    assert (said.low, said.high, said.dist) == (1e9, 5e9, "triangular")
    assert (said.source, said.date, said.grade, said.file) == ("press", "2023-01-31", "R", str(small))
    assert "scenario/schema.py" not in said.read_by
    assert said.read_by == readers("cash", "firm", "firms")
    text = str(said)
    assert "labs.xai.cash = 3,000,000,000 USD" in text
    assert "1,000,000,000 to 5,000,000,000, triangular" in text
    assert "R (named press report)" in text
    assert "press, 2023-01-31" in text


def test_a_default_and_an_override_say_where_they_come_from(scenario: Scenario, small: Path) -> None:
    assert explain(scenario, "labs.xai.fixed_cost").key == "defaults.labs.fixed_cost"
    assert "[defaults.labs.fixed_cost]" in str(explain(scenario, "labs.xai.fixed_cost"))
    assert explain(load(small, {"labs.xai.cash": 1}), "labs.xai.cash").file == "--set"


def test_a_rule_lists_what_is_allowed(scenario: Scenario) -> None:
    said = explain(scenario, "markets.gpu.rationing")
    assert said.value == "proportional"
    assert list(said.allowed) == ["proportional", "uniform"]
    assert "uniform: equal amounts up to each backlog" in str(said)


def test_a_table_lists_its_leaves(scenario: Scenario) -> None:
    said = explain(scenario, "labs.xai")
    assert said.value is None
    assert said.leaves["labs.xai.cash"] == "3,000,000,000 USD (1,000,000,000 to 5,000,000,000)"
    assert said.leaves["labs.xai.clouds"] == "cumulus, nimbus"
    assert "labs.xai.strategy" in str(said)
    assert set(explain(scenario, "foundry.wafers").leaves) == {
        "foundry.wafers.2022-12",
        "foundry.wafers.2023-07",
    }
    assert "labs.xai.cash" in explain(scenario, "labs").leaves
    assert explain(scenario, "sites.memphis.chips").leaves == {"sites.memphis.chips.H100": "800 GPUs"}


def test_other_leaves(scenario: Scenario) -> None:
    assert explain(scenario, "labs.xai.founded").value == "not set"
    assert explain(scenario, "sites.memphis.own_builder").value == "false"
    assert explain(scenario, "scenario.months").value == "24"
    assert explain(scenario, "foundry.wafers.2022-12").read_by == ("build.py",)
    assert explain(scenario, "sites.memphis.chips.H100").meaning == "chips on the site at the start"
    assert explain(scenario, "events.0.value").meaning.endswith("cost that does not follow compute or people")


def test_no_such_path(scenario: Scenario, refusal: Callable[..., str]) -> None:
    line = refusal(lambda: explain(scenario, "labs.xia"))
    assert line == 'small: nothing has the path "labs.xia", did you mean "labs.xai"?'


def test_what_is_imposed(scenario: Scenario) -> None:
    rows = {row.path: row for row in imposed(scenario)}
    assert list(rows) == [
        "foundry.wafers.2023-07",
        "chips.H100",
        "power.memphis.tranches.0",
        "rounds.0",
        "events.0",
        "events.1",
        "events.2",
        "events.3",
    ]
    assert rows["foundry.wafers.2023-07"][1:] == (
        "2023-07",
        "9,000 wafers/month (8,000 to 9,500)",
        "a report",
        "S",
    )
    assert rows["chips.H100"].month == "2022-10"
    assert rows["chips.H100"].grade == "R"
    assert rows["power.memphis.tranches.0"][1:3] == ("2023-03", "mw 8 MW, requested 2022-06, board false")
    assert rows["events.3"].source == "the press"


def test_the_table_of_imposed_items_is_markdown(scenario: Scenario) -> None:
    lines = imposed_table(scenario).splitlines()
    assert lines[:2] == ["| item | month | what is imposed | source | grade |", "|---|---|---|---|---|"]
    assert len(lines) == 2 + len(imposed(scenario))
    assert all(line.replace("\\|", "").count("|") == 6 for line in lines)
    assert "a \\| list" in lines[3]


def test_readers_are_found_in_code_and_not_in_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "scenario").mkdir()
    for name, code in {
        "rule.py": "x = lab.terms.cash",
        "short.py": "def f(run):\n    terms = run.gpu\n    return terms.horizon",
        "other.py": "run.transfer.horizon",
        "text.py": '"""labs.xai.cash"""  # lab.cash',
        "scenario/own.py": "lab.cash",
    }.items():
        (tmp_path / name).write_text(code)
    monkeypatch.setattr(explanation, "PACKAGE", tmp_path)
    explanation._reads.cache_clear()
    assert readers("cash") == ("rule.py",)
    assert readers("brand") == ()
    assert readers("horizon") == ("other.py", "short.py")
    assert readers("horizon", "gpu") == ("short.py",)
    assert readers("horizon", "transfer", "transfers") == ("other.py",)
    explanation._reads.cache_clear()


def test_who_reads_a_path_is_asked_of_its_block_and_not_of_its_last_word() -> None:
    baseline = load("baseline")
    assert explain(baseline, "outside.utility").read_by == ("build.py",)
    assert explain(baseline, "markets.transfer.horizon").read_by == ("markets/transfers.py",)
    assert explain(baseline, "planning.waiting").read_by == ("agents/plans.py",)
    assert "markets/capital.py" not in explain(baseline, "labs.openai.inflow").read_by
    assert explain(baseline, "capital.venture.inflow_growth").read_by == ("markets/capital.py",)
    assert explain(baseline, "leases.0.source").read_by == ()
