"""A document as TOML text that loads to an equal document, the same text every time."""

import json
import math
import re
from typing import Any

from pydantic import BaseModel

from ..names import Named
from .number import Number

METADATA = ("imposed", "source", "note")
"""Keys that stand after what a block or an entry says."""

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml(document: BaseModel) -> str:
    """The whole document: every number as an inline table with unit, range, source, date and grade."""
    lines: list[str] = []
    _table(_items(document), "", lines)
    return "\n".join(lines).strip("\n") + "\n"


def _items(model: BaseModel) -> dict[str, Any]:
    """The keys of a table that its defaults would not give."""
    items = {}
    fields = type(model).model_fields
    for name, field in sorted(fields.items(), key=lambda item: item[0] in METADATA):
        value = getattr(model, name)
        if value is None or (name == "imposed" and value == field.default):
            continue
        items[name] = value
    return items


def _table(items: dict[str, Any], path: str, lines: list[str]) -> None:
    """Writes a table's own keys, then the tables and lists of tables in it."""
    own = {name: value for name, value in items.items() if _is_inline(value)}
    if own and path:
        lines += ["", f"[{path}]"]
    lines += [f"{key(name)} = {_value(value)}" for name, value in own.items()]
    for name, value in items.items():
        at = f"{path}.{key(name)}" if path else key(name)
        if isinstance(value, BaseModel) and not isinstance(value, Number):
            _table(_items(value), at, lines)
        elif isinstance(value, dict):
            _table(value, at, lines)
        elif name not in own:
            for entry in value:
                lines += ["", f"[[{at}]]"]
                lines += [f"{key(inner)} = {_value(item)}" for inner, item in _items(entry).items()]


def _is_inline(value: Any) -> bool:
    if isinstance(value, list):
        return not any(isinstance(item, BaseModel) for item in value)
    return isinstance(value, Number) or not isinstance(value, BaseModel | dict)


def _value(value: Any) -> str:
    if isinstance(value, Number):
        return _number(value)
    if isinstance(value, list):
        return f"[{', '.join(_value(item) for item in value)}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Named):
        return text(value.name)
    if isinstance(value, int | float):
        return figure(value)
    return text(value)


def _number(number: Number) -> str:
    parts = {"value": number.value, "low": number.low, "high": number.high}
    words: dict[str, Any] = {name: value for name, value in parts.items() if value is not None}
    if number.low is not None:
        words["dist"] = number.dist
    words["unit"] = number.unit
    words |= {"source": number.source, "date": number.date, "grade": number.grade}
    words |= {"imposed": True} if number.imposed else {}
    return (
        f"{{ {', '.join(f'{name} = {_value(word)}' for name, word in words.items() if word is not None)} }}"
    )


def figure(value: float) -> str:
    """A number that reads back to the same bits; whole numbers without a fraction."""
    whole = math.isfinite(value) and abs(value) < 1e15 and value == int(value)
    return str(int(value)) if whole else repr(value)


def grouped(value: float) -> str:
    """A number for the eye: thousands are grouped."""
    return f"{int(value):,}" if abs(value) < 1e15 and value == int(value) else repr(value)


def text(value: str) -> str:
    """A TOML string."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def key(name: str) -> str:
    """A TOML key, quoted if it must be."""
    return name if _BARE.fullmatch(name) else text(name)
