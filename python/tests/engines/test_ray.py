"""The examples of docs/python/engines.md, run as they stand there over a folder of the test."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import pytest

import nearprint

pytest.importorskip("ray")
PAGE = pathlib.Path(__file__).parents[3] / "docs" / "python" / "engines.md"
JOB, DATASET = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)


def run(example, shared):
    """Run an example over a folder, with few tasks, as a program of its own."""
    code = example.replace("/shared", str(shared)).replace("TASKS = 100", "TASKS = 4")
    # Paths of sockets are short: they do not fit the folder of a test.
    with tempfile.TemporaryDirectory(prefix="ray") as temporary:
        settings = {**os.environ, "RAY_TMPDIR": temporary, "RAY_USAGE_STATS_ENABLED": "0"}
        done = subprocess.run([sys.executable, "-c", code], env=settings, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return done


def test_a_job_in_shards_writes_what_dedup_writes(tmp_path, crawl, command):
    run(JOB, tmp_path)
    command("dedup", "crawl", "-o", "by-dedup/", "--removed", "by-dedup.jsonl", cwd=tmp_path)
    for path in (tmp_path / "by-dedup").iterdir():
        assert (tmp_path / "clean" / path.name).read_bytes() == path.read_bytes(), path.name
    removed = b"".join(path.read_bytes() for path in sorted((tmp_path / "removed").iterdir()))
    assert removed == (tmp_path / "by-dedup.jsonl").read_bytes() != b""


def test_fingerprints_of_a_dataset(tmp_path, crawl, texts):
    parquet = pytest.importorskip("pyarrow.parquet")
    run(DATASET, tmp_path)
    table = parquet.read_table(tmp_path / "fingerprints")
    made = dict(zip(table["id"].to_pylist(), table["fingerprint"].to_pylist()))
    assert [made[at] for at in range(len(texts))] == nearprint.fingerprint(texts).tolist()
