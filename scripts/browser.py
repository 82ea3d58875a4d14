"""Chromium without a window, for the checks that look at pages."""

import atexit
import base64
import fcntl
import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path

NAME = Path(sys.argv[0]).name
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-default-apps",
    "--disable-extensions", "--hide-scrollbars", "--remote-debugging-pipe",
]
# What looks for barriers: rules of WCAG 2.2 A and AA, and what it takes for good practice.
AXE = Path(__file__).resolve().parent.parent / "target/axe/node_modules/axe-core/axe.min.js"
# Where rows of tiles end before the edge of all.
TILES = """(() => {
    const tiles = [...document.querySelectorAll('.tiles')];
    return tiles.flatMap((all) => {
        const edge = all.getBoundingClientRect().right, ends = new Map();
        for (const one of all.children) {
            const {top, right} = one.getBoundingClientRect();
            ends.set(top, Math.max(right, ends.get(top) ?? 0));
        }
        return [...ends.values()].filter((end) => edge - end > 3);
    });
})()"""
# Seconds that a page may take for a step.
PATIENCE = 60


class Navigated(Exception):
    """The page left for another while it was asked."""


def skip_axe():
    """Notes where axe-core is not installed. Returns whether that may be."""
    skip = Path(__file__).with_name("skip")
    return AXE.exists() or subprocess.call([skip, f"{NAME}: there is no axe-core (scripts/setup installs it)"]) == 0


class Browser:
    """A page in Chromium, spoken to in its protocol: messages of JSON that end with a zero byte."""

    def __init__(self, program, folder, check):
        self.check = check
        (to_read, self.write), (self.read, to_write) = os.pipe(), os.pipe()
        # Out of the way of the two numbers that the browser expects.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (to_read, to_write)]
        os.close(to_read), os.close(to_write)

        def place():
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        command = [program, *FLAGS, f"--user-data-dir={folder / 'browser'}", "about:blank"]
        self.process = subprocess.Popen(
            command, pass_fds=(3, 4), preexec_fn=place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        atexit.register(self.process.kill)
        for end in ends:
            os.close(end)
        self.rest, self.number, self.session, self.events = b"", 0, None, []
        page = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.ask(f"{domain}.enable")

    def message(self):
        until = time.monotonic() + PATIENCE
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.read], [], [], max(0, until - time.monotonic()))
            data = os.read(self.read, 1 << 20) if ready else b""
            if not data:
                raise SystemExit(f"{NAME}: the browser does not answer")
            self.rest += data
        line, self.rest = self.rest.split(b"\0", 1)
        return json.loads(line)

    def ask(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.write, data):]
        while (answer := self.message()).get("id") != self.number:
            self.events.append(answer)
        if "error" in answer:
            if "navigated" in answer["error"].get("message", ""):
                raise Navigated(method)
            raise SystemExit(f"{NAME}: {method}: {answer['error']}")
        return answer["result"]

    def eval(self, expression):
        result = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise SystemExit(f"{NAME}: {expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, expression, what):
        """Whether something comes to hold."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                if self.eval(f"!!({expression})"):
                    return True
            except Navigated:
                pass
            time.sleep(0.05)
        self.check(False, f"{what}: {expression} did not come to hold")
        return False

    def open(self, url):
        self.events.clear()
        self.ask("Page.navigate", url=url)
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'", url)

    def click(self, selector):
        where = self.eval(
            f"(() => {{ const it = document.querySelector({json.dumps(selector)}); if (!it) return null;"
            "it.scrollIntoView({block: 'center', behavior: 'instant'}); const at = it.getBoundingClientRect();"
            "return {x: at.x + Math.min(at.width, 120) / 2, y: at.y + at.height / 2} })()")
        if where is None:
            return self.check(False, f"nothing to click: {selector}")
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, **where, button="left", clickCount=1)

    def type(self, text):
        self.ask("Input.insertText", text=text)

    def key(self, name, modifiers=0, **code):
        code = code or {"key": name, "text": name}
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, modifiers=modifiers, **code)

    def clear(self, selector):
        self.eval(f"document.querySelector({json.dumps(selector)}).value = ''")
        self.click(selector)

    def text(self, selector):
        return self.eval(f"document.querySelector({json.dumps(selector)})?.innerText ?? null")

    def texts(self, selector):
        return self.eval(f"[...document.querySelectorAll({json.dumps(selector)})].map((it) => it.innerText)")

    def look(self, dark=False, width=1280, height=1000):
        self.ask("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce"}])
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def picture(self, path):
        self.eval("window.scrollTo({top: 0, behavior: 'instant'})")
        data = self.ask("Page.captureScreenshot", format="png", captureBeyondViewport=True)["data"]
        path.write_bytes(base64.b64decode(data))

    def remarks(self):
        """What axe-core remarks on the page as it is; nothing where it is not installed."""
        if not AXE.exists():
            return []
        if not self.eval("!!window.axe"):
            self.eval(AXE.read_text() + "; undefined")
        what = "found.violations.map((it) => `${it.id}: ${it.nodes.map((node) => node.target)}`)"
        return self.eval(f"axe.run().then((found) => {what})")

    def gaps(self):
        """Where rows of tiles end before their edge: a tile is missing there."""
        return self.eval(TILES)

    def named(self, method):
        return [event["params"] for event in self.events if event.get("method") == method]

    def end(self):
        self.session = None
        self.ask("Browser.close")
        self.process.wait(PATIENCE)
