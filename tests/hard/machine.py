"""A whole session as a state machine.

Documents are opened, changed, undone and closed, questions come and are cancelled, settings change, in any order; the
server must keep every text, answer every request once, and never fail inside.
"""

from __future__ import annotations

import logging
import random
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from editahead.lsp.inference.engine_startup import EngineStartup, load_engine
from editahead.lsp.options import ServeOptions
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, rule

sys.path.insert(0, str(Path(__file__).parents[1] / "lsp"))

from raw_client import Client, in_process

from tests.hard.reference import Reference

SAMPLES = {
    "python": "import os\n\n\nclass Shop:\n    def __init__(self, items):\n        self.items = items\n\n"
    "    def total(self, rate):\n        result = 0\n        for item in self.items:\n"
    "            result += item.price * rate\n        return result\n\n\nprint(Shop([]).total(2))\n",
    "java": "class Shop {\n    private final int[] items;\n    int total(int rate) {\n        int result = 0;\n"
    "        for (int item : items) {\n            result += item * rate;\n        }\n"
    "        return result;\n    }\n}\n",
    "lua": "local function total(items)\n  local result = 0\n  return result\nend\n",
    "unheard-of": "some words\nand words\n",
}
PIECES = (
    "self.", "items", "result", " = ", "(", ")", "\n", "\n    ", "\r\n", "\r", "\t", "é", "日本", "\U0001f600",
    "\ud83d", "\ude00",
    '"', "'''", "# note", "/*", "\x00", "\f", "return ", "def f(x):\n    return x\n", "{", "}", "class", "",
)  # fmt: skip
TEXTS = st.one_of(st.sampled_from(PIECES), st.text(max_size=6))
QUESTIONS = (
    "textDocument/completion", "textDocument/inlineCompletion", "editahead/nextEdit", "editahead/nextEdits",
    "textDocument/copilotInlineEdit", "textDocument/codeAction", "editahead/explain", "editahead/stats",
    "completionItem/resolve", "no/such/method",
)  # fmt: skip
SETTINGS: tuple[dict[str, Any], ...] = (
    {}, {"precision": 0.0}, {"precision": 1.0}, {"enabled": False}, {"completion": False, "nextEdit": False},
    {"languages": {"python": False}}, {"maxCompletions": 1}, {"inComments": True, "inStrings": True},
    {"precision": "high"}, {"completionFloor": 0.0}, {"index": {"enabled": False}}, {"maxFileBytes": 1000},
)  # fmt: skip
RUBBISH = (b"{}", b"[]", b'{"id":null}', b"null", b'{"method":"x"}', b'{"jsonrpc":"2.0","id":[],"method":"x"}')
SEEDS = st.integers(0, 2**32)
INTERNAL_ERROR = -32603


@cache
def engine() -> Any:
    """The real engine with the shipped models, once for all sessions."""
    return load_engine([], "cpu", lambda text, part: None)


class Faults(logging.Handler):
    """Keeps what the server logs about itself falling over."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info:
            self.found.append(f"{record.getMessage()}: {record.exc_info[1]!r}")


class SessionMachine(RuleBasedStateMachine):
    """One client with one server."""

    steps = 0  # of all sessions so far
    documents = Bundle("documents")
    asked = Bundle("asked")

    def __init__(self) -> None:
        super().__init__()
        self.faults = Faults()
        logging.getLogger("editahead").addHandler(self.faults)
        self.client: Client = in_process(EngineStartup(lambda: None, lambda *more: engine()), ServeOptions())
        self.texts: dict[str, Reference] = {}
        self.versions: dict[str, int] = {}
        self.undo: dict[str, list[tuple[tuple[int, int, int, int], str]]] = {}
        self.opened = 0
        self.ids: list[int] = []
        self.items: list[Any] = []
        self.client.hello()

    @initialize(target=documents, language=st.sampled_from(sorted(SAMPLES)))
    def begin(self, language: str) -> str:
        return self.open(language, False)

    @rule(target=documents, language=st.sampled_from(sorted(SAMPLES)), empty=st.booleans())
    def open(self, language: str, empty: bool) -> str:
        self.opened += 1
        uri = f"file:///w/{self.opened}.txt"
        self._open(uri, language, "" if empty else SAMPLES[language])
        return uri

    def _open(self, uri: str, language: str, text: str) -> None:
        self.texts[uri], self.versions[uri], self.undo[uri] = Reference(text), 0, []
        self.client.open(text, uri, language, 0)

    @rule(uri=documents, language=st.sampled_from(sorted(SAMPLES)))
    def open_again(self, uri: str, language: str) -> None:
        self._open(uri, language, SAMPLES[language])

    @rule(uri=consumes(documents))
    def close(self, uri: str) -> None:
        self.client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
        self.texts.pop(uri, None)

    @rule(uri=documents, new=TEXTS, seed=SEEDS)
    def type(self, uri: str, new: str, seed: int) -> None:
        self._change(uri, [(new, seed, False)])

    @rule(uri=documents, edits=st.lists(st.tuples(TEXTS, SEEDS, st.just(True)), min_size=1, max_size=4))
    def replace(self, uri: str, edits: list[tuple[str, int, bool]]) -> None:
        self._change(uri, edits)

    def _change(self, uri: str, edits: Sequence[tuple[str, int, bool]]) -> None:
        text = self.texts[uri]
        told: list[tuple[tuple[int, int, int, int] | None, str]] = []
        for new, seed, wide in edits:
            draw = random.Random(seed)
            first = text.somewhere(draw)
            last = text.somewhere(draw) if wide and draw.random() < 0.5 else first
            if wide and draw.random() < 0.7:  # a change of a few characters, as people make them
                last = (first[0], first[1] + draw.randrange(8))
            before = [*text.units]
            low, high = sorted((text.at(*first), text.at(*last)))
            if _cuts(before, low) or _cuts(before, high):
                continue  # what a cut through a pair of surrogates leaves is each side's own affair
            old = text.replace((*first, *last), new)
            told.append(((*first, *last), new))
            end = text.position(low + len(text.units) - (len(before) - (high - low)))
            self.undo[uri].append(((*text.position(low), *end), old))
        if told:
            self._tell(uri, *told)

    def _tell(self, uri: str, *changes: tuple[tuple[int, int, int, int] | None, str]) -> None:
        self.versions[uri] += 1
        self.client.change(uri, self.versions[uri], *changes)

    @rule(uri=documents)
    def take_back(self, uri: str) -> None:
        if self.undo[uri]:
            span, old = self.undo[uri].pop()
            text = self.texts[uri]
            low, high = sorted((text.at(*span[:2]), text.at(*span[2:])))
            if not (_cuts(text.units, low) or _cuts(text.units, high)):
                text.replace(span, old)
                self._tell(uri, (span, old))

    @rule(uri=documents)
    def say_all_again(self, uri: str) -> None:
        """The whole text at an unchanged version, as some clients do to be sure."""
        self.client.change(uri, self.versions[uri], (None, self.texts[uri].text))

    @rule(uri=documents, language=st.sampled_from(sorted(SAMPLES)))
    def paste_over(self, uri: str, language: str) -> None:
        self.texts[uri] = Reference(SAMPLES[language])
        self.undo[uri] = []
        self._tell(uri, (None, SAMPLES[language]))

    @rule(uri=documents)
    def save(self, uri: str) -> None:
        params = {"textDocument": {"uri": uri}, "text": self.texts[uri].text}
        self.client.notify("textDocument/didSave", params)

    @rule(target=asked, uri=documents, method=st.sampled_from(QUESTIONS), seed=SEEDS, wait=st.booleans())
    def ask(self, uri: str, method: str, seed: int, wait: bool) -> int:
        draw = random.Random(seed)
        line, character = self.texts[uri].somewhere(draw)
        more: dict[str, Any] = {"version": self.versions[uri] - (draw.random() < 0.1)} if "dit" in method else {}
        params = self.client.at(uri, line, character, **more)
        params["context"] = {"triggerKind": 1 + seed % 2, "diagnostics": []}
        params["range"] = {"start": params["position"], "end": params["position"]}
        if method == "completionItem/resolve":
            params = draw.choice(self.items) if self.items else {"label": "x"}
        number = self.client.ask(method, params)
        self.ids.append(number)
        if wait:
            self._look_at(method, self.client.wait(number))
        return number

    def _look_at(self, method: str, answer: dict[str, Any]) -> None:
        if method == "no/such/method":
            assert answer["error"]["code"] == -32601
            return
        result = answer.get("result")
        if "completion" in method.lower() and isinstance(result, dict):
            self.items = [*result.get("items", [])[:3], *self.items][:6]

    @rule(number=asked)
    def cancel(self, number: int) -> None:
        self.client.notify("$/cancelRequest", {"id": number})

    @rule(settings=st.sampled_from(SETTINGS))
    def configure(self, settings: dict[str, Any]) -> None:
        self.client.notify("workspace/didChangeConfiguration", {"settings": {"editahead": settings}})

    @rule(command=st.sampled_from(("accept", "reject", "shown")), number=st.integers(1, 30))
    def tell_about_an_item(self, command: str, number: int) -> None:
        name = f"{('inline', 'next_edit')[number % 2]}-{number}"
        self.ids.append(
            self.client.ask("workspace/executeCommand", {"command": f"editahead.{command}", "arguments": [name]})
        )

    @rule(minutes=st.sampled_from((0, 0, 0, 1)))
    def snooze(self, minutes: int) -> None:
        arguments = {"command": "editahead.snooze", "arguments": [minutes]}
        self.ids.append(self.client.ask("workspace/executeCommand", arguments))

    @rule(body=st.one_of(st.binary(max_size=12), st.sampled_from(RUBBISH)))
    def send_rubbish(self, body: bytes) -> None:
        self.client.send_bytes(body)

    @invariant()
    def nothing_fell_over(self) -> None:
        type(self).steps += 1
        assert self.faults.found == []
        assert self.client.faults == []

    def teardown(self) -> None:
        try:
            self.client.settle()
            assert self.client.server is not None
            held = self.client.server.session.documents
            assert {uri: document.buffer.text for uri, document in held.items()} == {
                uri: text.text for uri, text in self.texts.items()
            }
            for number in self.ids:
                answer = self.client.wait(number)
                assert answer.get("error", {}).get("code") != INTERNAL_ERROR, answer
            assert self.client.leave() == 0
            self.nothing_fell_over()
        finally:
            logging.getLogger("editahead").removeHandler(self.faults)


def _cuts(units: Sequence[str], at: int) -> bool:
    """Whether a place lies between the two halves of a pair."""
    around = units[max(0, at - 1) : at + 1]
    return 0 < at < len(units) and "\ud800" <= around[0] <= "\udbff" and "\udc00" <= around[1] <= "\udfff"
