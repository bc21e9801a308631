"""The border of the capacity core: input from people is checked here, once, and refused with one sentence.

The sentence says what was given, what was found, what is allowed, and the nearest value that would do.
"""

import math

import numpy as np

from ..names import Binding
from ..units import KW_PER_MW
from .limits import LIMITS, UNLIMITED, Vector

PER: dict[Binding, str] = {
    Binding.power: "MW",
    Binding.liquid: "MW",
    Binding.air: "MW",
    Binding.racks: "rack",
    Binding.back_end: "port",
    Binding.front_end: "port",
}
"""The unit in which people count each limit: MW of the facility, MW of IT heat, racks, ports."""

ONE_MORE: dict[Binding, str] = {
    Binding.power: "MW of power",
    Binding.liquid: "MW of liquid cooling",
    Binding.air: "MW of air cooling",
    Binding.racks: "rack",
    Binding.back_end: "back-end port",
    Binding.front_end: "front-end port",
}
"""How a report names one more unit of each limit."""


def scale(limit: Binding, reserve: float = 0.0) -> float:
    """Units of the core (kW, racks, ports) in one unit for people, the reserve of power taken off."""
    usable = 1.0 - reserve if limit == Binding.power else 1.0
    return usable * (KW_PER_MW if PER[limit] == "MW" else 1.0)


def number(what: str, found: object, low: float, high: float, unit: str, *, whole: bool = False) -> float:
    """Checks one number.

    Args:
        what: its name, as the caller wrote it.
        found: what the caller gave.
        low: least value allowed.
        high: largest value allowed; may be infinite, but infinity itself is refused.
        unit: its unit, for the message.
        whole: whether only whole numbers will do.

    Raises:
        ValueError: one sentence: what, found, allowed, nearest.
    """
    kind = f"a {'whole ' if whole else ''}number ({unit})"
    ceiling = f" and at most {high:g}" if high < math.inf else ""
    allowed = f"allowed is {kind}, at least {low:g}{ceiling}"
    if isinstance(found, bool) or not isinstance(found, int | float | np.integer | np.floating):
        raise ValueError(f"{what} is {found!r}: {allowed}")
    value = float(found)
    if not math.isfinite(value):
        raise ValueError(f"{what} is {value}: {allowed}")
    nearest = min(max(value, low), high)
    if whole:
        nearest = float(round(nearest))
    if value != nearest:
        raise ValueError(f"{what} is {value:.12g}: {allowed}; the nearest is {nearest:.12g}")
    return value


def optional(what: str, found: object, low: float, high: float, unit: str) -> float:
    """Checks a limit that may be left out: None gives ``UNLIMITED``.

    Raises:
        ValueError: as ``number``.
    """
    return UNLIMITED if found is None else number(what, found, low, high, unit)


def site_limits(
    mw: float | None,
    reserve: float,
    liquid_mw: float | None,
    air_mw: float | None,
    racks: float | None,
    back_end_ports: float | None,
    front_end_ports: float | None,
) -> tuple[Vector, tuple[Binding, ...]]:
    """The limits of a site in the units of the core, and which of them were given.

    Args:
        mw: facility MW.
        reserve: share of it held back.
        liquid_mw: liquid cooling, MW of IT heat.
        air_mw: air cooling, MW of IT heat.
        racks: rack positions.
        back_end_ports: ports of the back-end fabric.
        front_end_ports: ports of the front-end network.

    Returns:
        (limits,) in kW, racks and ports; the limits given, in the order of ``Binding``.

    Raises:
        ValueError: as ``number``.
    """
    number("reserve", reserve, 0.0, 0.95, "share of the power")
    most = UNLIMITED / KW_PER_MW / KW_PER_MW
    limit = np.full(LIMITS, UNLIMITED)
    found = (mw, liquid_mw, air_mw, racks, back_end_ports, front_end_ports)
    names = ("mw", "liquid_mw", "air_mw", "racks", "back_end_ports", "front_end_ports")
    units = ("facility MW", "MW of IT heat", "MW of IT heat", "rack positions", "ports", "ports")
    no_limit = ", or None for no limit"
    given = []
    for row, (what, value, unit) in enumerate(zip(names, found, units, strict=True)):
        if value is not None:
            binding = Binding(row + 1)
            given.append(binding)
            limit[row] = number(what, value, 0.0, most, unit + no_limit) * scale(binding, reserve)
    return limit, tuple(given)


def lines(rows: list[tuple[str, str]]) -> str:
    """Labels and values as aligned text."""
    width = max(len(label) for label, _ in rows)
    return "\n".join(f"{label:<{width}}  {value}".rstrip() for label, value in rows)
