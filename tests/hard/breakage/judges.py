"""Programs of others that say what a text declares and uses: ruff for Python, the TypeScript compiler, javac."""

from __future__ import annotations

import ast
import base64
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

HERE = Path(__file__).resolve().parent
TYPESCRIPT = HERE.parents[2] / "editors" / "vscode" / "node_modules" / "typescript"
_NAMED = re.compile(r"`([^`]+)`")


class Judge(Protocol):
    """Says what is wrong with a text."""

    def faults(self, text: str, name: str) -> frozenset[str]:
        """Syntax errors as "syntax", and each name that is used and not declared."""
        ...


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


def _java() -> Judge | None:
    java = shutil.which("java") if shutil.which("javac") else None
    return ResidentJudge([java, "-XX:TieredStopAtLevel=1", str(HERE / "Judge.java")]) if java else None


JUDGES: dict[str, Callable[[], Judge | None]] = {"python": PythonJudge, "typescript": _typescript, "java": _java}
"""By language; a judge is None where its program is not installed."""
