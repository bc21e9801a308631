"""Power: the interconnection queue with staged approval, shells, on-site gas.

A request goes through study, a board's vote where the site's load passes the utility's threshold, and construction;
each stage takes a gamma-distributed time (phase-type waiting; Rand et al., "Queued Up", LBNL, for the shape). Approval
takes headroom of the utility. On-site gas is bought for speed when the months it saves are worth more than its
premium (Dixit and Pindyck 1994, as a stopping rule).
"""

import math

from ..engine import helper, rule
from ..ledger import uncommitted
from ..luck import What, waiting_time
from ..numbers import clip
from ..state import CHIPS, REQUESTS, SITE_ACCOUNT, Asked, Firm, Request, Run, Site, Stage, Utility
from ..units import HOURS_PER_MONTH, KW_PER_MW
from .production import mix_kw

STAGES = 4


@helper
def slowdown(utility: Utility, run: Run) -> float:
    """How much longer a study takes when requests crowd the headroom; 1 while they do not."""
    crowd = utility.waiting / max(utility.headroom, 1.0)
    return 1.0 + run.power.queue_slowdown * clip(
        crowd - utility.terms.congestion, 0.0, run.power.crowding_most
    )


@helper
def place_of(site: Site) -> int:
    """A free place in a site's queue, -1 if there is none."""
    for q in range(REQUESTS):
        if site.requests[q].stage == Stage.empty:
            return q
    return -1


@helper
def enter(site: Site, run: Run, asked: int, mw: float, mean: float, what: int) -> None:
    """Files a request for a shell or turbines, which goes straight to construction."""
    q = place_of(site)
    if q < 0 or mw <= 0.0:
        return
    request = site.requests[q]
    request.stage, request.asked, request.mw = Stage.construction, asked, mw
    request.since, request.board, request.approved = run.month, False, True
    request.left = waiting_time(mean, run.power.variation, run.seed, run.number, site.who, what, run.month)
    request.expected = mean


@helper
def study(site: Site, request: Request, run: Run) -> None:
    """Starts the study of a grid request, which now counts as requested."""
    utility = run.utilities[site.utility]
    request.stage, request.asked, request.since = Stage.study, Asked.grid, run.month
    site.requested_mw += request.mw
    utility.asked += request.mw
    mean = utility.terms.study * slowdown(utility, run)
    request.left = waiting_time(
        mean, run.power.variation, run.seed, run.number, site.who, What.study, run.month
    )
    request.expected = mean
    if request.until >= 0 and approve(site, request, run):
        request.stage = Stage.construction
        request.left = float(request.until - run.month)
        request.expected = request.left


@helper
def approve(site: Site, request: Request, run: Run) -> bool:
    """Approves a request if the utility has the headroom; the load is then its site's for good."""
    utility = run.utilities[site.utility]
    if request.approved:
        return True
    if utility.headroom < request.mw:
        return False
    utility.headroom -= request.mw
    site.approved_mw += request.mw
    request.approved = True
    return True


@helper
def advance_request(site: Site, request: Request, run: Run) -> None:
    """Moves a request on by a month; what a stage leaves of the month goes into the next one."""
    request.left -= 1.0
    request.expected = max(request.expected - 1.0, 1.0)  # What is late is expected within the month.
    for _ in range(STAGES):
        if request.stage == Stage.empty or request.left > 1e-9:
            return
        rest = request.left if request.left > -1.0 else 0.0  # A month spent waiting is no head start.
        before = request.stage
        next_stage(site, request, run)
        if request.stage == before:
            request.left = 0.0  # No headroom: it waits.
            return
        request.left += rest


@helper
def next_stage(site: Site, request: Request, run: Run) -> None:
    """Takes a request from the end of its stage to the next one, or connects what was asked for."""
    utility = run.utilities[site.utility]
    if request.stage == Stage.planned:
        study(site, request, run)
    elif request.stage == Stage.study and request.board:
        request.stage = Stage.board
        mean = utility.terms.board
        wait = waiting_time(
            mean, run.power.variation, run.seed, run.number, site.who, What.board, request.since
        )
        request.left = wait + site.power.approval_delay
        request.expected = mean + site.power.approval_delay
    elif request.stage == Stage.study or request.stage == Stage.board:
        if approve(site, request, run):
            request.stage = Stage.construction
            mean = utility.terms.construction
            request.left = waiting_time(
                mean, run.power.variation, run.seed, run.number, site.who, What.construction, request.since
            )
            request.expected = mean
    else:
        if request.asked == Asked.grid:
            site.grid_mw += request.mw
            utility.connected += request.mw
        elif request.asked == Asked.shell:
            site.shell_mw += request.mw
        else:
            site.gas_mw += request.mw
        request.stage, request.left = Stage.empty, 0.0
        request.approved = False
        request.until = -1


@rule
def advance_queue(run: Run) -> None:
    """Phase 2: requests move on a month; what is finished can serve; headroom grows."""
    for u in range(run.utilities_used):
        utility = run.utilities[u]
        utility.headroom += utility.terms.headroom_growth
        utility.connected = 0.0
        utility.asked = 0.0
    for s in range(run.sites_used):
        site = run.sites[s]
        if run.month < site.power.pipeline_months:
            site.grid_mw += site.power.pipeline_mw
            site.shell_mw += site.power.pipeline_mw
            run.utilities[site.utility].connected += site.power.pipeline_mw
        for q in range(REQUESTS):
            if site.requests[q].stage != Stage.empty:
                advance_request(site, site.requests[q], run)
    for u in range(run.utilities_used):
        run.utilities[u].waiting = 0.0
    for s in range(run.sites_used):
        run.utilities[run.sites[s].utility].waiting += undecided(run.sites[s])


@helper
def pending(site: Site, asked: int) -> float:
    """MW that a site has asked for and not got."""
    total = 0.0
    for q in range(REQUESTS):
        request = site.requests[q]
        if request.stage != Stage.empty and request.stage != Stage.planned and request.asked == asked:
            total += request.mw
    return total


@helper
def undecided(site: Site) -> float:
    """MW of grid requests that are not approved yet: what is approved has left the utility's headroom already."""
    total = 0.0
    for q in range(REQUESTS):
        request = site.requests[q]
        if request.stage == Stage.study or request.stage == Stage.board:
            total += request.mw
    return total


@helper
def studied(site: Site) -> float:
    """Of these what is still studied or voted on: the rest waits for headroom, nobody knows how long."""
    total = 0.0
    for q in range(REQUESTS):
        request = site.requests[q]
        if (request.stage == Stage.study or request.stage == Stage.board) and request.left > 0.0:
            total += request.mw
    return total


@helper
def planned(site: Site) -> float:
    """MW that a site is known to ask for later."""
    total = 0.0
    for q in range(REQUESTS):
        if site.requests[q].stage == Stage.planned:
            total += site.requests[q].mw
    return total


@helper
def underway(site: Site, run: Run) -> float:
    """MW of connections and shells that were under way at the start and are still to come."""
    return max(0.0, site.power.pipeline_months - 1.0 - run.month) * site.power.pipeline_mw


@helper
def expected_wait(site: Site, request: Request, run: Run) -> float:
    """Expected months until what was asked for serves: of its stage what is left, and the stages to come."""
    terms = run.utilities[site.utility].terms
    wait = request.expected
    if request.asked != Asked.grid:
        return wait
    if request.stage == Stage.planned:
        wait += terms.study
    if request.board and (request.stage == Stage.planned or request.stage == Stage.study):
        wait += terms.board + site.power.approval_delay
    if request.stage != Stage.construction:
        wait += terms.construction
    return wait


@helper
def months_to_grid(site: Site, run: Run) -> float:
    """Expected months until the next of a site's grid requests is connected; 0 with none."""
    soonest = 0.0
    for q in range(REQUESTS):
        request = site.requests[q]
        if request.stage != Stage.empty and request.asked == Asked.grid:
            wait = expected_wait(site, request, run)
            if soonest == 0.0 or wait < soonest:
                soonest = wait
    return soonest


@helper
def kw_per_h100e(site: Site, run: Run) -> float:
    """Facility kW per H100e of the chips at a site, or of those made now if it holds none."""
    kw = 0.0
    h100e = 0.0
    for c in range(CHIPS):
        kw += site.running[c] * run.chips[c].it_kw
        h100e += site.running[c] * run.chips[c].h100e
    per = kw / h100e if h100e > 0.0 else mix_kw(run.makers[0], run)
    return per * site.terms.it_kw_factor * site.terms.pue


@helper
def coming_mw(site: Site, run: Run) -> float:
    """Facility power for the chips at a site, on their way, and due to ship before turbines could run, MW."""
    kw = 0.0
    for c in range(CHIPS):
        gpus = run.gpus[SITE_ACCOUNT + site.number][c] + run.gpus[site.owner][c]
        kw += gpus * run.chips[c].it_kw
    soon = min(1.0, (site.power.gas_delivery + 1.0) / max(run.makers[0].lead, 1.0))
    buyer = run.firms[site.owner].buyer
    if buyer >= 0:
        kw += soon * run.buyers[buyer].backlog[0] * mix_kw(run.makers[0], run)
    return kw * site.terms.it_kw_factor * site.terms.pue / KW_PER_MW


@helper
def order_gas(site: Site, run: Run) -> None:
    """Rents turbines if the speed they buy is worth more than they cost; gives back what the grid makes needless.

    Turbines are sized by the chips at the site and on their way, not by the plan.
    """
    block = run.power.gas_block
    need = min(coming_mw(site, run), site.shell_mw + pending(site, Asked.shell))
    if site.gas_mw > 0.0 and site.grid_mw >= need:
        site.gas_mw = max(0.0, math.ceil((site.facility_mw - site.grid_mw) / block) * block)
    have = site.gas_mw + pending(site, Asked.gas)
    blocks = math.floor((need - site.grid_mw - have) / block + 0.5)
    blocks = min(blocks, math.floor((site.power.gas_mw - have) / block + 1e-9))
    if blocks <= 0.0:
        return
    wait = months_to_grid(site, run)
    saved = (wait if wait > 0.0 else run.planning.power_horizon) - site.power.gas_delivery
    gain = saved * KW_PER_MW / kw_per_h100e(site, run) * HOURS_PER_MONTH * (run.rent - run.transfer.cash_cost)
    energy = saved * HOURS_PER_MONTH * (run.power.gas_energy - run.utilities[site.utility].terms.tariff)
    if saved > 0.0 and gain > saved * run.power.gas_premium + energy + run.power.gas_permit_risk:
        enter(site, run, Asked.gas, blocks * block, site.power.gas_delivery, What.gas)


@rule
def request_power(run: Run) -> None:
    """Phase 8: owners ask for the connections, shells and turbines that their plans need."""
    for s in range(run.sites_used):
        site = run.sites[s]
        owner = run.firms[site.owner]
        if owner.defaulted or run.month < owner.founded:
            continue
        if site.retrofit >= 0 and site.shell_mw + pending(site, Asked.shell) < site.terms.shell_mw:
            fit_out(site, run)
        else:
            extend(site, run)
        if site.power.gas_mw > 0.0:
            order_gas(site, run)


@helper
def money_to_build(run: Run, firm: Firm) -> float:
    """What a firm may spend on buildings now, USD: a share of its cash, as far as no order has claimed it."""
    return run.power.building_share * min(max(firm.cash, 0.0), uncommitted(run, firm))


@helper
def fit_out(site: Site, run: Run) -> None:
    """Orders the fitting-out of a building that stands already, by phases that cash allows."""
    left = site.terms.shell_mw - site.shell_mw - pending(site, Asked.shell)
    if run.month < site.retrofit or left <= 0.0 or site.wanted_mw <= 0.0:
        return
    free = money_to_build(run, run.firms[site.owner])
    mw = math.floor(min(left, free / max(site.terms.shell_cost, 1.0)))
    if mw >= min(left, run.power.request_least):
        build(site, run, mw, site.terms.shell_build)


@helper
def extend(site: Site, run: Run) -> None:
    """Asks for a connection and a shell together when the plan needs more than is there or coming.

    Utilities take requests in windows, for a study of all together. Nobody builds for what the utility has no headroom.
    """
    if run.month % int(max(run.power.window, 1.0)) != 0:
        return
    coming = underway(site, run)
    asked = site.grid_mw + coming + pending(site, Asked.grid) + planned(site)
    mw = math.floor(site.wanted_mw - asked)
    q = place_of(site)
    if mw >= run.power.request_least and q >= 0:
        request = site.requests[q]
        request.mw, request.until, request.approved = mw, -1, False
        request.board = asked + mw >= run.utilities[site.utility].terms.board_threshold
        study(site, request, run)
    useful = min(site.wanted_mw, site.approved_mw + studied(site))
    shell = math.floor(useful - site.shell_mw - coming - pending(site, Asked.shell))
    free = money_to_build(run, run.firms[site.owner])
    mw = math.floor(min(shell, free / max(site.terms.shell_cost, 1.0)))
    if mw >= min(shell, run.power.request_least):
        build(site, run, mw, site.terms.extension_build)


@helper
def build(site: Site, run: Run, mw: float, mean: float) -> None:
    """Orders a shell; its price is a bill from then on."""
    if mw <= 0.0 or place_of(site) < 0:
        return
    enter(site, run, Asked.shell, mw, mean, What.shell)
    run.firms[site.owner].owed_shell += mw * site.terms.shell_cost
    run.firms[site.owner].owed_mw += mw


@helper
def site_limit_mw(site: Site) -> float:
    """Facility power that a site can use: its connection and turbines, within its finished shell."""
    return min(site.shell_mw, site.grid_mw + site.gas_mw)
