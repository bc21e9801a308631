"""The capacity core: what a site can energise, deliver and compute, and why no more.

Rules, compiled, on numbers and arrays:

* ``limits``: the six limits of a site; ``energise_one``, formula C1 for one chip type; whole units.
* ``energising``: several chip types; ``energise_site`` is the quick path of the monthly model.
* ``simplex``: the divisible optimum under several limits, exact, with shadow prices.
* ``fabric``: fat trees, switches, the largest job, the speed that the network leaves.
* ``failures``: time to failure, checkpoint intervals, goodput, spares.
* ``compute``: MFU by job size, effective FLOP/s.

For people: ``energise`` and ``energise_mix`` check their input and answer with a report (``site``, ``mix``,
``network``, ``uptime``, ``inputs``); ``hardware`` gives the catalogue as arrays. ``docs/capacity.md`` has the
formulas and sources.

The public names are loaded when first used, so that importing the package loads no compiler.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .energising import energise_chips, energise_site
    from .mix import EnergisedMix, energise_mix
    from .site import EnergisedSite, energise
    from .uptime import Operation

PUE = 1.25
"""Facility power over IT power where none is given: colocation, 1.20 to 1.30 (``docs/capacity.md``)."""

_WHERE = {
    "EnergisedMix": "mix",
    "EnergisedSite": "site",
    "Operation": "uptime",
    "energise": "site",
    "energise_chips": "energising",
    "energise_mix": "mix",
    "energise_site": "energising",
}

__all__ = [
    "EnergisedMix",
    "EnergisedSite",
    "Operation",
    "energise",
    "energise_chips",
    "energise_mix",
    "energise_site",
]


def __getattr__(name: str) -> Any:
    """Loads a public name when it is first used."""
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_WHERE[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted(__all__)
