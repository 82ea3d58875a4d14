"""A folder in which one binary, or two in turn, run the steps of a case, and all that came of it."""

import gzip
import os
import re
import resource
import shutil
import subprocess
from pathlib import Path

from .service import ask

PATIENCE = 300  # seconds
NUMBER = rb"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?"
# Files of a store that hold the time, and how the database laid out its own.
OF_THE_DATABASE = re.compile(r"/(truth/.*|acknowledged|lock)$")
# Figures of time and memory in the closing summary on standard error.
TIMES = re.compile(rb"\d[\d.,]* (s|ms|us|[kMG]?B/s|min|h)\b|peak memory \d[\d.,]* \w+|:\d{4,5}\b")


def without(data, keys):
    """`data` with the numbers of these JSON keys blanked, and those of objects under these keys."""
    if not keys:
        return data
    names = "|".join(keys).encode()
    value = rb'("(?:%s)":\s*)(%s|\{[^{}]*\})' % (names, NUMBER)
    blank = lambda found: found[1] + re.sub(rb"(:\s*)" + NUMBER, rb"\1_", b":" + found[2])[1:]
    return re.sub(value, blank, data)


class Room:
    def __init__(self, folder, first, second, corpora, web):
        """`first` and `second` are each a binary and the Python that imports its package, if there is one."""
        self.folder, self.first, self.second, self.web = folder, first, second, web
        self.temporary = folder / "tmp"
        self.temporary.mkdir(parents=True)
        (folder / "work").mkdir()
        (folder / "in").symlink_to(corpora.resolve(), target_is_directory=True)

    def run(self, case, with_stderr):
        """Runs the case; everything that came of it by name, and what did not go as expected."""
        found, faults = {}, []
        for number, step in enumerate(case.steps, 1):
            shown = f"{number}: nearprint {' '.join(step.args)}"
            code, stdout, stderr = self.step(step)
            found[f"exit status of {shown}"] = str(code).encode()
            if not step.silent:
                found[f"standard output of {shown}"] = without(self.anonymous(stdout), step.ignoring)
            if with_stderr:
                found[f"standard error of {shown}"] = TIMES.sub(b"_", self.anonymous(stderr))
            if code != step.code:
                last = stderr.decode(errors="replace").strip().splitlines()[:3]
                faults.append(f"{shown}: ended with {code}, expected {step.code}: {' / '.join(last)}")
            if step.leaves and not any(self.folder.glob(step.leaves)):
                faults.append(f"{shown}: left no {step.leaves}")
        found.update(self.files(case))
        if all(one.code == 0 for one in case.steps) and not any(
            data for name, data in found.items() if not name.startswith(("exit", "standard error"))
        ):
            faults.append("nothing was written: this case compares nothing")
        return found, faults

    def step(self, step):
        binary, python = self.second if step.second else self.first
        program = [python, Path(__file__).with_name("ask_python.py")] if step.python else [binary]
        command = [*program, *(arg.replace("WEB", self.web) for arg in step.args)]
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("NEARPRINT_", "RUST_", "AWS_")) and name != "COLUMNS"
        }
        environment["TMPDIR"] = str(self.temporary)
        options = {"cwd": self.folder, "env": environment}
        if step.requests:
            return ask(command, step.requests, options)
        if step.file_limit:
            options["preexec_fn"] = lambda: resource.setrlimit(
                resource.RLIMIT_FSIZE, (step.file_limit, step.file_limit)
            )
        with open(self.folder / step.stdin if step.stdin else os.devnull, "rb") as stdin:
            try:
                run = subprocess.run(command, stdin=stdin, capture_output=True, timeout=PATIENCE, **options)
            except subprocess.TimeoutExpired:
                return "none", b"", f"it did not end within {PATIENCE} s".encode()
        return run.returncode, run.stdout, run.stderr

    def anonymous(self, data):
        return data.replace(str(self.folder).encode(), b"ROOM")

    def files(self, case):
        """The files and folders of the room by name; of a store those that do not hold the time."""
        found = {}
        for folder, folders, files in os.walk(self.folder):
            where = os.path.relpath(folder, self.folder)
            for name in folders + files:
                path, shown = os.path.join(folder, name), os.path.normpath(os.path.join(where, name))
                if shown == "in" or OF_THE_DATABASE.search(shown):
                    continue
                if os.path.isdir(path):
                    found[f"folder {shown}"] = b""
                    continue
                with open(path, "rb") as file:
                    data = file.read()
                for end, keys in case.ignoring.items():
                    if name.endswith(end):
                        data = gzip.decompress(data) if end.endswith(".gz") else data
                        data = without(data, keys)
                found[f"file {shown}"] = data
        return found

    def remove(self):
        shutil.rmtree(self.folder)
