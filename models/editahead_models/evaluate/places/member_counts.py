"""`editahead-models mine members`: how many files of the train projects use a member of a module, and behind any dot.

What is written ships with the server, which ranks members of modules and of built-in classes by it.
"""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import typer
from editahead.environment.exports import Origin, file_imports
from editahead.suggest.completion.ranking.member_features import FILE
from editahead.syntax.language import Language
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.syntax.tokens import Token, TokenKind
from editahead.text.buffer import Buffer
from rich.progress import track

from editahead_models.data.corpus.source_files import blobs
from editahead_models.data.projects import open_project
from editahead_models.data.splits import projects_of
from editahead_models.evaluate.places.product import language_of

LANGUAGE = "python"
_FILES = 60  # of a project
_PROJECTS = 3  # that use a module or a member, at least
_MEMBER_PROJECTS = 2  # of a module


class Use(NamedTuple):
    """A member behind a dot; `module` is the dotted name of the module or imported class before it, or empty."""

    module: str
    name: str


def main(
    mirror: Annotated[Path, typer.Option(help="Folder of git repositories, OWNER+NAME/repo or OWNER/NAME.")],
    out: Annotated[Path | None, typer.Option(help="File to write instead of the server's table.")] = None,
) -> None:
    """Count the members that the train projects use, and write the server's table of common members."""
    language = language_of(LANGUAGE)
    files, projects = Counter[Use](), defaultdict[Use, set[str]](set)
    for name in track(projects_of("train", LANGUAGE), "counting", transient=True):
        project = open_project(mirror, name)
        if project is None or project.licence is None:
            continue
        some = list(blobs(project, language))
        random.Random(name).shuffle(some)
        for _, content in some[:_FILES]:
            for use in uses_in(content, language):
                files[use] += 1
                projects[use].add(name)
    target = out or FILE
    target.write_text(as_json(table(files, projects)), encoding="utf-8")
    print(f"{target}: {target.stat().st_size:,} bytes")


def uses_in(content: bytes, language: Language) -> frozenset[Use]:
    """The members that a file uses, each once behind its module and once behind any dot."""
    snapshot = SyntaxSnapshot.open(Buffer(content), language)
    imports = file_imports(snapshot, ())
    found: set[Use] = set()
    for number in range(snapshot.line_count):
        tokens = [token for token in snapshot.line_tokens(number) if token.kind is not TokenKind.NEWLINE]
        for module, name in _members(tokens, imports):
            found |= {Use("", name), Use(module, name)}
    return frozenset(found)


def _members(tokens: Sequence[Token], imports: dict[str, Origin]) -> Iterator[Use]:
    if tokens and tokens[0].text in ("import", "from"):
        return
    for at in range(1, len(tokens) - 1):
        if tokens[at].text == "." and tokens[at + 1].kind is TokenKind.NAME:
            first = at - 1
            while first > 1 and tokens[first].kind is TokenKind.NAME and tokens[first - 1].text == ".":
                first -= 2
            origin = imports.get(tokens[first].text) if tokens[first].kind is TokenKind.NAME else None
            parts = (*origin[0], *([origin[1]] if origin[1] else [])) if origin is not None else ()
            rest = (token.text for token in tokens[first + 2 : at : 2]) if parts else ()
            yield Use(".".join((*parts, *rest)), tokens[at + 1].text)


def table(files: Counter[Use], projects: dict[Use, set[str]]) -> dict[str, dict[str, int]]:
    """The number of files by member, behind any dot under an empty name, and by module; rare ones are left out."""
    users: dict[str, set[str]] = defaultdict(set)
    for use, some in projects.items():
        users[use.module] |= some
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for use, count in files.items():
        least = _MEMBER_PROJECTS if use.module else _PROJECTS
        if len(users[use.module]) >= _PROJECTS and len(projects[use]) >= least:
            found[use.module][use.name] = count
    return {module: names for module, names in found.items() if len(names) > 1}


def as_json(counts: Mapping[str, Mapping[str, int]]) -> str:
    """The text of the server's table, a line for each module."""
    lines = (f"{json.dumps(module)}: {json.dumps(counts[module], sort_keys=True)}" for module in sorted(counts))
    return "{\n" + ",\n".join(lines) + "\n}\n"
