"""The schema says what ``parameters.py`` declares, and a whole scenario becomes attributes."""

import subprocess
import sys
from pathlib import Path

import pytest

from gpurush.catalog import Chip
from gpurush.fields import fields_of
from gpurush.names import AllocationRule, EventKind, Rationing, Strategy
from gpurush.parameters import GLOBAL, NAMED
from gpurush.scenario import (
    CHIPS,
    CollapseEvent,
    DelayEvent,
    NegotiationEvent,
    Number,
    Scenario,
    ScenarioError,
    SetEvent,
    paths,
)
from gpurush.scenario.number import Quantity, declared
from gpurush.scenario.schema import BLOCKS, quantity_of


def block_at(scenario: Scenario, path: str) -> object:
    block: object = scenario
    for part in path.split("."):
        block = getattr(block, part)
    return block


@pytest.mark.parametrize("path", GLOBAL)
def test_every_number_of_a_global_block_is_in_the_schema_with_its_unit(scenario: Scenario, path: str) -> None:
    block = block_at(scenario, path)
    for name, declared_field in fields_of(GLOBAL[path]).items():
        assert getattr(block, name).unit == declared_field.unit
        assert scenario.get(f"{path}.{name}") is getattr(block, name)
        assert declared(f"{path}.{name}") == Quantity.of(declared_field)


@pytest.mark.parametrize("kind", NAMED)
def test_every_number_of_a_named_block_is_in_the_schema_with_its_unit(kind: str) -> None:
    for name, declared_field in fields_of(NAMED[kind]).items():
        assert quantity_of(BLOCKS[kind].model_fields[name]) == Quantity.of(declared_field)
        assert declared(f"{kind}.any.{name}") == Quantity.of(declared_field)


def test_named_blocks_are_those_of_the_parameters() -> None:
    assert BLOCKS.keys() == NAMED.keys()


def test_chips_are_those_of_the_catalogue() -> None:
    assert tuple(chip.name for chip in Chip) == CHIPS
    assert CHIPS == ("A100", "H100", "H200", "B200", "GB200", "GB300", "VR200", "MI300X", "MI355X", "MI450")


def test_header_and_names(scenario: Scenario, small: Path) -> None:
    assert (scenario.name, scenario.title, scenario.question) == ("small", "A small world", "Does it load?")
    assert (scenario.start, scenario.months, scenario.files) == ("2023-01", 24, (small,))
    assert scenario.firms["xai"] == "labs"
    assert scenario.firms["fund"] == "capital"


def test_rules_are_members(scenario: Scenario) -> None:
    lab = scenario.labs["xai"]
    assert scenario.markets.gpu.rationing is Rationing.proportional
    assert lab.strategy is Strategy.frontier
    assert lab.top_rule is AllocationRule.fixed_share
    assert lab.applied_rule is AllocationRule.equal_marginal_value
    assert scenario.choices == {
        "markets.gpu.rationing": Rationing.proportional,
        "labs.xai.strategy": Strategy.frontier,
        "labs.xai.top_rule": AllocationRule.fixed_share,
        "labs.xai.research_rule": AllocationRule.weighted_max_min,
        "labs.xai.applied_rule": AllocationRule.equal_marginal_value,
    }


def test_what_is_not_a_number(scenario: Scenario) -> None:
    lab, site, power = scenario.labs["xai"], scenario.sites["memphis"], scenario.power["memphis"]
    assert (lab.kind, lab.owner, lab.founded, lab.clouds) == ("startup", "group", None, ["cumulus", "nimbus"])
    assert lab.holders["fund"].high == 0.2
    assert (site.owner, site.utility, site.fabric, site.ready) == ("xai", "mlgw", "Ethernet", "2023-06")
    assert site.own_builder is False
    assert site.chips["H100"].value == 800
    assert scenario.clouds["cumulus"].own_builder is True
    assert scenario.makers["nvidia"].chips == ["A100", "H100"]
    assert [tranche.energised for tranche in power.tranches] == ["2023-03", None]
    assert scenario.capital["fund"].role == "equity"
    assert scenario.programmes["llm"].side == "research"
    assert scenario.chips["H100"].launch == "2022-10"


def test_series_and_lists(scenario: Scenario) -> None:
    assert list(scenario.foundry.wafers) == ["2022-12", "2023-07"]
    assert scenario.outside.path["2023-01"].unit == "H100e"
    assert scenario.leases[0].rent == Number(value=2.5, unit="USD/GPU-hour")
    assert scenario.rounds[0].imposed
    kinds = (SetEvent, DelayEvent, NegotiationEvent, CollapseEvent)
    assert tuple(type(event) for event in scenario.events) == kinds
    assert [event.kind for event in scenario.events] == list(EventKind)
    first = scenario.events[0]
    assert isinstance(first, SetEvent)
    assert first.value == Number(value=5, unit="USD/month")


def test_paths_are_all_numbers(scenario: Scenario) -> None:
    assert paths(scenario) == list(scenario.numbers)
    expected = (
        "labs.xai.cash foundry.wafers.2023-07 outside.path.2023-01 sites.memphis.chips.H100 "
        "labs.xai.holders.fund labs.xai.fixed_cost "
        "power.memphis.tranches.1.mw chips.H100.price programmes.llm.value leases.0.rent rounds.0.amount "
        "events.1.months markets.gpu.order_inflation_cap capital.fund.dry_powder outside.demand"
    )
    assert set(expected.split()) <= scenario.numbers.keys()
    assert all(isinstance(number, Number) for number in scenario.numbers.values())


def test_get_says_the_nearest(scenario: Scenario) -> None:
    with pytest.raises(
        ScenarioError, match=r'no number has the path "labs.xai.cahs", did you mean "labs.xai.cash"'
    ):
        scenario.get("labs.xai.cahs")


def test_nothing_changes_later(scenario: Scenario) -> None:
    with pytest.raises(AttributeError):
        scenario.months = 3  # type: ignore[misc]
    with pytest.raises(ValueError, match="frozen"):
        scenario.labs["xai"].cash.value = 3.0


def test_importing_loads_no_compiler(small: Path) -> None:
    code = (
        "import sys; from gpurush.scenario import load, explain, available, imposed_table\n"
        f"s = load({str(small)!r}); available(); str(explain(s, 'labs.xai.cash')); imposed_table(s); s.hash\n"
        "print([name for name in ('numba', 'mesa', 'pandas', 'scipy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
