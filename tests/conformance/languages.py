"""The languages that the suite is run on: each with rules of names, a sample of our own, and perhaps real files."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

from editahead.syntax.grammars import available_grammars
from editahead.syntax.language import Language, all_languages

SAMPLES = Path(__file__).parent / "samples"
GOLDEN = Path(__file__).parent / "golden"
LARGEST = 200_000  # bytes of a real file
REAL_FILES = 200  # of a language


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
