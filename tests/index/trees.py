"""Small workspaces for the tests of the index."""

from __future__ import annotations

from pathlib import Path

from editahead.index.project import ProjectIndex
from editahead.index.sliced_work import finish
from editahead.index.walk import walk
from editahead.settings import Settings


def plant(root: Path, files: dict[str, str | bytes]) -> Path:
    """Write files by their relative paths."""
    for where, content in files.items():
        path = root / where
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return root


def walked(root: Path, settings: Settings | None = None) -> list[str]:
    """What a walk finds, in its order."""
    return [candidate.where for candidate in walk(root, settings or Settings()) if candidate is not None]


def built(root: Path, settings: Settings | None = None) -> ProjectIndex:
    """An index of the whole folder."""
    index = ProjectIndex(root, settings or Settings())
    finish(index.build())
    return index


def names(index: ProjectIndex, family: str = "python") -> set[str]:
    return set(index.view(family).words)


def content(index: ProjectIndex) -> dict[str, tuple[object, ...]]:
    """All that an index knows of Python, name by name."""
    view = index.view("python")
    found: dict[str, tuple[object, ...]] = {}
    for word in view.words:
        origin = view.find(word)
        assert origin is not None
        found[word] = (origin.where, origin.line, origin.count, origin.files)
    return found
