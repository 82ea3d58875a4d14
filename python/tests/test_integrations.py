"""nearprint in the libraries that people have: the same fingerprints, row by row."""

import numpy as np
import polars
import pytest

import nearprint
import nearprint.integrations.polars


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_an_expression_of_polars(engine, texts):
    frame = polars.LazyFrame({"text": [*texts, None]})
    asked = frame.select(polars.col("text").nearprint.fingerprint(), n=polars.lit(1))
    codes = asked.collect(engine=engine)["text"].to_list()
    assert codes == [*nearprint.fingerprint(texts).tolist(), None]
    wide = frame.select(polars.col("text").nearprint.fingerprint("words", width=128)).collect(engine=engine)
    expected = [nearprint.fingerprint(text, "words", width=128) for text in texts]
    assert [int.from_bytes(code, "big") for code in wide["text"].to_list()[:-1]] == expected


def test_functions_of_duckdb(texts):
    import duckdb

    from nearprint.integrations.duckdb import register

    connection = duckdb.connect()
    register(connection)
    frame = polars.DataFrame({"row": range(len(texts) + 1), "text": [*texts, None]})
    assert len(frame) == len(texts) + 1
    told = connection.sql("SELECT simhash(text) FROM frame ORDER BY row").fetchall()
    expected = nearprint.fingerprint(texts)
    assert [code for (code,) in told] == [*expected.tolist(), None]
    near = connection.sql(
        "WITH codes AS MATERIALIZED (SELECT row, simhash(text) AS code FROM frame WHERE text IS NOT NULL)"
        "SELECT a.row, b.row FROM codes a JOIN codes b ON a.row < b.row AND hamming(a.code, b.code) <= 3"
    ).fetchall()
    pairs = nearprint.pairs(expected, 3)
    assert sorted(near) == list(zip(pairs["a"].tolist(), pairs["b"].tolist())) != []
    found = nearprint.dedup(connection.sql("SELECT * FROM frame ORDER BY row"), text="text")
    assert found.keep.tolist()[:-1] == nearprint.dedup(texts).keep.tolist()
    assert np.all(found.keep[-1:])
    assert found.filter()["row"].to_pylist() == found.rows.tolist()
    gone = found.removed
    rows = gone["row"].tolist()
    assert gone.to_polars()["row"].to_list() == gone.to_pyarrow()["row"].to_pylist() == rows != []
    assert gone.to_pandas()["row"].tolist() == rows
    assert repr(gone) == f"<nearprint.Table {len(rows)} rows: row, kept, distance, similarity, cluster>"


def test_what_hands_over_arrow_alone_is_filtered_to_a_table(texts):
    class Handed:
        def __init__(self, table):
            self.table = table

        def __len__(self):
            return len(self.table)

        def __arrow_c_stream__(self, requested_schema=None):
            return self.table.__arrow_c_stream__(requested_schema)

    found = nearprint.dedup(Handed(polars.DataFrame({"text": texts})))
    assert found.filter()["text"].tolist() == [texts[row] for row in found.rows]
