"""Features of lines as places of a next edit: the same in fitting and in serving.

A line is described by what the sources say of it, the words that it shares with the changes, its likeness to changed
lines, its distance and direction from them, and its kind; all lines of a request share the features of the request.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from editahead.suggest.next_edit.places.changed_words import KINDS, ChangedWords, RecentChange
from editahead.suggest.next_edit.places.line_facts import LineFacts, line_facts
from editahead.suggest.next_edit.places.place_evidence import SiteEvidence
from editahead.suggest.next_edit.places.place_model import COLUMN, COMPARED, FEATURES, POOLED, RULES, SOURCES
from editahead.suggest.types import Document
from editahead.text.buffer import Buffer

MAX_LINES, MAX_LINES_ELSEWHERE = 400, 24  # lines of the document, and of each other file, that are rated
WINDOW = 60  # lines on both sides of a change that are rated whatever stands there, where not all are
MAX_HITS = 100  # occurrences of a word that are read; a word with more says little
FAR = math.log(400.0)
_LINES_COMPARED = 8  # the most recent changes whose lines are compared with others
_AROUND = 4  # lines on both sides in which changed words are counted
_LETTER = re.compile(rb"[A-Za-z0-9_\x80-\xff]")
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class RatedLines(NamedTuple):
    """Lines [N] of a document with their features [N, F], in the order of FEATURES.

    `hits` holds for each line the words of each kind that stand there, with the byte of the first of each.
    """

    document: Document
    lines: Ints
    features: Floats
    hits: dict[int, dict[int, dict[bytes, int]]]


class WordHits(NamedTuple):
    """Occurrences of changed words: by kind and line the words with their first byte, and the count of each word."""

    by_line: dict[int, dict[int, dict[bytes, int]]]
    counts: tuple[dict[bytes, int], ...]


def rated_lines(
    document: Document,
    facts: LineFacts,
    changed: ChangedWords,
    evidence: SiteEvidence,
    cursor: int | None,
    excluded: Iterable[int],
    check: Callable[[], None],
) -> RatedLines:
    """The lines of a document that qualify, with their features. Raises what `check` raises.

    `cursor` is the zero-based line of the cursor, None in another file than that of the cursor. Lines in `excluded`
    are omitted.
    """
    hits = _word_hits(document, facts, changed, check)
    texts = [site for site in evidence.texts if site.uri == document.uri]
    rules = [site for site in evidence.rules if site.uri == document.uri]
    named = {site.line for site in texts} | {rule.line for rule in rules}
    own = [change for change in changed.changes if change.document.uri == document.uri]
    lines = _chosen(facts, own, named, hits, cursor, frozenset(excluded))
    values = np.zeros((len(lines), len(FEATURES)))
    if not len(lines):
        return RatedLines(document, lines, values, hits.by_line)
    check()
    _fill_request_features(values, document, facts, changed, evidence, hits)
    _fill_position(values, facts, lines, own, changed, cursor)
    _fill_kind(values, document, facts, lines)
    check()
    _fill_likeness(values, document, facts, lines, changed, hits)
    _fill_words(values, document, facts, lines, changed, hits)
    row_of = {int(line): row for row, line in enumerate(lines.tolist())}
    for site in texts:
        source = site.source.split("_", 1)[0] if site.source.startswith("repeat") else site.source
        column = COLUMN[f"text_{source if source in SOURCES else 'consequence'}"]
        for near in (-1, 0, 1):
            row = row_of.get(site.line + near)
            if row is not None:
                name = COLUMN["text_near"] if near else COLUMN["text_here"]
                values[row, name] = max(values[row, name], site.probability)
                values[row, column] = max(values[row, column], site.probability)
                values[row, COLUMN["texts"]] += 1.0
    for rule in rules:
        row = row_of.get(rule.line)
        if row is not None:
            column = COLUMN[f"rule_{rule.source if rule.source in RULES else 'other'}"]
            values[row, column] = max(values[row, column], 0.01 + rule.probability)
    _compare_lines(values, facts, lines, hits)
    return RatedLines(document, lines, values, hits.by_line)


def _word_hits(document: Document, facts: LineFacts, changed: ChangedWords, check: Callable[[], None]) -> WordHits:
    """The occurrences of the changed words, each read up to MAX_HITS times."""
    data = document.syntax.buffer.data
    lowered = data.lower() if changed.words[-1] else b""
    by_line: dict[int, dict[int, dict[bytes, int]]] = {}
    offsets = dict[bytes, list[int]]()
    counts: list[dict[bytes, int]] = []
    for kind, words in enumerate(changed.words):
        check()
        counts.append({})
        is_part = kind == len(KINDS) - 1
        for word in words:
            if is_part:
                starts = _occurrences(lowered, word, is_whole=False)
            else:
                starts = offsets[word] if word in offsets else _occurrences(data, word, is_whole=True)
                offsets[word] = starts
            counts[kind][word] = len(starts)
            if starts and len(starts) < MAX_HITS:
                lines = np.searchsorted(facts.starts, starts, side="right") - 1
                for line, start in zip(lines.tolist(), starts, strict=True):
                    by_line.setdefault(line, {}).setdefault(kind, {}).setdefault(word, start)
    return WordHits(by_line, tuple(counts))


def _occurrences(data: bytes, word: bytes, *, is_whole: bool) -> list[int]:
    """Where a word stands in a text, at most MAX_HITS times."""
    starts: list[int] = []
    at, size, looked = data.find(word), len(word), 0
    while at >= 0 and len(starts) < MAX_HITS and looked < 4 * MAX_HITS:
        looked += 1
        before, behind = data[at - 1 : at] if at else b"", data[at + size : at + size + 1]
        if not is_whole or not (_LETTER.match(before) or _LETTER.match(behind)):
            starts.append(at)
        at = data.find(word, at + size)
    return starts


def _chosen(
    facts: LineFacts,
    own: Sequence[RecentChange],
    named: set[int],
    hits: WordHits,
    cursor: int | None,
    excluded: frozenset[int],
) -> Ints:
    """The lines to rate: those that something leads to, and in the file of the cursor those around the changes."""
    most = MAX_LINES_ELSEWHERE if cursor is None else MAX_LINES
    ranked: dict[int, float] = dict.fromkeys(named, 9.0)
    telling = range(len(KINDS)) if cursor is not None else (0, 1, 2, 3, 6, 7)
    for line, kinds in hits.by_line.items():
        rare = [1.0 / hits.counts[kind][word] for kind in telling if kind in kinds for word in kinds[kind]]
        if rare:
            ranked[line] = ranked.get(line, 0.0) + max(rare) + 0.1 * len(rare)
    if cursor is not None:
        # Where all lines fit, all are rated; of a longer file those near or like a change, and beginnings.
        if facts.line_count <= MAX_LINES:
            ranked = {line: ranked.get(line, 0.0) for line in range(facts.line_count)}
        else:
            for age, change in enumerate(own[:_LINES_COMPARED]):
                for line in range(max(0, change.first - WINDOW), min(facts.line_count, change.last + WINDOW + 1)):
                    gap = max(change.first - line, line - change.last, 0)
                    ranked[line] = ranked.get(line, 0.0) + (1.0 - gap / (WINDOW + 1)) / (1 + age)
                like = np.flatnonzero(facts.shape == facts.shape[change.first])[:MAX_HITS].tolist()
                for line in like if facts.shape[change.first] else ():
                    ranked[line] = ranked.get(line, 0.0) + 0.5
                if change.unit is not None:
                    ranked[change.unit[0]] = ranked.get(change.unit[0], 0.0) + 1.0
            for line in np.flatnonzero(facts.imports)[:50].tolist():
                ranked[line] = ranked.get(line, 0.0) + 0.2
    here = () if cursor is None else (cursor - 1, cursor, cursor + 1)
    kept = [
        line for line in ranked if 0 <= line < facts.line_count and facts.words[line] and line not in here
        and line not in excluded
    ]  # fmt: skip
    if len(kept) > most:
        kept = sorted(kept, key=lambda line: -ranked[line])[:most]
    return np.asarray(sorted(kept), dtype=np.int64)


def _fill_request_features(
    values: Floats,
    document: Document,
    facts: LineFacts,
    changed: ChangedWords,
    evidence: SiteEvidence,
    hits: WordHits,
) -> None:
    last = changed.changes[0]
    own = [change for change in changed.changes if change.document.uri == document.uri]
    in_own = last.document.uri == document.uri
    shape = facts.shape[last.first] if in_own else 0
    lines = [change.first for change in own]
    units = [change.unit for change in changed.changes]
    row = {
        "changes": math.log(1.0 + changed.total),
        "files": math.log(1.0 + changed.files),
        "inserts": float(last.inserts),
        "deletes": float(last.deletes),
        "is_word": float(last.is_word),
        "last_lines": math.log(1.0 + last.last - last.first),
        "last_head": float(last.in_head),
        "last_imports": float(in_own and facts.imports[last.first]),
        "last_comment": float(in_own and facts.comment[last.first]),
        "gone_left": math.log(1.0 + sum(hits.counts[0].values())),
        "come_fresh": float(sum(count <= 1 for count in hits.counts[2].values())),
        "texts_best": max((site.probability for site in evidence.texts), default=0.0),
        "rules_best": max((site.probability for site in evidence.rules), default=0.0),
        "lines_count": math.log(1.0 + facts.line_count),
        "pending": float(document.is_typing),
        "shapes_left": math.log(1.0 + np.count_nonzero(facts.shape == shape)) if shape else 0.0,
        "spread": math.log(1.0 + max(lines) - min(lines)) if lines else 0.0,
        "units": math.log(1.0 + len(set(units))),
        "since_same_unit": float(next((at for at, unit in enumerate(units) if unit != units[0]), len(units))),
        "broken": float(document.syntax.error_count() > 0),
    }
    values[:, [COLUMN[name] for name in row]] = list(row.values())


def _fill_position(
    values: Floats,
    facts: LineFacts,
    lines: Ints,
    own: Sequence[RecentChange],
    changed: ChangedWords,
    cursor: int | None,
) -> None:
    def put(name: str, column: npt.ArrayLike) -> None:
        values[:, COLUMN[name]] = column

    put("elsewhere", float(cursor is None))
    put("from_cursor", np.log1p(np.abs(lines - cursor)) / FAR if cursor is not None else 1.5)
    put("top", lines / max(1, facts.line_count))
    put("from_last", 1.5)
    put("from_any", 1.5)
    if not own:
        return
    gaps = np.stack([np.maximum(np.maximum(each.first - lines, lines - each.last), 0) for each in own])
    put("from_any", np.log1p(gaps.min(0)) / FAR)
    put("touched", gaps.min(0) == 0)
    firsts, lasts = min(change.first for change in own), max(change.last for change in own)
    put("below_all", lines > lasts)
    put("above_all", lines < firsts)
    put("between", (lines > firsts) & (lines < lasts))
    last = changed.changes[0]
    if last is own[0]:
        put("from_last", np.log1p(gaps[0]) / FAR)
        put("below", lines > last.last)
        if len(own) > 1:
            put("trend", np.where((own[1].first < last.first) == (lines > last.last), 1.0, -1.0))
        if last.unit is not None:
            put("same_unit", (lines >= last.unit[0]) & (lines <= last.unit[1]))
    units = [change.unit for change in own if change.unit is not None]
    if units:
        inside = np.stack([(lines >= first) & (lines <= end) for first, end in units])
        put("unit_edits", np.log1p(inside.sum(0)))


def _fill_kind(values: Floats, document: Document, facts: LineFacts, lines: Ints) -> None:
    ends = np.append(facts.starts[1:], len(document.syntax.buffer.data))
    columns = {
        "indent": np.minimum(facts.indent[lines], 40) / 8.0,
        "comment": facts.comment[lines],
        "imports": facts.imports[lines],
        "declares": facts.declares[lines],
        "length": np.log1p(ends[lines] - facts.starts[lines]) / 4.0,
    }
    for name, column in columns.items():
        values[:, COLUMN[name]] = column


def _fill_likeness(
    values: Floats, document: Document, facts: LineFacts, lines: Ints, changed: ChangedWords, hits: WordHits
) -> None:
    last = changed.changes[0]
    own = [change for change in changed.changes[:_LINES_COMPARED] if change.document.uri == document.uri]
    here = facts.shape[lines]
    if own:
        values[:, COLUMN["shape_any"]] = np.isin(here, facts.shape[[change.first for change in own]])
        if last is own[0]:
            values[:, COLUMN["indent_off"]] = (facts.indent[lines] - facts.indent[last.first]) / 8.0
    was = [line_facts(Buffer(change.was)) for change in changed.changes[:_LINES_COMPARED] if change.was]
    olds = {int(old.shape[0]) for old in was} - {0}
    values[:, COLUMN["shape_was"]] = np.isin(here, np.asarray(sorted(olds), dtype=np.uint64))
    _, back, counts = np.unique(here, return_inverse=True, return_counts=True)
    values[:, COLUMN["shape_count"]] = np.log(counts[back])
    values[:, COLUMN["call_count"]] = facts.calls[lines]
    _fill_shared_words(values, facts, lines, changed, hits)


def _fill_shared_words(values: Floats, facts: LineFacts, lines: Ints, changed: ChangedWords, hits: WordHits) -> None:
    """The shares of words that lines have in common with changed lines, without words that stand everywhere."""
    rows = [
        frozenset((*change.around, *change.gone, *change.come)) for change in changed.changes[:_LINES_COMPARED]
    ]  # fmt: skip
    for number, line in enumerate(lines.tolist()):
        kinds = hits.by_line.get(line)
        if not kinds:
            continue
        words = {word for kind in range(6) if kind in kinds for word in kinds[kind]}
        if words:
            total = int(facts.word_count[line])
            likeness = [_share(len(words & row), total + len(row)) for row in rows]
            values[number, COLUMN["words_last"]], values[number, COLUMN["words_most"]] = likeness[0], max(likeness)


def _share(common: int, together: int) -> float:
    """The share of common words of two rows, by the sum of their sizes."""
    return common / max(1, together - common)


def _compare_lines(values: Floats, facts: LineFacts, lines: Ints, hits: WordHits) -> None:
    """The features that compare a line with those beside it and with all others."""
    weights = np.zeros(facts.line_count + 1)
    for line, kinds in hits.by_line.items():
        weights[line + 1] = sum(
            1.0 / hits.counts[kind][word] for kind in (0, 1, 2, 3, 8) if kind in kinds for word in kinds[kind]
        )
    sums = np.cumsum(weights)
    high, low = np.minimum(lines + _AROUND + 1, facts.line_count), np.maximum(lines - _AROUND, 0)
    values[:, COLUMN["density"]] = np.log1p(sums[high] - sums[low])
    source = [COLUMN[name] for name in POOLED]
    target = slice(COLUMN[f"beside_{POOLED[0]}"], COLUMN[f"beside_{POOLED[-1]}"] + 1)
    below = np.flatnonzero(np.diff(lines) == 1)
    values[below, target] = values[below + 1][:, source]
    values[below + 1, target] = np.maximum(values[below + 1, target], values[below][:, source])
    compared = values[:, [COLUMN[name] for name in COMPARED]]
    first = COLUMN[f"lead_{COMPARED[0]}"]
    values[:, first : first + len(COMPARED)] = compared - compared.max(0)


def _fill_words(
    values: Floats,
    document: Document,
    facts: LineFacts,
    lines: Ints,
    changed: ChangedWords,
    hits: WordHits,
) -> None:
    data = document.syntax.buffer.data
    totals = [max(1, len(words)) for words in changed.words]
    heads = {change.name for change in changed.changes if change.in_head and change.name}
    fresh = float(sum(count <= 1 for count in hits.counts[2].values()) > 0)
    gone_near = np.zeros(facts.line_count + 2)
    for line, kinds in hits.by_line.items():
        if 0 in kinds:
            gone_near[line : line + 3] += 1.0
    for number, line in enumerate(lines.tolist()):
        kinds = hits.by_line.get(line, {})
        row = values[number]
        for kind, words in kinds.items():
            rarity = 1.0 / (1.0 + math.log2(min(hits.counts[kind][word] for word in words)))
            row[COLUMN[f"{KINDS[kind]}_rare"]] = rarity
            row[COLUMN[f"{KINDS[kind]}_share"]] = len(words) / totals[kind]
        called = kinds.get(7, {})
        is_call = [word for word, start in called.items() if data[start + len(word) : start + len(word) + 1] == b"("]
        row[COLUMN["call"]] = bool(is_call)
        row[COLUMN["call_head"]] = any(word in heads for word in called)
        if facts.imports[line]:
            row[COLUMN["import_wanted"]] = fresh
        row[COLUMN["gone_near"]] = gone_near[line + 1]
