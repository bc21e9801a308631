"""Experiments: many runs of the model, in batches, through any executor; and what two ensembles differ by.

* ``runner``: ``simulate`` yields the recording of each batch, in run order.
* ``comparing``: paired differences between two results, with intervals.
* ``compiling``: tells when rules are compiled for the first time.

The public names are loaded when first used, so that importing the package loads no model.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..usage import UsageError

if TYPE_CHECKING:
    from .comparing import Comparison
    from .runner import simulate

_WHERE = {"Comparison": "comparing", "simulate": "runner"}

__all__ = ["Comparison", "UsageError", "simulate"]


def __getattr__(name: str) -> Any:
    """Loads a public name when it is first used."""
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_WHERE[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(__all__)
