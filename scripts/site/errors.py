"""A page of every error message, made of the code: what `#[error("...")]` says, and the comment above it."""

import re

# What a crate is to a reader, in the order of the page; messages of other crates are an error.
CRATES = {
    "corpus": "Reading and writing files", "fingerprint": "Recipes, words and weights", "dedup": "Jobs over a corpus",
    "evaluation": "Labels and thresholds", "rules": "Settings of near-duplicates", "index": "Indexes and segments",
    "store": "Stores", "server": "The service", "bits": "Fingerprints", "nearprint": "Rust",
}
LITERAL = re.compile(r"""#\[error\(\s*"((?:[^"\\]|\\.)*)\"""", re.DOTALL)


def message(literal):
    """The text of a literal of Rust, with the names of what is put into it in capitals."""
    text = re.sub(r"\\\n\s*", "", literal)
    text = re.sub(r"""\\(["\\'])""", r"\1", text).replace("\\n", " ")
    text = text.replace("{{", "\0").replace("}}", "\1")
    text = re.sub(r"\{([a-z_]*)[^{}]*\}", lambda name: name[1].upper() or "...", text)
    return text.replace("\0", "{").replace("\1", "}")


def told(before):
    """The comment at the end of what stands before a message, as Markdown: names of the code lead nowhere."""
    lines = []
    for line in reversed(before.rstrip().splitlines()):
        line = line.strip()
        if line.startswith("///"):
            lines.append(line.removeprefix("///").strip())
        elif lines or not line.startswith("#["):
            break
    paragraphs = "\n".join(reversed(lines)).split("\n\n")
    return re.sub(r"\[(`[^`]+`)\](?:\([^)]*\))?", r"\1", " ".join(paragraphs[0].split()))


def messages(root):
    """The messages of each crate, in the order of its files."""
    found = {}
    for path in sorted(root.glob("crates/*/src/**/*.rs")):
        crate, text = path.relative_to(root).parts[1], path.read_text(encoding="utf-8")
        for literal in LITERAL.finditer(text):
            found.setdefault(crate, {}).setdefault(message(literal[1]), told(text[:literal.start()]))
    return found


def page(root):
    found = messages(root)
    unknown = set(found) - set(CRATES)
    assert not unknown, f"scripts/site/errors.py does not know the crates {unknown}"
    lines = ["# Every error message", "", "What the libraries say, as the command, Python and the service pass it on.",
             "Names in capitals stand for what is put there.",
             "[Messages and what to do](../messages.md) has those that new users meet.", ""]
    for crate, heading in CRATES.items():
        lines += [f"## {heading}", "", "| message | when |", "|---|---|"]
        for text, when in found.get(crate, {}).items():
            ticks = "``" if "`" in text else "`"
            lines.append(f"| {ticks}{text}{ticks} | {when} |".replace("\n", " "))
        lines.append("")
    return "\n".join(lines)
