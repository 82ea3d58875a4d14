"""A wrong argument is told in one sentence: its name, what it is, what was given, and the call to make."""

import inspect
import re

import numpy as np
import pandas
import polars
import pyarrow
import pytest

import nearprint
from nearprint._flags import in_python
from nearprint._kinds import KINDS

TEXTS = ["one two three four five six", "One two three four five six!", "other words are here now"]
ROWS = [{"id": name, "text": text} for name, text in zip("abc", TEXTS, strict=True)]
FRAME = pandas.DataFrame(ROWS)
CODES = nearprint.fingerprint(TEXTS)
INDEX = nearprint.Index.build(CODES)
FUNCTIONS = [getattr(nearprint, name) for name in nearprint.__all__ if inspect.isroutine(getattr(nearprint, name))]
METHODS = [
    *(nearprint.Index.build, nearprint.Index.open, INDEX.query, INDEX.save),
    *(nearprint.Store.create, nearprint.Store.open, nearprint.Store.open_or_create),
    *(nearprint.Store.add, nearprint.Store.check, nearprint.Store.query, nearprint.Store.delete),
    *(nearprint.Deduplicated.filter, nearprint.Deduplicated.explain, nearprint.Decontaminated.self_test),
]
# What says nothing of its argument, nor of what is taken.
RIDDLES = re.compile("cannot be interpreted|is not an instance|object is not|unhashable|got an unexpected|has no attribute|must be real")


def said_by(call, *args, **named):
    with pytest.raises((TypeError, ValueError)) as refused:
        call(*args, **named)
    said = str(refused.value)
    assert said and "\n" not in said and not RIDDLES.search(said), said
    return said


@pytest.mark.parametrize("call", [*FUNCTIONS, *METHODS], ids=lambda call: call.__qualname__)
def test_every_argument_is_told_by_name(call):
    taken = [name for name in inspect.signature(call).parameters.values() if name.name not in ("self", "cls", "options")]
    owner = (nearprint.dedup(TEXTS),) if "self" in inspect.signature(call).parameters else ()
    required = [one for one in taken if one.default is one.empty]
    right = {"codes": CODES, "a": CODES, "b": CODES, "ids": ["a"], "texts": ["a"], "items": 1}
    right |= {"a": "one", "b": "two"} if call is nearprint.compare else {}
    for wrong in taken:
        others = {one.name: right.get(one.name, "missing.jsonl") for one in required if one.name != wrong.name}
        # No argument is a number of this kind.
        said = said_by(call, *owner, **{**others, wrong.name: 1j})
        assert re.match(rf"{wrong.name} (is|are) .*, not 1j \(complex\): write ", said), said


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda: INDEX.query(TEXTS), "codes are fingerprints, .*: write index.query\\(nearprint.fingerprint\\(texts\\)\\)"),
        (lambda: nearprint.Index.build(FRAME), "not a DataFrame: write nearprint.Index.build\\(nearprint.fingerprint"),
        (lambda: nearprint.pairs(CODES, k="3"), "k is a number of bits, from 0 on, not '3' \\(str\\): write nearprint.pairs"),
        (lambda: nearprint.pairs(CODES, other=TEXTS), "against=others"),
        (lambda: nearprint.pairs(CODES, threshold=0.8), "similarity= is for texts"),
        (lambda: nearprint.dedup(TEXTS, width="128"), "width is 64, 128 or 256, not '128'"),
        (lambda: nearprint.dedup(TEXTS, width=2**70), "width is 64, 128 or 256, not"),
        (lambda: nearprint.dedup(TEXTS, threads="all"), "threads is a number of threads, at least one"),
        (lambda: nearprint.dedup(ROWS, within=["id"]), "within is the name of a column \\(str\\), not \\['id'\\] \\(list\\)"),
        (lambda: nearprint.dedup(TEXTS, equal=True), "write nearprint.dedup\\(texts, equal='bytes'\\)"),
        (lambda: nearprint.dedup(TEXTS, text=0), "text is the name of a column, or a list of names"),
        (lambda: nearprint.dedup({"a", "b"}), "data is a column of strings"),
        (lambda: nearprint.dedup(TEXTS, recipe=None), "recipe is the name of a recipe.*, not None: write"),
        (lambda: nearprint.dedup(TEXTS, similarity=-1), "similarity is a number from 0.3 to 1, not -1"),
        (lambda: nearprint.dedup(TEXTS, similarity=1.5), "a number from 0.3 to 1, not 1.5 .*: write"),
        (lambda: nearprint.dedup(TEXTS, similarity=90), "a number from 0.3 to 1, not 90 .*: did you mean similarity=0.9\\?"),
        (lambda: nearprint.dedup(TEXTS, k=40), "of 64 bits: use at most 19, or a width of 128, or a similarity"),
        (lambda: nearprint.dedup(TEXTS, similarity=0.1), "from 0.3 to 1, or any above 0 with recall='exact', not 0.1"),
        (lambda: nearprint.dedup(TEXTS, similarity=0.9, verify="jaccard=0.8"), "^similarity 0.9 and verify jaccard=0.8 set two thresholds"),
        (lambda: nearprint.passages(TEXTS, similarity=80), "did you mean similarity=0.8\\?"),
        (lambda: nearprint.dedup(), "dedup needs data: write nearprint.dedup\\(texts\\)"),
        (lambda: nearprint.dedup_files("a.jsonl"), "dedup_files needs output: write nearprint.dedup_files\\('corpus.jsonl', "),
        (lambda: nearprint.dedup(TEXTS, "text"), "takes data by place, .*: write nearprint.dedup\\(texts, text='text'\\)"),
        (lambda: nearprint.dedup(TEXTS, data=TEXTS), "^data of dedup is given twice, by place and by name: give it once$"),
        (lambda: nearprint.dedup(TEXTS, 0.9), "write nearprint.dedup\\(texts, similarity=0.9\\)"),
        (lambda: nearprint.dedup(FRAME, text="body"), '^text=: no column "body"; there are "id", "text"'),
        (lambda: nearprint.dedup(ROWS, text=["text", "body"]), '^text=: no column "body"'),
        (lambda: nearprint.dedup(FRAME, text="text", within="dump"), '^within=: no column "dump"'),
        (lambda: nearprint.dedup(FRAME, text="text", keep_by="day:max"), '^keep_by=: no column "day"'),
        (lambda: nearprint.dedup(FRAME, text="text", keep_by="day:max, id:max"), '^keep_by=: no column "day"'),
        (lambda: nearprint.passages(FRAME, text="text", id="key"), '^id=: no column "key"'),
        (lambda: nearprint.fingerprint(FRAME, text="body"), '^text=: no column "body"'),
        (lambda: nearprint.fingerprint(TEXTS, "vectors"), "^row 0 is of type str, and the recipe vectors takes features: a dict of"),
        (lambda: nearprint.fingerprint([{"x": 1}, {"x": "1"}], "vectors"), "^row 1: a feature has a name .*, not 'x': '1'$"),
        (lambda: nearprint.fingerprint({5: 1.0}, "vectors"), "^row 0: a feature has a name .*, not 5: 1.0$"),
        (lambda: nearprint.dedup_files([], "out.jsonl"), "^no input is named: give the path of a file or a folder$"),
        (lambda: nearprint.tune(TEXTS, recipe="wrods"), "^recipe='wrods': neither a built-in recipe "),
        (lambda: nearprint.explain(["a"]), "document is a text, or a dict"),
        (lambda: nearprint.explain({"a": "b"}), "document is a text, or a dict"),
        (lambda: nearprint.evaluate(ROWS, [("a", "b", True)]), "labels are a path, a table or a list of dicts"),
        (lambda: nearprint.evaluate(TEXTS, [{"a": 1}]), "^labels:1: a label is"),
        (lambda: nearprint.dedup_files(FRAME, "out"), "inputs are paths .*, not a DataFrame"),
        (lambda: nearprint.split_files(FRAME, "out"), "inputs are paths .*, not a DataFrame"),
        (lambda: nearprint.dedup_files("in", "out", against=FRAME), "against= takes .*, not a DataFrame: .*nearprint.dedup\\(data"),
    ],
)
def test_what_was_given_and_what_is_taken(call, said):
    assert re.search(said, said_by(call))


@pytest.mark.parametrize(
    "call, given, meant",
    [
        (nearprint.dedup, "column", "text"),
        (nearprint.dedup, "n_jobs", "threads"),
        (nearprint.dedup, "num_workers", "threads"),
        (nearprint.dedup, "similarty", "similarity"),
        (nearprint.dedup, "colum", "text"),
        (nearprint.passages, "lenght", "length"),
        (nearprint.decontaminate, "n_job", "threads"),
        (nearprint.fingerprint, "text_column", "text"),
        (nearprint.groups, "num_workers", "threads"),
    ],
)
def test_the_argument_that_is_meant(call, given, meant):
    assert f"{call.__name__} has no argument {given}=: did you mean {meant}=?" == said_by(call, TEXTS, **{given: 1})
    assert "qqqq=: it takes " in said_by(call, TEXTS, qqqq=1)


@pytest.mark.parametrize(
    "call, given, advice",
    [
        (nearprint.dedup, "num_perm", "similarity= and recall= say what is found"),
        (nearprint.pairs, "bands", "similarity= and recall= say what is found"),
        (nearprint.fingerprint, "num_perm", "width= says how many bits"),
        (nearprint.dedup, "ngram", "recipe=nearprint.Recipe('text', shingle=5)"),
        (nearprint.passages, "shingles", "recipe=nearprint.Recipe('text', shingle=5)"),
    ],
)
def test_what_to_do_in_place_of_names_of_other_tools(call, given, advice):
    assert advice in said_by(call, TEXTS, **{given: 1})


def test_what_to_do_in_place_of_names_of_other_tools_over_files(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text('{"text":"one two three"}\n')
    said = said_by(nearprint.dedup_files, path, tmp_path / "out.jsonl", num_perm=128)
    assert said == "dedup_files has no argument num_perm=: similarity= and recall= say what is found, and bands and rows follow from them"


@pytest.mark.parametrize(
    "call, said",
    [
        (lambda: nearprint.dedup(TEXTS, similarity="0.9"), "not '0.9' (str): write nearprint.dedup(texts, similarity=0.9)"),
        (lambda: nearprint.groups(TEXTS, similarity="85%"), "write nearprint.groups(texts, similarity=0.85)"),
        (lambda: nearprint.dedup(TEXTS, similarity="high"), "write nearprint.dedup(texts, similarity=0.8)"),
        # What is advised is taken.
        *((lambda no=no: nearprint.dedup(TEXTS, similarity=no), "write nearprint.dedup(texts, similarity=0.8)") for no in (2, "2%", "0.1", 29)),
        (lambda: nearprint.dedup(TEXTS, similarity=30), "did you mean similarity=0.3?"),
        (lambda: nearprint.pairs(CODES, k="6"), "k=6)"),
        (lambda: nearprint.dedup(TEXTS, threads="2"), "threads=2)"),
        (lambda: nearprint.passages(TEXTS, length="70"), "length=70)"),
        (lambda: nearprint.decontaminate(TEXTS, [], share="0.6"), "share=0.6)"),
        (lambda: nearprint.fingerprint(TEXTS, width="256"), "width=256)"),
        (lambda: nearprint.fingerprint(TEXTS, width="100"), "width=128)"),
        (lambda: nearprint.pairs(CODES.astype("float64")), "not a ndarray of float64: write nearprint.pairs(texts)"),
        (lambda: nearprint.Index.build(CODES, ids=["a", "b", "c"]), "ids are whole numbers, one for each fingerprint, not ['a'"),
        (lambda: nearprint.Index.build(CODES, ids=[0.5, 1, 2]), "ids=range(len(codes)))"),
        (lambda: nearprint.dedup(TEXTS).removed.head("a"), "rows is a number of rows, not 'a' (str): write table.head(rows=5)"),
    ],
)
def test_the_call_to_make_has_what_was_given(call, said):
    assert said in said_by(call)


def test_integers_with_a_sign_are_the_bits_that_they_have():
    for made in (pandas.Series, pyarrow.array, polars.Series, np.asarray):
        assert list(INDEX.query(made(CODES.astype("int64")))) == list(INDEX.query(CODES))
    assert len(nearprint.Index.build(CODES, ids=np.arange(len(CODES)))) == len(CODES)


NUMBERS = [pandas.DataFrame({"n": [1, 2]}), pyarrow.table({"n": [1, 2]}), polars.DataFrame({"n": [1, 2]})]
OF_TEXTS = [nearprint.dedup, nearprint.pairs, nearprint.clusters, nearprint.groups, nearprint.passages, nearprint.fingerprint]
OF_TEXTS += [lambda data, **how: nearprint.decontaminate(data, [{"question": "one"}], **how)]


@pytest.mark.parametrize("call", OF_TEXTS)
def test_a_column_without_texts_is_told_by_name(call):
    for data in NUMBERS:
        assert "text='n': texts are strings, not Int64: convert this column, or name another one" == said_by(call, data, text="n")
        assert said_by(call, data).endswith("texts are strings: convert the column of the texts; there are 'n'")
    said = said_by(call, pandas.DataFrame({"id": [1, 2], "text": ["a", 7]}))
    assert said == "row 1 of the column 'text' is of type int, not str: convert it, or make it None"
    assert "row 1" in said_by(call, ["a", 1]) and said_by(call, ["a", 1]).endswith("not str: convert it, or make it None")


def test_a_column_without_texts_is_told_by_the_command_too():
    for call in (nearprint.tune, lambda data, **how: nearprint.evaluate(data, [{"a": 0, "b": 1, "same": True}], **how)):
        said = said_by(call, NUMBERS[0], text="n")
        assert said == "text='n': texts are strings, not Int64: convert this column, or name another one"


def test_what_against_lacks_is_told_of_against():
    rows = [{"id": "a", "body": TEXTS[0], "day": 1}]
    lacks = 'against=: no column "body", which text= names; there are "text"'
    for call in (nearprint.dedup, nearprint.passages):
        for table in (list, pandas.DataFrame, polars.DataFrame, pyarrow.Table.from_pylist):
            assert said_by(call, rows, text="body", against=table([{"text": TEXTS[0]}])) == lacks
            assert said_by(call, rows, text="bdy", against=table(rows)) == 'text=: no column "bdy"; there are "id", "body", "day"'
    said = said_by(nearprint.dedup, rows, text="body", id="id", within="day", against=pandas.DataFrame([{"body": "a"}]))
    assert said == 'against=: no column "day", which within= names; there are "body"'
    several = said_by(nearprint.dedup, rows, text=["id", "body"], against=pandas.DataFrame([{"id": "a"}]))
    assert several == 'against=: no column "body", which text= names; there are "id"'
    number = said_by(nearprint.dedup, rows, text="body", against=pandas.DataFrame([{"body": 1}]))
    assert number == "against=: text='body': texts are strings, not Int64: convert this column, or name another one"
    none = said_by(nearprint.dedup, TEXTS, against=pandas.DataFrame([{"n": 1}]))
    assert none.startswith("against=: the table has no column of strings") and none.endswith("there are 'n'")
    mixed = said_by(nearprint.dedup, TEXTS, against=pandas.DataFrame({"body": ["a", 1]}))
    assert mixed == "against=: row 1 of the column 'body' is of type int, not str: convert it, or make it None"


def test_a_rule_by_a_column_is_told_where_keep_names_none(tmp_path):
    rows = [{"text": text, "date": at} for at, text in enumerate(TEXTS)]
    said = 'keep is "newest": use central, first, last, longest, shortest or none; by a column with keep_by=\'date:max\''
    assert said_by(nearprint.dedup, rows, text="text", keep="newest") == said
    assert said_by(nearprint.passages, rows, text="text", keep="newest").endswith("or none; by a field with keep_by='date:max'")


def test_the_length_of_a_passage_is_meant():
    for name in ("min_length", "min_len", "min_tokens", "minimum_length", "window"):
        assert said_by(nearprint.passages, TEXTS, **{name: 50}) == f"passages has no argument {name}=: did you mean length=?"


def test_objects_of_several_kinds_beside_texts():
    data = pandas.DataFrame({"text": [TEXTS[0], TEXTS[0], None], "mixed": ["x", 1, np.nan]})
    rows = [{"text": TEXTS[0], "mixed": "x"}, {"text": TEXTS[0], "mixed": 1}, {"text": None, "mixed": None}]
    for how in ({}, {"text": "text"}, {"text": "text", "id": "mixed"}, {"text": "text", "within": "mixed"}):
        assert list(nearprint.dedup(data, **how).removed) == list(nearprint.dedup(rows, **how).removed)
    assert nearprint.dedup(data, text="text", within="mixed").keep.all() and not nearprint.dedup(data).keep.all()
    sets = pandas.DataFrame({"question": [TEXTS[0], 7]})
    assert len(nearprint.decontaminate(TEXTS, sets).items) == len(nearprint.decontaminate(TEXTS, sets.to_dict("records")).items) == 2


def test_labels_of_rows_are_told_by_the_column_of_ids(tmp_path):
    labels = [{"a": "a", "b": "b", "same": True}]
    unknown = 'no document has an id such as "a"'
    said = said_by(nearprint.evaluate, FRAME, labels, text="text")
    assert said.endswith(f"{unknown}; rows go by their numbers, from 0, unless id= names the column of their ids")
    named = FRAME.assign(n=[1, 2, 3])
    assert said_by(nearprint.evaluate, named, labels, text="text", id="n").endswith("in the column 'n': name the column of the ids by id=")
    for how in ({"id": "id"}, {"id_field": "id"}):
        assert nearprint.evaluate(FRAME, labels, text="text", **how)["documents"] == 3
    path = tmp_path / "in.jsonl"
    path.write_text('{"id":7,"text":"one two three"}\n' * 1 + '{"id":8,"text":"four five six"}\n')
    assert said_by(nearprint.evaluate, path, labels).endswith(f"{unknown}; name the field of the ids with id=")
    assert "are one argument" in said_by(nearprint.tune, path, text="text", text_field="text")


def test_a_low_similarity_is_found_by_all_calls_that_compare_all(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text('{"text":"one two three"}\n' * 2)
    said = "similarity is a number from 0.3 to 1, or any above 0 with recall='exact', not 0.1"
    for call in (nearprint.dedup, nearprint.pairs, nearprint.clusters):
        assert said_by(call, TEXTS, similarity=0.1) == said
        call(TEXTS, similarity=0.1, recall="exact")
    assert said_by(nearprint.dedup_files, path, tmp_path / "out.jsonl", similarity=0.1) == said
    assert "exact" not in said_by(nearprint.Store.create, tmp_path / "store", similarity=0.1)


def test_a_store_is_told_what_helps(tmp_path):
    said = said_by(nearprint.Store.open, tmp_path / "none")
    assert said.endswith("no store here; make one by nearprint.Store.create(path), or use nearprint.Store.open_or_create(path)")
    with nearprint.Store.create(tmp_path / "store") as store:
        assert said_by(store.query, "one two", k=3).endswith("not within a radius: leave k out")


def test_a_question_is_no_path():
    for against in ("what is this?", ["what is this?"], {"a": ["what is this?"]}):
        said = said_by(nearprint.decontaminate, TEXTS, against)
        assert "'what is this?' is no file or folder" in said and "[{'question': 'what is this?'}]" in said
    for against in ("no such file.jsonl", "no such/folder here", "missing"):
        assert said_by(nearprint.decontaminate, TEXTS, against) == f"no such file or folder: {against}"


def test_a_threshold_is_a_similarity(tmp_path):
    for call in (nearprint.groups, nearprint.clusters, lambda texts, **how: nearprint.dedup(texts, **how).representative):
        for share in (0.5, 0.95):
            assert np.array_equal(call(TEXTS, threshold=share), call(TEXTS, similarity=share))
    assert list(nearprint.pairs(TEXTS, threshold=0.9)) == list(nearprint.pairs(TEXTS, similarity=0.9)) != []
    with nearprint.Store.create(tmp_path / "store", threshold=0.9) as store:
        store.add(["a"], TEXTS[:1])
        assert store.check(TEXTS)["near"].tolist() == ["a", "a", None]
    assert "one argument" in said_by(nearprint.dedup, TEXTS, threshold=0.8, similarity=0.8)


def test_groups_of_texts_are_those_of_the_command(rows, texts, command):
    for share in (0.6, 0.8):
        told = command("clusters", rows, "--similarity", share, "--quiet").stdout
        of_command = {}
        for row in map(eval, told.splitlines()):
            of_command.setdefault(row["cluster"], set()).add(int(row["id"]))
        labels = nearprint.clusters(texts, similarity=share)
        ours = [set(np.flatnonzero(labels == label).tolist()) for label in range(labels.max() + 1)]
        assert sorted(map(sorted, ours)) == sorted(sorted(rows) for rows in of_command.values() if len(rows) > 1) != []


def test_groups_are_stars_where_these_are_asked_for():
    # Each is near the next one alone.
    words = [f"w{number}" for number in range(28)]
    chain = [" ".join(words[at : at + 22]) for at in (0, 2, 4, 6)]
    assert nearprint.clusters(chain).tolist() == nearprint.clusters(chain, cluster_rule="connected").tolist() == [0] * 4
    assert nearprint.clusters(chain, cluster_rule="star").tolist() == nearprint.dedup(chain).cluster.tolist() == [0, 0, 0, -1]
    assert "cluster_rule= is for texts" in said_by(nearprint.clusters, CODES, cluster_rule="star")


@pytest.mark.parametrize(
    "call, options, said",
    [
        (nearprint.dedup_files, {"text": "text"}, "dedup_files has no argument text=: did you mean text_field=?"),
        (nearprint.dedup_files, {"simlarity": 0.9}, "dedup_files has no argument simlarity=: did you mean similarity=?"),
        (nearprint.dedup_files, {"help": True}, "help(nearprint.dedup_files) tells what it takes"),
        (nearprint.dedup_files, {"keep": "newest"}, "keep='newest': use central, first"),
        (nearprint.dedup_files, {"keep": "newest"}, "; by a field with keep_by='date:max'"),
        (nearprint.passages_files, {"min_length": 50}, "passages_files has no argument min_length=: did you mean length=?"),
        (nearprint.dedup_files, {"k": 3, "similarity": 0.8}, "k= and similarity= are both given: give one of them"),
        (nearprint.dedup_files, {"k": "3x"}, "k='3x': give a whole number"),
        (nearprint.dedup_files, {"similarity": True}, "similarity= takes a value"),
        (nearprint.dedup_files, {"annotate": "yes"}, "annotate='yes': give True or False"),
        (nearprint.split_files, {"parts": [90, 10]}, "parts= takes one value, and several are given"),
        (nearprint.split_files, {"parts": "90,10"}, "parts are named like train=90,valid=5,test=5"),
        (nearprint.passages_files, {"lenght": 5}, "passages_files has no argument lenght=: did you mean length=?"),
        (nearprint.decontaminate_files, {"against": "in.jsonl", "action": "no"}, "action='no': use drop, cut or annotate"),
        (nearprint.clean_files, {"similarity": 0.9}, "clean_files has no argument similarity="),
        (nearprint.dedup_files, {"resume": True}, "work_dir= is needed"),
        (nearprint.decide, {"in_": "in.jsonl"}, "decide has no argument in_=: did you mean corpus=?"),
        (nearprint.dedup_files, {"text_field": "body"}, "name the field of the text with text_field="),
        (nearprint.dedup_files, {"input_format": "xml"}, "input_format='xml' [possible values: jsonl, "),
    ],
)
def test_files_are_told_in_names_of_python(call, options, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.jsonl").write_text('{"text":"one two three"}\n')
    told = said_by(call, "in.jsonl", "out.jsonl", **options)
    assert said in told and "--" not in told and "Usage" not in told


def test_an_output_that_exists_is_told_with_the_argument(tmp_path):
    path, there = tmp_path / "in.jsonl", tmp_path / "there.jsonl"
    path.write_text('{"text":"one two three"}\n')
    there.write_text("")
    for call, more in (
        (nearprint.dedup_files, {}),
        (nearprint.passages_files, {}),
        (nearprint.clean_files, {}),
        (nearprint.decontaminate_files, {"against": path}),
    ):
        assert said_by(call, path, there, **more) == f"{there} exists; pass force=True to replace it"
    assert nearprint.dedup_files(path, there, force=True)["kept"] == 1


@pytest.mark.parametrize(
    "flags, arguments",
    [
        ("x exists; pass --force to replace it", "x exists; pass force=True to replace it"),
        ("use --recipe web, or pass --html main", "use recipe='web', or pass html='main'"),
        ("pass --quote none, or --quote '\"' if so", "pass quote='none', or quote='\"' if so"),
        ("name it with --encoding latin1", "name it with encoding='latin1'"),
        ("name it with --delimiter", "name it with delimiter="),
        ("convert the file with jq -c .", "convert the file with jq -c ."),
        ("leave out -k (--html main)", "leave out k= (html='main')"),
        ("`nearprint store rebuild --k K` does that", "`nearprint store rebuild --k K` does that"),
        (
            "was made with `--within dump`: run `nearprint dedup --keep-by date:max --decisions FILE` again",
            "was made with within='dump': run nearprint.dedup_files(..., keep_by='date:max', decisions=FILE) again",
        ),
        ("`dedup --decisions` writes one", "nearprint.dedup_files(..., decisions=...) writes one"),
        ("`dedup IN -o OUT --force` writes one", "`dedup IN -o OUT --force` writes one"),
        ("bad --force.jsonl exists; pass --force", "bad --force.jsonl exists; pass force=True"),
    ],
)
def test_flags_that_the_command_advises_are_arguments(flags, arguments):
    assert in_python(flags, str, str) == arguments


def test_names_of_files_are_told_as_they_are(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("bad --force.jsonl", "of --force there.jsonl"):
        (tmp_path / name).write_text('{"text":"one two"}\n{"text":"x\n')
        said = said_by(nearprint.dedup_files, name, "out.jsonl")
        assert said.startswith(f"{name}:2, column 10: broken JSON") and said.endswith("convert the file with jq -c .")
        # A file of a folder is named by nobody.
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / name).rename(tmp_path / "in" / name)
        assert said_by(nearprint.dedup_files, "in", "out.jsonl", include=f"*{name}").startswith(f"in/{name}:2, column 10")
    said = said_by(nearprint.dedup_files, "nodir -k 3/x.jsonl", "out.jsonl")
    assert said == "no such file or folder: nodir -k 3/x.jsonl"
    (tmp_path / "in.jsonl").write_text('{"text":"one two three"}\n')
    (tmp_path / "a --force b.jsonl").write_text("")
    said = said_by(nearprint.dedup_files, "in.jsonl", "a --force b.jsonl")
    assert said == "a --force b.jsonl exists; pass force=True to replace it"


def test_flags_of_the_caller_stay_flags(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in.jsonl").write_text('{"text":"one two three"}\n')
    said = said_by(nearprint.clean_files, "in.jsonl", "out.jsonl", dedup="--simlarity 0.9")
    assert "'--simlarity' found; a similar argument exists: '--similarity'" in said and "Usage" not in said
    assert "such as dedup='--threads 2'" in said_by(nearprint.clean_files, "in.jsonl", "out.jsonl", dedup={"threads": 2})
    assert said_by(nearprint.dedup_files, "in.jsonl", "out.jsonl", keep="--x").startswith("keep='--x': use ")


def test_other_faces_of_the_command_speak_python(tmp_path):
    path = tmp_path / "in.jsonl"
    path.write_text('{"text":"one two three"}\n' * 2)
    told = [
        said_by(nearprint.tune, TEXTS, simlarity=0.9),
        said_by(nearprint.evaluate, TEXTS, [{"a": 0, "b": 1, "same": True}], simlarity=0.9),
        said_by(nearprint.methods, path),
        said_by(nearprint.methods, {}),
        said_by(nearprint.passages, TEXTS, keep="central"),
    ]
    assert "did you mean similarity=?" in told[0] and "did you mean similarity=?" in told[1]
    assert "nearprint.dedup_files(..., summary=FILE) writes one" in told[2] and "summary=FILE" in told[3]
    assert "keep='central': use first" in told[4] and not any("--" in one for one in told)
    with pytest.raises(nearprint.errors.CorruptError, match=r"nearprint\.dedup_files\(\.\.\., decisions=\.\.\.\) writes one"):
        nearprint.decide(path)


def test_kinds_are_of_arguments_that_there_are():
    names = {name for call in (*FUNCTIONS, *METHODS) for name in inspect.signature(call).parameters}
    assert set(KINDS) - names == set()
