"""Scenario files as trees whose every leaf knows where it was set: merging, defaults, overrides.

A tree is what TOML gives, tables and lists, but each leaf is a ``Leaf`` with its file and key. So when files
are merged, an error or an explanation can still name the file.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from .errors import Path, ScenarioError, choose
from .number import Number
from .schema import APPENDED, BLOCKS

OVERRIDE = "--set"
"""What stands for the file of a value given by an override."""


BIRTH = ("source", "date", "grade")
"""What says where a value is from."""


class Leaf(NamedTuple):
    """A value, the file that set it and its key there."""

    value: Any
    file: str
    key: Path


def mark(raw: Any, file: str, key: Path = ()) -> Any:
    """The tree of plain data: every leaf marked with its file and key."""
    if isinstance(raw, dict):
        return {name: mark(item, file, (*key, name)) for name, item in raw.items()}
    if isinstance(raw, list | tuple):
        return [mark(item, file, (*key, str(place))) for place, item in enumerate(raw)]
    return Leaf(raw, file, key)


def plain(tree: Any) -> Any:
    """The data of a tree without its marks."""
    if isinstance(tree, dict):
        return {name: plain(item) for name, item in tree.items()}
    if isinstance(tree, list):
        return [plain(item) for item in tree]
    return tree.value


def merge(base: Any, over: Any, path: Path = ()) -> Any:
    """Lays one tree over another.

    Tables merge key by key; ``[[leases]]``, ``[[rounds]]`` and ``[[events]]`` are appended, other lists
    replaced. A plain number over a table of a number is fixed and has no range. A new value has no source, date or
    grade but its own: those of the old one would not be true of it.
    """
    if isinstance(base, dict) and isinstance(over, dict):
        if _is_table_of_number(base) and "value" in over:
            base = {name: item for name, item in base.items() if name not in BIRTH}
        return base | {
            name: merge(base[name], item, (*path, name)) if name in base else item
            for name, item in over.items()
        }
    if isinstance(base, list) and isinstance(over, list) and len(path) == 1 and path[0] in APPENDED:
        return [*base, *over]
    if isinstance(over, Leaf) and _is_number(over.value) and _is_table_of_number(base):
        return {name: item for name, item in base.items() if name not in (*BIRTH, "low", "high", "dist")} | {
            "value": over
        }
    if isinstance(base, Leaf) and _is_number(base.value) and isinstance(over, dict) and "value" not in over:
        return {"value": base} | over
    return over


def _is_table_of_number(tree: Any) -> bool:
    return isinstance(tree, dict) and "value" in tree and tree.keys() <= Number.model_fields.keys()


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def fill_defaults(tree: dict[str, Any], file: str) -> dict[str, Any]:
    """The tree without ``[defaults]``, each of its values in every block of that kind that does not set it.

    Raises:
        ScenarioError: a default of an unknown kind or key.
    """
    defaults = tree.get("defaults", {})
    filled = {name: item for name, item in tree.items() if name != "defaults"}
    if not isinstance(defaults, dict):
        raise ScenarioError(
            f"{defaults.file if isinstance(defaults, Leaf) else file}: defaults: expected a table"
        )
    for kind, block in defaults.items():
        if kind not in BLOCKS:
            raise ScenarioError(f"{file_of(block, file)}: defaults.{kind}: {choose(kind, BLOCKS)}")
        if not isinstance(block, dict):
            raise ScenarioError(f"{file_of(block, file)}: defaults.{kind}: expected a table")
        for name in block:
            if name not in BLOCKS[kind].model_fields:
                found = choose(name, BLOCKS[kind].model_fields)
                raise ScenarioError(
                    f"{file_of(block[name], file)}: defaults.{kind}.{name}: unknown key; {found}"
                )
        named = filled.get(kind)
        if isinstance(named, dict):
            filled[kind] = {
                name: own | {key: item for key, item in block.items() if key not in own}
                if isinstance(own, dict)
                else own
                for name, own in named.items()
            }
    return filled


def put(tree: Any, path: Path, value: Any, done: Path = ()) -> Any:
    """The tree with a value at a path, merged over what is there; tables on the way are made."""
    if not path:
        return merge(tree, mark(value, OVERRIDE, done), done)
    key = path[0]
    if isinstance(tree, list):
        at = int(key)
        return [*tree[:at], put(tree[at], path[1:], value, (*done, key)), *tree[at + 1 :]]
    table: Mapping[str, Any] = tree if isinstance(tree, dict) else {}
    if key in table:
        return {**table, key: put(table[key], path[1:], value, (*done, key))}
    if len(path) == 1:
        return {**table, key: mark(value, OVERRIDE, (*done, key))}
    return {**table, key: put({}, path[1:], value, (*done, key))}


def first_leaf(tree: Any) -> Leaf | None:
    """The first leaf of a tree, or None if it has none."""
    if isinstance(tree, Leaf):
        return tree
    for item in tree.values() if isinstance(tree, dict) else tree:
        if (leaf := first_leaf(item)) is not None:
            return leaf
    return None


def file_of(tree: Any, otherwise: str) -> str:
    """The file that set the first leaf of a tree."""
    leaf = first_leaf(tree)
    return leaf.file if leaf else otherwise


def origin(tree: Any, path: Path, otherwise: str) -> tuple[str, Path]:
    """The file that set a path, and the key there: that of ``[defaults]`` if the value comes from it.

    A path that is not in the tree is said of the file that set the deepest table on the way.
    """
    file, key = otherwise, path
    for place, part in enumerate(path):
        if isinstance(tree, dict) and part in tree:
            tree = tree[part]
        elif isinstance(tree, list) and part.isdigit() and int(part) < len(tree):
            tree = tree[int(part)]
        else:
            break
        leaf = first_leaf(tree)
        if leaf is not None:
            file = leaf.file
            if place == 1 and path[0] in APPENDED:
                key = (*leaf.key[:2], *path[2:])
    if _is_table_of_number(tree):
        tree = tree["value"]
        return tree.file, tree.key[:-1] if tree.key[-1:] == ("value",) else tree.key
    return (tree.file, tree.key) if isinstance(tree, Leaf) else (file, key)
