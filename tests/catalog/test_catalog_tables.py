"""The catalogue: order, numbers, sources and errors."""

import subprocess
import sys

import pytest

from gpurush import units
from gpurush.catalog import (
    CHIPS,
    CatalogError,
    Chip,
    Grade,
    chip,
    chip_specs,
    fabric,
    fabrics,
    find_chip,
    rack,
    racks,
    tables,
)
from gpurush.catalog.chips import H100E_8BIT_FLOPS

ORDER = ["A100", "H100", "H200", "B200", "GB200", "GB300", "VR200", "MI300X", "MI355X", "MI450"]


def test_chips_stand_in_the_order_of_the_model():
    assert [each.name for each in Chip] == ORDER
    assert [each.name for each in chip_specs()] == ORDER
    assert [int(each) for each in Chip] == list(range(CHIPS))
    assert all(each.index == place for place, each in enumerate(chip_specs()))


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("A100", "flops_16bit", 3.12e14),  # F065
        ("A100", "tdp_w", 400),  # F066
        ("H100", "flops_16bit", 9.894e14),  # F067
        ("H100", "flops_8bit", 1.979e15),  # F068
        ("H100", "tdp_w", 700),  # F069
        ("H100", "memory_bytes", 80e9),  # F070
        ("GB200", "flops_16bit", 2.5e15),  # F071
        ("GB200", "flops_8bit", 5e15),  # F072
        ("GB200", "tdp_w", 1200),  # F074
        ("GB300", "flops_16bit", 2.5e15),  # F075
        ("GB300", "flops_8bit", 5e15),  # F076
        ("GB300", "tdp_w", 1400),  # F078
        ("GB300", "memory_bytes", 288e9),  # F079
        ("MI300X", "flops_16bit", 1.3074e15),  # F080
        ("MI300X", "tdp_w", 750),  # F081
        ("MI300X", "price_usd", 15000),  # F082
        ("A100", "it_kw", 0.926),  # F087
        ("H100", "it_kw", 1.453),  # F088
        ("H100", "it_kw_low", 1.275),
        ("H100", "it_kw_high", 1.721),
        ("GB200", "it_kw", 2.09),  # F089
        ("GB300", "it_kw", 2.217),  # F090
        ("A100", "price_usd", 12247),  # F094
        ("H100", "price_usd", 34641),  # F095
        ("GB200", "price_usd", 39686),  # F098
        ("GB300", "price_usd", 36742),  # F100
        ("H100", "gpus_per_rack", 64),  # F158
    ],
)
def test_numbers_of_the_facts(name, field, value):
    assert getattr(chip(name), field) == value


@pytest.mark.parametrize(
    ("name", "h100e"), [("A100", 0.315), ("H100", 1.0), ("H200", 1.0), ("GB200", 2.53), ("GB300", 2.53)]
)
def test_h100_equivalents(name, h100e):
    assert chip(name).h100e == pytest.approx(h100e, abs=0.004)


def test_one_h100e_is_one_h100_everywhere():
    assert chip("H100").h100e == 1.0
    assert H100E_8BIT_FLOPS == units.H100_FLOPS_8BIT
    assert chip("H100").flops_16bit == units.H100_FLOPS_16BIT


def test_the_gb300_rack():  # F007-F015
    found = rack("GB300 NVL72")
    assert (found.gpus, found.cpus, found.trays, found.gpus_per_tray) == (72, 36, 18, 4)
    assert (found.kw, found.kw_low, found.kw_high) == (136, 132, 142)
    assert (found.nvlink_bytes_per_s, found.memory_bytes, found.fp4_flops) == (1.3e14, 3.7e13, 1.44e18)
    assert found.schedulable_gpus == 64


def test_racks_and_chips_agree():
    for each in racks():
        assert each.gpus == each.trays * each.gpus_per_tray
        spec = chip(each.chip)
        assert each.kind in ("node", "rack")
        assert each.kw_per_gpu <= spec.it_kw_high
        assert each.gpus % spec.gpus_per_unit == 0


@pytest.mark.parametrize(
    ("name", "radix", "tiers", "share"),
    [
        ("Ethernet", 64, 3, 0.60),
        ("Spectrum-X", 128, 3, 0.95),
        ("Quantum-2", 64, 3, 0.95),
        ("Quantum-X800", 144, 2, 0.95),
        ("Multi-plane", 512, 2, 0.95),
    ],
)
def test_fabrics(name, radix, tiers, share):
    found = fabric(name)
    assert (found.radix, found.tiers, found.delivered_share) == (radix, tiers, share)
    assert found in fabrics()


def test_every_number_has_source_grade_and_range():
    entries = [birth for spec in (*chip_specs(), *racks(), *fabrics()) for birth in spec.births.values()]
    assert len(entries) > 200
    assert {each.grade for each in entries} == set(Grade)
    assert all(each.source for each in entries)
    guesses = [each for each in entries if each.grade == Grade.guess and each.unit in ("USD/GPU", "kW/GPU")]
    assert guesses
    assert all(each.high / each.low >= 1.3 for each in guesses), "a guess has a wide range"


def test_the_next_generation_is_graded_a_guess():
    assert {birth.grade for name, birth in chip("VR200").births.items() if name != "vendor"} == {Grade.guess}


def test_blackwell_yields_half_of_hopper_per_wafer():
    assert chip("B200").chips_per_wafer == chip("H100").chips_per_wafer / 2 == 7


@pytest.mark.parametrize("name", ["H100", "h100", " H-100 ", "h_100", Chip.H100])
def test_spelling_is_forgiven(name):
    assert find_chip(name) is Chip.H100


@pytest.mark.parametrize(
    ("look", "name", "nearest"),
    [
        (chip, "H10O", "H100"),
        (chip, "GB-30", "GB300"),
        (fabric, "spectrum", "Spectrum-X"),
        (rack, "GB300", None),
    ],
)
def test_a_bad_name_is_one_sentence(look, name, nearest):
    with pytest.raises(CatalogError) as caught:
        look(name)
    assert isinstance(caught.value, ValueError)
    assert caught.value.found == name
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)
    if nearest:
        assert caught.value.nearest == nearest
        assert f"did you mean {nearest!r}?" in str(caught.value)


LINE = {"value": "2", "low": "1", "high": "3", "unit": "kW", "source": "s", "grade": "P", "note": ""}


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"value": "four"}, "'four'"),
        ({"value": "4"}, "outside its range"),
        ({"grade": "X"}, "grade"),
        ({"source": ""}, "source"),
    ],
)
def test_a_bad_line_is_refused(change, word):
    with pytest.raises(CatalogError, match=word):
        tables.birth({**LINE, **change}, "chips.csv, H100, it_kw")


def test_the_catalogue_loads_neither_compiler_nor_pandas():
    code = "import sys, gpurush.catalog as c; c.chip_specs(); "
    code += "print({'numba', 'pandas', 'numpy'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
