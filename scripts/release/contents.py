"""Checks the contents of artefacts: tracked files byte for byte, a few generated ones, and the licences."""

from __future__ import annotations

import re
import tarfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from scripts.release.tree import ReleaseError

MAX_WHEEL = 60_000_000
"""Bytes; a package index takes 100 MB a file at most, and people wait for a download."""

# Where the files of an artefact come from: (member, folder or file of the repository), the first that fits.
_WHEEL = (
    (r"editahead_models/data/splits\.toml", "models/data/splits.toml"),
    (r"(editahead/.+)", r"server/\1"),
    (r"(editahead_(?:models|bundles)/.+)", r"models/\1"),
    (r"editahead-[^/]+\.dist-info/licenses/LICENSE", "LICENSE"),
)
_SDIST = ((r"editahead-[^/]+/(.+)", r"\1"),)
_VSIX = (
    (r"extension/LICENSE(?:\.txt)?", "LICENSE"),
    (r"extension/(package\.json|media/.+)", r"editors/vscode/\1"),
)
_NEOVIM = (
    (r"editahead\.nvim-[^/]+/LICENSE", "LICENSE"),
    (r"editahead\.nvim-[^/]+/(.+)", r"editors/nvim/\1"),
)
# Files that the build generates.
_GENERATED = {
    "wheel": r"editahead-[^/]+\.dist-info/(?:METADATA|WHEEL|RECORD|entry_points\.txt)",
    "sdist": r"editahead-[^/]+/PKG-INFO",
    "vsix": r"extension\.vsixmanifest|\[Content_Types\]\.xml|extension/(?:dist/extension\.js|ThirdPartyNotices\.txt"
    r"|(?i:readme|changelog)\.md|bundled/editahead-[^/]+\.whl)",
    "neovim": r"(?!)",
}
_SOURCES = {"wheel": _WHEEL, "sdist": _SDIST, "vsix": _VSIX, "neovim": _NEOVIM}
_LICENCES = {
    "wheel": (r"editahead-[^/]+\.dist-info/licenses/LICENSE",),
    "sdist": (r"editahead-[^/]+/LICENSE",),
    "vsix": (r"extension/LICENSE(?:\.txt)?", r"extension/ThirdPartyNotices\.txt"),
    "neovim": (r"editahead\.nvim-[^/]+/LICENSE",),
}


def kind_of(name: str) -> str:
    """What an artefact is, by its name. Raises ReleaseError."""
    for ending, kind in ((".whl", "wheel"), (".vsix", "vsix"), (".tar.gz", "sdist")):
        if name.endswith(ending):
            return "neovim" if name.startswith("editahead.nvim-") else kind
    raise ReleaseError(f"{name} is no artefact of a release")


def members(path: Path) -> Iterator[tuple[str, bytes]]:
    """The regular files of an archive, with their contents. Raises ReleaseError for anything else in it."""
    if path.suffix in (".whl", ".vsix"):
        with zipfile.ZipFile(path) as archive:
            yield from ((info.filename, archive.read(info)) for info in archive.infolist() if not info.is_dir())
        return
    with tarfile.open(path) as tar:
        for member in tar:
            content = tar.extractfile(member) if member.isreg() else None
            if content is not None:
                yield member.name, content.read()
            elif not member.isdir():
                raise ReleaseError(f"{path.name}: {member.name} is a link or a device")


def problems(path: Path, source: Path, tracked: Iterable[str], traces: Iterable[str] = ()) -> list[str]:
    """What is wrong with an artefact, a line each.

    `source` holds the tracked files; `traces` are local paths that must not occur. Raises ReleaseError.
    """
    kind, known = kind_of(path.name), set(tracked)
    found, present = [], set()
    for name, content in members(path):
        present.add(name)
        if name.startswith("/") or ".." in name.split("/"):
            found.append(f"{name} leads out of the archive")
        elif re.fullmatch(_GENERATED[kind], name):
            found += [f"{name} holds {text}" for text in traces if text.encode() in content]
        else:
            origin = _origin(name, kind)
            if origin not in known:
                found.append(f"{name} comes from no tracked file")
            elif (source / origin).read_bytes() != content:
                found.append(f"{name} is not {origin} as it is in the repository")
    found += [f"no {pattern}" for pattern in _LICENCES[kind] if not any(re.fullmatch(pattern, n) for n in present)]
    if kind == "wheel" and path.stat().st_size > MAX_WHEEL:
        found.append(f"it has {path.stat().st_size / 1e6:.1f} MB, more than {MAX_WHEEL / 1e6:.0f}")
    return [f"{path.name}: {problem}" for problem in found]


def vsix_problems(vsix: Path, wheel: Path, bundled: Mapping[str, str]) -> list[str]:
    """Whether the extension holds this wheel, and the licence of every package of `bundled` (name -> version)."""
    inside = dict(members(vsix))
    wheels = {name: content for name, content in inside.items() if name.endswith(".whl")}
    found = []
    if list(wheels) != [f"extension/bundled/{wheel.name}"] or wheel.read_bytes() not in wheels.values():
        found.append(f"{vsix.name}: it does not hold {wheel.name} and no other wheel")
    text = inside.get("extension/ThirdPartyNotices.txt", b"").decode()
    for name, version in bundled.items():
        if f"\n{name} {version} (" not in text:
            found.append(f"{vsix.name}: ThirdPartyNotices.txt does not name {name} {version}")
    return found


def _origin(name: str, kind: str) -> str:
    for pattern, origin in _SOURCES[kind]:
        match = re.fullmatch(pattern, name)
        if match:
            return match.expand(origin)
    return ""
