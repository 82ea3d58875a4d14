"""The installed package, brought to executors that do not have it."""

from __future__ import annotations

import atexit
import hashlib
import os
import pathlib
import shutil
import tempfile
import zipfile
from importlib import metadata
from typing import TYPE_CHECKING

import nearprint
from nearprint import kernels
from nearprint.spark._stage import stage

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Tasks that look whether the package is there.
_TASKS = 32


def ship(spark: SparkSession) -> None:
    """Bring the installed package to the executors of a session, and check that it works there.

    Executors on which nearprint is installed keep theirs; it has to be the same release. Call it once a session,
    before the first job. What is sent is the package as it is installed here, so the executors run the same system
    on the same kind of processor, with Python 3.10 or later, pyarrow, NumPy, and pandas below 3.

    Parameters
    ----------
    spark
        The session, classic or of Spark Connect.

    Raises
    ------
    RuntimeError
        An executor has another release of nearprint.
    """
    # Executors that start later ask for it again: it is there until this process ends.
    folder = tempfile.mkdtemp(prefix="nearprint")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    archive = _archive(pathlib.Path(folder))
    if hasattr(spark, "_jsparkSession"):
        spark.sparkContext.addArchive(f"{archive}#np")
    else:
        spark.addArtifact(f"{archive}#np", archive=True)
    own = next(kernels._identity(()))["identity"][0].as_py()
    tasks = spark.range(0, _TASKS, 1, _TASKS)
    found = tasks.mapInArrow(stage("_identity"), "identity string").distinct().collect()
    others = sorted({row["identity"] for row in found} - {own})
    if others:
        raise RuntimeError(f"executors have {', '.join(others)}, and here is {own}: install the same release on all")


def _archive(folder: pathlib.Path) -> pathlib.Path:
    """Zip the package as it is installed, with its metadata."""
    package = pathlib.Path(nearprint.__file__).parent
    files = [path for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    described = [path for path in package.parent.glob("nearprint-*.dist-info/*") if path.is_file()]
    content = hashlib.sha256(metadata.version("nearprint").encode())
    for path in files:
        content.update(path.read_bytes())
    archive = folder / f"nearprint-{content.hexdigest()[:16]}.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as zipped:
        for path in [*files, *described]:
            zipped.write(path, os.fspath(path.relative_to(package.parent)))
    return archive
