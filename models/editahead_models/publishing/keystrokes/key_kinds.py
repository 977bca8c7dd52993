"""What each key of a stretch belongs to in the finished file: a name and its role, a keyword, a comment and so on."""

from __future__ import annotations

import re

from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.syntax.tokens import TokenKind
from editahead.text.buffer import Buffer

from editahead_models.replay.places import LEAST_LETTERS, NOT_DRAWN
from editahead_models.replay.stretches import Stretch

COMMENT, STRING, KEYWORD, NUMBER, PUNCTUATION, LAYOUT = (
    "comment", "string", "keyword", "number", "punctuation", "layout",
)  # fmt: skip
NAME, NEW_NAME = "name of the file", "name new to the file"
_OF_TOKEN = {
    TokenKind.COMMENT: COMMENT, TokenKind.STRING: STRING, TokenKind.KEYWORD: KEYWORD, TokenKind.NUMBER: NUMBER,
    TokenKind.OPERATOR: PUNCTUATION,
}  # fmt: skip


class KeyKinds:
    """The kinds of a stretch's bytes, and where its names begin.

    A name is new to the file if the cursor's file holds it nowhere else: neither around the stretch nor in it above.
    Blanks and line ends between tokens are LAYOUT.
    """

    def __init__(self, stretch: Stretch) -> None:
        self.names: dict[int, str] = {}
        """Names that a user would complete (three or more letters, no `self`), by their byte in the stretch."""
        self._kinds = [LAYOUT] * len(stretch.text)
        around = stretch.before + b"\n" + stretch.below
        snapshot = SyntaxSnapshot.open(Buffer(stretch.content), stretch.language)
        starts = snapshot.buffer.line_starts
        for line in range(snapshot.line_count):
            for token in snapshot.line_tokens(line):
                start = int(starts[line]) + token.start - stretch.start
                end = int(starts[line]) + token.end - stretch.start
                if token.kind is TokenKind.NEWLINE or end <= 0 or start >= len(stretch.text):
                    continue
                kind = _OF_TOKEN.get(token.kind)
                if kind is None:
                    above = around + b"\n" + stretch.text[: max(start, 0)]
                    kind = NAME if re.search(rb"\b%s\b" % re.escape(token.text.encode()), above) else NEW_NAME
                    if start >= 0 and len(token.text) >= LEAST_LETTERS and token.text not in NOT_DRAWN:
                        self.names[start] = token.text
                for byte in range(max(start, 0), min(end, len(stretch.text))):
                    self._kinds[byte] = kind

    def at(self, byte: int) -> str:
        """The kind of a byte of the stretch."""
        return self._kinds[byte]
