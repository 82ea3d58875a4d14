"""The notebooks of the documentation run from top to bottom, and print what is kept in them."""

import os
import sys
from pathlib import Path

import nbclient
import nbformat
import pytest

import nearprint

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "notebooks"
# Notebooks run elsewhere, and import the package that is tested here.
PACKAGES = str(Path(nearprint.__file__).resolve().parents[1])
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
# Earlier releases of Python take earlier releases of libraries, which may print in another way.
KEPT_WITH = (3, 11)


def printed(code):
    """The texts that cells print; of pictures that there are some. A kernel may send a text in pieces."""
    found = []
    for number, cell in enumerate(code):
        for output in cell.outputs:
            name = output.get("name", output.output_type)
            text, data = output.get("text", ""), output.get("data", {})
            if text and found and found[-1][:2] == (number, name):
                text = found.pop()[2] + text
            found.append((number, name, text, data.get("text/plain", ""), "image/png" in data))
    return found


def test_there_are_notebooks():
    assert len(NOTEBOOKS) >= 3


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_prints_what_is_kept_in_it(path):
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    kept = printed(code)
    runs_in = {"metadata": {"path": str(FOLDER)}}
    client = nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3", resources=runs_in)
    client.execute(env={**os.environ, "PYTHONPATH": PACKAGES})
    assert sum(shown for *_, shown in kept) >= 2
    assert [text for _, name, text, *_ in printed(code) if name == "stderr"] == []
    if sys.version_info >= KEPT_WITH:
        # Where they differ, scripts/keep-notebooks keeps what is printed now.
        assert printed(code) == kept
