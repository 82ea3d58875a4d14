"""The scripts of deploy/shards, each under a scheduler of few lines: they write what `dedup` writes."""

import json
import os
import pathlib
import subprocess
import sys
import textwrap

import pytest

REPOSITORY = pathlib.Path(__file__).parents[2]
SCRIPTS = REPOSITORY / "deploy" / "shards"
STAGES = ["sketch", "join", "cluster", "gather", "solve", "write"]
# A scheduler is a program of these names on the PATH. It writes what it was told to the file `told`.
SBATCH = """
    args, script = sys.argv[1:], sys.stdin.read()
    array = next(arg for arg in args if arg.startswith("--array=1-"))
    count = int(array.removeprefix("--array=1-"))
    tell({"args": args, "count": count})
    for task in range(count, 0, -1):
        ran = subprocess.run(["sh"], input=script, text=True, env={**os.environ, "SLURM_ARRAY_TASK_ID": str(task)})
        if ran.returncode:
            sys.exit(f"task {task} of {args} ended with {ran.returncode}")
    print(1000 + len(told()))
"""
KUBECTL = """
    import yaml
    match sys.argv[1:]:
        case ["create", "-f", "-"]:
            job = yaml.safe_load(sys.stdin)
            tell({"job": job})
            spec, failed = job["spec"], False
            container = spec["template"]["spec"]["containers"][0]
            for index in range(spec["completions"]):
                # The image has the command sh; PATH is that of this machine.
                ran = subprocess.run(container["command"], env={**os.environ, "JOB_COMPLETION_INDEX": str(index)})
                failed |= ran.returncode != 0
            open("conditions", "w").write("FailureTarget Failed" if failed else "SuccessCriteriaMet Complete")
        case ["get", name, "-o", _]:
            assert name == "job/" + told()[-1]["job"]["metadata"]["name"]
            print(open("conditions").read())
        case ["delete", "--ignore-not-found", _]:
            pass
        case args:
            sys.exit(f"kubectl: {args}?")
"""
HEAD = """#!{python}
import json, os, subprocess, sys
def told():
    return [json.loads(line) for line in open("told")] if os.path.exists("told") else []
def tell(what):
    open("told", "a").write(json.dumps(what) + "\\n")
"""


@pytest.fixture
def place(tmp_path, crawl):
    """A folder with a crawl, and a folder of programs, of which one is the command of this environment."""
    programs = tmp_path / "programs"
    programs.mkdir()
    (programs / "nearprint").write_text(f'#!/bin/sh\nexec "{sys.executable}" -m nearprint "$@"\n')
    (programs / "nearprint").chmod(0o755)
    return tmp_path


def scheduler(place, name, body):
    path = place / "programs" / name
    path.write_text(HEAD.format(python=sys.executable) + textwrap.dedent(body))
    path.chmod(0o755)


def ran(place, *command, check=True):
    path = f"{place / 'programs'}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        command, cwd=place, env={**os.environ, "PATH": path}, check=check, capture_output=True, text=True
    )


def created(place, *flags):
    ran(place, "nearprint", "shard", "create", "a job", "crawl", "-o", "clean/", "--removed", "removed/", *flags)


def written(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def check_outputs(place):
    """The job has written what `dedup` writes."""
    ran(place, "nearprint", "dedup", "crawl", "-o", "by-dedup/", "--removed", "by-dedup.jsonl")
    assert written(place / "clean") == written(place / "by-dedup")
    removed = b"".join(text for _, text in sorted(written(place / "removed").items()))
    assert removed == (place / "by-dedup.jsonl").read_bytes() != b""


def told(place):
    return [json.loads(line) for line in (place / "told").read_text().splitlines()]


def test_slurm(place):
    scheduler(place, "sbatch", SBATCH)
    created(place, "--threads", "2")
    out = ran(place, SCRIPTS / "slurm.sh", "a job", "4", "--partition=short").stdout
    assert out.splitlines() == [f"{stage}: {1001 + at}" for at, stage in enumerate(STAGES)]
    for at, array in enumerate(told(place)):
        assert array["count"] == (1 if STAGES[at] == "cluster" else 4)
        assert array["args"][-1] == "--partition=short" and f"--job-name=nearprint-{STAGES[at]}" in array["args"]
        assert (f"--dependency=afterok:{1000 + at}" in array["args"]) == (at > 0)
    check_outputs(place)


def test_a_stage_of_slurm_that_cannot_be_submitted_ends_the_script(place):
    scheduler(place, "sbatch", "sys.exit(1)")
    created(place)
    done = ran(place, SCRIPTS / "slurm.sh", "a job", "4", check=False)
    assert done.returncode != 0 and done.stdout == ""


def gnu_parallel():
    """GNU parallel: another program has its name, too."""
    try:
        said = subprocess.run(["parallel", "--version"], capture_output=True, text=True).stdout
    except OSError:
        said = ""
    if "GNU" not in said:
        subprocess.run([REPOSITORY / "scripts" / "skip", "deploy/shards/parallel.sh: no GNU parallel"], check=True)
        pytest.skip("no GNU parallel")


def test_gnu_parallel(place):
    gnu_parallel()
    created(place, "--threads", "1")
    ran(place, SCRIPTS / "parallel.sh", "a job", "4", "--jobs", "2")
    check_outputs(place)


def test_gnu_parallel_ends_at_the_stage_that_failed(place):
    gnu_parallel()
    created(place, "--threads", "1")
    (place / "crawl" / "1.jsonl").write_text("")
    done = ran(place, SCRIPTS / "parallel.sh", "a job", "4", "--jobs", "2", check=False)
    assert done.returncode != 0 and "1.jsonl" in done.stderr and "shard join" not in done.stderr


def test_kubernetes(place):
    scheduler(place, "kubectl", KUBECTL)
    created(place, "--threads", "2")
    ran(place, SCRIPTS / "kubernetes.sh", "a job", "4")
    jobs = [told["job"] for told in told(place)]
    assert [job["metadata"]["name"] for job in jobs] == [f"nearprint-{stage}" for stage in STAGES]
    for job in jobs:
        spec = job["spec"]
        assert spec["completionMode"] == "Indexed" and spec["template"]["spec"]["restartPolicy"] == "Never"
        assert spec["completions"] == spec["parallelism"] == (1 if "cluster" in job["metadata"]["name"] else 4)
    check_outputs(place)


def test_kubernetes_ends_at_the_stage_that_failed(place):
    scheduler(place, "kubectl", KUBECTL)
    created(place, "--threads", "2")
    (place / "crawl" / "1.jsonl").write_text("")
    done = ran(place, SCRIPTS / "kubernetes.sh", "a job", "4", check=False)
    assert done.returncode == 1 and "a task of sketch failed" in done.stderr
    assert len(told(place)) == 1
