"""Writes what the Python package answers about rows: each table as Arrow IPC, each figure as JSON.

    PYTHON ask_python.py ROWS.jsonl '{"recipe": "text", "similarity": 0.8}' FOLDER
"""

import json
import sys
from pathlib import Path

import nearprint
import numpy as np
import pyarrow as pa
from nearprint import kernels


def main():
    path, asked, folder = sys.argv[1], json.loads(sys.argv[2]), Path(sys.argv[3])
    folder.mkdir()
    with open(path, encoding="utf-8") as lines:
        texts = [row.get("text") for row in map(json.loads, lines)]
    ids = [f"t{at}" for at in range(len(texts))]

    def write(name, table):
        table = table.to_pyarrow() if hasattr(table, "to_pyarrow") else table
        with pa.ipc.new_file(folder / f"{name}.arrow", table.schema) as file:
            file.write_table(table.combine_chunks())

    def tell(name, value):
        (folder / f"{name}.json").write_text(json.dumps(value, sort_keys=True, default=str) + "\n")

    recipe = asked.pop("recipe", "text")
    width = {"width": asked["width"]} if "width" in asked else {}
    codes = nearprint.fingerprint(texts, recipe, **width)
    write("fingerprints", pa.table({"fingerprint": pa.array(codes)}))
    k = asked.get("k", 6)
    write("pairs", nearprint.pairs(codes, k))
    write("clusters", pa.table({"cluster": pa.array(nearprint.clusters(codes, k))}))
    found = nearprint.dedup(texts, recipe=recipe, progress=False, **asked)
    write("removed", found.removed)
    columns = {"keep": found.keep, "cluster": found.cluster, "representative": found.representative}
    write("fates", pa.table({name: pa.array(np.asarray(column)) for name, column in columns.items()}))
    unstable = ("seconds", "peak_memory")
    tell("summary", {key: value for key, value in dict(found.summary).items() if key not in unstable})
    compared = nearprint.compare(texts[0] or "", texts[-1] or "", recipe, **width)
    tell("compared", [compared.distance, compared.jaccard, compared.cosine, compared.differences])
    index = nearprint.Index.build(codes, k=k)
    index.save(folder / "codes.seg")
    write("neighbours", index.query(codes, k))
    near = {name: asked[name] for name in ("width", "k", "similarity") if name in asked}
    with nearprint.Store.create(folder / "store", recipe, **near) as store:
        write("added", store.check_and_add(ids[::2], texts[::2]))
        write("updated", store.update(ids[:9], texts[9:18]))
        write("checked", store.check(texts))
        write("asked", store.query(texts[3] or "", top=9))
    if "k" in asked:
        return
    # The parts of a search, in one partition.
    search = kernels.Search(recipe=recipe, **asked)
    rows = pa.table({"id": np.arange(len(texts)), "text": pa.array(texts, pa.string())})
    rows = rows.append_column("address", pa.array(np.arange(len(texts)) * 0x9E37_79B9))
    routed = pa.Table.from_batches(kernels.route(rows.to_batches(max_chunksize=97), search, ranges=5)).sort_by("range")
    write("routed", routed)
    links = pa.Table.from_batches(kernels.link(routed.to_batches(), search))
    write("links", links)
    labels = pa.Table.from_batches(kernels.shards(links.to_batches()))
    write("shards", labels)
    joined = rows.join(labels, "address", join_type="inner").sort_by([("shard", "ascending"), ("id", "ascending")])
    write("solved", pa.Table.from_batches(kernels.solve(joined.to_batches(), search, carried=["address"])))


if __name__ == "__main__":
    main()
