"""The languages that the suite is run on: each with rules of names, a sample of our own, and real files."""

from __future__ import annotations

import os
import subprocess
import sysconfig
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from editahead.syntax.grammars import available_grammars
from editahead.syntax.language import Language, all_languages

SAMPLES = Path(__file__).parent / "samples"
GOLDEN = Path(__file__).parent / "golden"
NODE_MODULES = Path(__file__).parents[2] / "editors" / "vscode" / "node_modules"
LARGEST = 200_000  # bytes of a real file
REAL_FILES = 200  # of a language
INSTALLED_FILES, INSTALLED_BYTES = 20, 60_000  # of a language, and of each of them


def languages() -> list[Language]:
    """Those with rules of names whose grammar is installed."""
    return [one for one in all_languages() if one.scopes is not None and one.id in available_grammars()]


def sample(language: Language) -> str:
    """A file of our own in a language."""
    return (SAMPLES / f"{language.id}{language.extensions[0]}.txt").read_text(encoding="utf-8")


def real_files(mirror: Path, language: Language) -> Iterator[tuple[str, bytes]]:
    """Files of real projects: git repositories below a folder, at their heads."""
    left = REAL_FILES
    for repository in sorted(mirror.glob("*/repo")):
        git = ["git", "-C", str(repository)]
        names = subprocess.run([*git, "ls-tree", "-r", "--name-only", "HEAD"], capture_output=True, check=False).stdout
        found = [name for name in names.decode("utf-8", "replace").split("\n") if name.endswith(language.extensions)]
        for name in found[:: max(1, len(found) // 20)][:20]:
            data = subprocess.run([*git, "show", f"HEAD:{name}"], capture_output=True, check=False).stdout
            if 0 < len(data) < LARGEST:
                yield f"{repository.parent.name}/{name}", data
                left -= 1
            if not left:
                return


def installed_files(language: Language) -> Iterator[tuple[str, bytes]]:
    """Files of installed packages and of the standard library, a few of a language from all over the folders."""
    found = [path for path in _installed() if path.endswith(language.extensions)]
    for path in found[:: max(1, len(found) // INSTALLED_FILES)][:INSTALLED_FILES]:
        yield path, Path(path).read_bytes()


@lru_cache(maxsize=1)
def _installed() -> tuple[str, ...]:
    """The files of all languages in the folders of the interpreter and of the editor plugin, by their paths."""
    folders = {sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")} | {str(NODE_MODULES)}
    endings = tuple(ending for language in languages() for ending in language.extensions)
    found = set()
    for folder in folders:
        for parent, _, names in os.walk(folder):
            paths = [Path(parent, name) for name in names if name.endswith(endings)]
            found.update(str(path) for path in paths if path.is_file() and 0 < path.stat().st_size <= INSTALLED_BYTES)
    return tuple(sorted(found))
