"""Records, helpers and rules: layout, refusals, one run and all runs, the same bits compiled or not."""

import inspect
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import tiny_rules as tiny

import gpurush
from gpurush import engine
from gpurush.engine import FIELDS, LAYOUTS, of, record
from gpurush.state import Run


def test_a_record_has_the_fields_and_axes_that_it_declares():
    layout = LAYOUTS[tiny.Run]
    assert layout.names == ("month", "total", "dwarfs")
    assert layout["month"] == np.int64
    assert layout["total"] == np.float64
    assert layout["dwarfs"].shape == (4,)
    hoards = layout["dwarfs"].base["hoards"]
    assert hoards.shape == (3,)
    assert hoards.base["amount"].shape == (len(tiny.Metal),)
    assert hoards.base["sealed"] == np.bool_


def test_a_record_keeps_units_meanings_and_its_docstring():
    assert FIELDS[tiny.Dwarf]["skill"] == ("kg/month", "dug in a month", (), None, None, False)
    assert tiny.Dwarf.__doc__ == "A miner."


def numbers_in(layout):
    if layout.subdtype:
        return numbers_in(layout.base)
    if layout.names:
        return set().union(*(numbers_in(layout[name]) for name in layout.names))
    return {layout}


def test_the_state_holds_64_bit_numbers_and_flags_only():
    assert numbers_in(LAYOUTS[Run]) == {np.dtype("f8"), np.dtype("i8"), np.dtype("?")}


def test_a_field_of_another_type_is_refused():
    class Narrow:
        text: str = of()

    with pytest.raises(KeyError):
        record(Narrow)


def test_a_record_reads_and_writes_like_an_object():
    dwarf = np.zeros(1, LAYOUTS[tiny.Dwarf])[0]
    dwarf.skill = 2.5
    dwarf.hoards[1].amount[tiny.Metal.gold] += 3.0
    assert dwarf.skill == dwarf["skill"] == 2.5
    assert dwarf["hoards"][1]["amount"][1] == 3.0


@pytest.mark.parametrize("act", [lambda dwarf: dwarf.skil, lambda dwarf: setattr(dwarf, "skil", 1.0)])
def test_a_misspelt_field_is_refused(act):
    dwarf = np.zeros(1, LAYOUTS[tiny.Dwarf])[0]
    with pytest.raises(AttributeError, match="skil"):
        act(dwarf)


def test_all_applies_a_rule_to_every_run_and_to_one_agent():
    together = tiny.play(5)
    assert np.all(together["month"] == 30)
    assert np.all(together["dwarfs"]["months"] > 0)
    state = np.zeros(2, LAYOUTS[tiny.Run])
    state["dwarfs"]["skill"] = 1.0
    tiny.dig.all(state, 2)
    assert state["dwarfs"]["months"].tolist() == [[0, 0, 1, 0]] * 2


def test_a_run_alone_is_the_run_in_a_batch():
    together = tiny.play(5)
    for size in (1, 3):
        assert tiny.play(size).tobytes() == together[:size].tobytes()


def test_a_rule_called_for_one_run_does_what_all_does():
    alone, together = (np.zeros(1, LAYOUTS[tiny.Run]) for _ in range(2))
    alone["dwarfs"]["skill"] = together["dwarfs"]["skill"] = 3.0
    tiny.dig(alone[0].dwarfs[1], alone[0])
    tiny.dig.all(together, 1)
    assert alone.tobytes() == together.tobytes()


@pytest.mark.slow
def test_compiler_on_and_off_give_the_same_bits(both_ways):
    compiled, plain = both_ways(Path(tiny.__file__))
    assert compiled == plain == [tiny.play(5).tobytes().hex()]


def test_a_rule_is_the_rule_itself_to_help_and_inspect():
    function = tiny.dig.py_func if engine.COMPILED else tiny.dig
    assert inspect.getsourcefile(function) == tiny.__file__
    assert tiny.dig.__doc__ == function.__doc__
    assert str(inspect.signature(tiny.dig)) == "(dwarf: 'Dwarf', run: 'Run') -> 'None'"


def test_importing_the_package_loads_neither_mesa_nor_numba_nor_pandas():
    code = "import sys, gpurush; print(sorted({'mesa', 'numba', 'pandas'} & set(sys.modules)))"
    source = str(Path(gpurush.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": source}, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
