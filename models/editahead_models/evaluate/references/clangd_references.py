"""References in C and C++ by clangd: `python -m editahead_models.evaluate.references.clangd_references FOLDER`.

FOLDER is the checked-out project, with a compile_flags.txt or a compile_commands.json. It reads one JSON object a line,
{"path", "text", "line", "column"} (line from 1, column in characters; the path below FOLDER), and answers each with one
line: the [line, column] of every reference in that file, or null.

Of a name that also stands in a line of the preprocessor, or in code that is left out on this machine, nothing is said:
clangd does not see what it means there.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from editahead_models.evaluate.references.language_server import LanguageServer, Place, answer

COMMAND = ("clangd", "--log=error", "--background-index=false", "-j=1")
LEFT_OUT = "textDocument/inactiveRegions"
_DIRECTIVE = re.compile(r"^[ \t]*#(?:.*\\\n)*.*$", re.MULTILINE)


def main() -> None:
    """Answer until the input ends."""
    root, languages = Path(sys.argv[1]).resolve(), defaultdict(lambda: "cpp", {".c": "c"})
    server = LanguageServer(COMMAND, root, languages)

    def references(path: str, text: str, line: int, column: int) -> list[Place] | None:
        found = server.references(path, text, line, column)
        return None if in_doubt(text, line, column, server.said.get(LEFT_OUT, {}).get("regions", ())) else found

    answer(references)


def in_doubt(text: str, line: int, column: int, left_out: Sequence[dict[str, Any]]) -> bool:
    """Whether the name at a place also stands in a line of the preprocessor, or in ranges that are left out."""
    rows = text.split("\n")
    word = re.match(r"\w+", rows[line - 1][column:])
    unseen = [found.group() for found in _DIRECTIVE.finditer(text)]
    unseen += ["\n".join(rows[one["start"]["line"] : one["end"]["line"] + 1]) for one in left_out]
    return word is None or any(re.search(rf"\b{re.escape(word.group())}\b", part) for part in unseen)


if __name__ == "__main__":
    main()
