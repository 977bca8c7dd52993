"""Modules of JavaScript and TypeScript: what a file imports and exports, and where the paths of its imports lead."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from editahead.environment.classes.class_files import FileFactsCache, join_lexically
from editahead.text.words import SCRIPT_IDENTIFIER

_NOT_JSON = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_LAST_COMMA = re.compile(r'"(?:\\.|[^"\\\n])*"|,(?=\s*[}\]])')
_NAMES = ("tsconfig.json", "jsconfig.json")
_MAX_FOLDERS = 12  # from a file up to its configuration
_MAX_FILES = 8  # that a configuration extends or refers to
_MAX_PATHS = 200
_MAX_BYTES = 100_000  # bytes


class ScriptConfig(NamedTuple):
    """`paths`: targets by pattern, relative to `base`, which is relative to the file; `others` are further files."""

    base: str
    paths: tuple[tuple[str, tuple[str, ...]], ...]
    others: tuple[str, ...]


def read_config(data: bytes) -> ScriptConfig:
    """What a configuration says of paths; comments and last commas are allowed. Never raises."""
    text = data[:_MAX_BYTES].decode("utf-8-sig", "replace")
    for pattern in (_NOT_JSON, _LAST_COMMA):
        text = pattern.sub(lambda match: match[0] if match[0].startswith('"') else " ", text)
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        content = None
    options = _of(content, "compilerOptions", dict)
    rows = [
        (pattern, tuple(target for target in targets if isinstance(target, str)))
        for pattern, targets in list(_of(options, "paths", dict).items())[:_MAX_PATHS]
        if isinstance(targets, list)
    ]
    extended = content.get("extends") if isinstance(content, dict) else None
    others = [extended] if isinstance(extended, str) else extended if isinstance(extended, list) else []
    others += [_of(reference, "path", str) for reference in _of(content, "references", list)]
    rows.sort(key=lambda row: -len(row[0].partition("*")[0]))  # the longest pattern applies
    relative = tuple(path for path in others if isinstance(path, str) and path.startswith("."))
    return ScriptConfig(_of(options, "baseUrl", str), tuple(rows), relative[:_MAX_FILES])


def led_to(file: Path, root: Path, written: str, facts: FileFactsCache) -> Iterator[Path]:
    """The paths that a module path which is not relative may mean in a file, by the configuration nearest above it."""
    for folder in [*file.parents][:_MAX_FOLDERS]:
        if not folder.is_relative_to(root):
            return
        path = next((folder / name for name in _NAMES if facts.get(folder / name, read_config) is not None), None)
        if path is not None:
            yield from _by_config(path, written, facts)
            return


def _by_config(path: Path, written: str, facts: FileFactsCache) -> Iterator[Path]:
    """The paths by a configuration, or by the first of those that it extends which maps the path."""
    files = [path]
    for config_path in files:
        config = facts.get(config_path, read_config)
        if config is None:
            continue
        rows = ([*_targets(pattern, targets, written)] for pattern, targets in config.paths)
        matched = next((row for row in rows if row), [])
        if matched or config.base:
            folder = join_lexically(config_path.parent, config.base)
            yield from (join_lexically(folder, target) for target in (*matched, *([written] if config.base else ())))
            return
        further = [file for other in config.others for file in _files(join_lexically(config_path.parent, other))]
        files += further[: _MAX_FILES - len(files)]


def _files(path: Path) -> tuple[Path, ...]:
    """The files that the path of a configuration may mean."""
    return (path,) if path.suffix == ".json" else (path.with_name(f"{path.name}.json"), path / _NAMES[0])


def _targets(pattern: str, targets: Sequence[str], written: str) -> Iterator[str]:
    """The targets of a pattern with no more than a star, with what the star stands for in a path."""
    before, star, behind = pattern.partition("*")
    if not star:
        yield from targets if written == pattern else ()
    elif written.startswith(before) and written.endswith(behind) and len(written) >= len(before) + len(behind):
        middle = written[len(before) : len(written) - len(behind)]
        yield from (target.replace("*", middle, 1) for target in targets)


def _of(content: Any, key: str, kind: type[Any]) -> Any:
    """The value of a key of an object, empty where it is missing or of another kind."""
    value = content.get(key) if isinstance(content, dict) else None
    return value if isinstance(value, kind) else kind()


_FOLDERS = ("packages", "apps", "libs", "modules")
_MAX_PACKAGES = 300  # of a folder
_KEPT_FOR = 60.0  # seconds; a new package whose folder has its name is seen at once
_ENTRIES = ("src/index", "index", "src/main", "lib/index")  # the build of a package is not read


def package_name(data: bytes) -> str:
    """The name in a `package.json`; empty where there is none."""
    try:
        content = json.loads(data)
    except (ValueError, RecursionError):
        return ""
    name = content.get("name") if isinstance(content, dict) else None
    return name if isinstance(name, str) else ""


class ScriptPackages:
    """The packages of a repository by their names. Use it from a single thread."""

    def __init__(self, facts: FileFactsCache) -> None:
        self._facts = facts
        self._named: Mapping[str, Path] = {}
        self._root, self._listed_at = Path(), float("-inf")

    def paths(self, root: Path, written: str) -> Iterator[Path]:
        """The paths that the name of a package of a repository may mean, with what stands behind the name."""
        parts = written.split("/")
        size = 2 if written.startswith("@") else 1
        if ".." in parts or len(parts) < size or not parts[0]:
            return
        name, behind = "/".join(parts[:size]), "/".join(parts[size:])
        folder = self._folder(root, name, parts[size - 1])
        if folder is not None:
            yield from (join_lexically(folder, path) for path in ((f"src/{behind}", behind) if behind else _ENTRIES))

    def _folder(self, root: Path, name: str, likely: str) -> Path | None:
        """The folder of a package: by the folder's name, else by the name in its `package.json`."""
        for around in _FOLDERS:
            if self._name(root / around / likely) == name:
                return root / around / likely
        now = time.monotonic()
        if root != self._root or now - self._listed_at > _KEPT_FOR:
            self._named = {self._name(folder): folder for folder in _packages(root)}
            # What was cut is listed again: the packages that have been read cost nothing then.
            self._root, self._listed_at = root, float("-inf") if self._facts.was_cut else now
        folder = self._named.get(name)
        return folder if folder is not None and self._name(folder) == name else None

    def _name(self, folder: Path) -> str:
        return self._facts.get(folder / "package.json", package_name) or ""


def _packages(root: Path) -> Iterator[Path]:
    """The folders that may be packages, in reverse order, so that the first of a name wins."""
    for around in reversed(_FOLDERS):
        try:
            with os.scandir(root / around) as entries:
                yield from sorted((Path(entry.path) for entry in islice(entries, _MAX_PACKAGES)), reverse=True)
        except OSError:
            continue


DEFAULT = "default"
ALL = "*"
_FROM = re.compile(
    rb"\b(?P<verb>import|export)\s{1,8}(?:type\s{1,8})?(?:(?P<default>%b)\s{0,8},?\s{0,8})?"
    rb"(?:(?P<all>\*)(?:\s{1,8}as\s{1,8}(?P<known_as>%b))?|\{(?P<names>[^{}]{0,8000})\})?"
    rb"\s{0,8}(?:\bfrom\s{0,8}(?P<quote>[\"'])(?P<path>[^\"'\n]{1,200})(?P=quote))?"
    % (SCRIPT_IDENTIFIER, SCRIPT_IDENTIFIER)
)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)  # of names, which are short
_DEFAULT = re.compile(
    rb"^export\s{1,8}default\s{1,8}(?:abstract\s{1,8})?(?:async\s{1,8})?(?:(?:class|interface|function\*?)\s{1,8})?(%b)"
    % SCRIPT_IDENTIFIER,
    re.MULTILINE,
)
_BEFORE = 200  # bytes of a line before a statement
_MAX_STATEMENTS = 400
_MAX_NAMES = 200  # of a statement
_ENDINGS = (".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs")
_WRITTEN_ENDINGS = (".js", ".jsx", ".mjs", ".ts", ".tsx")


class ForeignName(NamedTuple):
    """A name of another module: the path as it is written, empty for the file itself, and the name there.

    `ALL` stands for the module itself, `DEFAULT` for what it exports without a name.
    """

    path: str
    name: str


class ScriptFile(NamedTuple):
    """What a file brings in, by the names that it gives it; what it exports under a name; the paths it hands on."""

    imported: Mapping[str, ForeignName]
    exported: Mapping[str, ForeignName]
    wildcards: tuple[str, ...]


def read_script_file(data: bytes) -> ScriptFile:
    """The names that a file brings in and hands on, by patterns. Never raises."""
    imported, exported, wildcards = dict[str, ForeignName](), dict[str, ForeignName](), list[str]()
    for match in islice(_DEFAULT.finditer(data), 1):
        exported[DEFAULT] = ForeignName("", _text(match[1]))
    for match in islice(_FROM.finditer(data), _MAX_STATEMENTS):
        path, is_import = _text(match["path"]), match["verb"] == b"import"
        before = data[data.rfind(b"\n", 0, match.start()) + 1 : match.start()][-_BEFORE:].lstrip()
        if before.startswith((b"//", b"*", b"/*")) or (not path if is_import else match["default"]):
            continue  # a word of the text, or a declaration
        if match["all"] and path:
            known_as = _text(match["known_as"])
            if known_as:
                (imported if is_import else exported)[known_as] = ForeignName(path, ALL)
            elif not is_import:
                wildcards.append(path)
        if match["default"]:
            imported[_text(match["default"])] = ForeignName(path, DEFAULT)
        for name, known_as in _names(_text(match["names"])):
            (imported if is_import else exported)[known_as] = ForeignName(path, name)
    return ScriptFile(imported, exported, tuple(dict.fromkeys(wildcards)))


def module_files(base: Path) -> Iterator[Path]:
    """The files that a path of a module may mean, likeliest first."""
    stem = base.with_suffix("") if base.suffix in _WRITTEN_ENDINGS else base
    for ending in _ENDINGS:
        yield stem.with_name(stem.name + ending)
    for ending in _ENDINGS:
        yield base / f"index{ending}"


def _names(written: str) -> Iterator[tuple[str, str]]:
    """The names of `{ A, type B as C }`, each with the name that it gets."""
    for specifier in islice(_COMMENT.sub(" ", written).split(","), _MAX_NAMES):
        words = specifier.split()
        if words[:1] in (["type"], ["typeof"]) and len(words) in (2, 4):
            words = words[1:]
        if len(words) == 1 or (len(words) == 3 and words[1] == "as"):
            yield words[0], words[-1]


def _text(part: bytes | None) -> str:
    return part.decode("utf-8", "replace") if part else ""
