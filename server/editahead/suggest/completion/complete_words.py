"""Words that are complete as they stand, and lists that are safe to accept from.

Editors accept the first item of a list on Enter. Enter behind a completely typed name must not insert a longer
name: so a list that contains a longer word also contains the shorter words that it begins with, and the
typed word is first. The client filters an older list by further letters, so this is true
for every shorter word, not only for the word that is typed when the list is computed.
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from editahead.suggest.completion.ranking.features import PlaceEvidence
from editahead.suggest.completion.ranking.gather import name_lines
from editahead.suggest.completion.ranking.pool import USES
from editahead.suggest.completion.ranking.slot_words import slot_words
from editahead.suggest.completion.ranking.slots import DOTS, SlotKind
from editahead.suggest.context import CursorContext, names_below
from editahead.suggest.types import Completion, Document
from editahead.syntax.grammar_words import grammar_words
from editahead.syntax.language import Language
from editahead.syntax.tokens import names_of
from editahead.text.memo import beginning_with

_SEARCH_BYTES = 100_000  # bytes before and behind the cursor where a word is looked for
_KEYWORD = re.compile(r"(\w+)\s+$")
_OCCURRENCES = 1_000  # of a word's letters behind a dot; a word that begins so many others is taken to stand there


@lru_cache(maxsize=64)
def reserved_words(language: Language) -> frozenset[str]:
    """Keywords and, for Python, built-in names. Raises GrammarMissing."""
    words = set(grammar_words(language))
    if language.id == "python":
        words.update(keyword.kwlist, keyword.softkwlist, ("self", "cls"), dir(builtins))
    return frozenset(words - {"_"})


@lru_cache(maxsize=64)
def _reserved_table(language: Language) -> dict[str, None]:
    return dict.fromkeys(reserved_words(language))


def complete_words(document: Document, cursor: CursorContext, nearby: Iterable[str]) -> frozenset[str]:
    """Keywords, built-in names and the names in reach that begin with the typed prefix.

    `nearby` are those outside the window, however far (`names_nearby`).
    """
    prefix = cursor.prefix
    words = set(beginning_with(_reserved_table(document.syntax.language), prefix))
    words.update(beginning_with(name_lines(cursor).holding, prefix))
    words.update(name for name in names_of(cursor.lines[-1]) if name.startswith(prefix))
    if prefix:
        words.update(nearby)
        words.update(names_below(document.syntax, cursor.line, prefix))
    return frozenset(words)


def incomplete_words(
    document: Document, cursor: CursorContext, evidence: PlaceEvidence, labels: Iterable[str], words: frozenset[str]
) -> frozenset[str]:
    """Those of `words` that some of `labels` begin with and that cannot be complete at the cursor.

    Behind a dot, words that follow no dot in the file; where a name is used, names that are not visible; names behind
    `def` or `function`, and of parameters, which more text must follow. A word alone on its line inside brackets
    may begin a comprehension over several lines, which binds it later.
    """
    begun = frozenset(word for label in labels for word in _beginnings(label, cursor.prefix) if word in words)
    kind, scopes, is_alone = evidence.slot.kind, evidence.scopes, not cursor.before.strip()
    if scopes is None or not begun:
        return frozenset()
    if kind is SlotKind.MEMBER:
        begun -= scopes.attributes | (scopes.members or frozenset())
        return frozenset(word for word in begun if not _is_behind_dot(document.syntax.buffer.data, word, cursor.start))
    if is_alone and kind is not SlotKind.STATEMENT:
        return frozenset()
    behind = _KEYWORD.search(cursor.before)
    unfinished = behind is not None and behind.group(1) in slot_words(document.language_id).unfinished
    if kind is SlotKind.PARAMETER or (kind is SlotKind.BINDING and unfinished):
        return begun
    if kind not in USES or evidence.slot.key:
        return frozenset()
    hidden = scopes.hidden - scopes.parameters - scopes.keywords if kind is SlotKind.ARGUMENT else scopes.hidden
    near = (name_lines(cursor).holding, scopes.visible, reserved_words(document.syntax.language))
    letters = (word for word in begun if len(word) == 1)
    return begun & hidden | frozenset(word for word in letters if not any(word in names for names in near))


def _is_behind_dot(data: bytes, word: str, cursor: int) -> bool:
    """Whether a word stands behind a dot near the cursor, but not at it."""
    return any(_is_at(data, dot.encode(), word.encode(), cursor) for dot in DOTS)


def _is_at(data: bytes, dot: bytes, text: bytes, cursor: int) -> bool:
    at, end = max(0, cursor - _SEARCH_BYTES), cursor + _SEARCH_BYTES
    for _ in range(_OCCURRENCES):
        at = data.find(dot + text, at, end)
        if at < 0:
            return False
        behind = at + len(dot) + len(text)
        after = data[behind : behind + 1]
        if at + len(dot) != cursor and not (after.isalnum() or after == b"_" or after >= b"\x80"):
            return True
        at += len(dot)
    return True


def safe_to_accept(
    items: Sequence[Completion], prefix: str, words: frozenset[str], make: Callable[[str], Completion], limit: int
) -> list[Completion]:
    """`items` (longer than `prefix`, best first) with the complete words that they begin with, at most `limit` in all.

    The typed word goes to the front, whatever its probability, others to the end. Empty where only the typed word
    itself would be listed. `make` makes the item of a word; its probability is cut to what the others leave.
    """
    kept: list[Completion] = []
    listed: set[str] = set()  # the labels of `kept`
    shorter: dict[str, None] = {}
    for item in items:
        beginnings = (word for word in _beginnings(item.label, prefix) if word in words)
        added = [word for word in beginnings if word not in listed and word not in shorter]
        own = 0 if item.label in shorter else 1  # it may be listed already, as the beginning of a longer word
        if len(kept) + len(shorter) + len(added) + own > limit:
            break
        shorter.pop(item.label, None)
        kept.append(item)
        listed.add(item.label)
        shorter.update(dict.fromkeys(added))
    if not kept:
        return []
    rest = max(0.0, 1.0 - sum(item.probability for item in kept))
    exact, others = list[Completion](), list[Completion]()
    by_label = {item.label: item for item in items if item.label in shorter}
    for word in shorter:
        item = by_label.get(word) or make(word)
        most = rest if word == prefix else min(rest, kept[-1].probability)
        item = replace(item, probability=min(item.probability, most))
        rest -= item.probability
        (exact if word == prefix else others).append(item)
    return [*exact, *kept, *sorted(others, key=lambda item: -item.probability)]


def _beginnings(word: str, prefix: str) -> Iterable[str]:
    """What `word` begins with, from the typed prefix on and shorter than `word`."""
    return (word[:length] for length in range(max(1, len(prefix)), len(word)))
