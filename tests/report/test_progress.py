"""The progress line."""

import io

from gpurush.report.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_in_a_log_only_the_end_is_said() -> None:
    log = io.StringIO()
    progress = Progress("baseline", log)
    progress(3.5, 200)
    progress(200, 200)
    assert log.getvalue() == "baseline: 200 of 200 runs, 0 s\n"


def test_on_a_terminal_one_line_is_written_over() -> None:
    screen = Terminal()
    progress = Progress("baseline", screen)
    progress(3.5, 200)
    progress.say("hello")
    progress(3.6, 200)
    assert screen.getvalue() == "\rbaseline: 3 of 200 runs, 0 s\rhello" + " " * 23 + "\n"
    progress(200.0, 200)
    progress.close()
    assert screen.getvalue().endswith("\rbaseline: 200 of 200 runs, 0 s\n")


def test_an_open_line_is_ended() -> None:
    screen = Terminal()
    progress = Progress("b", screen)
    progress(1, 2)
    progress.close()
    assert screen.getvalue().endswith("runs, 0 s\n")
