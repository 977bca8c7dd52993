"""Suggested fixes: which lines are rewritten, what is listed and why the rest is not. The answers are made up."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from editahead.runtime.ort import Cancel, InferenceError, select_providers
from editahead.runtime.span_copying.model import Rewritings
from editahead.settings import Settings
from editahead.suggest.fixes import fixes as fix
from editahead.suggest.fixes.fixes import FEATURES, Fixer, fix_features
from editahead.suggest.types import Decision, Document, Fixes, Reason, Rejection, Shown, Suppressed
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history import History
from editahead_models.export.bundle_writer import write_bundle

TEXT = "import os\n\n\ndef f(x):\n    if x == None:\n        return 1\n    return 2\n"
Answer = Callable[[Sequence[str]], Rewritings]


def swapped(*pairs: tuple[str, str, float], unchanged: float = 0.1) -> Answer:
    """Rewritings that replace one token by others (blank: none), each with its probability."""

    def answer(texts: Sequence[str]) -> Rewritings:
        outputs = []
        for old, new, share in pairs:
            made = [piece for text in texts for piece in (new.split("|") if text == old else [text]) if piece]
            outputs.append((tuple(made), share))
        return Rewritings(tuple(outputs), unchanged)

    return answer


class Model:
    """Stands for a span-copying model."""

    longest = 30

    def __init__(self, answer: Answer) -> None:
        self.answer, self.seen = answer, list[tuple[str, ...]]()

    def rewrite(self, texts: Sequence[str], cancel: Cancel | None = None) -> Rewritings:
        self.seen.append(tuple(texts))
        return self.answer(texts)


@pytest.fixture
def fixer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Answer], Fixer]:
    """A fixer that takes a rewriting's own probability p as p / (1 + p)."""

    def make(answer: Answer) -> Fixer:
        monkeypatch.setattr(fix, "SpanModel", lambda bundle, selection: Model(answer))
        manifest: dict[str, Any] = {
            "version": "1", "graphs": {}, "scorer": {"ln_p": 1.0}, "calibration": {"fix": {"method": "identity"}},
        }  # fmt: skip
        files: dict[str, Path | bytes] = {"vocab.json": b"{}"}
        made = write_bundle(tmp_path / "toy-any-1", family="toy", language="any", files=files, manifest=manifest)
        return Fixer(made, select_providers("cpu"))

    return make


def document(text: str = TEXT, **more: Any) -> Document:
    language = by_id("python")
    assert language is not None
    buffer = Buffer.from_text(text)
    history = History(buffer, lambda: 0.0).view()
    settings = Settings(fix_floor=0.05)
    return Document("file:///a", None, "python", 1, SyntaxSnapshot.open(buffer, language), history, settings, **more)


def ask(fixer: Fixer, document: Document, start: str, end: str | None = None) -> Decision[Fixes]:
    """Ask at the start of a piece of text, or for the selection up to the end of another."""
    data = document.syntax.buffer.data
    first = data.index(start.encode())
    last = first if end is None else data.index(end.encode()) + len(end.encode())
    return fixer.suggest(document, first, last, Cancel())


def texts(document: Document, found: Decision[Fixes]) -> list[str]:
    assert isinstance(found, Shown)
    return [document.syntax.buffer.apply(item.edit).data.decode() for item in found.value.items]


def test_the_function_is_rewritten_by_the_smallest_edit(fixer: Any) -> None:
    made, asked = fixer(swapped((" ==", " is", 0.6), (" 1", " 0", 0.2))), document()
    found = ask(made, asked, "return 1")
    assert texts(asked, found) == [TEXT.replace("==", "is"), TEXT.replace("return 1", "return 0")]
    assert isinstance(found, Shown)
    first = found.value.items[0]
    assert (first.edit.old_bytes(asked.syntax.buffer.data), first.edit.new) == (b"==", b"is")
    assert [round(item.probability, 3) for item in found.value.items] == [0.375, 0.167]
    assert (found.value.first, found.value.last, found.value.unchanged) == (3, 6, 0.1)
    assert made.model.seen[0][:2] == ("\n+0", "def")


def test_a_selection_is_rewritten_alone_and_may_be_too_long(fixer: Any) -> None:
    made = fixer(swapped((" ==", " is", 0.6)))
    found = ask(made, document(), "    if x", "None:\n")
    assert isinstance(found, Shown)
    assert (found.value.first, found.value.last) == (4, 4)
    assert made.model.seen[0] == ("\n+0", "if", " x", " ==", " None", ":")
    long = document("x = [" + "1, " * 40 + "]\ny = 2\n")
    found = ask(made, long, "x =", "y = 2")
    assert isinstance(found, Suppressed)
    assert found.reason is Reason.TOO_LARGE


def test_three_at_most_likeliest_first_and_none_below_the_floor(fixer: Any) -> None:
    made = fixer(swapped(*((" 2", f" {n}", share) for n, share in ((3, 0.1), (4, 0.3), (5, 0.2), (6, 0.15)))))
    asked = document()
    found = ask(made, asked, "return 2")
    assert [text.split("return ")[-1] for text in texts(asked, found)] == ["4\n", "5\n", "6\n"]
    high = replace(asked, settings=Settings(fix_floor=0.2))
    assert len(texts(high, ask(made, high, "return 2"))) == 1
    silent = ask(made, replace(asked, settings=Settings(fix_floor=0.9)), "return 2")
    assert isinstance(silent, Suppressed)
    assert (silent.reason, silent.detail) == (Reason.LOW_PROBABILITY, "23 % of at least 90 %")


def test_what_breaks_the_syntax_changes_nothing_or_is_no_text_is_left_out(fixer: Any) -> None:
    made = fixer(swapped((" ==", " ==|(", 0.5), ("\n+0", "", 0.3), (" absent", "", 0.2), (" 2", " 3", 0.1)))
    asked = document()
    assert texts(asked, ask(made, asked, "return 2")) == [TEXT.replace("return 2", "return 3")]
    broken = document(TEXT.replace("None:", "None"))
    mended = fixer(swapped((" None", " None|:", 0.5)))
    assert texts(broken, ask(mended, broken, "return 1")) == [TEXT]


def test_what_was_turned_down_or_just_changed_is_not_offered(fixer: Any) -> None:
    made, asked = fixer(swapped((" ==", " is", 0.6))), document()
    found = ask(made, asked, "return 1")
    assert isinstance(found, Shown)
    rejected = replace(asked, rejections=(Rejection(found.value.items[0].key, 0.0),))
    assert isinstance(ask(made, rejected, "return 1"), Suppressed)
    before = Buffer.from_text(TEXT.replace("==", "is"))
    history = History(before, lambda: 0.0)
    at = before.data.index(b"is None")
    history.push(ByteEdit(at, at + 2, b"=="), before)
    assert isinstance(ask(made, replace(asked, history=history.view()), "return 1"), Suppressed)


def test_line_ends_and_tabs_of_the_file_are_kept(fixer: Any) -> None:
    made = fixer(swapped((" 2", " 2|\n+0|go|(|)", 0.6)))
    crlf = document(TEXT.replace("\n", "\r\n"))
    assert texts(crlf, ask(made, crlf, "return 2"))[0].endswith("return 2\r\n    go()\r\n")
    tabs = document(TEXT.replace("    ", "\t"))
    assert texts(tabs, ask(made, tabs, "return 2"))[0].endswith("\treturn 2\n\tgo()\n")


def test_switches_and_failures_are_silence_with_a_reason(fixer: Any) -> None:
    made = fixer(swapped((" ==", " is", 0.6)))
    off = ask(made, replace(document(), settings=Settings(suggest_fixes=False)), "return 1")
    assert isinstance(off, Suppressed)
    assert off.reason is Reason.DISABLED
    cancel = Cancel()
    cancel.cancel()
    gone = made.suggest(document(), 0, 0, cancel)
    assert isinstance(gone, Suppressed)
    assert gone.reason is Reason.CANCELLED

    def fails(texts: Sequence[str]) -> Rewritings:
        raise InferenceError("no memory")

    failed = ask(fixer(fails), document(), "return 1")
    assert isinstance(failed, Suppressed)
    assert (failed.reason, failed.detail) == (Reason.FAILED, "no memory")
    blank = ask(made, document("\n\n\n"), "\n")
    assert isinstance(blank, Suppressed)
    assert blank.reason is Reason.EMPTY


def test_features_have_their_names() -> None:
    made = Rewritings(((("a",), 0.5), (("b",), 0.25)), 0.125)
    row = dict(zip(FEATURES, fix_features(made, 1), strict=True))
    assert row["bias"] == 1.0
    assert row["ln_p"] == pytest.approx(math.log(0.25))
    assert row["ln_unchanged"] == pytest.approx(math.log(0.125))
    assert row["ln_others"] == pytest.approx(math.log(0.5))
    assert row["rank"] == 1.0
