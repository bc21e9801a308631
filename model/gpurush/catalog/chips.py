"""The chips, in the order that every array over chips has.

``Chip`` is an ``IntEnum``: ``lab.fleet[Chip.H100]`` reads the same in a rule and in a notebook.
``chip("H100")`` gives the numbers, read from ``chips.csv`` with the source of each. This module loads no
compiler.
"""

import dataclasses
import functools
from collections.abc import Mapping
from enum import IntEnum

from .errors import CatalogError, look_up
from .tables import Birth, table, values


class Chip(IntEnum):
    """The chip types of the model; the number is the place in every array over chips."""

    A100 = 0
    H100 = 1
    H200 = 2
    B200 = 3
    GB200 = 4
    GB300 = 5
    VR200 = 6
    MI300X = 7
    MI355X = 8
    MI450 = 9


CHIPS = len(Chip)
"""How many chip types there are: the length of every array over chips."""

H100E_8BIT_FLOPS = 1.979e15
"""Dense 8-bit peak of one H100, FLOP/s: the definition of one H100e (Epoch AI)."""

FILE = "chips.csv"


@dataclasses.dataclass(frozen=True, slots=True)
class ChipSpec:
    """What one chip type is. Power is IT kW per GPU with its share of host, network and storage.

    Attributes:
        name: the chip's name, as in ``Chip``.
        vendor: who sells it.
        launch: first month of volume shipments, YYYY-MM.
        flops_16bit: dense 16-bit peak, FLOP/s: what MFU refers to.
        flops_8bit: dense 8-bit peak, FLOP/s: what H100e refers to.
        memory_bytes: memory on the package, bytes.
        tdp_w: thermal design power of the chip alone, W.
        it_kw: all-in IT power, kW per GPU.
        it_kw_low: lower end of its range.
        it_kw_high: upper end of its range.
        gpus_per_unit: GPUs in the unit that is bought and switched on: 8 (node) or 72 (rack).
        unit_kind: "node" or "rack".
        gpus_per_node: GPUs that share one front-end port.
        gpus_per_rack: GPUs that fit one rack position.
        nics_per_gpu: back-end ports per GPU.
        liquid_share: share of the heat that liquid takes away; the rest needs air.
        price_usd: price to large buyers, USD per GPU.
        price_usd_low: lower end of its range.
        price_usd_high: upper end of its range.
        chips_per_wafer: good chips per packaging wafer, times the product's share of the wafers.
        births: field -> source, grade and range.
    """

    name: str
    vendor: str
    launch: str
    flops_16bit: float
    flops_8bit: float
    memory_bytes: float
    tdp_w: float
    it_kw: float
    it_kw_low: float
    it_kw_high: float
    gpus_per_unit: int
    unit_kind: str
    gpus_per_node: int
    gpus_per_rack: int
    nics_per_gpu: int
    liquid_share: float
    price_usd: float
    price_usd_low: float
    price_usd_high: float
    chips_per_wafer: float
    births: Mapping[str, Birth] = dataclasses.field(repr=False, compare=False)

    @property
    def index(self) -> Chip:
        """The chip's place in arrays."""
        return Chip[self.name]

    @property
    def h100e(self) -> float:
        """H100 equivalents of one chip: its dense 8-bit peak over an H100's."""
        return self.flops_8bit / H100E_8BIT_FLOPS


@functools.cache
def chip_specs() -> tuple[ChipSpec, ...]:
    """All chips, in the order of ``Chip``.

    Raises:
        CatalogError: if the table and ``Chip`` do not name the same chips in the same order.
    """
    names = tuple(each.name for each in Chip)
    found = tuple(table(FILE))
    if found != names:
        raise CatalogError(f"{FILE}: the chips must be {', '.join(names)}, in this order", ", ".join(found))
    return tuple(ChipSpec(name=name, **values(FILE, name, ChipSpec, ("name",))) for name in names)


def find_chip(name: str | Chip) -> Chip:
    """The chip that ``name`` means; case, spaces and hyphens do not matter.

    Raises:
        CatalogError: if there is none; the message tells the nearest.
    """
    if isinstance(name, Chip):
        return name
    return Chip[look_up("chip", str(name), [each.name for each in Chip])]


def chip(name: str | Chip) -> ChipSpec:
    """The numbers of one chip.

    Raises:
        CatalogError: if there is no such chip; the message tells the nearest.
    """
    return chip_specs()[find_chip(name)]
