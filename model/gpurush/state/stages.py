"""What a firm is, where a request, a lease or a project stands, and what stops a run."""

from enum import IntEnum


class Kind(IntEnum):
    """What a firm is."""

    lab = 0
    cloud = 1
    sister = 2
    maker = 3
    integrator = 4
    utility = 5
    investor = 6
    outside = 7
    sector = 8


class Sector(IntEnum):
    """The accounts of those outside the model, in this order at the end of the firms."""

    buyers = 0
    renters = 1
    households = 2
    world = 3
    foundry = 4
    construction = 5


class Stage(IntEnum):
    """Where a request for power, a shell or a turbine stands."""

    empty = 0
    study = 1
    board = 2
    construction = 3
    planned = 4


class Asked(IntEnum):
    """What a request is for."""

    grid = 0
    shell = 1
    gas = 2


class Lease(IntEnum):
    """State of a contract."""

    empty = 0
    negotiating = 1
    delivering = 2


class Task(IntEnum):
    """State of a project."""

    empty = 0
    waiting = 1
    running = 2
    winding_down = 3


class Fault(IntEnum):
    """What stops a run: noted in the run and raised once a month as a sentence."""

    none = 0
    not_finite = 1
    no_room_for_contract = 2
    no_room_for_deal = 3
    usd_book = 4
    gpu_book = 5
    cap_table = 6
    power_book = 7
