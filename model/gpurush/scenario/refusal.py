"""From what pydantic finds to the one line that a user reads."""

import types
from collections.abc import Mapping
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from .entries import EVENTS, wrong_kind
from .errors import Fault, Path, ScenarioError, listed, nearest, shown
from .number import DISTS, GRADES, Number
from .schema import BLOCKS, Document, quantity_of
from .tree import OVERRIDE, origin

EXPECTED = {
    "float": "a number",
    "finite": "a finite number",
    "string": "a text",
    "bool": "true or false",
    "int": "a whole number",
    "list": "a list",
    "dict": "a table",
    "model": "a table",
}
"""First word of a pydantic error type -> what a user should have written."""


def refuse(error: ValidationError | Fault, tree: Mapping[str, Any], file: str) -> ScenarioError:
    """The error that a user reads: file, key, found, allowed, nearest.

    Args:
        error: what the schema or the references refused; of several errors the first is told, but an unknown
            key before all others, since a misspelt key also makes one missing.
        tree: the marked tree that was checked, to find the file.
        file: the file to name if the place is in none.
    """
    if isinstance(error, Fault):
        path, text = error.path, str(error)
    else:
        found = error.errors(include_url=False)
        first = min(found, key=lambda item: item["type"] != "extra_forbidden")
        path, text = _told(first)
        if first["type"] == "missing":
            text += _also(first, found)
    name, key = origin(tree, path, file)
    return ScenarioError(f"{name}{' ' if name == OVERRIDE else ': '}{'.'.join(key)}: {text}")


def _also(first: Any, found: list[Any]) -> str:
    """The other keys that the same table misses, so that they can be given at once."""
    here = first["loc"][:-1]
    rest = [item["loc"][-1] for item in found if item["type"] == "missing" and item["loc"][:-1] == here]
    return f"; also missing there: {listed(rest[1:])}" if len(rest) > 1 else ""


def _told(error: Any) -> tuple[Path, str]:
    kind, given = error["type"], error["input"]
    path = _clean(error["loc"])
    if kind == "extra_forbidden":
        return path, _unknown(error["loc"], path)
    if kind == "missing":
        return path, _missing(error["loc"], path)
    if kind == "value_error":
        return path, str(error["ctx"]["error"])
    if kind == "union_tag_invalid" or kind == "union_tag_not_found":
        return (*path, "kind"), wrong_kind(given)
    if kind == "literal_error":
        allowed = {"grade": GRADES, "dist": DISTS}.get(path[-1], {})
        return path, f"found {shown(given)}{nearest(given, allowed) or ';'} allowed: {listed(allowed)}"
    word = kind.split("_")[0]
    if word in EXPECTED:
        return path, f"found {shown(given)}, expected {EXPECTED[word]}"
    return path, f"found {shown(given)}, expected {_wanted(error['msg'])}"


def _wanted(message: str) -> str:
    """What pydantic says of a bound or a length, as the end of a sentence."""
    said = message.removeprefix("Input should be ").removeprefix("String should have ")
    said = said.replace("greater than or equal to", "at least").replace("less than or equal to", "at most")
    return said[:1].lower() + said[1:]


def _clean(loc: tuple[int | str, ...]) -> Path:
    """The path of a place, without what pydantic adds: the tag of an event, the mark of a key."""
    parts = [str(part) for part in loc if part != "[key]"]
    if len(parts) > 2 and parts[0] == "events":
        del parts[2]
    return tuple(parts)


def _unknown(loc: tuple[int | str, ...], path: Path) -> str:
    model = model_at(loc[:-1])
    allowed = list(model.model_fields) if model else []
    if model is Document:
        allowed = ["extends", "defaults", *allowed]
    what = f" of an event of kind {loc[2]}" if loc[0] == "events" and len(loc) == 4 else ""
    return f"unknown key{what}{nearest(path[-1], allowed) or ';'} allowed: {listed(allowed)}"


def _missing(loc: tuple[int | str, ...], path: Path) -> str:
    model = model_at(loc[:-1])
    field = model.model_fields.get(path[-1]) if model else None
    quantity = quantity_of(field) if field else None
    where = f" here or in [defaults.{path[0]}]" if len(path) == 3 and path[0] in BLOCKS else ""
    if model is Number:
        return "missing; a table of a number needs its value"
    if quantity is not None and field is not None and field.annotation is Number:
        unit = "" if quantity.unit in (None, "1") else f" in {quantity.unit}"
        return f"missing; give a number{unit} ({quantity.meaning}){where}"
    said = f" ({field.description})" if field is not None and field.description else ""
    return f"missing; give it{said}{where}"


def model_at(loc: tuple[int | str, ...]) -> type[BaseModel] | None:
    """The class of the table at a place of a document, by pydantic's location; None if it is no table."""
    kind: Any = Document
    for part in loc:
        if isinstance(part, str) and part in EVENTS and not _is_model(kind):
            kind = EVENTS[part]
        elif _is_model(kind):
            field: FieldInfo | None = kind.model_fields.get(part)
            kind = field.annotation if field else None
        else:
            arguments = get_args(kind)
            kind = arguments[-1] if arguments else None
        kind = _bare(kind)
    return kind if _is_model(kind) else None


def _bare(kind: Any) -> Any:
    """A type without ``Annotated`` around it and without ``| None`` beside it."""
    while hasattr(kind, "__metadata__"):
        kind = kind.__origin__
    if get_origin(kind) in (Union, types.UnionType):
        rest = [part for part in get_args(kind) if part is not type(None)]
        return _bare(rest[0]) if len(rest) == 1 else kind
    return kind


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)
