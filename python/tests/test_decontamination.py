"""What stands in a table of the items of eval sets is what the command finds in a file of the same rows."""

import json

import numpy as np
import pandas
import polars
import pyarrow
import pytest

import nearprint

PLANETS = "How many planets turn around the sun in our solar system, if Pluto is not counted among them any more?"
TRAIN = "A train leaves the station at 3 pm and travels 60 miles per hour for 4 hours; how far does it get before it stops?"
CAPITAL = "What is the capital of France?"
EVALS = [
    {"id": "planets", "question": PLANETS, "choices": ["seven", "eight", "nine", "ten"], "answer": 1},
    {"id": 7, "question": TRAIN, "choices": ["240 miles", "60 miles", "180 miles", "64 miles"], "answer": 0},
    {"question": CAPITAL, "choices": ["Paris", "Rome", "Berlin", "Madrid"], "answer": 0},
    {"id": "short", "question": "Find x", "choices": [], "answer": 0},
]
SHOUT = f"Quiz! 漢字 {PLANETS.upper()}\nA. seven\nB. eight\nC. nine\nD. ten\nend\n"
EDITED = TRAIN.replace("gets", "came").replace("the station", "**the** small station")


def corpus(more):
    """Texts of words of their own, some of which have more lines."""
    texts = []
    for row in range(100):
        lines = [
            " ".join(f"word{(row * 31 + line * 17 + word * 7) % 997}" for word in range(12)) for line in range(6)
        ]
        texts.append("\n".join(lines) + "\n" + more.get(row, ""))
    return texts


TEXTS = [*corpus({7: SHOUT, 9: EDITED, 11: f"{CAPITAL} Paris / Rome / Berlin / Madrid\n", 13: "Find x\n"}), None, "", "."]
IDS = [f"page-{at}" for at in range(len(TEXTS))]
TABLE = {"url": IDS, "body": TEXTS, "n": list(range(len(TEXTS)))}
OPTIONS = [
    {},
    {"share": 0.99, "bits": 25.0, "threads": 1, "memory": "2G"},
    {"short": "flag", "common": "keep"},
    {"action": "cut", "margin": 30},
    {"action": "annotate"},
    {"question": "question", "choices": "choices", "answer": ["answer"], "item_id": "question"},
    {"answer": "question", "recipe": "code"},
]


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def flags_of(options):
    """The flags of the command."""
    options = dict(options)
    parts = ["question", "choices", "answer", "context"]
    fields = [(part, options.pop(part)) for part in parts if part in options]
    named = [f"{part}={name}" for part, names in fields for name in ([names] if isinstance(names, str) else names)]
    flags = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    return flags + ([f"--item-fields={','.join(named)}"] if named else [])


@pytest.fixture
def of_command(command, tmp_path):
    """Run the command over a file of the rows: what it wrote, found and knows of the items, and its figures."""
    rows, evals = tmp_path / "rows.jsonl", tmp_path / "against.jsonl"
    rows.write_text("".join(json.dumps(row) + "\n" for row in pyarrow.table(TABLE).to_pylist()))
    evals.write_text("".join(json.dumps(row) + "\n" for row in EVALS))

    def run(options):
        files = [tmp_path / f"{name}.jsonl" for name in ("out", "removed", "items", "summary")]
        named = [f"--{name}={file}" for name, file in zip(["output", "removed", "items", "summary"], files, strict=True)]
        fields = ["--id-field=url", "--text-field=body", "-q", "--force"]
        # By a name without folders: a row without an id is called by its file and line.
        command("decontaminate", rows, "--against=against.jsonl", *named, *fields, *flags_of(options), cwd=tmp_path)
        out, removed, items = map(lines, files[:3])
        return out, removed, items, json.loads(files[3].read_text())

    run.rows, run.evals = rows, evals
    return run


def check_rows(found, removed, items):
    """Compare what was found in a table with rows of the command."""
    assert len(removed) > 1 and len(items) >= len(EVALS)
    listed = pyarrow.table(found.removed).to_pylist()
    for mine, row in zip(listed, removed, strict=True):
        row = {"equal": 0, **row, "item": text_of(row["item"])}
        assert IDS[mine.pop("row")] == row["id"]
        assert mine == row
        assert TEXTS[IDS.index(row["id"])][row["start"] : row["end"]] == row["text"]
    listed = pyarrow.table(found.items).to_pylist()
    for mine, row in zip(listed, items, strict=True):
        best = mine.pop("best")
        assert (None if best is None else IDS[best]) == row["best_id"]
        assert mine == {**row, "item": text_of(row["item"])}


def text_of(id):
    """The id of an item as text; a row without one is called by its set, where the command names the file."""
    return id.replace("against.jsonl:", "against:") if isinstance(id, str) else json.dumps(id)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_what_is_found_in_a_table_is_what_is_found_in_a_file(options, of_command):
    out, removed, items, summary = of_command(options)
    check = {"text": "body", "id": "url", **options, "progress": False}
    found = nearprint.decontaminate(pyarrow.table(TABLE), against=EVALS, **check)
    check_rows(found, removed, items)
    # The eval set is a file of another name.
    # The times of a run, and what only a command has.
    timed = {"seconds", "peak_memory", "bytes", "threads", "index_bytes", "eval_versions", "command"}
    assert {name: value for name, value in found.summary.items() if name not in timed} == {
        name: value for name, value in summary.items() if name not in timed
    }
    goes = {"contaminated", "eval-file"} | ({"common"} if options.get("common") != "keep" else set())
    kept = sorted(set(range(len(TEXTS))) - {IDS.index(row["id"]) for row in removed if row["verdict"] in goes})
    assert found.rows.tolist() == kept and np.flatnonzero(found.keep).tolist() == kept and len(kept) < len(TEXTS)
    assert found.filter().to_pylist() == [pyarrow.table(TABLE).to_pylist()[row] for row in kept]
    match options.get("action"):
        case "cut":
            assert found.apply().to_pylist() == out and len(out) == len(TEXTS)
        case "annotate":
            notes = pyarrow.array(found.notes).to_pylist()
            noted = [row["nearprint"]["contamination"] for row in out]
            told = [[{**place, "item": text_of(place["item"])} for place in note] for note in noted]
            mine = [[{**place, "item": text_of(place["item"])} for place in json.loads(note)] for note in notes]
            assert mine == told and sum(map(bool, noted)) > 2
        case _:
            assert found.filter().to_pylist() == out
            with pytest.raises(ValueError, match="nothing was cut"):
                found.apply()
            with pytest.raises(ValueError, match="no notes"):
                _ = found.notes


def test_eval_sets_of_every_kind(of_command, tmp_path):
    _, removed, items, _ = of_command({})
    named = {"text": "body", "id": "url", "progress": False}
    data = pyarrow.table(TABLE)
    plain = [{**row, "id": text_of(row["id"])} if "id" in row else row for row in EVALS]
    frame = pandas.DataFrame(plain)
    tables = [
        pyarrow.Table.from_pylist([{"id": None, **row} for row in plain]),
        pyarrow.Table.from_pylist([{"id": None, **row} for row in plain]).to_batches()[0],
        polars.DataFrame(plain),
        frame.where(frame.notna(), None),
    ]
    kinds = [EVALS, tuple(EVALS), iter(EVALS), frame.to_dict("records")]
    for against in [*kinds, *tables]:
        check_rows(nearprint.decontaminate(data, against, **named), removed, items)
    # Files have the names that the command gives them.
    for path in (of_command.evals, str(of_command.evals), [of_command.evals]):
        found = nearprint.decontaminate(data, path, **named)
        assert found.removed["eval"].tolist() == [row["eval"] for row in removed]
        assert found.removed["bits"].tolist() == [row["bits"] for row in removed]
    # A name is that which was given, whatever it looks like; a set of several files is one.
    (tmp_path / "two").mkdir()
    for at, rows in enumerate((EVALS[:2], EVALS[2:])):
        (tmp_path / "two" / f"{at}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    sets = {"a/b.test.jsonl": EVALS[:1], "rest-00000-of-00002": tables[0].slice(1), "two": tmp_path / "two"}
    found = nearprint.decontaminate(data, sets, **named)
    assert list(dict.fromkeys(found.items["eval"].tolist())) == list(sets)
    assert [(one["eval"], one["items"]) for one in found.summary["sets"]] == list(zip(sets, (1, 3, 4), strict=True))
    assert found.items["item"].tolist()[:4] == ["planets", "7", "rest-00000-of-00002:2", "short"]
    assert found.removed["equal"].tolist() == [1] * len(removed)


def test_flags_of_tables_hold_for_eval_sets(tmp_path):
    question = "Quelle planète du système solaire a été découverte en dernier, et à l'aide de quelles données célèbres ?"
    quiz = tmp_path / "quiz.csv"
    quiz.write_bytes(f"id;question\nq;{question}\n".encode("latin-1"))
    texts = ["Rien de tout cela n'a été écrit où que ce soit, à l'été près.", f"Jeu : {question} Dis-le !"]
    with pytest.raises(nearprint.NearprintError, match="UTF-8"):
        nearprint.decontaminate(texts, quiz, delimiter=";", progress=False)
    with pytest.raises(nearprint.NearprintError, match="one column"):
        nearprint.decontaminate(texts, quiz, encoding="latin1", progress=False)
    for against in (quiz, {"quiz": quiz}):
        found = nearprint.decontaminate(texts, against, delimiter=";", encoding="latin1", progress=False)
        assert found.rows.tolist() == [0]
        assert (found.items["item"].tolist(), found.items["eval"].tolist()) == (["q"], ["quiz"])


def test_the_result_is_of_the_type_that_came():
    options = {"against": EVALS, "text": "body", "action": "cut", "progress": False}
    expected = nearprint.decontaminate(pyarrow.table(TABLE), **options)
    cut, kept = expected.apply().to_pylist(), expected.filter().to_pylist()
    assert [row["n"] for row in kept] == [at for at in range(len(TEXTS)) if at not in (7, 9, 11)]
    assert cut[7]["body"] == corpus({7: "end\n"})[7] and cut[8] == pyarrow.table(TABLE).to_pylist()[8]
    frame = pandas.DataFrame(TABLE, index=range(10, 10 + len(TEXTS)))
    found = nearprint.decontaminate(frame, **options)
    assert found.filter().index.tolist() == [10 + row["n"] for row in kept]
    assert found.apply().index.tolist() == frame.index.tolist() and found.apply()["body"][17] == cut[7]["body"]
    found = nearprint.decontaminate(polars.DataFrame(TABLE), **options)
    assert found.filter().to_dicts() == kept and found.apply().to_dicts() == cut
    del options["text"]
    found = nearprint.decontaminate(TEXTS, **options)
    assert found.filter() == [row["body"] for row in kept] and found.apply() == [row["body"] for row in cut]
    datasets = pytest.importorskip("datasets")
    dataset = datasets.Dataset.from_dict(TABLE)
    evals = datasets.Dataset.from_list([{**row, "id": text_of(row.get("id"))} for row in EVALS])
    found = nearprint.decontaminate(dataset, datasets.DatasetDict(test=evals), text="body", action="cut", progress=False)
    assert found.filter().to_list() == kept and found.apply().to_list() == cut
    assert set(found.items["eval"].tolist()) == {"test"}


def test_a_self_test_is_that_of_the_command(of_command, command, tmp_path):
    options = {"share": 0.7}
    for action in ({}, {"action": "cut", "margin": 3}, {"action": "annotate"}):
        found = nearprint.decontaminate(pyarrow.table(TABLE), EVALS, text="body", id="url", **options, **action, progress=False)
        tested = found.self_test(500, progress=False)
        args = ["--self-test=500", f"--summary={tmp_path / 's.json'}", "--text-field=body", "--id-field=n", "-q", "--force"]
        told = command("decontaminate", of_command.rows, "--against=against.jsonl", *args, *flags_of(options), cwd=tmp_path)
        assert str(tested) == text_of(told.stdout) and "verbatim with choices" in told.stdout
        assert tested.summary == json.loads((tmp_path / "s.json").read_text())
    assert {form["form"]: form["recall"] for form in tested.forms}["verbatim with choices"] == 1.0
    # The planted items themselves stand in some of the rows.
    assert tested.alarms > 0 and repr(tested).startswith("<SelfTest 4 items: verbatim with choices 1.000, ")
    nearest = pyarrow.table(tested.nearest).to_pylist()
    assert nearest[0]["verdict"] == "contaminated" and IDS[nearest[0]["row"]] == nearest[0]["id"]
    with pytest.raises(nearprint.NearprintError, match="has a word"):
        nearprint.decontaminate(["", None], EVALS, progress=False).self_test(5)
    with pytest.raises(nearprint.NearprintError, match="self-test"):
        found.self_test(0)


def test_tables_that_have_little():
    for texts in ([], [None], ["", "..."]):
        found = nearprint.decontaminate(texts, EVALS, progress=False)
        assert found.filter() == texts and len(found.removed) == 0 and len(found.items) == len(EVALS) and len(found) == len(texts)
    columns = nearprint.decontaminate([], EVALS, progress=False).removed.column_names
    assert columns == nearprint.decontaminate(TEXTS, EVALS, progress=False).removed.column_names


@pytest.mark.parametrize(
    "against, options, said",
    [
        (EVALS, {"share": 0}, "a share of 0 is not above 0 and at most 1"),
        (EVALS, {"bits": -1.0}, "-1 bits are not above 0"),
        (EVALS, {"short": "no"}, "use flag, report or skip"),
        (EVALS, {"common": "no"}, "possible values"),
        (EVALS, {"action": "no"}, "use drop, cut or annotate"),
        (EVALS, {"margin": 3}, "it needs action='cut'"),
        (EVALS, {"question": "ask"}, "against:1: the row has no question: none of the fields ask; its fields are"),
        (EVALS, {"question": "a,b"}, "give several as a list"),
        (EVALS, {"item_id": "no"}, 'against:1: the row has no text or number in the field "no"'),
        (EVALS, {"memory": "1M"}, "more memory than the 1 MB allowed"),
        (EVALS, {"recipe": "web", "action": "cut"}, "a page cannot be rebuilt from its text"),
        (EVALS, {"recipe": "vectors"}, "vectors"),
        (EVALS, {"work_dir": "/dev/null/folder"}, "no folder for temporary files"),
        (EVALS, {"id": "no"}, 'no column "no"'),
        ({}, {}, "no eval set is named, and no index of items: name the eval sets with against=, or the index with index="),
        ([], {}, "against: it has no rows"),
        ({"mine": []}, {}, "mine: it has no rows"),
        ({"mine": "/no/such/file.jsonl"}, {}, "/no/such/file.jsonl"),
        ("/no/such/file.jsonl", {}, "/no/such/file.jsonl"),
        ([{"question": "\ud800"}], {}, "against:1: the field \"question\" escapes half of a surrogate pair"),
    ],
    ids=str,
)
def test_what_is_refused(against, options, said):
    with pytest.raises((nearprint.NearprintError, ValueError)) as refused:
        nearprint.decontaminate(pyarrow.table(TABLE), against, text="body", progress=False, **options)
    assert said in str(refused.value) and "/tmp" not in str(refused.value)


@pytest.mark.parametrize(
    "against",
    [7, [1], [EVALS], [EVALS[0], "path"], {1: EVALS}, {"mine": None}, pyarrow.array([PLANETS]), np.array([1])],
    ids=str,
)
def test_what_is_no_eval_set(against):
    with pytest.raises(TypeError):
        nearprint.decontaminate(TEXTS, against, progress=False)


def test_files_are_cleaned_as_by_the_command(of_command, tmp_path):
    out, removed, items, summary = of_command({"action": "cut"})
    (tmp_path / "out.jsonl").rename(tmp_path / "command.jsonl")
    options = {"against": of_command.evals, "action": "cut", "id_field": "url", "text_field": "body"}
    files = {"removed": tmp_path / "r.jsonl", "items": tmp_path / "i.jsonl"}
    told = []
    done = nearprint.decontaminate_files(of_command.rows, tmp_path / "out.jsonl", **options, **files, progress=told.append)
    assert (tmp_path / "out.jsonl").read_bytes() == (tmp_path / "command.jsonl").read_bytes()
    for found, expected in ((lines(files["removed"]), removed), (lines(files["items"]), items)):
        # Here the eval set is named by its path.
        assert [{**row, "item": text_of(row["item"]).removeprefix(f"{tmp_path}/")} for row in found] == [
            {**row, "item": text_of(row["item"])} for row in expected
        ]
    assert done["cuts"] == summary["cuts"] == 3
    done = nearprint.decontaminate_files([of_command.rows], None, against=[of_command.evals], items=tmp_path / "j.jsonl", text_field="body")
    assert done["removed"] == 3 and len(lines(tmp_path / "j.jsonl")) == len(EVALS)
    for more in ({}, {"action": "no"}, {"self_test": 5}):
        with pytest.raises(nearprint.NearprintError, match="no output; give one|use drop|self_test="):
            nearprint.decontaminate_files(of_command.rows, None, against=of_command.evals, **more)


def test_an_index_takes_the_place_of_eval_sets(tmp_path):
    index = tmp_path / "evals.index"
    plain = nearprint.decontaminate(TEXTS, {"own": EVALS})
    made = nearprint.decontaminate(TEXTS, {"own": EVALS}, index=index)
    bytes_of_index = index.read_bytes()
    alone = nearprint.decontaminate(TEXTS, index=str(index))
    for found in (made, alone, nearprint.decontaminate(TEXTS, {"own": EVALS}, index=index)):
        assert pyarrow.table(found.removed) == pyarrow.table(plain.removed)
        assert pyarrow.table(found.items) == pyarrow.table(plain.items)
        assert found.filter() == plain.filter()
        (version,) = found.summary["eval_versions"]
        assert (version["eval"], version["bytes"]) == ("own", plain.summary["eval_versions"][0]["bytes"])
    assert str(alone.self_test(3)) == str(plain.self_test(3))
    with pytest.raises(ValueError, match="own has changed since it was made"):
        nearprint.decontaminate(TEXTS, {"own": EVALS[:2]}, index=index)
    with pytest.raises(ValueError, match="no eval set is named, and no index of items"):
        nearprint.decontaminate(TEXTS)
    assert index.read_bytes() == bytes_of_index
    rows = tmp_path / "rows.jsonl"
    rows.write_text("".join(json.dumps({"text": text}) + "\n" for text in TEXTS))
    summary = nearprint.decontaminate_files(rows, tmp_path / "out.jsonl", index=index)
    assert summary["removed"] == plain.summary["removed"] > 0


def test_a_list_of_dicts_is_a_table():
    rows = pyarrow.table(TABLE).to_pylist()
    whole = nearprint.decontaminate(pyarrow.table(TABLE), EVALS, text="body", id="url", action="cut")
    found = nearprint.decontaminate(rows, EVALS, text="body", id="url", action="cut")
    assert pyarrow.table(found.removed).to_pylist() == pyarrow.table(whole.removed).to_pylist()
    assert found.filter() == whole.filter().to_pylist()
    assert found.apply() == whole.apply().to_pylist()
    assert str(found.self_test(3)) == str(whole.self_test(3))
