"""``docs/results.md`` says what the code says."""

from pathlib import Path

import pytest

from gpurush.results.columns import TABLES
from gpurush.results.document import renew

DOCUMENT = Path(__file__).parents[2] / "docs" / "results.md"


def test_document_is_what_the_code_says() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert renew(text) == text, "renew it: python -m gpurush.results.document docs/results.md"
    for table in TABLES.values():
        for column in table.columns:
            assert f"| `{column.name}` |" in text


def test_document_without_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="marks"):
        renew("# Results")
