"""The table of training tokens in docs/models.md, between two comments, from the manifests of the bundles."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from editahead_models.report.results import LANGUAGE_NAMES, in_order, table

BEGIN, END = "<!-- begin: training tokens -->", "<!-- end: training tokens -->"
PAGE, BUNDLES = Path("docs/models.md"), Path("models/editahead_bundles")
_FAMILY = "spn"


def block(bundles: Path) -> Iterator[str]:
    """The lines of the table: a row for each language model in a folder of bundles."""
    manifests = [json.loads(path.read_bytes()) for path in sorted(bundles.glob("*/manifest.json"))]
    found: dict[str, Any] = {one["language"]: one for one in manifests if one["family"] == _FAMILY}
    rows = []
    for language, manifest in in_order(found).items():
        distinct = sum(project["tokens"] for project in manifest["licences"])
        trained = manifest["recipe"]["training"]["tokens"]
        projects = str(len(manifest["licences"]))
        millions = f"{distinct / 1e6:.1f}", f"{trained / 1e6:.1f}"
        rows.append((LANGUAGE_NAMES[language], projects, *millions, f"{trained / distinct:.1f}"))
    yield table(("", "projects", "distinct tokens, million", "trained on, million", "passes"), rows).rstrip("\n")


def with_block(text: str, bundles: Path) -> str:
    """The page with the table between its markers. ValueError where it has no place for it."""
    head, begin, rest = text.partition(f"{BEGIN}\n")
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{PAGE}: no place for the table between {BEGIN} and {END}")
    return f"{head}{BEGIN}\n" + "".join(f"{line}\n" for line in block(bundles)) + f"{END}{tail}"


def write(root: Path) -> Path | None:
    """Renew the table in the page below a folder. None without the page."""
    page = root / PAGE
    if not page.exists():
        return None
    page.write_text(with_block(page.read_text(encoding="utf-8"), root / BUNDLES), encoding="utf-8")
    return page
