"""Names a scenario may choose have help and one branch in the rules; what the feature table names exists."""

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

import gpurush
from gpurush import names

PACKAGE = Path(gpurush.__file__).parent
ROOT = Path(__file__).parents[1]
FEATURES = (ROOT / "docs" / "features.md").read_text(encoding="utf-8")
CHOICES = (names.Rationing, names.Strategy, names.AllocationRule)
RULES = [
    file for part in ("markets", "agents", "allocation") for file in sorted((PACKAGE / part).rglob("*.py"))
]


def choices_in(tree: ast.AST, kind: str) -> list[tuple[Counter, bool]]:
    """Every chain ``if x == Kind.a: … elif x == Kind.b: … else: …``: names compared with, and whether one is left.

    What is left is the ``else``, or what follows a chain whose branches return.
    """
    found = []
    for body in (getattr(node, field, None) for node in ast.walk(tree) for field in ("body", "orelse")):
        if not isinstance(body, list):
            continue
        named: Counter = Counter()
        left = False
        for statement in body:
            while isinstance(statement, ast.If):
                here = compared(statement.test, kind)
                named.update(here)
                returns = isinstance(statement.body[-1], ast.Return)
                if here and statement.orelse and not isinstance(statement.orelse[0], ast.If):
                    left = True
                if here and returns and statement is not body[-1]:
                    left = True
                statement = statement.orelse[0] if statement.orelse else None
        if named:
            found.append((named, left))
    return found


def compared(test: ast.expr, kind: str) -> list[str]:
    """Names of a kind that a condition compares with."""
    found = []
    for node in ast.walk(test):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == kind:
            found.append(node.attr)
    return found


@pytest.mark.parametrize("kind", CHOICES, ids=lambda kind: kind.__name__)
def test_each_name_has_exactly_one_branch_where_it_is_chosen(kind):
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in RULES]
    chains = [chain for tree in trees for chain in choices_in(tree, kind.__name__)]
    whole = [named for named, left in chains if left and len(named) == len(kind) - 1]
    whole += [named for named, _ in chains if len(named) == len(kind)]
    assert whole, f"no place chooses among all of {kind.__name__}"
    for named in whole:
        assert set(named) <= {member.name for member in kind}
        assert max(named.values()) == 1, "a name with two branches"


@pytest.mark.parametrize("kind", CHOICES, ids=lambda kind: kind.__name__)
def test_no_rule_compares_with_a_name_that_does_not_exist(kind):
    for file in RULES:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id == kind.__name__
            ):
                assert node.attr in kind.__members__, f"{file.name}: {kind.__name__}.{node.attr}"


@pytest.mark.parametrize(
    "kind",
    [each for each in vars(names).values() if isinstance(each, type) and issubclass(each, names.Named)],
)
def test_each_name_has_a_line_of_help_and_its_own_number(kind):
    for member in kind:
        assert member.help
        assert "\n" not in member.help
    assert sorted(int(member) for member in kind) == list(range(len(kind)))


def test_names_import_nothing_of_ours():
    tree = ast.parse((PACKAGE / "names.py").read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        assert not (isinstance(node, ast.ImportFrom) and (node.level or "gpurush" in (node.module or "")))


def test_the_feature_table_has_every_mechanism_once():
    assert re.findall(r"^\| (M\d\d) \|", FEATURES, re.MULTILINE) == [
        f"M{number:02d}" for number in range(1, 87)
    ]


def test_tests_that_the_feature_table_names_exist():
    files = list((ROOT / "tests").rglob("test_*.py"))
    there = {file.name for file in files}
    for file in files:
        there |= set(re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.MULTILINE))
    named = re.findall(r"`(test_\w+(?:\.py)?)`", FEATURES)
    assert len(named) > 60
    assert set(named) <= there


def test_code_that_the_feature_table_names_exists():
    named = re.findall(r"`((?:\w+/)+\w+\.\w+)(?:: ([\w, ]+))?`", FEATURES)
    assert len(named) > 50
    for path, functions in named:
        file = ROOT / path if (ROOT / path).exists() else PACKAGE / path
        text = file.read_text(encoding="utf-8")
        for function in filter(None, functions.split(", ")):
            assert function in text, f"{path}: {function}"


def test_counts_of_the_feature_table():
    rows = [line for line in FEATURES.splitlines() if re.match(r"\| M\d\d", line)]
    missing = [row for row in rows if row.split(" | ")[2].startswith("not yet")]
    bare = [row for row in rows if row not in missing and row.endswith("| – |")]
    assert (
        f"{len(rows) - len(missing)} are there in some form, {len(missing)} are not yet; {len(bare)} that"
        in FEATURES
    )
