"""Relations of DuckDB, and functions in SQL."""

import duckdb
import numpy as np
import polars
import pyarrow
import pytest

import nearprint
from nearprint.integrations.duckdb import register


@pytest.fixture
def connection():
    with duckdb.connect() as connection:
        yield connection


def test_functions(texts, connection):
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


def test_functions_are_registered_again(connection):
    for recipe in ("text", "words"):
        register(connection, recipe)
        asked = connection.sql("SELECT simhash('naïve café'), hamming(simhash('a'), NULL), mismatches('duck', 'luck')")
        assert asked.fetchall() == [(nearprint.fingerprint("naïve café", recipe), None, 1)]


def test_functions_of_the_default_connection():
    register(duckdb)
    assert duckdb.sql("SELECT hamming(simhash('one two'), simhash('One two!'))").fetchall() == [(0,)]


@pytest.mark.parametrize("asked", ["sql", "execute"])
@pytest.mark.filterwarnings("ignore:Arrow output on a DB-API result:UserWarning")
def test_a_relation(asked, texts, connection):
    frame = polars.DataFrame({"row": range(len(texts) + 1), "text": [*texts, None], "note": "same"})
    assert len(frame) == len(texts) + 1
    relation = getattr(connection, asked)("SELECT * FROM frame ORDER BY row")
    found = nearprint.dedup(relation, text="text", id="row")
    assert found.keep.tolist()[:-1] == nearprint.dedup(texts).keep.tolist()
    assert np.all(found.keep[-1:])
    stays = found.filter()
    assert type(stays) is pyarrow.Table and stays["row"].to_pylist() == found.rows.tolist()
    assert connection.sql("SELECT count(*) FROM stays").fetchall() == [(len(stays),)]


def test_a_relation_is_filtered_to_a_table_of_pyarrow(texts, connection):
    frame = polars.DataFrame({"row": range(len(texts))})
    assert len(frame) == len(texts)
    found = nearprint.dedup(texts)
    stays = found.filter(connection.sql("SELECT * FROM frame ORDER BY row"))
    assert type(stays) is pyarrow.Table and stays["row"].to_pylist() == found.rows.tolist()
    codes = nearprint.fingerprint(connection.sql("SELECT 'one two three' AS text"))
    assert codes.tolist() == [nearprint.fingerprint("one two three")]
