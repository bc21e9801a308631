"""``docs/imposed.md`` says what the baseline imposes."""

import pytest
from imposed_document import DOCUMENT, renew

from gpurush.scenario import imposed, load


def test_the_document_is_current() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert renew(text) == text, "renew it: PYTHONPATH=model python tests/scenario/imposed_document.py"
    for item in imposed(load("baseline")):
        assert f"| `{item.path}` |" in text


def test_a_document_without_marks_is_refused() -> None:
    with pytest.raises(ValueError, match="marks"):
        renew("# Imposed")
