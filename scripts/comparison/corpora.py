"""The files that the cases read: the samples and invented texts, in every format. Nothing about runs."""

import bz2
import csv
import gzip
import hashlib
import io
import json
import lzma
import shutil
import subprocess
from pathlib import Path

from .words import Writer

REPOSITORY = Path(__file__).resolve().parent.parent.parent
EDGES = [
    "",
    " ",
    "\n\t",
    "…",
    "a",
    "Not found",
    "not FOUND!",
    "404",
    "spam " * 50 + "one",
    "spam " * 50 + "two",
    "Ｆｕｌｌ ｗｉｄｔｈ ﬁne ½ ① letters and their plain forms",
    "Full width fine 1⁄2 1 letters and their plain forms",
    "Cafe\u0301 dé\u0301ja\u0300 vu nai\u0308ve re\u0301sume\u0301 of the day",
    "Café dé́jà vu naïve résumé of the day",
    "👩‍👩‍👧‍👦 family 🏳️‍🌈 flag 👍🏽 thumb 🇩🇪 in one line of text",
    "zero\u200bwidth\u200djoiner\ufeffand mark in words",
    'quote " backslash \\ slash / tab \t newline \n return \r null \u0000 delete \u007f',
    "line\u2028separator\u2029paragraph\u0085next line of the very same text",
    "東京都の市議会は新しい予算を承認した。",
    "שלום עולם, זה טקסט מימין לשמאל",
    "İstanbul IĞDIR ŞIŞLI Straße STRASSE ǅ ǆ Σίσυφος ΣΊΣΥΦΟΣ",
    "𝔘𝔫𝔦𝔠𝔬𝔡𝔢 𝟙𝟚𝟛 beyond the basic plane 𠀀𠀁𠀂",
]
BROKEN = [
    b'{"id":1,"text":"cut off',
    b'{"text": no}',
    b'[{"text":"a"}]',
    b'"text"',
    b'{"id":1,"body":"a"}',
    b'{"text":17}',
    b'{"text":null}',
    b'{"id":{},"text":"a"}',
    b'{"text":"caf\xe9 and some words more"}',
    b'{"text":"\\ud83d alone in the world"}',
]
KEYS = {
    "version": 1,
    "normalize": "nfkc",
    "case": "lower",
    "split": "words",
    "shingle": 1,
    "weights": "log",
    "hash": "xxh3",
    "width": 64,
    "sign": "positive",
    "bit-order": "same",
}
# Recipes that differ from KEYS by these keys, so that each value of each key is used.
RECIPES = {
    "idf": {"weights": "idf"},
    "bm25": {"weights": "bm25", "shingle": 2},
    "phrases": {"phrases": 10},
    "phrases-idf": {"phrases": 5, "weights": "idf", "width": 128},
    "textrank": {"weights": "textrank", "top": 15},
    "count": {"weights": "count", "hash": "fnv1a", "width": 128},
    "set": {"weights": "set", "hash": "fnv1a-mix", "shingle": 16},
    "go": {"hash": "fnv1a-go", "sign": "non-negative", "bit-order": "reversed"},
    "kept": {"normalize": "keep", "case": "keep"},
    "nfc": {"normalize": "nfc", "case": "fold", "shingle": 2, "width": 256},
    "bare": {"accents": "strip", "shingle": 2},
    "blanks": {"split": "blanks", "shingle": 3, "weights": "set"},
    "gram-1": {"split": "characters", "shingle": 4},
    "gram-9": {"split": "characters", "gram": 9, "weights": "set"},
    "gram-16": {"split": "characters", "gram": 16, "case": "keep"},
    "ko": {"split": "ko"},
    "dictionary": {"split": "dictionary", "shingle": 2},
    "mixed": {"split": "mixed", "language": "auto"},
    "zh-words": {"split": "zh", "weights": "textrank"},
    "code-set": {"split": "code", "weights": "set", "shingle": 3},
    "english": {"language": "en", "stop-words": True, "stem": True},
    "auto": {"language": "auto", "stop-words": True},
    "stop-list": {"stop-list": ["the", "of", "and"]},
    "short": {"min-features": 40},
    "apart": {"degenerate": "apart"},
    "join": {"degenerate": "join"},
    "heaviest": {"top": 10},
    "full": {"content": "html-full", "shingle": 3, "weights": "set"},
}


def jsonl(rows):
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def table(rows, delimiter):
    text = io.StringIO()
    names = ["id", "text", "score", "day"]
    writer = csv.DictWriter(text, names, restval="", extrasaction="ignore", delimiter=delimiter, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def page(title, text, number):
    menu = "".join(f'<li><a href="/{n}">Section {n}</a></li>' for n in range(9))
    body = "".join(f"<p>{part.strip()}.</p>\n" for part in text.split(".") if part.strip())
    return (
        f"<!DOCTYPE html>\n<html><head><meta charset=utf-8><title>{title}</title><script>var n={number};</script></head>\n"
        f"<body><nav><ul>{menu}</ul></nav>\n<main><article><h1>{title}</h1>\n{body}</article></main>\n"
        f"<footer>Page {number}, all rights reserved &amp; kept</footer></body></html>\n"
    )


def record(kind, content_type, number, block):
    head = (
        f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:{number}>\r\n"
        f"WARC-Target-URI: http://example.org/{number}\r\nContent-Type: {content_type}\r\n"
        f"Content-Length: {len(block)}\r\n\r\n"
    )
    return head.encode() + block + b"\r\n\r\n"


def crawl(pages):
    """The records of a crawl: pages, and others that are no documents."""
    yield record("warcinfo", "application/warc-fields", 0, b"software: none\r\n")
    for number, html in enumerate(pages, 1):
        head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
        if number % 7 == 0:
            yield record("request", "application/http; msgtype=request", number, b"GET / HTTP/1.1\r\n\r\n")
        if number % 11 == 0:
            head = head.replace("200 OK", "404 Not Found")
        yield record("response", "application/http; msgtype=response", number, (head + html).encode())


def zstd(data):
    """Compressed by a module or by the tool; None where there is neither."""
    try:
        from compression import zstd as module

        return module.compress(data)
    except ImportError:
        pass
    if shutil.which("zstd") is None:
        return None
    return subprocess.run(["zstd", "-q", "-c"], input=data, stdout=subprocess.PIPE, check=True).stdout


class Corpora:
    """The folder of all files, and what this machine cannot make of them."""

    def __init__(self, folder):
        self.folder, self.lacks = folder, {}
        writer = Writer()
        self.samples()
        rows = writer.rows(1500)
        self.of_rows(rows)
        self.write(
            "new.jsonl",
            jsonl(
                [
                    {**row, "id": f"new-{n}", "text": writer.edited(row["text"])}
                    for n, row in enumerate(writer.rows(100) + rows[:300])
                ]
            ),
        )
        self.odd_rows(writer)
        self.one_document_a_file(writer, rows)
        self.pages(writer)
        self.fields(writer, rows)
        self.fingerprints(writer)
        self.recipes()
        self.write("large.jsonl", jsonl(writer.rows(40_000, 12, 24)))
        self.write("equal.jsonl", b"".join(b'{"id":%d,"text":"all of us say the very same"}\n' % n for n in range(700)))

    def write(self, name, data):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def samples(self):
        for entry in (REPOSITORY / "samples").iterdir():
            if entry.is_dir():
                shutil.copytree(entry, self.folder / entry.name)
            elif entry.suffix == ".jsonl":
                shutil.copy(entry, self.folder)
        # Pairs of which `evaluate` takes what can be said either way, too.
        same = {"dup": True, "hardneg": False, "grey": None}
        for pairs in (self.folder / "labelled").glob("*.pairs.tsv.gz"):
            with gzip.open(pairs, "rt") as lines:
                rows = list(csv.reader(lines, delimiter="\t"))[1:]
            labels = ({"a": a, "b": b, "same": same[label]} for a, b, label in rows)
            self.write(f"labelled/{pairs.name.split('.')[0]}.labels.jsonl", jsonl(labels))

    def of_rows(self, rows):
        """The same rows in every format, and in a folder of several."""
        data = jsonl(rows)
        self.write("rows.jsonl", data)
        self.write("rows.jsonl.gz", gzip.compress(data, mtime=0))
        self.write("rows.jsonl.bz2", bz2.compress(data))
        self.write("rows.jsonl.xz", lzma.compress(data))
        self.write("rows.csv", table(rows, ","))
        self.write("rows.tsv", table(rows, "\t"))
        self.write("rows.csv.gz", gzip.compress(table(rows, ","), mtime=0))
        self.write("parts/a.jsonl", jsonl(rows[:600]))
        self.write("parts/b.jsonl.gz", gzip.compress(jsonl(rows[600:900]), mtime=0))
        self.write("parts/deep/c.jsonl", jsonl(rows[900:]))
        self.write("parts/.hidden.jsonl", b"{broken")
        # Members and blocks one after another are one file.
        self.write(
            "members.jsonl.gz", gzip.compress(jsonl(rows[:200]), mtime=0) + gzip.compress(jsonl(rows[200:500]), mtime=0)
        )
        packed = zstd(data)
        if packed is None:
            self.lacks["zstd"] = "neither the module compression.zstd nor the tool zstd is here"
        else:
            self.write("rows.jsonl.zst", packed)
        try:
            import pyarrow as arrow
            from pyarrow import parquet
        except ImportError:
            self.lacks["parquet"] = "pyarrow is not here: Parquet was left out"
            return
        columns = arrow.Table.from_pylist(
            [{name: row.get(name) for name in ("id", "text", "score", "day")} for row in rows]
        )
        for name, compression in [("rows.parquet", "snappy"), ("zstd.parquet", "zstd"), ("plain.parquet", "none")]:
            parquet.write_table(columns, self.folder / name, row_group_size=400, compression=compression)
        codes = arrow.table(
            {"id": [str(n) for n in range(300)], "fingerprint": [n * 0x9E3779B97F4A7 for n in range(300)]}
        )
        parquet.write_table(codes, self.folder / "codes.parquet")

    def odd_rows(self, writer):
        edges = [{"id": n, "text": text} for n, text in enumerate(EDGES + EDGES[:9])]
        long = writer.document(120_000)
        edges += [
            {"id": "long", "text": long},
            {"id": "long-2", "text": long + " end"},
            {"text": "no id at all in this row"},
            {"id": 12345678901234567890, "text": "no id at all in this row!"},
            {"id": -1.5, "text": "a number for an id"},
            {
                "id": 'doc"\n\\',
                "nested": {"text": "not this", "list": [1, {"id": 2}]},
                "text": "nested fields stay as they are",
            },
        ]
        self.write("edges.jsonl", jsonl(edges))
        self.write("escaped.jsonl", "".join(json.dumps(row, ensure_ascii=True) + "\n" for row in edges).encode())
        repeated = [{**row, "id": f"doc-{n % 40}"} for n, row in enumerate(writer.rows(120))]
        self.write("repeated.jsonl", jsonl(repeated))
        lines = jsonl(writer.rows(60)).splitlines()
        self.write(
            "crlf.jsonl", b"\xef\xbb\xbf" + b"\r\n".join(lines[:30]) + b"\r\n\r\n  \r\n" + b"\r\n".join(lines[30:])
        )
        good = jsonl(writer.rows(40)).splitlines()
        broken = [line for pair in zip(good, BROKEN * 4) for line in pair]
        self.write("broken.jsonl", b"\n".join(broken) + b"\n")
        self.write("broken.csv", b'id,text\n1,fine words of a row\n2,"never closed\n3,more\n')
        self.write("ragged.csv", b"id,text\n1,fine words of a row\n2,too,many,fields\n3\n4,and fine words again\n")
        self.write("latin1/a.txt", "un caf\u00e9 et des mots".encode("latin-1"))
        self.write("latin1/b.txt", b"plain words of another file")
        data = gzip.compress(jsonl(writer.rows(400)), mtime=0)
        self.write("cut.jsonl.gz", data[: len(data) // 2])
        self.write("empty.jsonl", b"")

    def one_document_a_file(self, writer, rows):
        for number, row in enumerate(rows[:150]):
            name = ["a/{}.txt", "b/é{}.txt", "b/deep down/{}.md", "{}.text"][number % 4].format(number)
            self.write(f"files/{name}", row["text"].encode())
        # A text of one line a document, with empty lines and one that is not ended.
        lines = [row["text"].replace("\n", " ") for row in rows[:400]]
        self.write("lines.txt", ("\n".join(lines[:200]) + "\n\n \r\n" + "\r\n".join(lines[200:])).encode())
        self.write(
            "rows/code.jsonl",
            jsonl(
                {"id": n, "text": text}
                for n, text in enumerate(
                    text
                    for base in (writer.program(30) for _ in range(40))
                    for text in (base, base.replace("  ", "\t"), base + "\nend")
                )
            ),
        )

    def pages(self, writer):
        rows = writer.rows(80, 60, 200)
        pages = [page(f"Title {n % 9}", row["text"], n) for n, row in enumerate(rows)]
        for number, html in enumerate(pages):
            self.write(f"pages/{number:03}.html", html.encode())
        self.write("pages.jsonl", jsonl({"id": n, "text": html} for n, html in enumerate(pages)))
        records = list(crawl(pages))
        self.write("crawl/a.warc", b"".join(records))
        self.write("crawl/b.warc.gz", b"".join(gzip.compress(one, mtime=0) for one in records[:50]))
        texts = [record("conversion", "text/plain", n, row["text"].encode()) for n, row in enumerate(rows)]
        self.write("texts.warc.wet", b"".join(texts))
        self.write(
            "broken.warc",
            records[1]
            + records[2].replace(b"Content-Length: ", b"Content-Length: 1")
            + records[3]
            + b"WARC/1.0\r\ncut",
        )

    def fields(self, writer, rows):
        """Rows whose fields have other names, features in place of texts, or a language."""
        self.write("named.jsonl", jsonl({"key": row["id"], "body": row["text"]} for row in rows[:300]))
        vectors = []
        for number in range(200):
            weights = {word: writer.random.choice([1, 2.5, -3, 0.125, 1e6]) for word in writer.words(20)}
            form = weights if number % 2 else [[name, weight] for name, weight in weights.items()]
            vectors += [{"id": number, "features": form}, {"id": f"{number}b", "features": {**weights, "another": 0.5}}]
        self.write("rows/vectors.jsonl", jsonl(vectors))
        texts = [
            "the council and the budget of the town is running",
            "der Rat und der Haushalt der Stadt laufen",
            "le conseil et le budget de la ville courent",
            "совет и бюджет города бежали",
            "委員会は町の予算を承認した",
            "시의회가 예산을 승인했다",
        ]
        codes = ["en", "de", "fr", "ru", "ja", "ko", "tlh", None]
        self.write(
            "languages.jsonl",
            jsonl({"id": f"{n}-{code}", "text": text, "lang": code} for n, text in enumerate(texts) for code in codes),
        )

    def fingerprints(self, writer):
        def raw(codes, width):
            return b"".join(code.to_bytes(width // 8, "little") for code in codes)

        for width in (64, 128, 256):
            codes = writer.codes(6000, width)
            self.write(f"codes.u{width}", raw(codes, width))
            queries = [code ^ 1 << n % width for n, code in enumerate(codes[::9])] + writer.codes(100, width)
            self.write(f"queries.u{width}", raw(queries, width))
            self.write(
                f"codes-{width}.jsonl",
                jsonl({"id": f"c{n}", "fingerprint": f"{code:0{width // 4}x}"} for n, code in enumerate(codes[:2000])),
            )
        self.write("large.u64", raw(writer.codes(60_000, 64), 64))
        self.write("cut.u64", b"0123456789")
        self.write("gone.txt", "".join(f"doc-{n:05}\n" for n in range(0, 1500, 7)).encode())

    def recipes(self):
        for name, keys in RECIPES.items():
            merged = {"name": name, "description": f"Recipe {name}", **KEYS, **keys}
            lines = (f"{key} = {json.dumps(value)}\n" for key, value in merged.items())
            self.write(f"recipes/{name}.toml", "".join(lines).encode())
        self.write("recipes/bad.toml", b'name = "bad"\nversion = 1\nkase = "lower"\n')

    def digest(self):
        """The hash of every file, so that a run that changes one is noticed."""
        return {
            path: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(self.folder.rglob("*"))
            if path.is_file()
        }
