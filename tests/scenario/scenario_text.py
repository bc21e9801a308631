"""A minimal complete scenario as text, made from ``parameters.py``, for tests to spoil."""

from gpurush.fields import fields_of
from gpurush.parameters import GLOBAL, NAMED

HEADER = """[scenario]
title = "A small world"
question = "Does it load?"
start = "2023-01"
months = 24
"""

EXTRA = {
    "markets.gpu": 'rationing = "proportional"',
    "labs": 'strategy = "frontier"\ntop_rule = "fixed_share"\nresearch_rule = "weighted_max_min"\n'
    'applied_rule = "equal_marginal_value"\nkind = "startup"\nowner = "group"\n'
    'clouds = ["cumulus", "nimbus"]\n'
    "holders = { founders = 0.6, fund = { value = 0.1, low = 0.05, high = 0.2 } }",
    "clouds": "own_builder = true",
    "sisters": 'owner = "group"',
    "makers": 'chips = ["A100", "H100"]',
    "capital": 'role = "equity"',
    "outside": 'utility = "mlgw"',
    "sites": 'owner = "xai"\nutility = "mlgw"\nfabric = "Ethernet"\nown_builder = false\nready = "2023-06"',
    "sites.hall": 'owner = "cumulus"\nutility = "mlgw"\nfabric = "Ethernet"\nown_builder = false',
    "sites.barn": 'owner = "nimbus"\nutility = "mlgw"\nfabric = "Ethernet"\nown_builder = false',
}

NAMES = {
    "labs": ["xai"],
    "clouds": ["cumulus", "nimbus"],
    "sisters": ["x"],
    "makers": ["nvidia"],
    "integrators": ["supermicro"],
    "utilities": ["mlgw"],
    "capital": ["fund"],
    "sites": ["memphis", "hall", "barn"],
    "power": ["memphis", "hall", "barn"],
}

TAIL = """
[foundry.wafers]
2022-12 = 9000
2023-07 = { value = 9000, low = 8000, high = 9500, source = "a report", grade = "S", imposed = true }

[outside.path]
2023-01 = 400000

[chips.A100]
launch = "2020-11"
price = 12000
ramp = 6

[chips.H100]
imposed = true
launch = "2022-10"
price = { value = 30000, low = 25000, high = 40000, dist = "loguniform", source = "a | list", grade = "R" }
ramp = 6

[programmes.llm]
side = "research"
weight = 1
value = 2

[sites.memphis.chips]
H100 = 800

[[power.memphis.tranches]]
mw = 8
requested = "2022-06"
energised = "2023-03"
board = false

[[power.memphis.tranches]]
mw = { value = 150, low = 100, high = 150 }
requested = "2023-02"
board = true

[[leases]]
lessor = "cumulus"
lessee = "xai"
chip = "H100"
gpus = 1000
rent = 2.5
start = "2022-06"
term = 36
discount = 0.1
equity = false
grows = 0

[[rounds]]
date = "2023-02"
firm = "xai"
investor = "fund"
amount = 1e9
post_money = 10e9

[[events]]
date = "2023-05"
kind = "set"
path = "labs.xai.fixed_cost"
value = 5
note = "a \\"quoted\\" note"

[[events]]
date = "2023-06"
kind = "delay"
site = "memphis"
months = { value = 9, low = 3, high = 18, dist = "uniform" }

[[events]]
date = "2023-07"
kind = "negotiation"
chip = "H100"
lessor = "cumulus"
lessee = "xai"
value = 1e10
months = 60
gpus = 100000

[[events]]
date = "2023-08"
kind = "collapse"
lessor = "cumulus"
lessee = "xai"
source = "the press"
"""


def block(path: str, terms: type, extra: str = "", skip: tuple[str, ...] = ()) -> str:
    numbers = "\n".join(
        f"{name} = {min(1, field.most or 1)}" for name, field in fields_of(terms).items() if name not in skip
    )
    return f"[{path}]\n{extra}\n{numbers}\n"


def minimal() -> str:
    """The whole text; labs take ``fixed_cost`` and ``inflow`` from defaults, and their cash has a prior."""
    skip = {"labs": ("fixed_cost", "inflow", "cash")}
    parts = [HEADER]
    parts += [block(path, terms, EXTRA.get(path, "")) for path, terms in GLOBAL.items()]
    for kind, terms in NAMED.items():
        for name in NAMES[kind]:
            parts.append(
                block(
                    f"{kind}.{name}",
                    terms,
                    EXTRA.get(f"{kind}.{name}", EXTRA.get(kind, "")),
                    skip.get(kind, ()),
                )
            )
            if kind == "labs":
                parts.append(
                    'cash = { value = 3e9, low = 1e9, high = 5e9, unit = "USD", source = "press", '
                    'date = 2023-01-31, grade = "R" }\n'
                )
    parts.append("[defaults.labs]\nfixed_cost = { value = 2, low = 1, high = 4 }\ninflow = 0\n")
    return "\n".join(parts) + TAIL
