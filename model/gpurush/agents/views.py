"""Mesa agents: each is a named view on its row of the state. ``lab.cash`` has shape (runs,).

A method is one phase of the month: it applies one compiled rule to all runs.
"""

from typing import Any, ClassVar

import mesa

from ..allocation.levels import allocate
from ..state import SITE_ACCOUNT
from . import capacity, plans, research


class View(mesa.Agent):
    """A firm: its account, and the record of its kind.

    Attributes:
        name: its name in the scenario.
        row: its row among the firms.
        who: its row among the firms of its kind.
    """

    table: ClassVar[str] = ""

    def __init__(self, model: Any, name: str, row: int, who: int) -> None:
        super().__init__(model)
        self.name, self.row, self.who = name, row, who

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r}): {len(self.model.runs)} runs, month {self.model.month}"

    def __getattr__(self, name: str) -> Any:
        """A column of the firm's own record, or of its account."""
        if name.startswith("_") or "model" not in self.__dict__:
            raise AttributeError(name)
        runs = self.model.runs
        if self.table and name in runs[self.table].dtype.names:
            return runs[self.table][name][:, self.who]
        if name in runs["firms"].dtype.names:
            return runs["firms"][name][:, self.row]
        raise AttributeError(f"{type(self).__name__} {self.name!r} has no {name!r}")

    def __dir__(self) -> list[str]:
        columns = list(self.model.runs["firms"].dtype.names)
        if self.table:
            columns += list(self.model.runs[self.table].dtype.names)
        return sorted({*super().__dir__(), *columns})


class Lab(View):
    """A lab."""

    table = "labs"

    def allocate(self) -> None:
        """Phase 4: the allocator places projects and moves hardware."""
        allocate.all(self.model.runs, self.who)

    def research(self) -> None:
        """Phase 5: research progress, finished models."""
        research.research.all(self.model.runs, self.who)

    def plan(self) -> None:
        """Phase 7: expectations and targets."""
        plans.plan.all(self.model.runs, self.who)

    def pass_on(self) -> None:
        """Phase 9: what the lease market did not give goes to purchase."""
        plans.pass_on.all(self.model.runs, self.who)


class Cloud(View):
    """A cloud, or the host of a lab."""

    table = "clouds"

    def plan(self) -> None:
        """Phase 7: targets."""
        plans.plan_cloud.all(self.model.runs, self.who)


class Sister(View):
    """A sister firm of a lab."""

    table = "sisters"

    def plan(self) -> None:
        """Phase 7: targets."""
        plans.plan_sister.all(self.model.runs, self.who)


class Maker(View):
    """A chipmaker."""

    table = "makers"


class Integrator(View):
    """A builder of racks."""

    table = "integrators"


class Utility(View):
    """A power utility."""

    table = "utilities"


class Investor(View):
    """A group of investors."""

    table = "investors"


class Outside(View):
    """Buyers, renters and sectors outside the model."""


class Site(mesa.Agent):
    """A building: a view on its row; not a firm."""

    def __init__(self, model: Any, name: str, who: int) -> None:
        super().__init__(model)
        self.name, self.who = name, who

    def __repr__(self) -> str:
        return f"Site({self.name!r}): {len(self.model.runs)} runs, month {self.model.month}"

    def __getattr__(self, name: str) -> Any:
        """A column of the site's record."""
        if name.startswith("_") or "model" not in self.__dict__:
            raise AttributeError(name)
        runs = self.model.runs
        if name in runs["sites"].dtype.names:
            return runs["sites"][name][:, self.who]
        raise AttributeError(f"Site {self.name!r} has no {name!r}")

    @property
    def gpus(self) -> Any:
        """Delivered GPUs, (runs, chips)."""
        return self.model.runs["gpus"][:, SITE_ACCOUNT + self.who]

    def energise(self) -> None:
        """Phase 3: what runs here."""
        capacity.energise.all(self.model.runs, self.who)


KINDS: dict[str, type[View]] = {
    "lab": Lab,
    "cloud": Cloud,
    "sister": Sister,
    "maker": Maker,
    "integrator": Integrator,
    "utility": Utility,
    "investor": Investor,
    "outside": Outside,
    "sector": Outside,
}
"""Kind of a firm -> its class."""
