"""The error for a name that the catalogue does not know, and how a name is looked up."""

import difflib
from collections.abc import Sequence


class CatalogError(ValueError):
    """A name that is in no table of the catalogue, or a table that cannot be read.

    Attributes:
        found: what the caller gave.
        allowed: the names that would do.
        nearest: the allowed name most like ``found``, or None if none is like it.
    """

    def __init__(self, text: str, found: str = "", allowed: Sequence[str] = (), nearest: str | None = None):
        super().__init__(text)
        self.found = found
        self.allowed = tuple(allowed)
        self.nearest = nearest


def plain(name: str) -> str:
    """A name without what people write differently: case, spaces, hyphens and underscores."""
    return "".join(letter for letter in name.lower() if letter.isalnum())


def look_up(what: str, name: str, allowed: Sequence[str]) -> str:
    """The allowed name that ``name`` means.

    Case, spaces and hyphens do not matter; anything else does.

    Args:
        what: the kind of thing, for the message: "chip", "fabric".
        name: what the caller gave.
        allowed: the names that the catalogue has.

    Raises:
        CatalogError: with one sentence: what, found, allowed, nearest.
    """
    by_plain = {plain(each): each for each in allowed}
    if plain(name) in by_plain:
        return by_plain[plain(name)]
    near = difflib.get_close_matches(plain(name), by_plain, n=1, cutoff=0.5)
    nearest = by_plain[near[0]] if near else None
    hint = f"; did you mean {nearest!r}?" if nearest else ""
    text = f"unknown {what} {name!r}: allowed are {', '.join(allowed)}{hint}"
    raise CatalogError(text, name, allowed, nearest)
