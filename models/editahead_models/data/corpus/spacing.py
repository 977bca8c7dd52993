"""The space between two tokens, counted on the corpus, for `editahead.encode.language_model.spacing`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

from editahead.encode.language_model.vocabulary import next_depth, spacing_key
from editahead.syntax.language import Language
from editahead.syntax.tokens import Line, TokenKind
from rich.progress import track

from editahead_models.data.corpus.source_files import blobs, token_lines
from editahead_models.data.projects import open_project

_MINIMUM = 20  # pairs seen less often follow plain habit
_FILES_PER_PROJECT = 60


def count_spaces(lines: Iterable[Line]) -> tuple[Counter[str], Counter[str]]:
    """How often each pair of neighbours stands on one line, and how often with a space between."""
    pairs: Counter[str] = Counter()
    spaced: Counter[str] = Counter()
    depth = 0
    for line in lines:
        for left, right in pairwise(line):
            depth = next_depth(depth, left)
            if left.kind is TokenKind.NEWLINE or right.kind is TokenKind.COMMENT:
                continue
            key = spacing_key(left, right, depth)
            pairs[key] += 1
            spaced[key] += right.start > left.end
        if line:
            depth = next_depth(depth, line[-1])
    return pairs, spaced


def spacing_table(language: Language, mirror: Path, projects: Iterable[str]) -> dict[str, bool]:
    """The majority for every frequent pair, over some files of each project."""
    pairs: Counter[str] = Counter()
    spaced: Counter[str] = Counter()
    for name in track(list(projects), "spaces", transient=True):
        project = open_project(mirror, name)
        if project is None or project.licence is None:
            continue
        for number, (_, content) in enumerate(blobs(project, language)):
            if number >= _FILES_PER_PROJECT:
                break
            found, with_space = count_spaces(token_lines(content, language))
            pairs.update(found)
            spaced.update(with_space)
    return {key: spaced[key] * 2 > n for key, n in sorted(pairs.items()) if n >= _MINIMUM}


def keywords_of(language: Language) -> list[str]:
    """Words that the grammar itself spells: its anonymous nodes that look like names, and its constants."""
    grammar = language.grammar()
    words = {
        grammar.node_kind_for_id(number) or ""
        for number in range(grammar.node_kind_count)
        if not grammar.node_kind_is_named(number)
    }
    named = {"True", "False", "None"} if language.id == "python" else {"true", "false", "null", "this", "super"}
    return sorted({word for word in words if word.isidentifier()} | named)
