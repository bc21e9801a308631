"""A first user's mistakes: each is refused in one line: where, what was found, what is allowed."""

from collections.abc import Callable
from pathlib import Path

import pytest
import scenario_text

from gpurush.parameters import MakerTerms
from gpurush.scenario import load

Write = Callable[[str, str], Path]
Refusal = Callable[..., str]

CASH = (
    'cash = { value = 3e9, low = 1e9, high = 5e9, unit = "USD", '
    'source = "press", date = 2023-01-31, grade = "R" }'
)

MISTAKES = {
    "misspelt key": (
        "\ncapability = 1",
        "\ncapabilty = 1",
        'small.toml: labs.xai.capabilty: unknown key, did you mean "capability"? allowed: imposed, ',
    ),
    "misspelt table": (
        "[research]",
        "[reserch]",
        'small.toml: reserch: unknown key, did you mean "research"?',
    ),
    "misspelt key of a number": (
        "low = 1e9",
        "lowest = 1e9",
        'labs.xai.cash.lowest: unknown key, did you mean "low"',
    ),
    "a text for a number": (CASH, 'cash = "lots"', 'labs.xai.cash: found "lots", expected a number in USD'),
    "a flag for a number": (CASH, "cash = true", "labs.xai.cash: found true, expected a number in USD"),
    "infinity": (CASH, "cash = inf", "labs.xai.cash: found inf, expected a finite number"),
    "not a number": (CASH, "cash = nan", "labs.xai.cash: found nan, expected a finite number"),
    "a flag in a table": (
        "value = 3e9",
        "value = true",
        "labs.xai.cash.value: found true, expected a number",
    ),
    "nan in a table": ("high = 5e9", "high = nan", "labs.xai.cash.high: found nan, expected a finite number"),
    "no value": ("value = 3e9, ", "", "labs.xai.cash.value: missing; a table of a number needs its value"),
    "a list for a number": (CASH, "cash = [1]", "labs.xai.cash: found a list, expected a number in USD"),
    "a negative stock": (CASH, "cash = -1", "labs.xai.cash: found -1, expected 0 or more USD"),
    "more than the books can hold": (
        CASH,
        "cash = 1e16",
        "labs.xai.cash: found 1e+16, expected at most 1e+15 USD",
    ),
    "a name that no folder can have": (
        "[scenario]\n",
        '[scenario]\nname = "../elsewhere"\n',
        'scenario.name: found "../elsewhere", expected a name that a folder can have',
    ),
    "a wrong unit": (
        'unit = "USD"',
        'unit = "USD/month"',
        'labs.xai.cash: found unit "USD/month", expected "USD" (cash at the start)',
    ),
    "value below low": ("low = 1e9", "low = 4e9", "labs.xai.cash: value 3e+09 is below low 4e+09"),
    "value above high": (
        "high = 5e9",
        "high = 2e9",
        "labs.xai.cash: value 3e+09 is above high 2e+09; give low and",
    ),
    "low above high": (
        "low = 1e9, high = 5e9",
        "low = 5e9, high = 1e9",
        "labs.xai.cash: low 5e+09 is above high 1e",
    ),
    "low alone": (", high = 5e9", "", "labs.xai.cash: only one of low and high is given, expected both"),
    "dist without range": (
        "low = 1e9, high = 5e9",
        'dist = "uniform"',
        'cash: dist "uniform" needs low and high',
    ),
    "unknown dist": (
        'dist = "loguniform"',
        'dist = "log-uniform"',
        'chips.H100.price.dist: found "log-uniform", did you mean "loguniform"? allowed: fixed, tri',
    ),
    "log of zero": (
        "low = 25000",
        "low = 0",
        'chips.H100.price: low 0 must be above 0 for dist "loguniform"',
    ),
    "unknown grade": (
        'grade = "S"',
        'grade = "A"',
        'foundry.wafers.2023-07.grade: found "A"; allowed: P, R, S, M',
    ),
    "bad date of a source": (
        "2023-01-31",
        '"Jan 2023"',
        'labs.xai.cash.date: found "Jan 2023", expected a date',
    ),
    "bad month": (
        'start = "2023-01"',
        'start = "2023-13"',
        'scenario.start: found "2023-13", expected a month',
    ),
    "a day for a month": (
        '"2022-10"',
        "2022-10-01",
        "chips.H100.launch: found 2022-10-01, expected a month written",
    ),
    "bad month in a series": (
        "2022-12 = 9000",
        "dec-2022 = 9000",
        'foundry.wafers.dec-2022: found "dec-2022", exp',
    ),
    "no months": (
        "months = 24",
        "months = 0",
        "scenario.months: found 0, expected at least 1",
    ),
    "half a month": ("months = 24", "months = 2.5", "scenario.months: found 2.5, expected a whole number"),
    "bad rule": (
        '"frontier"',
        '"fronteer"',
        'labs.xai.strategy: found "fronteer", did you mean "frontier"? allowed: frontier, demand_led, ',
    ),
    "rule as a number": (
        '"proportional"',
        "0",
        "markets.gpu.rationing: found 0; allowed: proportional, uniform",
    ),
    "bad kind of lab": (
        '"startup"',
        '"start-up"',
        'labs.xai.kind: found "start-up", did you mean "startup"?',
    ),
    "bad role": ('"equity"', '"stocks"', 'capital.fund.role: found "stocks"; allowed: equity, debt'),
    "bad side": ('"research"', '"reserch"', 'programmes.llm.side: found "reserch", did you mean "research"?'),
    "a text for a flag": (
        "board = true",
        'board = "yes"',
        'tranches.1.board: found "yes", expected true or false',
    ),
    "flag missing": (
        "own_builder = true\n",
        "",
        "clouds.cumulus.own_builder: missing; give it (whether the firm's",
    ),
    "number missing": (
        "\nresearchers = 1\n",
        "\n",
        "researchers: missing; give a number in persons (researchers at the start or the founding) here",
    ),
    "global number missing": (
        "elasticity = 1",
        "",
        "small.toml: research.elasticity: missing; give a number (elasticity of substitution",
    ),
    "bad name of a firm": (
        "[integrators.supermicro]",
        '[integrators."super micro"]',
        "expected a name: a letter",
    ),
    "unknown chip": (
        "[chips.A100]",
        "[chips.A10]",
        'chips.A10: found "A10", did you mean "A100"? allowed: A100, H1',
    ),
    "scalar for a table": ("[sites.memphis.chips]\nH100 = 800", "[sites]\nx = 3", "expected a table"),
    "name taken": (
        "[integrators.supermicro]",
        "[integrators.nimbus]",
        "the name is taken by [clouds.nimbus]",
    ),
    "name kept": (
        "[integrators.supermicro]",
        "[integrators.public]",
        "the name is kept for holders of equity",
    ),
    "unknown owner": (
        'owner = "xai"',
        'owner = "xia"',
        'sites.memphis.owner: no lab, cloud or sister is named "xia"',
    ),
    "unknown utility": (
        '"mlgw"\nfab',
        '"mlgv"\nfab',
        'utility: no utility is named "mlgv", did you mean "mlgw"?',
    ),
    "unknown utility of outside buyers": (
        '[outside]\nutility = "mlgw"',
        '[outside]\nutility = "mlgv"',
        'outside.utility: no utility is named "mlgv", did you mean "mlgw"?',
    ),
    "unknown fabric": (
        '"Ethernet"',
        '"Ethernot"',
        'named "Ethernot", did you mean "Ethernet"? known: Ethernet, Spe',
    ),
    "unknown cloud": (
        '"nimbus"]',
        '"nimbos"]',
        'labs.xai.clouds.1: no cloud is named "nimbos", did you mean "nimb',
    ),
    "cloud twice": ('"nimbus"]', '"cumulus"]', 'labs.xai.clouds: found "cumulus" twice'),
    "unknown holder": (
        "founders = 0.6",
        "founder = 0.6",
        "holders.founder: no investor, firm or other holder is nam",
    ),
    "shares above one": (
        "founders = 0.6",
        "founders = 0.95",
        "labs.xai.holders: the shares sum to 1.05, expected at",
    ),
    "negative share": (
        "founders = 0.6",
        "founders = -0.6",
        "labs.xai.holders: found a share of -0.6, expected 0 or",
    ),
    "unknown group": (
        'owner = "group"\ncash',
        'owner = "gruop"\ncash',
        "sisters.x.owner: no owner of a lab is na",
    ),
    "chip without block": (
        "[chips.A100]",
        "[chips.H200]",
        "makers.nvidia.chips.0: no chip with a block [chips.<name",
    ),
    "unknown lessor": ('lessor = "cumulus"', 'lessor = "cirrus"', "leases.0.lessor: no cloud is named"),
    "lease of a cloud": ('lessee = "xai"', 'lessee = "nimbus"', 'leases.0.lessee: no lab is named "nimbus"'),
    "lease of a sister": ('lessee = "xai"', 'lessee = "x"', 'leases.0.lessee: no lab is named "x"'),
    "lessor without a site": (
        'owner = "cumulus"',
        'owner = "nimbus"',
        'leases.0.lessor: found "cumulus", which owns no site to lease from',
    ),
    "negotiation of no chip": (
        'chip = "H100"\nlessor',
        'chip = "H200"\nlessor',
        "events.2.chip: no chip with a block [chips.<name>] is named",
    ),
    "collapse of nothing": (
        'lessor = "cumulus"\nlessee = "xai"\nsource',
        'lessor = "nimbus"\nlessee = "xai"\nsource',
        "events.3: nimbus and xai negotiate nothing by 2023-08",
    ),
    "negative value of a programme": (
        "value = 2\n",
        "value = -2\n",
        "programmes.llm.value: found -2, expected 0 or more",
    ),
    "round of a cloud": ('firm = "xai"', 'firm = "nimbus"', 'rounds.0.firm: no lab is named "nimbus"'),
    "lease without term": ("term = 36", "term = 0", "leases.0.term: found 0, expected more than 0 months"),
    "unknown investor": (
        'investor = "fund"',
        'investor = "fnd"',
        "rounds.0.investor: no investor or firm is named",
    ),
    "round above value": (
        "post_money = 10e9",
        "post_money = 1e8",
        "rounds.0: amount 1e+09 is above post_money 1e+08",
    ),
    "round too early": (
        'date = "2023-02"',
        'date = "2022-02"',
        "rounds.0.date: 2022-02 is before the start 2023-01",
    ),
    "energised too early": (
        'energised = "2023-03"',
        'energised = "2021-03"',
        "tranches.0: energised 2021-03 is before",
    ),
    "unknown kind of event": ('"delay"', '"dellay"', 'events.1.kind: found "dellay", did you mean "delay"?'),
    "event without kind": (
        'kind = "delay"\n',
        "",
        "events.1.kind: missing; allowed: set, delay, negotiation, coll",
    ),
    "event with a wrong field": (
        'site = "memphis"\nmonths',
        'path = "memphis"\nmonths',
        "events.1.path: unknown key of an event of kind delay; allowed: imposed, source, note, ",
    ),
    "event without a field": (
        'site = "memphis"\nmonths',
        "months",
        "events.1.site: missing; give it (site whose requ",
    ),
    "event at no site": (
        'site = "memphis"',
        'site = "menphis"',
        'events.1.site: no site is named "menphis", did you',
    ),
    "event before the start": (
        'date = "2023-05"',
        'date = "2022-05"',
        "events.0.date: 2022-05 is before the start",
    ),
    "set of no number": (
        '"labs.xai.fixed_cost"',
        '"labs.xai.fixed_cots"',
        'events.0.path: found "labs.xai.fixed_cots", did you mean "labs.xai.fixed_cost"?',
    ),
    "set with a text": (
        "value = 5\n",
        'value = "five"\n',
        'events.0.value: found "five", expected a number in USD/m',
    ),
    "set below zero": (
        "value = 5\n",
        "value = -5\n",
        "events.0.value: found -5, expected 0 or more USD/month",
    ),
    "set of what only opens a run": (
        '"labs.xai.fixed_cost"',
        '"labs.xai.cash"',
        'events.0.path: found "labs.xai.cash", which only opens a run; a later value would change nothing',
    ),
    "set out of bounds": (
        'path = "labs.xai.fixed_cost"\nvalue = 5\n',
        'path = "labs.xai.other_use"\nvalue = 5\n',
        "events.0.value: found 5, expected at most 0.99",
    ),
    "share above one": ("mfu = 1\n", "mfu = 3\n", "research.mfu: found 3, expected at most 1"),
    "share below zero": ("mfu = 1\n", "mfu = -1\n", "research.mfu: found -1, expected 0 or more"),
    "nothing to divide by": (
        "cash_months = 1\n",
        "cash_months = 0\n",
        "planning.cash_months: found 0, expected 1 or more months",
    ),
    "range out of bounds": (
        "start_lead = 1\n",
        "start_lead = { value = 5, low = 1, high = 20 }\n",
        "foundry.start_lead: found 20, expected at most 11 months",
    ),
    "too many months": (
        "months = 24\n",
        "months = 200\n",
        "scenario.months: found 200, expected at most 120",
    ),
    "unknown kind of defaults": (
        "[defaults.labs]",
        "[defaults.lab]",
        'defaults.lab: found "lab", did you mean "labs"',
    ),
    "unknown default": (
        "inflow = 0",
        "inflw = 0",
        'defaults.labs.inflw: unknown key; found "inflw", did you mean "i',
    ),
    "bad default": (
        "inflow = 0",
        'inflow = "none"',
        'small.toml: defaults.labs.inflow: found "none", expected a num',
    ),
    "empty series": ("2023-01 = 400000", "", "outside.path: found no month, expected at least one"),
}


@pytest.mark.parametrize(("old", "new", "said"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_is_told_in_one_line(spoilt: Refusal, old: str, new: str, said: str) -> None:
    line = spoilt(old, new)
    assert line.startswith("small.toml: ")
    assert said in line


def test_sites_and_their_power_have_the_same_names(write: Write, refusal: Refusal) -> None:
    path = write("small", scenario_text.minimal().replace("power.memphis", "power.memfis"))
    line = refusal(lambda: load(path))
    assert line == (f'{path}: sites.memphis: the site has no block [power.memphis], did you mean "memfis"?')
    text = scenario_text.minimal()
    more = text[text.index("[power.memphis]") : text.index("[power.hall]")].replace("memphis", "austin")
    line = refusal(lambda: load(write("small", text + more)))
    assert line == f'{path}: power.austin: no site is named "austin"; known: memphis, hall, barn'


def test_a_third_maker_has_no_place_and_is_refused(write: Write, refusal: Refusal) -> None:
    more = "".join(
        scenario_text.block(f"makers.{name}", MakerTerms, "chips = []") for name in ("amd", "third")
    )
    text = scenario_text.minimal()
    path = write("small", text.replace("[integrators.", more + "\n[integrators.", 1))
    assert refusal(lambda: load(path)) == (
        f"{path}: makers.third: found 3 makers, expected at most 2: a first and a second source"
    )


def test_a_second_lender_has_no_place_and_is_refused(refusal: Refusal) -> None:
    said = refusal(lambda: load("baseline", {"capital.venture.role": "debt"}))
    assert "capital.lenders.role: found a second lender, expected one: venture" in said


def test_all_keys_that_a_table_misses_are_told_at_once(write: Write, refusal: Refusal) -> None:
    text = scenario_text.minimal()
    lab = text[text.index("[labs.xai]") : text.index("[clouds.cumulus]")]
    less = "\n".join(
        line for line in lab.splitlines() if not line.startswith(("brand", "demand", "run_share"))
    )
    line = refusal(lambda: load(write("small", text.replace(lab, less + "\n"))))
    assert "labs.xai.demand: missing; give a number in USD/month" in line or "labs.xai.brand: missing" in line
    assert "; also missing there: " in line
    assert all(key in line for key in ("brand", "demand", "run_share"))
