"""Fingerprints of real text, as raw words: what `nearprint fingerprint` makes of the corpus."""
import json
import subprocess
import sys

import numpy as np

import result

CORPUS = result.BENCHMARKS / "data" / "corpus.jsonl"


def write(nearprint, path, source):
    """Write the fingerprints of the corpus to `path`; build the corpus, or take `source`, first."""
    if not CORPUS.exists():
        command = [sys.executable, result.BENCHMARKS / "corpus.py"]
        subprocess.run(command + (["--from", source] if source else []), check=True, timeout=1800)
    rows = path.with_suffix(".jsonl")
    subprocess.run([nearprint, "fingerprint", CORPUS, "--width", "64", "--quiet", "--force", "-o", rows],
                   check=True, timeout=600)
    with open(rows, "rb") as lines:
        documents = map(json.loads, lines)
        words = [int(document["fingerprint"], 16) for document in documents if "flags" not in document]
    np.array(words, dtype="<u8").tofile(path)
    rows.unlink()
