"""Where things stand in a run: the rows of firms, sites and market items, and the place of every number of a scenario.

Numbers go where the field of the same name is: ``labs.xai.cash`` to ``runs["labs"]["terms"]["cash"][:, row]``.
"""

from dataclasses import dataclass
from typing import Any

from . import state
from .catalog.chips import Chip
from .fields import fields_of
from .parameters import GLOBAL, NAMED
from .scenario import Scenario, ScenarioError
from .state import Kind, Sector

TABLES = {
    "labs": Kind.lab,
    "clouds": Kind.cloud,
    "sisters": Kind.sister,
    "makers": Kind.maker,
    "integrators": Kind.integrator,
    "utilities": Kind.utility,
    "capital": Kind.investor,
}
RECORDS = {"capital": "investors"}
"""Table of a scenario -> field of the run, where the names differ."""

BLOCKS = {
    "research": "research",
    "demand": "demand",
    "markets.gpu": "gpu",
    "markets.lease": "lease",
    "markets.power": "power",
    "markets.capital": "capital",
    "markets.transfer": "transfer",
    "foundry": "foundry",
    "allocation": "allocation",
    "planning": "planning",
    "outside": "outside",
}
SECTORS = {
    Sector.buyers: "outside_buyers",
    Sector.renters: "outside_renters",
    Sector.households: "households",
    Sector.world: "rest_of_world",
    Sector.foundry: "foundry",
    Sector.construction: "construction",
}


@dataclass(frozen=True)
class Map:
    """Who is where: names of firms, sites, chips, and the market items, in the order of their rows."""

    firms: list[str]
    kinds: list[str]
    sites: list[str]
    items: list[tuple[str, str]]
    chips: list[str]
    rows: dict[str, int]
    accounts: list[str]

    @property
    def agents(self) -> list[str]:
        """Firms and outside buyers and renters: all that the table ``agents`` reports, without the sectors."""
        return self.firms[: len(self.firms) - self.kinds.count("sector")]


def lay_out(scenario: Scenario) -> Map:
    """Gives every firm and site its row; refuses a scenario that needs more room than a record has."""
    room = {
        "labs": state.LABS,
        "clouds": state.CLOUDS,
        "sisters": state.SISTERS,
        "makers": state.MAKERS,
        "integrators": state.INTEGRATORS,
        "utilities": state.UTILITIES,
        "capital": state.INVESTORS,
        "programmes": state.PROGRAMMES,
        "rounds": state.ROUNDS,
    }
    firms: list[str] = []
    kinds: list[str] = []
    for table, most in room.items():
        used = len(getattr(scenario, table))
        if used > most:
            raise ScenarioError(f"{scenario.name}: {table}: found {used}, allowed at most {most}")
    if len(scenario.sites) + 1 > state.SITES:
        raise ScenarioError(
            f"{scenario.name}: sites: found {len(scenario.sites)}, allowed at most {state.SITES - 1}"
        )
    for table, kind in TABLES.items():
        firms += list(getattr(scenario, table))
        kinds += [kind.name] * len(getattr(scenario, table))
    firms += list(SECTORS.values())
    kinds += ["outside"] * 2 + ["sector"] * 4
    sites = [*scenario.sites, "outside"]
    items = [("gpu", chip.name) for chip in Chip]
    items += [("lease", "H100e")] + [("power", name) for name in scenario.utilities] + [("capital", "equity")]
    if len(firms) > state.FIRMS or len(items) > state.ITEMS:
        raise ScenarioError(f"{scenario.name}: found {len(firms)} firms, allowed at most {state.FIRMS}")
    accounts = firms + [""] * (state.FIRMS - len(firms)) + [f"site {name}" for name in sites]
    accounts += [""] * (state.FOUNDRY_GPUS - len(accounts)) + ["foundry", "scrap"]
    rows = {name: row for row, name in enumerate(firms)}
    return Map(firms, kinds, sites, items, [chip.name for chip in Chip], rows, accounts)


def place(scenario: Scenario, path: str) -> tuple[tuple[str, ...], int | None] | None:
    """Where the number at a path stands in a run: names of nested fields, and the row; None if nowhere."""
    *head, leaf = path.split(".")
    block = ".".join(head)
    if block in BLOCKS and leaf in fields_of(GLOBAL[block]):
        return (BLOCKS[block], leaf), None
    if len(head) == 2 and head[0] in NAMED and leaf in fields_of(NAMED[head[0]]):
        table, name = head
        if table in ("sites", "power"):
            return ("sites", "terms" if table == "sites" else "power", leaf), list(scenario.sites).index(name)
        return (RECORDS.get(table, table), "terms", leaf), list(getattr(scenario, table)).index(name)
    return None


def put(runs: Any, scenario: Scenario, path: str, values: Any) -> bool:
    """Writes the values of a number, shape (runs,), where rules read it; False if no rule does directly."""
    found = place(scenario, path)
    if found is None:
        return False
    names, row = found
    target = runs
    for name in names:
        target = target[name]
    if row is None:
        target[...] = values
    else:
        target[:, row] = values
    return True
