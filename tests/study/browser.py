"""Drives a headless Chromium through its debugging pipe: JSON messages that end in a NUL, on descriptors 3 and 4."""

import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

TIMEOUT_S = 60


class Browser:
    def __init__(self):
        program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        if not program:
            raise FileNotFoundError("no chromium on PATH; ./dev test study installs it")
        self.profile = tempfile.mkdtemp(prefix="bloomery-browser-")
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()
        command = (f'exec "$0" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars '
                   f'--no-first-run --disable-background-networking --disable-component-update --disable-sync '
                   f'--user-data-dir="$1" --remote-debugging-pipe about:blank 3<&{theirs_in} 4>&{theirs_out}')
        self.process = subprocess.Popen(["bash", "-c", command, program, self.profile], pass_fds=(theirs_in, theirs_out),
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.input, self.output = os.fdopen(ours_in, "rb"), os.fdopen(ours_out, "wb")
        self.number, self.events, self.rest = 0, [], b""

    def close(self):
        self.process.kill()
        self.process.wait()
        self.input.close()
        self.output.close()
        shutil.rmtree(self.profile, ignore_errors=True)

    def receive(self):
        while b"\0" not in self.rest:
            if not select.select([self.input], [], [], TIMEOUT_S)[0]:
                raise TimeoutError("chromium says nothing")
            piece = os.read(self.input.fileno(), 1 << 20)
            if not piece:
                raise RuntimeError("chromium has gone")
            self.rest += piece
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        self.output.write(json.dumps(message).encode() + b"\0")
        self.output.flush()
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def page(self, **options):
        return Page(self, **options)


class Page:
    """A tab, and all that happened in it."""

    def __init__(self, browser, width=1200, height=900, dark=False, scripts=True):
        self.browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        if not scripts:
            self.call("Emulation.setScriptExecutionDisabled", value=True)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def open(self, path):
        self.call("Page.navigate", url=pathlib.Path(path).as_uri())
        self.wait("document.readyState === 'complete' && location.protocol === 'file:'")

    def run(self, expression):
        """The value of an expression; a promise is waited for."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"])
        return answer["result"].get("value")

    def wait(self, condition):
        """Asks again and again: the page's own timers stand still where its scripts are off."""
        end = time.monotonic() + TIMEOUT_S
        while not self.run(condition):
            if time.monotonic() > end:
                raise TimeoutError(condition)
            time.sleep(0.02)

    def mine(self, method):
        return [event["params"] for event in self.browser.events
                if event.get("sessionId") == self.session and event["method"] == method]

    def complaints(self):
        """Everything on the console that is not mere talk, and every exception."""
        found = [event["entry"]["text"] for event in self.mine("Log.entryAdded")]
        found += [str(event["exceptionDetails"]) for event in self.mine("Runtime.exceptionThrown")]
        found += [str(event["args"]) for event in self.mine("Runtime.consoleAPICalled")]
        return found

    def requests(self):
        return [event["request"]["url"] for event in self.mine("Network.requestWillBeSent")
                if not event["request"]["url"].startswith("data:")]

    def press(self, key, code=None, text=None):
        codes = {"Tab": 9, "Enter": 13}
        extra = {"text": text} if text else {}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code or key,
                      windowsVirtualKeyCode=codes.get(key, 0), **(extra if kind == "keyDown" else {}))

    def screenshot(self, path, whole=True):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole,
                         **({"clip": self.whole()} if whole else {}))["data"]
        pathlib.Path(path).parent.mkdir(parents=True, exist_ok=True)
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def whole(self):
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        return {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}

    def pdf(self, path):
        pathlib.Path(path).write_bytes(base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"]))
