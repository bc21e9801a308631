"""Rule modules hold nothing that breaks the bits, and each refused thing is found where it is planted."""

import importlib.util
from pathlib import Path

import pytest

import gpurush

ROOT = Path(__file__).parents[1]
PACKAGE = Path(gpurush.__file__).parent


def load():
    spec = importlib.util.spec_from_file_location("lint_rules", ROOT / ".ci" / "lint_rules.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


lint = load()

RULE = "from .engine import {mark}\n{top}\n\n@{mark}\ndef act(lab, run):\n    {line}\n"

PLANTED = {
    "x = run.a ** 2": "**",
    "run.a **= 0.5": "**",
    "x = pow(run.a, 2.0)": "pow",
    "x = math.pow(run.a, 2.0)": "pow",
    "x = np.power(run.a, 2.0)": "power",
    "x = run.a.sum()": "sum",
    "x = sum(run.a)": "sum",
    "x = np.mean(run.a)": "mean",
    "x = run.a.std()": "std",
    "x = run.a @ run.b": "@",
    "x = np.dot(run.a, run.b)": "dot",
    "x = np.argsort(run.a)": "argsort",
    "run.a.sort()": "sort",
    'x = np.argsort(run.a, kind="quicksort")': "argsort",
    "x = math.hypot(run.a, run.b)": "hypot",
    "x = np.float32(run.a)": "float32",
    "x = np.zeros(3, dtype=np.int32)": "int32",
    'x = np.zeros(3, "f4")': "f4",
    "x = np.random.random()": "random",
    "print(run.a)": "print",
    "x = njit(other, fastmath=True)": "fastmath",
}
TOPS = {
    "import gpurush.state": "relatively",
    "from gpurush.state import Run": "relatively",
    "import random": "random",
    "from random import random": "random",
    "from numpy.random import default_rng": "random",
}


@pytest.mark.parametrize("mark", ["rule", "helper"])
@pytest.mark.parametrize("line", PLANTED)
def test_each_refused_thing_is_found(line, mark):
    found = lint.findings(RULE.format(mark=mark, top="", line=line))
    assert found
    assert any(PLANTED[line] in sentence for _, sentence in found)
    assert all(number == 6 for number, _ in found)


@pytest.mark.parametrize("top", TOPS)
def test_imports_that_are_refused_are_found(top):
    found = lint.findings(RULE.format(mark="rule", top=top, line="pass"))
    assert [sentence for _, sentence in found if TOPS[top] in sentence]


@pytest.mark.parametrize(
    "line",
    [
        "x = run.a * run.a + math.sqrt(run.b)",
        "x = power(run.a, 0.5)",
        'x = np.argsort(run.a, kind="mergesort")',
        "run.total += run.a",
    ],
)
def test_what_is_allowed_passes(line):
    assert lint.findings(RULE.format(mark="rule", top="import math", line=line)) == []


def test_modules_without_rules_may_do_as_they_like():
    assert lint.findings("import random\nx = random.random() ** 2\nprint(x)\n") == []


RULE_MODULES = [
    file
    for file in sorted(PACKAGE.rglob("*.py"))
    if lint.marked(lint.ast.parse(file.read_text(encoding="utf-8")))
]


def test_the_package_has_rules_to_look_at():
    names = {file.relative_to(PACKAGE).as_posix() for file in RULE_MODULES}
    assert {"luck.py", "ledger.py", "allocation/levels.py", "markets/gpus.py", "agents/plans.py"} <= names


@pytest.mark.parametrize("file", RULE_MODULES, ids=lambda file: file.relative_to(PACKAGE).as_posix())
def test_rules_hold_nothing_that_breaks_the_bits(file):
    assert lint.findings(file.read_text(encoding="utf-8")) == []
