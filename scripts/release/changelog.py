"""What a version's section of CHANGELOG.md says: the notes of its release."""

from __future__ import annotations

import re

from scripts.release.tree import ReleaseError


def notes(changelog: str, version: str) -> str:
    """The text below `## [VERSION]`. Raises ReleaseError when there is none, or when it is empty."""
    for section in re.split(r"^## ", changelog, flags=re.MULTILINE)[1:]:
        head, _, body = section.partition("\n")
        if re.match(rf"\[{re.escape(version)}\](?!\S)", head):
            if not body.strip():
                break
            return body.strip() + "\n"
    raise ReleaseError(
        f"CHANGELOG.md has nothing under [{version}]: rename its section [Unreleased] to that, with the date"
    )


def check_tag(tag: str, version: str) -> None:
    """Raises ReleaseError unless the tag is `v` and the version."""
    if tag != f"v{version}":
        raise ReleaseError(f"the tag {tag} is not v{version}: set the version with python -m scripts.release version")
