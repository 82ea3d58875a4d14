"""The notebooks of the documentation run from top to bottom, and are kept without what they print."""

import os
from pathlib import Path

import nbclient
import nbformat
import pytest

import nearprint

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "notebooks"
# Notebooks run elsewhere, and import the package that is tested here.
PACKAGES = str(Path(nearprint.__file__).resolve().parents[1])
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def test_there_are_notebooks():
    assert len(NOTEBOOKS) >= 3


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_outputs_and_runs(path):
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.id for cell in code if cell.outputs or cell.execution_count] == []
    runs_in = {"metadata": {"path": str(FOLDER)}}
    client = nbclient.NotebookClient(notebook, timeout=60, kernel_name="python3", resources=runs_in)
    client.execute(env={**os.environ, "PYTHONPATH": PACKAGES})
    pictures = [one for cell in code for one in cell.outputs if "image/png" in one.get("data", {})]
    assert len(pictures) >= 2
    assert [one for cell in code for one in cell.outputs if one.output_type == "stream" and one.name == "stderr"] == []
