"""How the catalogue's CSV files are read: one line is one number with its unit, range, source and grade.

The columns are ``name, field, value, low, high, unit, source, grade, note``. A line belongs to the thing in
``name`` (a chip, a rack, a fabric) and to its field of that name; an empty range means the value alone. The
long form lets each number carry its own source, and to correct one number is to change one line.
"""

import csv
import dataclasses
import functools
from collections.abc import Mapping
from enum import StrEnum
from importlib import resources
from types import MappingProxyType
from typing import Any

from .errors import CatalogError

COLUMNS = ("name", "field", "value", "low", "high", "unit", "source", "grade", "note")
"""The head line of every table."""


class Grade(StrEnum):
    """How far a number can be trusted."""

    primary = "P"
    """The maker's or the user's own document."""
    named = "R"
    """The press or an analyst, by name."""
    secondary = "S"
    """Second-hand, or derived from named numbers."""
    guess = "G"
    """A guess of this project, with a wide range."""


@dataclasses.dataclass(frozen=True, slots=True)
class Birth:
    """The birth certificate of one entry: where it comes from and how far to trust it.

    Attributes:
        value: the text of the value as it stands in the table.
        low: lower end of the range; for a number without a range, the number itself; NaN for a word.
        high: upper end of the range, likewise.
        unit: the unit, "1" for a pure number, "" for a word.
        source: the document.
        grade: the grade of the source.
        note: a remark, possibly empty.
    """

    value: str
    low: float
    high: float
    unit: str
    source: str
    grade: Grade
    note: str


def number(text: str, where: str) -> float:
    """The number written in ``text``.

    Raises:
        CatalogError: if it is none; ``where`` says in which place of the tables.
    """
    try:
        return float(text)
    except ValueError:
        raise CatalogError(f"{where}: found {text!r}, a number is needed", text) from None


def birth(line: Mapping[str, str], where: str) -> Birth:
    """Reads one line of a table.

    Raises:
        CatalogError: if the grade is unknown or the source is missing, or if low <= value <= high fails.
    """
    if line["grade"] not in set(Grade) or not line["source"]:
        raise CatalogError(f"{where}: needs a source and a grade out of {', '.join(Grade)}", line["grade"])
    low = high = float("nan")
    if line["unit"] not in ("", "YYYY-MM"):
        value = number(line["value"], where)
        low = number(line["low"] or line["value"], where)
        high = number(line["high"] or line["value"], where)
        if not low <= value <= high:
            text = f"{where}: {value:g} lies outside its range {low:g} to {high:g}"
            raise CatalogError(text, line["value"])
    grade = Grade(line["grade"])
    return Birth(line["value"], low, high, line["unit"], line["source"], grade, line["note"])


@functools.cache
def table(file: str) -> Mapping[str, Mapping[str, Birth]]:
    """The table in ``file`` of this package: name -> field -> entry, in the order of the file.

    Raises:
        CatalogError: if the head line or an entry is wrong, or if an entry stands there twice.
    """
    lines = resources.files(__package__).joinpath(file).read_text(encoding="utf-8").splitlines()
    reader = csv.DictReader(lines, strict=True)
    if tuple(reader.fieldnames or ()) != COLUMNS:
        raise CatalogError(f"{file}: the head line must be {','.join(COLUMNS)}", str(reader.fieldnames))
    found: dict[str, dict[str, Birth]] = {}
    for line in reader:
        where = f"{file}, {line['name']}, {line['field']}"
        entries = found.setdefault(line["name"], {})
        if line["field"] in entries:
            raise CatalogError(f"{where}: stands there twice", line["field"])
        entries[line["field"]] = birth(line, where)
    return MappingProxyType({name: MappingProxyType(entries) for name, entries in found.items()})


def values(file: str, name: str, kind: type[Any], made: tuple[str, ...] = ()) -> dict[str, Any]:
    """The arguments of the dataclass ``kind`` for ``name``, each turned into the type of its field.

    Args:
        file: the table.
        name: whose lines to read.
        kind: the dataclass; a field ``x_low`` or ``x_high`` takes the range of ``x``.
        made: fields that the caller fills in.

    Raises:
        CatalogError: if a field has no line, or a line has no field.
    """
    entries = table(file)[name]
    words: dict[str, Any] = {"births": entries}
    for field in dataclasses.fields(kind):
        if field.name in made or field.name == "births":
            continue
        base, _, end = field.name.rpartition("_")
        ranged = end in ("low", "high") and base in entries
        entry = entries.get(base if ranged else field.name)
        if entry is None:
            raise CatalogError(f"{file}, {name}: the line {field.name!r} is missing", field.name)
        if ranged:
            words[field.name] = getattr(entry, end)
        elif field.type in (float, int):
            words[field.name] = field.type(number(entry.value, f"{file}, {name}, {field.name}"))
        else:
            words[field.name] = entry.value
    unused = entries.keys() - words.keys()
    if unused:
        raise CatalogError(f"{file}, {name}: no field takes the line {min(unused)!r}", min(unused))
    return words
