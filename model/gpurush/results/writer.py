"""Writes recordings, batch by batch, as the Parquet tables of a results folder."""

import contextlib
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from .columns import TABLES
from .deals import deals_table
from .folder import unwritable, write_manifest
from .manifest import manifest
from .recording import Recording
from .tables import agents_table, markets_table, runs_table, sites_table

MONTHLY_RUNS = 200
"""Up to so many runs ``deals`` has a row per month; beyond, per quarter."""

ROWS = 262_144
"""Most rows in a row group."""


class Writer:
    """Writes one ensemble into a folder.

    Use it as a context manager, ``add`` each recording in run order, ``finish`` at the end. A batch is
    written and let go before the next, so memory does not grow with the number of runs.
    """

    def __init__(self, folder: Path, seed: int, runs: int, detail: str | None = None) -> None:
        """Begins an ensemble.

        Args:
            folder: an existing folder to write into.
            seed: seed of the ensemble.
            runs: number of runs to come.
            detail: "deals" for a row per month in ``deals`` however many the runs.
        """
        self.folder = folder
        self.seed = seed
        self.period = "month" if runs <= MONTHLY_RUNS or detail == "deals" else "quarter"
        self.runs: list[int] = []
        self.rows: dict[str, int] = {}
        self._names: tuple[object, ...] | None = None
        self._files: dict[str, Any] = {}
        self._began = time.perf_counter()

    def __enter__(self) -> "Writer":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.close()
            return
        with contextlib.suppress(OSError, pa.ArrowException):  # The first error is the one to tell.
            self.close()

    def add(self, recording: Recording) -> None:
        """Appends a batch to every table.

        Raises:
            ValueError: its names or parameters are not those of the batches before, or its runs are out of
                order.
            ResultsError: the disk refuses it.
        """
        runs = [int(run) for run in recording.runs]
        if self._names not in (None, recording.names):
            raise ValueError("a batch has other names or parameters than the batches before it")
        if sorted({*self.runs[-1:], *runs}) != [*self.runs[-1:], *runs]:
            raise ValueError(f"run {runs[0]} comes after run {self.runs[-1] if self.runs else runs[-1]}")
        self._names = recording.names
        try:
            self._append("agents", agents_table(recording))
            self._append("sites", sites_table(recording))
            self._append("markets", markets_table(recording))
            self._append("deals", deals_table(recording, self.period))
            self._append("runs", runs_table(recording, self.seed))
        except OSError as error:
            raise unwritable(self.folder, error) from None
        self.runs += runs

    def _append(self, name: str, table: pa.Table) -> None:
        if name not in self._files:
            coded = [field.name for field in table.schema if pa.types.is_dictionary(field.type)]
            self._files[name] = pq.ParquetWriter(
                self.folder / f"{name}.parquet",
                table.schema,
                compression="zstd",
                use_dictionary=[each for each in ("run", "date") if each in table.schema.names] + coded,
            )
        self._files[name].write_table(table, row_group_size=ROWS)
        self.rows[name] = self.rows.get(name, 0) + table.num_rows

    def close(self) -> None:
        """Closes the files."""
        while self._files:
            self._files.popitem()[1].close()

    def finish(self, scenario: Any, overrides: Mapping[str, object], command: str) -> dict[str, Any]:
        """Completes the tables and writes ``scenario.toml`` and ``manifest.json``; returns the manifest.

        Args:
            scenario: the effective scenario.
            overrides: what was set beside the scenario file.
            command: the command or call that made the result.

        Raises:
            ResultsError: the disk refuses it.
        """
        try:
            self.close()
            (self.folder / "scenario.toml").write_text(scenario.dump_toml(), encoding="utf-8")
            tables: dict[str, dict[str, object]] = {
                name: {"file": f"{name}.parquet", "rows": self.rows[name], "row": TABLES[name].row}
                for name in TABLES
                if name in self.rows
            }
            tables["deals"]["period"] = self.period
            wall = time.perf_counter() - self._began
            made = manifest(scenario, self.runs, self.seed, overrides, command, wall, tables)
            write_manifest(self.folder, made)
        except OSError as error:
            raise unwritable(self.folder, error) from None
        return made
