"""Arguments that cannot be used: runs and seeds, and the error that says so. Imports nothing of ours."""

import operator


class UsageError(ValueError):
    """An argument that cannot be used. Its text is one line: what, found, allowed."""

    def __init__(self, text: str) -> None:
        super().__init__(" ".join(text.split()))


LAST_RUN = 2**32 - 1
"""Run numbers are one 32-bit word of a draw's address (``luck.py``)."""

MOST_RUNS = 1_000_000
"""Most runs of one ensemble: a hundred times what any quantile here needs."""

LAST_SEED = 2**63 - 1


def whole(what: str, found: object, low: int, high: int, said: str) -> int:
    """A whole number within bounds.

    Raises:
        UsageError: it is not.
    """
    try:
        if isinstance(found, bool):
            raise TypeError
        number = operator.index(found)  # type: ignore[arg-type]
    except TypeError:
        raise UsageError(f"{what}: found {found!r}, allowed {said}") from None
    if not low <= number <= high:
        raise UsageError(f"{what}: found {number}, allowed {said}")
    return number


def run_numbers(runs: object) -> list[int]:
    """Run numbers: ``200`` means 0 to 199, a sequence the runs it names, in its order.

    Raises:
        UsageError: there is none, one is no run number or is there twice.
    """
    if isinstance(runs, str | bytes) or not hasattr(runs, "__iter__"):
        return list(range(whole("runs", runs, 1, MOST_RUNS, f"1 to {MOST_RUNS:,}")))
    numbers = [whole("runs", run, 0, LAST_RUN, f"run numbers from 0 to {LAST_RUN}") for run in runs]
    if not numbers:
        raise UsageError("runs: found no run number, allowed 1 or more")
    if len(set(numbers)) < len(numbers):
        twice = next(run for run in numbers if numbers.count(run) > 1)
        raise UsageError(f"runs: found run {twice} twice, allowed each once")
    return numbers


def check_seed(seed: object, name: str = "seed") -> int:
    """The seed, if it can be one.

    Raises:
        UsageError: it cannot.
    """
    return whole(name, seed, 0, LAST_SEED, "a whole number from 0 to 2^63 - 1")
