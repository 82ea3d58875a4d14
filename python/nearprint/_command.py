"""Jobs of the command: its arguments, what it says, and its figures."""

# What is not needed by every call is imported where it is: `import nearprint` stays light.

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, cast

from nearprint._columns import names_of

Summary = dict[str, Any]
# Options that the command takes once, with commas.
_LISTS = frozenset({"text_field", "text_column"})

Paths = str | bytes | os.PathLike[str] | Iterable[str | bytes | os.PathLike[str]]


def flags_of(options: Mapping[str, object]) -> list[str]:
    """Give the flags of some options; those that are ``None`` or ``False`` are none."""
    flags = []
    for name, value in options.items():
        # What the command takes as one list: the parts of a split, the fields that are one text.
        if isinstance(value, Mapping):
            value = ",".join(f"{part}={share}" for part, share in value.items())
        elif name in _LISTS and isinstance(value, (list, tuple)):
            value = ",".join(map(str, value))
        flag = ("-" if len(name) == 1 else "--") + name.replace("_", "-")
        single = value is None or isinstance(value, (str, bytes, os.PathLike, bool, int, float))
        if not single and (not isinstance(value, Iterable) or names_of(value)):
            raise TypeError(
                f"{name}= takes a value or a list of them, not a {type(value).__name__}: a table is taken by the calls over "
                f"rows in memory, such as nearprint.dedup(data, {name}=table)"
            )
        for one in [value] if single else cast("Iterable[object]", value):
            if one is True:
                flags.append(flag)
            elif one is not None and one is not False:
                told_as = os.fsdecode(one) if isinstance(one, (str, bytes, os.PathLike)) else str(one)
                flags.append(f"{flag}={told_as}")
    return flags


def arguments_of(
    options: Mapping[str, object], inputs: Paths, output: str | bytes | os.PathLike[str] | None
) -> list[str]:
    """Give the arguments of a job over files; without an output it writes reports alone."""
    args = [inputs] if isinstance(inputs, (str, bytes, os.PathLike)) else list(inputs)
    named = [] if output is None else [f"--output={os.fsdecode(output)}"]
    return [*flags_of(options), *named, "--", *map(os.fsdecode, args)]


def printed(verb: str, options: Mapping[str, object], inputs: Paths) -> Any:
    """Run a verb that prints JSON, in a process of its own, and read what it prints."""
    import json
    import subprocess
    import sys

    from nearprint import errors

    arguments = [verb, "--format=json", *arguments_of(options, inputs, None)]
    done = subprocess.run([sys.executable, "-m", "nearprint", *arguments], capture_output=True, check=False)
    if done.returncode == 0:
        return json.loads(done.stdout)
    said = done.stderr.decode("utf-8", "replace")
    raise errors.InputError(said[max(said.find("error: "), 0) :].removeprefix("error: ").strip())


def summary_of(figures: str) -> Summary:
    """Give the figures of a job, which are JSON."""
    import json

    summary: Summary = json.loads(figures)
    return summary


def tell(remarks: list[str], left_out: list[str]) -> None:
    """Let the logger hear what the command said."""
    import logging

    log = logging.getLogger("nearprint")
    if not log.handlers:
        log.addHandler(logging.NullHandler())
    for remark in remarks:
        log.info(remark)
    for lost in left_out:
        log.warning(lost)
