"""Packages of a repository that holds several: the file that is meant by the name of one of them."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from editahead.environment.classes.file_facts import FileFactsCache
from editahead.environment.classes.referencing_file import joined

_FOLDERS = ("packages", "apps", "libs", "modules")
_MOST_PACKAGES = 300
_ENTRIES = ("src/index", "index", "src/main", "lib/index")  # the build of a package is not read


def package_name(data: bytes) -> str:
    """The name in a `package.json`; empty where there is none."""
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        return ""
    name = content.get("name") if isinstance(content, dict) else None
    return name if isinstance(name, str) else ""


def package_paths(root: Path, written: str, facts: FileFactsCache) -> Iterator[Path]:
    """The paths that the name of a package of the repository may mean, with what stands behind the name."""
    parts = written.split("/")
    size = 2 if written.startswith("@") else 1
    name, behind = "/".join(parts[:size]), "/".join(parts[size:])
    if ".." in parts:
        return
    for folder in _packages(root, parts[size - 1] if len(parts) >= size else ""):
        if facts.get(folder / "package.json", package_name) == name:
            yield from (joined(folder, one) for one in ((f"src/{behind}", behind) if behind else _ENTRIES))
            return


def _packages(root: Path, likely: str) -> Iterator[Path]:
    """The folders of packages, those that are called like a name first."""
    yield from (root / around / likely for around in _FOLDERS)
    for around in _FOLDERS:
        try:
            with os.scandir(root / around) as entries:
                yield from sorted(Path(one.path) for one in islice(entries, _MOST_PACKAGES) if one.name != likely)
        except OSError:
            continue
