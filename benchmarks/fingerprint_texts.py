"""Texts of the corpus in files that every program of the fingerprint benchmark reads alike.

The set `short` has the first documents of the benchmark `scale`, which are made of pieces of the corpus. The
format is ClickHouse's RowBinary of one string a row: its length as LEB128, then its bytes.
"""
import hashlib
import json
import re

import result
import scale

DATA = result.BENCHMARKS / "data" / "fingerprint"
HAN, KANA = re.compile(r"[\u4e00-\u9fff]"), re.compile(r"[\u3040-\u30ff]")
HAN_SHARE = 0.2  # of the characters of a text that is called Chinese


def is_chinese(text):
    return len(HAN.findall(text)) > HAN_SHARE * len(text) and not KANA.search(text)


# What belongs to each set, and how many texts of it are taken at most.
SETS = {"all": (lambda text: True, None), "ascii": (str.isascii, None), "chinese": (is_chinese, None),
        "200 chinese": (is_chinese, 200)}
SHORT, SHORT_DOCUMENTS = "short", 100_000


def length(size):
    """LEB128."""
    out = bytearray()
    while size >= 128:
        out.append(size & 127 | 128)
        size >>= 7
    out.append(size)
    return bytes(out)


def write(corpus):
    """Write the sets, unless they are there of this corpus: name to path, documents and bytes."""
    DATA.mkdir(parents=True, exist_ok=True)
    about, state = DATA / "texts.json", corpus.stat()
    made_of = hashlib.sha256(f"{corpus.resolve()} {state.st_size} {state.st_mtime_ns}".encode()).hexdigest()
    if about.exists() and (known := json.loads(about.read_text()))["made_of"] == made_of \
            and known["sets"].keys() == {*SETS, SHORT}:
        return known["sets"]
    sets = {name: {"path": str(DATA / f"{name.replace(' ', '-')}.rows"), "documents": 0, "bytes": 0}
            for name in [*SETS, SHORT]}
    files = {name: open(facts["path"], "wb") for name, facts in sets.items()}

    def add(name, raw):
        files[name].write(length(len(raw)) + raw)
        sets[name]["documents"] += 1
        sets[name]["bytes"] += len(raw)

    with open(corpus, encoding="utf-8") as rows:
        for row in rows:
            text = json.loads(row)["text"]
            for name, (belongs, most) in SETS.items():
                if sets[name]["documents"] != most and belongs(text):
                    add(name, text.encode())
    for row in scale.documents(SHORT_DOCUMENTS):
        add(SHORT, json.loads(row)["text"].encode())
    for file in files.values():
        file.close()
    about.write_text(json.dumps({"made_of": made_of, "sets": sets}, indent=1) + "\n")
    return sets
