"""``energise_mix``: what one site with several chip types can run, and why no more.

>>> from gpurush.capacity import energise_mix
>>> site = energise_mix({"H100": 8_000, "GB300": 7_200}, mw=20, pue=1.15)
>>> site.energised["GB300"], site.binding.name
(7200.0, 'power')
"""

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from ..catalog.chips import ChipSpec, chip
from ..names import Binding
from ..units import KW_PER_MW
from . import PUE
from .energising import energise_chips
from .inputs import ONE_MORE, lines, number, scale, site_limits
from .limits import LIMITS, POWER, Column, uses
from .simplex import load_of


@dataclasses.dataclass(frozen=True, slots=True)
class EnergisedMix:
    """What a site with several chip types runs. Power is facility MW.

    Attributes:
        gpus: chip -> GPUs delivered.
        energised: chip -> GPUs that run, in whole units.
        stranded: chip -> GPUs delivered that do not.
        mw: facility power, MW; None where it is no limit.
        mw_drawn: facility MW drawn.
        binding: the limit whose shortage, at its shadow price, costs most.
        shadow_prices: value gained by one more of each limit given (units in ``inputs.PER``), chips
            divisible.
        value: worth of what runs: H100e unless other values were given.
        divisible_value: its worth if a unit could be cut.
        gap: worth lost to whole units.
        gap_limit: the gap stays below this: the worth of one unit of each type.
        h100e: H100 equivalents of what runs.
    """

    gpus: dict[str, float]
    energised: dict[str, float]
    stranded: dict[str, float]
    mw: float | None
    mw_drawn: float
    binding: Binding
    shadow_prices: dict[Binding, float]
    value: float
    divisible_value: float
    gap: float
    gap_limit: float
    h100e: float

    def to_dict(self) -> dict[str, Any]:
        """The site as plain numbers and words, for JSON."""
        out = dataclasses.asdict(self)
        out["binding"] = self.binding.name
        out["shadow_prices"] = {each.name: price for each, price in self.shadow_prices.items()}
        return out

    def table(self) -> str:
        """The site as a few lines of text."""
        rows = [
            (name, f"{self.energised[name]:,.0f} of {self.gpus[name]:,.0f} GPUs run") for name in self.gpus
        ]
        rows += [
            (
                "power",
                f"{'no limit' if self.mw is None else f'{self.mw:g} MW'}; drawn {self.mw_drawn:,.2f} MW",
            ),
            ("together", f"{self.h100e:,.0f} H100e"),
            ("binding limit", self.binding.help),
        ]
        rows += [
            (f"one more {ONE_MORE[each]}", f"{price:,.2f}") for each, price in self.shadow_prices.items()
        ]
        rows.append(("lost to whole units", f"{self.gap:,.1f} (less than {self.gap_limit:,.1f})"))
        return lines(rows)

    def __str__(self) -> str:
        return self.table()


def energise_mix(
    gpus: Mapping[str, float],
    mw: float | None = 50.0,
    pue: float = PUE,
    it_kw: Mapping[str, float] | None = None,
    racks: float | None = None,
    liquid_mw: float | None = None,
    air_mw: float | None = None,
    *,
    values: Mapping[str, float] | None = None,
    reserve: float = 0.0,
    back_end_ports: float | None = None,
    front_end_ports: float | None = None,
) -> EnergisedMix:
    """What a site can run of several chip types, and what one more of each limit would give.

    Args:
        gpus: chip -> GPUs delivered.
        mw: facility power, MW; None where it is no limit, as for the other limits.
        pue: facility power over IT power, at least 1.
        it_kw: chip -> IT kW per GPU, where it is not the catalogue's.
        racks: rack positions.
        liquid_mw: liquid cooling, MW of IT heat.
        air_mw: air cooling, MW of IT heat.
        values: chip -> worth of one GPU, where it is not its H100e.
        reserve: share of the power held back.
        back_end_ports: ports of the back-end fabric.
        front_end_ports: ports of the front-end network.

    Raises:
        ValueError: for a name or a number that cannot be; one sentence says what is allowed.
    """
    specs, delivered = chips_of(gpus)
    names = [each.name for each in specs]
    number("pue", pue, 1.0, 5.0, "facility kW per IT kW")
    kw = np.array([each.it_kw for each in specs])
    override(kw, names, it_kw, "it_kw", 0.01, 20.0, "kW, not W, per GPU")
    value = np.array([each.h100e for each in specs])
    override(value, names, values, "value", 0.0, 1e9, "value per GPU")
    limit, given = site_limits(mw, reserve, liquid_mw, air_mw, racks, back_end_ports, front_end_ports)
    use, units = uses_of_all(specs, kw, float(pue))
    running, shadow = np.zeros(len(specs)), np.zeros(LIMITS)
    worth, best, binding = energise_chips(value, use, limit, delivered, units, running, shadow)
    return EnergisedMix(
        gpus=dict(zip(names, delivered.tolist(), strict=True)),
        energised=dict(zip(names, running.tolist(), strict=True)),
        stranded=dict(zip(names, (delivered - running).tolist(), strict=True)),
        mw=None if mw is None else float(mw),
        mw_drawn=load_of(use[POWER], running) / KW_PER_MW,
        binding=Binding(binding),
        shadow_prices={each: float(shadow[each - 1]) * scale(each, reserve) for each in given},
        value=worth,
        divisible_value=best,
        gap=max(0.0, best - worth),
        gap_limit=load_of(value, units),
        h100e=sum(each.h100e * n for each, n in zip(specs, running.tolist(), strict=True)),
    )


def chips_of(gpus: Mapping[str, float]) -> tuple[list[ChipSpec], Column]:
    """The chips that a caller named and how many there are of each, (chips,).

    Raises:
        ValueError: for no chips, a chip that is unknown or stands there twice, or a number that cannot be.
    """
    if not gpus:
        raise ValueError("gpus is empty: at least one chip type is needed, such as {'H100': 1000}")
    specs = [chip(name) for name in gpus]
    if len({each.name for each in specs}) < len(specs):
        raise ValueError(f"gpus names a chip twice: found {', '.join(gpus)}")
    counts = [number(f"gpus of {name}", each, 0.0, 1e9, "GPUs", whole=True) for name, each in gpus.items()]
    return specs, np.array(counts)


def override(
    column: Column,
    names: list[str],
    given: Mapping[str, float] | None,
    what: str,
    low: float,
    high: float,
    unit: str,
) -> None:
    """Puts numbers that the caller gave by chip in the place of the catalogue's.

    Raises:
        ValueError: for a chip that the site does not have, or a number that cannot be.
    """
    for name, found in (given or {}).items():
        spec = chip(name)
        if spec.name not in names:
            raise ValueError(
                f"{what} names {spec.name}, which the site does not have: allowed are {', '.join(names)}"
            )
        column[names.index(spec.name)] = number(f"{what} of {spec.name}", found, low, high, unit)


def uses_of_all(specs: list[ChipSpec], kw: Column, pue: float) -> tuple[Column, Column]:
    """What one GPU of each type takes of each limit, (limits, chips), and GPUs per unit, (chips,)."""
    use = np.zeros((LIMITS, len(specs)))
    share = np.array([each.liquid_share for each in specs])
    per_rack, nics, per_node, per_unit = (
        np.array([float(getattr(each, field)) for each in specs])
        for field in ("gpus_per_rack", "nics_per_gpu", "gpus_per_node", "gpus_per_unit")
    )
    uses(kw, pue, share, per_rack, nics, per_node, use)
    return use, per_unit
