"""Scenario files: what they may say, how they are read, and the numbers that come out.

``load`` reads a shipped scenario or a file, ``draw`` gives the values of each run, ``explain`` says what a
path means. Nothing here loads the compiler but ``draw``. ``docs/scenarios.md`` describes the format::

    scenario = load("baseline", {"labs.xai.strategy": "frontier"})
    scenario.labs["xai"].cash.value
    draw(scenario, seed=7, runs=range(200))["labs.xai.cash"]

Modules, in the order of reading: ``number`` (leaves), ``entries`` (lists), ``schema`` (blocks), ``paths``,
``files`` and ``tree`` (inheritance), ``references`` (cross checks), ``refusal`` (errors), ``write``,
``loading``, ``priors``, ``explanation``, ``history`` (what is imposed).
"""

from .entries import (
    CHIPS,
    CollapseEvent,
    DelayEvent,
    Event,
    Lease,
    NegotiationEvent,
    Round,
    SetEvent,
    Tranche,
)
from .errors import ScenarioError
from .explanation import Explanation, explain
from .history import Imposed, imposed, imposed_table
from .loading import Scenario, Shipped, available, load, parse_set, parse_sets, paths
from .number import DISTS, GRADES, Number
from .priors import draw, quantile

__all__ = [
    "CHIPS",
    "DISTS",
    "GRADES",
    "CollapseEvent",
    "DelayEvent",
    "Event",
    "Explanation",
    "Imposed",
    "Lease",
    "NegotiationEvent",
    "Number",
    "Round",
    "Scenario",
    "ScenarioError",
    "SetEvent",
    "Shipped",
    "Tranche",
    "available",
    "draw",
    "explain",
    "imposed",
    "imposed_table",
    "load",
    "parse_set",
    "parse_sets",
    "paths",
    "quantile",
]
