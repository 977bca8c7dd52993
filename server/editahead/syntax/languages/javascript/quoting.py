"""JavaScript and TypeScript: the patterns of its strings."""

from __future__ import annotations

from editahead.syntax.string_syntax import DOUBLE, ESCAPED, SINGLE, LongText, StringPatterns

# A template ends at its quote; what is written in it is code with strings of its own, read to a single level of
# braces. A deeper level hides the rest of the text.
_HOLE = rb"\$\{(?:[^{}`]|`[^`]*`|\{[^{}`]*\})*\}"
_TEMPLATE = rb"`[^`\\$]*(?:(?:\\.|\$(?!\{)|" + _HOLE + rb")[^`\\$]*)*(?:`|.*\Z)"
# A slash begins a pattern where no value stands before it. Bounded: a line may hold many beginnings and no end.
_PATTERN = (
    rb"(?:(?<=[-(,=:\[!&|?{};+*%~^>\n])[ \t]*|(?<=return)[ \t]+)"
    rb"/(?![/*])(?:[^/\\\[\n]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n]){0,99}\]){1,200}/[a-z]*"
)

STRING_PATTERNS = StringPatterns((_PATTERN, DOUBLE, SINGLE, _TEMPLATE))
LONG_TEXTS = (LongText(rb"`", b"`", skipped=ESCAPED, code=lambda _: rb"\$\{"),)
