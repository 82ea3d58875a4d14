"""The faces of nearprint, each asked the same question. An answer is pairs, kept documents or clusters, by position."""

import json
import re
import subprocess
import time
import urllib.request
from pathlib import Path


class Refused(Exception):
    """A command that ended with an error, with what it said."""


class Nearprint:
    """The program, run in a folder of its own."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder

    def run(self, *arguments):
        command = [str(self.program), *map(str, arguments)]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=600)
        if done.returncode != 0:
            raise Refused(f"{' '.join(command[1:])}: status {done.returncode}: {done.stderr.strip()[-600:]}")
        self.said = done.stderr
        return done.stdout

    def rows(self, *arguments):
        return [json.loads(line) for line in self.run(*arguments).splitlines()]

    def path(self, name):
        return self.folder / name


def rows_of(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


class Question:
    """What is asked of a corpus: a recipe, and a similarity or a radius, as flags."""

    def __init__(self, nearprint, corpus, file, recipe, near, python=None):
        self.nearprint, self.corpus, self.file = nearprint, corpus, file
        self.recipe, self.near = list(recipe), list(near)
        self.python = python and python.absolute()
        self.number = {id: number for number, id in enumerate(corpus.ids)}
        self.made = 0

    @property
    def flags(self):
        return [*self.recipe, *self.near]

    def new(self, name):
        """A file or folder that does not exist yet."""
        self.made += 1
        return f"{self.made}-{name}"

    def pair(self, row):
        a, b = self.number[row["a"]], self.number[row["b"]]
        return min(a, b), max(a, b)

    def pairs_in(self, rows):
        """Pairs with their similarity or distance; each may be there once."""
        found = {}
        for row in rows:
            pair = self.pair(row)
            if pair in found:
                raise Refused(f"the pair {row['a']}, {row['b']} is listed twice")
            found[pair] = row.get("similarity", row["distance"])
        return found

    # Pairs.

    def pairs(self, *resources):
        return self.pairs_in(self.nearprint.rows("pairs", self.file, *self.flags, *resources, "-q"))

    def dedup(self, *more):
        """A run of `dedup --keep first` with all reports: pairs, kept, removed, clusters, summary."""
        folder = self.new("dedup")
        self.nearprint.path(folder).mkdir()
        reports = ["-o", f"{folder}/kept.jsonl", "--pairs", f"{folder}/pairs.jsonl", "--removed",
                   f"{folder}/removed.jsonl", "--clusters", f"{folder}/clusters.jsonl", "--summary", f"{folder}/summary.json"]
        self.nearprint.run("dedup", self.file, *self.flags, "--keep", "first", *reports, *more, "-q")
        return Report(self, self.nearprint.path(folder))

    def shards(self, units):
        """The same in shards."""
        folder = self.new("shards")
        self.nearprint.path(folder).mkdir()
        outputs = ["-o", f"{folder}/kept/", "--pairs", f"{folder}/pairs/", "--removed", f"{folder}/removed/",
                   "--clusters", f"{folder}/clusters/", "--summary", f"{folder}/summary.json"]
        self.nearprint.run("shard", "create", "--ranges", units, "--shards", units, f"{folder}/work", self.file,
                           *self.flags, "--keep", "first", *outputs)
        self.nearprint.run("shard", "run", f"{folder}/work")
        return Report(self, self.nearprint.path(folder))

    # Clusters.

    def clusters(self, *resources):
        groups = {}
        for row in self.nearprint.rows("clusters", self.file, *self.flags, *resources, "-q"):
            groups.setdefault(row["cluster"], []).append(self.number[row["id"]])
        return sorted(tuple(sorted(group)) for group in groups.values())

    # Stores.

    def store(self):
        """A store that takes what has no near-duplicate: which documents it kept, and what it says of all afterwards."""
        store = self.new("store")
        self.nearprint.run("store", "init", store, *self.flags, "-q")
        added = self.nearprint.rows("store", "add", store, self.file, "--unless-duplicate", "--format", "json", "-q")
        return store, [self.number[row["id"]] for row in added if row["verdict"] == "new"], added

    def checked(self, store):
        rows = self.nearprint.rows("store", "check", store, self.file, "--format", "json", "-q")
        return {self.number[row["id"]] for row in rows if row["verdict"] == "duplicate"}

    def neighbours(self, store):
        """Each document with the stored ones near it."""
        found = {}
        for row in self.nearprint.rows("store", "query", store, self.file, "--top", "100000", "-q"):
            pair = self.number[row["query"]], self.number[row["id"]]
            found[pair] = row.get("similarity", row["distance"])
        return found

    def served(self):
        """What a service keeps of a batch, with the neighbours that it tells of each kept document."""
        store = self.new("served")
        self.nearprint.run("store", "init", store, *self.flags, "-q")
        with Service(self.nearprint, store) as service:
            body = self.nearprint.path(self.file).read_bytes()
            rows = [json.loads(line) for line in service.post("/v1/batch?op=check-and-add", body).splitlines()]
            refused = [row for row in rows if row.get("verdict") not in ("new", "duplicate", "exists")]
            if refused:
                raise Refused(f"the service refused {len(refused)} documents, the first: {refused[0]}")
            return [self.number[row["id"]] for row in rows if row["verdict"] == "new"]

    # One pair.

    def compare(self, a, b):
        """What `compare` says of two documents."""
        rows = self.corpus.rows
        if "features" in rows[a]:
            given = [f"{self.file}:{a + 1}", f"{self.file}:{b + 1}"]
        else:
            given = ["--text", *(rows[one].get("text", rows[one].get("html")) for one in (a, b))]
        return json.loads(self.nearprint.run("compare", "--format", "json", *self.flags, "--", *given)
                          if "--text" not in given else
                          self.nearprint.run("compare", "--format", "json", *self.flags, "--text", "--", *given[1:]))

    # Fingerprints.

    def index(self, plan=()):
        """The pairs that a segment answers, for a radius."""
        fingerprints = self.new("fingerprints.jsonl")
        width = [flag for at, flag in enumerate(self.near)
                 if flag == "--width" or self.near[at - 1:at] == ["--width"]]
        self.nearprint.run("fingerprint", self.file, *self.recipe, *width, "-o", fingerprints, "-q")
        radius = [flag for flag in self.near if flag not in width]
        segment = self.new("seg")
        self.nearprint.run("index", "build", fingerprints, *radius, *plan, "-o", segment, "-q")
        found = {}
        for row in self.nearprint.rows("index", "query", segment, fingerprints, *radius, "-q"):
            pair = self.number[row["query"]], row["doc"]
            if pair[0] != pair[1]:
                found[min(pair), max(pair)] = row["distance"]
        return found

    def fingerprints(self):
        width = [flag for at, flag in enumerate(self.near)
                 if flag == "--width" or self.near[at - 1:at] == ["--width"]]
        return self.nearprint.rows("fingerprint", self.file, *self.recipe, *width, "-q")

    # Counts.

    @property
    def text_field(self):
        return ["--text-field", "html"] if "html" in self.corpus.rows[0] else []

    def evaluated(self, pairs):
        """How many pairs `evaluate` counts as found by `dedup`, and how many of them it calls right by labels that name
        exactly these pairs."""
        labels = self.new("labels.jsonl")
        ids = self.corpus.ids
        with open(self.nearprint.path(labels), "w", encoding="utf-8") as out:
            out.writelines(json.dumps({"a": ids[a], "b": ids[b]}) + "\n" for a, b in pairs)
        said = json.loads(self.nearprint.run("evaluate", self.file, *self.flags, *self.text_field, "--labels", labels, "--only", "dedup",
                                             "--format", "json", "-q"))
        found = said["evaluations"][0]["dedup"]["pairs"]
        return found["right"] + found["wrong"], found["right"]

    def tuned(self):
        """How many pairs `tune` predicts, which looks at every document of so small a corpus; `None` where it measures
        something else."""
        said = json.loads(self.nearprint.run("tune", self.file, *self.flags, *self.text_field, "--format", "json", "-q"))
        return next(one["pairs"] for one in said["predictions"] if f"{one['similarity']}" == self.near[1])


class Report:
    """What a run of dedup wrote."""

    def __init__(self, question, folder):
        def rows(name):
            path = folder / name
            files = sorted(path.rglob("*.jsonl")) if path.is_dir() else [path.with_suffix(".jsonl")]
            return [row for file in files for row in rows_of(file)]

        self.kept = [question.number[row["id"]] for row in rows("kept")]
        self.pairs = question.pairs_in(rows("pairs"))
        self.removed = {question.number[row["id"]]: (question.number[row["kept"]], row) for row in rows("removed")}
        self.summary = json.loads((folder / "summary.json").read_text())


class Service:
    """A served store."""

    def __init__(self, nearprint, store):
        self.log = open(nearprint.path(f"{store}.log"), "w+", encoding="utf-8")
        self.process = subprocess.Popen([str(nearprint.program), "serve", store, "--listen", "127.0.0.1:0"],
                                        cwd=nearprint.folder, stderr=self.log)

    def __enter__(self):
        for _ in range(200):
            said = Path(self.log.name).read_text(encoding="utf-8")
            if address := re.search(r"http://(\S+)", said):
                self.address = address[1]
                return self
            time.sleep(0.05)
        self.__exit__()
        raise Refused(f"the service does not start: {said}")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(timeout=120)
        self.log.close()

    def post(self, path, body):
        request = urllib.request.Request(f"http://{self.address}{path}", data=body, method="POST",
                                         headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=120) as answer:
            return answer.read().decode()
