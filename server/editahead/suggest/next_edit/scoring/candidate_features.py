"""Features of candidates for the next edit: the same vector for all sources, in fitting and in serving.

All features lie near [0, 1], or are logarithms or log odds. A source's own score is a feature of that source, so that a
common model learns the weight of each source's score.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import repeat

from editahead.patterns.changes import NetChange, net_changes
from editahead.suggest.next_edit.edit_candidate import LINES, NETWORK, REPEAT, EditCandidate
from editahead.suggest.next_edit.scoring.change_evidence import EVIDENCE_FEATURES, ChangeEvidence, change_evidence
from editahead.suggest.types import Document
from editahead.syntax.snapshot import Region
from editahead.text.buffer import MAX_LINE_BYTES
from editahead.text.edits import ByteEdit

SCORED_SOURCES = (
    "rename", "parameter", "import", "mention", "await", "field", "value", "unbound", "repeat_once", "repeat_often",
    LINES, NETWORK, "argument", "call", "unused", "sibling", "name-part", "imported", "moved",
    "idiom", "rewritten", "parallel", "unpacking", "numbered", "commented", "extracted",
    "type",
)  # fmt: skip
"""Sources as the scorer was fitted on them: repetitions after a single example and after several are two sources.

The columns of sources that were removed since stay 0.
"""
_FITTED = frozenset(SCORED_SOURCES) | {REPEAT}
"""The sources of the fit; later sources do not count in the features of other candidates."""
REQUEST_FEATURES = (
    "typing", "last_inserts", "last_deletes", "last_lines", "last_word", "last_prose", "changes", "changed_files",
    "repeated", "broken", "groups", "asked", "go", "entropy", "rival_consequence", "rival_repeat", "rival_lines",
    "rival_network",
)  # fmt: skip
SITE_FEATURES = (
    "examples", "elsewhere", "from_cursor", "above", "here", "from_edit", "same_scope", "prose", "shared_words",
    "shared_gone", "shared_come", "gone", "come", "inserts", "deletes", "lines", "rename", "siblings", "rank", "lead",
    "agreed", "agreed_network", "touched", "new_words", "blank", "follows_last", "like_changes", *EVIDENCE_FEATURES,
)  # fmt: skip
NETWORK_FEATURES = ("start", "inside", "end", "steps", "repeats", "agreement", "replayed", "history")
SIGNALS = (
    "done_share", "declares", "scope", "twin", "stands", "fresh", "left", "right", "age", "skips", "at_use",
    "bound_again", "of_import", "of_member", "sub_words",
)  # fmt: skip
FEATURES = (
    "bias",
    *(f"is_{source}" for source in SCORED_SOURCES),
    *(f"odds_{source}" for source in SCORED_SOURCES),
    *REQUEST_FEATURES,
    *SITE_FEATURES,
    *(f"network_{name}" for name in NETWORK_FEATURES),
    *(f"signal_{name}" for name in SIGNALS),
)
_OF_NETWORK, _OF_OTHERS = (
    {name: f"{prefix}_{name}" for name in names}
    for prefix, names in (("network", NETWORK_FEATURES), ("signal", SIGNALS))
)
"""The features of the signals of a candidate."""
_LATER, RENAME = "later", "rename"
_DOUBTFUL = "/assignment/once/bound-again"
"""The kind of renames that may split a variable: in commits, 6 of 21 were completed, and 9 references kept the name."""
MAX_ODDS = 6.0
MAX_RATED = 60
"""Candidates of a group and file with features of their own, in the order of their source; the rest share those of the
last of these."""
_MAX_CHANGES, _MAX_BYTES = 50, 2000  # the most recent changes, and bytes of each, that are read
_MAX_LINES = 2000  # of a change
_FAR = math.log(400.0)
_WORD = re.compile(rb"[A-Za-z0-9_\x80-\xff]+")


@dataclass(frozen=True)
class RequestFacts:
    """The facts that all candidates of a request share. `shared` are features of the request itself."""

    document: Document
    line: int
    changes: Mapping[str, Sequence[NetChange]]
    last: tuple[Document, NetChange] | None
    words: frozenset[bytes]
    gone: frozenset[bytes]
    come: frozenset[bytes]
    scopes: tuple[tuple[int, int], ...]
    shared: Mapping[str, float]
    last_line: int
    changed_lines: Counter[int]
    touched: Mapping[str, frozenset[int]]
    evidence: ChangeEvidence
    lines: dict[tuple[str, int], frozenset[bytes]] = field(default_factory=dict)
    sites: dict[int, dict[str, float]] = field(default_factory=dict)  # features by candidate, without the network
    same_edits: dict[int, tuple[str, ByteEdit]] = field(default_factory=dict)  # by candidate


class FeatureRows(list[tuple[float, ...]]):
    """Rows of features, each in the order of FEATURES.

    `renames` holds the row numbers of each rename by its group: all its edits get the same probability. That is the
    lowest of the rows for a `doubtful` rename, else the highest.
    """

    def __init__(self) -> None:
        super().__init__()
        self.renames: dict[str, list[int]] = {}
        self.doubtful: set[str] = set()


def odds(probability: float) -> float:
    """The log odds of a probability, clipped to MAX_ODDS."""
    p = min(1.0 - 1e-6, max(1e-6, probability))
    return max(-MAX_ODDS, min(MAX_ODDS, math.log(p / (1.0 - p))))


def scored_source(candidate: EditCandidate) -> str:
    """The source of a candidate as the scorer distinguishes them."""
    if candidate.source != REPEAT:
        return candidate.source
    return "repeat_often" if candidate.examples > 1 else "repeat_once"


def request_facts(document: Document, byte: int) -> RequestFacts:
    """The facts that all candidates of a request share, without those of the network."""
    documents = (document, *document.others)
    changes = {each.uri: net_changes(each.history, each.syntax.buffer.data) for each in documents}
    latest = [(change, each) for each in documents for change in changes[each.uri]]
    last = max(latest, key=lambda pair: (pair[0].time, pair[1].uri == document.uri, pair[0].turn), default=None)
    buffer = document.syntax.buffer
    values = dict.fromkeys(REQUEST_FEATURES, 0.0)
    values["typing"] = float(document.is_typing)
    values["changes"] = math.log(1.0 + len(latest))
    values["changed_files"] = math.log(1.0 + sum(bool(last_change) for last_change in changes.values()))
    pairs = Counter(
        (change.old, changed_document.syntax.buffer.data[change.start : change.end])
        for change, changed_document in latest[-_MAX_CHANGES:]
    )
    values["repeated"] = sum(count for count in pairs.values() if count > 1) / max(1, len(latest[-_MAX_CHANGES:]))
    values["broken"] = float(document.syntax.error_count() > 0)
    evidence = change_evidence(documents, changes)
    words = gone = come = frozenset[bytes]()
    scopes: tuple[tuple[int, int], ...] = ()
    if last is not None:
        change, changed_document = last
        new = changed_document.syntax.buffer.data[change.start : change.end]
        values["last_inserts"] = float(not change.old.strip() and bool(new.strip()))
        values["last_deletes"] = float(bool(change.old.strip()) and not new.strip())
        values["last_lines"] = float(b"\n" in new or b"\n" in change.old)
        values["last_word"] = float(bool(_WORD.fullmatch(new)) and bool(_WORD.fullmatch(change.old)))
        values["last_prose"] = float(changed_document.syntax.region_at(change.start) is not Region.CODE)
        words = line_words(changed_document, changed_document.syntax.buffer.line_at(change.start))
        old_words, new_words = (frozenset(_WORD.findall(text[:_MAX_BYTES])) for text in (change.old, new))
        gone, come = old_words - new_words, new_words - old_words
        scopes = tuple(changed_document.syntax.scopes_at(change.start))
    last_line = last[1].syntax.buffer.line_at(last[0].start) if last is not None else -1
    changed = Counter(buffer.line_at(change.start) for change in changes[document.uri])
    line = buffer.line_at(min(byte, len(buffer.data)))
    last_change = None if last is None else (last[1], last[0])
    touched = {each.uri: _touched_lines(each, changes[each.uri]) for each in documents}
    return RequestFacts(
        document, line, changes, last_change, words, gone, come, scopes, values, last_line, changed, touched, evidence
    )


def line_words(document: Document, line: int) -> frozenset[bytes]:
    """The words of a line."""
    data = document.syntax.buffer.line_bytes(line)
    return frozenset(_WORD.findall(data[:MAX_LINE_BYTES]))


def rate_features(
    facts: RequestFacts, candidates: Sequence[EditCandidate], network: Mapping[str, float] | None
) -> FeatureRows:
    """The features of candidates, each in the order of FEATURES; `candidates` holds those of every source.

    `network` holds `go` and `entropy` of the network's answer; None without an answer.
    """
    groups = Counter((candidate.source, candidate.group) for candidate in candidates)
    fitted = sum(source in _FITTED for source, _ in groups)
    by_edit: dict[tuple[str, ByteEdit], list[EditCandidate]] = {}
    scores: dict[str, list[float]] = {}
    for candidate in candidates:
        same = facts.same_edits.get(id(candidate))
        if same is None:
            same = facts.same_edits[id(candidate)] = _edit_key(candidate)
        by_edit.setdefault(same, []).append(candidate)
        scores.setdefault(_family(candidate), []).append(candidate.score)
    ranked = {family: sorted(family_scores) for family, family_scores in scores.items()}
    shared = dict(facts.shared)
    shared["groups"] = math.log(1.0 + fitted)
    shared["asked"] = float(network is not None)
    shared["go"], shared["entropy"] = (network["go"], network["entropy"]) if network else (0.0, 0.0)
    rows = FeatureRows()
    rated: dict[tuple[str, str, str], list[tuple[float, ...]]] = {}
    for number, candidate in enumerate(candidates):
        if candidate.source == RENAME and candidate.document.uri in facts.changes:
            rows.renames.setdefault(candidate.group, []).append(number)
            rows.doubtful.update([candidate.group] if candidate.kind.endswith(_DOUBTFUL) else ())
        group_rows = rated.setdefault((candidate.source, candidate.group, candidate.document.uri), [])
        if len(group_rows) >= MAX_RATED:
            rows.append(group_rows[-1])
            continue
        site_features = facts.sites.get(id(candidate))
        if site_features is None:
            origin = replace(facts, line=candidate.like) if candidate.source == RENAME else facts
            site_features = facts.sites[id(candidate)] = _site_features(origin, candidate)
        values = {"bias": 1.0, **shared, **site_features}
        for family in ("consequence", REPEAT, LINES, NETWORK):
            rival = ranked.get(family, [0.0])[-1] if family != _family(candidate) else 0.0
            values[f"rival_{family}"] = rival
        own_scores = ranked[_family(candidate)]
        values["siblings"] = math.log(groups[candidate.source, candidate.group])
        values["rank"] = math.log(1.0 + min(50, len(own_scores) - bisect_right(own_scores, candidate.score)))
        below = bisect_left(own_scores, candidate.score)
        values["lead"] = candidate.score - (own_scores[below - 1] if below else 0.0)
        twins = by_edit[facts.same_edits[id(candidate)]]
        values["agreed"] = max(
            (other.score for other in twins if _family(other) not in (_family(candidate), NETWORK, _LATER)), default=0.0
        )
        values["agreed_network"] = max(
            (other.score for other in twins if other is not candidate and other.source == NETWORK), default=0.0
        )
        source = scored_source(candidate)
        values[f"is_{source}"], values[f"odds_{source}"] = 1.0, odds(candidate.score)
        features = _OF_NETWORK if candidate.source == NETWORK else _OF_OTHERS
        for name, value in candidate.signals.items():
            if name in features:
                values[features[name]] = value
        rows.append(tuple(map(values.get, FEATURES, repeat(0.0))))
        group_rows.append(rows[-1])
    return rows


def _family(candidate: EditCandidate) -> str:
    if candidate.source not in _FITTED:
        return _LATER
    return candidate.source if candidate.source in (REPEAT, LINES, NETWORK) else "consequence"


def _edit_key(candidate: EditCandidate) -> tuple[str, ByteEdit]:
    """A key of a candidate's edit, independent of the unchanged text that a source includes."""
    return candidate.document.uri, candidate.offer.trim(candidate.document.syntax.buffer.data)


def _site_features(facts: RequestFacts, candidate: EditCandidate) -> dict[str, float]:
    """Features of the site and the text of a candidate."""
    document, edit, line = candidate.document, candidate.offer, candidate.line
    data = document.syntax.buffer.data
    gone = edit.old_bytes(data)
    own = document.uri == facts.document.uri
    last = facts.last
    in_last = last is not None and last[0].uri == document.uri
    edited = document.syntax.buffer.line_at(last[1].start) if last is not None and in_last else 0
    key = (document.uri, line)
    words = facts.lines.get(key)
    if words is None:
        words = facts.lines[key] = line_words(document, line)
    union = len(words | facts.words)
    scopes = tuple(document.syntax.scopes_at(edit.start)) if in_last else ()
    same_scope = 0.5
    if in_last and (scopes or facts.scopes):
        same_scope = float(scopes[:1] == facts.scopes[:1])
    probe = edit.start + (edit.old_end > edit.start)
    new_words = _WORD.findall(edit.new)
    return {
        "examples": math.log(max(1, candidate.examples)),
        "elsewhere": float(not own),
        "from_cursor": math.log(1.0 + abs(line - facts.line)) / _FAR if own else 1.5,
        "above": float(own and line < facts.line),
        "here": float(own and line == facts.line),
        "from_edit": math.log(1.0 + abs(line - edited)) / _FAR if in_last else 1.5,
        "same_scope": same_scope,
        "prose": float(document.syntax.region_at(probe) is not Region.CODE),
        "shared_words": len(words & facts.words) / union if union else 0.0,
        "shared_gone": len(words & facts.gone) / len(facts.gone) if facts.gone else 0.0,
        "shared_come": len(words & facts.come) / len(facts.come) if facts.come else 0.0,
        "gone": math.log(1.0 + len(gone)) / 4.0,
        "come": math.log(1.0 + len(edit.new)) / 4.0,
        "inserts": float(not gone.strip()),
        "deletes": float(not edit.new.strip()),
        "lines": float(b"\n" in edit.new or b"\n" in gone),
        "rename": float(bool(_WORD.fullmatch(gone)) and bool(_WORD.fullmatch(edit.new))),
        "touched": float(line in facts.touched.get(document.uri, ())),
        "new_words": float(any(word not in facts.words and word not in words for word in new_words)),
        "follows_last": float(last is not None and facts.last_line == candidate.like),
        "like_changes": math.log(1.0 + facts.changed_lines[candidate.like]) if own else 0.0,
        "blank": float(not gone.strip() and not edit.new.strip()),
        **facts.evidence.of(candidate),
    }


def _touched_lines(document: Document, changes: Sequence[NetChange]) -> frozenset[int]:
    """The lines of the most recent changes of a document, up to _MAX_LINES of each."""
    line_at = document.syntax.buffer.line_at
    spans = ((line_at(change.start), line_at(change.end)) for change in changes[-_MAX_CHANGES:])
    return frozenset(line for first, last in spans for line in range(first, min(last, first + _MAX_LINES) + 1))
