"""Documents by edits: the server has what the laptop has, whatever is typed, or asks for it again."""

from __future__ import annotations

import zlib
from typing import Any

import pytest
from editahead.lsp.session import Session
from editahead.suggest.types import Document
from editahead.team.cluster.documents import ClientDocuments, ClientLimits, LimitError, UnknownDocumentError
from editahead.team.remote.documents import MAX_DOCUMENTS, SentDocuments
from editahead.team.wire.messages import (
    Ask,
    Change,
    DocumentVersion,
    Drop,
    PutDocument,
    decode_from_client,
    encode,
)
from editahead.text.edits import ByteEdit
from hypothesis import given
from hypothesis import strategies as st

TEXT = "def f(a):\n    return a\n\n\nprint(f(1))  # é🎉\n" * 3


class Clock:
    """Seconds that a test sets."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def ask(version: DocumentVersion, others: list[DocumentVersion] | None = None) -> Ask:
    return Ask(1, "complete", version, others or [], 0, 0, 40, 0.0, False, 0, [], [], [])


def deliver(held: ClientDocuments, messages: list[Any]) -> None:
    """Hand over messages as they arrive: encoded and decoded."""
    for message in messages:
        got = decode_from_client(encode(message))
        if isinstance(got, PutDocument):
            held.put(got)
        elif isinstance(got, Change):
            held.change(got)
        elif isinstance(got, Drop):
            held.drop(got.document)


def same(document: Document, there: Document) -> None:
    assert there.syntax.buffer.data == document.syntax.buffer.data
    assert there.history.anchor.data == document.history.anchor.data
    assert (there.history.settled, there.history.pending) == (document.history.settled, document.history.pending)
    assert (there.history.undone_at, there.history.undone) == (document.history.undone_at, document.history.undone)
    lines = range(document.syntax.buffer.line_count)
    assert [there.syntax.line_tokens(n) for n in lines] == [document.syntax.line_tokens(n) for n in lines]


EDITS = st.lists(
    st.tuples(
        st.integers(0, 200), st.integers(0, 12), st.sampled_from(["", "a", "x = 1\n", "é", "(", "\n", "ab🎉"]),
        st.sampled_from([0.0, 0.2, 5.0]), st.booleans(),
    ),
    max_size=12,
)  # fmt: skip


@given(EDITS)
def test_the_server_has_text_tokens_and_history_of_the_laptop(edits: list[tuple[int, int, str, float, bool]]) -> None:
    clock = Clock()
    session = Session(clock=clock)
    opened = session.open("file:///p/a.py", "python", 1, TEXT)
    sent, held = SentDocuments(), ClientDocuments("c", ClientLimits(), clock)
    for at, size, text, pause, asked in edits:
        clock.now += pause
        chars = opened.buffer.data.decode()
        start = len(chars[:at].encode())
        end = len(chars[: at + size].encode())
        opened.apply([ByteEdit(start, end, text.encode())])
        if asked:  # several edits may come together
            document = session.snapshot(opened, 0).document
            messages, version, _ = sent.sync(document)
            deliver(held, messages)
            same(document, held.document(decode_from_client(encode(ask(version)))))  # type: ignore[arg-type]


def laptop() -> tuple[Session, SentDocuments, ClientDocuments]:
    clock = Clock()
    return Session(clock=clock), SentDocuments(), ClientDocuments("c", ClientLimits(), clock)


def test_an_edit_is_sent_not_the_file() -> None:
    session, sent, held = laptop()
    opened = session.open("file:///p/a.py", "python", 1, TEXT * 1000)
    messages, version, _ = sent.sync(session.snapshot(opened, 0).document)
    deliver(held, messages)
    held.document(ask(version))
    opened.apply([ByteEdit(3, 3, b"x")])
    messages, version, _ = sent.sync(session.snapshot(opened, 0).document)
    assert sum(len(encode(message)) for message in [*messages, ask(version)]) < 300
    deliver(held, messages)
    assert held.document(ask(version)).syntax.buffer.data == opened.buffer.data


def change(base: int, serial: int, edits: list[ByteEdit], text: bytes) -> Change:
    return Change(1, base, serial, edits, len(text), zlib.crc32(text))


@pytest.mark.parametrize(
    "wrong",
    [
        change(0, 1, [ByteEdit(0, 0, b"x")], b"xabd"),  # leads to another text
        change(3, 4, [ByteEdit(0, 0, b"x")], b"xabc"),  # of another version
        change(0, 1, [ByteEdit(0, 9, b"")], b""),  # past the end
        change(0, 1, [ByteEdit(0, 0, b"\xff")], b"\xffabc"),  # no text
    ],
)
def test_a_change_that_does_not_lead_to_the_clients_text_drops_the_document(wrong: Change) -> None:
    _, _, held = laptop()
    held.put(PutDocument(1, "a.py", "python", 0, b"abc"))
    with pytest.raises(UnknownDocumentError):
        held.change(wrong)
    with pytest.raises(UnknownDocumentError):
        held.document(ask(DocumentVersion(1, 0, None)))
    assert len(held) == 0


def test_a_change_that_comes_twice_is_not_made_twice() -> None:
    _, _, held = laptop()
    held.put(PutDocument(1, "a.py", "python", 0, b"abc"))
    once = change(0, 1, [ByteEdit(0, 0, b"x")], b"xabc")
    held.change(once)
    assert held.document(ask(DocumentVersion(1, 1, None))).syntax.buffer.data == b"xabc"
    with pytest.raises(UnknownDocumentError):
        held.change(once)


def test_unused_documents_expire_and_used_ones_stay() -> None:
    clock = Clock()
    held = ClientDocuments("c", ClientLimits(document_seconds=60.0), clock)
    held.put(PutDocument(1, "a.py", "python", 0, b"a"))
    held.put(PutDocument(2, "b c.py", "python", 0, b"b"))
    clock.now += 50
    held.document(ask(DocumentVersion(1, 0, None)))
    clock.now += 20
    assert held.expire() == ["team://c/b%20c.py"]
    assert held.document(ask(DocumentVersion(1, 0, None))).syntax.buffer.data == b"a"


def test_a_client_has_so_many_documents_and_bytes() -> None:
    held = ClientDocuments("c", ClientLimits(documents=2, text=100), Clock())
    held.put(PutDocument(1, "a.py", "python", 0, b"a" * 60))
    with pytest.raises(LimitError):
        held.put(PutDocument(2, "b.py", "python", 0, b"a" * 60))
    held.drop(1)
    held.put(PutDocument(2, "b.py", "python", 0, b"a" * 60))  # what was dropped does not count
    with pytest.raises(LimitError):
        held.change(Change(2, 0, 1, [ByteEdit(0, 0, b"a" * 60)], 120, zlib.crc32(b"a" * 120)))
    held.put(PutDocument(3, "c.py", "python", 0, b""))
    with pytest.raises(LimitError):
        held.put(PutDocument(4, "d.py", "python", 0, b""))


def test_the_laptop_drops_what_it_has_not_used_for_long() -> None:
    session, sent, held = laptop()
    for number in range(MAX_DOCUMENTS + 5):
        opened = session.open(f"file:///p/a{number}.py", "python", 1, "x")
        deliver(held, sent.sync(session.snapshot(opened, 0).document)[0])
    assert len(held) == MAX_DOCUMENTS


def test_settings_of_a_client_let_the_server_read_nothing() -> None:
    from editahead.team.cluster.documents import server_settings

    settings = server_settings(
        {"precision": 0.3, "index.environment": True, "completionImports": True, "bundles": ["/x"], "secrets": ["*"]}
    )
    assert settings.precision == 0.3
    assert (settings.index_environment, settings.completion_imports, settings.respect_gitignore) == (False,) * 3
    assert (settings.bundles, settings.secrets) == ((), ())


def test_a_document_on_the_server_leads_to_no_file() -> None:
    _, _, held = laptop()
    held.put(PutDocument(1, "../../etc/passwd.py", "python", 0, b"x"))
    document = held.document(ask(DocumentVersion(1, 0, None)))
    assert (document.path, document.root, document.exclusion_path) == (None, None, None)
    assert document.uri.startswith("team://c/")
