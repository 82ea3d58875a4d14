"""Pages of the command: the help of each verb as Markdown, its flags as headings. Where they are placed is in hooks."""

import re

INDENT = 10
# What stands for itself in help: flags, rows of JSON, files and addresses.
CODE = re.compile(r"""(?x) `[^`]*` | (?<![\w-])--?[a-z][\w-]*(?:=\S*\w)? | \{(?:[^{}\n]|\{[^{}\n]*\})*\}
                      | '[^' ]+'(?=[\s.,;:)]) | \b(?:s3|gs|az|https?)://(?:\S*\w/?)? | <[A-Z]+>""")


def sections(told):
    """The introduction, the usage, and the sections of a help by name, as lines."""
    before, _, rest = told.partition("\nUsage: ")
    lines = rest.splitlines()
    end = lines.index("") if "" in lines else len(lines)
    found, name = {}, None
    for line in lines[end:]:
        heading = re.fullmatch(r"(\S[^:]*):", line)
        if heading:
            name = heading[1]
            found[name] = []
        elif name:
            found[name].append(line)
    return before.strip(), [line.strip() for line in lines[:end]], found


def entries(lines):
    """The arguments or flags of a section, each with its lines."""
    found = []
    for line in lines:
        head = re.match(r" {2,6}([-<\[]\S.*)", line)
        if head:
            name, *told = re.split(r"  +", head[1], maxsplit=1)
            found.append((name, told))
        elif found:
            found[-1][1].append(line[INDENT:])
    return found


def listed(lines):
    """The verbs of a section, each with what it does."""
    found = {}
    for line in lines:
        verb = re.match(r"  (\S+) +(\S.*)", line)
        if verb:
            name = verb[1]
            found[name] = verb[2]
        elif line.strip():
            found[name] += " " + line.strip()
    return {name: told for name, told in found.items() if name != "help"}


def escaped(text):
    """Text of a help as Markdown: nothing in it is markup but what stands for itself."""
    text = re.sub(r"\[default: ([^\]]*)\]", r"Default: \1.", text)
    text = re.sub(r"\[possible values: ([^\]]*)\]", r"Values: \1.", text)
    parts, at = [], 0
    for code in CODE.finditer(text):
        parts += [plain(text[at:code.start()]), f"`{code[0].strip('`')}`"]
        at = code.end()
    return "".join([*parts, plain(text[at:])])


def plain(text):
    return re.sub(r"([*_\[\]#|])", r"\\\1", text.replace("&", "&amp;").replace("<", "&lt;"))


def paragraphs(lines):
    """What is told of a flag, as Markdown."""
    blocks = [[]]
    for line in lines:
        if line.strip():
            blocks[-1].append(line)
        else:
            blocks.append([])
    told = []
    for block in filter(None, blocks):
        items = re.split(r"\n(?=- )", "\n".join(block))
        for item in items:
            joined = " ".join(part.strip() for part in item.split("\n"))
            value = re.match(r"- ([^:]+): +(.*)", joined)
            told.append(f"- `{value[1]}`: {escaped(value[2])}" if value else escaped(joined) + "\n")
    return "\n".join(told).rstrip() + "\n"


def anchor(name):
    """Where a flag stands on its page: `similarity` for `--similarity <S>`."""
    flag = re.search(r"--([a-z][\w-]*)|-([a-zA-Z])|[<\[]([A-Z_]+)", name)
    return (flag[1] or flag[2] or flag[3]).lower()


def page(verb, help_told, pages):
    """The page of a verb. `pages` has the names of pages of verbs under it."""
    before, usage, found = sections(help_told)
    first, _, more = before.partition("\n\n")
    lines = [f"# {' '.join(('nearprint', *verb))}", "", escaped(" ".join(first.split())) + ".", ""]
    lines += [paragraphs(more.splitlines()), "```text", *usage, "```", ""]
    for name, block in found.items():
        if name == "Commands":
            lines += ["| verb | what it does |", "|---|---|"]
            lines += [f"| [`{one}`]({pages[one]}) | {escaped(does)} |" for one, does in listed(block).items()]
            lines.append("")
        elif name == "Examples":
            code = [line.strip() for line in block if line.startswith("  ")]
            lines += ["## Examples", "", "```sh", *code, "```", ""]
            lines += [escaped(" ".join(line for line in block if line and not line.startswith(" "))), ""]
        else:
            # -h is a flag of every verb.
            told = [entry for entry in entries(block) if entry[0] != "-h, --help"]
            lines += [f"## {name}", ""] if told else []
            for entry, about in told:
                lines += [f"### `{entry}` {{: #{anchor(entry)} }}", "", paragraphs(about), ""]
    return "\n".join(lines)
