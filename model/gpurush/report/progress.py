"""A line on the terminal while the model runs: runs done and time gone by."""

import sys
import threading
import time
from typing import TextIO


class Progress:
    """Reports runs done; on a terminal one line that is written over, else a line now and then.

    Call it with runs done (parts of a run count) and all runs.
    """

    def __init__(self, what: str, stream: TextIO | None = None) -> None:
        """Begins to count time.

        Args:
            what: what runs, to begin the line with.
            stream: where to write; standard error if None.
        """
        self.what = what
        self._stream = stream or sys.stderr
        self._live = self._stream.isatty()
        self._began = time.monotonic()
        self._next = 0.0 if self._live else 5.0
        self._width = 0
        self._lock = threading.Lock()

    def __call__(self, done: float, total: int) -> None:
        """Shows how far it is; the last call writes the line's end."""
        elapsed = time.monotonic() - self._began
        with self._lock:
            if done < total and elapsed < self._next:
                return
            self._next = elapsed + (0.2 if self._live else 10.0)
            self._show(f"{self.what}: {int(done + 1e-9):,} of {total:,} runs, {elapsed:.0f} s", done >= total)

    def say(self, text: str) -> None:
        """Writes a line of its own."""
        with self._lock:
            self._show(text, True)

    def _show(self, text: str, end: bool) -> None:
        if self._live:
            padded = text.ljust(self._width)
            self._width = 0 if end else len(text)
            self._stream.write(f"\r{padded}" + ("\n" if end else ""))
        else:
            self._stream.write(text + "\n")
        self._stream.flush()

    def close(self) -> None:
        """Ends a line that stands open, as after Ctrl-C."""
        with self._lock:
            if self._live and self._width:
                self._stream.write("\n")
                self._stream.flush()
                self._width = 0
