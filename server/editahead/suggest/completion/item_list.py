"""The items of a list of completions: which of the ranked words are listed, and where the typed word stands.

Editors accept the first item of a list on Enter. Enter behind a completely typed name must not insert a longer name: so
a list that contains a longer word also contains the shorter words that it begins with, and the typed word is first. The
client filters an older list by further letters, so this is true for every shorter word, not only for the typed word.
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice

from editahead.suggest.completion.auto_imports import with_imports
from editahead.suggest.completion.ranking.features import NameLines, PlaceEvidence, PredictionContext
from editahead.suggest.completion.ranking.gather import name_lines
from editahead.suggest.completion.ranking.pool import (
    USES,
    begun_builtins,
    can_stand,
    members_of_receiver,
    names_of_file,
)
from editahead.suggest.completion.ranking.slot_words import slot_words
from editahead.suggest.completion.ranking.slots import DOTS, SlotKind
from editahead.suggest.completion.renamed_name import renamed_name, with_renamed_name
from editahead.suggest.context import CursorContext, names_below
from editahead.suggest.types import Completion, Completions, Decision, Document, GateReading, Reason, Shown, Suppressed
from editahead.syntax.grammar_words import grammar_words
from editahead.syntax.language import Language
from editahead.syntax.tokens import names_of
from editahead.text.memo import beginning_with
from editahead.text.words import SCRIPT_IDENTIFIER

_SEARCH_BYTES = 100_000  # bytes before and behind the cursor where a word is looked for
_KEYWORD = re.compile(r"(\w+)\s+$")
_OCCURRENCES = 1_000  # of a word's letters behind a dot; a word that begins so many others is taken to stand there
_VARIABLES = frozenset(("variable", "parameter"))
_DECLARATIONS = frozenset(("function", "class"))


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


def _private_names(document: Document, cursor: CursorContext) -> frozenset[str] | None:
    """The names behind the sign of private names (`#a`) in the file; None where no such sign is before the cursor."""
    table = document.syntax.language.scopes
    if table is None or not table.private_sign or not cursor.before.endswith(table.private_sign):
        return None
    sign = re.escape(table.private_sign.encode())
    names = re.finditer(sign + b"(" + SCRIPT_IDENTIFIER + b")", document.syntax.buffer.data)
    return frozenset(name[1].decode("utf-8", "replace") for name in names if name.start(1) != cursor.start)


def build_list(
    document: Document,
    inputs: PredictionContext,
    ranked: Iterable[Completion],
    whole: Callable[[str], Completion],
    gates: Sequence[GateReading],
    *,
    typed_is_likeliest: bool,
) -> Decision[Completions]:
    """The list of the items `ranked`, best first, which are longer than the typed word.

    `whole` creates the item of a word; `typed_is_likeliest`: the typed word is as likely as the first of them.
    """
    cursor, settings = inputs.cursor, document.settings
    private = _private_names(document, cursor)
    if (renamed := renamed_name(document, cursor)) is not None:
        ranked = with_renamed_name(renamed.name, cursor.prefix, ranked, whole)
    ranking, limit, keys = inputs.ranking, document.max_completions, private
    if ranking is not None and keys is None:
        keys = ranking.literal_keys
    has_room = ranking is not None and keys is None and not cursor.prefix
    members = dict.fromkeys(members_of_receiver(ranking, cursor.prefix)) if ranking is not None and keys is None else {}
    of_file = {**dict.fromkeys(names_of_file(ranking)), **members} if ranking is not None and has_room else {}
    likely: list[Completion] = []
    unlikely: set[str] = set()  # names of the file, and what further letters may move to the top in a client
    for item in ranked if private is None else (item for item in ranked if item.label in private):
        if item.probability >= settings.completion_floor and len(likely) < settings.max_completions:
            likely.append(item)
        elif not likely or not (has_room or document.filtered_by_client):
            break
        elif document.filtered_by_client or item.label in of_file:
            unlikely.add(item.label)
    if likely:
        unlikely.update(islice(of_file, limit))
    words = complete_words(document, cursor, inputs.outside.nearby)
    if private is not None:
        words &= private
    has_others = bool(cursor.prefix) or (document.filtered_by_client and bool(likely))
    others = words - reserved_words(document.syntax.language) if has_others else frozenset[str]()
    if ranking is not None:
        labels = {*(item.label for item in likely), *unlikely}
        words -= incomplete_words(document, cursor, ranking, labels, words)
        words -= ranking.forbidden - {cursor.prefix}
        others -= _no_members(ranking, others)
        others |= _also_begun(ranking, members, cursor.prefix) - grammar_words(document.syntax.language)
        if ranking.permitted is not None:
            others &= ranking.permitted
        if keys is not None:  # few, and exhaustive
            others = frozenset(key for key in keys if key.startswith(cursor.prefix))
    if typed_is_likeliest:
        words |= {cursor.prefix}  # not declared here, and yet the likeliest word
    if cursor.prefix and not likely:
        words |= {cursor.prefix}  # no listed word is likely: Enter must keep the new name
    lines = ranking.lines if ranking is not None else name_lines(cursor)
    likely += _below_floor(likely, others | unlikely, lines, cursor.prefix, whole, settings.completion_floor)
    items = safe_to_accept(likely[:limit], cursor.prefix, words, whole, limit)
    if not items:
        gate = GateReading(Reason.LOW_PROBABILITY, False, f"no candidate reaches {settings.completion_floor:g}")
        return Suppressed(Reason.LOW_PROBABILITY, gate.value, (*gates, gate))
    # The list depends on the prefix's length as well as on its letters, so clients must request it again.
    shown = with_imports(document, ranking, items)
    answer = Completions(shown, cursor.start, cursor.end, complete=False, copied=inputs.prediction.copy_mass)
    return Shown(answer, max(item.probability for item in items), tuple(gates))


def _also_begun(evidence: PlaceEvidence, members: Iterable[str], prefix: str) -> frozenset[str]:
    """Members of the receiver and built-in names that go on with the typed letters; nothing where none are typed."""
    return frozenset((*members, *begun_builtins(evidence, prefix))) - {prefix} if prefix else frozenset()


def _no_members(evidence: PlaceEvidence, words: Iterable[str]) -> frozenset[str]:
    """Behind a dot, those of some words that are variables in scope, and in Python functions and classes in scope."""
    scopes = evidence.scopes
    if scopes is None or evidence.slot.kind is not SlotKind.MEMBER:
        return frozenset()
    members = scopes.attributes | evidence.receiver_pairs | (scopes.members or frozenset())
    no_members: set[str] = set()
    for word in words:
        kind = scopes.visible[word].kind if word in scopes.visible else ""
        is_function = kind in _DECLARATIONS and not scopes.fields_are_called  # methods are not in scope there
        if (kind in _VARIABLES and not can_stand(word, evidence)) or (is_function and word not in members):
            no_members.add(word)
    return frozenset(no_members)


def _below_floor(
    likely: Sequence[Completion],
    words: frozenset[str],
    lines: NameLines,
    prefix: str,
    make: Callable[[str], Completion],
    floor: float,
) -> list[Completion]:
    """Other words of the file or of a literal that go on with the typed letters, of equally likely ones the nearest."""
    labels = {item.label for item in likely} | {prefix}
    others = sorted(map(make, words - labels), key=lambda item: (-item.probability, lines.away(item.label), item.label))
    most = min([floor, *(item.probability for item in likely)])
    return [replace(item, probability=min(item.probability, most)) for item in others]
