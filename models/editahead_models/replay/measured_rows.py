"""What was measured, one JSON-lines file a project and part: an interrupted run goes on with the missing files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

Row = dict[str, Any]


class MeasuredRows:
    """The files of one language in a work folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, project: str, part: str) -> Path:
        """The file of a project and a part."""
        return self.folder / f"{project.replace('/', '+')}.{part}.jsonl"

    def done(self, project: str, part: str) -> bool:
        """Whether a part of a project is finished."""
        return self.path(project, part).exists()

    def save(self, project: str, part: str, rows: Iterable[Row]) -> int:
        """Write a part as a whole and return the number of its rows."""
        target = self.path(project, part)
        target.parent.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps(row) for row in rows]
        unfinished = target.with_suffix(".part")
        unfinished.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        unfinished.replace(target)
        return len(lines)

    def rows(self, projects: Iterable[str], part: str) -> Iterator[Row]:
        """The rows of a part, each with its project."""
        for project in projects:
            if self.done(project, part):
                for line in self.path(project, part).read_text(encoding="utf-8").splitlines():
                    yield {"project": project, **json.loads(line)}
