"""The documents that questions are asked about: small corpora with what is hard in them. Nothing about runs."""

import json
import random
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent.parent
VOWELS, CONSONANTS = "aeiou", "bdfgklmnprstvz"


@dataclass(frozen=True)
class Corpus:
    """Rows of a JSONL file, each with an id of its own."""

    name: str
    rows: list

    @property
    def ids(self):
        return [row["id"] for row in self.rows]

    def write(self, path):
        with open(path, "w", encoding="utf-8") as out:
            out.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in self.rows)


def named(name, contents, field="text"):
    """A corpus whose rows hold these contents."""
    return Corpus(name, [{"id": f"{name}-{number:04}", field: content} for number, content in enumerate(contents)])


class Words:
    """Draws words, sentences and edits of them."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        syllables = [c + v for c in CONSONANTS for v in VOWELS]
        draw = random.Random(7)
        self.lexicon = sorted({"".join(draw.choices(syllables, k=draw.randint(2, 4))) for _ in range(4000)})

    def some(self, count):
        return self.chance.choices(self.lexicon, k=count)

    def prose(self, count):
        """Sentences of so many words in all."""
        sentences, left = [], count
        while left > 0:
            length = min(left, self.chance.randint(6, 14))
            sentences.append(" ".join(self.some(length)).capitalize() + ".")
            left -= length
        return " ".join(sentences)

    def edited(self, words, edits):
        """The same words, of which so many are others."""
        words = list(words)
        for at in self.chance.sample(range(len(words)), min(edits, len(words))):
            words[at] = self.chance.choice(self.lexicon)
        return words


def copies(seed, bases=14):
    """Articles with equal copies and with edits from slight to heavy."""
    words = Words(seed)
    texts = []
    for _ in range(bases):
        base = words.some(words.chance.choice([12, 40, 90]))
        texts += [" ".join(base)] * words.chance.choice([1, 2, 4])
        texts += [" ".join(words.edited(base, edits)) for edits in (1, 1, 2, 3, 5)]
    words.chance.shuffle(texts)
    return named("copies", texts)


def crowd(seed, members=330, others=30):
    """So many near-copies that some bucket holds more than 256, equal ones among them; chains at their edges; and
    documents apart from all."""
    words = Words(seed)
    base = words.some(48)
    texts = [" ".join(words.edited(base, words.chance.choice([0, 1, 1, 1, 2]))) for _ in range(members)]
    drifting = base
    for _ in range(12):
        drifting = words.edited(drifting, 1)
        texts.append(" ".join(drifting))
    texts += [" ".join(words.some(48)) for _ in range(others)]
    words.chance.shuffle(texts)
    return named("crowd", texts)


def short(seed, count=150):
    """Documents of 0 to 9 words out of few."""
    words = Words(seed)
    few = words.some(9)
    texts = ["", " ", "\n"]
    for _ in range(count):
        size = words.chance.choice([1, 2, 3, 4, 4, 5, 5, 6, 7, 8, 9])
        texts.append(" ".join(words.chance.choices(few, k=size)))
    words.chance.shuffle(texts)
    return named("short", texts)


def heavy(seed, count=12):
    """Documents in which one word or phrase is most of the text."""
    words = Words(seed)
    texts = []
    for _ in range(count):
        base, phrase = words.some(20), words.some(words.chance.choice([1, 3]))
        for repeats in (0, 1, 30, 60):
            texts.append(" ".join(base + phrase * repeats))
        texts.append(" ".join(phrase * 40 + words.some(1)))
        texts.append(" ".join(phrase * 40 + words.some(2)))
    words.chance.shuffle(texts)
    return named("heavy", texts)


def pages(seed, articles=12):
    """Articles in the frames of two sites, each with equal and edited ones; pages of nothing but a frame; pages with
    two articles."""
    words = Words(seed)

    def links(count):
        return "".join(f'<li><a href="/{word}">{word.capitalize()}</a></li>' for word in words.some(count))

    menus, footers = [links(40), links(15)], [words.prose(25), words.prose(40)]

    def page(site, title, paragraphs):
        body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
        if site == 0:
            return (
                f"<html><body><nav><ul>{menus[0]}</ul></nav><main><article><h1>{title}</h1>{body}</article></main>"
                f"<footer><p>{footers[0]}</p></footer></body></html>"
            )
        return (
            f'<html><body><div id="menu"><ul>{menus[1]}</ul></div><div class="content"><h2>{title}</h2>{body}</div>'
            f'<div class="bottom"><p>{footers[1]}</p></div></body></html>'
        )

    made = []
    for _ in range(articles):
        title = " ".join(words.some(5)).capitalize()
        paragraphs = [words.prose(words.chance.choice([30, 60])) for _ in range(words.chance.choice([3, 5]))]
        made += [page(0, title, paragraphs), page(1, title, paragraphs)]
        if words.chance.random() < 0.5:
            paragraphs[0] = " ".join(words.edited(paragraphs[0].split(), 2))
            made.append(page(0, title, paragraphs))
    made += [page(site, "", []) for site in (0, 1, 0)]
    made.append(page(1, "Two", [words.prose(80)]) + page(0, "Two", [words.prose(80)]))
    words.chance.shuffle(made)
    return named("pages", made, "html")


def sample(name, seed, step=6):
    """A sample of the repository, with each text cut and with a few of its characters left out."""
    chance = random.Random(seed)
    texts = []
    with open(REPOSITORY / "samples" / name, encoding="utf-8") as lines:
        for line in list(lines)[::step]:
            text = json.loads(line)["text"]
            gone = set(chance.sample(range(len(text)), max(1, len(text) // 80)))
            texts += [text, text[: len(text) * 9 // 10], "".join(c for at, c in enumerate(text) if at not in gone)]
    chance.shuffle(texts)
    return named(name.removesuffix(".jsonl"), texts)


def code(seed, files=12):
    """Small programs, laid out otherwise and with other names."""
    words = Words(seed)
    texts = []
    for _ in range(files):
        names = words.some(6)
        lines = []
        for _ in range(words.chance.choice([4, 12])):
            a, b = words.chance.choices(names, k=2)
            lines.append(f"let {a} = {b} + {words.chance.randint(0, 99)};")
        text = "\n".join(lines)
        texts += [text, text.replace("\n", "\n\n    "), text.replace(names[0], "other"), text + f"\nreturn {names[1]};"]
    words.chance.shuffle(texts)
    return named("code", texts)


def vectors(seed, bases=14):
    """Sparse vectors: edited a little and much, dominated by one dimension, negative, with few dimensions, all zero."""
    chance = random.Random(seed)
    rows = []
    for _ in range(bases):
        size = chance.choice([1, 2, 3, 12, 40])
        base = {f"f{chance.randrange(200)}": round(chance.uniform(-1, 3), 3) for _ in range(size)}
        rows.append(base)
        for noise in (0.01, 0.1, 0.5):
            rows.append({name: round(weight + chance.gauss(0, noise), 4) for name, weight in base.items()})
        rows.append({name: 2 * weight for name, weight in base.items()})
        rows.append({name: -weight for name, weight in base.items()})
        heavy = dict(base) | {"heavy": 50.0}
        rows += [heavy, heavy | {"other": 0.7}, {"heavy": 50.0, "apart": 30.0 + len(rows)}]
    rows += [{}, {"a": 0.0}, {"a": 0.0, "b": 0.0}, {"a": 10, "b": 1, "c": 2}, {"a": 10, "b": 1, "c": 2.1}]
    chance.shuffle(rows)
    return named("vectors", rows, "features")
