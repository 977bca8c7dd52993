"""The counts of vague words and names: none rises, limits only fall."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from scripts.word_lint import LIMITS, PACKAGE, count_words, main


def write_module(root: Path, name: str, text: str) -> None:
    path = root / PACKAGE / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def limits(root: Path) -> object:
    return json.loads((root / LIMITS).read_text(encoding="utf-8"))


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A committed tree with two uses of `found` in one room."""
    write_module(tmp_path, "text/a.py", "found = 1\n")
    write_module(tmp_path, "text/b.py", "found = 1\n")
    write_module(tmp_path, "suggest/next_edit/deep/c.py", "pass\n")
    (tmp_path / LIMITS).parent.mkdir()
    (tmp_path / LIMITS).write_text('{"text": {"found": 2}}', encoding="utf-8")
    for command in ("init -q", "add .", "-c user.name=t -c user.email=t@t commit -qm first"):
        subprocess.run(["git", *command.split()], cwd=tmp_path, check=True)
    return tmp_path


def test_a_count_at_its_limit_passes_with_one_line(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([], tree) == 0
    assert capsys.readouterr().out == "words: 2, none rose\n"


def test_a_rise_fails_and_names_the_file_that_has_more(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_module(tree, "text/b.py", "found = 1\nfound = 2\n")
    assert main([], tree) == 1
    assert capsys.readouterr().out == "text: `found` 3 times, the limit is 2; server/editahead/text/b.py\n"


def test_a_room_without_limits_has_the_limit_zero(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_module(tree, "suggest/next_edit/deep/c.py", "home = 1\n")
    assert main([], tree) == 1
    assert capsys.readouterr().out.startswith("suggest/next_edit: `home` 1 times, the limit is 0; ")


def test_tighten_lowers_a_limit_and_then_holds_it(tree: Path) -> None:
    write_module(tree, "text/b.py", "pass\n")
    assert main(["--tighten"], tree) == 0
    assert limits(tree) == {"text": {"found": 1}}
    write_module(tree, "text/b.py", "found = 1\n")
    assert main([], tree) == 1


def test_tighten_never_raises_a_limit_and_drops_what_is_gone(tree: Path) -> None:
    write_module(tree, "text/b.py", "found = 1\nfound = 2\nhome = 3\n")
    assert main(["--tighten"], tree) == 1
    assert limits(tree) == {"text": {"found": 2}}
    write_module(tree, "text/a.py", "pass\n")
    write_module(tree, "text/b.py", "pass\n")
    assert main(["--tighten"], tree) == 0
    assert limits(tree) == {}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("x = [one for one in ()]", "loop variable one"),
        ("for key, one in (): pass", "loop variable one"),
        ("def told(): pass", "participle"),
        ("KNOWN = 1", "participle"),
        ("_MOST_LINES: int = 1", "superlative constant"),
        ("def fits_here() -> bool: pass", "boolean without is/has/can/should"),
    ],
)
def test_a_kind_of_name_is_counted(text: str, kind: str) -> None:
    assert count_words(text)[kind] == 1


@pytest.mark.parametrize(
    "text",
    [
        "def _is_here() -> bool: pass",
        "def __eq__(self, other) -> bool: pass",
        "@typing.override\ndef finish() -> bool: pass",
        "def finish() -> str: pass",
        "ones = anyone = someone_one = ALMOST = 1",
        "def f():\n    MOST = 1",
    ],
)
def test_a_plain_name_is_not_counted(text: str) -> None:
    assert count_words(text) == {}


@pytest.mark.slow
def test_no_count_rose(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0, capsys.readouterr().out
