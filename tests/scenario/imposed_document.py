"""Makes the generated part of ``docs/imposed.md``: what the baseline imposes on the model.

``PYTHONPATH=model python tests/scenario/imposed_document.py`` renews it; a test checks that it is current.
"""

from pathlib import Path

from gpurush.scenario import imposed_table, load

DOCUMENT = Path(__file__).parents[2] / "docs" / "imposed.md"
BEGIN = "<!-- generated: PYTHONPATH=model python tests/scenario/imposed_document.py -->"
END = "<!-- end of generated part -->"


def renew(text: str) -> str:
    """The document with its generated part made anew."""
    head, begun, rest = text.partition(BEGIN)
    _, ended, tail = rest.partition(END)
    if not (begun and ended):
        raise ValueError(f"expected the marks {BEGIN!r} and {END!r}")
    return f"{head}{BEGIN}\n\n{imposed_table(load('baseline'))}\n{END}{tail}"


if __name__ == "__main__":
    DOCUMENT.write_text(renew(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
