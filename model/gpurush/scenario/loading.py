"""Loading a scenario: files, inheritance, defaults, overrides, checks; and the object that comes out."""

import hashlib
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from ..names import Named
from . import schema as s
from .entries import Event, Lease, Round
from .errors import Fault, ScenarioError, nearest, shown
from .files import Layer, chain, parse, shipped
from .number import Number
from .paths import Place, leaves, numbers_of
from .references import check
from .refusal import refuse
from .tree import OVERRIDE, fill_defaults, mark, merge, origin, plain, put
from .write import toml


@dataclass(frozen=True)
class Scenario:
    """A scenario that has been checked: every block is an attribute, every number a ``Number``.

    ``scenario.labs["xai"].cash.value``, ``scenario.labs["xai"].strategy``,
    ``scenario.markets.gpu.rationing``, ``scenario.foundry.wafers["2023-07"].value``. Scenarios are equal if
    their content is, wherever it was read.

    Attributes:
        name: the name of the file, or the one that ``[scenario]`` gives.
        title: title, one line.
        question: the question that the scenario answers.
        start: first month, ``YYYY-MM``.
        months: number of months.
        document: the whole document, whose tables the attributes below are.
        files: the files it was read from, the deepest base first.
        overrides: the overrides it was loaded with.
        tree: the merged tree, which knows the file of each leaf.
    """

    name: str
    title: str
    question: str
    start: str
    months: int
    research: s.Research
    demand: s.Demand
    markets: s.Markets
    foundry: s.Foundry
    allocation: s.Allocation
    planning: s.Planning
    outside: s.Outside
    chips: dict[str, s.ChipLaunch]
    programmes: dict[str, s.Programme]
    labs: dict[str, s.Lab]
    clouds: dict[str, s.Cloud]
    sisters: dict[str, s.Sister]
    makers: dict[str, s.Maker]
    integrators: dict[str, s.Integrator]
    utilities: dict[str, s.Utility]
    capital: dict[str, s.Investor]
    sites: dict[str, s.Site]
    power: dict[str, s.SitePower]
    leases: list[Lease]
    rounds: list[Round]
    events: list[Event]
    document: s.Document = field(repr=False, compare=False)
    files: tuple[Path, ...] = field(default=(), compare=False)
    overrides: Mapping[str, object] = field(default_factory=dict, compare=False)
    tree: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    def __hash__(self) -> int:
        return int(self.hash[:15], 16)

    @cached_property
    def numbers(self) -> dict[str, Number]:
        """Every number by its dotted path, in the order of the schema and of the file."""
        return numbers_of(self.document)

    @cached_property
    def choices(self) -> dict[str, Named]:
        """Every choice of a rule by its path: ``{"labs.xai.strategy": Strategy.frontier}``."""
        found = {place.path: place.value for place in leaves(self.document) if isinstance(place.value, Named)}
        return {path: value for path, value in found.items() if not path.startswith("events.")}

    @cached_property
    def firms(self) -> dict[str, str]:
        """Name of every firm -> its table, e.g. ``{"xai": "labs"}``."""
        return {name: table for table in s.FIRMS for name in getattr(self, table)}

    def get(self, path: str) -> Number:
        """The number at a dotted path.

        Raises:
            ScenarioError: there is no number of that path.
        """
        if path not in self.numbers:
            raise ScenarioError(
                f"{self.name}: no number has the path {shown(path)}{nearest(path, self.numbers)}"
            )
        return self.numbers[path]

    def origin(self, path: str) -> tuple[str, str]:
        """The file that set a leaf and the key there, which may be one of ``[defaults]``."""
        file, key = origin(
            self.tree, tuple(path.split(".")), self.files[-1].name if self.files else self.name
        )
        return file, ".".join(key)

    def dump_toml(self) -> str:
        """The effective scenario as TOML: no ``extends``, no defaults; it loads to an equal scenario."""
        return toml(self.document)

    @cached_property
    def hash(self) -> str:
        """SHA-256 of the effective scenario, in hex."""
        return hashlib.sha256(self.dump_toml().encode()).hexdigest()


class Shipped(NamedTuple):
    """A scenario that ships with the package."""

    name: str
    title: str
    question: str


def load(
    which: str | os.PathLike[str] = "baseline", overrides: Mapping[str, object] | None = None
) -> Scenario:
    """Loads and checks a scenario.

    Args:
        which: a shipped name such as ``"baseline"``, or the path of a .toml file.
        overrides: dotted path -> number, name, flag or table of a number. A plain number removes the prior.

    Raises:
        ScenarioError: anything is wrong; its text is one line.
    """
    layers = chain(which)
    merged: dict[str, Any] = {}
    for layer in layers:
        merged = merge(merged, mark(_own(layer, layer is layers[-1]), layer.label))
    label = layers[-1].label
    tree = fill_defaults(merged, label)
    document = _validated(tree, label)
    if overrides:
        early = {path: value for path, value in overrides.items() if path.startswith("defaults.")}
        for path, value in early.items():
            merged = put(merged, _default_path(path), value)
        tree = fill_defaults(merged, label)
        places = {place.path: place for place in leaves(document)}
        for path, value in overrides.items():
            if path not in early:
                tree = _override(tree, path, value, places)
        document = _validated(tree, label)
    return _scenario(document, layers, dict(overrides or {}), tree)


def _own(layer: Layer, last: bool) -> dict[str, Any]:
    """What a file says without ``extends``; a base's name is not that of the scenario that extends it."""
    raw = {key: value for key, value in layer.raw.items() if key != "extends"}
    header = raw.get("scenario")
    if isinstance(header, dict) and not last:
        raw["scenario"] = {key: value for key, value in header.items() if key != "name"}
    elif isinstance(header, dict) and "name" not in header:
        raw["scenario"] = {"name": layer.path.stem, **header}
    elif header is None and last:
        raw["scenario"] = {"name": layer.path.stem}
    return raw


def _validated(tree: dict[str, Any], label: str) -> s.Document:
    try:
        document = s.Document.model_validate(plain(tree))
        check(document)
    except (ValidationError, Fault) as error:
        raise refuse(error, tree, label) from None
    return document


def _scenario(
    document: s.Document, layers: list[Layer], overrides: dict[str, object], tree: dict[str, Any]
) -> Scenario:
    header = document.scenario
    blocks = {
        item.name: getattr(document, item.name) for item in fields(Scenario) if hasattr(document, item.name)
    }
    return Scenario(
        name=header.name or layers[-1].path.stem,
        title=header.title,
        question=header.question,
        start=header.start,
        months=header.months,
        **blocks,
        document=document,
        files=tuple(layer.path for layer in layers),
        overrides=overrides,
        tree=tree,
    )


def _default_path(path: str) -> tuple[str, ...]:
    parts = tuple(path.split("."))
    known = [f"defaults.{kind}.{key}" for kind, block in s.BLOCKS.items() for key in block.model_fields]
    if path not in known:
        raise ScenarioError(f"{OVERRIDE} {path}: unknown path{nearest(path, known)}")
    return parts


def _override(tree: dict[str, Any], path: str, value: object, places: Mapping[str, Place]) -> dict[str, Any]:
    """The tree with one override; its path must be a leaf, or a new key in a table of free keys."""
    place = places.get(path)
    table = places.get(path.rpartition(".")[0])
    if place is None and not (table is not None and isinstance(table.value, dict)):
        known = [name for name, item in places.items() if not isinstance(item.value, dict)]
        raise ScenarioError(f"{OVERRIDE} {path}: unknown path{nearest(path, known)}")
    if isinstance(value, Number):
        value = value.model_dump()
    elif isinstance(value, Named):
        value = value.name
    if place is not None and isinstance(place.value, list) and isinstance(value, str):
        value = [part.strip() for part in value.split(",") if part.strip()]
    return {**put(tree, tuple(path.split(".")), value)}


def parse_set(text: str) -> tuple[str, object]:
    """Path and value of a command-line word ``path=value``.

    The value is a number, ``true`` or ``false``, a list in brackets as in TOML, or else a text: a name, a month, names
    joined by commas.

    Raises:
        ScenarioError: there is no ``=``, or nothing on one side of it.
    """
    path, equals, word = (part.strip() for part in text.partition("="))
    if not equals:
        raise ScenarioError(f'{OVERRIDE} {shown(text)}: found no "=", expected path=value')
    if not path or not word:
        raise ScenarioError(
            f"{OVERRIDE} {shown(text)}: found no {'value' if path else 'path'}, expected path=value"
        )
    if word in ("true", "false"):
        return path, word == "true"
    if word.startswith("["):
        try:
            return path, tomllib.loads(f"value = {word}")["value"]
        except tomllib.TOMLDecodeError as error:
            raise ScenarioError(
                f'{OVERRIDE} {shown(text)}: {error}; expected a list such as ["a", "b"]'
            ) from None
    for kind in (int, float):
        try:
            return path, kind(word)
        except ValueError:
            continue
    return path, word


def parse_sets(words: list[str]) -> dict[str, object]:
    """The overrides of several ``path=value``; of two for one path the last counts."""
    return dict(parse_set(word) for word in words)


def paths(scenario: Scenario) -> list[str]:
    """The dotted paths of all numbers."""
    return list(scenario.numbers)


def available() -> list[Shipped]:
    """What ships: name, title and question of each scenario, the baseline first."""
    found = []
    for name, file in shipped().items():
        header = parse(file, file.name).get("scenario", {})
        said = header if isinstance(header, dict) else {}
        found.append(Shipped(name, str(said.get("title", "")), str(said.get("question", ""))))
    return found
