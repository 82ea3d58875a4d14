"""A case: a name, and the commands that are run one after another in a folder of its own."""

import shlex
from dataclasses import dataclass, field

# Figures that no two runs share, by the kind of output.
SUMMARY = ("seconds", "peak_memory")
TIME = ("time",)


@dataclass(frozen=True)
class Step:
    """One run of the binary; `in` is the folder of the corpora, WEB the address of a server that has them."""

    args: list
    code: int = 0  # how it is expected to end; a signal counts negative
    stdin: str = ""  # a file that it reads from standard input
    ignoring: tuple = ()  # keys of JSON on standard output whose numbers no two runs share
    silent: bool = False  # what it prints is not compared
    second: bool = False  # in a crossed case the other binary runs it
    file_limit: int = 0  # bytes of a file at which the system kills it
    leaves: str = ""  # a pattern of a file that must be there afterwards
    requests: tuple = ()  # what a server that it starts is asked: (method, path, body)
    python: bool = False  # the Python package is asked, by ask_python.py, and not the binary


@dataclass(frozen=True)
class Case:
    name: str
    steps: list
    quick: bool = False
    crossed: bool = False  # also run half by one binary and half by the other
    needs: str = ""  # what of the corpora must be there
    ignoring: dict = field(default_factory=dict)  # keys whose numbers no two runs share, by the end of a file's name


def step(command, **how):
    return Step(shlex.split(command), **how)


def case(name, *steps, code=0, **how):
    """A case of commands and steps; `code` is how its last command is expected to end."""
    made = [one if isinstance(one, Step) else step(one) for one in steps]
    if code:
        made[-1] = step(shlex.join(made[-1].args), code=code)
    how.setdefault("ignoring", {".summary.json": SUMMARY, ".export.jsonl": TIME, ".export.jsonl.gz": TIME})
    return Case(name, made, **how)
