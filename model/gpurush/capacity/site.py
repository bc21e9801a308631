"""``energise``: what one site with one chip type can run, deliver and compute, and why no more.

    >>> from gpurush.capacity import energise
    >>> site = energise(chip="H100", gpus=100_000, mw=50)
    >>> site.energised, site.binding.name
    (27528.0, 'power')

The border of the core for people: input is checked here, the formulas are in the modules beside.
"""

import dataclasses
from typing import Any

import numpy as np

from ..catalog.chips import ChipSpec
from ..catalog.chips import chip as find_spec
from ..names import Binding
from ..units import KW_PER_MW
from . import PUE
from .inputs import ONE_MORE, PER, lines, number, optional, scale, site_limits
from .limits import LIMITS, UNLIMITED, Vector, energise_one, gpus_per_rack, uses
from .network import NetworkReport, network_of
from .uptime import USUAL, Operation, UptimeReport, uptime_of


@dataclasses.dataclass(frozen=True, slots=True)
class EnergisedSite:
    """What a site runs. Power is facility MW unless the name says ``it``.

    Attributes:
        chip: the chip type.
        gpus: GPUs delivered.
        mw: facility power, MW; None where it is no limit.
        pue: facility power over IT power.
        it_kw: IT kW per GPU with its share of host, network and storage.
        energised: GPUs that run.
        stranded: GPUs delivered that do not.
        mw_drawn: facility MW that they draw.
        binding: the limit that stops one more GPU.
        gpus_per_mw: GPUs gained by one more facility MW; 0 when power does not bind.
        shadow_prices: H100e gained by one more unit of each limit given; the units are in ``inputs.PER``.
        h100e: H100 equivalents of what runs.
        units: nodes or racks that run.
        unit_kind: "node" or "rack".
        gpus_per_unit: GPUs in one.
        divisible: GPUs that would run if a unit could be cut.
        gap: GPUs lost to whole units: ``divisible - energised``, less than one unit.
        network: the back-end fabric, or None where none was named.
        uptime: failures, goodput and effective FLOP/s.
    """

    chip: str
    gpus: float
    mw: float | None
    pue: float
    it_kw: float
    energised: float
    stranded: float
    mw_drawn: float
    binding: Binding
    gpus_per_mw: float
    shadow_prices: dict[Binding, float]
    h100e: float
    units: float
    unit_kind: str
    gpus_per_unit: int
    divisible: float
    gap: float
    network: NetworkReport | None
    uptime: UptimeReport

    @property
    def goodput(self) -> float:
        """Share of the time that the largest job does useful work."""
        return self.uptime.goodput

    @property
    def effective_flops(self) -> float:
        """Useful FLOP/s of the whole site."""
        return self.uptime.effective_flops

    @property
    def switches(self) -> tuple[float, ...]:
        """Back-end switches by tier, leaves first; empty without a fabric or if one fabric cannot hold it."""
        return self.network.switches if self.network else ()

    @property
    def one_fabric(self) -> bool | None:
        """Whether one fabric holds every GPU that runs; None where no fabric was named."""
        return self.network.one_fabric if self.network else None

    def to_dict(self) -> dict[str, Any]:
        """The site as plain numbers and words, for JSON."""
        out: dict[str, Any] = {
            field.name: getattr(self, field.name) for field in dataclasses.fields(EnergisedSite)
        }
        out["binding"] = self.binding.name
        out["shadow_prices"] = {each.name: price for each, price in self.shadow_prices.items()}
        out["shadow_price_units"] = {each.name: f"H100e per {PER[each]}" for each in self.shadow_prices}
        out["network"] = self.network.to_dict() if self.network else None
        out["uptime"] = dataclasses.asdict(self.uptime)
        return out

    def table(self) -> str:
        """The site as a few lines of text."""
        power = "no limit" if self.mw is None else f"{self.mw:g} MW facility"
        rows = [
            ("delivered", f"{self.gpus:,.0f} {self.chip}, {self.it_kw:g} kW IT each, PUE {self.pue:g}"),
            ("power", f"{power}; drawn {self.mw_drawn:,.2f} MW"),
            ("energised", f"{self.energised:,.0f} GPUs in {self.units:,.0f} {self.unit_kind}s"),
            ("", f"{self.h100e:,.0f} H100e; {self.stranded:,.0f} GPUs stranded"),
            ("binding limit", self.binding.help),
        ]
        rows += [
            (f"one more {ONE_MORE[each]}", f"{price:,.2f} H100e")
            for each, price in self.shadow_prices.items()
        ]
        rows += self.network.rows() if self.network else []
        return lines(rows + self.uptime.rows())

    def __str__(self) -> str:
        return self.table()


def energise(
    chip: str = "H100",
    gpus: float = 100_000,
    mw: float | None = 50.0,
    pue: float = PUE,
    it_kw: float | None = None,
    fabric: str | None = None,
    racks: float | None = None,
    liquid_mw: float | None = None,
    air_mw: float | None = None,
    *,
    reserve: float = 0.0,
    rack_kw: float | None = None,
    liquid_share: float | None = None,
    back_end_ports: float | None = None,
    front_end_ports: float | None = None,
    tiers: int | None = None,
    rails: int = 1,
    operation: Operation = USUAL,
) -> EnergisedSite:
    """What a site can run of one chip type, why no more, and what the running GPUs compute.

    A limit left out, or None, is not in force. Formula C1: the least of GPUs delivered and of what power,
    cooling, racks and ports carry, in whole nodes or racks.

    Args:
        chip: the chip type.
        gpus: GPUs delivered.
        mw: facility power, MW.
        pue: facility power over IT power, at least 1.
        it_kw: IT kW per GPU with its share of host, network and storage; the catalogue's if left out.
        fabric: the back-end fabric, for the network report; GPUs beyond one fabric still run.
        racks: rack positions.
        liquid_mw: liquid cooling, MW of IT heat.
        air_mw: air cooling, MW of IT heat.
        reserve: share of the power held back.
        rack_kw: IT kW that one rack may draw or that can be cooled in it.
        liquid_share: share of the heat that liquid takes away; the catalogue's if left out.
        back_end_ports: ports of the back-end fabric.
        front_end_ports: ports of the front-end network.
        tiers: tiers of the fabric; the catalogue's if left out.
        rails: separate fabrics, one per GPU index of a node.
        operation: how the site fails and is kept running.

    Raises:
        ValueError: for a name or a number that cannot be; one sentence says what is allowed.
    """
    spec = find_spec(chip)
    delivered = number("gpus", gpus, 0.0, 1e9, "GPUs", whole=True)
    number("pue", pue, 1.0, 5.0, "facility kW per IT kW")
    kw = spec.it_kw if it_kw is None else number("it_kw", it_kw, 0.01, 20.0, "kW, not W, per GPU")
    limit, given = site_limits(mw, reserve, liquid_mw, air_mw, racks, back_end_ports, front_end_ports)
    use = uses_of_one(spec, kw, pue, liquid_share, rack_kw)
    found = energise_one(delivered, use, limit, float(spec.gpus_per_unit))
    network = None
    if fabric is not None:
        network = network_of(fabric, found[0] * spec.nics_per_gpu, found[0], tiers, rails)
    one_more = {each: scale(each, reserve) for each in given}
    return report(spec, delivered, mw, float(pue), kw, found, one_more, network, operation)


def report(
    spec: ChipSpec,
    delivered: float,
    mw: float | None,
    pue: float,
    kw: float,
    found: tuple[float, float, int, float],
    one_more: dict[Binding, float],
    network: NetworkReport | None,
    operation: Operation,
) -> EnergisedSite:
    """Puts together what ``energise`` answers.

    Args:
        spec: the chip.
        delivered: GPUs on site.
        mw: facility power, MW, or None.
        pue: facility power over IT power.
        kw: IT kW per GPU.
        found: what ``energise_one`` gave.
        one_more: each limit given -> units of the core (kW, racks, ports) in one unit for people.
        network: the fabric, if one was named.
        operation: how the site fails and is kept running.
    """
    running, divisible, binding, gain = found
    gains = {each: gain * units if each == binding else 0.0 for each, units in one_more.items()}
    return EnergisedSite(
        chip=spec.name,
        gpus=delivered,
        mw=None if mw is None else float(mw),
        pue=pue,
        it_kw=kw,
        energised=running,
        stranded=delivered - running,
        mw_drawn=running * kw * pue / KW_PER_MW,
        binding=Binding(binding),
        gpus_per_mw=gains.get(Binding.power, 0.0),
        shadow_prices={each: gpus * spec.h100e for each, gpus in gains.items()},
        h100e=running * spec.h100e,
        units=float(np.ceil(running / spec.gpus_per_unit)),
        unit_kind=spec.unit_kind,
        gpus_per_unit=spec.gpus_per_unit,
        divisible=divisible,
        gap=max(0.0, divisible - running),
        network=network,
        uptime=uptime_of(spec, running, network, operation),
    )


def uses_of_one(
    spec: ChipSpec, kw: float, pue: float, liquid_share: float | None, rack_kw: float | None
) -> Vector:
    """What one GPU of a type takes of each limit, (limits,).

    Args:
        spec: the chip.
        kw: IT kW per GPU.
        pue: facility power over IT power.
        liquid_share: share of the heat that liquid takes away; the chip's if None.
        rack_kw: IT kW of one rack; no limit if None.

    Raises:
        ValueError: as ``inputs.number``, or if one rack cannot feed a single unit.
    """
    share = spec.liquid_share
    if liquid_share is not None:
        share = number("liquid_share", liquid_share, 0.0, 1.0, "share of the heat")
    places = float(spec.gpus_per_rack)
    power = optional("rack_kw", rack_kw, 0.0, 1e4, "IT kW per rack")
    if power < UNLIMITED:
        places = gpus_per_rack(power, kw, float(spec.gpus_per_unit), places)
    if places < 1.0:
        need = f"{kw * spec.gpus_per_unit:.4g}"
        what = f"one {spec.unit_kind} of {spec.name}"
        raise ValueError(
            f"rack_kw is {rack_kw:g}: {what} draws {need} kW IT, allowed is that or more; nearest {need}"
        )
    use = np.zeros((LIMITS, 1))
    one = np.ones(1)
    node = one * spec.gpus_per_node
    uses(one * kw, float(pue), one * share, one * places, one * spec.nics_per_gpu, node, use)
    out: Vector = np.ascontiguousarray(use[:, 0])
    return out
