"""Ghost text as a user feels it: asked at places of projects that no model has learnt from.

What stands around the cursor changes what is right, so a place comes in one of four situations (`SITUATIONS`):
`cut`, nothing below is written yet; `hole`, the rest of the line and up to three more lines are missing; `closed`, the
rest of the line is missing and the editor has closed the open brackets; `gap`, only one token is missing. Letters of
a name may be typed. What is shown is right when every character of it is the text that is missing.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec
from editahead.runtime.calibration import Calibration
from editahead.runtime.language_model.ngrams import DocumentCaches
from editahead.runtime.language_model.token_confidence import token_model
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.completion.ngrams import words_of
from editahead.suggest.context import place_at
from editahead.suggest.engine import Engine
from editahead.suggest.gate import cheap_gates, first_failure
from editahead.suggest.ghost_text.ghost_text import (
    LengthSelector,
    continue_at,
    possible_lengths,
    syntax_gate,
    unbound_name,
)
from editahead.suggest.ghost_text.length import is_long_enough
from editahead.suggest.types import Document
from editahead.syntax.language import Language
from editahead.syntax.tokens import Line
from rich.progress import track

from editahead_models.evaluate.places.neighbours import Around
from editahead_models.evaluate.places.product import Sample, document_of

SITUATIONS = {"cut": 3, "hole": 3, "closed": 1, "gap": 1}
"""Kinds of places, with how often they are drawn: most text is written where a line or a file ends."""
NOWHERE = Around({})
_MORE_LINES = (0, 0, 0, 1, 2, 3)
_TYPED = 0.5  # of the names have some letters typed
_CLOSERS = {"(": ")", "[": "]", "{": "}"}
_FLOOR = 0.1  # continuations less probable than this are not followed: no dial asks for them


@dataclass(frozen=True, slots=True)
class Place:
    """A place to ask at: the file's text there, the cursor (bytes), and the text that is missing behind it."""

    project: str
    situation: str
    content: bytes
    at: int
    missing: str
    typed: int  # letters of the name before the cursor
    path: str = ""

    def right(self, insert: str) -> bool:
        """Whether an insertion is the missing text or its beginning, up to the end of a word."""
        if self.situation == "gap":
            return insert == self.missing
        if not self.missing.startswith(insert):
            return False
        if self.situation == "closed" and _closes(insert):
            return False  # the bracket stands behind the cursor
        following = self.missing[len(insert) : len(insert) + 1]
        if not insert:  # a name is complete that is typed to its end
            return not _in_word(following)
        if "\n" in insert and not insert.rpartition("\n")[2].strip():
            return following not in ("", " ", "\t", "\n")  # an indentation is right as a whole
        return not (_in_word(insert[-1:]) and _in_word(following))


@dataclass(frozen=True, slots=True)
class GhostMoment:
    """What was predicted at a place: features and rightness of each token, and the lengths that may be shown."""

    project: str
    situation: str
    typed: bool
    features: tuple[tuple[float, ...], ...]
    right: tuple[bool, ...]  # of the text up to each token
    lengths: tuple[tuple[int, str], ...]  # (tokens, text to insert) that pass the product's gates


def places(samples: Sequence[Sample], seed: int, situations: Mapping[str, int] = SITUATIONS) -> list[Place]:
    """A place a sample, at its token's start or inside a name, in situations drawn at random.

    They are sorted by file and cursor, which keeps contexts warm.
    """
    chooser = random.Random(seed)
    kinds, weights = tuple(situations), tuple(situations.values())
    made: list[Place] = []
    for sample in sorted(samples, key=lambda sample: (sample.project, sample.content, sample.start)):
        name = sample.content[sample.start : sample.end]
        typed = 0
        if sample.is_name and len(name) > 1 and name.isascii() and chooser.random() < _TYPED:
            typed = chooser.randint(1, len(name) - 1)
        made.append(place(sample, chooser.choices(kinds, weights)[0], typed, chooser))
    return made


def place(sample: Sample, situation: str, typed: int, chooser: random.Random) -> Place:
    """One sample in one situation, with some letters of its token typed."""
    content, at = sample.content, sample.start + typed
    if not content[sample.start : sample.end].strip():
        at = sample.end  # the editor indents a new line
    end = content.find(b"\n", at)
    end = len(content) if end < 0 else end
    closers = ""
    if situation == "cut":
        end = len(content)
    elif situation == "hole":
        for _ in range(chooser.choice(_MORE_LINES)):
            after = content.find(b"\n", end + 1)
            end = len(content) if after < 0 else after
    elif situation == "closed":
        line = content.rfind(b"\n", 0, at) + 1
        closers = _open_brackets(content[line:at].decode("utf-8", "replace"))
    else:
        end = sample.end
    missing = content[at:end].decode("utf-8", "replace")
    content = content[:at] + closers.encode() + content[end:]
    return Place(sample.project, situation, content, at, missing, typed, sample.path)


def ask(engine: Engine, places: Sequence[Place], language: Language, around: Around = NOWHERE) -> list[GhostMoment]:
    """The continuation at each place, as far as any dial could ask for it, and how right it is."""
    model = engine.language_model(language.id)
    assert model is not None
    caches: DocumentCaches[Line] = DocumentCaches(words_of)
    found: list[GhostMoment] = []
    for one in track(places, "ghost text", transient=True):
        document = _document(one, language, around)
        where = place_at(document, one.at)
        if first_failure(cheap_gates(document, one.at)) is not None or where.after[:1].isidentifier():
            found.append(GhostMoment(one.project, one.situation, bool(where.prefix), (), (), ()))
            continue
        growth = LengthSelector(token_model(), Calibration(), _FLOOR, 0.0)
        state = continue_at(model, caches, document, where, growth, Cancel())
        texts = [state.insert(n) for n in range(1, len(state.tokens) + 1)]
        right = tuple(one.right(text) for text in texts)
        possible = possible_lengths(growth, state, unbound_name(model, document, where, one.at, state))
        lengths = tuple(
            (length.tokens, length.insert)
            for length in possible
            if not is_long_enough(length.insert) or syntax_gate(document, one.at, state, length).passed
        )
        features = tuple(signs.features() for signs in state.signs)
        found.append(GhostMoment(one.project, one.situation, bool(where.prefix), features, right, lengths))
    return found


def write_moments(path: Path, moments: Sequence[GhostMoment]) -> None:
    """Write what `ask` answered, as JSON."""
    path.write_bytes(msgspec.json.encode(moments))


def read_moments(path: Path) -> list[GhostMoment]:
    """What `write_moments` wrote. Raises msgspec.ValidationError for anything else."""
    return msgspec.json.decode(path.read_bytes(), type=list[GhostMoment])


def _document(one: Place, language: Language, around: Around) -> Document:
    uri = f"file:///{one.situation}-{bool(one.typed)}"  # one kept context for each kind of place
    elsewhere = around.of(one.project, one.path)
    return replace(document_of(language, one.content, Settings(precision=0.0)), uri=uri, elsewhere=elsewhere)


def _open_brackets(text: str) -> str:
    stack: list[str] = []
    for character in text:
        if character in _CLOSERS:
            stack.append(_CLOSERS[character])
        elif stack and character == stack[-1]:
            stack.pop()
    return "".join(reversed(stack))


def _closes(text: str) -> bool:
    """Whether a text closes a bracket that it has not opened."""
    depth = 0
    for character in text:
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return True
    return False


def _in_word(character: str) -> bool:
    return character.isalnum() or character == "_"
