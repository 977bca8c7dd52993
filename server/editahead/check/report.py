"""Reports of a check: plain JSON, and SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format").

Lines and columns count from 1, columns in characters (SARIF: `unicodeCodePoints`); the end of a range is exclusive.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote

import editahead
from editahead.check.run import CheckResult
from editahead.check.search import MissedEdit
from editahead.text.buffer import Buffer
from editahead.text.positions import PositionEncoding, position_at

RULE = "missed-edit"
_ROOT = "%SRCROOT%"
_ABOUT = "An edit that was made at several places was probably missed at this one."
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


class ReportLines(NamedTuple):
    """The lines that an edit touches, before and after it."""

    before: tuple[str, ...]
    after: tuple[str, ...]


def report_lines(finding: MissedEdit) -> ReportLines:
    """Return the lines of a place; an inserted line is shown with the line before it."""
    edit, buffer = finding.site.edit, finding.site.document.syntax.buffer
    return ReportLines(_lines(buffer, edit.start, edit.old_end), _lines(buffer.apply(edit), edit.start, edit.new_end))


def _lines(buffer: Buffer, start: int, end: int) -> tuple[str, ...]:
    numbers = range(buffer.line_at(start), buffer.line_at(end) + 1)
    return tuple(buffer.line_text(number) for number in numbers)


def message(finding: MissedEdit) -> str:
    """Return the message for a place, in one line."""
    done = len(finding.group.samples)
    return f"changed at {done} of {done + finding.open} places, not here"


def place(buffer: Buffer, byte: int) -> tuple[int, int]:
    """Return line and column of a byte."""
    line, column = position_at(buffer, byte, PositionEncoding.UTF32)
    return line + 1, column + 1


def as_json(checked: CheckResult, precision: float) -> dict[str, Any]:
    """Return the result as a JSON value; `docs/commands/check.md` describes its fields."""
    answer = checked.answer
    return {
        "version": 1,
        "root": str(checked.root),
        "base": checked.span.old,
        "head": checked.span.new,
        "precision": precision,
        "files": checked.files,
        "edits": answer.edits,
        "missed": [_missed_json(finding) for finding in answer.missed],
        "notes": list(answer.notes),
    }


def _missed_json(finding: MissedEdit) -> dict[str, Any]:
    """Return a missed place as a JSON value."""
    edit, buffer = finding.site.edit, finding.site.document.syntax.buffer
    start, end = ({"line": line, "column": column} for line, column in (
        place(buffer, edit.start), place(buffer, edit.old_end)
    ))  # fmt: skip
    lines = report_lines(finding)
    return {
        "path": finding.where,
        "range": {"start": start, "end": end},
        "newText": edit.new.decode("utf-8", "replace"),
        "probability": finding.probability,
        "message": message(finding),
        "before": list(lines.before),
        "after": list(lines.after),
        "group": finding.site.group,
        "remaining": finding.open,
        "examples": [{"path": where, "line": line + 1} for where, line in finding.examples],
    }


def as_sarif(checked: CheckResult) -> dict[str, Any]:
    """Return the result as SARIF: one run of one tool with one rule, and a fix for each result."""
    rule = {
        "id": RULE,
        "name": "MissedEdit",
        "shortDescription": {"text": _ABOUT},
        "fullDescription": {"text": f"{_ABOUT} The fix makes it here as well."},
        "help": {"text": "Make the edit here too, or leave the place as it is when it was meant to differ."},
        "defaultConfiguration": {"level": "warning"},
    }
    notes = [{"level": "note", "message": {"text": note}} for note in checked.answer.notes]
    run = {
        "tool": {"driver": {"name": "editahead", "version": editahead.__version__, "rules": [rule]}},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": notes}],
        "results": list(_results(checked.answer.missed)),
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _results(missed: Sequence[MissedEdit]) -> Iterator[dict[str, Any]]:
    """Yield the SARIF results; equal lines of one file have fingerprints with a running number."""
    seen: Counter[str] = Counter()
    for finding in missed:
        same = "\n".join((finding.where, finding.site.group, *report_lines(finding).before))
        seen[same] += 1
        number = f"\n{seen[same]}" if seen[same] > 1 else ""
        yield _result(finding, zlib.crc32((same + number).encode()))


def _result(finding: MissedEdit, fingerprint: int) -> dict[str, Any]:
    """Return a missed place as a SARIF result."""
    edit, buffer = finding.site.edit, finding.site.document.syntax.buffer
    (line, column), (end_line, end_column) = place(buffer, edit.start), place(buffer, edit.old_end)
    region = {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}
    artifact = _artifact(finding.where)
    inserted = {"text": edit.new.decode("utf-8", "replace")}
    replacement = {"deletedRegion": region, "insertedContent": inserted}
    related = [
        {
            "id": number,
            "message": {"text": "made here"},
            "physicalLocation": {"artifactLocation": _artifact(where), "region": {"startLine": at + 1}},
        }
        for number, (where, at) in enumerate(finding.examples)
    ]
    lines = report_lines(finding)
    return {
        "ruleId": RULE,
        "ruleIndex": 0,
        "level": "warning",
        "rank": round(100 * finding.probability),
        "message": {"text": f"{message(finding)}: it would become {' '.join(' '.join(lines.after).split())}"},
        "locations": [{"physicalLocation": {"artifactLocation": artifact, "region": region}}],
        "relatedLocations": related,
        "partialFingerprints": {"missedEdit/v1": f"{fingerprint:08x}"},
        "fixes": [
            {
                "description": {"text": "Make the same edit here"},
                "artifactChanges": [{"artifactLocation": artifact, "replacements": [replacement]}],
            }
        ],
    }


def _artifact(where: str) -> dict[str, str]:
    return {"uri": quote(where), "uriBaseId": _ROOT}
