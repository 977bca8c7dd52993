"""An anonymised session holds no word of the code, and can still be replayed."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from editahead.bench.probes import plan, strokes
from editahead.cli import main
from editahead.recording.anonymise import KEPT_WORDS, Anonymiser, anonymise_events, hidden_change, kept_words
from editahead.recording.session_file import (
    Close,
    Open,
    RecordedChange,
    RecordedSession,
    edit_of_change,
    read_session,
    write_session,
)
from editahead.text.buffer import Buffer, encode_text
from editahead.text.edits import ByteEdit
from hypothesis import given, settings
from hypothesis import strategies as st

SOURCE = (
    "import hushhush\n\nAPI_KEY = 'sk-live-4f9Qz81LmX'  # of Zoë's account\n\n\n"
    "def payroll(employee, größe):\n    if employee is None:\n        return self.rate * 40_250\n    return '日本語'\n"
)
NAMES = st.text(st.sampled_from("abcXYZ_019éß日"), min_size=1, max_size=6)


def test_no_word_of_the_code_is_left() -> None:
    hidden = Anonymiser().text(SOURCE)
    words = {word for word in re.findall(r"\w+", SOURCE) if word not in KEPT_WORDS}
    assert len(words) > 10
    left = {word for word in words if re.search(rf"(?<!\w){re.escape(word)}(?!\w)", hidden)}
    assert {word for word in left if len(word) > 2} == set()
    assert hidden.isascii()
    assert re.sub(r"\w", "w", hidden) == re.sub(r"[^\x00-\x7f\w]", "?", re.sub(r"\w", "w", SOURCE))


@given(NAMES, NAMES)
def test_names_keep_what_makes_them_equal_and_alike(one: str, other: str) -> None:
    hide = Anonymiser(b"key").word
    assert hide(one) == hide(one)
    if one.isascii() and other.isascii() and not {one, other} & KEPT_WORDS:
        assert (hide(one) == hide(other)) == (one == other)
        common = next((n for n, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), None)
        if common:
            assert hide(one)[:common] == hide(other)[:common]
    assert len(hide(one)) == len(one)


KEPT_PARTS = {
    "go": (
        "func add(a int) int {\n\tvar total = a\n\tdefer run(nil, len(x))\n\tfor _, v := range w {}\n}\n",
        "func int int var defer nil len for range",
    ),
    "rust": (
        "pub fn add(a: &str) -> Option<u32> {\n    let mut b = 7_u64;\n    match b {}\n}\n",
        "pub fn str let mut match",
    ),
    "typescript": (
        "export function add(a: string): number {\n  let b = typeof a;\n  return b as any;\n}\n",
        "export function string number let typeof return as any",
    ),
    "c_sharp": (
        "using System;\nnamespace Shop { class A { string b = nameof(A); void F() { foreach (var x in y) {} } } }\n",
        "using namespace class string nameof void foreach var in",
    ),
}


@pytest.mark.parametrize("language_id", KEPT_PARTS)
def test_the_words_of_a_language_stay(language_id: str) -> None:
    text, words = KEPT_PARTS[language_id]
    hidden = Anonymiser().text(text, kept_words(language_id))
    assert [word for word in re.findall(r"\w+", hidden) if word in words.split()] == words.split()
    assert re.search(r"\b(add|total|Shop)\b", hidden) is None


def test_numbers_and_strings_stay_what_they_are() -> None:
    text = (
        'MASK = 0xFF\nPAT = r"abc"\nMSG = f"{MASK}"\nRAW = Rb"x"\nSMALL = 1e-5 + 2E7 + 35j + 0b101 + 0o17 + 1_000\n'
        "OTHER = 10 + 20.05 + 0.5\n"
    )
    for _ in range(20):
        hidden = Anonymiser().text(text)
        tree = ast.parse(hidden)
        kinds = [type(node.value).__name__ for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        assert kinds == [
            type(node.value).__name__ for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant)
        ]
        assert re.sub(r"\w", "w", hidden) == re.sub(r"\w", "w", text)
    assert re.search(r"= 0x[0-9A-F]{2}\n", hidden)


def test_what_looks_like_a_number_in_a_word_is_hidden() -> None:
    hidden = Anonymiser(b"key").text("3rdparty 2ndSecret 0xparty 12ab3c4d")
    assert not any(part in hidden for part in ("party", "Secret", "ab3c"))


def test_two_sessions_are_hidden_under_two_keys() -> None:
    assert Anonymiser().text(SOURCE) != Anonymiser().text(SOURCE)


def test_a_hidden_session_asks_the_same_questions() -> None:
    text, at = SOURCE.encode(), SOURCE.encode().index(b"    return '")
    events: list[Open | RecordedChange | Close] = [Open(1, "pay/roll.py", "python", text)]
    for key in strokes(b"    total = employee.rate\n"):
        events.append(RecordedChange(1, (ByteEdit(at, at, key),)))
        at += len(key)
    events.append(RecordedChange(1, (ByteEdit(0, 6, b"export"), ByteEdit(7, 15, b"loud"))))
    events.append(Close(1))
    hidden = list(anonymise_events(events))
    assert isinstance(hidden[0], Open)
    assert hidden[0].path == "file1.py"
    texts = {}
    for session in (events, hidden):
        data = b""
        for event in session:
            if isinstance(event, Open):
                data = event.text
            elif isinstance(event, RecordedChange):
                for edit in event.edits:
                    data = edit.apply(data)
        texts[id(session)] = data.decode()
    assert len(texts[id(hidden)]) == len(texts[id(events)])
    before, after = (plan(RecordedSession("s", "session", tuple(session), {})) for session in (events, hidden))

    def asked(found: object) -> list[tuple[int, str, int]]:
        probes = found.probes  # type: ignore[attr-defined]
        return [(index, probe.surface.value, probe.letters) for index in sorted(probes) for probe in probes[index]]

    assert len(asked(after)) > 0.8 * len(asked(before))  # a word that turns into a keyword is changed whole


def test_the_command_writes_a_session_that_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out = tmp_path / "s.jsonl", tmp_path / "out.jsonl"
    write_session(source, [Open(1, "a.py", "python", SOURCE.encode()), Close(1)])
    monkeypatch.setattr("sys.argv", ["editahead", "anonymise", str(source), str(out)])
    with pytest.raises(SystemExit) as caught:
        main.main()
    assert caught.value.code in (0, None)
    assert len(read_session(out)) == 2
    assert "hushhush" not in out.read_text(encoding="utf-8")
    assert '"anonymised":true' in out.read_text(encoding="utf-8")
    assert "2 events" in capsys.readouterr().out


BITS = (
    "\r\n",
    "\r",
    "\n",
    "ab",
    "é",
    "日本",
    "\U0001f600",
    "_",
    "7",
    " ",
    ".",
    "for",
    "",
    "0",
    "x",
    "r",
    "f",
    '"',
    "#",
    "e",
)
PIECES = st.one_of(st.sampled_from(BITS), st.text(max_size=3))


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=12), st.lists(st.tuples(st.integers(0, 40), st.integers(0, 6), PIECES), max_size=6))
def test_each_change_does_to_the_text_without_code_what_it_does_to_the_text(
    begin: list[str], changes: list[tuple[int, int, str]]
) -> None:
    anonymiser = Anonymiser(b"key")
    buffer = Buffer.from_text("".join(begin))
    shape = Buffer.from_text(anonymiser.text(buffer.text))
    for start, size, new in changes:
        text = buffer.text
        low = min(start, len(text))
        high = min(low + size, len(text))
        if any(text[at - 1 : at + 1] == "\r\n" for at in (low, high) if at):
            continue  # no position of the protocol lies there
        edit = ByteEdit(len(text[:low].encode()), len(text[:high].encode()), encode_text(new))
        change = hidden_change(anonymiser, buffer, edit)
        buffer = buffer.apply(edit)
        if change is not None:
            shape = shape.apply(edit_of_change(shape, change))
        assert shape.text == anonymiser.text(buffer.text)


def test_a_key_stays_a_key_without_its_code() -> None:
    anonymiser = Anonymiser(b"key")
    buffer = Buffer(b"total = ite\r\n")
    change = hidden_change(anonymiser, buffer, ByteEdit(11, 11, b"m"))
    assert change is not None
    assert change["range"] == {"start": {"line": 0, "character": 11}, "end": {"line": 0, "character": 11}}
    assert change["text"] == anonymiser.word("item")[-1]
    assert hidden_change(anonymiser, buffer, ByteEdit(8, 11, b"ite")) is None
