"""A language server that offers the words of the document, nearest to the cursor first: what every editor has built in.

The bench measures others against it: `editahead bench --server "python -m MODULE"`, with this module's name.
"""

from __future__ import annotations

import json
import re
import sys
from typing import IO, Any

from editahead.bench.stdio_client import ServerError, read_message
from editahead.recording.session_file import edit_of_change
from editahead.text.buffer import Buffer
from editahead.text.positions import PositionEncoding, byte_at
from editahead.text.words import word_before

MAX_WORDS = 100
_WORD = re.compile(r"[^\W\d]\w+")


def nearest_words(text: str, cursor: int, most: int = MAX_WORDS) -> list[str]:
    """Return the words of a text that begin with the prefix before the cursor (a character), nearest first."""
    prefix = word_before(text[:cursor])
    near: dict[str, int] = {}
    for match in _WORD.finditer(text):
        if match.start() <= cursor <= match.end() and prefix:
            continue  # the word that is being typed
        word, far = match.group(), abs(match.start() - cursor)
        if word.startswith(prefix) and far < near.get(word, far + 1):
            near[word] = far
    return sorted(near, key=lambda word: (near[word], word))[:most]


def serve(source: IO[bytes], out: IO[bytes]) -> None:
    """Serve until the client sends `exit` or disconnects."""
    buffers: dict[str, Buffer] = {}
    while (message := read_message(source)) is not None:
        method, params = message.get("method", ""), message.get("params") or {}
        uri = (params.get("textDocument") or {}).get("uri", "")
        if method == "exit":
            return
        if method == "textDocument/didOpen":
            buffers[uri] = Buffer.from_text(params["textDocument"]["text"])
        elif method == "textDocument/didChange" and uri in buffers:
            for change in params["contentChanges"]:
                buffers[uri] = buffers[uri].apply(edit_of_change(buffers[uri], change))
        elif method == "textDocument/didClose":
            buffers.pop(uri, None)
        if "id" not in message:
            continue
        result: Any = None
        if method == "initialize":
            provides = {"textDocumentSync": 2, "completionProvider": {}, "positionEncoding": "utf-16"}
            result = {"capabilities": provides, "serverInfo": {"name": "words"}}
        elif method == "textDocument/completion" and uri in buffers:
            position = params["position"]
            byte = byte_at(buffers[uri], position["line"], position["character"], PositionEncoding.UTF16)
            before = buffers[uri].data[:byte].decode("utf-8", "replace")
            words = nearest_words(buffers[uri].text, len(before))
            result = [{"label": word, "sortText": f"{rank:04d}"} for rank, word in enumerate(words)]
        body = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}).encode()
        out.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        out.flush()


if __name__ == "__main__":
    try:
        serve(sys.stdin.buffer, sys.stdout.buffer)
    except (ServerError, KeyError, TypeError, ValueError) as error:
        sys.exit(f"words: {type(error).__name__}: {error}")
