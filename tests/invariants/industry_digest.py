"""Prints a hash of the whole state of a few short runs, month by month, for a comparison with the compiler off."""

import hashlib
import sys

from gpurush.industry import Industry


def digest(months: int, runs: list[int], scenario: str = "baseline") -> list[str]:
    model = Industry(scenario, runs=runs, rng=7)
    lines = []
    for _ in range(months):
        model.step()
        for name in model.runs.dtype.names:
            state = model.runs[name].tobytes()
            lines.append(f"{model.month} {name} {hashlib.sha256(state).hexdigest()[:16]}")
    return lines


if __name__ == "__main__":
    _, how_long, scenario, *which = sys.argv
    print("\n".join(digest(int(how_long), [int(run) for run in which], scenario)))
