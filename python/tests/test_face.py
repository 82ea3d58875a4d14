"""What is public is documented and typed, and the stubs say what is there."""

import ast
import doctest
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import nearprint
from nearprint import _native

STUBS = Path(nearprint.__file__).with_name("_native.pyi")
SETTINGS = Path(__file__).parents[1] / "pyproject.toml"
MODULES = [nearprint] + [
    importlib.import_module(found.name)
    # Of nearprint.spark, which needs PySpark, python/tests/spark has a test of its own.
    for found in pkgutil.iter_modules(nearprint.__path__, "nearprint.")
    if "._" not in found.name and found.name != "nearprint.spark"
]
MODULES += [
    importlib.import_module(found.name)
    for module in MODULES[1:]
    for found in pkgutil.iter_modules(getattr(module, "__path__", []), f"{module.__name__}.")
    if "._" not in found.name
]


def public(module):
    for name in getattr(module, "__all__", [name for name in vars(module) if not name.startswith("_")]):
        thing = getattr(module, name)
        if (inspect.isroutine(thing) or inspect.isclass(thing)) and thing.__module__.startswith("nearprint"):
            yield f"{module.__name__}.{name}", thing


def test_what_is_public_is_documented_and_typed():
    seen = 0
    for module in MODULES:
        assert module.__doc__, module
        for name, thing in public(module):
            assert inspect.getdoc(thing), name
            members = inspect.getmembers(thing) if inspect.isclass(thing) else []
            for member, value in members:
                if member.startswith("_") or not (inspect.isroutine(value) or isinstance(value, property)):
                    continue
                if not issubclass(thing, Exception):
                    assert inspect.getdoc(value), f"{name}.{member}"
            if inspect.isfunction(thing):
                signature = inspect.signature(thing)
                untyped = [it.name for it in signature.parameters.values() if it.annotation is it.empty]
                assert not untyped and signature.return_annotation is not inspect.Signature.empty, name
            seen += 1
    assert seen > 35


def test_the_stubs_say_what_is_there():
    ran = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "nearprint._native", "--ignore-missing-stub"],
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def documented(body, thing, name):
    """What the stubs document: its name, its docstring, and the same thing of the running module."""
    for node in body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            own = getattr(thing, node.name)
            yield f"{name}.{node.name}", ast.get_docstring(node), own
            yield from documented(node.body, own, f"{name}.{node.name}")


def first_sentence(docstring):
    return re.split(r"(?<=\.)\s", " ".join(docstring.replace("``", "`").split()))[0]


def test_the_stubs_document_what_the_module_does():
    seen = set()
    for name, docstring, thing in documented(ast.parse(STUBS.read_text()).body, _native, "_native"):
        # Python gives its own docstring to methods such as __getitem__.
        if docstring is not None and not name.endswith("__"):
            assert first_sentence(docstring) == first_sentence(thing.__doc__), name
            seen.add(name.split(".")[1])
    exported = {name for name in nearprint.__all__ if getattr(_native, name, 0) is getattr(nearprint, name)}
    assert seen == exported != set()


def test_examples_of_the_stubs():
    finder, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    for name, docstring, _ in documented(ast.parse(STUBS.read_text()).body, _native, "_native"):
        runner.run(finder.get_doctest(docstring or "", {}, name, str(STUBS), 0))
    assert runner.tries > 2 and runner.failures == 0


def test_the_face_passes_mypy():
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", str(SETTINGS), "-p", "nearprint"],
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
