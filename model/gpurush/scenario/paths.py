"""Dotted paths: every leaf of a document by its place."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from .number import Number
from .schema import quantity_of


class Place(NamedTuple):
    """A leaf of a document: its dotted path, its value and the field that declares it."""

    path: str
    value: Any
    field: FieldInfo


def leaves(model: BaseModel, head: str = "") -> Iterator[Place]:
    """Every leaf under a table, in the order of the schema and of the file.

    Leaves are numbers, names, months, flags, lists of names, optional keys that are not set (None), and the
    tables of numbers whose keys are free, such as ``foundry.wafers``, before the numbers in them.
    """
    for name, field in type(model).model_fields.items():
        yield from _under(getattr(model, name), f"{head}{name}", field)


def _under(value: Any, path: str, field: FieldInfo) -> Iterator[Place]:
    if isinstance(value, BaseModel) and not isinstance(value, Number):
        yield from leaves(value, f"{path}.")
    elif isinstance(value, dict):
        if quantity_of(field) is not None:
            yield Place(path, value, field)
        for key, item in value.items():
            yield from _under(item, f"{path}.{key}", field)
    elif isinstance(value, list) and value and isinstance(value[0], BaseModel):
        for place, item in enumerate(value):
            yield from _under(item, f"{path}.{place}", field)
    else:
        yield Place(path, value, field)


def numbers_of(model: BaseModel) -> dict[str, Number]:
    """Dotted path of every number under a table -> the number."""
    return {place.path: place.value for place in leaves(model) if isinstance(place.value, Number)}
