"""The generator: its published known answers, its addresses, its bits."""

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from gpurush import luck

ONES = 0xFFFFFFFF
KNOWN = {
    # Random123, kat_vectors, philox4x32-10: counter, key -> words.
    "zeros": ((0, 0, 0, 0), (0, 0), "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    "ones": ((ONES, ONES, ONES, ONES), (ONES, ONES), "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    "pi": (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        "d16cfe09 94fdcceb 5001e420 24126ea1",
    ),
}


@pytest.mark.parametrize("case", KNOWN)
def test_philox_gives_its_published_answers(case):
    counter, key, answer = KNOWN[case]
    words = luck.philox(*(np.uint64(word) for word in (*counter, *key)))
    assert " ".join(f"{int(word):08x}" for word in words) == answer


def test_an_address_is_key_and_counter():
    seed, run, who, what, month = 0x299F31D0A4093822, 0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344
    assert [f"{int(word):08x}" for word in luck.words(seed, run, who, what, month)] == KNOWN["pi"][2].split()


def test_names_are_32_bit_and_the_same_everywhere():
    assert luck.name("tva") == luck.name("tva") != luck.name("mlgw")
    assert 0 <= luck.name("tva") <= ONES
    assert luck.name("study") == int(luck.What.study) == 1330737353
    assert len({int(what) for what in luck.What}) == len(luck.What)


def test_uniform_is_never_0_or_1():
    lowest, highest = (luck.to_uniform(np.uint64(word), np.uint64(word)) for word in (0, ONES))
    assert 0.0 < lowest < 1e-15
    assert 1.0 - 1e-15 < highest < 1.0


@pytest.mark.parametrize("axis", ["seed", "run", "who", "what", "month", "attempt"])
def test_neighbouring_addresses_are_independent(axis):
    names = ("seed", "run", "who", "what", "month", "attempt")
    start = dict(zip(names, (5, 17, 1000, 2000, 20, 0), strict=True))
    draws = []
    for step in range(4000):
        at = {**start, axis: start[axis] + step}
        draws.append(luck.uniform(*(at[name] for name in names)))
    assert stats.kstest(draws, "uniform").pvalue > 1e-3
    for lag in (1, 2, 8):
        assert abs(np.corrcoef(draws[:-lag], draws[lag:])[0, 1]) < 4.0 / np.sqrt(len(draws))


def test_what_else_is_drawn_changes_nothing():
    at = (7, 17, luck.name("tva"), int(luck.What.study), 20)
    before = luck.uniform(*at)
    luck.uniform(7, 17, luck.name("a newcomer"), int(luck.What.study), 20)
    assert luck.uniform(*at) == before


@pytest.mark.slow
def test_compiler_on_and_off_give_the_same_bits(both_ways):
    compiled, plain = both_ways(Path(__file__).parent / "luck_digest.py")
    assert len(compiled) > 6_000
    assert compiled == plain
