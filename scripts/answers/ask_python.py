"""Puts a question to the Python package: prints what `dedup`, `pairs` and a store answer, as JSON.

    PYTHON ask_python.py ROWS.jsonl FOLDER '{"recipe": "text", "similarity": 0.8}'
"""

import json
import sys

import nearprint


def main():
    path, folder, asked = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
    with open(path, encoding="utf-8") as lines:
        texts = [row.get("text", row.get("html")) for row in map(json.loads, lines)]
    found = nearprint.dedup(texts, keep="first", **asked)
    answer = {"kept": [at for at, stays in enumerate(found.keep.tolist()) if stays]}
    with nearprint.Store.create(folder, asked["recipe"], **{key: asked[key] for key in asked if key != "recipe"}) as store:
        outcomes = store.check_and_add([str(at) for at in range(len(texts))], texts)["outcome"]
        answer["store"] = [at for at, outcome in enumerate(outcomes.tolist()) if outcome == "new"]
    if "k" in asked:
        width = {"width": asked["width"]} if "width" in asked else {}
        pairs = nearprint.pairs(nearprint.fingerprint(texts, asked["recipe"], **width), asked["k"])
        columns = (pairs[name].tolist() for name in ("a", "b", "distance"))
        answer["pairs"] = list(zip(*columns))
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
