"""What is said to bind a lab: in the order of evidence, and no more than there is evidence for."""

import numpy as np
import pytest

from gpurush.agents import close
from gpurush.engine import LAYOUTS
from gpurush.names import Bound
from gpurush.state import Fault, Run


def lab(**values):
    """A lab that runs 1,000 of the 2,000 H100e it aims at, and could pay for them."""
    batch = np.zeros(1, LAYOUTS[Run])
    batch["makers_used"] = 1
    one, firm = batch["labs"][0, 0], batch["firms"][0, 0]
    one["running"], one["aimed"], one["paid_for"] = 1000.0, 2000.0, 5000.0
    one["clouds"], firm["buyer"] = -1, 0
    firm["fleet"] = firm["energised"] = 1000.0
    for name, value in values.items():
        if name == "backlog":
            batch["buyers"]["backlog"][0, 0, 0] = value
        elif name in firm.dtype.names:
            firm[name] = value
        else:
            one[name] = value
    return batch


@pytest.mark.parametrize(
    ("values", "bound"),
    [
        ({"running": 1980.0}, Bound.nothing),
        ({"fleet": 1100.0, "paid_for": 10.0}, Bound.power),
        ({"fleet": 1040.0}, Bound.adjustment),
        ({"paid_for": 1500.0, "backlog": 500.0}, Bound.money),
        ({"backlog": 500.0, "unmet_before": 500.0}, Bound.chips),
        ({"moving": 30.0}, Bound.chips),
        ({"unmet_before": 100.0}, Bound.leases),
        ({"unmet_before": 10.0}, Bound.adjustment),
        ({}, Bound.adjustment),
    ],
    ids=str,
)
def test_what_binds(values, bound):
    batch = lab(**values)
    assert close.what_binds(batch[0], batch["labs"][0, 0]) == bound


@pytest.mark.parametrize("column", ["rent", "price", "potential", "it_tariff", "wafers"])
def test_a_price_that_is_no_number_is_a_fault_of_the_markets(column):
    batch = np.zeros(1, LAYOUTS[Run])
    batch["firms_used"], batch["sites_used"] = 5, 2
    close.check_markets(batch[0])
    assert batch["fault"][0] == Fault.none
    batch[column] = float("nan")
    close.check_markets(batch[0])
    assert (batch["fault"][0], batch["fault_at"][0]) == (Fault.not_finite, 7)
