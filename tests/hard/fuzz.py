"""Fuzz targets: the message door and the bundle loader. `python -m tests.hard.fuzz door|bundle [libFuzzer options]`.

With atheris installed (CPython 3.11 to 3.13 on Linux: pip install atheris) the run is guided by coverage; hypothesis
runs the same targets for some hundred examples in `tests/hard/test_fuzz.py`. A target must come back, whatever the
bytes.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

URI = "file:///w/a.py"


@cache
def door_methods() -> tuple[str, ...]:
    """Every method that the server knows. Imported late, so that the fuzzer can watch what it imports."""
    from editahead.lsp.routes import methods

    return (*sorted(methods()), "$/cancelRequest", "exit")


def never_run(uri: str, surface: Any, deadline: float, run: Any) -> Any:
    """In place of `Worker.submit`: what is asked stays open, as while the models load."""
    return SimpleNamespace(future=asyncio.get_running_loop().create_future())


class Written:
    """Counts answers by their id."""

    def __init__(self) -> None:
        self.answers: list[Any] = []
        self.errors: list[dict[str, Any]] = []

    def write(self, data: bytes) -> None:
        message = json.loads(data.partition(b"\r\n\r\n")[2])
        if "method" not in message:
            if message["id"] is not None:  # what had no id that could be read may be refused any number of times
                self.answers.append(message["id"])
            if message.get("error", {}).get("code") == -32603:
                self.errors.append(message)

    def close(self) -> None:
        pass


def door(data: bytes) -> list[dict[str, Any]]:
    """Feed frames to a fresh server's protocol; the answers that were internal errors (there must be none).

    The first byte of a frame chooses a method, or that the rest is the whole body; the rest is params as JSON.
    """
    from editahead.lsp.inference.engine_startup import EngineStartup
    from editahead.lsp.options import ServeOptions
    from editahead.lsp.server import EditaheadServer

    out = Written()

    async def feed() -> None:
        server: Any = EditaheadServer(ServeOptions(), EngineStartup(lambda: None, lambda *more: None))  # type: ignore[arg-type, return-value]
        server.loop = asyncio.get_running_loop()
        server._code = server.loop.create_future()
        server.worker.submit = never_run
        server.outgoing.set_writer(out)
        dispatcher = server.dispatcher
        dispatcher.initialized = True
        opened = {"textDocument": {"uri": URI, "languageId": "python", "version": 1, "text": "total = 1\n"}}
        dispatcher.receive(json.dumps({"method": "textDocument/didOpen", "params": opened}).encode())
        for number, frame in enumerate(data.split(b"\n")[:20]):
            dispatcher.receive(_body(number, frame))
        server.indexing.stop()

    asyncio.run(feed())
    assert len(out.answers) == len(set(map(str, out.answers))) or data.count(b'"id"'), "an answer came twice"
    return out.errors


def _body(number: int, frame: bytes) -> bytes:
    if not frame or frame[0] >= len(door_methods()) * 2:
        return frame
    method = door_methods()[frame[0] // 2].encode()
    params = frame[1:] or b"null"
    identity = b'"id":%d,' % (1000 + number) if frame[0] % 2 else b""
    return b'{"jsonrpc":"2.0",%b"method":"%b","params":%b}' % (identity, method, params)


def bundle(data: bytes) -> None:
    """Load a bundle made of the bytes: a manifest, a vocabulary and arrays, cut at zero bytes. BundleError is fine."""
    from editahead.runtime.bundle import BundleError, load_bundle

    parts = [*data.split(b"\0\0"), b"", b"", b""][:3]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "toy-any-1"
        root.mkdir()
        for name, part in zip(("manifest.json", "vocab.json", "a.npz"), parts, strict=True):
            (root / name).write_bytes(part)
        said = ""
        try:
            found = load_bundle(root, verify=False)
            for name in found.manifest.files:
                if name.endswith(".npz"):
                    found.arrays(name)
            found.vocab()
            found.calibration("completion").apply(0.5)
        except BundleError as error:
            said = str(error)
    assert "\n" not in said, "an error of several lines"


def manifest(entries: dict[str, Any] | None = None) -> bytes:
    """A manifest that is good for the sizes above, to begin from."""
    raw = {
        "schema": 1, "family": "toy", "language": "any", "version": "1", "graphs": {}, "files": [],
        "calibration": {"completion": {"method": "identity"}}, **(entries or {}),
    }  # fmt: skip
    return json.dumps(raw).encode()


def frame(method: str, params: Any, *, request: bool = False) -> bytes:
    """A frame that `door` reads as this message."""
    return bytes([2 * door_methods().index(method) + request]) + json.dumps(params, separators=(",", ":")).encode()


_HERE = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 1}}
_EDITED = {"uri": URI, "version": 2}
_SPAN = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 3}}
_ITEM = {"label": "x", "data": {"uri": URI, "version": 1, "probability": 0.5, "line": 0}}


@cache
def seeds(target: str) -> tuple[bytes, ...]:
    """Good inputs of a target to begin from."""
    if target == "bundle":
        files = [{"path": "vocab.json", "bytes": 2, "sha256": "0" * 64}]
        return manifest(), manifest({"files": files}) + b"\0\0{}"
    change, more = "textDocument/didChange", {"context": {"diagnostics": [], "only": ["refactor"]}}
    return (
        frame(change, {"textDocument": _EDITED, "contentChanges": [{"text": "x"}]}),
        frame(change, {"textDocument": _EDITED, "contentChanges": [{"range": _SPAN, "text": "x"}]})
        + b"\n"
        + frame("textDocument/completion", _HERE, request=True),
        frame("workspace/executeCommand", {"command": "editahead.snooze", "arguments": [1]}, request=True)
        + b"\n"
        + frame("workspace/didChangeConfiguration", {"settings": {"editahead": {"precision": 0.5}}}),
        frame("completionItem/resolve", _ITEM, request=True),
        frame("editahead/rank", {**_HERE, "labels": ["total", "x"]}, request=True),
        frame("textDocument/codeAction", {**_HERE, "range": _SPAN, **more}, request=True),
    )


def main() -> None:
    import logging

    import atheris

    name, *options = sys.argv[1:]
    logging.disable(logging.CRITICAL)
    with atheris.instrument_imports(include=["editahead"]):
        import editahead.lsp.server
        import editahead.runtime.bundle  # noqa: F401

    def target(data: bytes) -> None:
        if name == "door":
            assert door(data) == []
        else:
            bundle(data)

    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as corpus:
        os.chdir(folder)  # where a message may have a recording made
        for number, seed in enumerate(seeds(name)):
            (Path(corpus) / str(number)).write_bytes(seed)
        atheris.Setup([sys.argv[0], corpus, *options], target)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
