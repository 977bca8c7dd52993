"""References by jedi: a program of its own, so that neither the product nor this package depends on it.

Run it with a Python that has jedi. It reads one JSON object a line, {"path", "text", "line", "column"} (line from 1,
column in characters), and answers each with one line: the [line, column] of every reference in that file, or null. With
"root", a folder that holds the whole project, it answers the [path, line, column] of every reference below it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

_ALL = 100_000  # files that jedi looks into; by default it parses 30


def main() -> None:
    """Answer until the input ends."""
    import jedi  # type: ignore[import-not-found,import-untyped,unused-ignore]  # of the interpreter that runs this file
    from jedi.inference import references  # type: ignore[import-not-found,import-untyped,unused-ignore]

    references._OPENED_FILE_LIMIT = references._PARSED_FILE_LIMIT = _ALL
    project = None
    for row in sys.stdin:
        asked = json.loads(row)
        places: object
        try:
            if "root" in asked:
                root = Path(asked["root"]).resolve()
                project = project or jedi.Project(root)
                script = jedi.Script(asked["text"], path=root / asked["path"], project=project)
                found = script.get_references(asked["line"], asked["column"])
                inside = [one for one in found if one.module_path and one.module_path.is_relative_to(root)]
                places = sorted(
                    {(one.module_path.relative_to(root).as_posix(), one.line, one.column) for one in inside if one.line}
                )
            else:
                script = jedi.Script(asked["text"], path=asked["path"])
                found = script.get_references(asked["line"], asked["column"], scope="file")
                places = sorted({(one.line, one.column) for one in found if one.line is not None})
        except Exception:  # jedi may fail on any file; that is no answer
            places = None
        print(json.dumps(places), flush=True)


if __name__ == "__main__":
    main()
