"""Network fabrics: the switches and links that make one cluster out of many nodes."""

import dataclasses
import functools
from collections.abc import Mapping

from .errors import look_up
from .tables import Birth, table, values

FILE = "fabrics.csv"


@dataclasses.dataclass(frozen=True, slots=True)
class FabricSpec:
    """One kind of back-end fabric.

    Attributes:
        name: its name.
        kind: "Ethernet" or "InfiniBand".
        radix: ports of one switch, k.
        port_bps: line rate of one port, bit/s.
        tiers: tiers of switches built by default, L.
        delivered_share: share of the line rate that a large job gets, b.
        delivered_share_low: lower end of its range.
        delivered_share_high: upper end of its range.
        births: field -> source, grade and range.
    """

    name: str
    kind: str
    radix: int
    port_bps: float
    tiers: int
    delivered_share: float
    delivered_share_low: float
    delivered_share_high: float
    births: Mapping[str, Birth] = dataclasses.field(repr=False, compare=False)


@functools.cache
def fabrics() -> tuple[FabricSpec, ...]:
    """All fabrics, in the order of the table."""
    return tuple(FabricSpec(name=name, **values(FILE, name, FabricSpec, ("name",))) for name in table(FILE))


def fabric(name: str) -> FabricSpec:
    """One fabric by name.

    Raises:
        CatalogError: if there is none; the message tells the nearest.
    """
    found = look_up("fabric", name, list(table(FILE)))
    return next(each for each in fabrics() if each.name == found)
