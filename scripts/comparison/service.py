"""`nearprint serve`: started, asked, and ended."""

import http.client
import itertools
import os
import re
import signal
import subprocess
import threading
import time

PATIENCE = 60  # seconds
# A position in the changes of a store is of its history alone.
POSITION = re.compile(rb'"\d+-[0-9a-f]{32}"')
# A figure of Prometheus: its name and labels are compared.
METRIC = re.compile(rb"(?m)^([^#\n].*) \S+$")


def ask(command, requests, options):
    """The exit status, the answers one after another, and what the server said."""
    server = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        **options,
    )
    watch = threading.Timer(PATIENCE, end, [server])
    watch.start()
    try:
        first = server.stderr.readline()
        answers = b""
        if b"://" in first:
            address = first.split(b"://")[1].split()[0].decode()
            answers = b"".join(answer(address, *request) for request in requests)
            os.killpg(server.pid, signal.SIGTERM)
        rest = server.stderr.read()
        return server.wait(), answers, first + rest
    finally:
        watch.cancel()
        end(server)
        server.wait()


def end(server):
    """Kills the server, and what it started where it is a script."""
    try:
        os.killpg(server.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass  # it has ended


def answer(address, method, path, body):
    if method == "WAIT":
        return ended(address, path)
    connection = http.client.HTTPConnection(address, timeout=PATIENCE)
    connection.request(method, path, body.encode(), {"Content-Type": "application/json"})
    response = connection.getresponse()
    head = f"{method} {path} {response.status} {response.getheader('Content-Type')}\n"
    if path == "/v1/changes":
        # It goes on for ever: what there is comes before the first row `now`.
        lines = iter(response.readline, b"")
        content = b"".join(itertools.takewhile(lambda line: not line.startswith(b'{"row":"now"'), lines))
    else:
        content = response.read()
    connection.close()
    if path == "/metrics":
        content = b"\n".join(sorted(METRIC.sub(rb"\1 _", content).splitlines()))
    return head.encode() + POSITION.sub(b'"position"', content) + b"\n"


def ended(address, path):
    """The answer of a task that runs no longer."""
    for _ in range(PATIENCE * 10):
        told = answer(address, "GET", path, "")
        if b'"state":"running"' not in told and b'"running":{' not in told:
            break
        time.sleep(0.1)
    return told
