"""What a path of a scenario means: value, range, unit, meaning, source, and which modules read it."""

import ast
import functools
import textwrap
from dataclasses import dataclass, field
from typing import Any, get_args

from ..names import Named
from .entries import SetEvent
from .errors import ScenarioError, nearest, shown
from .files import PACKAGE
from .loading import Scenario
from .number import DISTS, GRADES, ByName, Number, declared
from .paths import Place, leaves
from .schema import quantity_of
from .write import grouped

RECORDS = {
    "labs": ("lab",),
    "clouds": ("cloud",),
    "sisters": ("sister",),
    "makers": ("maker",),
    "integrators": ("integrator",),
    "utilities": ("utility",),
    "capital": ("investor", "investors"),
    "sites": ("site",),
    "power": ("site", "sites"),
    "chips": ("chip",),
    "programmes": ("programme",),
    "leases": ("lease", "contract", "contracts"),
}
"""Table of a scenario -> what code calls a row of it."""
OF_FIRMS = ("cash", "founded", "owner", "kind")
"""What a firm of any kind has."""
SAID = ("imposed", "source", "note", "question")
"""What is read by people, not by the model."""
BUILD = "build.py"
"""The module that puts in its place what no rule reads by its name."""


@dataclass(frozen=True)
class Explanation:
    """All that is known of a path; printing it gives a few lines.

    Attributes:
        path: the dotted path.
        value: number or text; None for a table.
        unit: unit of a number.
        meaning: what it says.
        low: lower end of the range of a number that has one.
        high: upper end of the range.
        dist: distribution of the prior.
        source: where the value is from.
        date: date of the source.
        grade: letter of ``number.GRADES``.
        file: file that set the value.
        key: its key there, which differs from the path if it comes from ``[defaults]``.
        read_by: modules whose text reads an attribute of that name.
        allowed: allowed names of a choice -> what each does.
        leaves: paths under a table -> their values as text.
    """

    path: str
    value: float | str | None = None
    unit: str = ""
    meaning: str = ""
    low: float | None = None
    high: float | None = None
    dist: str = ""
    source: str = ""
    date: str = ""
    grade: str = ""
    file: str = ""
    key: str = ""
    read_by: tuple[str, ...] = ()
    allowed: dict[str, str] = field(default_factory=dict)
    leaves: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return "\n".join(self._table() if self.leaves else self._leaf())

    def _table(self) -> list[str]:
        width = max(len(path) for path in self.leaves)
        return [self.path, *(f"  {path:<{width}}  {said}" for path, said in self.leaves.items())]

    def _leaf(self) -> list[str]:
        said = grouped(self.value) if isinstance(self.value, float) else self.value
        lines = [f"{self.path} = {said}{'' if self.unit in ('', '1') else ' ' + self.unit}"]
        rows = {
            "meaning": self.meaning,
            "range": self._range(),
            "source": ", ".join(filter(None, (self.source, self.date))),
            "grade": f"{self.grade} ({GRADES[self.grade]})" if self.grade else "",
            "set in": self.file + (f" [{self.key}]" if self.key != self.path else ""),
            "read by": ", ".join(self.read_by),
        }
        for name, row in rows.items():
            folded = textwrap.wrap(row, 88)
            lines += [f"  {name if at == 0 else '':<8} {part}" for at, part in enumerate(folded)]
        lines += [
            f"  {'allowed' if at == 0 else '':<8} {name}: {text}"
            for at, (name, text) in enumerate(self.allowed.items())
        ]
        return lines

    def _range(self) -> str:
        if self.low is None or self.high is None:
            return ""
        return f"{grouped(self.low)} to {grouped(self.high)}, {self.dist}: {DISTS[self.dist]}"


def explain(scenario: Scenario, path: str) -> Explanation:
    """What a path means: a number, a name, or a table, for which it lists what is under it.

    Raises:
        ScenarioError: there is no such path.
    """
    places = {place.path: place for place in leaves(scenario.document)}
    place = places.get(path)
    if place is not None and not isinstance(place.value, dict):
        return _explain_leaf(scenario, place)
    under = {name: _short(item) for name, item in places.items() if name.startswith(f"{path}.")}
    if place is None and not under:
        tables = {name.rsplit(".", depth)[0] for name in places for depth in range(1, name.count(".") + 1)}
        known = [*places, *sorted(tables)]
        raise ScenarioError(f"{scenario.name}: nothing has the path {shown(path)}{nearest(path, known)}")
    return Explanation(path, leaves={name: text for name, text in under.items() if text} or {path: "empty"})


def _explain_leaf(scenario: Scenario, place: Place) -> Explanation:
    file, key = scenario.origin(place.path)
    quantity = quantity_of(place.field)
    common: dict[str, Any] = {
        "path": place.path,
        "meaning": quantity.meaning if quantity else place.field.description or "",
        "file": file,
        "key": key,
        "read_by": _readers(place.path),
    }
    number = place.value
    if not isinstance(number, Number):
        return Explanation(value=_text(number), allowed=_allowed(place), **common)
    common["meaning"] += _target(scenario, place.path)
    return Explanation(
        value=number.value,
        unit=number.unit,
        low=number.low,
        high=number.high,
        dist=number.dist,
        source=number.source or "",
        date=number.date or "",
        grade=number.grade or "",
        **common,
    )


def _target(scenario: Scenario, path: str) -> str:
    """The meaning of the number that a ``set`` event changes."""
    parts = path.split(".")
    event = scenario.events[int(parts[1])] if parts[0] == "events" else None
    quantity = declared(event.path) if isinstance(event, SetEvent) else None
    return f" {event.path}: {quantity.meaning}" if isinstance(event, SetEvent) and quantity else ""


def _attribute(path: str) -> str:
    """The attribute by which code reads a path: not a month, a chip or a holder."""
    parts = path.split(".")
    free = parts[:2] in (["foundry", "wafers"], ["outside", "path"]) or (
        len(parts) == 4 and parts[2] in ("chips", "holders")
    )
    return parts[-2] if free else parts[-1]


def _allowed(place: Place) -> dict[str, str]:
    for part in (*place.field.metadata, *get_args(place.field.annotation)):
        if isinstance(part, ByName):
            return {name: member.help for name, member in part.kind.__members__.items()}
    return {}


def _text(value: object) -> str:
    if isinstance(value, Named):
        return value.name
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return "not set" if value is None else str(value)


def _short(place: Place) -> str:
    """A leaf in one line; nothing for a table and for what is not set."""
    value = place.value
    if isinstance(value, Number):
        span = (
            f" ({grouped(value.low)} to {grouped(value.high)})"
            if value.low is not None and value.high is not None
            else ""
        )
        return f"{grouped(value.value)}{'' if value.unit == '1' else ' ' + value.unit}{span}"
    hidden = value is None or isinstance(value, dict) or (value is False and place.path.endswith(".imposed"))
    return "" if hidden else _text(value)


def readers(attribute: str, *owners: str) -> tuple[str, ...]:
    """Modules of the package whose code reads an attribute, other than those of scenarios.

    Args:
        attribute: its name.
        owners: names of what holds it, as ``lab`` in ``lab.terms.inflow``; without them every attribute counts.
    """
    found = {name: reads[attribute] for name, reads in _reads().items() if attribute in reads}
    return tuple(name for name, chain in found.items() if not owners or chain & set(owners))


def _readers(path: str) -> tuple[str, ...]:
    """Modules that read what stands at a path: from its block, else from the firm, else where the state is built."""
    head, *rest = path.split(".")
    block = rest[0] if head == "markets" else head
    attribute = _attribute(path)
    return (
        readers(attribute, block, *RECORDS.get(block, ()))
        or (readers(attribute, "firm", "firms") if attribute in OF_FIRMS and head != "events" else ())
        or (() if attribute in SAID else (BUILD,))
    )


@functools.cache
def _reads() -> dict[str, dict[str, frozenset[str]]]:
    """Module -> attribute that its code reads -> names on the way to it; texts and comments do not count."""
    found = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        name = file.relative_to(PACKAGE).as_posix()
        if not name.startswith("scenario/"):
            found[name] = _reads_of(ast.parse(file.read_text(encoding="utf-8")))
    return found


def _reads_of(module: ast.Module) -> dict[str, frozenset[str]]:
    reads: dict[str, set[str]] = {}
    functions = [node for node in ast.walk(module) if isinstance(node, ast.FunctionDef)]
    for scope in (*functions, module):
        short = {
            node.targets[0].id: node.value
            for node in ast.walk(scope)
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        }
        for node in ast.walk(scope):
            if isinstance(node, ast.Attribute):
                reads.setdefault(node.attr, set()).update(
                    _names(node.value, {} if scope is module else short)
                )
    return {attribute: frozenset(names) for attribute, names in reads.items()}


def _names(node: ast.expr | None, short: dict[str, ast.expr]) -> set[str]:
    """The names in ``run.utilities[u].terms``; ``short`` holds what local names stand for."""
    names: set[str] = set()
    while node is not None:
        if isinstance(node, ast.Name):
            again = node.id in names
            names.add(node.id)
            node = None if again else short.get(node.id)
        elif isinstance(node, ast.Attribute):
            names.add(node.attr)
            node = node.value
        else:
            node = node.value if isinstance(node, ast.Subscript) else None
    return names
