"""Random files of every format, written by the reference libraries, with the documents that these libraries read of
them. Comparing them with what nearprint reads is handled by compare.py."""

import bz2
import csv
import gzip
import io
import json
import lzma
import zipfile
import zlib
from datetime import date, datetime, timedelta, timezone
from decimal import Decimal

import brotli
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.ipc as ipc
import pyarrow.parquet as pq
import zstandard
from fastwarc.warc import ArchiveIterator as FastIterator
from warcio.archiveiterator import ArchiveIterator
from warcio.bufferedreaders import BufferedReader
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

csv.field_size_limit(10**9)


class Brotli:
    """As warcio asks for a decompressor."""

    unused_data = None

    def __init__(self):
        self.decompress = brotli.Decompressor().process


BufferedReader.DECOMPRESSORS["br"] = Brotli

PARTS = [
    "the ferry", "leaves", "at noon", "snow fell", "Schnee über Höfen", "船は正午に出る", "من الصفحة", "नमस्ते", "🏔️ 👩‍👩‍👧",
    ",", ";", "\t", '"', '""', "'", "\\", "\\\\", "|", "\n", "\r\n", "\r", "  ", "\u2028", "\u0085", "\u200b", "\ufeff",
    "é", "e\u0301", "<b>bold</b>", "&amp;", "{\"text\": 1}", "WARC/1.0", "null", "#", "0", "-1e5", "%s", "\x7f",
]


def text(rng, plain=False):
    """A text; a plain one is not empty and has no line ends at all."""
    parts = [rng.choice(PARTS) for _ in range(rng.randint(1 if plain else 0, 12))]
    if not plain and rng.random() < 0.02:
        parts *= 2000
    words = rng.choice(["", " "]).join(parts)
    if plain:
        words = "x " + words.translate({ord(c): " " for c in "\n\r\u2028\u0085\x00"}) + " x"
    return words


def rows(rng, most=12):
    return [(f"r{at}" if rng.random() < 0.9 else f"ä,\"{at}", text(rng)) for at in range(rng.randint(0, most))]


def compressed(rng, path, data):
    """Writes bytes as they are or compressed, in several members."""
    kind = rng.choice(["", "", ".gz", ".bz2", ".xz", ".zst"])
    packs = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress, ".zst": zstandard.compress}
    pack = packs.get(kind, bytes)
    if kind and data and rng.random() < 0.2:
        # Packed twice, as servers do that compress what is compressed.
        data = rng.choice(list(packs.values()))(data)
    at = rng.randint(0, len(data))
    parts = [data] if kind == "" or rng.random() < 0.7 else [data[:at], data[at:]]
    padding = bytes(512) if kind == ".gz" and rng.random() < 0.2 else b""
    path = path.with_name(path.name + kind)
    path.write_bytes(b"".join(map(pack, parts)) + padding)
    return path


class Jsonl:
    name, flags = "jsonl", []

    def write(self, rng, path):
        lines, documents = [], []
        for id, words in rows(rng):
            key = int(rng.random() * 2**53) if rng.random() < 0.2 else id
            row = [("id", key), ("text", words), ("more", {"text": "inner", "list": [1, None, "x"]})]
            rng.shuffle(row)
            ascii, space = rng.random() < 0.5, rng.choice([None, (",", ":"), (" , ", "  : ")])
            lines.append(json.dumps(dict(row), ensure_ascii=ascii, separators=space))
            documents.append((key, words))
        end = rng.choice(["\n", "\r\n", "\n\n", "\n \n"])
        body = end.join(lines) + (end if rng.random() < 0.7 else "")
        body = body.encode(rng.choice(["utf-8"] * 4 + ["utf-8-sig", "utf-16"]))
        compressed(rng, path.with_suffix(".jsonl"), body)
        return documents


class Csv:
    """Tables of a dialect of Python's csv."""

    def __init__(self, name, flags, suffix=".csv", **dialect):
        self.name, self.flags, self.suffix, self.dialect = name, flags, suffix, dialect

    def write(self, rng, path):
        out = io.StringIO()
        dialect = {
            "lineterminator": rng.choice(["\n", "\r\n"]),
            "quoting": rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
            **self.dialect,
        }
        names = ["id", "text", "note", "größe"]
        rng.shuffle(names)
        writer = csv.DictWriter(out, names, **dialect)
        writer.writeheader()
        for id, words in rows(rng):
            if dialect["lineterminator"] == "\n":
                # Python leaves a carriage return without quotes there, and its own reader ends the row at it.
                words = words.replace("\r", " ")
            row = {"id": id, "text": words, "note": text(rng, plain=True), "größe": rng.randint(0, 9)}
            if dialect["quoting"] == csv.QUOTE_NONE:
                # Nothing stands for these there.
                row = {name: str(value).translate({ord(c): " " for c in ",\n\r"}) for name, value in row.items()}
            writer.writerow(row)
        table = out.getvalue()
        encoding = rng.choice(["utf-8", "utf-8", "utf-8-sig", "utf-16"])
        compressed(rng, path.with_suffix(self.suffix), table.encode(encoding))
        read = csv.DictReader(io.StringIO(table, newline=""), **dialect)
        return [(row["id"], row["text"]) for row in read]


def of_columns(rng, documents):
    """A table of columns of many types, with the documents in it."""
    words = [words if rng.random() < 0.9 else None for _, words in documents]
    text_types = [pa.string(), pa.large_string(), pa.string_view(), pa.binary(), pa.dictionary(pa.int32(), pa.string())]
    chosen = rng.choice(text_types)
    values = [None if it is None else it.encode() for it in words] if chosen == pa.binary() else words
    columns = {"text": pa.array(values, chosen)}
    count = len(documents)
    ids = [id for id, _ in documents]
    if rng.random() < 0.3:
        ids = [rng.randint(-(2**63), 2**63 - 1) for _ in ids]
        columns["id"] = pa.array(ids, pa.int64())
    else:
        columns["id"] = pa.array(ids, rng.choice([pa.string(), pa.large_string(), pa.dictionary(pa.int8(), pa.string())]))

    def some(value):
        return [value() if rng.random() < 0.8 else None for _ in range(count)]

    day = lambda: date(2000, 1, 1) + timedelta(days=rng.randint(-9999, 9999))
    moment = lambda: datetime(2000, 1, 1) + timedelta(microseconds=rng.randint(-(10**15), 10**15))
    others = {
        "flag": lambda: pa.array(some(lambda: rng.random() < 0.5), pa.bool_()),
        "small": lambda: pa.array(some(lambda: rng.randint(-100, 100)), rng.choice([pa.int8(), pa.int16(), pa.int32()])),
        "large": lambda: pa.array(some(lambda: rng.randint(0, 2**64 - 1)), pa.uint64()),
        "real": lambda: pa.array(some(rng.random), rng.choice([pa.float32(), pa.float64()])),
        "price": lambda: pa.array(some(lambda: Decimal(rng.randint(-(10**9), 10**9)) / 100), pa.decimal128(20, 2)),
        "day": lambda: pa.array(some(day), pa.date32()),
        "moment": lambda: pa.array(some(moment), pa.timestamp(rng.choice(["s", "ms", "us", "ns"]))),
        "zoned": lambda: pa.array(some(lambda: moment().replace(tzinfo=timezone.utc)), pa.timestamp("us", "UTC")),
        "bytes": lambda: pa.array(some(lambda: rng.randbytes(7)), pa.binary()),
        "fixed": lambda: pa.array(some(lambda: rng.randbytes(5)), pa.binary(5)),
        "list": lambda: pa.array(some(lambda: [rng.randint(0, 9)] * rng.randint(0, 3)), pa.list_(pa.int32())),
        "nested": lambda: pa.array(
            some(lambda: {"text": text(rng), "deep": [{"a": 1}]}),
            pa.struct([("text", pa.string()), ("deep", pa.list_(pa.struct([("a", pa.int8())])))]),
        ),
        "map": lambda: pa.array(some(lambda: [("k", text(rng))]), pa.map_(pa.string(), pa.string())),
        "nothing": lambda: pa.nulls(count),
    }
    for name in rng.sample(list(others), rng.randint(0, 6)):
        columns[name] = others[name]()
    names = list(columns)
    rng.shuffle(names)
    return pa.table({name: columns[name] for name in names})


def read_columns(table):
    values = table["text"].to_pylist()
    values = [it.decode() if isinstance(it, bytes) else it or "" for it in values]
    return list(zip(table["id"].to_pylist(), values))


class Parquet:
    name, flags = "parquet", []

    def write(self, rng, path):
        table = of_columns(rng, rows(rng, 40))
        path = path.with_suffix(".parquet")
        dictionary = rng.random() < 0.5
        plain = {"text", "id"} & {name for name in table.column_names if pa.types.is_string(table.schema.field(name).type)}
        encodings = ["PLAIN", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"]
        encoding = None if dictionary else {name: rng.choice(encodings) for name in plain}
        options = {
            "compression": rng.choice(["none", "snappy", "gzip", "zstd", "lz4", "brotli"]),
            "row_group_size": rng.choice([1, 3, 7, 1000]),
            "data_page_size": rng.choice([1, 100, None]),
            "data_page_version": rng.choice(["1.0", "2.0"]),
            "use_dictionary": dictionary,
            "column_encoding": encoding or None,
            "write_page_index": rng.random() < 0.5,
            "write_page_checksum": rng.random() < 0.5,
            "use_deprecated_int96_timestamps": rng.random() < 0.3,
            "store_schema": rng.random() < 0.5,
        }
        pq.write_table(table, path, **options)
        try:
            pq.ParquetFile(path).read()
        except pa.ArrowInvalid:
            # Of some pages that end inside of a list pyarrow reads nothing itself.
            pq.write_table(table, path, **{**options, "data_page_size": None})
        return read_columns(pq.ParquetFile(path).read(columns=["id", "text"]))


class Arrow:
    name, flags = "arrow", []

    def write(self, rng, path):
        table = of_columns(rng, rows(rng, 40))
        kind = rng.choice([".arrow", ".arrows", ".feather"])
        path = path.with_suffix(kind)
        compression = rng.choice([None, "lz4", "zstd"])
        if kind == ".feather":
            feather.write_feather(table, path, compression=compression or "uncompressed")
            return read_columns(feather.read_table(path))
        options = ipc.IpcWriteOptions(compression=compression, emit_dictionary_deltas=False, unify_dictionaries=True)
        new = ipc.new_file if kind == ".arrow" else ipc.new_stream
        with new(str(path), table.schema, options=options) as writer:
            writer.write_table(table, max_chunksize=rng.choice([1, 5, 1000]))
        open_ = ipc.open_file if kind == ".arrow" else ipc.open_stream
        return read_columns(open_(pa.memory_map(str(path))).read_all())


def chunks(rng, body):
    out, at = b"", 0
    while at < len(body):
        size = rng.randint(1, 200)
        out += b"%x\r\n" % len(body[at : at + size]) + body[at : at + size] + b"\r\n"
        at += size
    return out + b"0\r\n\r\n"


def archive(rng, packed, version):
    """An archive by warcio."""
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=packed, warc_version=version)
    if packed or rng.random() < 0.7:
        writer.write_record(writer.create_warcinfo_record("a.warc.gz", {"software": "test", "note": "x"}))
    for at in range(rng.randint(0, 8)):
        url = f"http://example.org/{at}?q=ä"
        body = text(rng, plain=rng.random() < 0.5).encode()
        kind = rng.choice(["response"] * 6 + ["resource", "conversion", "metadata", "request"])
        if kind in ("resource", "conversion", "metadata"):
            writer.write_record(
                writer.create_warc_record(url, kind, payload=io.BytesIO(body), warc_content_type="text/plain")
            )
            continue
        if kind == "request":
            head = StatusAndHeaders("GET / HTTP/1.1", [("Host", "example.org")], is_http_request=True)
            writer.write_record(writer.create_warc_record(url, "request", http_headers=head))
            continue
        status = rng.choice(["200 OK"] * 5 + ["404 Not Found", "301 Moved", "200"])
        headers = [("Content-Type", rng.choice(["text/plain"] * 4 + ["text/plain; charset=utf-8", "image/png"]))]
        coding = rng.choice([None, None, "gzip", "br", "deflate"])
        if coding == "gzip":
            body = gzip.compress(body)
        elif coding == "br":
            body = brotli.compress(body)
        elif coding == "deflate":
            body = zlib.compress(body)
        if coding:
            headers.append(("Content-Encoding", coding))
        if rng.random() < 0.4:
            body = chunks(rng, body)
            headers.append(("Transfer-Encoding", "chunked"))
        rng.shuffle(headers)
        head = StatusAndHeaders(status, headers, protocol="HTTP/1.1")
        writer.write_record(writer.create_warc_record(url, "response", payload=io.BytesIO(body), http_headers=head))
    return out.getvalue()


def read_archive(data):
    documents = []
    for record in ArchiveIterator(io.BytesIO(data)):
        kind = record.rec_type
        if kind in ("resource", "conversion"):
            documents.append((record.rec_headers["WARC-Record-ID"], record.content_stream().read()))
        elif kind == "response" and record.http_headers.get_statuscode() == "200":
            if record.http_headers["Content-Type"].startswith("text/plain"):
                documents.append((record.rec_headers["WARC-Record-ID"], record.content_stream().read()))
    fast = [record.headers["WARC-Record-ID"] for record in FastIterator(io.BytesIO(data), parse_http=False)]
    assert [id for id, _ in documents] == [id for id in fast if id in dict(documents)]
    return [(id, body.decode("utf-8-sig")) for id, body in documents]


class Warc:
    name, flags = "warc", ["--id-field", "WARC-Record-ID"]

    def write(self, rng, path):
        packed = rng.random() < 0.6
        data = archive(rng, packed, rng.choice(["1.0", "1.1"]))
        path.with_name(path.name + (".warc.gz" if packed else ".warc")).write_bytes(data)
        return read_archive(data)


class Wacz:
    name, flags = "wacz", ["--id-field", "WARC-Record-ID"]

    def write(self, rng, path):
        documents = []
        with zipfile.ZipFile(path.with_suffix(".wacz"), "w") as file:
            file.writestr("datapackage.json", "{}", rng.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]))
            for at in range(rng.randint(1, 3)):
                packed = rng.random() < 0.6
                data = archive(rng, packed, "1.1")
                name = f"archive/{at}.warc" + (".gz" if packed else "")
                method = rng.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
                with file.open(zipfile.ZipInfo(name), "w", force_zip64=rng.random() < 0.3) as member:
                    member._compress_type = method
                    member.write(data)
                documents += read_archive(data)
            file.writestr("pages/pages.jsonl", '{"format": "json-pages-1.0"}\n')
            file.comment = text(rng, plain=True).encode()[:100]
        return documents


class Arc:
    """ARC version 1, read by warcio."""

    name, flags = "arc", []

    def write(self, rng, path):
        own = b"1 0 InternetArchive\nURL IP-address Archive-date Content-type Archive-length\n"
        parts = [b"filedesc://a.arc 0.0.0.0 20040102030405 text/plain %d\n" % len(own) + own]
        for at in range(rng.randint(0, 6)):
            body = text(rng, plain=True).encode()
            status = rng.choice([b"200 OK", b"200 OK", b"404 Not Found"])
            block = b"HTTP/1.1 " + status + b"\r\nContent-Type: text/plain\r\n\r\n" + body
            line = b"http://example.org/%d 192.0.2.7 20040102030410 text/plain %d\n" % (at, len(block))
            parts.append(b"\n" + line + block)
        packed = rng.random() < 0.5
        data = b"".join(gzip.compress(part + b"\n") for part in [parts[0], *(it[1:] for it in parts[1:])]) if packed \
            else b"".join(parts) + b"\n"
        path.with_name(path.name + (".arc.gz" if packed else ".arc")).write_bytes(data)
        documents = []
        for record in ArchiveIterator(io.BytesIO(data), verify_http=False):
            if record.rec_type == "response" and record.http_headers.get_statuscode() == "200":
                documents.append((None, record.content_stream().read().decode("utf-8-sig")))
        return documents


class Lines:
    name, flags = "lines", ["--lines"]

    def write(self, rng, path):
        lines = [text(rng, plain=True) for _ in range(rng.randint(0, 12))]
        end = rng.choice(["\n", "\r\n"])
        body = end.join(lines) + (end if lines and rng.random() < 0.7 else "")
        compressed(rng, path.with_suffix(".txt"), body.encode(rng.choice(["utf-8", "utf-8-sig"])))
        return [(None, line) for line in lines]


class Text:
    name, flags = "text", []

    def write(self, rng, path):
        words = text(rng, plain=rng.random() < 0.5)
        encoding = rng.choice(["utf-8", "utf-8-sig", "utf-16"]) if words else "utf-8"
        if words.startswith("\ufeff"):
            words = "x" + words
        compressed(rng, path.with_suffix(".txt"), words.encode(encoding))
        return [(None, words)]


FORMATS = [
    Jsonl(),
    Csv("csv", []),
    Csv("csv-semicolon", ["--delimiter", ";"], delimiter=";"),
    Csv("csv-quote", ["--quote", "'"], quotechar="'"),
    # As in PostgreSQL and DuckDB, an escape means something inside quotes.
    Csv("csv-escape", ["--escape", "\\"], escapechar="\\", doublequote=False, quoting=csv.QUOTE_ALL),
    Csv("csv-unquoted", ["--quote", "none"], quoting=csv.QUOTE_NONE, delimiter=",", quotechar=None),
    # Texts of several lines with tabs look as rows do, unless somebody says that quotes are meant.
    Csv("tsv", ["--quote", '"'], ".tsv", delimiter="\t"),
    Parquet(),
    Arrow(),
    Warc(),
    Wacz(),
    Arc(),
    Lines(),
    Text(),
]
