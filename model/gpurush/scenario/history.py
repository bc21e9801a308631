"""What a scenario imposes on the model: history and what-ifs that the model does not make itself."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from pydantic import BaseModel

from ..names import Named
from .entries import Entry, Tranche
from .loading import Scenario
from .number import Number
from .write import METADATA, grouped


class Imposed(NamedTuple):
    """One imposed item.

    Attributes:
        path: its dotted path.
        month: the month it is of, or "" for an opening value.
        what: its content, with units.
        source: where it is from.
        grade: how good the source is, a letter of ``number.GRADES``.
    """

    path: str
    month: str
    what: str
    source: str
    grade: str


def imposed(scenario: Scenario) -> list[Imposed]:
    """Every item with ``imposed = true``: numbers, blocks and entries of lists, in the order of the schema.

    Rounds and events are imposed unless they say otherwise, and so is a tranche of power with a month of
    ``energised``. A block or entry is one item with all that it holds.
    """
    return list(_under(scenario.document, ""))


def imposed_table(scenario: Scenario) -> str:
    """The imposed items as a table in Markdown."""
    head = ["| item | month | what is imposed | source | grade |", "|---|---|---|---|---|"]
    rows = [
        f"| {' | '.join(_cell(text) for text in (f'`{row.path}`', *row[1:]))} |" for row in imposed(scenario)
    ]
    return "\n".join([*head, *rows]) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _under(value: Any, path: str) -> Iterator[Imposed]:
    if isinstance(value, Number):
        if value.imposed:
            month = path.rpartition(".")[2] if path.startswith(("foundry.wafers.", "outside.path.")) else ""
            yield Imposed(path, month, _said(value), _source(value), value.grade or "")
    elif isinstance(value, BaseModel):
        if _is_imposed(value):
            yield _item(value, path)
            return
        for name in type(value).model_fields:
            yield from _under(getattr(value, name), f"{path}.{name}" if path else name)
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from _under(item, f"{path}.{name}")
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from _under(item, f"{path}.{place}")


def _is_imposed(model: BaseModel) -> bool:
    known = isinstance(model, Tranche) and model.energised is not None
    return known or bool(getattr(model, "imposed", False))


def _item(model: BaseModel, path: str) -> Imposed:
    """A block or an entry as one row: its month, then every key but the metadata."""
    keys = [name for name in type(model).model_fields if name not in METADATA]
    months = [name for name in ("date", "launch", "energised", "start", "founded", "ready") if name in keys]
    month = next((getattr(model, name) for name in months if getattr(model, name)), "")
    parts = [
        f"{name} {_said(getattr(model, name))}"
        for name in keys
        if getattr(model, name) not in (None, [], {}) and name not in months[:1]
    ]
    inside = [item for item in (getattr(model, name) for name in keys) if isinstance(item, Number)]
    own = model.source if isinstance(model, Entry) and model.source else ""
    sources = dict.fromkeys(filter(None, [own, *map(_source, inside)]))
    grades = dict.fromkeys(item.grade for item in inside if item.grade)
    return Imposed(path, month, ", ".join(parts), "; ".join(sources), " ".join(grades))


def _source(number: Number) -> str:
    return f"{number.source or ''}{f' ({number.date})' if number.date else ''}".strip()


def _said(value: Any) -> str:
    if isinstance(value, Number):
        low, high = value.low, value.high
        span = "" if low is None or high is None else f" ({grouped(low)} to {grouped(high)})"
        return f"{grouped(value.value)}{'' if value.unit == '1' else ' ' + value.unit}{span}"
    if isinstance(value, Named):
        return value.name
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return " + ".join(f"{name} {_said(item)}" for name, item in value.items())
    if isinstance(value, list):
        return (
            f"{len(value)} entries"
            if value and isinstance(value[0], BaseModel)
            else ", ".join(map(str, value))
        )
    return str(value)
