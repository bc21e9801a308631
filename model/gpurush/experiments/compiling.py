"""Tells, once, when rules are compiled for the first time; silent when Numba finds them in its cache."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def on_first_compile(tell: Callable[[], None]) -> Iterator[None]:
    """Calls ``tell`` when Numba compiles something within the block, once."""
    from numba.core import event as events

    class First(events.Listener):
        """Hears of the first compilation."""

        told = False

        def on_start(self, event: Any) -> None:  # noqa: ARG002
            """Tells, once."""
            if not self.told:
                self.told = True
                tell()

        def on_end(self, event: Any) -> None:
            """Numba asks for it; nothing to do."""

    listener = First()
    events.register("numba:compile", listener)  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        events.unregister("numba:compile", listener)  # type: ignore[no-untyped-call]
