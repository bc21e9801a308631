"""Names of rules, strategies, states and deals as numbers, each with a line of help.

A choice such as a rationing rule is a number inside a run, so it can vary inside a batch; outside it is a name. This
module imports nothing of ours: scenario files, the command line and the documents learn here what may be chosen.
"""

from enum import IntEnum


class Named(IntEnum):
    """An enumeration whose members carry a line of help."""

    help: str

    def __new__(cls, number: int, text: str = "") -> "Named":
        """Makes a member with its help text."""
        member = int.__new__(cls, number)
        member._value_ = number
        member.help = text
        return member


class Rationing(Named):
    """How a chipmaker shares what it ships over the backlog of its buyers."""

    proportional = 0, "in proportion to backlog: inflating an order pays"
    uniform = 1, "equal amounts up to each backlog (max-min): inflating an order gains nothing"


class Strategy(Named):
    """What a lab aims its compute at."""

    frontier = 0, "grow compute at the pace of the frontier"
    demand_led = 1, "size compute by the demand for the service"
    compute_per_researcher = 2, "keep a target of H100e per researcher"
    catch_up = 3, "match the run size of the leader"


class AllocationRule(Named):
    """How a lab shares compute among claimants: leadership among research and applied, heads among programmes."""

    weighted_max_min = 0, "weighted max-min fairness (water-filling)"
    equal_marginal_value = 1, "equalise the marginal value of a GPU over claimants"
    fixed_share = 2, "a fixed share for each, by its weight; what one does not want goes to nobody"


class Binding(Named):
    """The limit that keeps a site from energising one more GPU."""

    nothing = 0, "nothing: every delivered GPU runs"
    power = 1, "megawatts"
    liquid = 2, "liquid cooling"
    air = 3, "air cooling"
    racks = 4, "rack positions"
    back_end = 5, "ports of the back-end fabric"
    front_end = 6, "ports of the front-end network"


class Bound(Named):
    """What keeps a firm's running compute below its strategic target."""

    nothing = 0, "nothing: the target is met"
    money = 1, "money: the plan is cut to what is affordable"
    chips = 2, "chips: ordered and not yet delivered"
    leases = 3, "leases: no cloud had what was wanted the month before"
    power = 4, "power: delivered chips wait for megawatts or a building"
    adjustment = 5, "adjustment: plans approach the target by so much a month"


class Market(Named):
    """The markets of the table ``markets``."""

    gpu = 0, "GPUs by chip; price in USD per GPU, quantities in GPUs"
    lease = 1, "leases; price in USD per H100e-hour, quantities in H100e"
    power = 2, "grid connections; price in USD per MWh, quantities in MW"
    capital = 3, "equity rounds; price is the revenue multiple, quantities in USD"


class Deal(Named):
    """Kinds of transfers in the books: the deal record."""

    chips = 0, "chips and their networking at shipment, less the advance"
    advance = 1, "customer advance at the order"
    rent = 2, "rent of a lease"
    spot_rent = 3, "rent from outside renters"
    power = 4, "energy bought from a utility"
    gas = 5, "rental and energy of on-site turbines"
    payroll = 6, "pay of researchers and staff"
    running = 7, "other running cost"
    service = 8, "revenue from users"
    inflow = 9, "money set aside by the owner"
    interest = 10, "interest on debt"
    principal = 11, "repayment of debt"
    loan = 12, "debt drawn"
    equity = 13, "equity paid in"
    shell = 14, "buildings and connections"
    integration = 15, "racks built by an integrator"
    foundry = 16, "unit cost of chips made"
    transfer = 17, "chips sold to a sister firm"
    funding = 18, "new money for investors"
    make = 19, "chips finished by the foundry"
    ship = 20, "title of chips passes at shipment"
    place = 21, "chips arrive at a site"
    swap = 22, "title of chips passes between sister firms"


class EventKind(Named):
    """What a dated event in a scenario does."""

    set = 0, "gives a number of the scenario a new value from that month on"
    delay = 1, "adds months to every request for power that a site has waiting"
    negotiation = 2, "opens the negotiation of a lease"
    collapse = 3, "ends every negotiation between a lessor and a lessee"
