"""Modules that a change deleted or renamed, which other files may still import."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

from editahead.check.given_elsewhere import has_implicit_imports
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

    Paths that git ignores now are skipped: a program writes that file. So are modules that another file provides now.
    Raises CheckError.
    """
    taken = [entry for entry in entries if entry.status == "D" or (entry.status == "R" and entry.before != entry.after)]
    imported = [entry for entry in taken if _is_imported(texts, entry.before)][:MAX_GONE]
    ignored = texts.repository.ignored_paths([entry.before for entry in imported])
    kept = [entry for entry in imported if entry.before not in ignored]
    imported = [entry for entry in kept if not is_replaced(entry.before, texts.has_file)]
    old_blobs = texts.repository.blobs(entry.old for entry in imported)
    files: list[ChangedFile] = []
    for entry in imported:
        language, data = texts.language(entry.before), old_blobs.get(entry.old, b"\0")
        if language is None or b"\0" in data:
            continue
        file = changed_file(entry.before, language, data, b"", texts.settings)
        if file is not None:
            files.append(ChangedFile(file.document, file.changes, entry.after if entry.status == "R" else ""))
    return files


def _is_imported(texts: RepositoryTexts, path: str) -> bool:
    """Whether other files import what a file declares by the name of its module."""
    language = texts.language(path)
    return language is not None and language.scopes is not None and not has_implicit_imports(language.scopes)


def is_replaced(path: str, exists: Callable[[str], bool], name: str = "") -> bool:
    """Whether another file provides the module of a path now, or a module `name` in it."""
    old_path = PurePosixPath(path)
    stem = old_path.parent if old_path.stem in _FOLDER_FILES else old_path.with_suffix("")
    stem = stem / name if name else stem
    files = (f"{stem}{ending}" for ending in _ENDINGS)
    inner = (f"{stem}/{file}{ending}" for file in _FOLDER_FILES for ending in _ENDINGS)
    return any(exists(file) for file in (*files, *inner) if file != path)


def by_path(is_module_of: LeadsTo) -> LeadsTo:
    """A module test in which a single name never refers to a deleted file: a library may have that name as well."""

    def is_dotted_module_of(module: str, uri: str, home_uri: str) -> bool:
        return "." in module and is_module_of(module, uri, home_uri)

    return is_dotted_module_of


def what_became_of(moved: str) -> str:
    """What a change did to a file that is no longer at its path, for people."""
    return f"renamed to {moved}" if moved else "deleted"
