"""Reports of a check: plain JSON, and SARIF 2.1.0 (OASIS, "Static Analysis Results Interchange Format").

Lines and columns count from 1, columns in characters (SARIF: `unicodeCodePoints`); the end of a range is exclusive.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple
from urllib.parse import quote

import editahead
from editahead.check.leftover import Leftover
from editahead.check.run import CheckResult
from editahead.check.search import MissedEdit
from editahead.text.buffer import Buffer
from editahead.text.positions import PositionEncoding, position_at

RULE, LEFTOVER_RULE = "missed-edit", "leftover"
_ROOT = "%SRCROOT%"
_ABOUT_LEFTOVER = "The change made something necessary here that it did not do."
_ABOUT = "An edit that was made at several places was probably missed at this one."
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


class ReportLines(NamedTuple):
    """The lines that an edit touches, before and after it."""

    before: tuple[str, ...]
    after: tuple[str, ...]


def report_lines(finding: MissedEdit) -> ReportLines:
    """Return the lines of a finding; an inserted line is shown with the line before it."""
    edit, buffer = finding.site.edit, finding.site.document.syntax.buffer
    return ReportLines(_lines(buffer, edit.start, edit.old_end), _lines(buffer.apply(edit), edit.start, edit.new_end))


def _lines(buffer: Buffer, start: int, end: int) -> tuple[str, ...]:
    numbers = range(buffer.line_at(start), buffer.line_at(end) + 1)
    return tuple(buffer.line_text(number) for number in numbers)


def message(finding: MissedEdit) -> str:
    """Return the message for a finding, in a single line."""
    done = len(finding.group.samples)
    return f"changed at {done} of {done + finding.open} places, not here"


def line_and_column(buffer: Buffer, byte: int) -> tuple[int, int]:
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
        "leftovers": [_leftover_json(leftover) for leftover in checked.leftovers],
        "notes": list(answer.notes),
    }


def _missed_json(finding: MissedEdit) -> dict[str, Any]:
    edit, buffer = finding.site.edit, finding.site.document.syntax.buffer
    lines = report_lines(finding)
    return {
        "path": finding.where,
        "range": _range(buffer, edit.start, edit.old_end),
        "newText": edit.new_text(buffer.data),
        "probability": finding.probability,
        "message": message(finding),
        "before": list(lines.before),
        "after": list(lines.after),
        "group": finding.site.group,
        "remaining": finding.open,
        "examples": [{"path": where, "line": line + 1} for where, line in finding.examples],
    }


def _range(buffer: Buffer, start: int, end: int) -> dict[str, dict[str, int]]:
    """Return the bytes [start, end) as a range of lines and columns."""
    (line, column), (end_line, end_column) = line_and_column(buffer, start), line_and_column(buffer, end)
    return {"start": {"line": line, "column": column}, "end": {"line": end_line, "column": end_column}}


def _leftover_json(leftover: Leftover) -> dict[str, Any]:
    buffer, cause = leftover.document.syntax.buffer, leftover.cause
    return {
        "path": leftover.where,
        "range": _range(buffer, leftover.start, leftover.end),
        "kind": leftover.kind,
        "name": leftover.name,
        "probability": leftover.probability,
        "message": leftover.reason,
        "before": [buffer.line_text(leftover.line)],
        "cause": {"path": cause[0], "line": cause[1] + 1} if cause is not None else None,
    }


def as_sarif(checked: CheckResult) -> dict[str, Any]:
    """Return the result as SARIF: a single run; the results of the first rule have a fix each."""
    advice = "Make the edit here too, or leave the place as it is when it was meant to differ."
    rules = [
        _rule(RULE, "MissedEdit", _ABOUT, f"{_ABOUT} The fix makes it here as well.", advice),
        _rule(
            LEFTOVER_RULE, "Leftover", _ABOUT_LEFTOVER, f"{_ABOUT_LEFTOVER} The message says what follows from it.",
            "Finish the change here, or where the message points.",
        ),
    ]  # fmt: skip
    notes = [{"level": "note", "message": {"text": note}} for note in checked.answer.notes]
    missed, leftovers = checked.answer.missed, checked.leftovers
    run = {
        "tool": {"driver": {"name": "editahead", "version": editahead.__version__, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": notes}],
        "results": [
            *map(_result, missed, _fingerprints(map(_missed_text, missed))),
            *map(_leftover_result, leftovers, _fingerprints(map(_leftover_text, leftovers))),
        ],
    }
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(identifier: str, name: str, short: str, full: str, advice: str) -> dict[str, Any]:
    return {
        "id": identifier, "name": name, "shortDescription": {"text": short}, "fullDescription": {"text": full},
        "help": {"text": advice}, "defaultConfiguration": {"level": "warning"},
    }  # fmt: skip


def _missed_text(finding: MissedEdit) -> str:
    return "\n".join((finding.where, finding.site.group, *report_lines(finding).before))


def _leftover_text(leftover: Leftover) -> str:
    line = leftover.document.syntax.buffer.line_text(leftover.line)
    return f"{leftover.where}\n{leftover.kind}\n{leftover.name}\n{line}"


def _fingerprints(texts: Iterable[str]) -> Iterator[str]:
    """Yield the fingerprints of results by the texts that they are recognised by; equal texts have a running number."""
    seen: Counter[str] = Counter()
    for text in texts:
        seen[text] += 1
        number = f"\n{seen[text]}" if seen[text] > 1 else ""
        yield f"{zlib.crc32((text + number).encode()):08x}"


def _sarif(
    rule: str, number: int, probability: float, text: str, location: Mapping[str, Any], fingerprint: str
) -> dict[str, Any]:
    """What the results of both rules have in common."""
    return {
        "ruleId": rule, "ruleIndex": number, "level": "warning", "rank": round(100 * probability),
        "message": {"text": text}, "locations": [{"physicalLocation": location}],
        "partialFingerprints": {"missedEdit/v1": fingerprint},
    }  # fmt: skip


def _location(where: str, buffer: Buffer, start: int, end: int) -> dict[str, Any]:
    (line, column), (end_line, end_column) = line_and_column(buffer, start), line_and_column(buffer, end)
    region = {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}
    return {"artifactLocation": _artifact(where), "region": region}


def _result(finding: MissedEdit, fingerprint: str) -> dict[str, Any]:
    edit, buffer = finding.site.edit, finding.site.document.syntax.buffer
    location = _location(finding.where, buffer, edit.start, edit.old_end)
    new_text, after = edit.new_text(buffer.data), " ".join(" ".join(report_lines(finding).after).split())
    text = message(finding) if new_text is None else f"{message(finding)}: it would become {after}"
    result = _sarif(RULE, 0, finding.probability, text, location, fingerprint)
    result["relatedLocations"] = [
        {
            "id": number,
            "message": {"text": "made here"},
            "physicalLocation": {"artifactLocation": _artifact(where), "region": {"startLine": at + 1}},
        }
        for number, (where, at) in enumerate(finding.examples)
    ]
    if new_text is not None:
        replacement = {"deletedRegion": location["region"], "insertedContent": {"text": new_text}}
        changes = [{"artifactLocation": location["artifactLocation"], "replacements": [replacement]}]
        result["fixes"] = [{"description": {"text": "Make the same edit here"}, "artifactChanges": changes}]
    return result


def _leftover_result(leftover: Leftover, fingerprint: str) -> dict[str, Any]:
    location = _location(leftover.where, leftover.document.syntax.buffer, leftover.start, leftover.end)
    result = _sarif(LEFTOVER_RULE, 1, leftover.probability, leftover.reason, location, fingerprint)
    result["properties"] = {"kind": leftover.kind}
    if leftover.cause is not None:
        path, line = leftover.cause
        where = {"artifactLocation": _artifact(path), "region": {"startLine": line + 1}}
        result["relatedLocations"] = [{"id": 0, "message": {"text": "changed here"}, "physicalLocation": where}]
    return result


def _artifact(where: str) -> dict[str, str]:
    return {"uri": quote(where), "uriBaseId": _ROOT}
