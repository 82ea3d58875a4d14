"""Whatever holds texts gives the same fingerprints, and what does not is refused."""

import json

import numpy as np
import pytest

import nearprint
from nearprint._values import texts_of


def holders(texts):
    pyarrow = pytest.importorskip("pyarrow")
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    missing = [None if number % 7 == 3 else text for number, text in enumerate(texts)]
    array = pyarrow.array(missing)
    yield "list", missing
    yield "tuple", tuple(missing)
    yield "NumPy objects", np.array(missing, dtype="object")
    yield "string", array
    yield "large string", array.cast(pyarrow.large_string())
    yield "string view", array.cast(pyarrow.string_view())
    yield "dictionary", array.dictionary_encode()
    yield "chunked", pyarrow.chunked_array([array[:5], array[5:5], array[5:]])
    yield "sliced", pyarrow.concat_arrays([pyarrow.array(["x", None]), array])[2:]
    yield "table", pyarrow.table({"n": list(range(len(missing))), "body": array})
    yield "polars series", polars.Series(missing)
    yield "polars frame", polars.DataFrame({"n": range(len(missing)), "body": missing})
    yield "polars categories", polars.Series(missing, dtype=polars.Categorical)
    yield "pandas series", pandas.Series(missing, dtype="string[pyarrow]")
    yield "pandas frame", pandas.DataFrame({"n": range(len(missing)), "body": pandas.Series(missing, dtype="str")})
    yield "pandas categories", pandas.Series(missing, dtype="category")


def test_every_holder_gives_the_same(texts):
    expected = [nearprint.fingerprint(text) for text in texts]
    tried = 0
    for kind, data in holders(texts):
        made = nearprint.fingerprint(data)
        assert isinstance(made, np.ma.MaskedArray), kind
        assert made.mask.tolist() == [number % 7 == 3 for number in range(len(texts))], kind
        assert made.filled(0).tolist() == [
            0 if number % 7 == 3 else code for number, code in enumerate(expected)
        ], kind
        found = nearprint.dedup(data)
        tried += 1
        stays = found.filter()
        assert len(stays) == found.summary["kept"] < len(texts), kind
        assert type(stays) is (list if kind == "tuple" else type(data)), kind
    assert tried == 16


def test_a_fingerprint_column_goes_to_every_library(texts):
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    wide = nearprint.fingerprint(texts, width=128)
    assert len(pyarrow.array(wide)) == len(texts)
    assert polars.Series(wide).dtype == polars.Binary
    assert nearprint.distance(wide, wide).tolist() == [0] * len(texts)
    whole = nearprint.distance(wide[0], wide).tolist()
    assert whole == [nearprint.distance(wide[0], row).tolist()[0] for row in wide] == nearprint.distance(wide, wide[:1]).tolist()
    assert nearprint.distance(wide[-1], wide[len(texts) - 1]).tolist() == [0]
    assert pyarrow.array(wide[::-2]).to_pylist() == pyarrow.array(wide).to_pylist()[::-2]
    assert len(wide[5:2]) == 0
    for wrong, error in ((len(texts), IndexError), (-len(texts) - 1, IndexError), ("0", TypeError)):
        with pytest.raises(error):
            wide[wrong]
    found = nearprint.pairs(wide, 3)
    assert nearprint.pairs(polars.Series(wide), 3)["b"].tolist() == found["b"].tolist()
    assert polars.DataFrame(found).shape == pyarrow.table(found).shape == (len(found), 3)


def test_an_array_of_strings(texts):
    made = nearprint.fingerprint(np.array(texts))
    assert made.tolist() == [nearprint.fingerprint(text) for text in texts]


def test_no_texts():
    assert nearprint.fingerprint([]).tolist() == []
    found = nearprint.dedup([])
    assert (len(found), found.rows.tolist(), len(found.removed)) == (0, [], 0)


@pytest.mark.parametrize(
    "data, said",
    [
        (["a", 3], "row 1 is of type int, not str"),
        (["a", float("nan")], "a missing text is None"),
        (np.array([1.5, 2.5]), "row 0 is of type float"),
        (b"bytes", "one text where several were expected"),
        ([b"bytes"], "row 0 is of type bytes"),
        (7, "a column of strings or a sequence of str"),
    ],
)
def test_what_is_no_column_of_texts(data, said):
    with pytest.raises(TypeError, match=said):
        nearprint.fingerprint(data)


def test_columns_of_nulls_alone():
    polars = pytest.importorskip("polars")
    texts = ["one and the same text of two rows"] * 2
    for other in (None, polars.Series([[None, None], None]), polars.Series([{"a": None}] * 2)):
        table = polars.DataFrame({"text": texts}).with_columns(other=polars.lit(other) if other is None else other)
        assert nearprint.dedup(table, text="text").filter().rows() == table.rows()[:1]
    assert nearprint.dedup(polars.DataFrame({"text": [None, None]})).summary["kept"] == 2
    assert nearprint.fingerprint(polars.Series([None, None])).mask.tolist() == [True, True]


def test_a_lone_surrogate():
    for data in ("\ud800", ["fine", "\ud800"]):
        with pytest.raises(UnicodeEncodeError):
            nearprint.fingerprint(data)
    with pytest.raises(UnicodeEncodeError, match=r"\(row 1\)"):
        nearprint.dedup(["fine", "a\udfff"])
    with pytest.raises(UnicodeEncodeError, match=r"\(row 1\)"):
        nearprint.dedup(["fine", [{"role": "user", "content": "a\udfff"}]])
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"n": [1, 2], "body": pandas.Series(["fine", "a\udfff"], dtype="object")})
    for data in (frame, frame["body"]):
        with pytest.raises(UnicodeEncodeError, match=r"\(row 1\)"):
            nearprint.dedup(data)


def test_conversations_are_texts():
    said = [{"role": "user", "content": "one two"}, {"role": "assistant", "content": "three"}]
    rows = [said, "one two\nthree"]
    assert len(set(nearprint.fingerprint(rows).tolist())) == 1
    with pytest.raises(TypeError, match="row 1 is a list of messages of which one has no content"):
        nearprint.dedup(["a", [{"user": "b"}]])
    with pytest.raises(TypeError, match='row 1 has a part of the unknown kind "quote": give what it says as its "text"'):
        nearprint.dedup(["a", [{"role": "user", "content": [{"type": "quote", "words": "b"}]}]])
    said = [["one two", None, "three"], "one two\nthree", [], ""]
    assert len(set(nearprint.fingerprint(said).tolist())) == 2
    for neither in ([1, 2], [["one two"]]):
        with pytest.raises(TypeError, match="row 1 is of type list"):
            nearprint.dedup(["a", neither])


def test_messages_that_say_nothing_are_empty_texts():
    silent = [
        [],
        [{"role": "assistant", "content": None, "tool_calls": [{"id": 1}]}],
        [{"role": "assistant", "tool_calls": [{"id": 1}]}],
        [{"role": "user", "content": []}],
        [{"role": "user"}],
        [None],
        [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "a.png"}}]}],
        [{"role": "user", "content": [{"type": "tool_result", "content": None}]}],
    ]
    empty = nearprint.fingerprint([""]).tolist()
    for turns in silent:
        assert nearprint.fingerprint([{"m": turns}], text="m").tolist() == empty, turns
    answered = [[{"role": "user", "content": [{"type": "tool_result", "content": "one two"}]}], "one two"]
    assert len(set(nearprint.fingerprint(answered).tolist())) == 1
    refused = [[{"role": "assistant", "content": [{"type": "refusal", "refusal": "one two"}]}], "one two"]
    assert len(set(nearprint.fingerprint(refused).tolist())) == 1
    both = [{"m": [{"content": "one two", "value": None}, {"text": "three", "content": None}]}]
    assert nearprint.fingerprint(both, text="m").tolist() == nearprint.fingerprint(["one two\nthree"]).tolist()


def test_columns_of_conversations_are_texts():
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    polars = pytest.importorskip("polars")

    def turn(text):
        return {"role": "user", "content": text}

    said = [[turn("one two three four"), turn("five six")], [turn("one two three four\nfive six")], [turn("seven")], None]
    rows = [{"id": at, "messages": one} for at, one in enumerate(said)]
    arrow = pyarrow.array(said)
    frame, table = pandas.DataFrame(rows), pyarrow.table({"id": [0, 1, 2, 3], "messages": arrow})
    for data, text in [
        (rows, "messages"),
        (frame, "messages"),
        (frame["messages"], None),
        (table, "messages"),
        (table.to_batches()[0], "messages"),
        (table["messages"], None),
        (arrow.cast(pyarrow.large_list(arrow.type.value_type)), None),
        (polars.DataFrame(rows), "messages"),
    ]:
        found = nearprint.dedup(data, text=text)
        assert found.representative.tolist() == [0, 0, 2, 3], type(data)
        with pytest.raises(TypeError):
            nearprint.passages(data, text=text)
    with pytest.raises(TypeError, match="row 0 is a list of messages of which one has no content"):
        nearprint.dedup(pyarrow.array([[1, 2]]))


QUESTION = "which of the planets turns around the sun in the shortest time of all"


def test_lists_of_texts_and_of_messages_are_texts_in_every_form(tmp_path):
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    polars, parquet = pytest.importorskip("polars"), pytest.importorskip("pyarrow.parquet")
    listed = [[QUESTION, "say it"], ["nothing of it", "here"], [QUESTION, "say it"]]
    said = [[{"role": "user", "content": text} for text in row] for row in listed]
    parts = [[{"role": "user", "content": [{"type": "text", "text": text} for text in row]}] for row in listed]
    for rows in (listed, said, parts):
        table = pyarrow.table({"id": [1, 2, 3], "m": rows})
        parquet.write_table(table, tmp_path / "m.parquet")
        frame = pandas.read_parquet(tmp_path / "m.parquet")
        for data, text in [
            (rows, None),
            (pandas.Series(rows), None),
            (pandas.DataFrame({"id": [1, 2, 3], "m": rows}), "m"),
            (frame, "m"),
            (frame["m"], None),
            (table, "m"),
            (table["m"], None),
            (polars.Series(rows), None),
            ([{"m": row} for row in rows], "m"),
        ]:
            found = nearprint.dedup(data, text=text)
            assert found.representative.tolist() == [0, 1, 0], type(data)
            assert nearprint.clusters(data, text=text).tolist() == [0, -1, 0], type(data)
            left = nearprint.decontaminate(data, {"a": [{"question": QUESTION}]}, text=text)
            assert left.removed["row"].tolist() == [0, 2], type(data)
            assert len(left.filter()) == 1, type(data)


def test_conversations_of_several_forms_are_texts_in_one_column_of_pandas():
    pandas = pytest.importorskip("pandas")

    def turn(content):
        return {"role": "user", "content": content}

    rows = [
        [turn("one two three four"), turn("five six")],
        [turn([{"type": "text", "text": "one two three four"}]), turn("five six")],
        ["one two three four", "five six"],
        ["one two three four", turn("five six")],
        None,
    ]
    frame = pandas.DataFrame({"id": list("abcde"), "m": rows, "day": [1, 2, 5, 3, 4]})
    for data, text, id in [(rows, None, None), (frame["m"], None, None), (frame, "m", "id")]:
        found = nearprint.dedup(data, text=text, id=id)
        assert found.representative.tolist() == [0, 0, 0, 0, 4], type(data)
        assert nearprint.clusters(data, text=text).tolist() == [0, 0, 0, 0, -1]
    assert nearprint.dedup(frame, text="m", id="id", keep_by="day:max").filter()["id"].tolist() == ["c", "e"]
    # Lists are texts where they are named alone, and nothing is asked of them elsewhere.
    assert nearprint.dedup(frame[["m"]].assign(body="a text of its own")).rows.tolist() == [0]


@pytest.mark.parametrize(
    "values, row, kind",
    [
        ([["a", "b"], [1, 2]], 1, "list"),
        ([["a", 1], ["b"]], 0, "list"),
        (["a b c", ["x", "y"]], 1, "list"),
        ([None, ["x", "y"], "a b c"], 2, "str"),
    ],
)
def test_the_row_that_mixes_a_column_of_pandas_is_told(values, row, kind):
    frame = pytest.importorskip("pandas").DataFrame({"body": values})
    for data, text in ((frame, "body"), (frame["body"], None)):
        for call in (nearprint.dedup, nearprint.pairs, nearprint.groups, nearprint.fingerprint):
            with pytest.raises(TypeError, match=f"row {row} .*of type {kind}.*convert it, or make it None"):
                call(data, text=text)


LISTED = [
    [{"role": "user", "content": QUESTION, "id": "m1"}, {"role": "assistant", "content": 'say "it"'}],
    [{"role": "user", "content": "nothing of it"}],
    [{"role": "user", "content": [{"type": "text", "text": QUESTION}]}, {"from": "gpt", "value": 'say "it"'}],
]
SAID = [f'{QUESTION}\nsay "it"', "nothing of it", f'{QUESTION}\nsay "it"']
AS_JSON = [json.dumps(one) for one in LISTED]


def test_messages_in_strings_of_json_are_those_of_a_list_where_their_column_is_called_so(tmp_path):
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    polars, parquet = pytest.importorskip("polars"), pytest.importorskip("pyarrow.parquet")
    rows = [{"id": at, "messages": text} for at, text in enumerate(AS_JSON)]
    frame, table = pandas.DataFrame(rows), pyarrow.table({"id": [0, 1, 2], "messages": AS_JSON})
    bytes_of, large = table["messages"].cast(pyarrow.binary()), table["messages"].cast(pyarrow.large_string())
    (tmp_path / "m.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    parquet.write_table(table, tmp_path / "m.parquet")
    expected = nearprint.fingerprint(LISTED).tolist()
    assert expected == nearprint.fingerprint(SAID).tolist()
    held = [
        rows,
        frame,
        frame.astype({"messages": "category"}),
        table,
        table.to_batches()[0],
        pyarrow.concat_tables([table.slice(0, 1), table.slice(1)]),
        table.set_column(1, "messages", bytes_of),
        table.set_column(1, "messages", large),
        table.set_column(1, "messages", table["messages"].dictionary_encode()),
        table.set_column(1, "messages", bytes_of.dictionary_encode()),
        polars.DataFrame(rows),
        polars.DataFrame(rows, schema_overrides={"messages": polars.Categorical}),
    ]
    for data in held:
        assert nearprint.fingerprint(data, text="messages").tolist() == expected, type(data)
    # The column need not be named where it alone has strings.
    for data in (rows, frame, table, polars.DataFrame(rows)):
        assert nearprint.fingerprint(data).tolist() == expected, type(data)
    for data in (*held, tmp_path / "m.jsonl", tmp_path / "m.parquet"):
        assert nearprint.dedup(data, text="messages").representative.tolist() == [0, 1, 0], type(data)
        assert nearprint.dedup(data, text="messages", id="id").removed["row"].tolist() == [2], type(data)
        new = [{"messages": SAID[0]}, {"messages": "other"}]
        assert nearprint.dedup(new, against=data, text="messages").keep.tolist() == [False, True], type(data)
        assert nearprint.clusters(data, text="messages").tolist() == [0, -1, 0], type(data)
        assert nearprint.groups(data, text="messages").tolist() == [0, 1, 0], type(data)
        pairs = nearprint.pairs(data, text="messages")
        assert (pairs["a"].tolist(), pairs["b"].tolist(), pairs["similarity"].tolist()) == ([0], [2], [1.0]), type(data)
        left = nearprint.decontaminate(data, {"a": [{"question": QUESTION}]}, text="messages")
        assert left.removed["row"].tolist() == [0, 2], type(data)
        refused = "row 0: nothing can be cut out of lists of texts or messages"
        with pytest.raises(TypeError, match=refused):
            nearprint.passages(data, text="messages")
        with pytest.raises(TypeError, match=refused):
            nearprint.decontaminate(data, {"a": [{"question": QUESTION}]}, text="messages", action="cut")
    # What the command keeps is what is kept here.
    nearprint.dedup_files(tmp_path / "m.jsonl", tmp_path / "out.jsonl", text_field="messages")
    kept = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert kept == nearprint.dedup(rows, text="messages").filter() == rows[:2]


def test_strings_of_json_without_a_name_of_messages_are_texts():
    pyarrow = pytest.importorskip("pyarrow")
    plain = [int(nearprint.fingerprint(text)) for text in AS_JSON]
    rows = [{"text": text} for text in AS_JSON]
    for data in (AS_JSON, pyarrow.array(AS_JSON), rows, pyarrow.table({"text": AS_JSON}), pyarrow.table({"message": AS_JSON})):
        assert nearprint.fingerprint(data).tolist() == plain, type(data)
    notes = ["[a note]", "[1, 2]", '["a", "b"]', None]
    expected = nearprint.fingerprint(notes).tolist()
    for data in ([{"messages": note} for note in notes], pyarrow.table({"messages": notes})):
        assert nearprint.fingerprint(data, text="messages").tolist() == expected
        # Nor is anything in the way of a cut.
        assert len(nearprint.passages(data, text="messages")) == 4


def test_messages_in_strings_of_json_within_columns_and_beside_others_are_read_once():
    rows = [{"doc": {"messages": text}, "title": "t", "meta": {"id": at}} for at, text in enumerate(AS_JSON)]
    assert texts_of(rows, "doc.messages") == SAID
    assert texts_of(rows, ["title", "doc.messages"]) == [f"t\n{said}" for said in SAID]
    for more in ({}, {"id": "meta.id"}):
        assert nearprint.dedup(rows, text="doc.messages", **more).representative.tolist() == [0, 1, 0]
        assert nearprint.dedup(rows, text=["title", "doc.messages"], **more).representative.tolist() == [0, 1, 0]
        with pytest.raises(TypeError, match="nothing can be cut out of"):
            nearprint.decontaminate(rows, {"a": [{"question": QUESTION}]}, text="doc.messages", action="cut", **more)
    # A text that quotes messages.
    pyarrow = pytest.importorskip("pyarrow")
    quoted = [{"role": "user", "content": AS_JSON[0]}]
    expected = [int(nearprint.fingerprint(AS_JSON[0]))]
    for one in (quoted, json.dumps(quoted)):
        for data in ([{"messages": one}], pyarrow.table({"messages": [one]})):
            assert nearprint.fingerprint(data, text="messages").tolist() == expected
        nested = [{"doc": {"messages": one}, "meta": {"id": 1}}]
        found = nearprint.dedup(nested, text="doc.messages", id="meta.id")
        assert found._found.text(0) == AS_JSON[0]


def test_what_is_cut_out_of_a_column_is_put_there_where_the_id_is_within_another():
    rows = [{"text": f"Here:\n{QUESTION}\nDone.", "meta": {"id": 7}}]
    evals = {"a": [{"question": QUESTION}]}
    cut = nearprint.decontaminate(rows, evals, text="text", id="meta.id", action="cut").apply()
    assert cut == nearprint.decontaminate(rows, evals, text="text", action="cut").apply()
    assert QUESTION not in cut[0]["text"] and cut[0]["meta"] == {"id": 7}


def test_messages_in_strings_of_json_that_cannot_be_read_are_refused():
    pyarrow = pytest.importorskip("pyarrow")
    for content, problem in [
        ([{"type": "callout", "words": "a"}], 'row 1 has a part of the unknown kind "callout"'),
        ("a\ud800", "row 1 escapes half of a surrogate pair"),
    ]:
        texts = ["a", json.dumps([{"role": "user", "content": content}])]
        for data in ([{"messages": text} for text in texts], pyarrow.table({"messages": texts})):
            with pytest.raises((TypeError, ValueError), match=problem):
                nearprint.dedup(data, text="messages")
    replaced = json.dumps([{"role": "user", "content": "a\ufffd"}])
    assert nearprint.fingerprint([{"messages": replaced}], text="messages")[0] == nearprint.fingerprint("a\ufffd")


def test_items_are_found_in_several_columns_and_cut_out_of_one():
    rows = [{"title": QUESTION[:39], "body": QUESTION[40:]}, {"title": "nothing", "body": None}]
    found = nearprint.decontaminate(rows, {"a": [{"question": QUESTION}]}, text=["title", "body"])
    assert found.removed["row"].tolist() == [0] and found.filter() == rows[1:]
    with pytest.raises(TypeError, match="cut out of several columns"):
        nearprint.decontaminate(rows, {"a": [{"question": QUESTION}]}, text=["title", "body"], action="cut")
    refused = "cut out of lists of texts or messages: give each of these texts as a row"
    with pytest.raises(TypeError, match=refused):
        nearprint.decontaminate([[QUESTION]], {"a": [{"question": QUESTION}]}, action="cut")
    with pytest.raises(TypeError, match=refused):
        nearprint.passages([[QUESTION]])
    # A list of texts itself is one row each.
    assert nearprint.passages([QUESTION, QUESTION], length=5).apply() == [QUESTION, ""]


def test_views_of_strings_can_be_filtered():
    pyarrow = pytest.importorskip("pyarrow")
    view = pyarrow.array(["one two", "one two", None], pyarrow.string_view())
    table = pyarrow.table({"text": view, "n": [1, 2, 3]})
    for data in (view, pyarrow.chunked_array([view]), table, table.to_batches()[0]):
        kept = nearprint.dedup(data).filter()
        assert type(kept) is type(data)
    assert nearprint.dedup(table, text="text").filter().to_pydict() == {"text": ["one two", None], "n": [1, 3]}


def test_a_radius_below_zero_is_a_wrong_value():
    for call in (
        lambda: nearprint.dedup(["a"], k=-1),
        lambda: nearprint.pairs([1], -1),
        lambda: nearprint.dedup(["a"], k=2**70),
    ):
        with pytest.raises(ValueError, match="k is a number of bits"):
            call()


def test_only_equal_texts_go():
    found = nearprint.dedup(["a b c", "A b c", "a b c", ""], equal="bytes")
    assert found.keep.tolist() == [True, True, False, True]
    with pytest.raises(ValueError, match="expected 'bytes'"):
        nearprint.dedup(["a"], equal="tokens")
    with pytest.raises(ValueError, match="leave width out"):
        nearprint.dedup(["a"], equal="bytes", width=64)


def test_columns_of_a_table():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"a": ["one"], "b": ["two"], "n": [1]})
    with pytest.raises(ValueError, match='There are "a", "b"'):
        nearprint.fingerprint(table)
    with pytest.raises(ValueError, match='no column "c"'):
        nearprint.fingerprint(table, text="c")
    with pytest.raises(TypeError, match="strings, not Int64"):
        nearprint.fingerprint(table, text="n")
    assert nearprint.fingerprint(table, text="b").tolist() == [nearprint.fingerprint("two")]
    with pytest.raises(ValueError, match="no column of strings"):
        nearprint.fingerprint(table.select(["n"]))


def test_a_broken_arrow_array():
    pyarrow = pytest.importorskip("pyarrow")
    offsets = pyarrow.py_buffer(np.array([0, 9, 4], dtype="int32").tobytes())
    broken = pyarrow.StringArray.from_buffers(2, offsets, pyarrow.py_buffer(b"abcd"))
    with pytest.raises(ValueError, match="a broken Arrow array"):
        nearprint.fingerprint(broken)
    offsets = pyarrow.py_buffer(np.array([0, 2, 4], dtype="int32").tobytes())
    broken = pyarrow.StringArray.from_buffers(2, offsets, pyarrow.py_buffer(b"ab\xff\xfe"))
    with pytest.raises(ValueError, match="a broken Arrow array"):
        nearprint.dedup(broken)


@pytest.mark.parametrize(
    "codes, error",
    [
        (np.array([1, 2], dtype="int32"), TypeError),
        (np.array([1.0]), TypeError),
        (np.zeros((3, 3), dtype="uint64"), ValueError),
        (np.zeros((3, 2, 2), dtype="uint64"), ValueError),
        ("codes", TypeError),
        ([1, 2**64], ValueError),
        ([-(2**63) - 1], ValueError),
        (7, TypeError),
    ],
)
def test_what_is_no_column_of_fingerprints(codes, error):
    with pytest.raises(error):
        nearprint.pairs(codes)


def test_arrays_that_are_not_plain():
    codes = np.arange(40, dtype="uint64")
    expected = nearprint.pairs(codes[::2].copy(), 1)["a"].tolist()
    assert nearprint.pairs(codes[::2], 1)["a"].tolist() == expected
    codes.flags.writeable = False
    assert nearprint.pairs(codes[::2], 1)["a"].tolist() == expected
    assert nearprint.pairs(codes.astype(">u8").astype("uint64")[::2], 1)["a"].tolist() == expected
    wide = np.asfortranarray(np.arange(40, dtype="uint64").reshape(20, 2))
    assert nearprint.pairs(wide, 1)["a"].tolist() == nearprint.pairs(wide.copy(order="C"), 1)["a"].tolist()


def test_what_hands_over_arrow_alone_is_filtered_to_a_table(texts):
    class Handed:
        def __init__(self, table):
            self.table = table

        def __len__(self):
            return len(self.table)

        def __arrow_c_stream__(self, requested_schema=None):
            return self.table.__arrow_c_stream__(requested_schema)

    polars = pytest.importorskip("polars")
    found = nearprint.dedup(Handed(polars.DataFrame({"text": texts})))
    assert found.filter()["text"].tolist() == [texts[row] for row in found.rows]


def test_a_table_goes_to_every_library(texts):
    gone = nearprint.dedup(texts).removed
    rows = gone["row"].tolist()
    assert gone.to_polars()["row"].to_list() == gone.to_pyarrow()["row"].to_pylist() == rows != []
    assert gone.to_pandas()["row"].tolist() == rows
    assert repr(gone) == f"<nearprint.Table {len(rows)} rows: row, kept, distance, similarity, measure, cluster>"


def test_columns_beside_the_texts():
    pyarrow = pytest.importorskip("pyarrow")
    texts = ["one two", "three", None, "four five", "six", "seven"]
    required = pyarrow.field("id", pyarrow.int64(), nullable=False)
    masked = pyarrow.StructArray.from_arrays(
        [pyarrow.array([1, None, 3, 4, 5, 6])], fields=[required], mask=pyarrow.array([False, True] + [False] * 4)
    )
    nested = pyarrow.array([{"a": {"b": 1}}] * 6)
    lists = pyarrow.ListArray.from_arrays([0, 0, 0, 0, 0, 0, 0], pyarrow.array(["abc", "d"]).slice(2))
    table = pyarrow.table({"text": texts, "masked": masked, "nested": nested, "lists": lists})
    table = table.replace_schema_metadata({b"long": b"a" * (1 << 21), b"bytes": b"\xff"})
    expected = np.ma.asarray(nearprint.fingerprint(texts[2:5])).filled(7).tolist()
    other = table.select(["text", "masked"]).slice(2, 3)
    for given in (table.slice(2, 3), other.to_reader(), other.to_batches()[0]):
        assert np.ma.asarray(nearprint.fingerprint(given)).filled(7).tolist() == expected
    rows = pyarrow.StructArray.from_arrays([pyarrow.array(["a", "b"])], ["text"], mask=pyarrow.array([True, False]))
    assert nearprint.fingerprint(rows).mask.tolist() == [True, False]


def test_chunks_of_other_widths():
    pyarrow = pytest.importorskip("pyarrow")
    codes = pyarrow.chunked_array([[b"8" * 8], [b"6" * 16]], pyarrow.binary())
    with pytest.raises(ValueError, match="one width"):
        nearprint.pairs(codes)


def test_two_columns_of_the_name_that_is_read_are_refused():
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    words = pyarrow.array(["one two three four", "five six seven eight"])
    days = pyarrow.array([1, 2])
    for twice, arguments in [
        ("text", {"text": "text"}),
        ("day", {"text": "text", "keep_by": "day:max"}),
        ("day", {"text": "text", "within": "day"}),
        ("day", {"text": "text", "count_by": "day"}),
        ("text", {"text": ["note", "text"]}),
    ]:
        columns = {"text": words, "note": words, "day": days}
        names = [*columns, twice]
        table = pyarrow.Table.from_arrays([columns[name] for name in names], names=names)
        with pytest.raises(ValueError, match=f'two columns have the name "{twice}"; rename one of them'):
            nearprint.dedup(table, **arguments)
        frame = pandas.DataFrame(zip(*(columns[name].to_pylist() for name in names), strict=True), columns=names)
        with pytest.raises(ValueError, match=f'two columns have the name "{twice}"; rename one of them'):
            nearprint.dedup(frame, **arguments)
