"""Results: what a run recorded, the tables it becomes, the folder they stand in, and how they are read back.

In the order of reading:

* ``recording``: what a batch of runs hands over, as arrays.
* ``columns``: every table and column with unit and meaning; ``docs/results.md`` is made from it.
* ``tables``, ``deals``: arrays -> tidy Arrow tables.
* ``folder``: a results folder appears whole or not at all, and replaces only one of ours.
* ``manifest``: what is needed to make a result again.
* ``writer``: batch by batch into a folder.
* ``reader``: ``Results``, the frames; ``panel``: the same as arrays over runs and months.

The public names are loaded when first used, so that importing the package loads no pandas.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .errors import ResultsError

if TYPE_CHECKING:
    from .panel import Panel
    from .reader import Results
    from .recording import Recording
    from .writer import Writer

_WHERE = {"Panel": "panel", "Recording": "recording", "Results": "reader", "Writer": "writer"}

__all__ = ["Panel", "Recording", "Results", "ResultsError", "Writer"]


def __getattr__(name: str) -> Any:
    """Loads a public name when it is first used."""
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_WHERE[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(__all__)
