"""The scoreboard: what became of suggestions, as counts, and as a page of text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from editahead.learning.rejected_kinds import WITHHELD_WEIGHT, RejectedKind
from editahead.text.percent import percent

KINDS = {"inline": "ghost text", "next_edit": "next edits", "next_edit_place": "open sites"}
"""Titles of the kinds of suggestions that are listed."""
OUTCOMES = frozenset({"accepted", "partly accepted", "rejected", "undone", "typed through"})
"""What the user does with a suggestion."""
SAVED_KEYS, TYPED_KEYS, ANSWERED = "saved keys", "typed keys", "answered"
ALL_EVENTS = frozenset({*OUTCOMES, "offered", "shown", SAVED_KEYS, TYPED_KEYS, ANSWERED})
BUCKETS = 10  # of the probability
MILLISECONDS = (5, 10, 20, 50, 100, 200, 500, 1000, 10_000)
"""Upper bounds of the classes of times; the last has no bound."""
NOT_REMEMBERED = "earlier sessions are not remembered, as editahead.memory is off"
_STROKE = re.compile(rb"\r?\n[ \t]*|[^\x80-\xbf][\x80-\xbf]*", re.DOTALL)


class CountKey(NamedTuple):
    """What is counted: by project (its folder, or the hash of it), language, kind, class of probability, and event.

    `bucket` is the tenth of the probability, 0 to 9; of `answered` the index of the class of times.
    """

    project: str
    language: str
    kind: str
    bucket: int
    event: str


Counts = Mapping[CountKey, int]


def bucket_of(probability: float) -> int:
    """Return the class of a probability in [0, 1]."""
    return max(0, min(BUCKETS - 1, int(probability * BUCKETS)))


def time_class(seconds: float) -> int:
    """Return the class of a time."""
    milliseconds = 1000 * seconds
    return next((at for at, bound in enumerate(MILLISECONDS) if milliseconds <= bound), len(MILLISECONDS) - 1)


def keystrokes(removed: bytes, inserted: bytes) -> int:
    """Return the keystrokes of an edit by hand: a line end with indentation, and all that is removed, count once."""
    return len(_STROKE.findall(inserted)) + bool(removed)


def of_all_projects(counts: Counts) -> Counter[CountKey]:
    """Return the counts of all projects together, with an empty project."""
    merged: Counter[CountKey] = Counter()
    for key, count in counts.items():
        merged[key._replace(project="")] += count
    return merged


def rows(counts: Counts) -> list[dict[str, str | int]]:
    """Return the counts of all projects together, as plain values: a row for each language, kind and bucket."""
    merged: dict[tuple[str, str, int], Counter[str]] = {}
    for key, count in counts.items():
        merged.setdefault((key.language, key.kind, key.bucket), Counter())[key.event] += count
    return [
        {"language": language, "kind": kind, "bucket": bucket, **dict(sorted(events.items()))}
        for (language, kind, bucket), events in sorted(merged.items())
    ]


def page(
    title: str,
    counts: Counts,
    kinds: Iterable[RejectedKind],
    day: int,
    offsets: Mapping[str, float] = MappingProxyType({}),
) -> str:
    """Return counts and what was learned as a page of text, its lines at most 100 characters wide.

    `offsets`: log odds that a session's outcomes add to the probability of ghost text, by language.
    """
    events, by_bucket, times = _sums(counts)
    saved = sum(own[SAVED_KEYS] for own in events.values())
    typed = sum(count for key, count in counts.items() if key.event == TYPED_KEYS)
    lines = [
        title,
        "",
        f"Keys saved: {saved:,} beside {typed:,} typed{_share(saved, saved + typed, ', {} of all')}",
        "",
    ]
    listed = [(slot, own) for slot, own in sorted(events.items()) if slot[0] in KINDS and own["offered"]]
    if not listed:
        return "\n".join([*lines, "Nothing was suggested."]) + "\n"
    lines.append(f"{'':11} {'':12} {'shown':>7} {'accepted':>16} {'rejected':>9} {'undone':>7} {'typed through':>14}")
    for (kind, language), own in listed:
        wanted = f"{own['accepted']:,}{_share(own['accepted'], own['shown'], ' ({})')}"
        counted = f"{own['shown']:7,} {wanted:>16} {own['rejected']:9,} {own['undone']:7,} {own['typed through']:14,}"
        lines.append(f"{KINDS[kind]:11} {language:12} {counted}")
    for kind, name in KINDS.items():
        buckets = [(at, own) for (own_kind, at), own in sorted(by_bucket.items()) if own_kind == kind and own["shown"]]
        lines += ["", f"{name.capitalize()} by probability"] if buckets else []
        for at, own in buckets:
            share = _share(own["accepted"], own["shown"], "{}")
            lines.append(f"  of {own['shown']:,} shown at {10 * at} to {10 * at + 10} %, {share} were accepted")
    answered = [f"  {KINDS[kind]:11} {_time(own, 0.5)}, {_time(own, 0.95)}" for kind, own in times.items()]
    lines += ["", "Time to answer", *answered] if answered else []
    lines += ["", *_learnt(kinds, day)]
    lines += [
        f"Ghost text in {language} is stricter by {-offset:.1f} log odds in this session."
        for language, offset in sorted(offsets.items())
    ]
    return "\n".join(lines) + "\n"


def _sums(
    counts: Counts,
) -> tuple[dict[tuple[str, str], Counter[str]], dict[tuple[str, int], Counter[str]], dict[str, Counter[int]]]:
    """Return events by kind and language, events by kind and bucket, and classes of times by kind."""
    events: dict[tuple[str, str], Counter[str]] = {}
    by_bucket: dict[tuple[str, int], Counter[str]] = {}
    times: dict[str, Counter[int]] = {}
    for key, count in counts.items():
        if key.event == ANSWERED:
            if key.kind in KINDS:
                times.setdefault(key.kind, Counter())[key.bucket] += count
        elif key.event != TYPED_KEYS:
            events.setdefault((key.kind, key.language), Counter())[key.event] += count
            by_bucket.setdefault((key.kind, key.bucket), Counter())[key.event] += count
    return events, by_bucket, times


def _share(part: int, whole: int, form: str) -> str:
    return form.format(percent(part / whole)) if whole else ""


def _time(classes: Counter[int], share: float) -> str:
    """Return the class of times below which a share of the answers lies."""
    total, below = classes.total(), 0
    for at, bound in enumerate(MILLISECONDS):
        below += classes[at]
        if below >= share * total:
            within = f"within {bound:,} ms" if at < len(MILLISECONDS) - 1 else f"later than {MILLISECONDS[-2]:,} ms"
            return f"{percent(share)} {within}"
    return ""


def _learnt(kinds: Iterable[RejectedKind], day: int) -> list[str]:
    """Return a line for each kind of edit that was rejected."""
    lines = [
        f"  {kind.pattern}  {kind.language}, {KINDS.get(kind.kind, kind.kind)}"
        f"{f' from {kind.source}' if kind.source else ''}, line of {kind.statement}: rejected {kind.count} times"
        f"{', not shown now' if kind.weight_at(day) >= WITHHELD_WEIGHT else ''}"
        for kind in kinds
    ]
    return ["Kinds of edits that were rejected", *lines] if lines else ["No kind of edit was rejected."]
