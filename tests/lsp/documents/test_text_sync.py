"""Text synchronisation: after any changes the buffer is what a reference client holds, in every encoding."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from editahead.lsp.documents.text_sync import _edits
from editahead.lsp.rpc import params
from editahead.lsp.rpc.params import ContentChange
from editahead.lsp.session import Session
from editahead.text.buffer import Buffer
from editahead.text.edits import apply_all
from editahead.text.positions import PositionEncoding
from hypothesis import given
from hypothesis import strategies as st
from raw_client import Client

Start = Callable[..., Client]

ENCODINGS = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
UNIT = {"utf-8": 1, "utf-16": 2, "utf-32": 4}
# Every character that some library takes for a line end, and some of each width.
TEXT = st.text(st.sampled_from("ab \n\r\x0b\x0c\x1c\x85\u2028é漢🎉"), max_size=24)


class ReferenceClient:
    """A text as an editor holds it: a list of characters, positions by its own counting of lines and units."""

    def __init__(self, text: str, encoding: str) -> None:
        self.text = text
        self.encoding = encoding

    def position(self, index: int) -> tuple[int, int]:
        line, start, at = 0, 0, 0
        while at < index:
            if self.text[at] == "\n" or (self.text[at] == "\r" and self.text[at + 1 : at + 2] != "\n"):
                line, start = line + 1, at + 1
            at += 1
        return line, len(self.text[start:index].encode(ENCODINGS[self.encoding])) // UNIT[self.encoding]

    def replace(self, start: int, end: int, new: str) -> ContentChange:
        change = ContentChange((*self.position(start), *self.position(end)), new)
        self.text = self.text[:start] + new + self.text[end:]
        return change


def inside_line_end(text: str, index: int) -> bool:
    """Between a carriage return and its line feed there is no position."""
    return text[index - 1 : index] == "\r" and text[index : index + 1] == "\n"


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ENCODINGS)
@given(data=st.data(), text=TEXT)
def test_random_changes_keep_the_buffer_equal_to_a_reference_client(
    encoding: str, data: st.DataObject, text: str
) -> None:
    session = Session()
    session.encoding = PositionEncoding(encoding)
    document = session.open("file:///w/a.py", "python", 0, text)
    client = ReferenceClient(text, encoding)
    for _ in range(data.draw(st.integers(1, 4))):
        batch = []
        for _ in range(data.draw(st.integers(1, 3))):
            length = len(client.text)
            start = data.draw(st.integers(0, length))
            end = data.draw(st.integers(start, length))
            if inside_line_end(client.text, start) or inside_line_end(client.text, end):
                continue
            batch.append(client.replace(start, end, data.draw(TEXT)))
        if data.draw(st.integers(0, 9)) == 0:
            client.text = data.draw(TEXT)
            batch.append(ContentChange(None, client.text))
        serial, before = document.serial, document.buffer.data
        document.apply(list(_edits(session, document, batch)))
        assert document.buffer.text == client.text
        since = document.since(serial)
        assert since is not None
        assert apply_all(before, since) == document.buffer.data
        assert document.syntax is not None
        assert document.syntax.buffer is document.buffer
        assert document.history.view().current() == document.buffer.data


def test_the_text_behind_the_last_change_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session()
    document = session.open("file:///a.py", "python", 1, "one\n")
    made: list[Buffer] = []
    real = Buffer.apply
    monkeypatch.setattr(Buffer, "apply", lambda buffer, edit: made.append(buffer) or real(buffer, edit))
    document.apply(list(_edits(session, document, [ContentChange((0, 0, 0, 0), "x")])))
    assert (document.buffer.data, len(made)) == (b"xone\n", 1)


def test_a_reversed_range_is_read_the_right_way_round() -> None:
    session = Session()
    document = session.open("file:///w/a.py", "python", 0, "abcdef")
    document.apply(list(_edits(session, document, [ContentChange((0, 4, 0, 2), "X")])))
    assert document.buffer.text == "abXef"


def test_edits_that_are_no_longer_known_are_said_so() -> None:
    session = Session()
    document = session.open("file:///w/a.py", "python", 0, "")
    for number in range(1100):
        document.apply(list(_edits(session, document, [ContentChange((0, 0, 0, 0), str(number % 10))])))
    assert document.since(0) is None
    assert len(document.since(document.serial - 1000) or []) == 1000
    assert document.since(document.serial) == []


@pytest.mark.parametrize(
    "entry", [{}, {"text": 1}, {"text": "x", "range": {}}, {"text": "x", "range": {"start": {}, "end": {}}}]
)
def test_a_change_without_what_it_needs_is_refused_as_a_whole(entry: Any) -> None:
    with pytest.raises(params.BadParams):
        params.content_changes({"contentChanges": [{"text": "fine"}, entry]})


def test_only_a_whole_text_is_trusted_after_a_change_that_was_lost(start: Start) -> None:
    """An edit past our last line may be an ordinary one: the lost change may have added lines."""
    text = "alpha = 1\nalphabet = 2\nal"
    client = start()
    uri = client.open(text, "file:///w/lost.py")
    ask = client.at(uri, 2, 2)

    def shown() -> bool:
        return bool(client.request("textDocument/completion", ask)["items"])

    def lose_a_change(version: int) -> None:
        params = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{}]}
        client.notify("textDocument/didChange", params)

    assert shown()
    for version, span in enumerate([(3, 0, 3, 0), (0, 0, 3, 0), (0, 0, 999_999, 0), (2, 0, 2**31 - 1, 0)], 1):
        lose_a_change(version)
        client.change(uri, version, (span, "al"))
        assert not shown()
    for version, whole in enumerate([None, (0, 0, 2**31 - 1, 0)], 10):
        client.change(uri, version, (whole, text))
        assert shown()
        lose_a_change(version)
        assert not shown()
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}, "text": text})
    assert shown()


UNITS = st.lists(st.sampled_from(["a", "\ud83d", "\ude00", "\U0001f600", "\ufffd", "\n", "é"]), max_size=6).map(
    lambda parts: str(json.loads(json.dumps("".join(parts))))  # which joins halves that stand together
)


def units(text: str) -> str:
    """One character for each UTF-16 unit."""
    raw = text.encode("utf-16-le", "surrogatepass")
    return "".join(raw[at : at + 2].decode("utf-16-le", "surrogatepass") for at in range(0, len(raw), 2))


def cuts_a_pair(text: str, at: int) -> bool:
    return "\ud800" <= text[at - 1 : at] < "\udc00" <= text[at : at + 1] < "\ue000"


@pytest.mark.slow
@given(data=st.data(), text=UNITS)
def test_halves_of_surrogate_pairs_are_joined_when_they_meet(data: st.DataObject, text: str) -> None:
    session = Session()
    document = session.open("file:///w/a.py", "python", 0, text)
    client = units(text)
    for _ in range(data.draw(st.integers(1, 5))):
        borders = [at for at in range(len(client) + 1) if not cuts_a_pair(client, at)]
        start, end = sorted(data.draw(st.tuples(st.sampled_from(borders), st.sampled_from(borders))))
        new = data.draw(UNITS)
        spots = [(client.count("\n", 0, at), at - client.rfind("\n", 0, at) - 1) for at in (start, end)]
        client = client[:start] + units(new) + client[end:]
        document.apply(list(_edits(session, document, [ContentChange((*spots[0], *spots[1]), new)])))
        joined = client.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        assert document.buffer.text == joined


def test_a_character_typed_in_two_halves_is_one_character() -> None:
    session = Session()
    document = session.open("file:///w/a.py", "python", 0, "x = ''\n")
    for character, half in ((5, "\ud83d"), (6, "\ude00")):
        document.apply(list(_edits(session, document, [ContentChange((0, character, 0, character), half)])))
    assert document.buffer.data == "x = '\U0001f600'\n".encode()


def test_formatting_on_save_leaves_the_latest_edit_what_it_was(start: Start) -> None:
    client = start()
    uri = client.open("old=1\nprint(old)\nx=2\n", version=1)
    client.change(uri, 2, ((0, 0, 0, 3), "new"))
    client.change(uri, 3, ((2, 1, 2, 2), " = "))
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    (edit,) = client.request("editahead/nextEdit", client.at(uri, 0, 3))["edits"]
    assert edit["text"] == "print(new)\n"
