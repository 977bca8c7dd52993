"""What action.yml runs: `editahead check`, with an annotation of the pull request for each place that was missed.

The inputs of the action come in environment variables, CHECK_BASE and so on. Exit codes are those of `editahead check`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FOUND = 1


def arguments(env: Mapping[str, str]) -> list[str]:
    """The arguments of `editahead check` that the inputs stand for."""
    base = env.get("CHECK_BASE", "").strip()
    if not base:
        target = env.get("GITHUB_BASE_REF", "")  # set on pull requests alone
        base = f"origin/{target}...HEAD" if target else "HEAD~1..HEAD"
    words = ["--base", base]
    if precision := env.get("CHECK_PRECISION", "").strip():
        words += ["--precision", precision]
    paths = [line.strip() for line in env.get("CHECK_PATHS", "").splitlines()]
    return [*words, "--", *filter(None, paths)]


def annotation(missed: Mapping[str, Any]) -> str:
    """The workflow command that shows a missed place, or what the change left behind, beside its line."""
    start, end = missed["range"]["start"], missed["range"]["end"]
    after = "\n".join(f"+ {line}" for line in missed.get("after", ()))
    text = f"{missed['message']} ({missed['probability']:.0%})" + (f". It would become:\n{after}" if after else "")
    places = f"line={start['line']},endLine={end['line']}"
    return f"::warning file={_escaped(missed['path'], ',:')},{places},title=editahead check::{_escaped(text)}"


def _escaped(text: str, more: str = "") -> str:
    """A text without what would end it in a workflow command."""
    for sign in "%\r\n" + more:
        text = text.replace(sign, f"%{ord(sign):02X}")
    return text


def _check(words: list[str], form: str) -> subprocess.CompletedProcess[str]:
    # The program beside this interpreter: `python -m` would import modules from the repository that is checked.
    program = Path(sys.executable).with_name("editahead.exe" if os.name == "nt" else "editahead")
    command = [str(program), "check", "--format", form, *words]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, encoding="utf-8")


def main() -> int:
    """Run the check; what it reports goes to annotations, to the outputs of the step and to a SARIF file."""
    words = arguments(os.environ)
    done = _check(words, "json")
    if done.returncode not in (0, FOUND):
        return done.returncode
    answer = json.loads(done.stdout)
    reported = [*answer["missed"], *answer["leftovers"]]
    for missed in reported:
        print(annotation(missed))
    for note in answer["notes"]:
        print(f"::notice title=editahead check::{_escaped(note)}")
    count = len(reported)
    print(f"{count} missed, {answer['edits']} repeated edits in {answer['files']} changed files")
    if output := os.environ.get("GITHUB_OUTPUT"):
        with Path(output).open("a", encoding="utf-8") as file:
            file.write(f"missed={count}\n")
    if sarif := os.environ.get("CHECK_SARIF_FILE", "").strip():
        Path(sarif).write_text(_check(words, "sarif").stdout, encoding="utf-8")
    return FOUND if count and os.environ.get("CHECK_FAIL", "true").strip() != "false" else 0


if __name__ == "__main__":
    sys.exit(main())
