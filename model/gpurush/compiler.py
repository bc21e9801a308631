"""Compiles a helper as a part of each rule that calls it, so that LLVM sees a rule once and whole.

Numba by itself compiles every function to machine code of its own, with wrappers to call it from Python, and then
links its intermediate code into each caller, where it is optimised and turned into machine code once more. Here a
function that compiled code calls is only typed and translated: optimisation and machine code wait for the outermost
rule. That halves the time of the first compile, and the code runs faster too, because it is optimised in one piece.
None of this touches arithmetic: the same operations, in the same order, with the same rounding.

The tools are Numba's: a compiler is a list of passes (``pipeline_class`` of ``numba.njit``), and the one that makes
code is replaced. ``docs/performance.md`` has the figures.
"""

from typing import Any

import numba
from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core import codegen, compiler, compiler_machinery, environment, typed_passes

__all__ = ["as_part", "compiled"]

_njit: Any = numba.njit  # Its published types leave out the options that drop wrappers.

# Numba writes the types of all arguments into the log record of every pass, and a run's type has a thousand fields:
# a tenth of the time of a first compile. A record's name says the same and is made once.
numba.types.Record.__repr__ = numba.types.Record.__str__  # type: ignore[method-assign]


class _PartLibrary(codegen.JITCodeLibrary):
    """Code that will be linked into a caller's: neither optimised nor turned into machine code by itself."""

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()  # type: ignore[no-untyped-call]
        self._finalized = True


@compiler_machinery.register_pass(mutates_CFG=True, analysis_only=False)  # type: ignore[no-untyped-call]
class _LowerPart(typed_passes.NativeLowering):
    """Translates a function for its compiled callers alone."""

    _name = "gpurush_lower_part"

    def run_pass(self, state: Any) -> bool:
        """Leaves the function as intermediate code; true: the state has changed."""
        state.library = _PartLibrary(state.targetctx.codegen(), state.func_id.func_qualname)  # type: ignore[no-untyped-call]
        state.flags.no_compile = True
        super().run_pass(state)  # type: ignore[no-untyped-call]
        lowered = state["cr"]
        about = lowered.fndesc
        # Numba finds a compiled function by this object; it has no machine code, and nothing can call it.
        name = _dynfunc.make_function(
            about.lookup_module(), about.qualname, "", 0, lowered.env, (state.library,)
        )
        state.targetctx.insert_user_function(name, about, [state.library])
        state["cr"] = lowered._replace(cfunc=name)
        return True


@compiler_machinery.register_pass(mutates_CFG=True, analysis_only=False)  # type: ignore[no-untyped-call]
class _LowerWhole(typed_passes.NativeLowering):
    """Makes machine code of a function and of all its parts, and gives each part its constants."""

    _name = "gpurush_lower_whole"

    def run_pass(self, state: Any) -> bool:
        """Lowers as Numba does, then hands over the constants; true: the state has changed."""
        super().run_pass(state)  # type: ignore[no-untyped-call]
        for variable in state.library._final_module.global_variables:
            if variable.name.startswith("_ZN08NumbaEnv"):
                found = environment.lookup_environment(variable.name)  # type: ignore[no-untyped-call]
                if found is not None:
                    state.library.codegen.set_env(variable.name, found)
        return True


class _Whole(compiler.CompilerBase):
    """Numba's compiler with another pass for making code."""

    lowering: Any = _LowerWhole

    def define_pipelines(self) -> list[Any]:
        """Numba's own passes, with the one for making code replaced."""
        passes = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)  # type: ignore[no-untyped-call]
        passes.passes = [
            (self.lowering if step is typed_passes.NativeLowering else step, why)
            for step, why in passes.passes
        ]
        passes._finalized = False
        passes.finalize()
        return [passes]


class _Part(_Whole):
    lowering: Any = _LowerPart


def compiled(function: Any, cache: bool) -> Any:
    """Compiles a function that Python calls, at its first call; the machine code is kept if ``cache`` is true."""
    return _njit(cache=cache, nogil=True, error_model="numpy", no_cfunc_wrapper=True, pipeline_class=_Whole)(
        function
    )


def as_part(function: Any) -> Any:
    """Lets compiled callers take a compiled function in as a part; Python calls it as before."""
    options = {"no_cfunc_wrapper": True, "no_cpython_wrapper": True, "pipeline_class": _Part}
    part = _njit(nogil=True, error_model="numpy", **options)(function.py_func)
    function.get_call_template, function.get_overload = part.get_call_template, part.get_overload
    return function
