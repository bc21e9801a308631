"""What the first and the second start cost: compiling into an empty cache, then finding everything there.

Run it with ``PYTHONPATH=model python benchmarks/start.py``. Each line is a process of its own.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

CHILD = """
import time
began, busy = time.perf_counter(), time.process_time()
from numba.core import event
count = 0
class Counter(event.Listener):
    def on_start(self, event):
        global count
        count += 1
    def on_end(self, event):
        pass
event.register("numba:compile", Counter())
from gpurush.industry import Industry
model = Industry("baseline", runs=1)
ready, ready_busy = time.perf_counter(), time.process_time()
model.step()
first, first_busy = time.perf_counter(), time.process_time()
model = Industry("baseline", runs=1)
while model.running:
    model.step()
done = time.perf_counter()
print(f"{count:8} {ready - began:9.1f} {first - ready:10.1f} {first_busy - ready_busy:9.1f} {done - first:11.2f}")
"""


def main() -> None:
    head = f"{'compiled':>8} {'import, s':>9} {'1st step, s':>10} {'its CPU':>8} {'60 months':>11}"
    print(f"{'start':8} {head}")
    with tempfile.TemporaryDirectory() as folder:
        surroundings = {**os.environ, "NUMBA_CACHE_DIR": folder}
        for name in ("first", "second", "third"):
            result = subprocess.run(
                [sys.executable, "-c", CHILD], env=surroundings, capture_output=True, text=True, check=True
            )
            print(f"{name:8} {result.stdout.rstrip()}")
        size = sum(file.stat().st_size for file in pathlib.Path(folder).rglob("*.nb*"))
        print(f"cache: {size / 2**20:.1f} MiB")


if __name__ == "__main__":
    main()
