"""What is public is documented and typed, and the stubs say what is there."""

import importlib
import inspect
import pkgutil
import subprocess
import sys

import pytest

import nearprint

MODULES = [nearprint] + [
    importlib.import_module(f"nearprint.{found.name}")
    for found in pkgutil.iter_modules(nearprint.__path__)
    if not found.name.startswith("_")
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
    assert seen > 25


def test_the_stubs_say_what_is_there():
    pytest.importorskip("mypy")
    ran = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "nearprint._native", "--ignore-missing-stub"],
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_face_passes_mypy():
    pytest.importorskip("mypy")
    ran = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "-p", "nearprint"], capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
