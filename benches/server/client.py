"""A client of a language server over standard input and output."""
import json
import os
import pathlib
import queue
import subprocess
import threading
import time

# How long a response may take, in seconds.
PATIENCE = 300

CAPABILITIES = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {
        "publishDiagnostics": {"versionSupport": True, "relatedInformation": True},
        "completion": {"completionItem": {"snippetSupport": True}},
        "hover": {"contentFormat": ["markdown"]},
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "refactor", "source"]}},
            "resolveSupport": {"properties": ["edit"]},
            "dataSupport": True,
        },
        "codeLens": {},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "inlayHint": {"resolveSupport": {"properties": ["tooltip"]}},
    },
    "workspace": {"configuration": True, "workspaceFolders": True},
}


def encoded(message):
    """The bytes of a message with its header."""
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


class Client:
    """Starts a server, and reads all its messages in a thread."""

    def __init__(self, command, folder, settings):
        self.started = time.perf_counter()
        self.process = subprocess.Popen(command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.settings = settings
        self.lock = threading.Lock()
        self.waiting = {}
        self.diagnostics = queue.Queue()
        self.last = 0
        threading.Thread(target=self.read, daemon=True).start()
        folders = [{"uri": folder.as_uri(), "name": "w"}]
        params = {"processId": os.getpid(), "rootUri": folder.as_uri(), "workspaceFolders": folders, "capabilities": CAPABILITIES}
        self.capabilities = self.request("initialize", params)[1]["capabilities"]
        self.notify("initialized", {})
        self.notify("workspace/didChangeConfiguration", {"settings": settings})

    def send(self, message):
        self.write(encoded(message))

    def write(self, message):
        with self.lock:
            self.process.stdin.write(message)
            self.process.stdin.flush()

    def read(self):
        stream = self.process.stdout
        while header := stream.readline():
            length = 0
            while header.strip():
                name, _, value = header.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
                header = stream.readline()
            body = stream.read(length)
            now = time.perf_counter()
            message = json.loads(body)
            if "method" not in message:
                self.waiting.pop(message["id"]).put((now, message))
            elif message["method"] == "textDocument/publishDiagnostics":
                self.diagnostics.put((now, message["params"]))
            elif "id" in message:
                self.send({"id": message["id"], "result": self.answer(message)})

    def answer(self, message):
        if message["method"] != "workspace/configuration":
            return None
        return [self.settings.get(item.get("section", "")) for item in message["params"]["items"]]

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def ask(self, method, params):
        """Sends a request. Returns a function that waits for its time in milliseconds and its result."""
        self.last += 1
        response = self.waiting.setdefault(self.last, queue.Queue())
        start = time.perf_counter()
        self.send({"id": self.last, "method": method, "params": params})

        def wait():
            now, message = response.get(timeout=PATIENCE)
            if "error" in message:
                raise RuntimeError(f"{method}: {message['error']}")
            return (now - start) * 1000, message["result"]

        return wait

    def request(self, method, params):
        return self.ask(method, params)()

    def wait_for_diagnostics(self, uri, version):
        """The time at which the diagnostics of that version arrived, and the diagnostics."""
        while True:
            now, params = self.diagnostics.get(timeout=PATIENCE)
            if params["uri"] == uri and params.get("version", version) == version:
                return now, params["diagnostics"]

    def memory(self):
        """The resident memory in MB."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return next(int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS:"))

    def shut_down(self):
        """Ends the server as the protocol describes, and waits for its end."""
        self.request("shutdown", None)
        self.notify("exit", None)
        self.process.wait(timeout=PATIENCE)

    def kill(self):
        self.process.kill()
        self.process.wait()


class Suite:
    """A suite to open. The message that opens it is made before the server starts: the work of an editor is not measured."""

    def __init__(self, path):
        self.uri = path.as_uri()
        self.text = path.read_text()
        document = {"uri": self.uri, "languageId": "json", "version": 1, "text": self.text}
        self.opening = encoded({"method": "textDocument/didOpen", "params": {"textDocument": document}})
        self.cursor = self.position(self.text.index('"outcome": "', len(self.text) // 2) + len('"outcome": "'))

    def position(self, at):
        return self.text.count("\n", 0, at), at - self.text.rfind("\n", 0, at) - 1


class Editor:
    """A suite that is open in a server, with the cursor in the outcome of a case in the middle."""

    def __init__(self, client, suite):
        self.client = client
        self.suite = suite
        self.uri = suite.uri
        self.document = {"uri": self.uri}
        self.version = 1
        self.line, self.column = suite.cursor
        client.write(suite.opening)
        self.opened = client.wait_for_diagnostics(self.uri, 1)[0]

    @property
    def cursor(self):
        return {"line": self.line, "character": self.column}

    @property
    def screen(self):
        """The lines that an editor shows."""
        return {"start": {"line": max(0, self.line - 30), "character": 0}, "end": {"line": self.line + 30, "character": 0}}

    def change(self, start, end, text):
        """Replaces a range. Returns the time until its diagnostics, in milliseconds, and the diagnostics."""
        self.version += 1
        change = {"range": {"start": start, "end": end}, "text": text}
        begun = time.perf_counter()
        self.client.notify("textDocument/didChange", {"textDocument": {**self.document, "version": self.version}, "contentChanges": [change]})

        def wait():
            now, found = self.client.wait_for_diagnostics(self.uri, self.version)
            return (now - begun) * 1000, found

        return wait

    def type(self, text="x"):
        """Types a character at the cursor."""
        wait = self.change(self.cursor, self.cursor, text)
        self.column += len(text)
        return wait

    def break_another_case(self):
        """Deletes the quote that ends the id of the third case, and waits for the diagnostics."""
        at = -1
        for _ in range(3):
            at = self.suite.text.index('"id": "', at + 1)
        line, column = self.suite.position(self.suite.text.index('",', at))
        self.change({"line": line, "character": column}, {"line": line, "character": column + 1}, "")()
