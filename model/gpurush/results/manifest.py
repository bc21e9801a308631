"""What is written beside every result, so that it can be made again."""

import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from .. import __version__
from .folder import RESULTS

PACKAGES = ("numpy", "numba", "llvmlite", "mesa", "pandas", "pyarrow", "pydantic", "scipy")
"""Packages whose versions a result depends on."""


def versions() -> dict[str, str]:
    """Versions of Python, of gpurush and of the packages below it."""
    found = {"gpurush": __version__, "python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def compiler() -> dict[str, bool]:
    """Whether rules ran compiled and whether Intel's SVML took part, which may change last bits."""
    from numba.core import config

    from ..engine import COMPILED

    return {"compiled": COMPILED, "svml": bool(getattr(config, "USING_SVML", False))}


def span(runs: Sequence[int]) -> str:
    """Run numbers in short: ``0-199``, ``3, 17``."""
    parts: list[list[int]] = []
    for run in runs:
        if parts and run == parts[-1][-1] + 1:
            parts[-1] = [parts[-1][0], run]
        else:
            parts.append([run])
    return ", ".join("-".join(map(str, part)) for part in parts)


def manifest(
    scenario: Any,
    runs: Sequence[int],
    seed: int,
    overrides: Mapping[str, object],
    command: str,
    wall_seconds: float,
    tables: Mapping[str, Mapping[str, object]],
) -> dict[str, Any]:
    """The manifest of a results folder.

    Args:
        scenario: the effective scenario.
        runs: run numbers.
        seed: seed of the ensemble.
        overrides: what was set beside the scenario file.
        command: the command or call that made it.
        wall_seconds: time that the runs and their tables took.
        tables: table -> its rows, file and period.
    """
    return {
        "format": RESULTS,
        "format_version": 1,
        "scenario": {
            "name": scenario.name,
            "title": scenario.title,
            "question": scenario.question,
            "hash": scenario.hash,
            "start": scenario.start,
            "months": scenario.months,
        },
        "overrides": {path: _plain(value) for path, value in overrides.items()},
        "runs": len(runs),
        "run_numbers": span(runs),
        "seed": seed,
        "command": command,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "wall_seconds": round(wall_seconds, 3),
        "versions": versions(),
        "platform": platform.platform(),
        **compiler(),
        "tables": {name: dict(facts) for name, facts in tables.items()},
    }


def _plain(value: object) -> object:
    """A value as JSON takes it."""
    if isinstance(value, bool | str) or value is None:
        return value
    if isinstance(value, int | float) and type(value) in (int, float):
        return value
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return getattr(value, "name", None) or str(value)
