"""`make soak`: a million keystrokes with flat memory, the state machine for very many steps, editors, the edit fuzz.

Prints one line for each; exit code 1 when memory grows, an answer is missing, or anything falls over.
`--out docs/results` also keeps what was measured there and writes the page anew, with what an earlier run left.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from editahead.bench.drive import memory_mb
from editahead.bench.stdio_client import StdioClient, server_command

from tests.bench.sources import session
from tests.hard.soak_page import keep

WARM = 0.2  # share of the keystrokes after which memory must no longer grow
_TYPED = re.compile(
    r"(?P<language>\w+): (?P<lines>\d+) lines typed, (?P<wrong>\d+) wrong;"
    r" (?:a menu was open at )?(?P<menus>\d+) (?:of \d+ keys|lists were shown)"
)
GROWTH_MB = 20.0  # what allocators may still take after that


@dataclass
class Soaked:
    """Keystrokes sent, answers got, and (keystrokes, resident MB) as it went."""

    keys: int = 0
    answers: int = 0
    shown: int = 0
    seconds: float = 0.0
    memory: list[tuple[int, float]] = field(default_factory=list)

    def growth_mb(self) -> float:
        """How much more memory the last tenth took than what followed warming up, in MB."""
        warm = [size for keys, size in self.memory if WARM * self.keys <= keys < (WARM + 0.1) * self.keys]
        last = [size for keys, size in self.memory if keys >= 0.9 * self.keys]
        return sum(last) / len(last) - sum(warm) / len(warm)


def type_on(keys: int, ask_every: int = 25) -> Soaked:
    """Type a block into a file and delete it again, over and over; ask after every so many keys, of each surface."""
    source = session("python", 500)
    done = Soaked()
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, StdioClient(server_command(), timeout=60.0) as client:
        root = Path(folder).resolve()
        path = root / "soak.py"
        path.write_text(source.text, encoding="utf-8")
        document = {"uri": path.as_uri(), "version": 0}
        client.request("initialize", {"processId": None, "rootUri": root.as_uri(), "capabilities": {}})
        client.notify("initialized", {})
        opened = {**document, "languageId": "python", "text": source.text}
        client.notify("textDocument/didOpen", {"textDocument": opened})
        turn = 0
        while done.keys < keys:
            line, column = source.line, 0
            for key in source.block:
                document["version"] = int(document["version"]) + 1
                _change(client, document, (line, column, line, column), key)
                line, column = (line + 1, 0) if key == "\n" else (line, column + 1)
                done.keys += 1
                if done.keys % ask_every == 0:
                    turn += 1
                    _ask(client, document, turn, line, column, done)
                if done.keys % max(1, keys // 100) == 0:
                    done.memory.append((done.keys, memory_mb(client.pid)[0]))
            document["version"] = int(document["version"]) + 1
            _change(client, document, (source.line, 0, line, 0), "")
            client.notifications.clear()
    done.seconds = time.perf_counter() - began
    return done


def _change(client: StdioClient, document: dict[str, Any], span: tuple[int, int, int, int], text: str) -> None:
    ends = [{"line": span[at], "character": span[at + 1]} for at in (0, 2)]
    change = {"range": {"start": ends[0], "end": ends[1]}, "text": text}
    client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})


def _ask(client: StdioClient, document: dict[str, Any], turn: int, line: int, column: int, done: Soaked) -> None:
    method = ("textDocument/completion", "textDocument/inlineCompletion", "editahead/nextEdit")[turn % 20 % 3]
    place = {"textDocument": {"uri": document["uri"]}, "position": {"line": line, "character": column}}
    result = client.request(method, {**place, "context": {"triggerKind": 1, "idle": False}}).result
    done.answers += 1
    done.shown += bool(result.get("items") or result.get("edits"))


def run_machine(steps: int) -> int:
    """Run the state machine for at least so many steps; how many it were."""
    from hypothesis import HealthCheck, Phase, settings
    from hypothesis.stateful import run_state_machine_as_test

    from tests.hard.machine import SessionMachine

    SessionMachine.steps = 0
    while SessionMachine.steps < steps:
        chosen = settings(
            max_examples=200, stateful_step_count=100, deadline=None, database=None, print_blob=True,
            phases=(Phase.generate, Phase.shrink), suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        run_state_machine_as_test(SessionMachine, settings=chosen)  # type: ignore[no-untyped-call]
        print(f"  {SessionMachine.steps:,} steps", file=sys.stderr, flush=True)
    return SessionMachine.steps


EDITORS = {"Neovim": "nvim", "VS Code": "vscode"}
"""The folder of the tests of each editor."""


def type_in_editors(lines: int, editors: Sequence[str]) -> tuple[list[dict[str, int | str]], int]:
    """Type so many lines of each language in some editors while other programs compute. Nothing is tried twice.

    Rows by editor and language, and the exit code of pytest; no row without editors (`make e2e` installs them).
    """
    options = ["-q", "-s", "-n", "0", "--timeout=14400", "-o", "faulthandler_timeout=0"]
    options += ["-p", "no:cacheprovider", "-p", "no:rerunfailures"]
    environment = {**os.environ, "EDITAHEAD_TYPED_LINES": str(lines), "EDITAHEAD_NEED_EDITORS": "1"}
    commands = {
        editor: [sys.executable, "-m", "pytest", *options, f"tests/editors/{folder}", "-k", "typed_under_load"]
        for editor, folder in EDITORS.items()
        if editor in editors
    }
    processes = {  # side by side: typing mostly waits for the next key
        editor: subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        for editor, command in commands.items()
    }
    rows: list[dict[str, int | str]] = []
    code = 0
    for editor, process in processes.items():
        output, _ = process.communicate()
        print(output, file=sys.stderr, flush=True)
        code = max(code, process.returncode)
        for row in _TYPED.finditer(output):
            counts = {key: int(row[key]) for key in ("lines", "wrong", "menus")}
            rows.append({"editor": editor, "language": row["language"], **counts})
    return rows, code


def main() -> int:
    parser = argparse.ArgumentParser(prog="make soak", description=__doc__)
    parser.add_argument("--keys", type=int, default=1_000_000, help="keystrokes (default 1,000,000)")
    parser.add_argument("--steps", type=int, default=100_000, help="steps of the state machine (default 100,000)")
    parser.add_argument("--lines", type=int, default=250, help="lines of a language in real editors (default 250)")
    parser.add_argument("--editor", action="append", choices=EDITORS, help="type only in these (default: all)")
    parser.add_argument("--minutes", type=int, default=60, help="minutes of `make fuzz` (default 60)")
    parser.add_argument("--out", type=Path, help="folder of results: soak.json, soak.md and its plot")
    args = parser.parse_args()
    code = 0
    if args.keys:
        done = type_on(args.keys)
        grown = done.growth_mb()
        first, last = done.memory[0][1], done.memory[-1][1]
        print(
            f"{done.keys:,} keystrokes in {done.seconds:.0f} s, {done.answers:,} answers, of which {done.shown:,} "
            f"showed something; memory {first:.0f} MB at first, {last:.0f} MB at last, {grown:+.1f} MB once warm",
            flush=True,
        )
        code = 1 if grown > GROWTH_MB else 0
        if args.out:
            keep(args.out, "keys", {**asdict(done), "growth_mb": grown})
    if args.steps:
        began = time.perf_counter()
        steps = run_machine(args.steps)
        print(f"{steps:,} steps of the state machine without a fault", flush=True)
        if args.out:
            keep(args.out, "steps", {"steps": steps, "seconds": time.perf_counter() - began})
    if args.lines:
        rows, failed = type_in_editors(args.lines, args.editor or list(EDITORS))
        typed, wrong = (sum(int(row[key]) for row in rows) for key in ("lines", "wrong"))
        said = f"{typed:,} lines typed, {wrong} wrong" if rows else "left out, `make e2e` installs them"
        print(f"editors under load: {said}", flush=True)
        code = max(code, min(1, failed if rows else 0))
        if args.out and rows:
            keep(args.out, "typed", {"rows": rows})
    if args.minutes:
        out = ["--out", str(args.out)] if args.out else []
        fuzz = [sys.executable, "-m", "tests.hard.breakage.edit_fuzz", "--minutes", str(args.minutes), *out]
        code = max(code, subprocess.run(fuzz, check=False).returncode)
    return code


if __name__ == "__main__":
    sys.exit(main())
