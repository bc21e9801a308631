"""Checks that cross a scenario: every name referred to exists, once; dates and shares fit together."""

from collections.abc import Collection

from ..catalog.fabrics import fabrics
from .entries import CollapseEvent, DelayEvent, Event, NegotiationEvent, SetEvent
from .errors import Fault, Path, listed, nearest, shown
from .number import declared
from .paths import numbers_of
from .schema import FIRMS, Document

BUYERS = ("labs", "clouds", "sisters")
"""Tables of the firms that hold GPUs: they own sites, rent and raise money."""

SOURCES = 2
"""Makers that buyers order from."""

OTHER_HOLDERS = ("founders", "employees", "public")
"""Holders of equity that are no firm of the scenario."""


def check(document: Document) -> None:
    """Refuses a document whose parts do not fit together.

    Raises:
        Fault: the first thing wrong, at its place.
    """
    firms = _firms(document)
    _check_chips(document)
    _check_owners(document, firms)
    _check_rooms(document)
    _check_sites(document)
    _check_leases(document)
    _check_rounds(document)
    for place, event in enumerate(document.events):
        _check_event(document, event, ("events", str(place)))


def _known(path: Path, name: str, allowed: Collection[str], what: str) -> None:
    if name not in allowed:
        hint = nearest(name, allowed) or ";"
        raise Fault(path, f"no {what} is named {shown(name)}{hint} known: {listed(allowed)}")


def _named(document: Document, tables: tuple[str, ...]) -> list[str]:
    return [name for table in tables for name in getattr(document, table)]


def _firms(document: Document) -> dict[str, str]:
    """Name of each firm -> its table; refuses a name in two tables."""
    firms: dict[str, str] = {}
    for table in FIRMS:
        for name in getattr(document, table):
            if name in firms:
                raise Fault((table, name), f"the name is taken by [{firms[name]}.{name}]")
            if name in OTHER_HOLDERS:
                raise Fault((table, name), f"the name is kept for holders of equity: {listed(OTHER_HOLDERS)}")
            firms[name] = table
    return firms


def _check_chips(document: Document) -> None:
    maker_of: dict[str, str] = {}
    for name, maker in document.makers.items():
        for place, chip in enumerate(maker.chips):
            path = ("makers", name, "chips", str(place))
            _known(path, chip, document.chips, "chip with a block [chips.<name>]")
            if chip in maker_of:
                raise Fault(path, f"{chip} is made by [makers.{maker_of[chip]}] already")
            maker_of[chip] = name
    for name, site in document.sites.items():
        for chip in site.chips:
            _known(("sites", name, "chips", chip), chip, document.chips, "chip with a block [chips.<name>]")


def _check_owners(document: Document, firms: dict[str, str]) -> None:
    groups = {lab.owner for lab in document.labs.values() if lab.owner is not None}
    for name, sister in document.sisters.items():
        _known(("sisters", name, "owner"), sister.owner, sorted(groups), "owner of a lab")
    for name, lab in document.labs.items():
        for place, cloud in enumerate(lab.clouds):
            _known(("labs", name, "clouds", str(place)), cloud, document.clouds, "cloud")
        for holder in lab.holders:
            path = ("labs", name, "holders", holder)
            _known(path, holder, [*firms, *OTHER_HOLDERS], "investor, firm or other holder")
            if holder == name:
                raise Fault(path, "a lab cannot hold its own equity")
        total = sum(share.value for share in lab.holders.values())
        if total > 1.0 + 1e-9:
            raise Fault(("labs", name, "holders"), f"the shares sum to {total:g}, expected at most 1")
        low = min((share.value for share in lab.holders.values()), default=0.0)
        if low < 0.0:
            raise Fault(("labs", name, "holders"), f"found a share of {low:g}, expected 0 or more")


def _check_rooms(document: Document) -> None:
    """Refuses firms for which the markets of this version have no place, rather than leave them idle."""
    makers = list(document.makers)
    if len(makers) > SOURCES:
        said = f"found {len(makers)} makers, expected at most {SOURCES}: a first and a second source"
        raise Fault(("makers", makers[SOURCES]), said)
    lenders = [name for name, investor in document.capital.items() if investor.role == "debt"]
    if len(lenders) > 1:
        raise Fault(("capital", lenders[1], "role"), f"found a second lender, expected one: {lenders[0]}")


def _check_sites(document: Document) -> None:
    kinds = [fabric.name for fabric in fabrics()]
    _known(("outside", "utility"), document.outside.utility, document.utilities, "utility")
    for name, site in document.sites.items():
        _known(("sites", name, "owner"), site.owner, _named(document, BUYERS), "lab, cloud or sister")
        _known(("sites", name, "utility"), site.utility, document.utilities, "utility")
        _known(("sites", name, "fabric"), site.fabric, kinds, "fabric of the catalogue")
        if name not in document.power:
            hint = nearest(name, document.power)
            raise Fault(("sites", name), f"the site has no block [power.{name}]{hint}")
    for name in document.power:
        _known(("power", name), name, document.sites, "site")


def _check_contract(document: Document, lessor: str, lessee: str, path: Path) -> None:
    _known((*path, "lessor"), lessor, document.clouds, "cloud")
    _known((*path, "lessee"), lessee, document.labs, "lab")
    if all(site.owner != lessor for site in document.sites.values()):
        raise Fault((*path, "lessor"), f"found {shown(lessor)}, which owns no site to lease from")


def _check_leases(document: Document) -> None:
    for place, lease in enumerate(document.leases):
        path = ("leases", str(place))
        _check_contract(document, lease.lessor, lease.lessee, path)
        _known((*path, "chip"), lease.chip, document.chips, "chip with a block [chips.<name>]")
        if lease.term.value <= 0.0:
            raise Fault((*path, "term"), f"found {lease.term.value:g}, expected more than 0 months")


def _check_rounds(document: Document) -> None:
    for place, deal in enumerate(document.rounds):
        path = ("rounds", str(place))
        _known((*path, "firm"), deal.firm, document.labs, "lab")
        _known((*path, "investor"), deal.investor, _named(document, FIRMS), "investor or firm")
        if deal.investor == deal.firm:
            raise Fault((*path, "investor"), f"found {shown(deal.firm)}, which is the firm itself")
        _after_start(document, deal.date, path)


def _after_start(document: Document, date: str, path: Path) -> None:
    if date < document.scenario.start:
        raise Fault((*path, "date"), f"{date} is before the start {document.scenario.start}")


def _check_event(document: Document, event: Event, path: Path) -> None:
    _after_start(document, event.date, path)
    if isinstance(event, SetEvent):
        _check_set(document, event.path, (*path, "path"))
    elif isinstance(event, DelayEvent):
        _known((*path, "site"), event.site, document.sites, "site")
    elif isinstance(event, NegotiationEvent | CollapseEvent):
        _check_contract(document, event.lessor, event.lessee, path)
        if isinstance(event, CollapseEvent) and not any(
            isinstance(other, NegotiationEvent)
            and (other.lessor, other.lessee) == (event.lessor, event.lessee)
            and other.date <= event.date
            for other in document.events
        ):
            raise Fault(path, f"{event.lessor} and {event.lessee} negotiate nothing by {event.date}")
        if isinstance(event, NegotiationEvent):
            _known((*path, "chip"), event.chip, document.chips, "chip with a block [chips.<name>]")


def _check_set(document: Document, target: str, path: Path) -> None:
    known = [name for name in numbers_of(document) if declared(name)]
    if target not in known:
        hint = nearest(target, known) or ";"
        raise Fault(path, f"found {shown(target)}{hint} expected the path of a number of a block")
    quantity = declared(target)
    if quantity is not None and quantity.opening:
        raise Fault(
            path, f"found {shown(target)}, which only opens a run; a later value would change nothing"
        )
