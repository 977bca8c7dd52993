"""A stretch typed key by key in the real server: what the list and ghost text show behind every key."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from editahead.bench import answers
from editahead.bench.editor import EditedDocument
from editahead.bench.probes import strokes, word_at
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.text.edits import ByteEdit
from editahead.text.words import word_before

from editahead_models.publishing.ghost_text import is_right
from editahead_models.publishing.keystrokes.key_kinds import KeyKinds
from editahead_models.publishing.keystrokes.nearest_words import nearest_words
from editahead_models.replay.measured_rows import Row
from editahead_models.replay.simulated_user import SimulatedUser
from editahead_models.replay.stretches import Stretch

_QUOTE, _PATH_AHEAD = re.compile(rb"""["'<][^"'<>]*\Z"""), re.compile(rb"""[^"'>\n]*""")
SETTINGS: dict[str, Any] = {"inComments": True, "inStrings": True}
"""Suggestions are measured everywhere; where the region of a key is no code, the default settings show none of them."""


def measure(user: SimulatedUser, stretches: Sequence[Stretch]) -> Iterator[Row]:
    """A row a stretch: its text and, before each key, what is shown. Raises ServerError.

    A key is described by

    - `at`: its byte in the text; `kind`: what it belongs to (`key_kinds.KINDS`); `region`: where the server, which sees
      the text as far as the key, takes the cursor to be
    - `word`, `letters`: the whole word at the cursor, and how many of its letters stand there; `word` is empty where no
      letter of a word is to come
    - `rank`, `words`: the rank of this word in our list, and among the words of the buffer; None where it is not listed
    - `first`: the probability of the first item that is longer than what is typed, and whether it is the word; None
      where no probability is given
    - `name`: whether a name that a user would complete begins here
    - `dot`: whether the cursor stands behind a dot, where an editor opens the list by itself
    - `path`, in the quoted path of an import alone: the rank of the whole path in our list, None where it is not
      listed, and how many bytes of it are to come. Its quote opens the list by itself
    - `ghost`: None where no ghost text is shown, 0 where it is wrong, else the number of its bytes
    """
    for stretch in stretches:
        document = user.go_to(stretch.path, stretch.language, stretch.before, stretch.below)
        kinds = KeyKinds(stretch)
        view = open_snapshot(document.buffer, stretch.language)
        keys: list[dict[str, Any]] = []
        at = 0
        for stroke in strokes(stretch.text):
            key = {"at": at, "kind": kinds.at(at), "region": view.region_at(document.cursor).value}
            path = _path(document, stretch, at)
            keys.append(key | {"name": at in kinds.names} | path | _shown(document, stretch, at))
            edit = ByteEdit(document.cursor, document.cursor, stroke)
            document.change([edit])
            view = view.advance(document.buffer, [edit])
            at += len(stroke)
        yield {
            "path": stretch.path,
            "situation": stretch.situation,
            "text": stretch.text.decode("utf-8"),
            "keys": keys,
        }
    user.close()


def _path(document: EditedDocument, stretch: Stretch, at: int) -> dict[str, list[int | None]]:
    """`path`, where the server lists whole paths as it does behind a quote; nothing elsewhere."""
    line = document.buffer.data[
        document.buffer.line_span(document.buffer.line_at(document.cursor))[0] : document.cursor
    ]
    opened = _QUOTE.search(line)
    if opened is None:
        return {}
    context = {"triggerKind": 2, "triggerCharacter": '"'}
    listed = _inserted_texts(document.request("textDocument/completion", context=context).result)
    ahead = _PATH_AHEAD.match(stretch.text, at)
    if not listed or ahead is None or not ahead[0]:
        return {}
    written = opened[0].decode("utf-8", "replace") + ahead[0].decode("utf-8", "replace")
    rank = next((number for number, text in enumerate(listed) if text in (written, written[1:])), None)
    return {"path": [rank, len(ahead[0])]}


def _shown(document: EditedDocument, stretch: Stretch, at: int) -> dict[str, Any]:
    """The list and the ghost text before one key."""
    before = document.buffer.data[: document.cursor].decode("utf-8", "replace")
    line = before[before.rfind("\n") + 1 :]
    word = word_at(line, stretch.text[at:].decode("utf-8", "replace"))
    prefix = word_before(line) if word else ""
    rank = words = first = None
    if word:
        reply = document.request("textDocument/completion", context={"triggerKind": 1})
        items = answers.completions(reply.result, prefix)
        names = [item.name for item in items]
        rank = names.index(word) if word in names else None
        likeliest = next((item for item in items if item.name != prefix and item.probability is not None), None)
        first = likeliest and [likeliest.probability, likeliest.name == word]
        listed = nearest_words(document.buffer.text, len(before))
        words = listed.index(word) if word in listed else None
    reply = document.request("textDocument/inlineCompletion", context={"triggerKind": 2})
    shown = answers.ghost_text(reply.result, document.buffer, document.cursor)
    ghost: int | None = None
    if shown is not None:
        insertion = shown.edit.start == shown.edit.old_end == document.cursor
        right = insertion and is_right(shown.edit.new.decode("utf-8", "replace"), stretch.missing(at))
        ghost = min(len(shown.edit.new), len(stretch.text) - at) if right else 0
    return {
        "word": word, "letters": len(prefix), "rank": rank, "words": words, "first": first, "dot": line.endswith("."),
        "ghost": ghost,
    }  # fmt: skip


def _inserted_texts(result: Any) -> list[str]:
    """Return what the items of `textDocument/completion` insert, in the order of a menu."""
    items = result.get("items") if isinstance(result, Mapping) else result
    rows: list[tuple[str, int, str]] = []
    for number, item in enumerate(items if isinstance(items, list) else []):
        try:
            label, edit = str(item["label"]), item.get("textEdit")
            text = str(edit["newText"] if edit else item.get("insertText") or label)
            rows.append((str(item.get("sortText") or label), number, text))
        except (KeyError, TypeError, ValueError, AttributeError):
            continue
    return [text for *_, text in sorted(rows)]
