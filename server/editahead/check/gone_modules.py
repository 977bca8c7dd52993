"""Modules that a change deleted or renamed, which other files may still import."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

from editahead.check.given_elsewhere import needs_no_import
from editahead.check.texts import ChangedFile, RepositoryTexts, changed_file
from editahead.git import RawChange
from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import LeadsTo

MAX_GONE = 200
"""Modules that are compared, by path."""
_FOLDER_FILES = ("__init__", "index")
_ENDINGS = (
    *(".py", ".pyi", ".pyx", ".pyd", ".so"),
    *(".ts", ".tsx", ".mts", ".cts", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".json", ".vue", ".svelte"),
)


def gone_modules(texts: RepositoryTexts, entries: Sequence[RawChange]) -> list[ChangedFile]:
    """The modules that a diff took from their path, as they were; each is empty now.

    A path that git ignores now is left out: a program writes that file. So is one whose module another file is now.
    Raises CheckError.
    """
    taken = [entry for entry in entries if entry.status == "D" or (entry.status == "R" and entry.before != entry.after)]
    known = [entry for entry in taken if _is_imported(texts, entry.before)][:MAX_GONE]
    ignored = texts.repository.ignored([entry.before for entry in known])
    known = [entry for entry in known if entry.before not in ignored and not is_replaced(entry.before, texts.exists)]
    were = texts.repository.blobs(entry.old for entry in known)
    found: list[ChangedFile] = []
    for entry in known:
        language, data = texts.language(entry.before), were.get(entry.old, b"\0")
        if language is None or b"\0" in data:
            continue
        file = changed_file(entry.before, language, data, b"", texts.settings)
        if file is not None:
            found.append(ChangedFile(file.document, file.changes, entry.after if entry.status == "R" else ""))
    return found


def _is_imported(texts: RepositoryTexts, path: str) -> bool:
    """Whether other files import what a file declares by the name of its module."""
    language = texts.language(path)
    return language is not None and language.scopes is not None and not needs_no_import(language.scopes)


def is_replaced(path: str, exists: Callable[[str], bool], name: str = "") -> bool:
    """Whether another file is the module now that the file of a path was, or a module `name` in it."""
    home = PurePosixPath(path)
    stem = home.parent if home.stem in _FOLDER_FILES else home.with_suffix("")
    stem = stem / name if name else stem
    files = (f"{stem}{ending}" for ending in _ENDINGS)
    inner = (f"{stem}/{file}{ending}" for file in _FOLDER_FILES for ending in _ENDINGS)
    return any(exists(one) for one in (*files, *inner) if one != path)


def by_path(leads_to: LeadsTo) -> LeadsTo:
    """A test of modules that a deleted file is not by one name alone: a library may have that name as well."""

    def test(module: str, uri: str, home_uri: str) -> bool:
        return "." in module and leads_to(module, uri, home_uri)

    return test


def what_became_of(moved: str) -> str:
    """What a change did to a file that is no longer at its path, for people."""
    return f"renamed to {moved}" if moved else "deleted"
