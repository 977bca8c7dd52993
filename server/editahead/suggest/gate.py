"""Gates: small named predicates, each with the value that it tested. The first that fails gives the reason.

Next edits have gates of their own: none reverses the changes of the user, comments are edited where the user did.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable

from editahead.exclusion import exclusion
from editahead.patterns.changes import net_changes
from editahead.runtime.calibration import Calibration
from editahead.settings import Settings
from editahead.suggest.types import Document, GateReading, Reason, Suppressed
from editahead.syntax.language_definition import Language
from editahead.syntax.snapshot import Region
from editahead.text.buffer import MAX_LINE_BYTES
from editahead.text.edits import ByteEdit
from editahead.text.percent import percent_of_least

_NUMBER = re.compile(r"(?<![\w.])\d[\d_]{0,40}\.$")
MAX_DECLINED = 3  # rejections in a row that count


def switched_on(settings: Settings) -> GateReading:
    """The master switch."""
    return GateReading(Reason.DISABLED, settings.enabled, f"editahead.enabled is {str(settings.enabled).lower()}")


def language_on(document: Document) -> GateReading:
    """The switch of this language."""
    on = document.settings.language_enabled(document.language_id)
    return GateReading(Reason.LANGUAGE, on, f"{document.language_id} is {'on' if on else 'switched off'}")


def not_excluded(document: Document) -> GateReading:
    """Secrets, the user's own patterns, and what git ignores."""
    path = document.exclusion_path or document.path
    why = None if document.admitted else exclusion(document.settings, path, document.root)
    return GateReading(Reason.EXCLUDED, why is None, why or "not excluded")


def small_enough(document: Document) -> GateReading:
    """Very large files are kept in step but not predicted in."""
    size, limit = len(document.syntax.buffer.data), document.settings.max_file_bytes
    return GateReading(Reason.TOO_LARGE, size <= limit, f"{size} of at most {limit} bytes")


def short_line(document: Document, byte: int) -> GateReading:
    """A line of data is kept in step like any other, but each key in it would have it read anew."""
    buffer = document.syntax.buffer
    start, end = buffer.line_span(buffer.line_at(byte))
    value = f"a line of {end - start} of at most {MAX_LINE_BYTES} bytes"
    return GateReading(Reason.TOO_LARGE, end - start <= MAX_LINE_BYTES, value)


def in_code(document: Document, byte: int) -> GateReading:
    """Nothing is suggested in comments and strings unless the user asks otherwise."""
    region = document.syntax.region_at(byte)
    settings = document.settings
    allowed = region is Region.CODE or (settings.in_comments if region is Region.COMMENT else settings.in_strings)
    return GateReading(Reason.COMMENT_OR_STRING, allowed, f"cursor in {region.value}")


def no_number_before(before: str, prefix: str, language: Language) -> GateReading:
    """Behind the point of a number stands no name; `before` is the line before the letters that are typed."""
    number = _NUMBER.search(before)
    passed = number is None or (language.numbers_have_members and bool(prefix))
    return GateReading(Reason.NO_FIT, passed, f"behind the number {number[0]}" if number else "no number before")


def threshold_for(calibration: Calibration, precision: float) -> float:
    """The calibrated probability that a suggestion must reach so that the required share of what is shown is right.

    The bundle knows from which probability on that held on its calibration data, which may be above the precision;
    where it never did, or the bundle has no calibration, the probability itself must reach the precision and the
    threshold of every lower precision.
    """
    needed = calibration.threshold(precision)
    if math.isfinite(needed):
        return needed
    return max([precision, *(least for _, least in calibration.thresholds if least is not None)])


def meets_threshold(probability: float, threshold: float) -> GateReading:
    """The calibrated probability against the threshold for the target precision."""
    return GateReading(Reason.LOW_PROBABILITY, probability >= threshold, percent_of_least(probability, threshold))


def pattern_key(edit: ByteEdit, data: bytes) -> str:
    """The normalised pattern of an edit: what goes and what comes, blanks aside, wherever it stands."""
    gone = b" ".join(edit.old_bytes(data).split()).decode("utf-8", "replace")
    come = b" ".join(edit.new.split()).decode("utf-8", "replace")
    return f"{gone} -> {come}"


def not_rejected(document: Document, key: str) -> GateReading:
    """A rejected pattern is not offered again for `rejection_minutes`."""
    limit = document.settings.rejection_minutes * 60
    recent = any(r.key == key and document.now - r.time <= limit for r in document.rejections)
    return GateReading(Reason.REJECTED, not recent, "rejected recently" if recent else "not rejected")


def no_reversal(document: Document, byte: int, insert: str) -> GateReading:
    """Text that the user has just deleted here is not offered again."""
    history = document.history
    last = history.pending or (history.settled[-1] if history.settled else None)
    removed = last.removed.decode("utf-8", "replace") if last is not None and not last.inserted else ""
    back = last is not None and removed.startswith(insert) and last.start == byte
    return GateReading(Reason.REVERSAL, not back, "would restore deleted text" if back else "restores no deleted text")


def parses_no_worse(before: int, after: int) -> GateReading:
    """Syntax errors of the file before and after the suggestion."""
    return GateReading(Reason.PARSES_WORSE, after <= before, f"{before} syntax errors before, {after} after")


def cheap_gates(document: Document, byte: int | None) -> list[GateReading]:
    """The gates that need no model, in order, up to the first that does not pass. `byte` None: anywhere."""
    readings: list[GateReading] = []
    checks: list[Callable[[], GateReading]] = [
        lambda: switched_on(document.settings),
        lambda: language_on(document),
        lambda: not_excluded(document),
        lambda: small_enough(document),
    ]
    if byte is not None:
        checks += [lambda: short_line(document, byte), lambda: in_code(document, byte)]
    for check in checks:
        readings.append(check())
        if not readings[-1].passed:
            break
    return readings


def first_failure(readings: Iterable[GateReading]) -> Suppressed | None:
    """Silence with the reason of the first gate that did not pass, or None when all did."""
    seen = tuple(readings)
    for reading in seen:
        if not reading.passed:
            return Suppressed(reading.reason, reading.value, seen)
    return None


def preserves_user_text(document: Document, edit: ByteEdit) -> GateReading:
    """Whether an edit preserves the text of the user's changes: it neither deletes it nor restores the old text."""
    data = document.syntax.buffer.data
    small = edit.trim(data)
    gone = data[small.start : small.old_end]
    is_reversal = any(
        small.start < change.end
        and change.start < small.old_end
        and (
            (not small.new.strip() and bool(gone.strip()) and bool(data[change.start : change.end].strip()))
            or (small.start, small.old_end, small.new) == (change.start, change.end, change.old)
        )
        for change in net_changes(document.history, data)
    )
    return GateReading(Reason.REVERSAL, not is_reversal, "takes back your edit" if is_reversal else "leaves your edits")


def not_after_undo(document: Document) -> GateReading:
    """Whether the last action was no undo: after an undo the likeliest edit is the undone edit itself."""
    undone = document.history.undone_at is not None
    return GateReading(Reason.REVERSAL, not undone, "you have just undone an edit" if undone else "no undo")


def matches_example_region(document: Document, edit: ByteEdit) -> GateReading:
    """Whether an edit is in code, or in a comment or string if such text was changed."""
    data = document.syntax.buffer.data
    small = edit.trim(data)
    region = _region(document, small.start, small.old_end)
    if region is Region.CODE or region in _examples(document):
        return GateReading(Reason.COMMENT_OR_STRING, True, f"in {region.value}")
    return GateReading(Reason.COMMENT_OR_STRING, False, f"in {region.value}, and none of your edits is")


def _examples(document: Document) -> set[Region]:
    """The kinds of text that were changed in all open documents."""
    return {
        _region(each, change.start, change.end)
        for each in (document, *document.others)
        for change in net_changes(each.history, each.syntax.buffer.data)
    }


def _region(document: Document, start: int, end: int) -> Region:
    return document.syntax.region_at(start + (end > start))  # inside, not at the edge, where there is an inside


def paced_precision(precision: float, declined: int) -> float:
    """The precision required of next edits after some rejections in a row.

    The permitted error is divided by 2, 3 and 4 after the first, second and third rejection.
    """
    return 1.0 - (1.0 - precision) / (1 + min(declined, MAX_DECLINED))
