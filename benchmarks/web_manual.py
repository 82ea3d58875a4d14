"""A manual rendered twice, by two themes of Sphinx, for benchmarks/web.py.

The sources are those of the library reference, the tutorial and the how-tos in python3.11-doc. Sphinx comes from
benchmarks/.venv-web, which `scripts/bench web` makes.
"""
import pathlib
import shutil
import subprocess

PYTHON = pathlib.Path(__file__).resolve().parent / ".venv-web/bin/python"
THEMES = ("alabaster", "sphinx_rtd_theme")
PARTS = ("library", "tutorial", "howto")
# Directives of an extension that is not here leave their text out, in both renderings alike.
SETTINGS = "project = 'Manual'\nroot_doc = 'index'\nsuppress_warnings = ['*']\nhtml_copy_source = False\n"
INDEX = "Manual\n======\n\n.. toctree::\n\n" + "".join(f"   {part}/index\n" for part in PARTS)


def write(folder, manual):
    """Renders the manual into a folder for each theme, unless it is there; tells the folder."""
    if folder.exists():
        return folder
    new = folder.with_suffix(".new")
    shutil.rmtree(new, ignore_errors=True)
    sources = next(manual.rglob("_sources"))
    for part in PARTS:
        for path in sorted((sources / part).glob("*.rst.txt")):
            target = new / "sources" / part / path.name.removesuffix(".txt")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    (new / "sources/conf.py").write_text(SETTINGS, encoding="utf-8")
    (new / "sources/index.rst").write_text(INDEX, encoding="utf-8")
    for theme in THEMES:
        command = [PYTHON, "-m", "sphinx", "-Q", "-b", "html", "-d", new / "trees", "-D", f"html_theme={theme}",
                   new / "sources", new / "pages" / theme]
        subprocess.run(list(map(str, command)), check=True)
    new.rename(folder)
    return folder
