"""Servers and racks: the units that chips are sold, cooled and switched on in."""

import dataclasses
import functools
from collections.abc import Mapping

from .errors import look_up
from .tables import Birth, table, values

FILE = "racks.csv"


@dataclasses.dataclass(frozen=True, slots=True)
class RackSpec:
    """One kind of server or rack.

    Attributes:
        name: its name.
        chip: the chip in it, as in ``Chip``.
        kind: "node" or "rack".
        gpus: GPUs in it.
        cpus: CPUs in it.
        trays: compute trays or servers; on Azure's NVL72 each is one virtual machine.
        gpus_per_tray: GPUs of one tray.
        kw: IT power of the unit itself, kW, without external network and storage.
        kw_low: lower end of its range.
        kw_high: upper end of its range.
        nvlink_bytes_per_s: NVLink bandwidth inside one NVLink domain, byte/s.
        memory_bytes: fast memory, bytes.
        fp4_flops: FP4 peak as the vendor states it, FLOP/s; the sparse number where the table says so.
        schedulable_gpus: GPUs surely up once trays are held back for failures.
        price_usd: price, USD per unit.
        price_usd_low: lower end of its range.
        price_usd_high: upper end of its range.
        births: field -> source, grade and range.
    """

    name: str
    chip: str
    kind: str
    gpus: int
    cpus: int
    trays: int
    gpus_per_tray: int
    kw: float
    kw_low: float
    kw_high: float
    nvlink_bytes_per_s: float
    memory_bytes: float
    fp4_flops: float
    schedulable_gpus: int
    price_usd: float
    price_usd_low: float
    price_usd_high: float
    births: Mapping[str, Birth] = dataclasses.field(repr=False, compare=False)

    @property
    def kw_per_gpu(self) -> float:
        """IT power of the unit per GPU, kW; without external network and storage."""
        return self.kw / self.gpus


@functools.cache
def racks() -> tuple[RackSpec, ...]:
    """All servers and racks, in the order of the table."""
    return tuple(RackSpec(name=name, **values(FILE, name, RackSpec, ("name",))) for name in table(FILE))


def rack(name: str) -> RackSpec:
    """One server or rack by name.

    Raises:
        CatalogError: if there is none; the message tells the nearest.
    """
    found = look_up("rack", name, list(table(FILE)))
    return next(each for each in racks() if each.name == found)
