"""The ledger of all reads of the test projects: at most two for one set of bundles.

A read is entered before the first project is opened, so that an interrupted one counts too. Going on with it in the
same work folder is the same read.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from editahead.runtime.bundle import CARD, Bundle
from editahead.runtime.manifest import thaw

NAME = "product-ledger.json"
MOST_READS = 2
_DESCRIBES = ("metrics",)  # parts of a manifest that change nothing that is shown


class ThirdReadError(ValueError):
    """The test projects were read twice with these bundles."""


@dataclass(frozen=True, slots=True)
class Read:
    """One read of the test projects of one language. `key` stands for its set of bundles, `id` for the read."""

    id: str
    language: str
    key: str
    bundles: Mapping[str, str]
    sizes: Mapping[str, int]
    seed: int
    commit: str
    code: str
    date: str
    finished: str = ""


def digest(bundle: Bundle) -> str:
    """A hash of what a bundle does: its manifest without its metrics, which names the hashes of its files."""
    manifest = thaw(bundle.manifest.raw)
    for name in _DESCRIBES:
        manifest.pop(name, None)
    manifest["files"] = _hashes(bundle)
    text = json.dumps(manifest, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _hashes(bundle: Bundle) -> dict[str, str]:
    return {name: hashlib.sha256(bundle.read(name)).hexdigest() for name in bundle.manifest.files if name != CARD}


def key_of(bundles: Mapping[str, str]) -> str:
    """One hash for a set of bundles, given by name and hash."""
    return hashlib.sha256("\n".join(sorted(bundles.values())).encode()).hexdigest()[:16]


def reads(path: Path) -> list[Read]:
    """All reads of a ledger, oldest first; none where there is no file."""
    if not path.exists():
        return []
    return [Read(**row) for row in json.loads(path.read_text(encoding="utf-8"))]


def begin(path: Path, read: Read) -> None:
    """Enter a read. Raises ThirdReadError where these bundles have been read MOST_READS times."""
    known = reads(path)
    before = [one for one in known if one.key == read.key and one.language == read.language]
    if len(before) >= MOST_READS:
        days = " and ".join(one.date for one in before)
        names = ", ".join(sorted(read.bundles)) or "no bundle of ours"
        raise ThirdReadError(f"{read.language}: {names} were measured on the test projects on {days}; no third time")
    _write(path, [*known, read])


def end(path: Path, read: Read, date: str) -> None:
    """Enter that a read is finished."""
    known = reads(path)
    if read not in known:  # finished before, or entered in another copy of the ledger
        return
    _write(path, [replace(one, finished=date) if one == read else one for one in known])


def _write(path: Path, rows: Sequence[Read]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text: list[dict[str, Any]] = [asdict(row) for row in rows]
    part = path.with_suffix(".part")
    part.write_text(json.dumps(text, indent=1) + "\n", encoding="utf-8")
    part.replace(path)
