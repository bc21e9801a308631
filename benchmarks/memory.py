"""Peak memory of an ensemble in batches, everything recorded.

Run it with ``PYTHONPATH=model python benchmarks/memory.py``, when all is compiled: LLVM needs memory of its own.
"""

import argparse
import resource
import time

from gpurush.experiments.runner import run_batch
from gpurush.scenario import load


def peak() -> float:
    """Most memory that this process ever held, MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--batch", type=int, default=256, help="runs in a batch")
    parser.add_argument("--runs", type=int, default=1000, help="runs in all")
    options = parser.parse_args()
    story = load("baseline")
    print(f"{'after':>10} {'peak, MiB':>10} {'seconds':>8} {'of deals, MiB':>14} {'of rows, MiB':>13}")
    print(f"{'import':>10} {peak():10.0f}")
    for first in range(0, options.runs, options.batch):
        began = time.perf_counter()
        kept = run_batch(story, range(first, min(first + options.batch, options.runs)), seed=0)
        deals = kept.deal_rows.nbytes + kept.deal_run.nbytes + kept.deal_month.nbytes
        rows = kept.agent_rows.nbytes + kept.site_rows.nbytes + kept.market_rows.nbytes
        done = f"{min(first + options.batch, options.runs)} runs"
        seconds = time.perf_counter() - began
        print(f"{done:>10} {peak():10.0f} {seconds:8.1f} {deals / 2**20:14.0f} {rows / 2**20:13.0f}")
        del kept


if __name__ == "__main__":
    main()
