"""How a rule that is written for one agent in one run is compiled and applied to all runs.

Three words carry the engine:

* ``record`` turns an annotated class into a NumPy record type of the same name. A whole run is one record,
  the state of a batch is one array of them: the first axis is always the run.
* ``helper`` compiles a function of numbers and records that rules call.
* ``rule`` compiles a function about one agent (or about the whole run) and adds ``rule.all(runs, who)``, which
  applies it to every run of a batch.

With ``NUMBA_DISABLE_JIT=1`` the same source runs as plain Python and gives the same bits: that is the debugger,
the coverage run and the reference. ``docs/engine.md`` tells why it is made this way and what would break the bits.
"""

import ast
import functools
import hashlib
import inspect
import operator
import os
import pathlib
import types
import typing
from collections.abc import Callable
from typing import Any, Protocol, cast

import numba
import numpy as np

from .compiler import as_part, compiled
from .fields import Array, Field, of

__all__ = [
    "COMPILED",
    "LAYOUTS",
    "Array",
    "Field",
    "Rule",
    "cache_folder",
    "helper",
    "of",
    "record",
    "row",
    "rule",
]

COMPILED: bool = not numba.config.DISABLE_JIT
"""Whether rules run compiled in this process."""

NUMBERS: dict[type, str] = {float: "f8", int: "i8", bool: "?"}
"""The only number types in a record: anything narrower gives other bits with the compiler off."""

LAYOUTS: dict[type, np.dtype[Any]] = {}
"""Record class -> its NumPy layout. ``np.zeros(runs, LAYOUTS[Run])`` is the state of a batch."""

FIELDS: dict[type, dict[str, Field]] = {}
"""Record class -> unit and meaning of each of its fields, for documents and for the metadata of results."""

_ROWS: dict[str, Any] = {}


def _column(name: str) -> property:
    def write(self: Any, value: Any) -> None:
        """Sets the field of one record."""
        self[name] = value

    return property(operator.itemgetter(name), write)


def record[T](kind: type[T]) -> type[T]:
    """Turns an annotated class into a NumPy record of the same name and the same fields."""
    columns = []
    fields: dict[str, Field] = {}
    body: dict[str, Any] = {"__slots__": (), "__doc__": kind.__doc__, "__module__": kind.__module__}
    for name, hint in typing.get_type_hints(kind).items():
        inner = typing.get_args(hint)[0] if typing.get_origin(hint) is Array else hint
        fields[name] = getattr(kind, name)
        columns.append((name, LAYOUTS[inner] if inner in LAYOUTS else NUMBERS[inner], fields[name].axes))
        body[name] = _column(name)
    made: Any = type(kind.__name__, (np.void,), body)
    # Under the plain class too: a record may hold blocks that are declared elsewhere (the parameters of a scenario).
    LAYOUTS[made] = LAYOUTS[kind] = np.dtype((made, np.dtype(columns, align=True)))
    FIELDS[made] = FIELDS[kind] = fields
    return cast("type[T]", made)


def rests_on(file: pathlib.Path, found: set[pathlib.Path]) -> set[pathlib.Path]:
    """Adds to ``found`` every file of the package whose text a rule in ``file`` depends on.

    It follows relative imports only; that is why modules with rules use no others within the package.
    """
    found.add(file)
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not (isinstance(node, ast.ImportFrom) and node.level):
            continue
        base = file.parents[node.level - 1].joinpath(*(node.module or "").split("."))
        for near in (base, *(base / name.name for name in node.names)):
            for there in {near.with_suffix(".py"), near / "__init__.py"} - found:
                if there.is_file():
                    rests_on(there, found)
    return found


@functools.cache
def cache_folder(path: str) -> str:
    """The folder of compiled code for the rules in ``path``, named by the text of all they rest on.

    Numba watches only a rule's own file. With this name an edit anywhere below a rule compiles it anew.
    """
    files = sorted(rests_on(pathlib.Path(path).resolve(), set()))
    text = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    root = os.environ.get("NUMBA_CACHE_DIR") or home
    return os.path.join(root, "gpurush", text)


def helper[F: Callable[..., Any]](function: F) -> F:
    """Compiles a function that rules call; without a writable cache it is compiled in every process."""
    if not COMPILED:
        return function
    kept, folder = numba.config.CACHE_DIR, cache_folder(function.__code__.co_filename)
    try:
        os.makedirs(folder, exist_ok=True)
        numba.config.CACHE_DIR = folder
        return cast("F", as_part(compiled(function, cache=True)))
    except (OSError, RuntimeError):
        return cast("F", as_part(compiled(function, cache=False)))
    finally:
        numba.config.CACHE_DIR = kept


class Rule[**P](Protocol):
    """``rule(agent, run)`` acts on one run, ``rule.all(runs, who)`` on every run of a batch."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Applies the rule to one run."""

    def all(self, runs: Any, who: int = ...) -> None:
        """Applies the rule to each run in ``runs``, a state array; ``who`` is the agent's row."""


_rule: Any = None
_row: Any = None


def _over_agents(runs: Any, who: int) -> None:
    for r in range(len(runs)):
        _rule(_row(runs[r], who), runs[r])


def _over_runs(runs: Any) -> None:
    for r in range(len(runs)):
        _rule(runs[r])


def row[F: Callable[..., Any]](about: str) -> Callable[[F], F]:
    """Names the function ``(run, who) -> record`` that finds an agent's record of type ``about`` in a run."""

    def keep(function: F) -> F:
        """Remembers the first function for this record."""
        return cast("F", _ROWS.setdefault(about, helper(function)))

    return keep


def rule[**P](function: Callable[P, None]) -> Rule[P]:
    """Compiles a rule about one agent, ``(agent, run)``, or about one run, ``(run)``.

    The loop over runs is a copy of a template whose global ``_rule`` is this rule: Numba can cache that, while a
    loop that closes over a rule or takes it as an argument is compiled again in every process.
    """
    scalar: Any = helper(function)
    about = next(iter(inspect.signature(function, eval_str=True).parameters.values())).annotation.__name__
    template, mine = (_over_runs if about == "Run" else _over_agents).__code__, function.__code__
    if COMPILED:
        template = template.replace(co_filename=mine.co_filename, co_firstlineno=mine.co_firstlineno)
    names = {
        "_rule": scalar,
        "_row": _ROWS.get(about),
        "__name__": function.__module__,
        "range": range,
        "len": len,
    }
    loop = types.FunctionType(template, names, function.__name__ + "_all")
    loop.__module__, loop.__qualname__ = function.__module__, function.__qualname__ + ".all"
    scalar.all = helper(loop)
    return cast("Rule[P]", scalar)
