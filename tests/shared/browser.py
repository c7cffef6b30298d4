# browser.py - a page in a real browser: chromium without a window, told what to do through two
# pipes (the DevTools protocol, one JSON message after another with a NUL between them).
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


def program():
    """The browser's path, None if there is none."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        path = shutil.which(name)
        if path:
            return path
    return None


class Browser:
    def __init__(self):
        # The browser makes sockets there, whose paths may have a hundred characters at most.
        self.folder = tempfile.mkdtemp(prefix="page-", dir="/tmp")
        to_read, self.to = os.pipe()
        self.come, from_write = os.pipe()
        os.set_inheritable(to_read, True)
        os.set_inheritable(from_write, True)
        command = [program(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                   "--no-first-run", "--disable-background-networking", "--disable-component-update",
                   "--hide-scrollbars", "--user-data-dir=" + self.folder, "--remote-debugging-pipe",
                   "about:blank"]
        # The browser reads from descriptor 3 and writes to 4.
        shell = f'exec "$@" 3<&{to_read} 4>&{from_write}'
        environment = dict(os.environ, HOME=self.folder, XDG_CONFIG_HOME=self.folder, XDG_CACHE_HOME=self.folder,
                           TMPDIR=self.folder)
        self.process = subprocess.Popen(["bash", "-c", shell, "bash"] + command, close_fds=False,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, env=environment)
        os.close(to_read)
        os.close(from_write)
        self.buffer, self.number, self.session, self.events = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def message(self, seconds):
        end = time.time() + seconds
        while b"\0" not in self.buffer:
            left = end - time.time()
            if left <= 0 or not select.select([self.come], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            more = os.read(self.come, 1 << 20)
            if not more:
                raise EOFError("the browser ended")
            self.buffer += more
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **params):
        self.number += 1
        call = {"id": self.number, "method": method, "params": params}
        if self.session:
            call["sessionId"] = self.session
        os.write(self.to, json.dumps(call).encode() + b"\0")
        while True:
            answer = self.message(120)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def show(self, path, width, height, dark):
        """Load a file, wait until it is there."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.events = []
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        end = time.time() + 120
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            if time.time() > end:
                raise TimeoutError("the page does not load")
            self.events.append(self.message(120))
        self.settle()

    def settle(self):
        """Wait until the page has drawn what it had to draw."""
        self.ask("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def ask(self, text):
        """The value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=text, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{text}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def key(self, name, text=None, shift=False):
        keys = {"key": name, "modifiers": 8 if shift else 0}
        codes = {"Enter": 13, "Escape": 27, "Tab": 9}
        if name in codes:
            keys["windowsVirtualKeyCode"] = codes[name]
        if text:
            keys["text"] = text
        self.call("Input.dispatchKeyEvent", type="keyDown", **keys)
        self.call("Input.dispatchKeyEvent", type="keyUp", **keys)
        self.settle()

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        self.settle()

    def picture(self, path, whole=False):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as out:
            out.write(base64.b64decode(data))

    def complaints(self):
        """Errors of the console, exceptions, and addresses outside of the file that were asked for."""
        self.ask("0")
        found = []
        for e in self.events:
            method, p = e.get("method"), e.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(p["exceptionDetails"]["text"] + str(p["exceptionDetails"].get("exception", "")))
            elif method == "Runtime.consoleAPICalled" and p["type"] in ("error", "warning", "assert"):
                found.append(str(p["args"]))
            elif method == "Log.entryAdded" and p["entry"]["level"] in ("error", "warning"):
                found.append(p["entry"]["text"])
            elif method == "Network.requestWillBeSent" and not p["request"]["url"].startswith("file:"):
                found.append("asked for " + p["request"]["url"])
        return found

    def close(self):
        try:
            self.call("Browser.close")
        except (EOFError, TimeoutError, RuntimeError, OSError):
            pass
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.come)
        shutil.rmtree(self.folder, ignore_errors=True)
