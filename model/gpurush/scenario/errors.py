"""What a user reads when a scenario is refused: one line, with the nearest valid name."""

import datetime
import difflib
import json
from collections.abc import Iterable

Path = tuple[str, ...]
"""Place of a key in a scenario, e.g. ``("labs", "xai", "cash")``."""


class ScenarioError(Exception):
    """A scenario that cannot be used. Its text is one line: file, key, what was found, what is allowed."""

    def __init__(self, text: str) -> None:
        super().__init__(" ".join(text.split()))


class Fault(Exception):  # noqa: N818 - it never reaches a user
    """Something wrong at a place of a scenario, before it is known which file set it."""

    def __init__(self, path: Path, text: str) -> None:
        super().__init__(text)
        self.path = path


def shown(value: object) -> str:
    """A value as it would stand in a TOML file, cut to a readable length."""
    if isinstance(value, bool | str):
        text = json.dumps(value, ensure_ascii=False)
    elif isinstance(value, dict):
        text = "a table"
    elif isinstance(value, list | tuple):
        text = "a list"
    elif isinstance(value, datetime.date | datetime.time):
        text = value.isoformat()
    else:
        text = str(value)
    return text if len(text) <= 80 else text[:77] + "..."


def nearest(word: object, allowed: Iterable[str]) -> str:
    """The hint ``, did you mean "x"?``, or nothing when no allowed name is near."""
    names = {name.casefold(): name for name in allowed}
    found = difflib.get_close_matches(str(word).casefold(), names, 1, 0.6)
    return f', did you mean "{names[found[0]]}"?' if found else ""


def listed(allowed: Iterable[str], most: int = 40) -> str:
    """Allowed names in one line, in their own order."""
    names = list(allowed)
    if not names:
        return "none"
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def choose(word: object, allowed: Iterable[str]) -> str:
    """The sentence for a name that is not among the allowed: found, nearest, allowed."""
    names = list(allowed)
    return f"found {shown(word)}{nearest(word, names) or ';'} allowed: {listed(names)}"
