"""Makes the generated part of ``docs/results.md``: every table and column with its unit and meaning.

``python -m gpurush.results.document docs/results.md`` renews it; a test checks that it is what the code says.
"""

import sys
from pathlib import Path

from ..names import Binding, Bound, Deal, Market
from .columns import TABLES, Stored
from .deals import UNITS

BEGIN, END = (
    "<!-- generated: python -m gpurush.results.document docs/results.md -->",
    "<!-- end of generated part -->",
)


def tables() -> str:
    """Every table with its columns, and the names that stand in them, as Markdown."""
    blocks = []
    for table in TABLES.values():
        keys = ", ".join(f"`{key}`" for key in table.keys)
        blocks.append(f"## `{table.name}`\n\nOne row: {table.row}. Keys: {keys}.\n")
        rows = [
            f"| `{column.name}` | {unit(column.unit)} | {column.stored.value} | {column.meaning} |"
            for column in table.columns
        ]
        if table.name == "runs":
            rows.append(
                f"| *dotted path* | as in the scenario | {Stored.usd.value} | drawn number of the scenario |"
            )
            rows.append(
                f"| *name* | in the name | {Stored.usd.value} or int64 | number of the end-of-run summary |"
            )
        blocks.append("\n".join(["| column | unit | type | meaning |", "|---|---|---|---|", *rows, ""]))
    return "\n".join([*blocks, *names()])


def unit(said: str) -> str:
    """A unit for a reader: ``1`` is a pure number."""
    return {"1": "ratio", "": "–"}.get(said, said)


def names() -> list[str]:
    """The names in the columns that hold a choice."""
    lines = ["## Names in the columns", ""]
    for column, kind in (("bound_by", Bound), ("binding_limit", Binding), ("market", Market)):
        lines += [f"`{column}`:", "", *(f"* `{member.name}`: {member.help}" for member in kind), ""]
    lines += [
        "`kind` of `deals`, with the unit of `quantity`:",
        "",
        "| kind | unit | meaning |",
        "|---|---|---|",
    ]
    for deal in Deal:
        counted = UNITS.get(deal, "the chip" if deal >= Deal.make else "–")
        lines.append(f"| `{deal.name}` | {counted} | {deal.help} |")
    return [*lines, ""]


def renew(text: str) -> str:
    """A document with its generated part made anew.

    Raises:
        ValueError: the marks of the generated part are not there.
    """
    head, begun, rest = text.partition(BEGIN)
    _, ended, tail = rest.partition(END)
    if not (begun and ended):
        raise ValueError(f"expected the marks {BEGIN!r} and {END!r}")
    return f"{head}{BEGIN}\n\n{tables()}\n{END}{tail}"


if __name__ == "__main__":
    file = Path(sys.argv[1])
    file.write_text(renew(file.read_text(encoding="utf-8")), encoding="utf-8")
