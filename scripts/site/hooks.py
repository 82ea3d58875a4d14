"""What MkDocs adds to the Markdown of docs/: notebooks, pages of verbs and of errors, files of the repository.

Nothing here writes into docs/: all pages are made in memory.
"""

import os
import posixpath
import re
import shutil
import subprocess
import sys
from pathlib import Path, PurePosixPath

import nbformat
from mkdocs.structure.files import File
from mkdocs.structure.nav import Link
from nbconvert import MarkdownExporter

sys.path.insert(0, str(Path(__file__).resolve().parent))
import commands  # noqa: E402
import errors  # noqa: E402

REPOSITORY = Path(__file__).resolve().parents[2]
# The folder of the Rust reference, where scripts/build-docs built it.
RUST = os.environ.get("NEARPRINT_RUST_REFERENCE")
ASSETS = ("iframe-worker.js", "site.css")
COMMAND = "reference/command.md"
COMMANDS = "reference/command"
ERRORS = "reference/errors.md"
# Where files of the repository beside docs/ lie in the site, and links to files.
COPIES = "repository"
LINK = re.compile(r"(?<=\]\()(?![a-z]+:)([^)#\s]+)")


def on_files(files, config):
    """Add the pages and files that are no Markdown of docs/."""
    for notebook in [file for file in files if file.src_uri.endswith(".ipynb")]:
        files.remove(notebook)
        for made in pages_of(notebook, config):
            files.append(made)
    verbs = []
    for path, content in command_pages():
        files.append(File.generated(config, path, content=content))
        verbs.append(path)
    in_navigation(config, verbs)
    files.append(File.generated(config, ERRORS, content=errors.page(REPOSITORY)))
    for name in ASSETS:
        files.append(File.generated(config, f"assets/{name}", abs_src_path=str(Path(__file__).with_name(name))))
    pages = list(files.documentation_pages())
    while pages:
        page = pages.pop()
        for path in {repository_path(page, link) for link in LINK.findall(page.content_string)}:
            uri = site_uri(path)
            if uri and uri.startswith(f"{COPIES}/") and files.get_file_from_path(uri) is None:
                files.append(File.generated(config, uri, abs_src_path=str(REPOSITORY / path)))
                pages += [files.get_file_from_path(uri)] if uri.endswith(".md") else []
    return files


def on_page_markdown(markdown, page, config, files):
    """Point links to files of the repository at where the site has them."""

    def pointed(link):
        uri = site_uri(repository_path(page.file, link[1]))
        return posixpath.relpath(uri, posixpath.dirname(page.file.src_uri)) if uri else link[0]

    return LINK.sub(pointed, markdown)


def on_nav(nav, config, files):
    """Name the Rust reference beside the others, where it was built."""
    if RUST:
        reference = next(item for item in nav.items if item.title == "Reference")
        reference.children.append(Link("Rust", "rust/nearprint/index.html"))
    return nav


def on_post_build(config):
    """Copy the Rust reference, where it was built."""
    if RUST:
        shutil.copytree(RUST, Path(config.site_dir, "rust"), dirs_exist_ok=True)


def repository_path(page, link):
    """The file of the repository that a page links to."""
    own = page.src_uri.removeprefix(f"{COPIES}/") if page.src_uri.startswith(f"{COPIES}/") else f"docs/{page.src_uri}"
    return posixpath.normpath(posixpath.join(posixpath.dirname(own), link))


def site_uri(path):
    """Where the site has a file of the repository; nothing where there is no such file."""
    if not (REPOSITORY / path).is_file():
        return None
    if not path.startswith("docs/"):
        return f"{COPIES}/{path}"
    return re.sub(r"\.ipynb$", ".md", path.removeprefix("docs/"))


def pages_of(notebook, config):
    """A notebook, with what it prints, as a page of Markdown, and its pictures."""
    cells = nbformat.read(notebook.abs_src_path, as_version=4)
    exporter = MarkdownExporter()
    name = PurePosixPath(notebook.src_uri)
    markdown, resources = exporter.from_notebook_node(
        cells, {"output_files_dir": f"{name.stem}_files", "unique_key": name.stem}
    )
    yield File.generated(config, str(name.with_suffix(".md")), content=markdown)
    for path, data in resources["outputs"].items():
        yield File.generated(config, str(name.parent / path), content=data)


def in_navigation(config, paths):
    """Puts the pages of verbs where the navigation has that of the command."""
    reference = next(entry["Reference"] for entry in config.nav if "Reference" in entry)
    entry = next(entry for entry in reference if COMMAND in entry.values())
    (name,) = entry
    entry[name] = paths


def path_of(verb):
    """The page of a verb; that of the command without one."""
    return f"{COMMANDS}/{'-'.join(verb)}.md" if verb else COMMAND


def command_pages():
    """A page for every verb, in the order of the help."""
    verbs = [()]
    while verbs:
        verb = verbs.pop(0)
        told = help_of(verb)
        under = [(*verb, name) for name in commands.listed(commands.sections(told)[2].get("Commands", []))]
        folder = posixpath.dirname(path_of(verb))
        pages = {one[-1]: posixpath.relpath(path_of(one), folder) for one in under}
        yield path_of(verb), commands.page(verb, told, pages)
        verbs = under + verbs


def help_of(verb):
    """What the command of the package prints for a verb."""
    command = [sys.executable, "-m", "nearprint", *verb, "--help"]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout
