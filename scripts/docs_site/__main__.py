"""Build the documentation site: `python -m scripts.docs_site [FOLDER]`, by default into build/site.

Pages are those of the repository (README.md is the first), and those that are made from the code: options of commands,
models, API. A broken link, a page without a place, a warning of Sphinx, or anything fetched from another host fails.
"""

from __future__ import annotations

import re
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from scripts.docs_site.gather import ROOT, gather
from scripts.docs_site.links import BrokenLinkError

CONFIGURATION = Path(__file__).parent
_FETCHED = {  # how a page and a style sheet name what a browser loads with them
    ".html": re.compile(r"""<(?:script|img|link|iframe|source)\b[^>]*?\b(?:src|href)=["']((?:https?:)?//[^"']+)"""),
    ".css": re.compile(r"""(?:@import\s+|url\()["']?((?:https?:)?//[^"')]+)"""),
}


def fetched(site: Path) -> Iterator[str]:
    """What a browser would fetch from other hosts: the site must work without a network."""
    for path in sorted(site.rglob("*")):
        if path.suffix in _FETCHED:
            for address in _FETCHED[path.suffix].findall(path.read_text(encoding="utf-8")):
                yield f"{path.relative_to(site).as_posix()} fetches {address}"


def main(arguments: list[str]) -> int:
    """Builds the site; the exit code of Sphinx, or 1 with one line for each fault."""
    from sphinx.cmd.build import build_main

    began = time.monotonic()
    site = Path(arguments[0]) if arguments else ROOT / "build" / "site"
    work, cache = (site.parent / f"{site.name}-{part}" for part in ("pages", "cache"))
    for folder in (work, cache, site):
        shutil.rmtree(folder, ignore_errors=True)
    try:
        gather(work)
    except BrokenLinkError as error:
        print(f"docs: {error}", file=sys.stderr)
        return 1
    strict = ["--fail-on-warning", "--keep-going", "--quiet", "--jobs", "auto"]
    code = build_main([*strict, "-c", str(CONFIGURATION), "-d", str(cache), str(work), str(site)])
    faults = [] if code else list(fetched(site))
    for fault in faults:
        print(f"docs: {fault}", file=sys.stderr)
    if not code and not faults:
        print(f"{site / 'index.html'} ({time.monotonic() - began:.0f} s)")
    return code or int(bool(faults))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
