"""No command that we give to people installs whatever somebody has published under our name: it is not ours anywhere.

Commands name this repository (a folder, a git address) or a wheel that was built from it.
"""

from __future__ import annotations

import os
import re
import subprocess
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


@pytest.mark.slow
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


def install_lines() -> list[str]:
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"## Install\n.*?```sh\n(.*?)```", readme, re.DOTALL)
    return str(block).splitlines()


@pytest.mark.skipif(os.name != "posix", reason="the lines are for a POSIX shell")
def test_the_readme_installs_in_three_lines_and_editors_find_it(tmp_path: Path) -> None:
    """As they stand, in a home of their own; only pip is replaced by one that makes the command without downloads."""
    lines = install_lines()
    assert len(lines) == 3
    programs = tmp_path / "programs"
    programs.mkdir()
    pip = '#!/bin/sh\n[ "$1 $2" = "install ." ] && [ -f pyproject.toml ] && printf "#!/bin/sh\\necho it runs\\n"'
    pip += ' > "${0%pip}editahead" && chmod +x "${0%pip}editahead"\n'
    python = f'#!/bin/sh\n[ "$1 $2" = "-m venv" ] && mkdir -p "$3/bin" && cp {programs}/pip "$3/bin/pip"\n'
    git = '#!/bin/sh\n[ "$1" = clone ] && mkdir "$3" && cp "$2/pyproject.toml" "$3"\n'
    for name, text in (("pip", pip), ("python3", python), ("git", git)):
        (programs / name).write_text(text, encoding="utf-8")
        (programs / name).chmod(0o755)
    home = tmp_path / "home"
    home.mkdir()
    path = f"{home}/.local/bin:{programs}:{os.environ['PATH']}"
    environment = {**os.environ, "HOME": str(home), "REPOSITORY": str(REPOSITORY), "PATH": path}
    script = "\n".join(["set -e", *lines, "editahead"])
    done = subprocess.run(["sh", "-c", script], cwd=home, env=environment, capture_output=True, text=True, timeout=60)
    assert done.stdout == "it runs\n", done.stderr
