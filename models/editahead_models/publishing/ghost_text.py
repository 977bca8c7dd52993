"""Ghost text at drawn places, requested from the real server at several target precisions."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from editahead.bench import answers

from editahead_models.replay.measured_rows import Row
from editahead_models.replay.places import DrawnPlace
from editahead_models.replay.simulated_user import SimulatedUser

PRECISIONS = (0.5, 0.65, 0.8, 0.9)
TYPED = 0.5
"""How often some letters of a name are typed already."""


def measure(user: SimulatedUser, places: Sequence[DrawnPlace], rng: random.Random) -> Iterator[Row]:
    """A row a place: by precision None, or the characters that are shown and whether all of them are right."""
    for place in places:
        letters = 0
        if place.is_name and place.end - place.start > 1 and rng.random() < TYPED:
            letters = rng.randint(1, len(place.token) - 1)
        document = user.go_to(place.path, place.language, place.before(letters), place.below)
        shown: list[tuple[int, bool] | None] = []
        for precision in PRECISIONS:
            user.set_precision(precision)
            reply = document.request("textDocument/inlineCompletion", context={"triggerKind": 2})
            found = answers.ghost_text(reply.result, document.buffer, document.cursor)
            if found is None:
                shown.append(None)
                continue
            insertion = found.edit.start == found.edit.old_end == document.cursor
            text = found.edit.new.decode("utf-8", "replace")
            shown.append((len(text), insertion and is_right(text, place.missing(letters))))
        yield {"situation": place.situation, "typed": letters > 0, "shown": shown}
    user.close()


def is_right(insert: str, missing: str) -> bool:
    """Whether an insertion is the missing text or its beginning, up to the end of a word or of an indentation."""
    if not insert or not missing.startswith(insert):
        return False
    following = missing[len(insert) : len(insert) + 1]
    if "\n" in insert and not insert.rpartition("\n")[2].strip():
        return following not in ("", " ", "\t", "\n")
    return not (_in_word(insert[-1]) and _in_word(following))


def _in_word(character: str) -> bool:
    return character.isalnum() or character == "_"
