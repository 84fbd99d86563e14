"""A headless Chromium, driven through its debugging pipe: nothing but Python is needed for it."""

import json
import os
import shutil
import subprocess
import tempfile


class Chrome:
    """One browser with one tab. `events` are those of the page since it was opened last."""

    def __init__(self):
        program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        if program is None:
            raise FileNotFoundError("chromium is not installed (Debian: chromium)")
        self.folder = tempfile.mkdtemp(prefix="draudit-chrome-")
        to_read, self.to = os.pipe()
        self.source, from_write = os.pipe()

        def pipes():
            # Where --remote-debugging-pipe looks for them; by way of numbers that are surely free.
            os.dup2(to_read, 100)
            os.dup2(from_write, 101)
            os.dup2(100, 3)
            os.dup2(101, 4)

        self.process = subprocess.Popen(  # pylint: disable=consider-using-with
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
             "--disable-background-networking", "--disable-dev-shm-usage", "--disable-extensions",
             "--font-render-hinting=none", "--force-color-profile=srgb", "--remote-debugging-pipe",
             f"--user-data-dir={self.folder}", "about:blank"],
            close_fds=False, preexec_fn=pipes, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.buffer = b""
        self.last = 0
        self.session = None
        self.events = []
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self):
        self.process.terminate()
        self.process.wait(timeout=20)
        shutil.rmtree(self.folder, ignore_errors=True)

    def receive(self):
        while b"\0" not in self.buffer:
            more = os.read(self.source, 1 << 20)
            if not more:
                raise EOFError("the browser has gone")
            self.buffer += more
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **params):
        self.last += 1
        message = {"id": self.last, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.to, data):]
        while True:
            got = self.receive()
            if got.get("id") == self.last:
                if "error" in got:
                    raise RuntimeError(f"{method}: {got['error']['message']}")
                return got["result"]
            self.events.append(got)

    def open(self, path):
        self.events = []
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        while not any(e["method"] == "Page.loadEventFired" for e in self.events):
            self.events.append(self.receive())

    def size(self, width, height=900, scale=1):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale,
                  mobile=False)

    def media(self, scheme="light", kind="screen"):
        self.call("Emulation.setEmulatedMedia", media=kind,
                  features=[{"name": "prefers-color-scheme", "value": scheme}])

    def run(self, script):
        """The value of an expression in the page."""
        got = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in got:
            raise RuntimeError(got["exceptionDetails"].get("exception", {}).get("description", "script failed"))
        return got["result"].get("value")
