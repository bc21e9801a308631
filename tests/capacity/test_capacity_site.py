"""``energise`` and ``energise_mix``: what people call, the report, and what they are told about bad input."""

import dataclasses
import doctest
import importlib
import json
import math
import pathlib

import pytest

from gpurush.capacity import EnergisedMix, EnergisedSite, Operation, compute, energise, energise_mix, hardware
from gpurush.catalog import CHIPS, Chip, chip
from gpurush.names import Binding


def test_the_default_is_100_000_h100_on_50_mw():
    site = energise()
    assert isinstance(site, EnergisedSite)
    assert (site.chip, site.gpus, site.mw, site.pue, site.it_kw) == ("H100", 100_000, 50, 1.25, 1.453)
    assert (site.energised, site.stranded, site.units) == (27_528, 72_472, 3_441)
    assert site.h100e == 27_528
    assert site.gap == site.divisible - site.energised < 8
    assert site.network is site.one_fabric is None
    assert site.switches == ()


def test_each_of_the_six_limits_can_bind():
    for limit, words in {
        Binding.power: {"mw": 1},
        Binding.liquid: {"liquid_mw": 1, "liquid_share": 0.8},
        Binding.air: {"air_mw": 1},
        Binding.racks: {"racks": 10},
        Binding.back_end: {"back_end_ports": 1_000},
        Binding.front_end: {"front_end_ports": 100},
    }.items():
        site = energise(**{"gpus": 10_000, "mw": None, **words})
        assert site.binding == limit
        assert list(site.shadow_prices) == [limit]
        wider = energise(
            **{"gpus": 10_000, "mw": None, **words, next(iter(words)): next(iter(words.values())) + 1}
        )
        assert wider.divisible - site.divisible == pytest.approx(site.shadow_prices[limit])


def test_one_more_megawatt_with_a_reserve():
    site, wider = (energise(mw=mw, reserve=0.1) for mw in (50, 51))
    assert site.gpus_per_mw == pytest.approx(wider.divisible - site.divisible)
    assert site.mw_drawn <= 45


def test_two_limits_at_once_gain_nothing_from_one_more_of_either():
    site = energise(mw=10, pue=1, air_mw=10)
    assert site.binding == Binding.power
    assert site.shadow_prices == {Binding.power: 0, Binding.air: 0}


def test_effective_flops_are_the_product():
    site = energise(mw=150, fabric="Spectrum-X")
    up = site.uptime
    product = up.usable_gpus * chip("H100").flops_16bit * up.mfu * up.network_speed * up.goodput
    assert site.effective_flops == pytest.approx(product)
    assert up.mfu == compute.mfu(site.energised)
    assert up.network_speed == pytest.approx(0.9896, abs=5e-5)
    assert site.goodput == up.goodput < 1


def test_a_job_spans_one_fabric_only():
    site = energise(mw=None, fabric="Quantum-2")
    assert site.one_fabric is False
    assert site.uptime.job_gpus == 65_536
    assert site.network.fabrics == 2
    assert site.network.tiers_needed == 4


def test_spares_or_availability_never_both():
    mean, pool = (energise(mw=None, operation=Operation(spares=spares)).uptime for spares in (False, True))
    assert mean.usable_gpus == pytest.approx(100_000 - 379, abs=1)
    assert pool.spare_nodes == 64
    assert pool.usable_gpus == 100_000 - 64 * 8


@pytest.mark.parametrize(
    "words", [{"gpus": 0}, {"mw": 0}, {"operation": Operation(failure_rate=0)}, {"racks": 0}]
)
def test_empty_sites(words):
    site = energise(**words, fabric="Ethernet")
    assert math.isfinite(site.effective_flops)
    json.dumps(site.to_dict(), allow_nan=False)


def test_the_report_names_what_binds():
    text = str(energise(mw=150, racks=1_563, fabric="Spectrum-X"))
    assert text == energise(mw=150, racks=1_563, fabric="Spectrum-X").table()
    for word in (
        "82,584 GPUs in 10,323 nodes",
        "megawatts",
        "550.58 H100e",
        "1,291 + 1,291 + 646",
        "goodput",
    ):
        assert word in text
    assert max(len(line) for line in text.splitlines()) <= 100


def test_the_dictionary_is_plain():
    site = energise(mw=150, racks=1_563, fabric="Spectrum-X", rails=8)
    there = json.loads(json.dumps(site.to_dict(), allow_nan=False))
    assert there["energised"] == 82_584
    assert there["binding"] == "power"
    assert there["shadow_price_units"] == {"power": "H100e per MW", "racks": "H100e per rack"}
    assert there["network"]["rails"] == 8
    assert set(there) >= {field.name for field in dataclasses.fields(site)}
    assert "8 rails" in str(site)


def test_results_are_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        energise().energised = 1  # type: ignore[misc]


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        ({"chip": "H10O"}, ("'H10O'", "did you mean 'H100'?")),
        ({"fabric": "Qantum-2"}, ("'Qantum-2'", "did you mean 'Quantum-2'?")),
        ({"mw": -3}, ("mw is -3", "at least 0", "nearest is 0")),
        ({"mw": math.nan}, ("mw is nan", "allowed")),
        ({"mw": math.inf}, ("mw is inf", "None for no limit")),
        ({"mw": "much"}, ("mw is 'much'", "number")),
        ({"mw": True}, ("mw is True",)),
        ({"pue": 0.9}, ("pue is 0.9", "at least 1", "nearest is 1")),
        ({"gpus": -1}, ("gpus is -1", "nearest is 0")),
        ({"gpus": 99_999.5}, ("whole number", "nearest is 100000")),
        ({"it_kw": 1453}, ("it_kw is 1453", "not W")),
        ({"it_kw": 0}, ("it_kw is 0",)),
        ({"racks": -1}, ("racks is -1",)),
        ({"liquid_mw": -1}, ("liquid_mw is -1",)),
        ({"air_mw": math.nan}, ("air_mw is nan",)),
        ({"liquid_share": 1.2}, ("liquid_share is 1.2", "nearest is 1")),
        ({"reserve": 1}, ("reserve is 1", "0.95")),
        ({"rack_kw": 5}, ("rack_kw is 5", "11.62")),
        ({"back_end_ports": -1}, ("back_end_ports is -1",)),
        ({"front_end_ports": -1}, ("front_end_ports is -1",)),
        ({"fabric": "Ethernet", "tiers": 0}, ("tiers is 0", "nearest is 1")),
        ({"fabric": "Ethernet", "tiers": 2.5}, ("whole number",)),
        ({"fabric": "Ethernet", "rails": 0}, ("rails is 0",)),
    ],
)
def test_bad_input_is_one_clear_sentence(words, parts):
    with pytest.raises(ValueError) as caught:
        energise(**words)
    text = str(caught.value)
    assert "\n" not in text
    for part in parts:
        assert part in text


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ({"failure_rate": -1}, "failure_rate is -1"),
        ({"checkpoint_seconds": math.nan}, "checkpoint_seconds is nan"),
        ({"restart_seconds": -1}, "nearest is 0"),
        ({"repair_days": 1000}, "at most 365"),
    ],
)
def test_a_bad_operation_is_refused(words, part):
    with pytest.raises(ValueError, match=part):
        Operation(**words)


def test_a_mix_runs_the_best_per_watt_first():
    site = energise_mix({"H100": 8_000, "GB300": 7_200, "A100": 4_000}, mw=20, pue=1.15)
    assert isinstance(site, EnergisedMix)
    assert site.energised["GB300"] == 7_200
    assert site.energised["A100"] <= 8, "what is left over may feed one older node"
    assert 0 < site.energised["H100"] < 8_000
    assert site.binding == Binding.power
    assert site.shadow_prices[Binding.power] == pytest.approx(1000 / (1.453 * 1.15))
    assert site.mw_drawn <= 20
    assert site.gap < site.gap_limit


def test_a_mix_of_one_is_the_site():
    site = energise(mw=30, air_mw=12, racks=900)
    mix = energise_mix({"H100": 100_000}, mw=30, air_mw=12, racks=900)
    assert mix.energised["H100"] == site.energised
    assert mix.binding == site.binding
    assert mix.shadow_prices == pytest.approx(site.shadow_prices)
    assert mix.mw_drawn == pytest.approx(site.mw_drawn)


def test_a_mix_under_two_limits_prices_both():
    site = energise_mix({"H100": 20_000, "GB300": 7_200, "A100": 4_001}, mw=30, liquid_mw=8, racks=400)
    for limit, words in {Binding.power: {"mw": 31}, Binding.liquid: {"liquid_mw": 8.5}}.items():
        wide = energise_mix(
            {"H100": 20_000, "GB300": 7_200, "A100": 4_001},
            **{"mw": 30, "liquid_mw": 8, "racks": 400, **words},
        )
        step = 1 if limit == Binding.power else 0.5
        assert wide.divisible_value - site.divisible_value == pytest.approx(step * site.shadow_prices[limit])
    assert "one more MW of liquid cooling" in str(site)
    assert json.loads(json.dumps(site.to_dict()))["binding"] == "power"


def test_values_and_power_of_a_mix_can_be_given():
    site = energise_mix({"H100": 800, "A100": 800}, mw=1, pue=1, values={"A100": 5}, it_kw={"A100": 1.0})
    assert site.energised == {"H100": 136, "A100": 800}


@pytest.mark.parametrize(
    ("words", "part"),
    [
        ({"gpus": {}}, "empty"),
        ({"gpus": {"H100": 8, "h100": 8}}, "twice"),
        ({"gpus": {"H10O": 8}}, "did you mean"),
        ({"gpus": {"H100": -8}}, "gpus of H100 is -8"),
        ({"gpus": {"H100": 8}, "values": {"A100": 1}}, "does not have"),
        ({"gpus": {"H100": 8}, "it_kw": {"H100": 1453}}, "it_kw of H100 is 1453"),
        ({"gpus": {"H100": 8}, "values": {"H100": -1}}, "value of H100 is -1"),
        ({"gpus": {"H100": 8}, "pue": 0.5}, "pue is 0.5"),
    ],
)
def test_bad_mixes_are_refused(words, part):
    with pytest.raises(ValueError, match=part):
        energise_mix(**words)


def test_the_catalogue_as_arrays():
    columns = [
        getattr(hardware, name)()
        for name in (
            "h100e", "it_kw", "liquid_share", "per_unit", "per_rack", "per_node", "nics", "flops_16bit",
            "price_usd", "chips_per_wafer",
        )
    ]  # fmt: skip
    assert all(column.shape == (CHIPS,) and column.dtype == float for column in columns)
    assert hardware.it_kw()[Chip.H100] == 1.453
    hardware.it_kw()[Chip.H100] = 0
    assert hardware.it_kw()[Chip.H100] == 1.453, "each call gives a fresh array"


@pytest.mark.parametrize("name", ["site", "mix"])
def test_examples_in_the_modules(name):
    done = doctest.testmod(importlib.import_module(f"gpurush.capacity.{name}"))
    assert done.attempted > 2
    assert done.failed == 0


def test_examples_in_the_page():
    page = pathlib.Path(__file__).parents[2] / "docs" / "capacity.md"
    done = doctest.testfile(str(page), module_relative=False)
    assert done.attempted > 3
    assert done.failed == 0
