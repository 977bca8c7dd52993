"""An engine without models, whose answers follow from the document, so that tests can say what they must be.

A text with one of the directives below makes it misbehave:
`fake:block` runs until it is cancelled, `fake:hold` until the test releases it, `fake:fail` and `fake:memory` raise,
`fake:print` writes where the protocol is written. `fake:from URI` offers `elsewhere`, a name of that document.
`fake:idle` offers a next edit only to a user who is idle.
"""

from __future__ import annotations

import os
import re
import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from editahead.lsp.inference.engine_startup import EngineStartup
from editahead.lsp.inference.jobs import Progress
from editahead.runtime.ort import Cancel
from editahead.suggest.types import (
    LEARNED,
    Completion,
    Completions,
    Decision,
    Document,
    EditPlace,
    Explanation,
    Fixes,
    GateReading,
    GhostToken,
    InlineSuggestion,
    NextEdit,
    NextEdits,
    QueuedEdit,
    Reason,
    RequestedEdit,
    Shown,
    Suppressed,
    WrittenBodies,
)
from editahead.text.edits import ByteEdit

WORD = re.compile(rb"\w+")
FROM = re.compile(rb"fake:from (\S+)")
PATIENCE = 10.0  # seconds after which a test that went wrong is let go


class FakeEngine:
    """Words of the buffer, the rest of a line seen before, the last replacement once more."""

    def __init__(self) -> None:
        self.entered = threading.Event()  # a held or blocked run has begun
        self.release = threading.Event()  # lets held runs go on
        self.ended: list[str] = []  # how blocked runs ended
        self.seen: list[Document] = []
        self.threads: set[str] = set()
        self.forgotten: list[str] = []
        self.read: list[bytes] = []  # texts whose imported modules were read
        self.names_read: list[tuple[bytes, int]] = []  # texts, and the bytes around which names were read

    def read_names(self, document: Document, byte: int, cancel: Cancel) -> None:
        """Note what was read."""
        self.names_read.append((document.syntax.buffer.data, byte))

    def read_modules(self, document: Document) -> None:
        self.read.append(document.syntax.buffer.data)

    def _obey(self, document: Document, cancel: Cancel) -> bytes:
        self.seen.append(document)
        self.threads.add(threading.current_thread().name)
        data = document.syntax.buffer.data
        if b"fake:fail" in data:
            raise RuntimeError("the runner fell over\nwith a second line")
        if b"fake:memory" in data:
            raise MemoryError
        if b"fake:print" in data:
            print("a stray line", flush=True)
            os.write(1, b"another stray line\n")
        if b"fake:block" in data or b"fake:hold" in data:
            self.entered.set()
            held = b"fake:hold" in data
            for _ in range(int(PATIENCE / 0.005)):
                if cancel.is_cancelled:
                    self.ended.append("cancelled")
                    cancel.check()
                if self.release.wait(0.005) and held:
                    break
        return data

    def complete(self, document: Document, byte: int, cancel: Cancel) -> Decision[Completions]:
        data = self._obey(document, cancel)
        start = byte
        while start > 0 and WORD.fullmatch(data[start - 1 : start]):
            start -= 1
        prefix = data[start:byte]
        if (other := FROM.search(data)) is not None:  # a name of another file, always on its second line
            item = Completion("elsewhere", 0.9, "name", "open", 1, other[1].decode())
            return Shown(Completions((item,), start, byte, complete=True), 0.9)
        words = Counter(word for word in WORD.findall(data[:start] + b" " + data[byte:]) if word != prefix)
        found = [(word, count) for word, count in words.most_common() if word.startswith(prefix)]
        if not found:
            return Suppressed(Reason.EMPTY, "no word begins so")
        total = sum(count for _, count in found)
        limit = document.max_completions
        items = tuple(
            Completion(
                word.decode(),
                count / total,
                "variable",
                "pointer",
                document.syntax.buffer.line_at(_first(data, word)),
            )
            for word, count in found[:limit]
        )
        return Shown(Completions(items, start, byte, complete=len(found) <= limit), items[0].probability)

    def inline(self, document: Document, byte: int, cancel: Cancel) -> Decision[InlineSuggestion]:
        data = self._obey(document, cancel)
        start = data.rfind(b"\n", 0, byte) + 1
        head = data[start:byte].lstrip()
        if not head:
            return Suppressed(Reason.EMPTY, "nothing typed")
        lines = data[:start].splitlines()
        for number, line in reversed(list(enumerate(lines))):
            if line.lstrip().startswith(head) and len(line.lstrip()) > len(head):
                rest = line.lstrip()[len(head) :].decode()
                if any(r.key == rest for r in document.rejections):
                    return Suppressed(Reason.REJECTED, rest)
                probability = 0.7
                if probability < document.target_precision("ghost_text"):
                    return Suppressed(Reason.LOW_PROBABILITY, f"{probability}")
                token = GhostToken(rest, probability, "pointer", number)
                return Shown(InlineSuggestion(rest, byte, byte, (token,)), probability)
        return Suppressed(Reason.EMPTY, "no such line")

    def alternatives(
        self, document: Document, byte: int, shown: InlineSuggestion, cancel: Cancel
    ) -> tuple[Shown[InlineSuggestion], ...]:
        """The rests of other lines that begin as the line of the byte does, the nearest first."""
        data = document.syntax.buffer.data
        start = data.rfind(b"\n", 0, byte) + 1
        head = data[start:byte].lstrip()
        rests = [line.lstrip()[len(head) :].decode() for line in reversed(data[:start].splitlines())
                 if line.lstrip().startswith(head)]  # fmt: skip
        others = [rest for rest in dict.fromkeys(rests) if rest not in ("", shown.insert)]
        return tuple(Shown(InlineSuggestion(rest, byte, byte), 0.1) for rest in others)

    def next_edit(self, document: Document, byte: int, cancel: Cancel) -> Decision[NextEdit]:
        data = self._obey(document, cancel)
        history = document.history
        if not history.edits:
            return Suppressed(Reason.EMPTY, "nothing was edited")
        if b"fake:idle" in data and not document.idle:
            return Suppressed(Reason.EMPTY, "a name is still being typed")
        last = history.edits[-1]
        old, new = (last.removed, last.inserted)
        key = f"{old.decode()}->{new.decode()}"
        if any(rejection.key == key for rejection in document.rejections):
            return Suppressed(Reason.REJECTED, key)
        at = data.find(old, last.end) if old else -1
        if at < 0:
            return Suppressed(Reason.EMPTY, "no other place")
        return Shown(NextEdit(ByteEdit(at, at + len(old), new), key, (("replace", 0.9),)), 0.9)

    def next_edits(self, document: Document, byte: int, cancel: Cancel) -> Decision[NextEdits]:
        """The newest replacement of any open file wherever its old text stands; a line with `maybe` is not sure."""
        self._obey(document, cancel)
        documents = [document, *document.others]
        edits = [edit for one in documents for edit in one.history.edits]
        last = max(edits, key=lambda edit: edit.time, default=None)
        if last is None or not last.removed:
            return Suppressed(Reason.EMPTY, "nothing is repeated")
        items = []
        for one in documents:
            buffer = one.syntax.buffer
            for found in re.finditer(rb"\b%s\b" % re.escape(last.removed), buffer.data):
                line = buffer.line_at(found.start())
                key = f"{last.removed.decode()} @ {buffer.line_bytes(line).decode()}"
                if any(rejection.key == key for rejection in one.rejections):
                    continue
                sure = b"maybe" not in buffer.line_bytes(line)
                edit = ByteEdit(found.start(), found.end(), last.inserted)
                place = QueuedEdit(
                    one.uri, one.version, edit, 0.9 if sure else 0.3, "repeat-1", 2, line, 0, key, "old -> new", sure
                )
                items.append(place)
        if not items:
            return Suppressed(Reason.EMPTY, "no other place")
        return Shown(NextEdits(tuple(items)), 0.9)

    def next_edit_elsewhere(self, document: Document, byte: int, cancel: Cancel) -> Decision[QueuedEdit]:
        """The first sure place of the queue in another file."""
        queue = self.next_edits(document, byte, cancel)
        items = queue.value.items if isinstance(queue, Shown) else ()
        item = next((item for item in items if item.sure and item.uri != document.uri), None)
        return Shown(item, item.probability) if item else Suppressed(Reason.EMPTY, "no sure place in another file")

    def next_edits_unopened(self, document: Document, byte: int, cancel: Cancel) -> Decision[NextEdits]:
        """Nothing: files that are not open are for the real engine."""
        return Suppressed(Reason.EMPTY, "nothing follows in files that are not open")

    def next_edit_place(self, document: Document, byte: int, cancel: Cancel) -> Decision[EditPlace]:
        """Between the brackets of the first `lacks()` behind the byte, in this file or else in another.

        Else, if the user rests, at the first `expected()` behind it in this file, as by a model.
        """
        self._obey(document, cancel)
        for one in (document, *document.others):
            at = one.syntax.buffer.data.find(b"lacks()", byte if one is document else 0)
            if at >= 0 and not any(rejection.key == "lacks" for rejection in document.rejections):
                place = EditPlace(one.uri, one.version, at + 6, "`lacks` takes `x`", "lacks", "all", "parameter")
                return Shown(place, 0.9)
        at = document.syntax.buffer.data.find(b"expected()", byte)
        if document.may_lead and at >= 0 and not any(each.key == "expected" for each in document.rejections):
            place = EditPlace(document.uri, document.version, at, "is near", "expected", "expected", LEARNED)
            return Shown(place, 0.8351)
        return Suppressed(Reason.EMPTY, "no place asks for an edit")

    def fixes(self, document: Document, start: int, end: int, cancel: Cancel) -> Decision[Fixes]:
        """`== None` becomes `is None` and, less likely, goes, in the lines of the bytes start to end."""
        data = self._obey(document, cancel)
        buffer = document.syntax.buffer
        first, last = buffer.line_at(start), buffer.line_at(end)
        low, high = buffer.line_span(first)[0], buffer.line_span(last)[1]
        at = data.find(b" == None", low, high)
        if at < 0:
            return Suppressed(Reason.EMPTY, "nothing to mend")
        made = [(ByteEdit(at, at + 8, b" is None"), 0.6), (ByteEdit(at, at + 8, b""), 0.2)]
        items = tuple(RequestedEdit(edit, share, f"fix-{edit.new.decode()}") for edit, share in made)
        return Shown(Fixes(items, first, last, 0.1), 0.6)

    def bodies(self, document: Document, byte: int, cancel: Cancel) -> Decision[WrittenBodies]:
        """A line that is `pass` becomes a return or, less likely, a raise."""
        data = self._obey(document, cancel)
        buffer = document.syntax.buffer
        line = buffer.line_at(byte)
        at = data.find(b"pass", *buffer.line_span(line))
        if buffer.line_bytes(line).strip() != b"pass":
            return Suppressed(Reason.EMPTY, "no function without a body here")
        made = [("if x:\n        return 1\n    return 2", 0.9), ("raise TypeError", 0.55)]
        items = (RequestedEdit(ByteEdit(at, at + 4, text.encode()), share, text) for text, share in made)
        return Shown(WrittenBodies(tuple(items), "f", line), 0.9)

    def forget(self, uri: str) -> None:
        self.forgotten.append(uri)

    def explain(self, document: Document, byte: int, cancel: Cancel) -> Explanation:
        return Explanation(
            document.language_id,
            ("fake",),
            (GateReading(Reason.LANGUAGE, True, document.language_id),),
            {
                "completion": self.complete(document, byte, cancel),
                "inline": self.inline(document, byte, cancel),
                "next_edit": self.next_edit(document, byte, cancel),
            },
        )


def _first(data: bytes, word: bytes) -> int:
    return next(match.start() for match in WORD.finditer(data) if match.group() == word)


def loader(engine: FakeEngine) -> EngineStartup:
    """Loads `engine`, in two steps."""

    def load(bundles: Sequence[Path], device: str, progress: Progress) -> FakeEngine:
        progress("first", 0.5)
        progress("second", 1.0)
        return engine

    return EngineStartup(lambda: None, load)
