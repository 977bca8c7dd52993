"""What a document knows of a project around it."""

from __future__ import annotations

from collections.abc import Mapping

from editahead.index.lexicon import lexicon_of
from editahead.index.sliced_work import finish
from editahead.index.stream_table import StreamTable
from editahead.index.view import IndexView, WorkspaceNames
from editahead.syntax.language import by_id
from editahead.text.buffer import Buffer


def python_project(files: Mapping[str, str], own: str) -> WorkspaceNames:
    """N-grams and imports of the files of a project in Python, for the file `own` of it."""
    language = by_id("python")
    assert language is not None
    lexicon = lexicon_of(language)
    assert lexicon is not None
    streams = StreamTable(10_000)
    for path, text in files.items():
        finish(streams.read(path, Buffer(text.encode()), lexicon))
    return WorkspaceNames([], IndexView(), own, finish(streams.ngrams(files))["python"])
