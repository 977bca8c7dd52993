"""What is recorded of a dev project: next edits, facts, completions, and the missed-edit check."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from editahead.analysis.resolver.file_scopes import NameAt
from editahead.analysis.resolver.resolver import Resolver, resolver_of
from editahead.check.git import CheckedRepository, CheckError, Span
from editahead.check.report import as_json
from editahead.check.run import check_span, model_of, under_way_of
from editahead.git import GitError
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.engine import Engine
from editahead.suggest.types import Document, Shown
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.language import Language
from editahead.text.buffer import Buffer

from editahead_models.data.mining.commits import commits_of, small_commits
from editahead_models.data.projects import Project
from editahead_models.evaluate.golden.answers import (
    DIGITS,
    AnswerItem,
    RecordedAnswer,
    edit_item,
    items_of_result,
    location,
)
from editahead_models.evaluate.next_edits.candidate_moments import ReplayedMoment, replayed_moments
from editahead_models.evaluate.places.neighbours import Neighbourhood
from editahead_models.evaluate.places.product import document_of
from editahead_models.replay.places import FILES, DrawnPlace, draw
from editahead_models.replay.transcripts import transcribe

NEWEST = 500
"""Commits of a project, newest first, that are drawn from."""
PRECISION = 0.5
"""The target precision of the check: low, so that more is recorded."""


class DevProject(NamedTuple):
    """A project with its (path, content, language) and the extension and language of most of its files."""

    project: Project
    files: list[tuple[str, bytes, Language]]
    extension: str
    language: Language

    def key(self, *names: object) -> tuple[str, ...]:
        """The key of an answer at HEAD."""
        return (self.project.name, self.project.commit[:10], *map(str, names))


@cache
def shipped_engine(part: str) -> Engine:
    """The engine of a part: no part depends on what another one has asked."""
    return Engine.load(find_bundles(), "cpu", lambda text, share: None)


def record_next_edits(source: DevProject, count: int, seed: int) -> Iterator[RecordedAnswer]:
    """All candidates at moments of replayed commits, and what is shown and queued there."""
    engine = shipped_engine("next edits")
    commits = commits_of(source.project.path, source.extension, newest=NEWEST, limit=count, seed=seed)
    for commit in commits:
        moments = replayed_moments(source.language, commit, random.Random(f"{seed}:{commit.name}"))
        for number, moment in enumerate(moments):
            if count <= 0:
                return
            count -= 1
            key = (source.project.name, commit.name[:10], moment.file.path, moment.kind, str(number))
            yield RecordedAnswer(key, tuple(_next_edit_items(engine, moment)))
        for path, *_ in (*commit.changes, *commit.beside):
            engine.forget(path)


def _next_edit_items(engine: Engine, moment: ReplayedMoment) -> Iterator[AnswerItem]:
    document, byte = moment.document, moment.byte
    buffers = {other.uri: other.syntax.buffer for other in (document, *document.others)}
    for rated in engine.rated_candidates(document, byte, Cancel(), thorough=False).items:
        candidate = rated.candidate
        uri, flag = candidate.document.uri, "sure" if rated.sure else ""
        yield edit_item(candidate.source, uri, buffers[uri], candidate.offer, rated.probability, flag)
    shown: Any = engine.next_edit(document, byte, Cancel())
    if isinstance(shown, Shown):
        yield edit_item("shown", document.uri, buffers[document.uri], shown.value.edit, shown.probability)
    else:
        yield AnswerItem("shown", shown.reason.value)
    other = engine.next_edit_elsewhere(document, byte, Cancel())
    if isinstance(other, Shown):
        yield edit_item("elsewhere", other.value.uri, buffers[other.value.uri], other.value.edit, other.probability)
    queue = engine.next_edits(document, byte, Cancel())
    for item in queue.value.items if isinstance(queue, Shown) else ():
        flag = "sure" if item.sure else ""
        yield edit_item("queued", item.uri, buffers[item.uri], item.edit, item.probability, flag)
    place = engine.next_edit_place(document, byte, Cancel())
    if isinstance(place, Shown):
        at = location(place.value.uri, buffers[place.value.uri], place.value.start)
        yield AnswerItem(f"place {at}", place.value.message, round(place.probability, DIGITS))


def record_facts(source: DevProject, count: int, seed: int) -> Iterator[RecordedAnswer]:
    """Scopes, occurrences with what they mean, and references, of drawn files."""
    rng = random.Random(f"{seed}:{source.project.name}")
    for path, content, language in rng.sample(source.files, min(count, len(source.files))):
        resolver = resolver_of(open_snapshot(Buffer(content), language), path=path)
        if resolver is not None:
            yield RecordedAnswer(source.key(path), tuple(_fact_items(resolver, Buffer(content))))


def _fact_items(resolver: Resolver, buffer: Buffer) -> Iterator[AnswerItem]:
    def locations(names: list[NameAt]) -> str:
        return " ".join(location("", buffer, name.start) for name in sorted(names, key=lambda name: name.start))

    references: dict[object, AnswerItem] = {}
    for number, unit in enumerate(resolver.scopes.facts.units):
        for scope in unit.facts.scopes:
            span = " ".join(location("", buffer, unit.start + byte) for byte in (scope.start, scope.end))
            yield AnswerItem(f"scope {span}", f"{scope.kind.value} {scope.name}")
        for occurrence in unit.facts.occurrences:
            start, end = unit.start + occurrence.start, unit.start + occurrence.end
            binding = resolver.binding(NameAt(start, end, number, occurrence))
            meaning = "unknown"
            if binding is not None:
                meaning = f"{resolver.kind(binding)} {locations(resolver.declarations(binding))}"
                if binding not in references:
                    at = f"references of {binding.name} {meaning}"
                    references[binding] = AnswerItem(at, locations(resolver.references(binding)))
            text = f"{occurrence.action.name} {occurrence.namespace.name} {occurrence.kind}: {meaning}"
            yield AnswerItem(f"{location('', buffer, start)} {occurrence.name}", text)
    yield from references.values()


def record_transcripts(source: DevProject, count: int, seed: int) -> Iterator[RecordedAnswer]:
    """The answers of drawn sessions of the real server. Raises ServerError."""
    for answer in transcribe(source.files, count, random.Random(f"{seed}:{source.project.name}")):
        at = location(answer.path, answer.buffer, answer.byte)
        yield RecordedAnswer(source.key(at, answer.request), items_of_result(answer.result, answer.root))


def record_completions(source: DevProject, count: int, seed: int) -> Iterator[RecordedAnswer]:
    """The completions at drawn names, with none to two letters typed and the names of other files around."""
    engine = shipped_engine("completions")
    rng = random.Random(f"{seed}:{source.project.name}")
    files = rng.sample(source.files, min(FILES, len(source.files)))
    around: dict[str, Neighbourhood] = {}
    for place in draw(files, count, rng, names_only=True):
        language = place.language
        if language.id not in around:
            alike = [(path, content) for path, content, other in files if other is language]
            around[language.id] = Neighbourhood(alike, language)
        yield _completion(engine, source, place, around[language.id], rng.randrange(3))


def _completion(
    engine: Engine, source: DevProject, place: DrawnPlace, around: Neighbourhood, letters: int
) -> RecordedAnswer:
    before = place.before(letters)
    uri = f"file:///{place.situation}/{place.path}"
    document: Document = replace(
        document_of(place.language, before + place.below), uri=uri, elsewhere=around.around(place.path)
    )
    decision = engine.complete(document, len(before), Cancel())
    engine.forget(uri)
    key = source.key(location(place.path, document.syntax.buffer, len(before)), place.situation, place.token)
    if not isinstance(decision, Shown):
        return RecordedAnswer(key, (AnswerItem("", decision.reason.value),))
    items = decision.value.items
    texts = [f"{item.kind} {item.source} {item.import_from}".strip() for item in items]
    return RecordedAnswer(
        key,
        tuple(
            AnswerItem(item.label, text, round(item.probability, DIGITS))
            for item, text in zip(items, texts, strict=True)
        ),
    )


def record_checks(source: DevProject, count: int, seed: int) -> Iterator[RecordedAnswer]:
    """What the missed-edit check reports of drawn commits."""
    repository = CheckedRepository(source.project.path, bare=True)
    drawn = small_commits(source.project.path, source.extension, NEWEST)
    model, under_way = model_of(()), under_way_of(())
    for commit, _ in random.Random(seed).sample(drawn, min(count, len(drawn))):
        span, key = Span(f"{commit}^", commit), (source.project.name, commit[:10])
        try:
            report = as_json(check_span(repository, span, (), model, PRECISION, Settings(), under_way), PRECISION)
        except (CheckError, GitError) as error:
            yield RecordedAnswer(key, (AnswerItem("error", str(error).replace(str(source.project.path), "")),))
            continue
        notes = (AnswerItem("note", note) for note in report["notes"])
        rows = (_check_item(row) for row in (*report["missed"], *report["leftovers"]))
        yield RecordedAnswer(key, (*rows, *notes))


def _check_item(row: dict[str, Any]) -> AnswerItem:
    start = row["range"]["start"]
    at = f"{row.get('kind', 'missed')} {row['path']}:{start['line']}:{start['column']} {row.get('name', '')}".strip()
    return AnswerItem(at, f"{row['message']}: {row.get('newText', '')}", round(row["probability"], DIGITS))
