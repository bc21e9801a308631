"""What users call: run, compare, scenarios, explain, energise, and the Mesa model.

The command line says the same with the same words. Nothing heavy is loaded before a function needs it.
"""

import os
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .usage import UsageError, check_seed, run_numbers

if TYPE_CHECKING:
    from .capacity import EnergisedSite
    from .experiments.comparing import Comparison
    from .industry import Industry
    from .results.reader import Results
    from .scenario import Explanation, Scenario, Shipped

    Which = str | os.PathLike[str] | Scenario

__all__ = ["Industry", "Results", "compare", "energise", "explain", "run", "scenarios"]

BATCH = 64
"""Most runs in a batch: as quick as larger ones on threads, in a quarter of the memory of 256."""

THREADS = 2
"""Most batches at a time: what bounds memory."""


def __getattr__(name: str) -> Any:
    """Loads the Mesa model, or what reads a folder, when it is first asked for."""
    if name == "Industry":
        from .industry import Industry

        return Industry
    if name == "Results":
        from .results.reader import Results

        return Results
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def run(
    scenario: "Which" = "baseline",
    runs: int | Sequence[int] = 200,
    seed: int = 0,
    overrides: Mapping[str, object] | None = None,
    out: str | os.PathLike[str] | None = None,
    figures: bool = True,
    detail: str | None = None,
    progress: Callable[[float, int], None] | None = None,
) -> "Results":
    """Runs an ensemble and writes its results.

    Args:
        scenario: a shipped name, the path of a .toml file, or a loaded scenario.
        runs: how many runs (200 means runs 0 to 199), or the numbers of the runs.
        seed: seed of the ensemble.
        overrides: dotted path -> value, e.g. ``{"labs.xai.strategy": "compute_per_researcher"}``.
        out: results folder; ``results/<scenario>`` if None. Older results there go when the new ones are
            complete.
        figures: whether to draw the figures.
        detail: "deals": a row per month in the table ``deals``, however many the runs.
        progress: called with runs done and all runs.

    Returns:
        the results, read from the folder when used.

    Raises:
        ScenarioError: the scenario or an override cannot be used.
        UsageError: runs, seed or detail cannot be used.
        ResultsError: the folder cannot be used.
        RuntimeError: the model stopped at a fault: a book that does not close, a number that is not finite.
    """
    from .experiments.runner import effective
    from .results.folder import replacing
    from .results.reader import Results

    _check(runs, seed, detail)
    story = effective(scenario, overrides)
    target = Path(out) if out is not None else Path("results") / story.name
    with replacing(target) as folder:
        _write(folder, story, runs, seed, overrides, detail, figures, progress)
    return Results(target)


def compare(
    a: "Which",
    b: "Which",
    runs: int | Sequence[int] = 200,
    seed: int = 0,
    overrides: Mapping[str, object] | None = None,
    out: str | os.PathLike[str] | None = None,
    figures: bool = True,
    detail: str | None = None,
    progress: Callable[[float, int], None] | None = None,
) -> "Comparison":
    """Runs two scenarios with the same luck, run by run, and pairs them.

    Args:
        a: the scenario that is compared with.
        b: the scenario whose effect is asked for: differences are b minus a.
        runs: how many runs of each, or the numbers of the runs.
        seed: seed of both ensembles.
        overrides: dotted path -> value, laid over both.
        out: folder of the comparison; ``results/<a>-vs-<b>`` if None. Both results stand in folders inside
            it, the differences in ``differences.parquet`` and ``summary.txt``.
        figures: whether to draw the figures of both.
        detail: as in ``run``.
        progress: called with runs done and all runs, of both.

    Raises:
        ScenarioError: a scenario or an override cannot be used.
        UsageError: runs, seed or detail cannot be used, or the two do not cover the same months.
        ResultsError: the folder cannot be used.
        RuntimeError: as in ``run``.
    """
    from .experiments.comparing import Comparison
    from .experiments.runner import effective
    from .results.folder import COMPARISON, replacing, write_manifest
    from .results.reader import Results

    count = _check(runs, seed, detail)
    first, second = effective(a, overrides), effective(b, overrides)
    if (first.start, first.months) != (second.start, second.months):
        raise UsageError(f"{first.name} and {second.name} do not cover the same months; pairs need the same")
    names = first.name, second.name if second.name != first.name else f"{second.name}-2"
    target = Path(out) if out is not None else Path("results") / "-vs-".join(names)
    with replacing(target) as folder:
        for at, (name, each) in enumerate(zip(names, (first, second), strict=True)):
            (folder / name).mkdir()
            tell = _shifted(progress, at * count, 2 * count)
            _write(folder / name, each, runs, seed, overrides, detail, figures, tell)
        found = Comparison(Results(folder / names[0]), Results(folder / names[1]))
        found.table().to_parquet(folder / "differences.parquet", index=False)
        (folder / "summary.txt").write_text(found.summary() + "\n", encoding="utf-8")
        inside = {"a": names[0], "b": names[1], "runs": count, "seed": seed, "command": command()}
        write_manifest(folder, {"format": COMPARISON, "format_version": 1, **inside})
    return Comparison(Results(target / names[0]), Results(target / names[1]), target)


def scenarios() -> "list[Shipped]":
    """The scenarios that ship with the package: name, title and question of each."""
    from .scenario import available

    return available()


def explain(
    path: str, scenario: "Which" = "baseline", overrides: Mapping[str, object] | None = None
) -> "Explanation":
    """What a path of a scenario means: value, range, unit, source, who reads it. Print it to read it.

    Args:
        path: a dotted path, e.g. ``labs.openai.cash``, or the start of one.
        scenario: a shipped name, the path of a .toml file, or a loaded scenario.
        overrides: dotted path -> value, as in ``run``.

    Raises:
        ScenarioError: there is no such scenario or path, or an override cannot be used.
    """
    from .experiments.runner import effective
    from .scenario import explain as said

    return said(effective(scenario, overrides), path)


def energise(*args: Any, **options: Any) -> "EnergisedSite":
    """What a site can run of one chip type, and why no more: ``gpurush.capacity.energise``."""
    from .capacity import energise as core

    return core(*args, **options)


def command() -> str:
    """The command or script that runs, as it goes into the manifest."""
    name = Path(sys.argv[0]).name if sys.argv and sys.argv[0] else "python"
    return shlex.join([name, *sys.argv[1:]])


def _check(runs: object, seed: object, detail: str | None) -> int:
    """Refuses arguments that cannot be used; returns the number of runs."""
    check_seed(seed)
    if detail not in (None, "deals"):
        raise UsageError(f"detail: found {detail!r}, allowed: deals")
    return len(run_numbers(runs))


def _shifted(
    progress: Callable[[float, int], None] | None, before: int, total: int
) -> Callable[[float, int], None] | None:
    """The progress of a part of the work as that of the whole."""
    if progress is None:
        return None
    return lambda done, _: progress(before + done, total)


def _write(
    folder: Path,
    scenario: Any,
    runs: int | Sequence[int],
    seed: int,
    overrides: Mapping[str, object] | None,
    detail: str | None,
    figures: bool,
    progress: Callable[[float, int], None] | None,
) -> None:
    """Runs an ensemble into a folder: tables, manifest, summary and figures."""
    from .experiments.runner import simulate
    from .results.folder import write_manifest
    from .results.reader import Results
    from .results.writer import Writer

    numbers = sorted(run_numbers(runs))
    many = len(numbers) > BATCH
    threads: Any = ThreadPoolExecutor(THREADS) if many and (os.cpu_count() or 1) > 1 else nullcontext()
    with threads as pool, Writer(folder, seed, len(numbers), detail) as writer:
        executor: Executor | None = pool
        for recording in simulate(scenario, numbers, seed, None, BATCH, executor, progress, THREADS):
            writer.add(recording)
            del recording  # The next one is made while this name would still hold it.
        made = writer.finish(scenario, dict(overrides or {}), command())
    results = Results(folder)
    (folder / "summary.txt").write_text(results.summary() + "\n", encoding="utf-8")
    if figures:
        from .report.figures import draw_all

        draw_all(results, folder / "figures")
    write_manifest(folder, made)
