"""Packages of a monorepo: the file that the name of a package refers to."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from editahead.environment.classes.file_facts import FileFactsCache
from editahead.environment.classes.referencing_file import join_lexically

_FOLDERS = ("packages", "apps", "libs", "modules")
_MAX_PACKAGES = 300  # of a folder
_KEPT_FOR = 60.0  # seconds; a new package whose folder has its name is seen at once
_ENTRIES = ("src/index", "index", "src/main", "lib/index")  # the build of a package is not read


def package_name(data: bytes) -> str:
    """The name in a `package.json`; empty where there is none."""
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        return ""
    name = content.get("name") if isinstance(content, dict) else None
    return name if isinstance(name, str) else ""


class ScriptPackages:
    """The packages of a repository by their names. Use it from a single thread."""

    def __init__(self, facts: FileFactsCache) -> None:
        self._facts = facts
        self._named: Mapping[str, Path] = {}
        self._root, self._listed_at = Path(), float("-inf")

    def paths(self, root: Path, written: str) -> Iterator[Path]:
        """The paths that the name of a package of a repository may mean, with what stands behind the name."""
        parts = written.split("/")
        size = 2 if written.startswith("@") else 1
        if ".." in parts or len(parts) < size or not parts[0]:
            return
        name, behind = "/".join(parts[:size]), "/".join(parts[size:])
        folder = self._folder(root, name, parts[size - 1])
        if folder is not None:
            yield from (join_lexically(folder, path) for path in ((f"src/{behind}", behind) if behind else _ENTRIES))

    def _folder(self, root: Path, name: str, likely: str) -> Path | None:
        """The folder of a package: by the folder's name, else by the name in its `package.json`."""
        for around in _FOLDERS:
            if self._name(root / around / likely) == name:
                return root / around / likely
        now = time.monotonic()
        if root != self._root or now - self._listed_at > _KEPT_FOR:
            self._named = {self._name(folder): folder for folder in _packages(root)}
            # What was cut is listed again: the packages that have been read cost nothing then.
            self._root, self._listed_at = root, float("-inf") if self._facts.was_cut else now
        folder = self._named.get(name)
        return folder if folder is not None and self._name(folder) == name else None

    def _name(self, folder: Path) -> str:
        return self._facts.get(folder / "package.json", package_name) or ""


def _packages(root: Path) -> Iterator[Path]:
    """The folders that may be packages, in reverse order, so that the first of a name wins."""
    for around in reversed(_FOLDERS):
        try:
            with os.scandir(root / around) as entries:
                yield from sorted((Path(entry.path) for entry in islice(entries, _MAX_PACKAGES)), reverse=True)
        except OSError:
            continue
