"""Ensembles and the few look-ups that the questions need."""

import numpy as np

from gpurush.industry import Industry
from gpurush.results.recording import Recording

RUNS = 96
SEED = 7


class Ensemble:
    """A recording with the few look-ups that the questions need. Months count from 2023-01 = 0."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.h100e = {"A100": 0.315, "H100": 1.0}

    def agent(self, name: str, column: str) -> np.ndarray:
        """(months, runs)."""
        return self.recording.agent_rows[column][:, :, self.recording.agents.index(name)]

    def site(self, name: str, column: str) -> np.ndarray:
        """(months, runs)."""
        return self.recording.site_rows[column][:, :, self.recording.sites.index(name)]

    def market(self, market: str, item: str, column: str) -> np.ndarray:
        """(months, runs)."""
        return self.recording.market_rows[column][:, :, self.recording.items.index((market, item))]

    def moved(self, giver: str, receiver: str, kind: int, months: range) -> np.ndarray:
        """GPUs that changed title between two places, by run."""
        rec = self.recording
        rows = rec.deal_rows
        chosen = (
            (rows["kind"] == kind)
            & (rows["payer"] == rec.accounts.index(giver))
            & (rows["payee"] == rec.accounts.index(receiver))
            & np.isin(rec.deal_month, list(months))
        )
        return np.array([rows["amount"][chosen & (rec.deal_run == run)].sum() for run in rec.runs])


def simulate(
    scenario: str, runs: int, overrides: dict[str, object] | None = None, months: int = 60
) -> Ensemble:
    """Runs a scenario and gives its ensemble."""
    model = Industry(scenario, runs=runs, rng=SEED, overrides=overrides)
    model.run_for(months)
    return Ensemble(model.recording())
