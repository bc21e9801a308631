"""A made-up recording with plausible numbers, and a stand-in for the model that returns it."""

import time
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest

from gpurush.engine import LAYOUTS
from gpurush.names import Bound, Deal
from gpurush.results.recording import Recording
from gpurush.rows import AgentRow, DealRow, MarketRow, SiteRow
from gpurush.usage import run_numbers

LABS = ["openai", "anthropic", "google_deepmind", "meta", "xai", "mistral"]
FIRMS = {
    **dict.fromkeys(LABS, "lab"),
    **dict.fromkeys(["microsoft", "google", "aws", "oracle", "coreweave", "meta_cloud"], "cloud"),
    **dict.fromkeys(["tesla", "x"], "sister"),
    **dict.fromkeys(["nvidia", "amd"], "maker"),
    **dict.fromkeys(["supermicro", "dell"], "integrator"),
    **dict.fromkeys(["mlgw", "dominion"], "utility"),
    **dict.fromkeys(["venture", "sovereign", "lenders"], "investor"),
    **dict.fromkeys(["outside", "buyers", "households", "world", "foundry"], "sector"),
}
SITES = {"memphis": "xai", "iowa": "microsoft", "austin": "tesla"}
CHIPS = ["A100", "H100", "B200"]
ITEMS = [*(("gpu", chip) for chip in CHIPS), ("lease", "H100"), ("power", "mlgw"), ("capital", "equity")]
ACCOUNTS = [*FIRMS, *SITES, "foundry stock", "scrap"]
START, MONTHS = "2023-01", 60
SCALE = dict(zip(LABS, (60e3, 18e3, 90e3, 70e3, 9e3, 3e3), strict=True))


def scenario(name: str = "baseline", months: int = MONTHS, overrides: dict[str, object] | None = None) -> Any:
    """What a loaded scenario shows to those who run it."""
    text = f'[scenario]\nname = "{name}"\n' + "".join(f"# {k} = {v}\n" for k, v in (overrides or {}).items())
    return SimpleNamespace(
        name=name, title="The rush as it was", question="?", start=START, months=months, hash="ab" * 32,
        dump_toml=lambda: text,
    )  # fmt: skip


def walk(rng: np.random.Generator, growth: float, spread: float, months: int) -> np.ndarray:
    """(months,), a growing, wandering level that starts at 1."""
    return np.exp(np.cumsum(np.full(months, growth) + rng.normal(0.0, spread, months)))


def agents(run: int, seed: int, months: int, shift: float) -> np.ndarray:
    rows = np.zeros((months, len(FIRMS)), LAYOUTS[AgentRow])
    rows["runway_months"] = np.nan
    rows["cash_usd"] = 1e9
    rows["order_inflation"] = 1.0
    for at, lab in enumerate(LABS):
        rng = np.random.default_rng([seed, run, at])
        row = rows[:, at]
        level = SCALE[lab] * walk(rng, 0.075 + shift, 0.05, months)
        founded = 6 if lab == "xai" else 0
        row["h100e_energised"] = level
        row["h100e_owned"] = 0.6 * level
        row["h100e_leased"] = 0.5 * level
        row["h100e_stranded"] = 0.1 * level * rng.random(months)
        row["h100e_target"] = level * 1.3
        row["researchers"] = 300 * walk(rng, 0.02, 0.01, months)
        row["research_share"] = 0.6 + 0.1 * rng.random(months)
        row["h100e_per_researcher"] = 0.6 * level / row["researchers"]
        row["capability"] = 25.3 + np.floor(np.arange(months) / 9 + rng.random()) * 0.9
        row["revenue_usd"] = level * 1500
        row["compute_spend_usd"] = level * 1400
        row["order_inflation"] = 1.0 + rng.random(months) * np.exp(-np.arange(months) / 20)
        rounds = (
            (np.arange(months) % 14 == 5)
            if lab not in ("meta", "google_deepmind")
            else np.zeros(months, bool)
        )
        rounds = rounds | (rng.random(months) < 0.01 if lab in ("openai", "xai") else False)
        row["equity_raised_usd"] = np.where(rounds, 4e9 * walk(rng, 0.03, 0.1, months), 0.0).round()
        burn = 3e8 * walk(rng, 0.03, 0.02, months)
        cash = 2e9 + np.cumsum(row["equity_raised_usd"] - (burn if rounds.any() else -burn))
        row["cash_usd"] = np.maximum(cash, 0.0).round()
        if rounds.any():
            row["runway_months"] = np.where(rng.random(months) < 0.9, row["cash_usd"] / burn, np.nan)
        row["bound_by"] = rng.choice(
            [Bound.chips, Bound.power, Bound.money, Bound.leases, Bound.nothing],
            months,
            p=[0.5, 0.2, 0.1, 0.1, 0.1],
        )
        for name in rows.dtype.names:
            row[name][:founded] = np.nan if name == "runway_months" else 0
    return rows


def sites(run: int, seed: int, months: int) -> np.ndarray:
    rows = np.zeros((months, len(SITES)), LAYOUTS[SiteRow])
    t = np.arange(months)
    for at in range(len(SITES)):
        rng = np.random.default_rng([seed, run, 100 + at])
        row = rows[:, at]
        late = rng.integers(0, 6)
        begin = 17 if at == 0 else 0
        row["shell_mw"] = np.where(t >= begin, 150.0 + 100 * (t >= 34), 0.0)
        row["approved_mw"] = (
            np.where(t >= begin, 50.0, 0.0) + 100.0 * (t >= 22 + late) + 100 * (t >= 36 + late)
        )
        row["grid_mw"] = (
            np.where(t >= begin, 8.0, 0.0) + 42.0 * (t >= 19) + 100.0 * (t >= 25 + late) + 100 * (t >= 40)
        )
        row["requested_mw"] = 300.0
        row["onsite_mw"] = np.where((t >= 19) & (t < 40), 35.0, 0.0)
        row["gpus_delivered"] = (
            np.floor(np.clip((t - begin) * 9000.0 * (0.8 + 0.4 * rng.random()), 0, 220_000) / 8) * 8
        )
        room = (row["grid_mw"] + row["onsite_mw"]) / 1.55e-3
        row["gpus_energised"] = np.floor(np.minimum(row["gpus_delivered"], room) / 8) * 8
        row["gpus_busy"] = np.floor(row["gpus_energised"] * (0.85 + 0.15 * rng.random(months)))
        row["h100e_energised"] = row["gpus_energised"]
        row["h100e_stranded"] = row["gpus_delivered"] - row["gpus_energised"]
        row["facility_mw"] = row["gpus_energised"] * 1.5e-3
        row["binding_limit"] = np.where(row["h100e_stranded"] > 0, 1, 0)
        row["shadow_h100e_per_mw"] = np.where(row["h100e_stranded"] > 0, 660.0, 0.0)
    return rows


def markets(run: int, seed: int, months: int) -> np.ndarray:
    rows = np.zeros((months, len(ITEMS)), LAYOUTS[MarketRow])
    t = np.arange(months)
    for at, (market, item) in enumerate(ITEMS):
        rng = np.random.default_rng([seed, run, 200 + at])
        row = rows[:, at]
        row["need"] = 1e5 * walk(rng, 0.04, 0.03, months)
        row["shipped"] = row["need"] * np.clip(0.5 + t / 60 + rng.normal(0, 0.05, months), 0.2, 1)
        row["orders"] = row["shipped"] * (1.5 - t / 60 + rng.normal(0, 0.1, months))
        row["backlog"] = row["need"] * 3
        row["fill_rate"] = row["shipped"] / row["need"]
        row["book_to_bill"] = row["orders"] / row["shipped"]
        row["lead_time_months"] = np.clip(9 - t / 8 + rng.normal(0, 0.8, months), 0.5, None)
        level = {"gpu": 34e3 if item == "H100" else 15e3, "lease": 2.5, "power": 70.0, "capital": 30.0}[
            market
        ]
        row["price_usd"] = level * walk(rng, -0.012, 0.01, months)
        if item == "B200":
            row["book_to_bill"][:24] = np.nan
            for name in ("need", "shipped", "orders", "backlog"):
                row[name][:24] = 0.0
    return rows


def deals(runs: list[int], seed: int, months: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    kinds = [Deal.chips, Deal.rent, Deal.power, Deal.payroll, Deal.service, Deal.equity, Deal.place]
    per = 40
    count = len(runs) * months * per
    rng = np.random.default_rng([seed, *runs[:1]])
    lines = np.zeros(count, LAYOUTS[DealRow])
    lines["kind"] = rng.choice(kinds, count)
    moves = lines["kind"] == Deal.place
    lines["payer"] = rng.integers(0, 6, count)
    lines["payee"] = rng.integers(6, len(ACCOUNTS), count)
    lines["asset"] = np.where(moves, rng.integers(0, len(CHIPS), count), -1)
    lines["amount"] = np.where(moves, 8 * rng.integers(1, 50, count), rng.integers(0, 3, count) * 1e6)
    lines["quantity"] = np.where(moves | (lines["amount"] == 0), 0.0, rng.integers(0, 100, count))
    return lines, np.repeat(runs, months * per), np.tile(np.repeat(np.arange(months), per), len(runs))


def recording(
    runs: int | list[int] = 20, seed: int = 0, months: int = MONTHS, shift: float = 0.0
) -> Recording:
    """A recording of these runs; ``shift`` is a further monthly growth of the labs."""
    which = sorted(run_numbers(runs))
    lines, run, month = deals(which, seed, months)
    return Recording(
        start=START, runs=np.array(which, dtype=np.int64), months=months,
        agents=list(FIRMS), kinds=list(FIRMS.values()), sites=list(SITES), site_owners=list(SITES.values()),
        items=ITEMS, accounts=ACCOUNTS, chips=CHIPS,
        agent_rows=np.stack([agents(r, seed, months, shift) for r in which], axis=1),
        site_rows=np.stack([sites(r, seed, months) for r in which], axis=1),
        market_rows=np.stack([markets(r, seed, months) for r in which], axis=1),
        deal_rows=lines, deal_run=run.astype(np.int64), deal_month=month.astype(np.int64),
        parameters={"labs.xai.cash": 1e9 + np.array(which), "outside.demand": np.full(len(which), 0.66)},
        summary={
            "labs_h100e": np.array(which, dtype=float),
            "releases": np.array(which, dtype=np.int64),
            "defaults": np.array([number % 10 == 3 for number in which], dtype=np.int64),
        },
        finite=np.ones(len(which), dtype=bool),
    )  # fmt: skip


class FakeIndustry:
    """Stands in for the model: the same interface, made-up numbers."""

    built: ClassVar[list[list[int]]] = []
    fail_at: int | None = None
    error: BaseException = RuntimeError("run 3, 2023-02: cash of xai is not finite")
    pause = 0.0

    def __init__(self, scenario: Any, runs: Any, rng: int) -> None:
        self.scenario, self.numbers, self.seed, self.time = scenario, run_numbers(runs), rng, 0
        type(self).built.append(self.numbers)

    def run_for(self, months: int) -> None:
        self.time += months
        time.sleep(self.pause)
        if self.fail_at is not None and self.time >= self.fail_at:
            raise self.error

    def recording(self) -> Recording:
        assert self.time == self.scenario.months
        shift = 0.01 if self.scenario.name == "memphis-late" else 0.0
        return recording(self.numbers, self.seed, self.time, shift)


def stand_in(monkeypatch: pytest.MonkeyPatch) -> type[FakeIndustry]:
    """Replaces model and scenario files by made-up ones; returns a fresh class of the model."""
    import sys

    from gpurush import api
    from gpurush.scenario.errors import ScenarioError

    class Model(FakeIndustry):
        built: ClassVar[list[list[int]]] = []

    def load(which: Any = "baseline", overrides: Any = None) -> Any:
        if which not in ("baseline", "memphis-late"):
            raise ScenarioError(f'unknown scenario "{which}", did you mean "baseline"?\nshipped: baseline')
        return scenario(which, 24, overrides)

    monkeypatch.setitem(sys.modules, "gpurush.industry", SimpleNamespace(Industry=Model))  # type: ignore[misc]
    monkeypatch.setattr("gpurush.scenario.load", load)
    monkeypatch.setattr(api, "THREADS", 2)
    return Model
