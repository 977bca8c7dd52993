"""Places that are sampled from the projects of a split, and documents as the engine sees them."""

from __future__ import annotations

import random
from collections.abc import Container
from dataclasses import dataclass
from pathlib import Path

from editahead.settings import Settings
from editahead.suggest.types import Document
from editahead.syntax.language import Language, by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.syntax.tokens import TokenKind
from editahead.text.buffer import Buffer
from editahead.text.coalesced_edits import HistoryView

from editahead_models.data.corpus.source_files import blobs
from editahead_models.data.corpus.test_paths import is_test
from editahead_models.data.projects import open_project
from editahead_models.data.splits import projects_of

SETTINGS = Settings(completion_floor=0.0, max_completions=50)


@dataclass(frozen=True, slots=True)
class Sample:
    """A token of a file: bytes [start, end) of `content`; `path` is that of the file inside its project."""

    project: str
    content: bytes
    start: int
    end: int
    is_name: bool
    path: str = ""


def sample_places(
    language: Language,
    mirror: Path,
    split: str,
    count: int,
    seed: int,
    *,
    names_only: bool,
    without: Container[str] = (),
    code_only: bool = False,
) -> list[Sample]:
    """`count` tokens, the same number from each project of the split, drawn uniformly from its files' tokens.

    Tokens whose text is in `without` are passed over; with `code_only`, line ends and files that are tests are, too.
    """
    chooser = random.Random(seed)
    samples: list[Sample] = []
    projects = [found for name in projects_of(split, language.id) if (found := open_project(mirror, name)) is not None]
    for project in projects:
        files = [row for row in blobs(project, language) if not (code_only and is_test(row[0]))]
        chooser.shuffle(files)
        pool: list[Sample] = []
        for path, content in files[:40]:
            snapshot = SyntaxSnapshot.open(Buffer(content), language)
            starts = snapshot.buffer.line_starts
            for line in range(snapshot.line_count):
                for token in snapshot.line_tokens(line):
                    name = token.kind is TokenKind.NAME
                    kept = name or (not names_only and token.kind is not TokenKind.COMMENT)
                    if kept and token.text not in without and (token.text.strip() or not code_only):
                        at = int(starts[line])
                        pool.append(Sample(project.name, content, at + token.start, at + token.end, name, path))
        samples += chooser.sample(pool, min(len(pool), -(-count // len(projects))))
    chooser.shuffle(samples)
    return samples[:count]


def document_of(language: Language, content: bytes, settings: Settings = SETTINGS) -> Document:
    """A document as the engine sees it, without history."""
    buffer = Buffer(content)
    view = HistoryView(buffer, (), None, 0)
    return Document("file:///sample", None, language.id, 0, SyntaxSnapshot.open(buffer, language), view, settings)


def language_of(language_id: str) -> Language:
    """The language of an id; ValueError when there is none."""
    language = by_id(language_id)
    if language is None:
        raise ValueError(f"no language called {language_id}")
    return language
