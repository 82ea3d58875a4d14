"""What the command says of its flags, told of the arguments that these are in Python."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache

from nearprint._kinds import KINDS

_USAGE = re.compile(r"\s*(?:\n\nUsage:|\n\nFor more information, try).*", re.DOTALL)
_TIP = re.compile(r"\s+tip: ")
# What clap advises by itself.
_USUAL_TIP = re.compile(r"; (?:a similar argument exists|some similar arguments exist|to pass ).*", re.DOTALL)
_NAMED = r"'?--?([A-Za-z][\w-]*)(?:[ =]<[^>]*>)?(?:\.\.\.)?'?"
_QUOTED = re.compile(r"(?<!=)'(--?[A-Za-z][\w-]*(?: <[^>]*>)?)'")
_UNKNOWN = re.compile(rf"^unexpected argument {_NAMED} found(?:; (.*))?", re.DOTALL)
_SAID = (
    (rf"invalid value '([^']*)' for {_NAMED}", r"--\2='\1'"),
    ("invalid digit found in string", "give a whole number"),
    ("invalid float literal", "give a number"),
    (rf"unexpected value '([^']*)' for {_NAMED} found; no more were expected", r"--\2='\1': give True or False"),
    (rf"a value is required for {_NAMED} but none was supplied", r"--\1 takes a value"),
    (rf"the argument {_NAMED} cannot be used multiple times", r"--\1 takes one value, and several are given"),
    (rf"the argument {_NAMED} cannot be used with {_NAMED}", r"--\1 and --\2 are both given: give one of them"),
    (rf"the argument {_NAMED} cannot be used with(?: one or more of the other specified arguments|:)", r"--\1 goes without"),
    (r"the following required arguments were not provided: <IN>\.\.\.", "no input is named: give the path of a file or a folder"),
    (r"the following required arguments were not provided: (.*)", r"\1 is needed"),
)
# The steps of `clean` take flags as they are.
_OF_STEP = re.compile(r"(dedup|passages|decontaminate): ")
_SHORT = {"k": "k", "o": "output", "q": "quiet"}
# Flags that are given alone, and words that others are given with, where the command advises these.
_ALONE = frozenset({"force"})
_WORDS = {
    "encoding": ("latin1",),
    "html": ("main", "full"),
    "input_format": ("text", "jsonl"),
    "quote": ("none",),
    "recall": ("exact",),
    "recipe": ("web",),
}
_WITH_FILES = ("dedup", "passages", "decontaminate", "split", "clean")
_VERBS = "|".join((*_WITH_FILES, "decide", "tune", "evaluate"))
_COMMAND = re.compile(rf"`(?:nearprint )?({_VERBS})((?: --[a-z][\w-]*(?: (?!-)[^\s`]+)*)+)`")
_OPTION = re.compile(r"--([a-z][\w-]*)(?: ((?!-)[^`]+?))?(?= --|$)")
_SHOWN_OPTION = re.compile(r"`--([a-z][\w-]*) ((?!-)[^`]+)`")
# A flag is a word of the message. What stands in quotes is of a text that was given, or is to be.
_FLAG = re.compile(
    rf"(?<![^\s(`/])(?:--([a-z][\w-]*)|-([{''.join(_SHORT)}]))(?![\w/-]|\.\w)"
    r"(?: <[^>]*>|[ =]([A-Z]+\b|[0-9][\d.]*\b))?(=?)"
)
_SHOWN = re.compile(r"`[^`]+`")
_HELD = re.compile("\ue000(\\d+)\ue001")


def in_python(
    message: str,
    unknown: Callable[[str], str],
    named: Callable[[str], str | None],
    files: Iterable[str] = (),
) -> str:
    """Tell a message of the command: in one sentence, and of arguments where it names flags.

    Names of files, and commands that are shown, stay as they are.
    """
    held: list[str] = []

    def hold(found: re.Match[str]) -> str:
        if found[0].startswith("`-") or _COMMAND.fullmatch(found[0]):
            return found[0]
        held.append(found[0])
        return f"\ue000{len(held) - 1}\ue001"

    names = {name for name in files if _FLAG.search(name) and not _FLAG.fullmatch(name)}
    longest = sorted(names, key=len, reverse=True)
    for told in (*(re.compile(re.escape(name)) for name in longest), _SHOWN):
        message = told.sub(hold, message)
    message = _of_arguments(message, unknown, named)
    # A name may be within a command.
    while _HELD.search(message):
        message = _HELD.sub(lambda place: held[int(place[1])], message)
    return message


def _of_arguments(message: str, unknown: Callable[[str], str], named: Callable[[str], str | None]) -> str:
    if _USAGE.search(message):
        message = _TIP.sub("; ", _USAGE.sub("", message).removeprefix("error: "))
        message = " ".join(message.split())
        if _OF_STEP.match(message):
            return message
        found = _UNKNOWN.search(message)
        if found:
            name, advice = found[1].replace("-", "_"), found[2]
            said = unknown(name)
            own = advice is not None and not _USUAL_TIP.match(f"; {advice}")
            message = f"{said.split(':')[0]}: {advice}" if own else said
        message = _USUAL_TIP.sub("", message)
        for pattern, told in _SAID:
            message = re.sub(pattern, told, message)
        message = _QUOTED.sub(r"\1", message)
    message = _COMMAND.sub(_called, message)
    message = _SHOWN_OPTION.sub(lambda shown: f"{named(_own(shown[1])) or _own(shown[1])}={shown[2]!r}", message)

    def argument(flag: re.Match[str]) -> str:
        name = named(_own(flag[1] or _SHORT[flag[2]]))
        if name in _ALONE and not (flag[3] or flag[4]):
            return f"{name}=True"
        return f"{name}={flag[3] or ''}" if name is not None else flag[0]

    message = _FLAG.sub(argument, message)
    message = re.sub(r"\b(\w+)= (\w+|'\"')(?!\w)", _with_word, message)
    message = re.sub(r"^(\w+)= ([^\s'=]+): ", r"\1='\2': ", message)
    return re.sub(r"^(\w+)=: ", r"\1: ", message)


def _with_word(said: re.Match[str]) -> str:
    """An argument with the word behind it, where it takes that word."""
    name, word = said[1], said[2]
    if word.startswith("'"):
        return f"{name}={word}"
    kind = KINDS.get(name)
    takes = word in _WORDS.get(name, ()) or kind is not None and f"'{word}'" in kind.says
    return f"{name}='{word}'" if takes else said[0]


def _own(flag: str) -> str:
    """The name of a flag as one writes it in Python."""
    return flag.replace("-", "_")


def _called(command: re.Match[str]) -> str:
    verb, flags = command[1], command[2]
    # What is to be put there is in capitals.
    told = ((_own(name), repr(value) if value.upper() != value else value) for name, value in _OPTION.findall(flags))
    given = [f"{name}={value or '...'}" for name, value in told]
    return f"nearprint.{verb}{'_files' if verb in _WITH_FILES else ''}({', '.join(('...', *given))})"


@cache
def options_of(verb: str) -> tuple[str, ...]:
    """The options of a verb of the command, as arguments of Python."""
    import subprocess
    import sys

    told = subprocess.run([sys.executable, "-m", "nearprint", verb, "--help"], capture_output=True, text=True, check=False)
    named = re.findall(r"^ +(?:-(\w))?(?:, )?(?:--([a-z][\w-]*))?", told.stdout, re.MULTILINE)
    names = [(long or short).replace("-", "_") for short, long in named]
    return tuple(name for name in names if name not in ("", "help", "version"))
