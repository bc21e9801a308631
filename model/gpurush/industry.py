"""The industry: one Mesa model that advances all runs of a batch in lockstep, month by month.

``step`` is the month, in the order in which things happen; each line is one phase and one place in the code.
"""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import mesa
import numpy as np

from . import ledger
from .agents import capacity, close, finance, plans, service
from .agents.reporters import REPORTERS
from .agents.views import KINDS, Site, View
from .build import build, open_negotiation
from .layout import put
from .markets import capital, gpus, leasing, power, transfers
from .names import Deal
from .recorder import Recorder
from .results.recording import Recording
from .scenario import CollapseEvent, DelayEvent, NegotiationEvent, Scenario, ScenarioError, SetEvent, load
from .state import ACCOUNTS, CHIPS, FIRMS, Asked, Fault, Lease, Stage
from .units import month_index, month_name
from .usage import check_seed, run_numbers

BLOCK = 64
"""Runs that go through a month together: the state of 64 is 15 MB."""


class ModelError(RuntimeError):
    """A run cannot go on: run, month, where and what, in one sentence."""


class Industry(mesa.Model):
    """The GPU industry of a scenario, in one or many runs.

    Args:
        scenario: a shipped name, a path of a .toml file, or a loaded scenario.
        runs: how many runs, 0 to runs - 1, or the run numbers themselves.
        rng: seed of the ensemble. All luck comes from it, the run number and an address.
        overrides: dotted path -> value, as ``--set`` on the command line.

    Attributes:
        runs: the state, an array over runs of the record ``state.Run``.
        labs, clouds, sisters, makers, integrators, utilities, investors, sites: the agents, by kind.
        horizon: months of the scenario; ``running`` turns false there.
    """

    def __init__(
        self,
        scenario: str | os.PathLike[str] | Scenario = "baseline",
        runs: int | Sequence[int] = 1,
        rng: int = 0,
        overrides: Mapping[str, object] | None = None,
    ) -> None:
        """Draws every number and opens the books; the class says what the arguments are.

        Raises:
            ScenarioError: the scenario or an override cannot be used.
            UsageError: the runs or the seed cannot be used.
        """
        check_seed(rng, "rng")
        super().__init__(rng=rng)
        if overrides and isinstance(scenario, Scenario):
            raise ScenarioError(f"{scenario.name}: a loaded scenario takes no overrides; give them to load()")
        self.story = scenario if isinstance(scenario, Scenario) else load(scenario, overrides)
        self.numbers = run_numbers(runs)
        self.runs, self.where, self.drawn = build(self.story, rng, self.numbers)
        self.horizon, self.month = self.story.months, 0
        self._calendar: dict[int, list[int]] = {}  # Month -> rows of the events that happen in it.
        for at, event in enumerate(self.story.events):
            self._calendar.setdefault(month_index(self.story.start, event.date), []).append(at)
        where = self.where
        self._recorder = Recorder(
            self.runs, self.horizon, len(where.agents), len(where.sites), len(where.items)
        )
        kinds: dict[str, int] = {}
        firms = []
        for row, (name, kind) in enumerate(zip(self.where.firms, self.where.kinds, strict=True)):
            firms.append(KINDS[kind](self, name, row, kinds.get(kind, 0)))
            kinds[kind] = kinds.get(kind, 0) + 1
        self.firms = firms
        self.buildings = [Site(self, name, who) for who, name in enumerate(self.where.sites)]
        for kind in ("lab", "cloud", "sister", "maker", "integrator", "utility", "investor"):
            chosen = [firm for firm, name in zip(firms, self.where.kinds, strict=True) if name == kind]
            setattr(self, f"{kind}s" if kind != "utility" else "utilities", self._set(chosen))
        self.sites = self._set(self.buildings)
        self.datacollector = mesa.DataCollector(model_reporters=REPORTERS)

    def _set(self, agents: Iterable[mesa.Agent]) -> Any:
        return mesa.agent.AgentSet(list(agents), random=self.random)

    def step(self) -> None:
        """One month. Runs take it in blocks, so that the state of a block stays in the processor's cache."""
        runs = self.runs
        try:
            for first in range(0, len(runs), BLOCK):
                block = slice(first, first + BLOCK)
                self.runs = runs[block]
                self._advance(self.runs, block)
        finally:
            self.runs = runs
        self._raise_fault()
        if len(runs) == 1:
            self.datacollector.collect(self)
        self.month += 1
        runs["month"] = self.month
        if self.month >= self.horizon:
            self.running = False

    def _advance(self, runs: Any, block: slice) -> None:
        """The phases of a month for a block of runs."""
        ledger.open_month.all(runs)
        close.reset_month.all(runs)
        # 1 Events
        self._happen(block)
        # 2 Arrivals
        power.advance_queue.all(runs)
        gpus.deliver.all(runs)
        capital.close_rounds.all(runs)
        # 3 Capacity
        self.sites.do("energise")
        leasing.deliver_leases.all(runs)
        capacity.add_up.all(runs)
        capacity.price_energy.all(runs)
        # 4 Allocation
        self.labs.do("allocate")
        # 5 Output
        self.labs.do("research")
        service.receive_inflows.all(runs)
        service.sell.all(runs)
        # 6 Finance
        finance.pay_power.all(runs)
        finance.pay_people.all(runs)
        capital.serve_debt.all(runs)
        leasing.pay_rents.all(runs)
        finance.pay_running.all(runs)
        finance.measure_burn.all(runs)
        capital.ask_for_capital.all(runs)
        # 7 Plans
        self.labs.do("plan")
        self.clouds.do("plan")
        self.sisters.do("plan")
        plans.plan_outside.all(runs)
        # 8 Power market
        power.request_power.all(runs)
        # 9 Leasing market
        leasing.post_rents.all(runs)
        leasing.trade_leases.all(runs)
        self.labs.do("pass_on")
        # 10 GPU market
        gpus.trade_gpus.all(runs)
        # 11 Transfers
        transfers.transfer_chips.all(runs)
        # 12 Close
        finance.judge.all(runs)
        close.look_round.all(runs)
        close.close_month.all(runs)
        ledger.check_books.all(runs)
        if self.month < self.horizon:
            self._recorder.keep(self.month, block, runs)

    def __getitem__(self, name: str) -> View:
        """The firm of that name."""
        return self.firms[self.where.rows[name]]

    def _happen(self, block: slice) -> None:
        """Phase 1: what the scenario says happens this month, to a block of runs."""
        for at in self._calendar.get(self.month, ()):
            event = self.story.events[at]
            drawn = {path: values[block] for path, values in self.drawn.items()}
            if isinstance(event, SetEvent):
                put(self.runs, self.story, event.path, drawn[f"events.{at}.value"])
            elif isinstance(event, NegotiationEvent):
                open_negotiation(self.runs, self.story, event, drawn, at)
            elif isinstance(event, DelayEvent):
                site = list(self.story.sites).index(event.site)
                requests = self.runs["sites"]["requests"][:, site]
                waiting = (requests["stage"] != Stage.empty) & (requests["asked"] == Asked.grid)
                months = drawn[f"events.{at}.months"][:, None]
                for name in ("left", "expected"):
                    requests[name] = np.where(waiting, requests[name] + months, requests[name])
            elif isinstance(event, CollapseEvent):
                clouds, labs = list(self.story.clouds), list(self.story.labs)
                contracts = self.runs["contracts"]
                ends = (
                    (contracts["state"] == Lease.negotiating)
                    & (contracts["lessor"] == clouds.index(event.lessor))
                    & (contracts["lessee"] == labs.index(event.lessee))
                )
                contracts["state"][ends] = Lease.empty

    def recording(self) -> Recording:
        """What was recorded so far."""
        months = min(self.month, self.horizon)
        lines, who, when = self._recorder.deals(months, self.numbers)
        varying = {path: values for path, values in self.drawn.items() if self.story.get(path).varies}
        return Recording(
            start=self.story.start,
            runs=np.asarray(self.numbers, dtype=np.int64),
            months=months,
            agents=self.where.agents,
            kinds=self.where.kinds[: len(self.where.agents)],
            sites=self.where.sites,
            site_owners=[
                self.where.firms[int(owner)]
                for owner in self.runs["sites"]["owner"][0][: len(self.where.sites)]
            ],
            items=self.where.items,
            accounts=self.where.accounts,
            chips=self.where.chips,
            agent_rows=self._recorder.rows["agent_rows"][:months],
            site_rows=self._recorder.rows["site_rows"][:months],
            market_rows=self._recorder.rows["market_rows"][:months],
            deal_rows=lines,
            deal_run=who,
            deal_month=when,
            parameters=varying,
            summary=self._summary(),
            finite=self.runs["fault"] == Fault.none,
        )

    def _summary(self) -> dict[str, Any]:
        """End-of-run figures, one a run."""
        labs = self.runs["labs"][:, : len(self.story.labs)]
        compute = labs["running"].sum(axis=1)
        return {
            "labs_h100e": compute,
            "labs_revenue_usd_per_year": labs["revenue_year"].sum(axis=1),
            "frontier_capability": self.runs["frontier_capability"].copy(),
            "defaults": self.runs["firms"]["defaulted"].sum(axis=1),
        }

    def _raise_fault(self) -> None:
        """Raises the first fault of the month as a sentence."""
        faulty = np.flatnonzero(self.runs["fault"] != Fault.none)
        if len(faulty) == 0:
            return
        run = self.runs[int(faulty[0])]
        when = month_name(self.story.start, self.month)
        head = f"run {int(run['number'])}, {when}"
        fault, at = Fault(int(run["fault"])), int(run["fault_at"])
        if fault in (Fault.usd_book, Fault.gpu_book, Fault.cap_table, Fault.power_book):
            book = {
                Fault.usd_book: "USD",
                Fault.gpu_book: "GPUs",
                Fault.cap_table: "cap table",
                Fault.power_book: "MW",
            }[fault]
            raise ledger.LedgerError(
                f"{head}: the book of {book} does not close: {self._account(fault, at)}, imbalance "
                f"{ledger.imbalance(run):,.6g}; transfers of the month: {ledger.sums_by_kind(run)}"
            )
        names = [*self.where.firms, *(f"site {name}" for name in self.where.sites), "the markets"]
        if fault == Fault.not_finite:
            raise ModelError(
                f"{head}, {names[at]}: a number is not finite; set NUMBA_DISABLE_JIT=1 to find where"
            )
        raise ModelError(
            f"{head}: {fault.name.replace('_', ' ')} ({Deal(at).name if fault is Fault.no_room_for_deal else at})"
        )

    def _account(self, fault: Fault, at: int) -> str:
        if fault == Fault.usd_book:
            return "all accounts together" if at == FIRMS else self.where.firms[at]
        if fault == Fault.gpu_book:
            account, chip = divmod(at, CHIPS)
            who = "all accounts together" if account == ACCOUNTS else self.where.accounts[account]
            return f"{who}, {self.where.chips[chip]}"
        if fault == Fault.cap_table:
            return list(self.story.labs)[at]
        return [*self.where.sites, *self.story.utilities][at]
