"""Programs of others that say what a text declares and uses.

ruff for Python, the TypeScript compiler, javac, the type checker of Go, gcc for C and C++.
"""

from __future__ import annotations

import ast
import base64
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

HERE = Path(__file__).resolve().parent
TYPESCRIPT = HERE.parents[2] / "editors" / "vscode" / "node_modules" / "typescript"
_NAMED = re.compile(r"`([^`]+)`")
_NO_HEADER = re.compile(r"(\S+): No such file or directory")
_UNDECLARED = re.compile(
    r"'(\w+)' (?:undeclared|was not declared|has not been declared|does not name a type)"
    r"|(?:implicit declaration of function|unknown type name) '(\w+)'"
)
MAX_STUBS, MAX_FOLDERS = 200, 60
"""Headers that are taken for empty ones, and folders with headers."""


class Judge(Protocol):
    """Says what is wrong with a text."""

    def faults(self, text: str, name: str) -> frozenset[str]:
        """Syntax errors as "syntax", and each name that is used and not declared."""
        ...


JudgeMaker = Callable[[Sequence[Path]], "Judge | None"]


class PythonJudge:
    """Compiles, and asks ruff (its rules of pyflakes) for undefined names."""

    def faults(self, text: str, name: str) -> frozenset[str]:
        """As in Judge."""
        try:
            compile(text, name, "exec", flags=ast.PyCF_ONLY_AST)
        except (SyntaxError, ValueError):
            return frozenset({"syntax"})
        command = [
            str(Path(sys.executable).with_name("ruff")), "check", "--isolated", "--no-cache", "--select", "F821,F822",
            "--output-format", "json", "--stdin-filename", name, "-",
        ]  # fmt: skip
        ran = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        rows = json.loads(ran.stdout or "[]")
        return frozenset(match[1] for row in rows if (match := _NAMED.search(row["message"])))


class ResidentJudge:
    """A program that reads a name and a text in base64 a line, and answers with a list of faults as JSON."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def faults(self, text: str, name: str) -> frozenset[str]:
        """As in Judge."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{name} {base64.b64encode(text.encode()).decode()}\n")
        self._process.stdin.flush()
        return frozenset(json.loads(self._process.stdout.readline()))

    def close(self) -> None:
        """End the program."""
        self._process.kill()
        self._process.wait()


def _typescript() -> Judge | None:
    node = shutil.which("node")
    return ResidentJudge([node, str(HERE / "judge.mjs"), str(TYPESCRIPT)]) if node and TYPESCRIPT.is_dir() else None


def _java(folders: Sequence[Path]) -> Judge | None:
    java = shutil.which("java") if shutil.which("javac") else None
    roots = {root for folder in folders for source in ("main", "test") for root in folder.rglob(f"src/{source}/java")}
    command = [
        java or "",
        "-XX:TieredStopAtLevel=1",
        str(HERE / "Judge.java"),
        os.pathsep.join(map(str, sorted(roots))),
    ]
    return ResidentJudge(command) if java else None


def _go() -> Judge | None:
    go = shutil.which("go")
    return ResidentJudge([go, "run", str(HERE / "judge.go")]) if go else None


class GccJudge:
    """Compiles without output. Headers that are not there are taken for their templates, or for empty ones."""

    def __init__(self, program: str, folders: Sequence[Path]) -> None:
        """`folders`: where headers are looked for."""
        self._folders = folders
        self._stubs = tempfile.TemporaryDirectory()
        language = "c++" if program.endswith("++") else "c"
        self._command = [
            program, "-x", language, "-fsyntax-only", "-fdiagnostics-format=json", "-fmax-errors=0", "-",
            *(f"-I{folder}" for folder in folders), f"-I{self._stubs.name}",
        ]  # fmt: skip

    def faults(self, text: str, name: str) -> frozenset[str]:
        """As in Judge."""
        for _ in range(MAX_STUBS):
            rows = self._diagnostics(text)
            absent = next((match[1] for row in rows if (match := _NO_HEADER.match(row["message"]))), None)
            if absent is None:
                return frozenset(fault for row in rows for fault in self._named(row))
            stub = Path(self._stubs.name, absent)
            stub.parent.mkdir(parents=True, exist_ok=True)
            templates = (template for folder in self._folders for template in folder.rglob(f"{stub.name}.in"))
            template = next(templates, None)
            stub.write_bytes(template.read_bytes() if template is not None else b"")
        return frozenset()

    def _diagnostics(self, text: str) -> list[dict[str, Any]]:
        environment = {**os.environ, "LC_ALL": "C"}
        ran = subprocess.run(self._command, input=text, capture_output=True, text=True, check=False, env=environment)
        rows: list[dict[str, Any]] = json.loads(ran.stderr.partition("\n")[0] or "[]")
        return rows

    def _named(self, row: dict[str, Any]) -> Iterator[str]:
        match = _UNDECLARED.search(row["message"])
        if match is not None:
            yield match[1] or match[2]
        elif row["kind"] == "error" and row["message"].startswith("expected"):
            yield "syntax"


def _gcc(program: str) -> JudgeMaker:
    def make(folders: Sequence[Path]) -> Judge | None:
        headers = sorted({path.parent for folder in folders for path in folder.rglob("*.h")})
        around = sorted({folder for header in headers for folder in (header, header.parent)})
        return GccJudge(program, around[:MAX_FOLDERS]) if shutil.which(program) else None

    return make


def _without_folders(make: Callable[[], Judge | None]) -> JudgeMaker:
    return lambda folders: make()


JUDGES: dict[str, JudgeMaker] = {
    "python": _without_folders(PythonJudge),
    "typescript": _without_folders(_typescript),
    "java": _java,
    "go": _without_folders(_go),
    "c": _gcc("gcc"),
    "cpp": _gcc("g++"),
}
"""By language, what makes a judge of files below some folders: None where its program is not installed."""
