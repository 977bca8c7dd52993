"""What simulated users press, against cases worked out by hand."""

from __future__ import annotations

from typing import Any

from editahead_models.publishing.keystrokes.users import BOTH, USERS
from editahead_models.replay.measured_rows import Row


def key(at: int, kind: str, word: str = "", letters: int = 0, **more: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"region": "code", "name": False, "dot": False}
    found |= dict.fromkeys(("rank", "words", "ghost", "first"))
    return {"at": at, "kind": kind, "word": word, "letters": letters, **found, **more}


def name(start: int, word: str, kind: str, ranks: dict[int, int], **more: Any) -> list[dict[str, Any]]:
    """The keys of a name; `ranks` by letters typed."""
    return [key(start + n, kind, word, n, rank=ranks.get(n), **more) for n in range(len(word))]


ROW: Row = {
    # `total` is second with nothing typed, `length` is listed behind its second letter, `fresh` never, `of` always.
    "text": 'total(length, fresh, of) "code"',
    "keys": [
        *name(0, "total", "name of the file", {0: 1, 1: 0, 2: 0}),
        key(5, "punctuation", ghost=8),
        *name(6, "length", "name of the file", {2: 0}),
        key(12, "punctuation", ghost=0),
        key(13, "layout"),
        *name(14, "fresh", "name new to the file", {}),
        key(19, "punctuation"),
        key(20, "layout"),
        *name(21, "of", "name of the file", {0: 2, 1: 0}),
        key(23, "punctuation"),
        key(24, "layout"),
        key(25, "string"),
        *name(26, "code", "string", {0: 0}, region="string", words=0),
        key(30, "string", region="string"),
    ],
}


def test_each_user_presses_what_its_suggestions_leave() -> None:
    whole = len(ROW["text"])
    assert len(ROW["keys"]) == whole
    saved = {title: whole - user.pressed(ROW) for title, user in USERS.items()}
    # total: 2 keys instead of 5. length: behind `le` one key for 4. The ghost text brings `(length,` up to the blank.
    assert saved["completions"] == 3 + 3
    assert saved["ghost text"] == 7
    assert saved["both"] == 3 + 7
    assert saved["both, lists asked for"] == 2 + 7  # a third key to open the list
    assert saved["words"] == 3


def test_behind_a_dot_a_list_opens_by_itself() -> None:
    row = {"text": "total", "keys": name(0, "total", "name of the file", {0: 0}, dot=True)}
    assert USERS["both, lists asked for"].pressed(row) == BOTH.pressed(row) == 1


def test_the_sixth_item_is_not_seen() -> None:
    row = {"text": "a_very_long_name", "keys": name(0, "a_very_long_name", "name of the file", {0: 5})}
    assert BOTH.pressed(row) == len(row["text"])


def test_a_path_is_accepted_whole_where_our_list_opens_behind_its_quote() -> None:
    text = 'import "os"'
    keys = [key(n, "punctuation") for n in range(8)]
    keys += [key(8, "string", "os", region="string", path=[1, 2]), key(9, "string", region="string", path=[None, 1])]
    row: Row = {"text": text, "keys": [*keys, key(10, "string", region="string")]}
    pressed = {title: user.pressed(row) for title, user in USERS.items()}
    assert pressed["completions"] == pressed["both"] == len(text)  # the second item saves nothing of two letters
    keys[8]["path"] = [0, 2]
    assert USERS["completions"].pressed(row) == USERS["both, lists asked for"].pressed(row) == len(text) - 1
    assert USERS["words"].pressed(row) == USERS["ghost text"].pressed(row) == len(text)
