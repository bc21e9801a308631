"""Ensembles: run numbers, batches, executors, order, stopping."""

from concurrent.futures import Executor, Future, ThreadPoolExecutor

import numpy as np
import pytest
import synthetic_recording as made

from gpurush.experiments import UsageError, simulate
from gpurush.experiments.runner import cut
from gpurush.usage import check_seed, run_numbers


def test_run_numbers() -> None:
    assert run_numbers(3) == [0, 1, 2]
    assert run_numbers([17]) == [17]
    assert run_numbers(np.array([5, 3])) == [5, 3]
    assert run_numbers(range(2)) == [0, 1]
    assert run_numbers(np.int64(2)) == [0, 1]


@pytest.mark.parametrize(
    ("runs", "text"),
    [
        (0, "runs: found 0, allowed 1 to 1,000,000"),
        (-1, "runs: found -1, allowed 1 to 1,000,000"),
        (2.5, "runs: found 2.5, allowed 1 to 1,000,000"),
        (True, "runs: found True, allowed 1 to 1,000,000"),
        ("200", "runs: found '200', allowed 1 to 1,000,000"),
        ([], "runs: found no run number"),
        ([-3], "runs: found -3, allowed run numbers from 0"),
        ([2, 2], "runs: found run 2 twice"),
        ([1.5], "runs: found 1.5"),
    ],
)
def test_bad_run_numbers(runs: object, text: str) -> None:
    with pytest.raises(UsageError) as error:
        run_numbers(runs)
    assert text in str(error.value)
    assert isinstance(error.value, ValueError)


def test_bad_seed() -> None:
    assert check_seed(7) == 7
    for seed in (-1, 2**63, 1.5, "x", None):
        with pytest.raises(UsageError, match="seed: found"):
            check_seed(seed)


def test_batches_are_even() -> None:
    assert cut(range(5), 2) == [[0], [1, 2], [3, 4]]
    assert [len(piece) for piece in cut(range(200), 128)] == [100, 100]
    assert [len(piece) for piece in cut(range(1000), 256)] == [250] * 4
    assert cut([17], 256) == [[17]]


def test_serial(model: type[made.FakeIndustry]) -> None:
    told: list[tuple[float, int]] = []
    found = list(simulate("baseline", 5, 3, batch=2, progress=lambda done, of: told.append((done, of))))
    assert [list(recording.runs) for recording in found] == [[0], [1, 2], [3, 4]] == model.built
    assert told[-1] == (5.0, 5)
    assert told == sorted(told)


class AtOnce(Executor):
    """Runs what it is given at once; it has no more than the interface that the runner may know."""

    def submit(self, function, /, *args, **options):  # type: ignore[no-untyped-def]
        future: Future[object] = Future()
        future.set_result(function(*args, **options))
        return future


@pytest.mark.parametrize("executor", [AtOnce(), ThreadPoolExecutor(3)])
def test_any_executor_gives_the_same_in_run_order(model: type[made.FakeIndustry], executor: Executor) -> None:
    told: list[float] = []
    with executor:
        runs = simulate("baseline", 7, 3, None, 2, executor, lambda done, _: told.append(done))
        found = list(runs)
    alone = list(simulate("baseline", 7, 3, batch=2))
    assert [list(each.runs) for each in found] == [[0], [1, 2], [3, 4], [5, 6]]
    for a, b in zip(found, alone, strict=True):
        assert a.agent_rows.tobytes() == b.agent_rows.tobytes()
    assert told[-1] == 7.0


def test_batches_ahead_are_few(model: type[made.FakeIndustry]) -> None:
    started = simulate("baseline", 10, batch=1, executor=AtOnce(), ahead=2)
    next(started)
    assert len(model.built) == 2
    next(started)
    assert len(model.built) == 3


def test_stopping_ends_threads_soon(model: type[made.FakeIndustry]) -> None:
    model.pause = 0.02
    with ThreadPoolExecutor(2) as pool:
        started = simulate("baseline", 40, batch=4, executor=pool)
        next(started)
        started.close()  # type: ignore[attr-defined]
    assert len(model.built) <= 4


def test_a_fault_comes_through(model: type[made.FakeIndustry]) -> None:
    model.fail_at = 3
    with pytest.raises(RuntimeError, match="not finite"):
        list(simulate("baseline", 2))
    with ThreadPoolExecutor(2) as pool, pytest.raises(RuntimeError, match="not finite"):
        list(simulate("baseline", 2, executor=pool))


def test_mistakes_are_told_before_anything_runs(model: type[made.FakeIndustry]) -> None:
    for bad in ({"runs": 0}, {"seed": -1}, {"batch": 0}):
        with pytest.raises(UsageError):
            simulate("baseline", **bad)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="beside a loaded scenario"):
        simulate(made.scenario(), overrides={"a": 1})
    assert model.built == []
