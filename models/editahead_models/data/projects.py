"""Git repositories of a mirror folder: the commit, the licence that its files grant, and a way to run git there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from editahead.git import ask_git

_PERMISSIVE = (
    ("Apache-2.0", re.compile(r"Apache License\s*,?\s*Version 2\.0", re.IGNORECASE)),
    ("MIT", re.compile(r"Permission is hereby granted, free of charge", re.IGNORECASE)),
    ("BSD", re.compile(r"Redistribution and use in source and binary forms", re.IGNORECASE)),
    ("PSF", re.compile(r"PYTHON SOFTWARE FOUNDATION LICENSE", re.IGNORECASE)),
    ("ISC", re.compile(r"Permission to use, copy, modify, and(/or)? distribute this software", re.IGNORECASE)),
    ("Unlicense", re.compile(r"This is free and unencumbered software", re.IGNORECASE)),
)
_LICENCE_FILE = re.compile(r"^(licen[cs]e|copying)([.-].*)?$", re.IGNORECASE)
_COPYLEFT = re.compile(r"GNU (LESSER |AFFERO )?GENERAL PUBLIC LICENSE|Mozilla Public License", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Project:
    """One repository at one commit. `licence` is None when no permissive licence was recognised."""

    name: str
    path: Path
    commit: str
    licence: str | None


def open_project(mirror: Path, name: str) -> Project | None:
    """A project below `mirror` (OWNER+NAME/repo or OWNER/NAME, bare or not), or None when it is not there."""
    short = name.rsplit("/", maxsplit=1)[-1]
    for candidate in (mirror / name.replace("/", "+") / "repo", mirror / name, mirror / short):
        if candidate.is_dir():
            commit = head_commit(candidate)
            return Project(name, candidate, commit, licence_of(candidate))
    return None


def head_commit(repository: Path) -> str:
    """The commit that is checked out. Raises GitError."""
    return ask_git(repository, "rev-parse", "HEAD", bare=True).decode().strip()


def licence_of(path: Path) -> str | None:
    """The permissive licence that the repository's own files grant at HEAD, or None."""
    top = ask_git(path, "ls-tree", "--name-only", "HEAD", bare=True).decode("utf-8", "replace").splitlines()
    names = [name for name in top if _LICENCE_FILE.match(name)]
    texts = [ask_git(path, "show", f"HEAD:{name}", bare=True).decode("utf-8", "replace") for name in names]
    if any(_COPYLEFT.search(text[:400]) for text in texts):
        return None
    found = [label for text in texts for label, pattern in _PERMISSIVE if pattern.search(text)]
    return found[0] if found else None
