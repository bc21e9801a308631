"""Phase 5: research from compute and researchers, big runs, models.

CES of research compute and researchers, normalised at a reference point (Arrow et al. 1961); progress in algorithmic
efficiency with diminishing returns (Jones 1995); a big run turns compute into a model when its effective FLOP pass the
last model's by a step.
"""

import math

from ..engine import helper, rule
from ..numbers import power
from ..state import Lab, Run
from ..units import H100_FLOPS_16BIT, SECONDS_PER_MONTH


@helper
def research_input(elasticity: float, weight: float, compute: float, researchers: float) -> float:
    """CES aggregate of inputs stated relative to the reference point; Cobb-Douglas at 1, towards Leontief at 0.

    Args:
        elasticity: elasticity of substitution sigma.
        weight: weight of compute alpha.
        compute: research compute over its reference.
        researchers: researchers over theirs.
    """
    if compute <= 0.0 or researchers <= 0.0:
        return 0.0
    if elasticity < 0.02:
        return min(compute, researchers)
    rho = 1.0 - 1.0 / elasticity
    if abs(rho) < 1e-4:
        return power(compute, weight) * power(researchers, 1.0 - weight)
    low = min(compute, researchers) if rho < 0.0 else max(compute, researchers)
    # Scaled by the smaller input (or larger, for rho > 0) so that no power can overflow.
    inner = weight * power(compute / low, rho) + (1.0 - weight) * power(researchers / low, rho)
    return low * power(inner, 1.0 / rho)


@helper
def hiring(lab: Lab, run: Run) -> float:
    """Growth of a lab's researchers a month: early, or late after the start or the founding."""
    since = run.month - run.firms[lab.firm].founded
    return (
        lab.terms.researcher_growth if since < run.planning.early_months else lab.terms.researcher_growth_late
    )


@rule
def research(lab: Lab, run: Run) -> None:
    """A month of research: efficiency grows, the big run goes on, a model may be released."""
    firm = run.firms[lab.firm]
    if firm.defaulted or run.month < firm.founded:
        return
    terms = run.research
    compute = lab.researching / terms.reference_h100e
    people = lab.researchers / terms.reference_researchers
    effort = research_input(terms.elasticity, terms.compute_weight, compute, people)
    growth = terms.progress * power(effort, terms.parallelisation) * power(lab.efficiency, -terms.diminishing)
    gap = max(0.0, run.frontier - lab.efficiency)
    lab.efficiency += lab.efficiency * min(growth, terms.progress_cap) + terms.spillover * gap
    lab.flop += lab.big_run * H100_FLOPS_16BIT * terms.mfu * terms.goodput * SECONDS_PER_MONTH
    lab.researchers *= 1.0 + hiring(lab, run)
    if lab.flop > 0.0 and lab.big_run > 0.0:
        level = math.log10(lab.flop * lab.efficiency)
        if level >= lab.capability + terms.release_step and run.month - lab.released >= terms.release_gap:
            lab.capability = level
            lab.released = run.month
            lab.flop = 0.0
            lab.run_months = 0.0
