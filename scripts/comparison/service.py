"""`nearprint serve`: started, asked, and ended."""

import http.client
import os
import signal
import subprocess
import threading

PATIENCE = 60  # seconds


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
    connection = http.client.HTTPConnection(address, timeout=PATIENCE)
    connection.request(method, path, body.encode(), {"Content-Type": "application/json"})
    response = connection.getresponse()
    head = f"{method} {path} {response.status} {response.getheader('Content-Type')}\n"
    text = head.encode() + response.read() + b"\n"
    connection.close()
    return text
