"""The pages of the site: those of the repository, and those that are made from the code."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from scripts.docs_site import api, bundles, commands, navigation
from scripts.docs_site.links import moved

ROOT = Path(__file__).resolve().parents[2]
# Folders of the repository for which a page is made.
MADE_FOR = {ROOT / "models" / "editahead_bundles": "bundles/index", ROOT / "server" / "editahead": "api/index"}


def sources() -> dict[Path, str]:
    """The repository's Markdown files by path, each with the name of its page."""
    found = {ROOT / "README.md": "index", ROOT / "models" / "LOG.md": "project/log"}
    found[ROOT / "editors" / "vscode" / "README.md"] = "editors/vscode"
    for path in sorted(ROOT.glob("*.md")):
        found.setdefault(path, f"project/{path.stem.lower()}")
    for path in sorted((ROOT / "docs").rglob("*.md")):
        name = path.relative_to(ROOT / "docs").with_suffix("").as_posix()
        found[path] = re.sub(r"(^|/)README$", r"\1index", name)
    return found


def generated() -> dict[str, str]:
    """The pages that are made from the code, by name."""
    return {
        **dict(api.pages(ROOT / "server" / "editahead")),
        **dict(bundles.pages(ROOT / "models" / "editahead_bundles")),
    }


def gather(folder: Path) -> None:
    """Writes all pages and pictures of the site into an empty folder. Raises BrokenLinkError."""
    pages, assets = sources(), set[Path]()
    texts = {
        name: moved(commands.with_options(path.read_text(encoding="utf-8")), path, name, pages | MADE_FOR, ROOT, assets)
        for path, name in pages.items()
    }
    texts |= generated()
    chapters = navigation.chapters(texts)
    for parent in navigation.BELOW:
        if chapters[parent]:
            texts[parent] += navigation.table_of_contents(chapters[parent])
    for title in navigation.CHAPTERS:
        texts["index"] += navigation.table_of_contents(chapters[title], caption=title)
    for name, text in texts.items():
        _write(folder / f"{name}.md", text)
    for asset in assets:
        target = folder / asset.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(asset, target)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
