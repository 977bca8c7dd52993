"""References by jedi: a program of its own, so that neither the product nor this package depends on it.

Run it with a Python that has jedi. It reads one JSON object a line, {"path", "text", "line", "column"} (line from 1,
column in characters), and answers each with one line: the [line, column] of every reference in that file, or null.
"""

from __future__ import annotations

import json
import sys


def main() -> None:
    """Answer until the input ends."""
    import jedi  # type: ignore[import-not-found,import-untyped,unused-ignore]  # of the interpreter that runs this file

    for row in sys.stdin:
        asked = json.loads(row)
        places: object
        try:
            script = jedi.Script(asked["text"], path=asked["path"])
            found = script.get_references(asked["line"], asked["column"], scope="file")
            places = sorted({(one.line, one.column) for one in found if one.line is not None})
        except Exception:  # jedi may fail on any file; that is no answer
            places = None
        print(json.dumps(places), flush=True)


if __name__ == "__main__":
    main()
