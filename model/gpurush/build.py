"""From a scenario to the state of a batch: every number drawn and put in its place, opening balances booked."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import luck, state
from .capacity import PUE
from .catalog.chips import Chip, chip_specs
from .catalog.fabrics import fabric
from .engine import LAYOUTS
from .layout import RECORDS, SECTORS, TABLES, Map, lay_out, put
from .scenario import NegotiationEvent, Scenario, ScenarioError, draw
from .state import Asked, Kind, Lease, Sector, Stage
from .units import HOURS_PER_MONTH, month_index

Drawn = Mapping[str, NDArray[np.float64]]

PURSE = 1e14
"""Cash of a sector at the start, USD: it never binds and keeps every sum exact."""
SHARES = 1e9
"""Shares of a lab at the start: whole, so that a cap table sums exactly."""
NEVER = 1 << 20
"""A month that does not come."""


def build(
    scenario: Scenario, seed: int, numbers: Sequence[int]
) -> tuple[Any, Map, dict[str, NDArray[np.float64]]]:
    """The opening state of a batch.

    Args:
        scenario: a checked scenario.
        seed: seed of the ensemble.
        numbers: run numbers.

    Returns:
        The state, shape (runs,); who is where; every number drawn by path.
    """
    where = lay_out(scenario)
    drawn = draw(scenario, seed, list(numbers))
    runs = np.zeros(len(numbers), LAYOUTS[state.Run])
    runs["number"], runs["seed"] = list(numbers), seed
    for path, values in drawn.items():
        put(runs, scenario, path, values)
    _count(runs, scenario, where)
    _chips(runs, scenario, drawn)
    _firms(runs, scenario, where, drawn)
    _sites(runs, scenario, where, drawn)
    _labs(runs, scenario, where, drawn)
    _others(runs, scenario, drawn)
    _buyers(runs, scenario, where, drawn)
    _series(runs, scenario, drawn)
    _leases(runs, scenario, drawn)
    _rounds(runs, scenario, where, drawn)
    _open(runs)
    return runs, where, drawn


def _month(scenario: Scenario, name: str | None, otherwise: int = 0) -> int:
    return otherwise if name is None else month_index(scenario.start, name)


def _count(runs: Any, scenario: Scenario, where: Map) -> None:
    for table in TABLES:
        name = RECORDS.get(table, table)
        runs[f"{name}_used"] = len(getattr(scenario, table))
    runs["firms_used"], runs["sites_used"] = len(where.firms), len(where.sites)
    runs["programmes_used"] = len(scenario.programmes)
    runs["sectors"] = len(where.firms) - len(Sector)
    runs["rationing"] = int(scenario.markets.gpu.rationing)


def _chips(runs: Any, scenario: Scenario, drawn: Drawn) -> None:
    chips = runs["chips"]
    for c, spec in enumerate(chip_specs()):
        chips["h100e"][:, c] = spec.h100e
        chips["it_kw"][:, c] = spec.it_kw
        chips["unit"][:, c] = spec.gpus_per_unit
        chips["liquid"][:, c] = spec.liquid_share
        chips["per_wafer"][:, c] = spec.chips_per_wafer
        runs["chip_kw"][:, c] = spec.it_kw
        runs["chip_liquid"][:, c] = spec.liquid_share
        runs["chip_unit"][:, c] = spec.gpus_per_unit
        runs["chip_rack"][:, c] = spec.gpus_per_rack
        runs["chip_value"][:, c] = spec.h100e
        launch = scenario.chips.get(spec.name)
        chips["launch"][:, c] = NEVER if launch is None else _month(scenario, launch.launch)
        if launch is not None:
            chips["price"][:, c] = drawn[f"chips.{spec.name}.price"]
            chips["ramp"][:, c] = drawn[f"chips.{spec.name}.ramp"]


def _firms(runs: Any, scenario: Scenario, where: Map, drawn: Drawn) -> None:
    firms = runs["firms"]
    groups = sorted({lab.owner for lab in scenario.labs.values() if lab.owner})
    for row, (name, kind) in enumerate(zip(where.firms, where.kinds, strict=True)):
        firms["who"][:, row] = luck.name(name)
        firms["kind"][:, row] = Kind[kind]
        firms["owner"][:, row] = -1
    for table in TABLES:
        for at, (name, block) in enumerate(getattr(scenario, table).items()):
            row = where.rows[name]
            firms["place"][:, row] = at
            runs[RECORDS.get(table, table)]["firm"][:, at] = row
            cash = "dry_powder" if table == "capital" else "cash"
            if f"{table}.{name}.{cash}" in drawn:
                firms["cash"][:, row] = np.floor(drawn[f"{table}.{name}.{cash}"])
            owner = getattr(block, "owner", None)
            if owner is not None:
                firms["owner"][:, row] = groups.index(owner)
            firms["founded"][:, row] = max(0, _month(scenario, getattr(block, "founded", None)))
    for sector, name in SECTORS.items():
        firms["cash"][:, where.rows[name]] = PURSE
        firms["place"][:, where.rows[name]] = int(sector)


def _sites(runs: Any, scenario: Scenario, where: Map, drawn: Drawn) -> None:
    sites = runs["sites"]
    utilities = list(scenario.utilities)
    for s, (name, block) in enumerate(scenario.sites.items()):
        sites["number"][:, s], sites["who"][:, s] = s, luck.name(name)
        sites["owner"][:, s], sites["utility"][:, s] = where.rows[block.owner], utilities.index(block.utility)
        sites["own_builder"][:, s] = block.own_builder
        spec = fabric(block.fabric)
        sites["ports"][:, s] = 2.0 * (spec.radix / 2.0) ** spec.tiers
        sites["retrofit"][:, s] = _month(scenario, block.ready, -1)
        shell = drawn[f"sites.{name}.shell_mw"] if block.ready is None else 0.0
        grid = drawn[f"power.{name}.grid_mw"]
        pipeline = drawn[f"power.{name}.pipeline_mw"] * np.ceil(drawn[f"power.{name}.pipeline_months"])
        sites["shell_mw"][:, s], sites["grid_mw"][:, s] = shell, grid
        sites["requested_mw"][:, s] = sites["approved_mw"][:, s] = grid + pipeline
        for chip in block.chips:
            _endow(runs, s, chip, drawn[f"sites.{name}.chips.{chip}"])
        for q, tranche in enumerate(scenario.power[name].tranches):
            _tranche(runs, scenario, s, q, tranche, drawn[f"power.{name}.tranches.{q}.mw"])
    s = len(scenario.sites)
    sites["number"][:, s], sites["who"][:, s] = s, luck.name("outside")
    sites["owner"][:, s], sites["own_builder"][:, s] = where.rows["outside_buyers"], True
    sites["utility"][:, s] = utilities.index(scenario.outside.utility)
    sites["terms"]["pue"][:, s] = PUE
    sites["terms"]["it_kw_factor"][:, s] = 1.0
    for share in ("liquid_share_limit", "liquid_share_built", "air_share_limit"):
        sites["terms"][share][:, s] = 1e6
    sites["terms"]["racks"][:, s] = 1e6
    sites["retrofit"][:, s] = -1
    for column in ("shell_mw", "grid_mw", "requested_mw", "approved_mw"):
        sites[column][:, s] = 1e6
    _endow(runs, s, "A100", drawn["outside.fleet"] / chip_specs()[Chip.A100].h100e)


def _endow(runs: Any, site: int, chip: str, gpus: Any) -> None:
    c = Chip[chip]
    unit = chip_specs()[c].gpus_per_unit
    whole = np.floor(gpus / unit) * unit
    runs["gpus"][:, state.SITE_ACCOUNT + site, c] += whole
    runs["gpus"][:, state.FOUNDRY_GPUS, c] -= whole


def _tranche(runs: Any, scenario: Scenario, site: int, q: int, tranche: Any, mw: Any) -> None:
    request = runs["sites"]["requests"]
    request["stage"][:, site, q], request["asked"][:, site, q] = Stage.planned, Asked.grid
    request["mw"][:, site, q], request["board"][:, site, q] = mw, tranche.board
    request["left"][:, site, q] = max(0, _month(scenario, tranche.requested)) + 1.0
    request["expected"][:, site, q] = request["left"][:, site, q]
    request["until"][:, site, q] = _month(scenario, tranche.energised, -1)


def _labs(runs: Any, scenario: Scenario, where: Map, drawn: Drawn) -> None:
    labs = runs["labs"]
    labs["clouds"] = -1
    clouds = list(scenario.clouds)
    for i, (name, block) in enumerate(scenario.labs.items()):
        labs["strategy"][:, i], labs["top_rule"][:, i] = int(block.strategy), int(block.top_rule)
        labs["research_rule"][:, i], labs["applied_rule"][:, i] = (
            int(block.research_rule),
            int(block.applied_rule),
        )
        labs["startup"][:, i] = block.kind == "startup"
        for rank, cloud in enumerate(block.clouds):
            labs["clouds"][:, i, rank] = clouds.index(cloud)
        for field in ("researchers", "efficiency", "capability", "demand", "valuation"):
            labs[field][:, i] = drawn[f"labs.{name}.{field}"]
        labs["demand_before"][:, i] = labs["demand"][:, i]
        labs["revenue_year"][:, i] = 12.0 * labs["demand"][:, i]
        labs["growth"][:, i] = drawn["planning.growth_start"]
        labs["unit"][:, i] = 8.0
        labs["closes"][:, i], labs["last_round"][:, i] = -1, -NEVER
        labs["released"][:, i], labs["reviewed"][:, i] = -6, -NEVER
        labs["issued"][:, i] = SHARES
        left = np.full(len(runs), SHARES)
        for holder in block.holders:
            if holder in where.rows:
                shares = np.floor(SHARES * drawn[f"labs.{name}.holders.{holder}"])
                labs["shares"][:, i, where.rows[holder]] += shares
                left -= shares
        labs["shares"][:, i, where.rows["households"]] += left


def _others(runs: Any, scenario: Scenario, drawn: Drawn) -> None:
    for m, (name, block) in enumerate(scenario.makers.items()):
        makers = runs["makers"]
        makers["generations"][:, m] = -1
        for g, chip in enumerate(block.chips):
            makers["generations"][:, m, g] = Chip[chip]
            makers["price"][:, m, Chip[chip]] = drawn[f"chips.{chip}.price"]
        selling = any(_month(scenario, scenario.chips[chip].launch) <= 0 for chip in block.chips)
        output, growth = drawn[f"makers.{name}.output"] * selling, drawn[f"makers.{name}.output_growth"]
        for month in range(state.PIPELINE):
            started = month < np.floor(drawn["foundry.start_lead"])
            makers["pipeline"][:, m, month] = np.where(
                started, output * np.exp(np.log1p(growth) * month), 0.0
            )
        last = np.floor(drawn["foundry.start_lead"]) - 1.0
        makers["started"][:, m] = output * np.exp(np.log1p(growth) * last)
        makers["expected"][:, m] = makers["started"][:, m]
        makers["shipped_h100e"][:, m] = output
        makers["lead"][:, m] = drawn[f"makers.{name}.backlog"]
    for n in range(len(scenario.integrators)):
        name = list(scenario.integrators)[n]
        runs["integrators"]["racks"][:, n] = drawn[f"integrators.{name}.racks"]
        runs["integrators"]["liquid"][:, n] = drawn[f"integrators.{name}.liquid_racks"]
    for u, name in enumerate(scenario.utilities):
        runs["utilities"]["headroom"][:, u] = drawn[f"utilities.{name}.headroom"]
    for v, investor in enumerate(scenario.capital.values()):
        runs["investors"]["debt"][:, v] = investor.role == "debt"
    for g, (name, programme) in enumerate(scenario.programmes.items()):
        runs["programmes"]["applied"][:, g] = programme.side == "applied"
        runs["programmes"]["weight"][:, g] = drawn[f"programmes.{name}.weight"]
        runs["programmes"]["value"][:, g] = drawn[f"programmes.{name}.value"]


def _buyers(runs: Any, scenario: Scenario, where: Map, drawn: Drawn) -> None:
    names = [*scenario.labs, *scenario.clouds, *scenario.sisters, "outside_buyers"]
    if len(names) > state.ORDERING:
        raise ScenarioError(f"{scenario.name}: found {len(names)} buyers, allowed at most {state.ORDERING}")
    buyers = runs["buyers"]
    runs["buyers_used"] = len(names)
    runs["firms"]["buyer"] = -1
    second = len(scenario.makers) > 1
    for b, name in enumerate(names):
        buyers["firm"][:, b] = where.rows[name]
        runs["firms"]["buyer"][:, where.rows[name]] = b
        owned = [site for site in scenario.sites.values() if site.owner == name]
        buyers["own_builder"][:, b] = not owned or all(site.own_builder for site in owned)
        for site in (each for each, block in scenario.sites.items() if block.owner == name):
            buyers["liquid"][:, b] |= drawn[f"sites.{site}.liquid_share_limit"] > 0.5
        buyers["fill"][:, b] = drawn["markets.gpu.fill_start"]
        buyers["inflation"][:, b] = 1.0
        for table in ("labs", "clouds"):
            share = drawn.get(f"{table}.{name}.second_source")
            if share is not None:
                buyers["second_source"][:, b] = share if second else 0.0
        if name == "outside_buyers":
            buyers["second_source"][:, b] = drawn["outside.second_source"] if second else 0.0


def _series(runs: Any, scenario: Scenario, drawn: Drawn) -> None:
    for column, path in (("wafers_known", "foundry.wafers"), ("outside_path", "outside.path")):
        block = scenario.foundry.wafers if column == "wafers_known" else scenario.outside.path
        months = [month_index(scenario.start, month) for month in block]
        points = np.log(np.stack([np.maximum(drawn[f"{path}.{month}"], 1.0) for month in block]))
        for t in range(state.SERIES):
            if t > months[-1]:
                runs[column][:, t] = 0.0
                continue
            after = next(k for k, month in enumerate(months) if month >= t)
            if after == 0:
                runs[column][:, t] = np.exp(points[0])
                continue
            part = (t - months[after - 1]) / (months[after] - months[after - 1])
            runs[column][:, t] = np.exp(points[after - 1] + part * (points[after] - points[after - 1]))
    _extend_path(runs, [month_index(scenario.start, month) for month in scenario.outside.path][-1], drawn)
    runs["wafers"] = runs["wafers_known"][:, 0]


def _extend_path(runs: Any, last: int, drawn: Drawn) -> None:
    """After its last dated value the outside aim grows at a rate that fades."""
    rate = np.log(drawn["outside.growth_late"]) / 12.0
    fade = (1.0 - drawn["outside.growth_fade"]) ** (1.0 / 12.0)
    for t in range(max(last, 0) + 1, state.SERIES):
        runs["outside_path"][:, t] = runs["outside_path"][:, t - 1] * np.exp(rate)
        rate = rate * fade


def _leases(runs: Any, scenario: Scenario, drawn: Drawn) -> None:
    contracts = runs["contracts"]
    clouds, labs = list(scenario.clouds), list(scenario.labs)
    sites = [site.owner for site in scenario.sites.values()]
    if len(scenario.leases) > state.CONTRACTS // 2:
        raise ScenarioError(
            f"{scenario.name}: leases: found {len(scenario.leases)}, allowed {state.CONTRACTS // 2}"
        )
    runs["contracts_used"] = len(scenario.leases)
    for j, lease in enumerate(scenario.leases):
        path = f"leases.{j}"
        unit = chip_specs()[Chip[lease.chip]].gpus_per_unit
        contracts["state"][:, j] = Lease.delivering
        contracts["lessor"][:, j], contracts["lessee"][:, j] = (
            clouds.index(lease.lessor),
            labs.index(lease.lessee),
        )
        contracts["site"][:, j], contracts["chip"][:, j] = sites.index(lease.lessor), Chip[lease.chip]
        contracts["gpus"][:, j] = np.floor(drawn[f"{path}.gpus"] / unit) * unit
        contracts["rent"][:, j] = drawn[f"{path}.rent"]
        contracts["discount"][:, j] = drawn[f"{path}.discount"]
        contracts["growth"][:, j] = drawn[f"{path}.grows"]
        start = _month(scenario, lease.start)
        contracts["start"][:, j] = start
        contracts["end"][:, j] = start + np.floor(drawn[f"{path}.term"])
        contracts["take_or_pay"][:, j] = drawn["markets.lease.take_or_pay"]
        if lease.equity:
            _give_equity(runs, j)


def _give_equity(runs: Any, j: int) -> None:
    """A discount against equity: the lessor gets the stake that makes up for what it gives up."""
    from .markets.contracts import break_even_stake, present_value

    for run in runs:
        contract = run["contracts"][j]
        lab = run["labs"][int(contract["lessee"])]
        rent = float(contract["gpus"] * contract["rent"]) * HOURS_PER_MONTH
        months = float(contract["end"] - contract["start"])
        worth = present_value(rent, float(run["transfer"]["discount"]), months)
        stake = break_even_stake(float(contract["discount"]), worth, float(lab["valuation"]))
        shares = np.floor(lab["issued"] * stake / (1.0 - stake))
        lab["shares"][int(run["clouds"]["firm"][int(contract["lessor"])])] += shares
        lab["issued"] += shares
        lab["valuation"] += contract["discount"] * worth


def open_negotiation(
    runs: Any, scenario: Scenario, event: NegotiationEvent, drawn: Drawn, at_event: int
) -> None:
    """Opens a negotiation in every run: a contract record that holds nothing yet."""
    clouds, labs = list(scenario.clouds), list(scenario.labs)
    month = _month(scenario, event.date)
    sites = [site.owner for site in scenario.sites.values()]
    room = runs["contracts_used"] < state.CONTRACTS
    rows = np.flatnonzero(room)
    at = runs["contracts_used"][rows]
    start = month + np.floor(runs["lease"]["negotiation"][rows])
    values = {
        "state": Lease.negotiating,
        "lessor": clouds.index(event.lessor),
        "lessee": labs.index(event.lessee),
        "site": sites.index(event.lessor),
        "chip": Chip[event.chip],
        "gpus": drawn[f"events.{at_event}.gpus"][rows],
        "value": drawn[f"events.{at_event}.value"][rows],
        "start": start,
        "end": start + np.floor(drawn[f"events.{at_event}.months"][rows]),
        "growth": 0.0,
        "discount": 0.0,
        "delivered": 0.0,
    }
    for name, value in values.items():
        runs["contracts"][name][rows, at] = value
    runs["contracts_used"][rows] += 1


def _rounds(runs: Any, scenario: Scenario, where: Map, drawn: Drawn) -> None:
    rounds = runs["rounds"]
    rounds["month"] = -1
    labs = list(scenario.labs)
    for j, known in enumerate(scenario.rounds):
        rounds["month"][:, j] = _month(scenario, known.date)
        rounds["lab"][:, j], rounds["investor"][:, j] = labs.index(known.firm), where.rows[known.investor]
        rounds["amount"][:, j] = np.floor(drawn[f"rounds.{j}.amount"])
        rounds["post_money"][:, j] = drawn[f"rounds.{j}.post_money"]


def _open(runs: Any) -> None:
    """What everybody knows at the start, and the backlog that buyers bring along."""
    from .agents.capacity import price_energy
    from .agents.close import look_round
    from .markets.gpus import first_quotes
    from .markets.leasing import post_rents

    first_quotes.all(runs)
    price_energy.all(runs)
    post_rents.all(runs)
    runs["rent_start"], runs["price_start"] = runs["rent"], runs["price"]
    look_round.all(runs)
