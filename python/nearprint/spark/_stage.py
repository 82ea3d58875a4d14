"""A part of :mod:`nearprint.kernels` as a function that Spark sends to executors."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from typing import Any


def stage(kernel: str, **arguments: object) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """Make the function for ``mapInArrow`` that calls a kernel.

    It is pickled by value, as it is nested, and names nothing of this package: an executor may have the package in an
    archive alone, which :func:`nearprint.spark.ship` sent.
    """
    pickled = pickle.dumps(arguments)

    def run(batches: Iterable[Any]) -> Iterator[Any]:
        import importlib
        import os
        import pickle
        import sys

        try:
            kernels = importlib.import_module("nearprint.kernels")
        except ModuleNotFoundError as missing:
            if missing.name != "nearprint":
                raise
            from pyspark import SparkFiles

            try:
                shipped = [SparkFiles.get("np")]
            except Exception:
                shipped = []
            sys.path[:0] = [path for path in ["./np", *shipped] if os.path.isdir(path)]
            importlib.invalidate_caches()
            try:
                kernels = importlib.import_module("nearprint.kernels")
            except ModuleNotFoundError as still:
                if still.name != "nearprint":
                    raise
                raise RuntimeError(
                    "this executor has no nearprint: call nearprint.spark.ship(spark) before, or install the wheel "
                    "of nearprint on all executors"
                ) from None
        yield from getattr(kernels, kernel)(batches, **pickle.loads(pickled))

    return run
