"""The chapters of the site: which page stands where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fnmatch import fnmatch

# Chapters with their pages in order, named as on the site without the ending; a pattern takes those that are left.
CHAPTERS: Mapping[str, tuple[str, ...]] = {
    "Start": ("tutorial", "how-it-works", "editors/neovim", "editors/vscode", "editors/*"),
    "Suggestions": ("surfaces/completion", "surfaces/ghost-text", "surfaces/next-edit", "surfaces/*"),
    "Commands": ("commands/index", "headless", "team"),
    "Reference": ("configuration", "protocol", "limits", "privacy", "threat-model"),
    "Models": ("models", "training", "bundles/index", "figures", "results/index"),
    "Development": (
        "project/contributing", "project/architecture", "api/index", "testing", "promises", "adr/index", "*",
    ),
}  # fmt: skip
# Pages that list others below them; the lists stand at the end of these pages.
BELOW: Mapping[str, str] = {
    "commands/index": "commands/*",
    "bundles/index": "bundles/*",
    "results/index": "results/*",
    "api/index": "api/*",
    "adr/index": "adr/*",
}


def chapters(pages: Iterable[str]) -> dict[str, list[str]]:
    """Every page once, by the title of its chapter, or by the page above it."""
    left = sorted(page for page in pages if page != "index")
    placed: dict[str, list[str]] = {}
    for parent, pattern in BELOW.items():
        placed[parent] = [page for page in left if fnmatch(page, pattern) and page != parent]
        left = [page for page in left if page not in placed[parent]]
    exact = {name for names in CHAPTERS.values() for name in names}
    for title, names in CHAPTERS.items():
        placed[title] = []
        for name in names:
            taken = [page for page in left if page == name or (fnmatch(page, name) and page not in exact)]
            placed[title] += taken
            left = [page for page in left if page not in taken]
    return placed


def table_of_contents(pages: Iterable[str], *, caption: str = "") -> str:
    """A table of contents in MyST; hidden if it has a caption, since the side bar shows it then."""
    options = f":caption: {caption}\n:hidden:\n" if caption else ":maxdepth: 1\n"
    lines = "".join(f"/{page}\n" for page in pages)
    return f"\n```{{toctree}}\n{options}\n{lines}```\n"
