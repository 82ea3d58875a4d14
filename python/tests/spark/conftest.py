"""Sessions of Spark whose executors do not have nearprint until it is shipped.

NEARPRINT_INSTALLED is the folder in which the wheel is installed: this process finds it, executors do not.
NEARPRINT_SPARK is `connect`, or how many executors there are, which are processes of their own (local-cluster).
"""

import os
import pathlib
import sys

import pytest

sys.path.insert(0, os.environ["NEARPRINT_INSTALLED"])
sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
KIND = os.environ.get("NEARPRINT_SPARK", "2")
CONNECT = KIND == "connect"


@pytest.fixture(scope="session")
def unshipped():
    """A session as it begins."""
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.config("spark.sql.shuffle.partitions", "8")
    builder = builder.config("spark.sql.execution.arrow.pyspark.validateSchema.enabled", "true")
    if CONNECT:
        session = builder.remote("local[2]").getOrCreate()
    else:
        builder = builder.config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
        session = builder.master(f"local-cluster[{KIND},1,1024]").getOrCreate()
    yield session
    session.stop()


@pytest.fixture(scope="session")
def spark(unshipped):
    """The session with nearprint on its executors."""
    import nearprint.spark

    nearprint.spark.ship(unshipped)
    return unshipped


def pytest_collection_modifyitems(items):
    """What needs executors without nearprint comes first."""
    items.sort(key=lambda item: "unshipped" not in item.fixturenames)
