"""Small servers for the tests of the bench; what one does is the first argument. Not a test file itself.

`words`: offers every word of the document; `silent`: offers nothing; `edits`: proposes to replace the first `get_` of
the document with `find_`; `errors`: answers every question with an error.
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any

from editahead.bench.stdio_client import read_message
from editahead.recording.session_file import edit_of_change
from editahead.text.buffer import Buffer


def send(message: dict[str, Any]) -> None:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    sys.stdout.buffer.flush()


def answer(kind: str, method: str, buffer: Buffer) -> Any:
    if kind == "words" and method == "textDocument/completion":
        words = dict.fromkeys(re.findall(r"[^\W\d]\w+", buffer.text))
        return [{"label": word, "sortText": f"{n:05d}"} for n, word in enumerate(words)]
    if kind == "edits" and method == "textDocument/copilotInlineEdit":
        line = next((n for n in range(buffer.line_count) if b"get_" in buffer.line_bytes(n)), 0)
        at = max(0, buffer.line_bytes(line).find(b"get_"))
        ends = {"start": {"line": line, "character": at}, "end": {"line": line, "character": at + 4}}
        return {"edits": [{"text": "find_", "range": ends}]}
    return None


def main(kind: str) -> None:
    buffers: dict[str, Buffer] = {}
    while (message := read_message(sys.stdin.buffer)) is not None:
        method, params = message.get("method", ""), message.get("params") or {}
        uri = (params.get("textDocument") or {}).get("uri", "")
        if method == "exit":
            return
        if method == "textDocument/didOpen":
            buffers[uri] = Buffer.from_text(params["textDocument"]["text"])
        elif method == "textDocument/didChange":
            for change in params["contentChanges"]:
                buffers[uri] = buffers[uri].apply(edit_of_change(buffers[uri], change))
        elif method == "initialize":
            capabilities = {
                "completionProvider": {"triggerCharacters": ["."]},
                "textDocumentSync": {"openClose": True, "change": 2},
            }
            send({"id": message["id"], "result": {"capabilities": capabilities}})
        elif "id" in message and kind == "errors" and method != "shutdown":
            send({"id": message["id"], "error": {"code": -32603, "message": "out of order"}})
        elif "id" in message:
            send({"id": message["id"], "result": answer(kind, method, buffers.get(uri, Buffer(b"")))})


if __name__ == "__main__":
    main(sys.argv[1])
