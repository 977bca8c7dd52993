"""Run the examples of the documentation and write their output into the pages.

`python scripts/docs_examples.py [PAGE...]`. An example is a fenced block of the language `console`: lines that begin
with `$ ` are commands, the others their output. The commands of a page run one after the other in one copy of
docs/examples/shop that is committed to a git repository. What several pages show of the same files is computed once.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "docs" / "examples" / "shop"
COLUMNS = 100
_outputs: dict[tuple[str, frozenset[tuple[str, bytes]]], tuple[str, str]] = {}  # of a command, on the same files
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def pages() -> list[Path]:
    """The pages that hold examples."""
    found = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    return sorted(path for path in found if _BLOCK.search(path.read_text(encoding="utf-8")))


def commands(text: str) -> list[str]:
    """The commands of a page, in order."""
    return [line[2:] for block in _BLOCK.findall(text) for line in block.splitlines() if line.startswith("$ ")]


def refreshed(text: str) -> str:
    """A page with the output that its commands have now. Raises RuntimeError for a command that fails."""
    with tempfile.TemporaryDirectory() as folder:
        shop = Path(shutil.copytree(EXAMPLES, Path(folder) / "shop"))
        _output("git init -q && git add . && git commit -qm 'Add the shop'", shop)

        def rerun(match: re.Match[str]) -> str:
            typed = [line for line in match.group(1).splitlines() if line.startswith("$ ")]
            return "```console\n" + "".join(f"{line}\n{_output(line[2:], shop)}" for line in typed) + "```"

        return _BLOCK.sub(rerun, text)


def _output(command: str, folder: Path) -> str:
    """What a command prints, without blanks at line ends."""
    program, _, filters = command.partition(" | ")
    if not program.startswith("editahead "):
        out, err = _run(command, folder)
    else:
        paths = [path for path in folder.parent.rglob("*") if path.is_file() and ".git" not in path.parts]
        files = frozenset((str(path.relative_to(folder.parent)), path.read_bytes()) for path in paths)
        if (program, files) not in _outputs:
            _outputs[program, files] = _run(program, folder)
        out, err = _outputs[program, files]
        if filters:
            out = _run(filters, folder, out)[0]
    return "".join(f"{line.rstrip()}\n" for line in (out + err).splitlines())


def _run(command: str, folder: Path, stdin: str = "") -> tuple[str, str]:
    """Standard output and error of a command. Exit code 1 is an answer (nothing to suggest); RuntimeError above."""
    who = {"GIT_AUTHOR_NAME": "you", "GIT_AUTHOR_EMAIL": "you@example.org"}
    who |= {name.replace("AUTHOR", "COMMITTER"): value for name, value in who.items()}
    here = {"COLUMNS": str(COLUMNS), "PATH": os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))}
    environment = {**os.environ, **who, **here}
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, input=stdin
    )
    if done.returncode > 1:
        raise RuntimeError(f"{command}: {done.stderr or done.stdout}")
    return done.stdout, done.stderr


def main(arguments: Iterable[str]) -> int:
    """Writes the pages that changed; one line for each."""
    for path in [Path(name).resolve() for name in arguments] or pages():
        before = path.read_text(encoding="utf-8")
        after = refreshed(before)
        if after != before:
            path.write_text(after, encoding="utf-8")
            print(path.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
