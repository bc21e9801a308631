"""Phase 3: what every site energises, and what that gives its owner and its tenants."""

from ..capacity.energising import energise_site
from ..engine import helper, rule
from ..markets.power import site_limit_mw
from ..state import CHIPS, SITE_ACCOUNT, Kind, Run, Site
from ..units import KW_PER_MW


@helper
def liquid_mw(site: Site) -> float:
    """Facility power that liquid cooling can carry: of the building, and of what was built on to it later."""
    built_on = max(0.0, site.shell_mw - site.terms.shell_mw)
    first = site.shell_mw - built_on
    return first * site.terms.liquid_share_limit + built_on * site.terms.liquid_share_built


@rule
def energise(site: Site, run: Run) -> None:
    """Energises a site's chips within its power, shell and cooling."""
    site.delivered = 0.0
    held = 0.0
    for c in range(CHIPS):
        site.delivered += run.gpus[SITE_ACCOUNT + site.number][c]
        held += run.gpus[SITE_ACCOUNT + site.number][c] * run.chips[c].h100e
    # A site's servers may draw more or less than the catalogue says: the same as scaling every limit in kW.
    factor = site.terms.it_kw_factor
    power_kw = site_limit_mw(site) * KW_PER_MW / factor
    it_per_mw = KW_PER_MW / (factor * site.terms.pue)
    liquid_kw = liquid_mw(site) * it_per_mw
    air_kw = site.shell_mw * site.terms.air_share_limit * it_per_mw
    it_kw, site.binding, site.shadow = energise_site(
        run.gpus[SITE_ACCOUNT + site.number],
        power_kw,
        site.terms.pue,
        liquid_kw,
        air_kw,
        site.shell_mw * site.terms.racks,
        run.chip_kw,
        run.chip_liquid,
        run.chip_unit,
        run.chip_rack,
        run.chip_value,
        site.running,
    )
    site.it_kw = it_kw * factor
    site.shadow /= factor
    site.energised = 0.0
    largest = 0.0
    for c in range(CHIPS):
        h100e = site.running[c] * run.chips[c].h100e
        site.energised += h100e
        if h100e > largest:
            largest = h100e
            site.unit = run.chips[c].unit * run.chips[c].h100e
    site.stranded = held - site.energised
    site.facility_mw = site.it_kw * site.terms.pue / KW_PER_MW


@helper
def fabric_room(site: Site) -> float:
    """Compute that the ports of one back-end fabric can hold in a site's chips, H100e."""
    gpus = 0.0
    for c in range(CHIPS):
        gpus += site.running[c]
    return site.ports * site.energised / gpus if gpus > 0.0 else 0.0


@rule
def price_energy(run: Run) -> None:
    """What a kWh of IT costs on average over the sites, overhead included, weighted by what they draw."""
    cost = 0.0
    drawn = 0.0
    for s in range(run.sites_used):
        site = run.sites[s]
        mw = site.facility_mw if site.facility_mw > 0.0 else 1e-9  # Before anything runs: their plain mean.
        cost += mw * site.terms.pue * run.utilities[site.utility].terms.tariff
        drawn += mw
    run.it_tariff = cost / drawn if drawn > 0.0 else 0.0


@rule
def add_up(run: Run) -> None:
    """Adds up sites by owner; a lab's own come to what it runs at clouds' sites, one fabric each."""
    for f in range(run.firms_used):
        firm = run.firms[f]
        firm.fleet, firm.energised, firm.moving, firm.power_mw = 0.0, 0.0, 0.0, 0.0
        for c in range(CHIPS):
            if run.gpus[f][c] > 0.0:
                firm.moving += run.gpus[f][c] * run.chips[c].h100e
    for s in range(run.sites_used):
        site = run.sites[s]
        owner = run.firms[site.owner]
        owner.fleet += site.energised + site.stranded
        owner.energised += site.energised
        owner.power_mw += site.facility_mw
        if owner.kind == Kind.lab:
            lab = run.labs[owner.place]
            lab.by_site[s] += site.energised * (1.0 - lab.terms.other_use)
    for i in range(run.labs_used):
        lab = run.labs[i]
        lab.running = run.firms[lab.firm].energised * (1.0 - lab.terms.other_use) + lab.leased
        lab.fabric = 0.0
        for s in range(run.sites_used):
            compute = min(lab.by_site[s], fabric_room(run.sites[s]))
            if compute > lab.fabric:
                lab.fabric = compute
                lab.unit = run.sites[s].unit
