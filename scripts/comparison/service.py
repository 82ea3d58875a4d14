"""`nearprint serve`: started, asked, and ended."""

import http.client
import signal
import subprocess
import threading

PATIENCE = 60  # seconds


def ask(command, requests, options):
    """The exit status, the answers one after another, and what the server said."""
    server = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, **options)
    watch = threading.Timer(PATIENCE, server.kill)
    watch.start()
    try:
        first = server.stderr.readline()
        answers = b""
        if b"://" in first:
            address = first.split(b"://")[1].split()[0].decode()
            answers = b"".join(answer(address, *request) for request in requests)
            server.send_signal(signal.SIGTERM)
        rest = server.stderr.read()
        return server.wait(), answers, first + rest
    finally:
        watch.cancel()
        server.kill()
        server.wait()


def answer(address, method, path, body):
    connection = http.client.HTTPConnection(address, timeout=PATIENCE)
    connection.request(method, path, body.encode(), {"Content-Type": "application/json"})
    response = connection.getresponse()
    head = f"{method} {path} {response.status} {response.getheader('Content-Type')}\n"
    text = head.encode() + response.read() + b"\n"
    connection.close()
    return text
