"""Runs an ensemble: an ``Industry`` per batch, batches through any executor, results in run order.

A run depends on its seed and number alone, so batches may be cut and computed in any way. The runner knows
an executor by ``submit`` only: threads (compiled rules release the interpreter lock), processes or those of
another machine.
"""

import gc
import itertools
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from ..usage import LAST_RUN, UsageError, check_seed, run_numbers, whole

if TYPE_CHECKING:
    from ..results.recording import Recording

BATCH = 256
"""Most runs in a batch."""

Progress = Callable[[float, int], None]
"""Told how many runs are done, counting parts of a run, and how many there are."""


class Stopped(Exception):  # noqa: N818 - not an error, and it never reaches a user
    """Ends a batch whose result nobody waits for any more."""


def effective(scenario: Any, overrides: Mapping[str, object] | None = None) -> Any:
    """The scenario that runs: a loaded one as it is, else loaded with the overrides.

    Raises:
        ScenarioError: it cannot be used.
        UsageError: overrides beside a loaded scenario, which has its own.
    """
    if isinstance(scenario, str) or hasattr(scenario, "__fspath__"):
        from ..scenario import load

        return load(scenario, dict(overrides) if overrides else None)
    if not hasattr(scenario, "months"):
        kind = type(scenario).__name__
        raise UsageError(f"scenario: found {kind}, allowed a shipped name, a path, or a loaded scenario")
    if overrides:
        raise UsageError("overrides: found some beside a loaded scenario; give them to scenario.load instead")
    return scenario


def cut(numbers: Sequence[int], batch: int) -> list[list[int]]:
    """Run numbers cut into the fewest batches of at most that size, as equal as can be."""
    pieces = -(-len(numbers) // batch)
    edges = [len(numbers) * piece // pieces for piece in range(pieces + 1)]
    return [list(numbers[low:high]) for low, high in itertools.pairwise(edges)]


def run_batch(
    scenario: Any,
    runs: Sequence[int],
    seed: int,
    tick: Callable[[int], None] | None = None,
) -> "Recording":
    """Runs one batch to the scenario's end.

    Args:
        scenario: a loaded scenario.
        runs: run numbers.
        seed: seed of the ensemble.
        tick: called after each month with the number of runs in the batch.
    """
    from ..industry import Industry

    model = Industry(scenario, runs=list(runs), rng=seed)
    if tick is None:
        model.run_for(scenario.months)
    else:
        for _ in range(scenario.months):
            model.run_for(1)
            tick(len(runs))
    found: Recording = model.recording()
    del model
    gc.collect()  # Model and agents refer to each other: without this several dead batches stay in memory.
    return found


class _Counter:
    """Counts run-months from any thread, tells the progress, and stops batches that are no longer wanted."""

    def __init__(self, progress: Progress | None, total: int, months: int) -> None:
        self.stopped = False
        self._progress, self._total, self._months = progress, total, max(months, 1)
        self._done = 0
        self._lock = threading.Lock()

    def month(self, runs: int) -> None:
        """A month of so many runs is done."""
        if self.stopped:
            raise Stopped
        with self._lock:
            self._done += runs
            if self._progress:
                self._progress(self._done / self._months, self._total)

    def batch(self, runs: int) -> None:
        """A whole batch is done."""
        self.month(runs * self._months)


def simulate(
    scenario: Any,
    runs: int | Sequence[int] = 200,
    seed: int = 0,
    overrides: Mapping[str, object] | None = None,
    batch: int = BATCH,
    executor: Executor | None = None,
    progress: Progress | None = None,
    ahead: int = 2,
) -> "Iterator[Recording]":
    """Runs an ensemble and yields the recording of each batch, in run order.

    Args:
        scenario: a shipped name, the path of a file, or a loaded scenario.
        runs: how many runs, or which.
        seed: seed of the ensemble.
        overrides: dotted path -> value, laid over the scenario.
        batch: most runs in a batch.
        executor: where batches run; here and now if None.
        progress: told of runs done and of all runs; by month where batches share this process's memory.
        ahead: batches given to the executor before the first is taken: what bounds memory.

    Raises:
        UsageError: runs, seed or batch cannot be used.
        ScenarioError: the scenario cannot be used.
    """
    numbers = sorted(run_numbers(runs))
    check_seed(seed)
    pieces = cut(numbers, whole("batch", batch, 1, LAST_RUN, "1 or more"))
    scenario = effective(scenario, overrides)
    counter = _Counter(progress, len(numbers), scenario.months)
    if executor is None:
        return (run_batch(scenario, piece, seed, counter.month) for piece in pieces)
    return _ahead(executor, scenario, pieces, seed, counter, ahead)


def _ahead(
    executor: Executor,
    scenario: Any,
    pieces: list[list[int]],
    seed: int,
    counter: _Counter,
    ahead: int,
) -> "Iterator[Recording]":
    """Batches through an executor, at most ``ahead`` of them under way or waiting to be taken."""
    shared = isinstance(executor, ThreadPoolExecutor)
    left = deque(pieces)
    waiting: deque[tuple[int, Future[Recording]]] = deque()
    try:
        while left or waiting:
            while left and len(waiting) < max(ahead, 1):
                piece = left.popleft()
                tick = counter.month if shared else None
                future = executor.submit(run_batch, scenario, piece, seed, tick)
                waiting.append((len(piece), future))
            size, future = waiting.popleft()
            recording = future.result()
            del future
            if not shared:
                counter.batch(size)
            yield recording
            del recording
    finally:
        counter.stopped = True
        for _, future in waiting:
            future.cancel()
