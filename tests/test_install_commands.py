"""No command that we give to people installs whatever somebody has published under our name: it is not ours anywhere.

Commands name this repository (a folder, a git address) or a wheel that was built from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parent.parent
PLACES = (
    "*.md",
    "Makefile",
    "Dockerfile",
    "pyproject.toml",
    "docs",
    "server",
    "models",
    "editors",
    "scripts",
    "tests",
    ".github",
)
ENDINGS = {".md", ".py", ".lua", ".txt", ".json", ".ts", ".mjs", ".js", ".toml", ".yml", ".yaml", ".sh", ""}
SKIPPED = {"node_modules", "__pycache__", "out", "dist", "samples"}
NAMES = r"editahead(?:[-_]models)?"
INSTALL = re.compile(
    r"\b(?:(?:pip|pip3|pipx|uv|poetry|pdm|conda|mamba|rye|hatch)\b[^\n#|&]*?\b(?:install|add|run|upgrade|download)|uvx)\b"
    r"(?P<arguments>[^\n#]*)"
)
REGISTRY = re.compile(rf"(?<![\w./@:~$-]){NAMES}(?:\[[\w, -]+\])?(?:\s*[=<>~!]=\s*[\w.*]+)?(?!\s*@)(?![\w./@:-])")


def from_a_registry(line: str) -> bool:
    """Whether a line holds a command that would take the package from a registry, by its bare name."""
    return any(REGISTRY.search(re.split(r";| && | \|\| |`", match["arguments"])[0]) for match in INSTALL.finditer(line))


def texts() -> Iterator[Path]:
    for place in PLACES:
        for start in REPOSITORY.glob(place):
            paths = [start] if start.is_file() else sorted(start.rglob("*"))
            for path in paths:
                parts = path.relative_to(REPOSITORY).parts
                if path.suffix in ENDINGS and not SKIPPED.intersection(parts) and path.is_file():
                    yield path


def test_no_command_takes_our_name_from_a_registry() -> None:
    found, seen = [], set()
    for path in texts():
        if path == Path(__file__):
            continue
        seen.add(path.name)
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        found += [
            f"{path.relative_to(REPOSITORY)}:{n}: {line.strip()}"
            for n, line in enumerate(lines, 1)
            if from_a_registry(line)
        ]
    assert {"README.md", "health.lua", "check.md", "bench.md", "package.json", "main.py"} <= seen
    assert found == []


@pytest.mark.parametrize(
    ("line", "bad"),
    [
        ("pip install editahead", True),
        ("- run: pip install editahead", True),
        ("python -m pip install -U 'editahead[languages]'", True),
        ('"Install it: pip install editahead; or name it', True),
        ("pip install editahead==0.1.0", True),
        ("pipx install editahead", True),
        ("uv tool install editahead", True),
        ("uvx editahead --stdio", True),
        ("reinstall with pip install --force-reinstall editahead", True),
        ("pip install .                  # the command `editahead`", False),
        ("pip install '.[languages]'", False),
        ("pip install dist/editahead-0.1.0-py3-none-any.whl", False),
        ("pip install git+https://example.org/us/editahead", False),
        ("pip install 'editahead @ git+https://example.org/us/x'", False),
        ("pip install ./editahead", False),
        ('pip install "$EDITAHEAD"', False),
        ("pip install .` gives the command `editahead`", False),
        ("pip install . && editahead doctor", False),
    ],
)
def test_what_such_a_command_looks_like(line: str, bad: bool) -> None:
    assert from_a_registry(line) is bad
