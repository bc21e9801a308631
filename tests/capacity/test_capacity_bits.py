"""The same bits with the compiler on and off, and rules that keep to what allows it."""

import ast
import os
import pathlib
import subprocess
import sys

import pytest

import gpurush.capacity

HERE = pathlib.Path(__file__).parent
PACKAGE = pathlib.Path(gpurush.capacity.__file__).parent
RULES = ("limits", "energising", "simplex", "fabric", "failures", "compute")


def run(*words, **more):
    """Runs Python in a process of its own, on this package."""
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE.parents[1]), **more}
    done = subprocess.run(
        [sys.executable, *words], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


def test_compiler_on_and_off_give_the_same_bits():
    compiled, plain = (run(str(HERE / "capacity_digest.py"), NUMBA_DISABLE_JIT=off) for off in ("0", "1"))
    assert len(compiled) > 1_000
    assert compiled == plain


@pytest.mark.parametrize("name", RULES)
def test_rules_hold_nothing_that_breaks_the_bits(name):
    tree = ast.parse((PACKAGE / f"{name}.py").read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        assert not isinstance(node, ast.Pow | ast.MatMult), "no powers, no matrix products"
        if isinstance(node, ast.Attribute):
            assert node.attr not in {"sum", "mean", "std", "argsort", "sort", "pow", "dot"}
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("gpurush"):
            raise AssertionError("rule modules import their neighbours relatively")


def test_importing_the_package_loads_no_compiler():
    code = "import sys, gpurush.capacity; print('numba' in sys.modules)"
    assert run("-c", code) == ["False"]
