"""Every notebook in ``analysis/`` runs from its first cell to its last, and is committed without outputs."""

import os
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

import gpurush

NOTEBOOKS = sorted((Path(__file__).parents[1] / "analysis").glob("*.ipynb"))
RUNS = 4


def by_name(path: Path) -> str:
    return path.stem


@pytest.mark.slow
@pytest.mark.filterwarnings(
    "default"
)  # Those of the machinery of notebooks; the notebook's own are looked for.
@pytest.mark.parametrize("path", NOTEBOOKS, ids=by_name)
def test_it_runs(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "TMPDIR"):
        place = tmp_path / name.lower()
        place.mkdir()
        monkeypatch.setenv(name, str(place))
    monkeypatch.setenv("PYTHONPATH", str(Path(gpurush.__file__).parents[1]))
    monkeypatch.setenv("GPURUSH_RUNS", str(RUNS))
    notebook = nbformat.read(path, as_version=4)
    assert notebook.metadata.kernelspec.name == "python3"
    client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}})
    # The kernel python3 is the running interpreter when that comes first on the path.
    path_of_all = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    done = client.execute(env={**os.environ, "PATH": path_of_all})
    outputs = [output for cell in done.cells for output in cell.get("outputs", [])]
    said = [output.text for output in outputs if output.get("name") == "stderr"]
    assert not any("Warning" in text for text in said), said
    assert sum("image/png" in output.get("data", {}) for output in outputs) >= 2
    assert list(tmp_path.glob("results")) == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=by_name)
def test_it_is_valid_and_holds_no_outputs(path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert notebook.cells[0].cell_type == "markdown"
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None
            assert "GPURUSH_RUNS" not in cell.source or "os.environ.get" in cell.source
    text = path.read_text(encoding="utf-8")
    assert not any(f'"/{root}/' in text for root in ("home", "root", "tmp", "usr", "Users", "work"))
