#!/usr/bin/env python3
"""Decontamination by kind of text: web pages, chats, code, Chinese, Japanese, items of eight words and of eight hundred.

The thresholds of `nearprint decontaminate` were chosen on English questions and manuals. This asks for the same bars as the
benchmark decontaminate, on each kind by itself. Items and documents of a kind come from different packages, or from
different tasks of one. Both are halved by the SHA-256 of their ids, before anything is looked at: a half for development and
one that is held out. Items of a half are put into documents of that half, each form in a run of its own beside the half as it
is, so that words of items are as rare there as in a corpus that has each once. Alarms are documents of a half as they are
that are flagged for any item of the kind. Items that cannot be decided are counted apart.

    scripts/bench decontaminate-kinds                      all kinds, some twenty minutes
    scripts/bench decontaminate-kinds --kind chats         one of them; writes no file of results
    scripts/bench decontaminate-kinds --missed FILE.jsonl  and the items that were not found, to look at
"""
import argparse
import collections
import hashlib
import itertools
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import decontaminate
import kept_report
import kinds_documents
import kinds_items
import result

ROOM = decontaminate.DATA / "kinds"
HALVES = ("development", "held out")
DRAWN = 1000  # items of a half that are planted
HOST = (200, 30_000)  # signs of a document that takes an item
BITS = 20  # what an item needs to be decided
BARS = [bar for bar in decontaminate.BARS if bar[0] in decontaminate.FORMS]
ALARMS = 1.0  # in 10 000 documents


class Kind:
    def __init__(self, sets, documents, inside=kinds_documents.inside_text, forms=None, options=()):
        self.sets, self.documents, self.inside, self.options = sets, documents, inside, list(options)
        self.forms = forms or decontaminate.FORMS


def english():
    return kinds_items.of_evals(kinds_items.ENGLISH)


def short():
    return kinds_items.of_length(kinds_items.of_bigbench(kinds_items.SHORT), 6, 10)


def long():
    sets = kinds_items.of_bigbench(kinds_items.LONG) | kinds_items.of_evals(kinds_items.LONG_OF_EVALS)
    return kinds_items.of_length(sets, 600, 1000)


KINDS = {
    "web pages": Kind(kinds_items.written, kinds_documents.pages, kinds_documents.inside_page, options=("--html", "full")),
    "articles": Kind(english, kinds_documents.articles),
    "chats": Kind(english, kinds_documents.conversations, kinds_documents.inside_chat),
    "code": Kind(kinds_items.sets_of_code, kinds_documents.sources, kinds_documents.inside_lines),
    "code, recipe code": Kind(kinds_items.sets_of_code, kinds_documents.sources, kinds_documents.inside_lines,
                              options=("--recipe", "code")),
    "Chinese": Kind(lambda: kinds_items.of_evals(kinds_items.CHINESE), kinds_documents.chinese,
                    forms=kinds_items.FORMS_OF_SIGNS),
    "Japanese": Kind(lambda: kinds_items.of_evals(kinds_items.JAPANESE), kinds_documents.japanese,
                     forms=kinds_items.FORMS_OF_SIGNS),
    "Japanese, short": Kind(lambda: kinds_items.of_evals(kinds_items.BUBBLES), kinds_documents.japanese,
                            forms=kinds_items.FORMS_OF_SIGNS),
    "items of 8 words": Kind(short, kinds_documents.manuals),
    "items of 800 words": Kind(long, kinds_documents.manuals),
}


def digest(name):
    return hashlib.sha256(name.encode()).digest()


def half_of(name):
    return HALVES[digest(name)[0] % 2]


def laid_out(kind):
    """The folder with the eval sets and the documents of each half of a kind, written once."""
    folder = ROOM / kind.replace(",", "").replace(" ", "-")
    if folder.exists():
        return folder
    made = folder.with_suffix(".new")
    (made / "evals").mkdir(parents=True, exist_ok=True)
    for name, items in kinds_items.different(KINDS[kind].sets()).items():
        if items:
            with open(made / "evals" / f"{name}.jsonl", "w", encoding="utf-8") as out:
                out.writelines(json.dumps(item, ensure_ascii=False) + "\n" for item in items)
    files = {half: open(made / f"{half}.jsonl", "w", encoding="utf-8") for half in HALVES}
    for name, text in KINDS[kind].documents():
        files[half_of(name)].write(kinds_documents.row(name, text))
    for file in files.values():
        file.close()
    made.rename(folder)
    return folder


def look(nearprint, folder, room, options, *sources):
    """Rows of what was found, and of the items, in some files."""
    rows, items = room / "removed.jsonl", room / "items.jsonl"
    command = [nearprint, "decontaminate", *sources, "--against", folder / "evals", "-q", "--force", "--threads", "2",
               "--removed", rows, "--items", items, *options]
    subprocess.run([str(part) for part in command], check=True)
    return list(decontaminate.rows(rows)), list(decontaminate.rows(items))


def name_of(row):
    return f"{row['eval']}/{row['item']}"


def share(part, whole):
    interval = [round(end, 6) for end in kept_report.interval(part, whole) or (0, 1)]
    return {"part": part, "of": whole, "share": round(part / max(whole, 1), 4), "interval": interval}


def evenly(names, most):
    """So many of some items, of each set as many while it has some, by their digests."""
    ranked, seen = [], collections.Counter()
    for name in sorted(names, key=digest):
        eval_set = name.partition("/")[0]
        ranked.append((seen[eval_set], digest(name), name))
        seen[eval_set] += 1
    return [name for _, _, name in sorted(ranked)[:most]]


def recall(nearprint, kind, folder, half, room, decidable):
    """How many items of a half are found, and how many told, in each form; and the ones that are missed."""
    items = {f"{path.stem}/{row['id']}": row for path in sorted((folder / "evals").glob("*.jsonl"))
             for row in decontaminate.rows(path)}
    drawn = evenly((name for name in decidable if half_of(name) == half), DRAWN)
    documents = [row["text"] for row in decontaminate.rows(folder / f"{half}.jsonl")]
    hosts = [text for text in documents if HOST[0] <= kinds_documents.length(text) <= HOST[1]]
    chance = random.Random(half)
    chance.shuffle(hosts)
    hosts, figures, missed = itertools.cycle(hosts), {}, {}
    for form, make in KINDS[kind].forms.items():
        planted = room / "planted.jsonl"
        with open(planted, "w", encoding="utf-8") as out:
            for name in drawn:
                text = KINDS[kind].inside(next(hosts), make(items[name], chance), chance)
                out.write(kinds_documents.row(f"planted|{name}", text))
        rows, verdicts = look(nearprint, folder, room, KINDS[kind].options, folder / f"{half}.jsonl", planted)
        # What is planted makes its words a little more usual.
        hoped = set(drawn) & {name_of(row) for row in verdicts if row["of_bits"] >= BITS}
        own = [row for row in rows if row["id"] == f"planted|{name_of(row)}"]
        told = {name_of(row) for row in own} & hoped
        found = {name_of(row) for row in own if row["removed"]} & hoped
        figures[form] = {"recall": share(len(found), len(hoped)), "told": share(len(told), len(hoped))}
        missed[form] = sorted(hoped - found)
    return figures, missed


def measured(nearprint, kind):
    """The figures of both halves of a kind, and the items that were missed."""
    folder, told, all_missed = laid_out(kind), {}, []
    for half in HALVES:
        with tempfile.TemporaryDirectory(dir=ROOM) as room:
            room = pathlib.Path(room)
            source = folder / f"{half}.jsonl"
            rows, items = look(nearprint, folder, room, KINDS[kind].options, source)
            flagged = list({(row["id"], name_of(row)): row for row in rows if row["removed"]}.values())
            names = [name_of(row) for row in items if half_of(name_of(row)) == half]
            decidable = [name_of(row) for row in items if row["of_bits"] >= BITS
                         and not (row["verdict"] == "undecidable" and row["documents"] == 0)]
            figures, missed = recall(nearprint, kind, folder, half, room, decidable)
            with open(source, encoding="utf-8") as lines:
                documents = sum(1 for _ in lines)
        alarms = share(len({row["id"] for row in flagged}), documents)
        told[half] = {
            "documents": documents, "megabytes": round(source.stat().st_size / 1e6, 1), "alarms": alarms,
            "alarms_of_10000": round(1e4 * alarms["part"] / documents, 2),
            "parts": len({row["id"] for row in rows if row["verdict"] == "partial"}),
            "alarmed": [{key: row[key] for key in ("id", "eval", "item", "share", "bits")} for row in flagged],
            "items": len(names), "undecidable": len(set(names) - set(decidable)), "forms": figures,
        }
        for row in flagged:
            print(f"  alarm, {half}: {row['id']}, {name_of(row)}, {row['share']}, {row['bits']} bits: {row['text'][:200]!r}")
        all_missed += [{"kind": kind, "half": half, "form": form, "item": name} for form in missed for name in missed[form]]
    return told, all_missed


def judged(figures):
    """The bars of a half, each met or missed."""
    flat = {form: {key: value["share"] for key, value in told.items()} for form, told in figures["forms"].items()}
    flat["alarms"] = {"of_10000": figures["alarms_of_10000"]}
    return result.judged([*BARS, ("alarms", "of_10000", "alarms in 10 000 documents", "<=", ALARMS)], flat)


def cell(told):
    low, high = told["interval"]
    return f"{told['share']:.3f} ({low:.3f} to {high:.3f})"


def page(kinds):
    """The tables for docs/evidence/quality.md."""
    header = ["kind", "half", "documents", "MB", "alarms", "in 10,000 (95 %)", "items", "undecidable", "planted"]
    rows = []
    for kind, halves in kinds.items():
        for half, told in halves.items():
            low, high = (1e4 * end for end in told["alarms"]["interval"])
            rows.append([kind, half, f"{told['documents']:,}", f"{told['megabytes']:.0f}", str(told["alarms"]["part"]),
                         f"{told['alarms_of_10000']:.1f} ({low:.1f} to {high:.1f})", f"{told['items']:,}",
                         f"{told['undecidable']:,}", f"{told['forms']['verbatim']['recall']['of']:,}"])
    tables = [result.markdown(header, rows)]
    bars = {name: (key, limit) for name, key, _, _, limit in BARS}
    forms = [(form, bars.get(form, ("recall", None))) for form in decontaminate.FORMS]
    for half in HALVES:
        rows = [[form + (f" (bar {limit})" if limit else ""), *(cell(halves[half]["forms"][form][key]) for halves in kinds.values())]
                for form, (key, limit) in forms]
        tables.append(result.markdown([half, *kinds], rows))
    return "\n\n".join(tables)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nearprint", type=pathlib.Path, required=True, help="the binary to measure")
    parser.add_argument("--runs", type=int, default=1, help="of no use here: nothing is timed")
    parser.add_argument("--kind", choices=KINDS, help="only this kind")
    parser.add_argument("--missed", type=pathlib.Path, help="write the items that were not found here")
    args = parser.parse_args()
    machine, kinds, bars, missed = result.machine(), {}, {}, []
    subprocess.run([sys.executable, result.BENCHMARKS / "corpus.py"], check=True)
    ROOM.mkdir(parents=True, exist_ok=True)
    for kind in [args.kind] if args.kind else KINDS:
        print(kind, flush=True)
        kinds[kind], of_kind = measured(args.nearprint.resolve(), kind)
        missed += of_kind
        bars[kind] = {half: judged(figures) for half, figures in kinds[kind].items()}
    print(page(kinds))
    for kind, half in itertools.product(bars, HALVES):
        under = [bar for bar in bars[kind][half] if not bar["met"]]
        print(f"{kind}, {half}: " + ("; ".join(f"{bar['what']} {bar['value']} ({bar['bar']})" for bar in under) or "all bars met"))
    if args.missed:
        args.missed.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in missed), encoding="utf-8")
    if not args.kind:
        print("written:", result.write("decontaminate-kinds", {"machine": machine, "kinds": kinds, "bars": bars}))


if __name__ == "__main__":
    main()
