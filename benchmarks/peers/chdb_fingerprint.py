#!/usr/bin/env python3
"""Fingerprints of 64 bits by chdb (ClickHouse), on one thread: chdb_fingerprint.py TEXTS CALL ...

TEXTS is a file of texts in RowBinary, read into a table in memory; CALL is an expression over the
column `text`. Prints a line of JSON for each call. What the functions count: words are runs of ASCII
letters, digits and bytes from 128 up, those of at least four bytes; `ngramSimHash` takes bytes,
`ngramSimHashUTF8` characters; every occurrence counts, and case is kept.
"""
import json
import sys
import time

from chdb import session


def main():
    texts, *calls = sys.argv[1:]
    database = session.Session()

    def ask(query):
        start = time.perf_counter()
        answer = database.query(f"{query} SETTINGS max_threads = 1", "JSONCompactEachRow")
        return time.perf_counter() - start, json.loads(str(answer).splitlines()[0])[0]

    database.query("CREATE TABLE texts ENGINE = Memory AS SELECT text "
                   f"FROM file('{texts}', 'RowBinary', 'text String')")
    for call in calls:
        ask(f"SELECT groupBitXor({call}) FROM (SELECT text FROM texts LIMIT 5000)")
        seconds, xor = ask(f"SELECT groupBitXor({call}) FROM texts")
        print(json.dumps({"name": call, "seconds": round(seconds, 6), "xor": str(xor)}))


if __name__ == "__main__":
    main()
