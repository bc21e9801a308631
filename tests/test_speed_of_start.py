"""What makes a start quick: nothing heavy is loaded before it is needed, nothing is compiled twice."""

import os
import subprocess
import sys

import pytest

HEAVY = ("mesa", "numba", "pandas")

LOADED = f"""
import sys
heavy = [name for name in {HEAVY!r} if name in sys.modules]
print("loaded", *heavy)
"""

HELP = """
import sys
from gpurush.cli import main
try:
    main(["--help"])
except SystemExit:
    pass
"""

MONTH = """
from numba.core import event

compiled = []

class Listener(event.Listener):
    def on_start(self, event):
        compiled.append(event.data["dispatcher"].py_func.__qualname__)

    def on_end(self, event):
        pass

event.register("numba:compile", Listener())
from gpurush.industry import Industry

model = Industry("baseline", runs=2)
model.step()
print("compiled", *compiled)
"""


def last_line(code: str) -> list[str]:
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return result.stdout.strip().splitlines()[-1].split()


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert last_line("import gpurush\n" + LOADED) == ["loaded"]


def test_help_loads_nothing_heavy() -> None:
    assert last_line(HELP + LOADED) == ["loaded"]


@pytest.mark.slow
@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="there is nothing to compile")
def test_a_second_process_compiles_nothing() -> None:
    last_line(MONTH)
    assert last_line(MONTH) == ["compiled"]
