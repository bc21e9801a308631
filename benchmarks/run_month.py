"""What a run-month costs, in empty Mesa steps, and which phase of the month it goes to.

Run it with ``PYTHONPATH=model python benchmarks/run_month.py``. Every timed month is paired with empty steps timed
right after it, so that a neighbour on the machine slows both; the figures are medians.
"""

import argparse
import statistics
import sys
import time
from collections import defaultdict
from typing import Any

import mesa

from gpurush.industry import Industry
from gpurush.recorder import Recorder

EMPTY_STEPS = 60


class Empty(mesa.Model):  # type: ignore[misc]
    """A model whose step does nothing."""

    def step(self) -> None:
        pass


def timed(name: str, function: Any, spent: dict[str, float]) -> Any:
    def call(*args: Any) -> Any:
        began = time.perf_counter()
        result = function(*args)
        spent[name] += time.perf_counter() - began
        return result

    return call


def watch(spent: dict[str, float]) -> None:
    """Times every rule that is applied to all runs, and what the industry does in Python."""
    for name, module in list(sys.modules.items()):
        if not name.startswith("gpurush."):
            continue
        for rule in list(vars(module).values()):
            scalar = getattr(rule, "py_func", None)
            if scalar is not None and hasattr(rule, "all") and scalar.__module__ == name:
                rule.all = timed(f"{name.removeprefix('gpurush.')}.{scalar.__name__}", rule.all, spent)
    for owner, name in ((Industry, "_happen"), (Industry, "_raise_fault"), (Recorder, "keep")):
        label = f"{owner.__module__.removeprefix('gpurush.')}.{name}"
        setattr(owner, name, timed(label, getattr(owner, name), spent))


def months(runs: int, batches: int) -> tuple[list[float], list[float]]:
    """Seconds of each month of some batches, and of an empty step beside it."""
    empty = Empty()
    full, bare = [], []
    for _ in range(batches):
        model = Industry("baseline", runs=runs)
        while model.running:
            began = time.perf_counter()
            model.step()
            full.append(time.perf_counter() - began)
            began = time.perf_counter()
            for _ in range(EMPTY_STEPS):
                empty.step()
            bare.append((time.perf_counter() - began) / EMPTY_STEPS)
    return full, bare


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--runs", type=int, default=256, help="runs in a batch")
    parser.add_argument("--batches", type=int, default=5, help="batches timed")
    options = parser.parse_args()
    warm = Industry("baseline", runs=options.runs)
    while warm.running:
        warm.step()
    del warm
    full, bare = months(options.runs, options.batches)
    ratios = [month / options.runs / step for month, step in zip(full, bare, strict=True)]
    least = min(full) / options.runs / min(bare)
    print(f"batch of {options.runs}, {len(full)} months, recording and ledger check on")
    print(f"run-month : empty Mesa step   median {statistics.median(ratios):.1f}   quietest {least:.1f}")
    print(
        f"one batch-month {statistics.median(full) * 1e3:.2f} ms, empty step {statistics.median(bare) * 1e6:.1f} us"
    )
    spent: dict[str, float] = defaultdict(float)
    watch(spent)
    full, _ = months(options.runs, 2)
    total = sum(full)
    print(f"\n{'share of the month':32} {'%':>6}")
    for name, seconds in sorted(spent.items(), key=lambda item: -item[1]):
        print(f"{name:32} {100 * seconds / total:6.1f}")
    books = spent["ledger.open_month"] + spent["ledger.check_books"]
    print(f"\nledger check, opening balances included {100 * books / total:.1f} %")
    print(f"with the recording of rows and deals    {100 * (books + spent['recorder.keep']) / total:.1f} %")


if __name__ == "__main__":
    main()
