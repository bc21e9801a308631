"""Hand-made run records: a few firms with money, a few chips, and nothing else."""

import numpy as np

from gpurush.engine import LAYOUTS
from gpurush.luck import name
from gpurush.state import FOUNDRY_GPUS, SITE_ACCOUNT, Run

MAKER, WORLD, FIRMS_HERE, SECTORS = 20, 12, 30, 24
RICH = 1e13


def economy(runs=1, cash=RICH, **used):
    """A batch in which every firm is rich; ``used`` gives counts, as ``buyers=3``. Sectors begin at 24."""
    batch = np.zeros(runs, LAYOUTS[Run])
    batch["number"], batch["seed"] = np.arange(runs), 7
    batch["firms_used"], batch["sectors"] = FIRMS_HERE, SECTORS
    batch["firms"]["cash"][:, :FIRMS_HERE] = cash
    batch["firms"]["owner"] = batch["firms"]["buyer"] = -1
    batch["labs"]["clouds"] = -1
    batch["labs"]["closes"] = -1
    batch["makers"]["generations"] = -1
    batch["sites"]["retrofit"] = -1
    for firm in range(FIRMS_HERE):
        batch["firms"]["who"][:, firm] = name(f"firm {firm}")
    for kind, count in used.items():
        batch[f"{kind}_used"] = count
    behave(batch)
    chips = batch["chips"]
    chips["h100e"], chips["unit"], chips["it_kw"] = 1.0, 8.0, 1.4
    chips["launch"], chips["ramp"], chips["per_wafer"] = -24.0, 1.0, 10.0
    return batch


def behave(batch):
    """The terms of behaviour that no market here is about."""
    batch["gpu"]["lead_longest"], batch["gpu"]["lead_excess_most"], batch["gpu"]["order_opening"] = (
        36.0,
        0.6,
        3.0,
    )
    batch["lease"]["renewal_need"], batch["lease"]["own_use_first"], batch["lease"]["negotiation"] = (
        0.98,
        0.5,
        6.0,
    )
    batch["power"]["crowding_most"], batch["power"]["window"], batch["power"]["building_share"] = (
        2.0,
        3.0,
        0.5,
    )
    batch["capital"]["cushion"], batch["capital"]["default_after"] = 3.0, 3.0
    batch["planning"]["early_months"], batch["planning"]["flow_months"] = 24.0, 3.0


def sell(batch, price=30_000.0):
    """Gives the batch one maker that makes chip 1, and the terms of the market that rules need."""
    batch["makers_used"] = 1
    maker = batch["makers"]
    maker["firm"][:, 0], maker["generations"][:, 0, 0] = MAKER, 1
    maker["mix"][:, 0, 1], maker["price"][:, 0, 1], maker["mix_price"][:, 0] = 1.0, price, price
    batch["chips"]["price"][:, 1] = price
    gpu = batch["gpu"]
    gpu["network_share"], gpu["advance"], gpu["transit"] = 1.0, 0.2, 2.0
    gpu["order_speed"], gpu["cancel_speed"], gpu["order_inflation_cap"] = 0.5, 0.35, 2.0
    return maker


def stock(batch, account, chip, gpus):
    """Endows an account with GPUs, from the foundry."""
    batch["gpus"][:, account, chip] += gpus
    batch["gpus"][:, FOUNDRY_GPUS, chip] -= gpus


def place(batch, site, chip, gpus):
    """Endows a site with GPUs."""
    stock(batch, SITE_ACCOUNT + site, chip, gpus)
