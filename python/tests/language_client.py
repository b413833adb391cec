"""A client of the language server protocol, as small as the tests need."""

import json
import os
import pathlib
import subprocess
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("JOBMLIR_BUILD_DIR", ROOT / "build"))
SERVER = BUILD / "bin" / "job-lsp-server"


def encode(message):
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def to_position(text, offset):
    """A position of the protocol: a line and UTF-16 units in it."""
    before = text[:offset]
    line = before.rpartition("\n")[2]
    return {
        "line": before.count("\n"),
        "character": len(line.encode("utf-16-le")) // 2,
    }


def to_offset(text, position):
    lines = text.split("\n")
    line = lines[position["line"]].encode("utf-16-le")
    return (
        sum(len(other) + 1 for other in lines[: position["line"]])
        + len(line[: 2 * position["character"]].decode("utf-16-le"))
    )


def apply(text, edits):
    """The text after edits of the protocol."""
    for edit in sorted(edits, key=lambda e: -to_offset(text, e["range"]["start"])):
        begin = to_offset(text, edit["range"]["start"])
        end = to_offset(text, edit["range"]["end"])
        text = text[:begin] + edit["newText"] + text[end:]
    return text


class Client:
    """A running server. Use it as a context: at its end the server must exit
    with 0."""

    def __init__(self, snippets=False, timeout=120):
        self.process = subprocess.Popen(
            [SERVER, "--log=error"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        # A server that hangs ends the test.
        self.timer = threading.Timer(timeout, self.process.kill)
        self.timer.daemon = True
        self.timer.start()
        self.last_id = 0
        self.version = 0
        self.texts = {}
        self.notifications = []
        completion = {"completionItem": {"snippetSupport": snippets}}
        self.capabilities = self.request(
            "initialize",
            processId=None,
            rootUri=None,
            capabilities={"textDocument": {
                "completion": completion,
                "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
            }},
        )
        self.notify("initialized")

    def __enter__(self):
        return self

    def __exit__(self, kind, value, traceback):
        self.timer.cancel()
        if kind:
            self.process.kill()
            self.process.wait()
            return
        self.request("shutdown")
        self.notify("exit")
        assert self.process.wait(timeout=60) == 0
        self.process.stdin.close()
        self.process.stdout.close()

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def read(self):
        length = None
        while True:
            line = self.process.stdout.readline()
            assert line, f"the server ended with {self.process.wait()}"
            if line == b"\r\n":
                break
            name, value = line.split(b":")
            if name.lower() == b"content-length":
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def notify(self, method, **params):
        self.write(encode({"jsonrpc": "2.0", "method": method, "params": params}))

    def answer(self, method, params):
        """The whole answer, which may be an error."""
        self.last_id += 1
        self.write(encode({"jsonrpc": "2.0", "id": self.last_id, "method": method,
                           "params": params}))
        while True:
            message = self.read()
            if message.get("id") == self.last_id:
                return message
            self.notifications.append(message)

    def request(self, method, **params):
        answer = self.answer(method, params)
        assert "error" not in answer, answer
        return answer["result"]

    def open(self, text, uri="file:///model.mlir"):
        """Opens a text, or replaces it."""
        self.version += 1
        if uri in self.texts:
            self.notify(
                "textDocument/didChange",
                textDocument={"uri": uri, "version": self.version},
                contentChanges=[{"text": text}],
            )
        else:
            self.notify(
                "textDocument/didOpen",
                textDocument={"uri": uri, "languageId": "mlir",
                              "version": self.version, "text": text},
            )
        self.texts[uri] = text

    def close(self, uri="file:///model.mlir"):
        self.notify("textDocument/didClose", textDocument={"uri": uri})
        del self.texts[uri]

    def diagnostics(self, uri="file:///model.mlir"):
        """Those of the last version of the text."""
        self.request("textDocument/documentSymbol", textDocument={"uri": uri})
        published = [
            message["params"] for message in self.notifications
            if message["method"] == "textDocument/publishDiagnostics"
            and message["params"]["uri"] == uri
        ]
        assert published[-1]["version"] == self.version
        return published[-1]["diagnostics"]

    def at(self, method, offset, uri="file:///model.mlir", **params):
        return self.request(
            method,
            textDocument={"uri": uri},
            position=to_position(self.texts[uri], offset),
            **params,
        )

    def fix_its(self, uri="file:///model.mlir"):
        """The texts after each quick fix for any diagnostic, by its title."""
        diagnostics = self.diagnostics(uri)
        actions = self.request(
            "textDocument/codeAction",
            textDocument={"uri": uri},
            range=diagnostics[0]["range"],
            context={"diagnostics": diagnostics},
        )
        return {
            action["title"]: apply(self.texts[uri], action["edit"]["changes"][uri])
            for action in actions
            if action["kind"] == "quickfix"
            and not action["title"].startswith("Add expected")
        }
