"""Where scenario files are: shipped by name, or anywhere by path; and the chain of files that one extends."""

import os
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from .errors import ScenarioError, listed, nearest, shown

PACKAGE = Path(__file__).resolve().parents[1]
"""Folder of the package ``gpurush``."""


class Layer(NamedTuple):
    """One file of a chain: its path, how it is named in messages, what it says."""

    path: Path
    label: str
    raw: dict[str, Any]


def folder() -> Path:
    """The folder of shipped scenarios: inside an installed package, at the top level of a checkout."""
    inside, checkout = PACKAGE / "scenarios", PACKAGE.parents[1] / "scenarios"
    return inside if inside.is_dir() else checkout


def shipped() -> dict[str, Path]:
    """Name of each shipped scenario -> its file; the baseline first, then by name."""
    found = sorted(folder().glob("*.toml"), key=lambda file: (file.stem != "baseline", file.stem))
    return {file.stem: file for file in found}


def find(which: str | os.PathLike[str], beside: Path | None = None, said: str = "") -> tuple[Path, str]:
    """The file of a scenario and its label in messages.

    Args:
        which: a shipped name, or a path: anything that is a ``Path``, ends in .toml or has a separator.
        beside: the folder that a relative path starts from; the working directory if None.
        said: who asks, to begin an error with.

    Raises:
        ScenarioError: no shipped scenario has that name, or there is no such file.
    """
    text = os.fspath(which)
    if not isinstance(which, str) or text.endswith(".toml") or "/" in text or os.sep in text:
        path = (beside or Path()) / Path(text).expanduser()
        if path.is_dir():
            raise ScenarioError(f"{said}{path}: is a folder, expected a scenario file (.toml)")
        if not path.is_file():
            near = nearest(path.name, _names_in(path.parent))
            raise ScenarioError(f"{said}{path}: no such file{near}")
        return path, str(path)
    names = shipped()
    if text not in names:
        hint = nearest(text, names) or ";"
        known = f"shipped: {listed(names)}; or give a path to a .toml file"
        raise ScenarioError(f"{said}unknown scenario {shown(text)}{hint} {known}")
    return names[text], f"{text}.toml"


def _names_in(place: Path) -> list[str]:
    try:
        return [entry.name for entry in place.iterdir() if entry.suffix == ".toml"]
    except OSError:
        return []


def parse(path: Path, label: str) -> dict[str, Any]:
    """What a file says.

    Raises:
        ScenarioError: it cannot be read or is not TOML; the text has the line.
    """
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise ScenarioError(f"{label}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise ScenarioError(f"{label}: broken TOML: not UTF-8 at byte {error.start}") from None
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ScenarioError(f"{label}: broken TOML: {error}") from None


def chain(which: str | os.PathLike[str]) -> list[Layer]:
    """A scenario's file and all it extends, the deepest base first.

    Raises:
        ScenarioError: a file is missing or broken, or the files extend each other in a circle.
    """
    path, label = find(which)
    layers: list[Layer] = []
    while True:
        raw = parse(path, label)
        layers.insert(0, Layer(path, label, raw))
        if "extends" not in raw:
            return layers
        base = raw["extends"]
        if not isinstance(base, str) or not base:
            raise ScenarioError(f"{label}: extends: found {shown(base)}, expected a scenario's name or path")
        path, label = find(base, path.parent, f"{label}: extends: ")
        names = [layer.label for layer in reversed(layers)]
        if any(layer.path.resolve() == path.resolve() for layer in layers):
            raise ScenarioError(f"{layers[0].label}: extends: circular: {' -> '.join([*names, label])}")
