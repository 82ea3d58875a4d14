"""A server that does to each connection what a script says: it waits, cuts short, or answers with anything."""

import json
import re
import socket
import threading
import time


class Hostile:
    """A server that does to each connection what its script says; the last script goes on for ever."""

    def __init__(self, *scripts):
        self._scripts = list(scripts)
        self.requests = []
        self.gone = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = "http://127.0.0.1:{}".format(self._listener.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            script = self._scripts.pop(0) if len(self._scripts) > 1 else self._scripts[0]
            threading.Thread(target=self._serve, args=(connection, script), daemon=True).start()

    def _serve(self, connection, script):
        with connection:
            try:
                script(self, connection)
            except OSError:
                pass

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._listener.close()


def read(server, connection):
    """Read a request whole; its body."""
    got = b""
    while b"\r\n\r\n" not in got:
        got += connection.recv(65536)
    head, _, body = got.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)content-length: (\d+)", head)
    while length and len(body) < int(length[1]):
        body += connection.recv(65536)
    server.requests.append((head.decode(), body))
    return body


def silent(server, connection):
    """Accept, and neither read nor answer; tell when the client has gone."""
    connection.settimeout(20)
    while connection.recv(65536):
        pass
    server.gone.set()


def deaf(_, connection):
    """Accept, and read nothing."""
    time.sleep(20)


def closing(server, connection):
    """Read, and close."""
    read(server, connection)


def says(text):
    """Read, answer these bytes, and close."""

    def script(server, connection):
        read(server, connection)
        connection.sendall(text)

    return script


def answers(status, body="", length=None, **headers):
    """Read, answer, and close; by `length` the answer may be cut short."""
    body = body.encode()
    lines = [f"HTTP/1.1 {status} Status", f"Content-Length: {len(body) if length is None else length}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return says("\r\n".join([*lines, "Connection: close", "", ""]).encode() + body)


def problem(status, code, **headers):
    text = {"type": f"urn:nearprint:problem:{code}", "status": status, "detail": f"a problem of {code}"}
    return answers(status, json.dumps(text), **headers)
