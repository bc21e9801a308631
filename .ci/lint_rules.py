"""Finds in rule modules what gives other bits with the compiler off, or hides from the cache of compiled code.

A module is looked at if it defines a ``@rule``, a ``@helper`` or a ``@row``. ``docs/engine.md`` says why each of these
is refused. Run it on files or folders; without any it looks at the package. Exit status 1 if something was found.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGE = "gpurush"
MARKS = {"rule", "helper", "row"}
REDUCTIONS = {"sum", "mean", "std", "var", "prod", "dot", "matmul"}
SORTS = {"sort", "argsort"}
STABLE = {"mergesort", "stable"}
NARROW = {
    "float32",
    "float16",
    "int32",
    "int16",
    "int8",
    "uint32",
    "uint16",
    "uint8",
    "f4",
    "i4",
    "single",
    "half",
}
DIFFERENT = {"gamma", "lgamma", "hypot"}

Finding = tuple[int, str]


def mark(node: ast.expr) -> str:
    """The last name of a decorator: ``rule`` of ``@rule``, ``row`` of ``@row("Lab")``."""
    called = node.func if isinstance(node, ast.Call) else node
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


def marked(tree: ast.Module) -> list[ast.FunctionDef]:
    """The functions that are compiled."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return [function for function in functions if MARKS & {mark(each) for each in function.decorator_list}]


def imports(tree: ast.Module) -> Iterator[Finding]:
    """Imports that the cache cannot follow, and luck that has no address."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                if name.name.split(".")[0] == PACKAGE:
                    yield node.lineno, f"import {name.name}: rule modules import their neighbours relatively"
                if name.name == "random":
                    yield node.lineno, "random: luck comes from gpurush.luck alone"
        if isinstance(node, ast.ImportFrom) and not node.level:
            root = (node.module or "").split(".")[0]
            if root == PACKAGE:
                yield node.lineno, f"from {node.module}: rule modules import their neighbours relatively"
            if root == "random" or node.module == "numpy.random":
                yield node.lineno, "random: luck comes from gpurush.luck alone"


def call(node: ast.Call) -> Iterator[Finding]:
    """Calls that sum, sort or raise to a power in an order or a way of their own, and printing."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    words = {word.arg: word.value for word in node.keywords}
    if name in {"pow", "power"} and isinstance(node.func, ast.Attribute):
        yield node.lineno, f"{name}: use numbers.power"
    elif name == "pow":
        yield node.lineno, "pow: use numbers.power"
    if name in REDUCTIONS and (isinstance(node.func, ast.Attribute) or name == "sum"):
        yield node.lineno, f"{name}: add up in a loop"
    if name in SORTS or (name == "sorted" and isinstance(node.func, ast.Name)):
        kind = words.get("kind")
        if not (isinstance(kind, ast.Constant) and kind.value in STABLE):
            yield node.lineno, f'{name}: ties differ; write kind="mergesort"'
    if name in DIFFERENT and isinstance(node.func, ast.Attribute):
        yield node.lineno, f"{name}: other last bits compiled"
    if name == "print":
        yield node.lineno, "print: rules say nothing"


def expressions(function: ast.FunctionDef) -> Iterator[Finding]:
    """What a compiled function may not hold."""
    for node in ast.walk(function):
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Pow):
            yield node.lineno, "**: write x * x, math.sqrt or numbers.power"
        if isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.MatMult):
            yield node.lineno, "@: multiply and add in a loop"
        if isinstance(node, ast.Call):
            yield from call(node)


def everywhere(tree: ast.Module) -> Iterator[Finding]:
    """What a rule module may hold nowhere."""
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg == "fastmath":
            yield node.value.lineno, "fastmath: reorders sums"
        if isinstance(node, ast.Attribute):
            if node.attr in NARROW:
                yield node.lineno, f"{node.attr}: rules hold 64-bit numbers"
            if node.attr == "random":
                yield node.lineno, "random: luck comes from gpurush.luck alone"
        if isinstance(node, ast.Name) and node.id in NARROW - {"half", "single"}:
            yield node.lineno, f"{node.id}: rules hold 64-bit numbers"
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node.value in NARROW - {"half", "single"}
        ):
            yield node.lineno, f"{node.value!r}: rules hold 64-bit numbers"


def findings(text: str) -> list[Finding]:
    """What is wrong with a module: line and sentence, in order; nothing if it defines no rule."""
    tree = ast.parse(text)
    functions = marked(tree)
    if not functions:
        return []
    found = [*imports(tree), *everywhere(tree)]
    for function in functions:
        found += expressions(function)
    return sorted(set(found))


def modules(places: list[Path]) -> list[Path]:
    """Python files at some places."""
    return [file for place in places for file in (sorted(place.rglob("*.py")) if place.is_dir() else [place])]


def main(words: list[str]) -> int:
    """Prints what it finds."""
    places = [Path(word) for word in words] or [Path(__file__).parents[1] / "model" / PACKAGE]
    found = 0
    for file in modules(places):
        for line, sentence in findings(file.read_text(encoding="utf-8")):
            print(f"{file}:{line}: {sentence}")
            found += 1
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
