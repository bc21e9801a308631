"""gpurush: an agent-based economic model of the rush for GPUs.

The public names, loaded when first used::

    gpurush.run("baseline", runs=200, seed=7)           one ensemble
    gpurush.compare("baseline", "memphis-late")         paired differences
    gpurush.energise(chip="H100", gpus=100_000, mw=50)  what a site can run, and why no more
    gpurush.Results("results/baseline")                 a folder that was written before
    gpurush.Industry("baseline", runs=1, rng=7)         the Mesa model
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"
__all__ = ["Industry", "Results", "compare", "energise", "explain", "run", "scenarios"]


def __getattr__(name: str) -> Any:
    """Loads a public name when it is first used, so that ``import gpurush`` loads no compiler."""
    if name not in __all__:
        raise AttributeError(f"module 'gpurush' has no attribute {name!r}")
    return getattr(import_module(".api", __name__), name)


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
