"""How a number is declared: its unit, its meaning and its axes. Imports nothing of ours.

Records of the state (``state.py``) and parameters of a scenario (``parameters.py``) are declared with ``of``; the same
declaration feeds the compiled layout, the check of scenario files, the documents and the metadata of result files.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol


class Array[T](Protocol):
    """What a type checker sees of an array inside a record."""

    def __getitem__(self, at: Any, /) -> T: ...
    def __setitem__(self, at: Any, value: Any, /) -> None: ...
    def __iter__(self) -> Iterator[T]: ...
    def __len__(self) -> int: ...


class Field(NamedTuple):
    """Unit, meaning and axes of one field; the bounds of a parameter, and whether it only opens a run."""

    unit: str
    meaning: str
    axes: tuple[int, ...] = ()
    least: float | None = None
    most: float | None = None
    opening: bool = False


def of(
    unit: str = "1",
    meaning: str = "",
    per: Any = (),
    least: float | None = None,
    most: float | None = None,
    opening: bool = False,
) -> Any:
    """Describes a field.

    Args:
        unit: the unit, "1" for a pure number, "" for a flag or an index.
        meaning: what the number says, in a few words.
        per: the axes of an array: a length, an enumeration, or a tuple of these.
        least: least value that a scenario may give, where the unit does not say it; 0 if there is a most.
        most: most that a scenario may give.
        opening: the number is read when a run opens and never after.
    """
    axes = per if isinstance(per, tuple) else (per,)
    if least is None and most is not None:
        least = 0.0
    return Field(
        unit, meaning, tuple(a if isinstance(a, int) else len(a) for a in axes), least, most, opening
    )


def fields_of(kind: type) -> dict[str, Field]:
    """The declared fields of a class, in order."""
    return {name: getattr(kind, name) for name in kind.__annotations__}
