"""Near-duplicates of DataFrames beside those of one machine: of classic sessions with executors of their own, and of
Spark Connect.
"""

import json
import os
import random
import signal
import subprocess
import threading
import time

import nearprint
import nearprint.spark as nps
import pyarrow
import pytest
from conftest import CONNECT
from nearprint.spark import _numbers
from nearprint.spark._members import documents_of, members_of
from pyspark.errors import PySparkException
from pyspark.sql import functions as F
from test_kernels import texts

COLUMNS = "url string, crawled bigint, body string"


def frame(spark, documents, partitions=5, seed=1):
    """The documents as rows in no order."""
    rows = [(f"doc{at:05}", at, text) for at, text in enumerate(documents)]
    random.Random(seed).shuffle(rows)
    return spark.createDataFrame(rows, COLUMNS).repartition(partitions)


def check(found, documents, **options):
    """What was found is what one machine finds."""
    whole = nearprint.dedup(documents, progress=False, **options)
    rows = {row["url"]: row for row in found.collect()}
    removed = {int(row): at for at, row in enumerate(whole.removed["row"])}
    assert removed
    for at, cluster in enumerate(whole.cluster):
        row = rows.pop(f"doc{at:05}", None)
        assert (row is None) == (cluster < 0)
        if row is None:
            continue
        assert row["cluster"] == cluster
        assert row["keep"] == whole.keep[at]
        assert row["representative"] == f"doc{whole.representative[at]:05}"
        if at in removed:
            assert row["distance"] == whole.removed["distance"][removed[at]]
            assert row["similarity"] == whole.removed["similarity"][removed[at]]
    assert not rows


def test_executors_without_nearprint_are_told_what_to_do(unshipped):
    with pytest.raises(PySparkException, match=r"nearprint\.spark\.ship\(spark\)"):
        nps.dedup(frame(unshipped, ["one two three", "One two three"]), text="body", id="url")


def test_clusters_are_those_of_one_machine(spark):
    documents = texts(count=1500)
    frames = [frame(spark, documents), frame(spark, documents, partitions=1, seed=2)]
    check(nps.dedup(frames[0], text="body", id="url", order="crawled"), documents)
    options = {"keep": "longest", "cluster_rule": "connected", "width": 64, "similarity": 0.7}
    check(nps.dedup(frames[1], text="body", id="url", order=["crawled"], **options), documents, **options)
    # By their ids, which are in the same order.
    check(nps.dedup(frames[0], text="body", id="url"), documents)


@pytest.mark.parametrize(
    "labels", [{}, {"within": "dump"}, {"across": "dump"}, {"within": "is_old", "across": "dump", "keep": "last"}]
)
def test_labels_and_copies_are_those_of_one_machine(spark, labels):
    documents = texts(count=900)
    dumps = [["a", "b", "null", None, "b"][at * 7 % 5] for at in range(len(documents))]
    table = pyarrow.table({"body": documents, "dump": dumps, "is_old": [at % 3 == 0 for at in range(len(documents))]})
    whole = nearprint.dedup(table, text="body", count_by="dump", progress=False, **labels)
    assert len(whole.removed["row"]) > 100
    dump = F.element_at(F.array(*(F.lit(dump) for dump in ["a", "b", "null", None, "b"])), F.expr("1 + crawled * 7 % 5").cast("int"))
    df = frame(spark, documents).withColumn("dump", dump).withColumn("is_old", F.expr("crawled % 3 = 0"))
    found = nps.dedup(df, text="body", id="url", order="crawled", count_by="dump", **labels)
    rows = {row["url"]: row for row in found.collect()}
    sources = dict(zip(whole.rows.tolist(), whole.sources, strict=True))
    alone = 0
    for at, cluster in enumerate(whole.cluster):
        row = rows.pop(f"doc{at:05}", None)
        if row is None:
            assert cluster < 0
            alone += 1
            continue
        assert row["cluster"] == cluster and row["keep"] == whole.keep[at]
        assert row["representative"] == f"doc{whole.representative[at]:05}"
        assert row["copies"] == whole.copies[at]
        assert row["sources"] == sources.get(at)
    assert not rows
    # Those that are alone stand for themselves: together all documents are counted.
    assert alone + found.agg(F.sum("copies")).first()[0] == len(documents)
    pairs = {name: value for name, value in labels.items() if name != "keep"}
    listed = nps.pairs(df, text="body", id="url", order="crawled", **pairs).collect()
    expected = nearprint._native.dedup(table, nearprint._native.Recipe("text"), text="body", pairs=True, **pairs).pairs
    expected = sorted((f"doc{a:05}", f"doc{b:05}") for a, b in zip(expected["a"], expected["b"], strict=True))
    assert sorted((row["a"], row["b"]) for row in listed) == expected


def test_labels_are_of_any_type_that_has_one_value(spark):
    df = frame(spark, ["one two three four five six"] * 4)
    df = df.withColumn("price", F.expr("cast(crawled % 2 as decimal(5, 2))"))
    df = df.withColumn("day", F.expr("date_add(date'2024-01-01', cast(crawled % 2 as int))"))
    found = nps.dedup(df, text="body", id="url", order="crawled", count_by="price").collect()
    assert [row["sources"] for row in found if row["keep"]] == [{"0.00": 2, "1.00": 2}]
    found = nps.dedup(df, text="body", id="url", order="crawled", within="day", count_by="day").collect()
    assert [row["sources"] for row in found if row["keep"]] == [{"2024-01-01": 2}, {"2024-01-02": 2}]


def test_what_is_kept_by_columns_is_that_of_one_machine(spark):
    documents = texts(count=600)
    table = pyarrow.table({"body": documents, "a": [at % 3 for at in range(600)], "b": [at * 7 % 11 for at in range(600)]})
    rules = ["a:max", "b:min"]
    whole = nearprint.dedup(table, text="body", keep_by=rules, progress=False)
    df = frame(spark, documents).withColumn("a", F.expr("crawled % 3")).withColumn("b", F.expr("crawled * 7 % 11"))
    found = {row["url"]: row for row in nps.dedup(df, text="body", id="url", order="crawled", keep_by=rules).collect()}
    assert len(whole.removed["row"]) > 100
    for at, cluster in enumerate(whole.cluster):
        row = found.pop(f"doc{at:05}", None)
        assert (row is None) == (cluster < 0)
        if row is not None:
            assert (row["cluster"], row["keep"]) == (cluster, whole.keep[at])
            assert row["representative"] == f"doc{whole.representative[at]:05}"
    assert not found
    with pytest.raises(ValueError, match="no column 'c'"):
        nps.dedup(df, text="body", id="url", keep_by="c:max")


def test_files_of_a_recipe_go_to_executors_that_have_none(spark, tmp_path):
    path = tmp_path / "user.txt"
    path.write_text("区块链 nz\n共识算法\n", encoding="utf-8")
    recipe = nearprint.Recipe("zh", shingle=1, dictionary=path)
    path.unlink()
    documents = [f"区块链的共识算法决定性能{end}" for end in ("", "。", "！")] + ["城市的历史文化"]
    check(nps.dedup(frame(spark, documents, 2), text="body", id="url", recipe=recipe), documents, recipe=recipe)


def test_pairs_are_those_of_the_command_and_clusters_join_them(spark, tmp_path):
    documents = texts(count=1200)
    pairs = nps.pairs(frame(spark, documents), text="body", id="url", order="crawled").persist()
    rows = sorted((row["a"], row["b"], row["distance"]) for row in pairs.collect())
    with open(tmp_path / "in.jsonl", "w") as file:
        file.writelines(json.dumps({"id": f"doc{at:05}", "text": text}) + "\n" for at, text in enumerate(documents))
    nearprint.dedup_files(tmp_path / "in.jsonl", tmp_path / "out.jsonl", pairs=tmp_path / "pairs.jsonl", progress=False)
    expected = [json.loads(line) for line in open(tmp_path / "pairs.jsonl")]
    assert rows == sorted((row["a"], row["b"], row["distance"]) for row in expected)
    label = {}
    for _ in range(50):
        for a, b, _ in rows:
            label[a] = label[b] = min(label.get(a, a), label.get(b, b))
    order = sorted(set(label.values()))
    found = {row["id"]: row["cluster"] for row in nps.clusters(pairs).collect()}
    assert found == {one: order.index(least) for one, least in label.items()}
    candidates = {row["url"] for row in nps.candidates(frame(spark, documents), text="body", id="url").collect()}
    assert label.keys() <= candidates < {f"doc{at:05}" for at in range(len(documents))}


def test_what_is_new_is_compared_with_an_archive_by_its_saved_entries(spark, tmp_path):
    documents = texts(seed=7, count=900)
    days = [documents[:400], documents[400:600], documents[600:]]
    for day, own in enumerate(days):
        rows = ({"id": f"doc{at:05}", "text": text} for at, text in enumerate(own))
        (tmp_path / f"{day}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    second = frame(spark, days[1]).withColumn("crawled", F.expr("crawled + 400"))
    archive, last = frame(spark, days[0]).union(second), days[2]
    names = {"text": "body", "id": "url"}
    saved = nps.entries(frame(spark, days[0]), **names).union(nps.entries(frame(spark, days[1]), **names))
    # The archive's documents have the ids of others.
    nearprint.dedup_files(
        tmp_path / "2.jsonl", tmp_path / "out.jsonl", against=[tmp_path / "0.jsonl", tmp_path / "1.jsonl"],
        removed=tmp_path / "removed.jsonl", progress=False,
    )
    removed = [json.loads(line) for line in open(tmp_path / "removed.jsonl")]
    expected = sorted((row["id"], row["kept"], row["distance"], row["cluster"]) for row in removed)
    for entries in (None, saved):
        found = nps.dedup(frame(spark, last), order="crawled", against=archive, entries=entries, **names)
        gone = found.filter("not keep").collect()
        assert sorted((row["url"], row["representative"], row["distance"], row["cluster"]) for row in gone) == expected
    assert len(expected) > 100


def test_an_archive_is_compared_within_labels_by_its_saved_entries(spark):
    documents = texts(seed=7, count=600)
    table = pyarrow.table({"body": documents, "site": [at * 5 % 7 for at in range(600)]})
    labelled = frame(spark, documents).withColumn("site", F.expr("crawled * 5 % 7"))
    archive, new = labelled.filter("crawled < 300"), labelled.filter("crawled >= 300")
    names = {"text": "body", "id": "url", "within": "site"}
    found = nearprint._native.dedup(table, nearprint._native.Recipe("text"), text="body", reference=300, within="site")
    expected = {f"doc{row:05}" for row in found.removed["row"]}
    assert len(expected) > 50
    for entries in (None, nps.entries(archive, **names)):
        gone = nps.dedup(new, order="crawled", against=archive, entries=entries, **names).filter("not keep").collect()
        assert {row["url"] for row in gone} == expected
    # Entries that were saved without labels have no key in common with these.
    unlabelled = nps.entries(archive, text="body", id="url")
    with pytest.raises(PySparkException, match="with labels where the job has none"):
        nps.dedup(new, order="crawled", against=archive, entries=unlabelled, **names).collect()
    with pytest.raises(TypeError, match="the column of within= has bigint and, in against=, string: cast one of them"):
        nps.dedup(new, against=archive.withColumn("site", F.expr("string(site)")), **names)
    # No document has candidates of another label alone.
    twins = frame(spark, ["one two three four five six"] * 4).withColumn("site", F.expr("crawled DIV 3"))
    search = nearprint.kernels.Search()
    members, ordered = documents_of(twins, "body", "url", labels={"within": "site"})
    own = members_of(members, None, None, search, ordered, ["within"])
    assert sorted(row["id"] for row in own.collect()) == [f"doc{at:05}" for at in range(3)]


@pytest.mark.parametrize("rows", [7, 1000])
def test_numbers_follow_the_order_in_any_partitions(spark, monkeypatch, rows):
    monkeypatch.setattr(_numbers, "_ROWS", rows)
    found = _numbers.numbered(frame(spark, [""] * 100), ["crawled"], "number")
    assert sorted((row["crawled"], row["number"]) for row in found.collect()) == [(at, at) for at in range(100)]


def test_sketches_are_fingerprints(spark):
    documents = ["one two three four", None, "five"]
    codes = nearprint.fingerprint(documents[::2])
    df = frame(spark, documents)
    found = {row["url"]: row["fingerprint"] for row in nps.sketch(df, text="body", id="url").collect()}
    assert {name: code and code % (1 << 64) for name, code in found.items()} == {
        "doc00000": codes[0], "doc00001": None, "doc00002": codes[1],
    }
    wide = nps.sketch(df.limit(1), text="body", id="url", width=256).collect()
    assert all(row["fingerprint"] is None or len(row["fingerprint"]) == 32 for row in wide)


def test_messages_in_strings_of_json_are_what_is_said_in_them(spark):
    documents = [text or "" for text in texts(count=300)]
    rows = [json.dumps([{"id": f"m{at}", "role": "user", "content": text}]) for at, text in enumerate(documents)]
    df = frame(spark, rows).withColumnRenamed("body", "messages")
    named = {"text": "messages", "id": "url"}
    check(nps.dedup(df, **named), documents)
    check(nps.dedup(df, **named, similarity=0.7, width=64), documents, similarity=0.7, width=64)
    pairs = sorted((row["a"], row["b"], row["distance"]) for row in nps.pairs(df, **named).collect())
    whole = nearprint.pairs(documents)
    whole = zip(*(whole[name].tolist() for name in ("a", "b", "distance")), strict=True)
    assert pairs == sorted((f"doc{a:05}", f"doc{b:05}", distance) for a, b, distance in whole)
    codes = {f"doc{at:05}": code for at, code in enumerate(nearprint.fingerprint(documents).tolist())}
    found = {row["url"]: row["fingerprint"] % (1 << 64) for row in nps.sketch(df, **named).collect()}
    assert found == codes
    known = {row["url"] for row in nps.candidates(df, **named).collect()}
    assert known == {row["url"] for row in nps.candidates(frame(spark, documents), text="body", id="url").collect()}


def test_what_cannot_be_done_is_refused(spark):
    df = frame(spark, ["one", "two"])
    with pytest.raises(ValueError, match="no column 'text'; there are 'url', 'crawled', 'body'"):
        nps.dedup(df, id="url")
    with pytest.raises(ValueError, match="no column 'dump'"):
        nps.dedup(df, text="body", id="url", count_by="dump")
    with pytest.raises(ValueError, match="name one column"):
        nps.dedup(df, text="body", id="url", within="crawled", across="crawled")
    lists = df.withColumn("dumps", F.array("url"))
    with pytest.raises(TypeError, match="across= names a column of array<string>: rows are grouped by texts"):
        nps.dedup(lists, text="body", id="url", across="dumps")
    with pytest.raises(nearprint.NearprintError, match="list all pairs"):
        nps.pairs(df, text="body", id="url", across="crawled", fold_equal=True)
    with pytest.raises(TypeError, match="are strings, not bigint"):
        nps.dedup(df, text="crawled", id="url")
    with pytest.raises(nearprint.NearprintError, match="not found by bands"):
        nps.dedup(df, text="body", id="url", recall="exact")
    for call in (nps.dedup, nps.pairs):
        with pytest.raises(ValueError, match="give these too"):
            call(df, text="body", id="url", entries=df)
    nameless = spark.createDataFrame([("a", 1, "one two three"), (None, 2, "four")], COLUMNS)
    with pytest.raises(PySparkException, match="a document has no id: url is null"):
        nps.dedup(nameless, text="body", id="url")
    assert nps.dedup(df.limit(0), text="body", id="url").collect() == []


def test_passages_are_those_of_one_machine(spark, tmp_path):
    chance = random.Random(5)
    shared = [" ".join(f"w{chance.randrange(50)}" for _ in range(12)) for _ in range(9)]
    def text():
        return " ".join(chance.choice(shared) if chance.random() < 0.5 else f"alone{chance.random()}" for _ in range(5))
    documents = [text() for _ in range(200)] + [None, ""]
    table = pyarrow.table({"url": [f"doc{at:05}" for at in range(len(documents))], "body": documents})
    options = {"length": 8, "keep": "last", "min_left": 4}
    for against in (None, [f"old. {shared[0]}", shared[3]]):
        work = f"file://{tmp_path}/work-{against is None}"
        old = against and frame(spark, against, 1)
        found = nps.passages(
            frame(spark, documents), work=work, text="body", id="url", order="crawled", against=old, **options
        )
        old = against and pyarrow.table({"url": ["doc00000", "doc00001"], "body": against})
        whole = nearprint.passages(table, text="body", id="url", against=old, progress=False, **options)
        rows = sorted((row["url"], row["body"]) for row in found.apply().select("url", "body").collect())
        expected = whole.apply().to_pylist()
        assert rows == [(row["url"], row["body"]) for row in expected]
        assert found.apply().columns == ["url", "crawled", "body"]
        cuts = sorted((row["id"], row["start"], row["end"], row["tokens"]) for row in found.cuts.collect())
        table_of_cuts = pyarrow.table(whole.cuts).to_pylist()
        assert cuts == sorted((row["id"], row["start"], row["end"], row["tokens"]) for row in table_of_cuts)
        assert len(cuts) > 100 and found.passages.count() == len(whole.passages)
        for name in ("documents", "reference", "tokens", "cut_tokens", "cuts", "removed", "passages", "most_copies"):
            assert found.summary[name] == whole.summary[name], name
    with pytest.raises(nearprint.NearprintError, match="not between 2 and 10000"):
        nps.passages(frame(spark, documents), work=work, text="body", id="url", length=1)
    with pytest.raises(ValueError, match="no column 'text'"):
        nps.passages(frame(spark, documents), work=work, id="url")


QUESTIONS = [
    {
        "id": "planets",
        "question": "How many planets turn around the sun in our solar system, if Pluto is not counted among them any more?",
        "choices": ["seven", "eight", "nine", "ten"],
    },
    {"id": "years", "question": "In which of these years did the treaty of the two cities end the long war of the houses?"},
    {"id": "never", "question": "Which instrument measures the pressure of the air on the highest summit of the island?"},
    {"id": "short", "question": "Find x"},
]


def with_items():
    """Documents of words of their own, of which some have an item of an eval set."""
    def text(at):
        words = " ".join(f"word{(at * 31 + place * 7) % 997}" for place in range(40))
        item = QUESTIONS[at // 40 % 4]["question"] if at % 40 == 7 else ""
        return f"{words}\n{item.upper() if at % 80 == 7 else item}\nand more"
    return [text(at) for at in range(200)] + [None, ""]


def test_items_of_eval_sets_are_those_of_one_machine(spark, tmp_path, monkeypatch):
    documents = with_items()
    table = pyarrow.table({"url": [f"doc{at:05}" for at in range(len(documents))], "body": documents})
    sets = {"space": QUESTIONS[:1], "more.v2": pyarrow.table({"id": ["years", "never"], "question": [
        QUESTIONS[1]["question"], QUESTIONS[2]["question"]]}), "short": QUESTIONS[3:]}
    schema = "id string, question string, choices array<string>"
    rows = spark.createDataFrame([(row["id"], row["question"], row.get("choices")) for row in QUESTIONS], schema)
    path = tmp_path / "evals" / "own.jsonl"
    path.parent.mkdir()
    path.write_text("".join(json.dumps(row) + "\n" for row in QUESTIONS))
    columns = ["item", "eval", "equal", "share", "bits", "of_bits", "answers", "of_answers", "verdict"]
    removed = ["id", *columns, "start", "end", "text", "removed"]
    items = ["item", "eval", "documents", "best_share", "best_id", "of_bits", "verdict"]

    def listed(found, names):
        """The rows of a report, none of which says of no equal items."""
        rows = found.collect() if hasattr(found, "collect") else pyarrow.table(found).to_pylist()
        return [tuple(row[name] or 0 if name == "equal" else row[name] for name in names) for row in rows]

    def check(number, given, whole_given, **options):
        work = f"file://{tmp_path}/work-{number}"
        found = nps.decontaminate(
            frame(spark, documents), given, work=work, text="body", id="url", order="crawled", **options
        )
        options.pop("index", None)
        whole = nearprint.decontaminate(table, whole_given, text="body", id="url", progress=False, **options)
        expected = listed(whole.removed, removed)
        assert listed(found.removed, removed) == expected and len(expected) > 3
        assert listed(found.items, items) == listed(whole.items, items)
        for name in ("documents", "contaminated_documents", "removed", "items", "contaminated", "undecidable", "kept"):
            assert found.summary[name] == whole.summary[name], name
        return found, whole

    def texts_of(found):
        return sorted((row["url"], row["body"]) for row in found.select("url", "body").collect())

    found, whole = check(0, sets, sets)
    assert texts_of(found.filter()) == [(row["url"], row["body"]) for row in whole.filter().to_pylist()]
    assert found.filter().columns == ["url", "crawled", "body"]
    with pytest.raises(ValueError, match='nothing was cut: give action="cut", or call filter'):
        found.apply()
    index = tmp_path / "items.index"
    for number in (1, 2):
        options = {"action": "cut", "margin": 9, "index": f"file://{index}"}
        found, whole = check(number, {"own": rows} if number == 1 else None, {"own": QUESTIONS}, **options)
        assert texts_of(found.apply()) == [(row["url"], row["body"]) for row in whole.apply().to_pylist()]
        assert index.exists()
    options = {"action": "annotate", "short": "flag", "question": "question"}
    found, whole = check(3, f"file://{path.parent}", {"own": QUESTIONS}, **options)
    notes = {row["url"]: row["nearprint_contamination"] for row in found.notes.collect()}
    assert notes == {url: note for url, note in zip(table["url"].to_pylist(), whole.notes.to_numpy(), strict=True)}
    monkeypatch.chdir(tmp_path)
    for given, error, said in [
        ({"a/b": QUESTIONS}, ValueError, "has the name of a folder here, and 'a/b' is none"),
        ({"own": str(path)}, TypeError, "the files of 'own' have the names that the command gives them"),
        ({"own": "text"}, TypeError, "have the names"),
        ([7], TypeError, "a row of an eval set is a dict"),
    ]:
        with pytest.raises(error, match=said):
            nps.decontaminate(frame(spark, documents), given, work=f"file://{tmp_path}/no", text="body", id="url")
    with pytest.raises(ValueError, match="are written to a disk that all machines see, and s3a://b/no is none"):
        nps.decontaminate(frame(spark, documents), sets, work="s3a://b/no", text="body", id="url")
    with pytest.raises(nearprint.NearprintError, match="a share of 2"):
        nps.decontaminate(frame(spark, documents), sets, work=f"file://{tmp_path}/no", text="body", id="url", share=2)
    assert not (tmp_path / "no").exists()


@pytest.mark.skipif(CONNECT, reason="executors are processes of their own in local-cluster alone")
def test_executors_that_are_killed_change_nothing(spark):
    documents = texts(seed=4, count=3000)
    killed = []

    def kill():
        for pause in (1, 2):
            time.sleep(pause)
            listed = subprocess.run(["pgrep", "-f", "CoarseGrainedExecutorBackend"], capture_output=True, text=True)
            executor = int(listed.stdout.split()[-1])
            os.kill(executor, signal.SIGKILL)
            killed.append(executor)

    killer = threading.Thread(target=kill)
    killer.start()
    found = nps.dedup(frame(spark, documents, partitions=16), text="body", id="url", order="crawled")
    check(found, documents)
    killer.join()
    assert len(killed) == 2


def test_arguments_are_those_of_one_machine(spark, tmp_path):
    df = frame(spark, ["one two three", "One, two, three!"], partitions=1)
    named = {"text": "body", "id": "url"}
    for call in (nps.dedup, nps.pairs):
        rows = call(df, threshold=0.9, **named).collect()
        assert sorted(map(str, rows)) == sorted(map(str, call(df, similarity=0.9, **named).collect()))
        with pytest.raises(TypeError, match=rf"^{call.__name__} has no argument column=: did you mean text=\?$"):
            call(df, column="body")
        with pytest.raises(ValueError, match=r"^similarity is a number from 0.3 to 1, not 90 \(int\): did you mean similarity=0.9\?$"):
            call(df, similarity=90)
        with pytest.raises(TypeError, match=rf"^df is a DataFrame of Spark, not \['one'\] \(list\): write nearprint.spark.{call.__name__}\(df\)$"):
            call(["one"])
    for call in (nps.passages, nps.decontaminate):
        with pytest.raises(TypeError, match="^recipe is the name of a built-in recipe"):
            call(df, work=str(tmp_path), recipe=nearprint.Recipe("text"))
        with pytest.raises(TypeError, match=rf"^{call.__name__} needs work: write nearprint.spark.{call.__name__}\(df, work='hdfs:///work'\)$"):
            call(df)
