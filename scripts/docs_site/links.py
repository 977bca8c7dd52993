"""Links between pages: as they are in the repository, and as they are on the site."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path

_LINK = re.compile(r"(!?)\[([^\[\]]*)\]\(([^()\s]+)\)")
_FENCE = re.compile(r"^\s*(```+|~~~+)")
_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")


class BrokenLinkError(Exception):
    """A page that links to what the repository does not hold."""


def moved(text: str, source: Path, target: str, pages: Mapping[Path, str], root: Path, assets: set[Path]) -> str:
    """The text of a page with its links as they are on the site.

    `source` is the page's path in the repository `root`, `target` its name on the site. Pictures are added to
    `assets` and keep their paths. What the site does not hold, such as source code, becomes plain text with its path.
    Raises BrokenLinkError.
    """

    def replaced(match: re.Match[str]) -> str:
        picture, label, link = match.groups()
        path, _, anchor = link.partition("#")
        if not path or re.match(r"[a-z]+:", link):
            return match.group()
        file = Path(os.path.normpath(source.parent / path))
        if file.is_dir() and (file / "README.md") in pages:
            file = file / "README.md"
        if file in pages:
            there = os.path.relpath(pages[file], Path(target).parent).replace(os.sep, "/")
            return f"[{label}]({there}.md{'#' if anchor else ''}{anchor})"
        if not file.exists():
            raise BrokenLinkError(f"{source.relative_to(root).as_posix()}: no {link}")
        inside = file.relative_to(root).as_posix()
        if picture:
            assets.add(file)
            return f"![{label}](/{inside})"
        return f"`{inside}`" if label.strip("`") == inside else f"{label} (`{inside}`)"

    return _outside_code(text, lambda part: _LINK.sub(replaced, part))


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    """The text with each paragraph outside fences and code spans changed; a link may go on over the end of a line."""
    parts, paragraph, fence = list[str](), "", ""
    for line in text.splitlines(keepends=True):
        mark = _FENCE.match(line)
        if not (fence or mark) and line.strip():
            paragraph += line
            continue
        parts += [_around(paragraph, change), line]
        paragraph = ""
        if mark and not fence:
            fence = mark.group(1)
        elif mark and line.strip() == fence:
            fence = ""
    return "".join([*parts, _around(paragraph, change)])


def _around(paragraph: str, change: Callable[[str], str]) -> str:
    """A paragraph with its code spans kept as they are. A code span in a link's label belongs to the link."""
    if not _CODE.search(paragraph) or "](" not in paragraph:
        return change(paragraph)
    spans: list[str] = []

    def hidden(match: re.Match[str]) -> str:
        spans.append(match.group())
        return f"\0{len(spans) - 1}\0"

    text = change(_CODE.sub(hidden, paragraph))
    return re.sub("\0(\\d+)\0", lambda match: spans[int(match.group(1))], text)
