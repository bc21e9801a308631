"""The command ``gpurush``: parses words, calls the API, prints.

Exit status: 0; 2 for a user's mistake, said in one line; 1 for a fault of the model; 130 after Ctrl-C.
"""

import argparse
import difflib
import json
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from . import __version__, api
from .capacity import PUE
from .results.errors import ResultsError
from .usage import UsageError

OK, FAULT, MISTAKE, INTERRUPTED, TERMINATED = 0, 1, 2, 130, 143


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, with the nearest word that would do."""

    def error(self, message: str) -> NoReturn:
        """Refuses the command line.

        Raises:
            UsageError: always.
        """
        raise UsageError(f"{message} (gpurush --help)")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            names = [str(name) for name in action.choices]
            what = action.option_strings[0] if action.option_strings else "command"
            hint = nearest(str(value), names)
            raise UsageError(f"{what}: found {str(value)!r}{hint}; allowed: {', '.join(names)}")

    def options(self) -> list[str]:
        """Every long option of this parser and of its commands."""
        found = []
        for action in self._actions:
            found += [word for word in action.option_strings if word.startswith("--")]
            if isinstance(action, argparse._SubParsersAction):
                for command in action.choices.values():
                    found += command.options()
        return list(dict.fromkeys(found))


def nearest(word: str, names: Sequence[str]) -> str:
    """``, did you mean 'run'?``, or nothing."""
    found = difflib.get_close_matches(word, names, 1, 0.6)
    return f", did you mean {found[0]!r}?" if found else ""


def numbers(text: str) -> int | list[int]:
    """``200`` is so many runs, ``3,17`` are these runs (``17,`` that one)."""
    try:
        if "," in text:
            return [int(part) for part in text.split(",") if part.strip()]
        return int(text)
    except ValueError:
        said = "a number of runs, or run numbers such as 3,17"
        raise argparse.ArgumentTypeError(f"found {text!r}, allowed {said}") from None


def common(command: argparse.ArgumentParser) -> None:
    """The options of commands that run the model."""
    command.add_argument(
        "--set", action="append", default=[], metavar="PATH=VALUE", help="set a value; may be repeated"
    )
    command.add_argument(
        "--runs", type=numbers, default=200, metavar="N", help="how many runs (200), or which: 3,17"
    )
    command.add_argument("--seed", type=int, default=0, metavar="S", help="seed of the ensemble (0)")
    command.add_argument("--out", metavar="DIR", help="results folder (results/NAME)")
    command.add_argument(
        "--detail", choices=("deals",), help="deals: keep them by month however many the runs"
    )
    command.add_argument("--no-figures", action="store_true", help="draw no figures")


def parser() -> Parser:
    """The grammar of the command line."""
    top = Parser(
        allow_abbrev=False,
        prog="gpurush",
        description="An agent-based economic model of the rush for GPUs.",
        epilog="gpurush COMMAND --help says more about a command.",
    )
    top.add_argument("--version", action="version", version=f"gpurush {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    commands.add_parser("scenarios", allow_abbrev=False, help="what ships, one line each")
    run = commands.add_parser("run", allow_abbrev=False, help="one ensemble: a summary, results and figures")
    run.add_argument("scenario", metavar="NAME", help="a shipped scenario or a .toml file")
    common(run)
    compare = commands.add_parser(
        "compare", allow_abbrev=False, help="two scenarios with the same luck: paired differences"
    )
    compare.add_argument("a", metavar="A", help="the scenario that is compared with")
    compare.add_argument("b", metavar="B", help="the scenario whose effect is asked for")
    common(compare)
    capacity = commands.add_parser(
        "capacity", allow_abbrev=False, help="what a site can run, and why no more"
    )
    capacity.add_argument("--chip", default="H100", help="chip type (H100)")
    capacity.add_argument("--gpus", type=float, default=100_000, help="GPUs delivered (100000)")
    capacity.add_argument("--mw", type=float, default=50.0, help="facility power, MW (50)")
    capacity.add_argument("--pue", type=float, default=PUE, help=f"facility power over IT power ({PUE})")
    capacity.add_argument("--it-kw", type=float, help="IT kW per GPU (the catalogue's)")
    capacity.add_argument("--fabric", help="back-end fabric, for a report on the network")
    capacity.add_argument("--json", action="store_true", help="print JSON")
    explain = commands.add_parser(
        "explain", allow_abbrev=False, help="value, range, unit, source of a path, who reads it"
    )
    explain.add_argument("path", metavar="PATH", help="a dotted path such as labs.openai.cash")
    explain.add_argument("--scenario", default="baseline", metavar="NAME", help="the scenario (baseline)")
    explain.add_argument(
        "--set", action="append", default=[], metavar="PATH=VALUE", help="set a value; may be repeated"
    )
    return top


def do_scenarios(_: argparse.Namespace) -> None:
    """``gpurush scenarios``."""
    shipped = api.scenarios()
    width = max((len(each.name) for each in shipped), default=0)
    for each in shipped:
        print(f"{each.name:<{width}}  {each.title}")


@contextmanager
def reporting(what: str) -> Iterator[Any]:
    """Progress on standard error, and a word when the rules are compiled for the first time."""
    from .experiments.compiling import on_first_compile
    from .report.progress import Progress

    progress = Progress(what)
    try:
        with on_first_compile(
            lambda: progress.say("compiling the rules, once; this takes half a minute to a minute")
        ):
            yield progress
    finally:
        progress.close()


def settings(words: list[str]) -> dict[str, object]:
    """The overrides of ``--set``."""
    if not words:
        return {}
    from .scenario import parse_set

    return dict(parse_set(word) for word in words)


def do_run(given: argparse.Namespace) -> None:
    """``gpurush run``."""
    overrides = settings(given.set)
    with reporting(given.scenario) as progress:
        results = api.run(
            *(given.scenario, given.runs, given.seed, overrides, given.out),
            figures=not given.no_figures,
            detail=given.detail,
            progress=progress,
        )
    print((results.folder / "summary.txt").read_text(encoding="utf-8"))
    print(f"results in {results.folder}{os.sep}")


def do_compare(given: argparse.Namespace) -> None:
    """``gpurush compare``."""
    overrides = settings(given.set)
    with reporting(f"{given.a}, {given.b}") as progress:
        found = api.compare(
            *(given.a, given.b, given.runs, given.seed, overrides, given.out),
            figures=not given.no_figures,
            detail=given.detail,
            progress=progress,
        )
    print(found.summary())
    print(f"\nresults in {found.folder}{os.sep}")


def do_capacity(given: argparse.Namespace) -> None:
    """``gpurush capacity``."""
    try:
        site = api.energise(
            *(given.chip, given.gpus, given.mw, given.pue),
            it_kw=given.it_kw,
            fabric=given.fabric,
        )
    except ValueError as error:  # The core refuses with one sentence; anything else is not a user's mistake.
        raise UsageError(str(error)) from None
    print(json.dumps(site.to_dict(), indent=2) if given.json else site.table())


def do_explain(given: argparse.Namespace) -> None:
    """``gpurush explain``."""
    print(api.explain(given.path, given.scenario, settings(given.set)))


COMMANDS = {
    "scenarios": do_scenarios,
    "run": do_run,
    "compare": do_compare,
    "capacity": do_capacity,
    "explain": do_explain,
}


def parse(words: Sequence[str] | None) -> argparse.Namespace:
    """The command line as values.

    Raises:
        UsageError: it cannot be read.
    """
    grammar = parser()
    given, rest = grammar.parse_known_args(words)
    if rest:
        raise UsageError(f"found {rest[0]!r}{nearest(rest[0], grammar.options())} (gpurush --help)")
    if given.command is None:
        grammar.print_help()
    return given


def mistake(error: Exception) -> bool:
    """Whether an error is a user's mistake."""
    if isinstance(error, UsageError | ResultsError):
        return True
    # These are only there if their modules are: looking them up must not load the schema or the catalogue.
    for module, name in (("scenario.errors", "ScenarioError"), ("catalog.errors", "CatalogError")):
        kind = getattr(sys.modules.get(f"{__package__}.{module}"), name, None)
        if kind is not None and isinstance(error, kind):
            return True
    return False


@contextmanager
def terminated_cleanly() -> Iterator[None]:
    """Makes SIGTERM leave as cleanly as Ctrl-C does."""

    def leave(*_: object) -> NoReturn:
        """Leaves through every ``finally``."""
        raise SystemExit(TERMINATED)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def tell(text: object) -> None:
    """One line on standard error."""
    print("gpurush:", " ".join(str(text).split()), file=sys.stderr)


def main(words: Sequence[str] | None = None) -> int:
    """Runs a command; returns the exit status.

    Args:
        words: the command line without the program's name; that of the process if None.
    """
    try:
        with terminated_cleanly():
            given = parse(words)
            if given.command is not None:
                COMMANDS[given.command](given)
            sys.stdout.flush()
        return OK
    except KeyboardInterrupt:
        tell("stopped; nothing was written")
        return INTERRUPTED
    except BrokenPipeError:  # The reader of our output has gone, as after ``| head``.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except RuntimeError as error:
        tell(f"the model stopped: {error}")
        return FAULT
    except Exception as error:
        if not mistake(error):
            raise
        tell(error)
        return MISTAKE


if __name__ == "__main__":
    sys.exit(main())
