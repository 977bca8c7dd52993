"""Configurations of TypeScript and JavaScript projects: to which files paths lead that are not relative."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from editahead.environment.classes.file_facts import FileFactsCache
from editahead.environment.classes.referencing_file import join_lexically

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
    """The targets of a pattern with at most one star, with what the star stands for in a path."""
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
