"""Pages of two sites for benchmarks/web.py: articles of real prose, each under a frame of either site.

The prose is that of the tutorial, the how-tos and the news of the Python manual. The frames are made: menus of links
before the article, behind it or on both sides, a footer, and on some a notice about cookies.
"""
import html
import random
import re

LENGTHS = (90, 165, 300, 600)
FRAMES = (0, 15, 30, 60, 120, 240)
EACH = 3
PROSE = ("tutorial", "howto", "whatsnew", "faq")
PARAGRAPH = re.compile(r"<p>(.*?)</p>", re.S)
TAG = re.compile(r"<[^>]+>")
NOTICE = "We and our partners use cookies to show you what you like. You can change this at any time."


def words_of_prose(folder):
    """Sentences of the manual, each once."""
    sentences, seen = [], set()
    for name in PROSE:
        for path in sorted(folder.rglob(f"{name}/*.html")):
            for paragraph in PARAGRAPH.findall(path.read_text(encoding="utf-8", errors="replace")):
                text = " ".join(html.unescape(TAG.sub("", paragraph)).split())
                for sentence in re.split(r"(?<=[.!?]) ", text):
                    if len(sentence.split()) > 4 and sentence not in seen:
                        seen.add(sentence)
                        sentences.append(sentence)
    return sentences


def articles(sentences):
    """(frame words, layout, article) for each cell, no sentence in two articles."""
    rest = iter(sentences)
    for frame in FRAMES:
        for layout in range(3):
            for length in LENGTHS:
                for _ in range(EACH):
                    taken, count = [], 0
                    while count < length:
                        taken.append(next(rest))
                        count += len(taken[-1].split())
                    yield frame, layout, taken


def menu(rng, words):
    names = ["".join(rng.choice(("ka", "lo", "mi", "ne", "ru", "sta", "ver", "xi")) for _ in range(rng.randint(2, 3)))
             for _ in range(words)]
    entries = (" ".join(names[at:at + 2]) for at in range(0, len(names), 2))
    return "<ul>" + "".join(f'<li><a href="#">{entry}</a></li>' for entry in entries) + "</ul>"


def paragraphs(sentences):
    parts = (sentences[at:at + 4] for at in range(0, len(sentences), 4))
    return "".join(f"<p>{html.escape(' '.join(part))}</p>\n" for part in parts)


def soup(before, article, after, footer, notice):
    return f"<div>{notice}</div><div><div>{before}</div><div>{article}</div><div>{after}</div></div><div>{footer}</div>"


def named(before, article, after, footer, notice):
    return (f'<div class="cookie-notice">{notice}</div><div class="nav">{before}</div><div id="content">{article}</div>'
            f'<div class="links menu">{after}</div><div id="footer">{footer}</div>')


def table(before, article, after, footer, notice):
    return (f"{notice}<table><tr><td width=160>{before}</td><td>{article}</td></tr></table><hr>{after}<hr>"
            f"<small>{footer}</small>")


def semantic(before, article, after, footer, notice):
    return (f"<dialog open>{notice}</dialog><header><nav>{before}</nav></header><main><article>{article}</article></main>"
            f"<nav>{after}</nav><footer>{footer}</footer>")


TEMPLATES = (soup, named, table, semantic)


def page(template, site, frame, layout, sentences):
    """A page of a site: its frame has so many words, whatever the article."""
    rng = random.Random(f"{site} {frame} {layout}")
    in_menus = frame - frame // 6
    before, after = [(in_menus, 0), (0, in_menus), (in_menus // 2, in_menus - in_menus // 2)][layout]
    footer = " ".join(rng.choice(("paper", "river", "every", "week", "stone", "letter")) for _ in range(frame // 6))
    footer = f"<p>{footer.capitalize()}.</p>" if footer else ""
    title = " ".join(sentences[0].split()[:5])
    article = f"<h1>{html.escape(title)}</h1>\n{paragraphs(sentences)}"
    body = template(menu(rng, before), article, menu(rng, after), footer, f"<p>{NOTICE}</p>" if frame == 120 else "")
    return f"<!DOCTYPE html><html><head><title>{html.escape(title)}</title></head><body>{body}</body></html>"


def write(folder, manual):
    """Writes the pages below a folder; tells how many articles there are. Page `a/N.html` is page `b/N.html`."""
    count = 0
    for site in "ab":
        (folder / site).mkdir(parents=True)
    for at, (frame, layout, sentences) in enumerate(articles(words_of_prose(manual))):
        for site, template in zip("ab", (TEMPLATES[at % 4], TEMPLATES[at // 4 % 4])):
            path = folder / site / f"{at:04}.html"
            path.write_text(page(template, site, frame, layout, sentences), encoding="utf-8")
        count = at + 1
    return count
