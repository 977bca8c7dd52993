"""The two git settings that decide what is ignored, `core.excludesFile` and `core.ignoreCase`, read without git.

Running git in somebody else's folder can run programs that its settings name; reading its files cannot. Whether an
`includeIf` holds is not decided here: what it names is taken as possible.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from editahead.regular_file import UnreadableFileError, read_regular

MAX_CONFIG_BYTES = 1_000_000
_MAX_INCLUDES = 10  # deep, as in git
_SYSTEM = ("/etc/gitconfig", "/usr/local/etc/gitconfig", "/opt/homebrew/etc/gitconfig")
_ESCAPES = {"n": "\n", "t": "\t", "b": "\b", '"': '"', "\\": "\\"}
_TRUE = ("true", "yes", "on", "1")
Entry = tuple[str, str | None, bool]  # key in lower case, value (None: stands alone), whether it holds for certain


@dataclass(frozen=True, slots=True)
class IgnoreConfig:
    """Files of patterns that hold for the whole of a repository (relative ones: to its top), and how names compare."""

    excludes_files: tuple[str, ...]
    ignore_case: bool


def ignore_config(git_folder: Path | None, environment: Mapping[str, str] = os.environ) -> IgnoreConfig:
    """The configuration of git for a repository with this shared git folder. Raises UnreadableFileError."""
    certain_file: str | None = None
    possible: list[str] = []
    ignore_case = False
    for key, value, certain in _entries(git_folder, environment):
        if key == "core.ignorecase":
            is_true = value is None or value.lower() in _TRUE
            ignore_case = is_true if certain else ignore_case or is_true
        elif key == "core.excludesfile" and certain:
            certain_file = value or ""
        elif key == "core.excludesfile" and value:
            possible.append(value)
    if certain_file is None:
        certain_file = str(_config_home(environment) / "git" / "ignore")
    files = (_expand_home(file) for file in (certain_file, *possible) if file)
    return IgnoreConfig(tuple(dict.fromkeys(file for file in files if file)), ignore_case)


def config_files(git_folder: Path | None, environment: Mapping[str, str] = os.environ) -> Iterator[Path]:
    """The files that git reads, the weakest first."""
    if "GIT_CONFIG_SYSTEM" in environment:
        yield Path(environment["GIT_CONFIG_SYSTEM"])
    elif environment.get("GIT_CONFIG_NOSYSTEM", "0").lower() not in _TRUE:
        yield from map(Path, _SYSTEM)
        for variable, below in (("PROGRAMDATA", "Git/config"), ("PROGRAMFILES", "Git/etc/gitconfig")):
            if os.name == "nt" and variable in environment:
                yield Path(environment[variable]) / below
    if "GIT_CONFIG_GLOBAL" in environment:
        yield Path(environment["GIT_CONFIG_GLOBAL"])
    else:
        yield _config_home(environment) / "git" / "config"
        yield Path(os.path.expanduser("~/.gitconfig"))
    if git_folder is not None:
        yield git_folder / "config"


def _config_home(environment: Mapping[str, str]) -> Path:
    return Path(environment.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config"))


def _entries(git_folder: Path | None, environment: Mapping[str, str]) -> Iterator[Entry]:
    for path in config_files(git_folder, environment):
        yield from _read(path, True, 0)
    count = environment.get("GIT_CONFIG_COUNT", "")
    for number in range(min(int(count), 1000) if count.isascii() and count.isdigit() and len(count) < 5 else 0):
        key, value = environment.get(f"GIT_CONFIG_KEY_{number}"), environment.get(f"GIT_CONFIG_VALUE_{number}")
        if key is not None:
            yield key.lower(), value, True


def _read(path: Path, certain: bool, depth: int) -> Iterator[Entry]:
    """The entries of a file and of those that it includes, in their order. Raises UnreadableFileError."""
    data = read_regular(path, MAX_CONFIG_BYTES, follow=True)
    if data is None or depth > _MAX_INCLUDES:
        return
    for key, value in parse_config(data.decode("utf-8", "surrogateescape")):
        if value and key.endswith(".path") and (key == "include.path" or key.startswith("includeif.")):
            other = _expand_home(value)
            if other:
                try:
                    yield from _read(path.parent / other, certain and key == "include.path", depth + 1)
                except UnreadableFileError:
                    if key == "include.path":
                        raise
        else:
            yield key, value, certain


def parse_config(text: str) -> Iterator[tuple[str, str | None]]:
    """Keys (`section.name`, subsections between) in lower case, with their values. Other lines are skipped."""
    section = ""
    lines = iter(text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n"))
    for line in lines:
        line = line.strip()
        if line.startswith("["):
            head, closed, line = _section(line)
            if not closed:
                continue
            section = head
            line = line.strip()
        if not line or line[0] in "#;":
            continue
        name, equals, rest = line.partition("=")
        name = name.strip().lower()
        if not equals:
            yield f"{section}.{name}", None
            continue
        value, open_ended = _value(rest)
        while open_ended:
            following = next(lines, None)
            if following is None:
                break
            rest = rest[: rest.rindex("\\")] + following
            value, open_ended = _value(rest)
        yield f"{section}.{name}", value


def _section(line: str) -> tuple[str, bool, str]:
    """`[name "sub"]` at the start of a line: the name, whether it was closed, what follows."""
    quoted, at = False, 1
    while at < len(line) and (quoted or line[at] != "]"):
        if line[at] == '"':
            quoted = not quoted
        at += 2 if quoted and line[at] == "\\" else 1
    if at >= len(line):
        return "", False, ""
    name, _, sub = line[1:at].strip().partition(" ")
    sub = sub.strip().strip('"')
    return f"{name.lower()}.{sub}" if sub else name.lower(), True, line[at + 1 :]


def _value(text: str) -> tuple[str, bool]:
    """A value without quotes, comments and blanks around it, and whether it goes on in the next line."""
    out: list[str] = []
    kept = 0  # length up to the last character that no blank at the end takes away
    quoted, at = False, 0
    text = text.lstrip()
    while at < len(text):
        character = text[at]
        at += 1
        if character == "\\":
            if at == len(text):
                return "".join(out), True
            out.append(_ESCAPES.get(text[at], text[at]))
            at += 1
            kept = len(out)
        elif character == '"':
            quoted = not quoted
            kept = len(out)
        elif character in "#;" and not quoted:
            break
        else:
            out.append(character)
            if quoted or not character.isspace():
                kept = len(out)
    return "".join(out[:kept]), False


def _expand_home(path: str) -> str:
    """A path with `~` and `~user` replaced; empty for an unknown user or git's own prefix."""
    if path.startswith("~"):
        path = os.path.expanduser(path)
    return "" if path.startswith(("~", "%(prefix)")) or "\0" in path else path
