"""`editahead-models`: help without training libraries, and one line when one of them is missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "models" / "editahead_models"
VERBS = ("prepare", "mine", "train", "evaluate", "calibrate", "export", "report")


def run(*arguments: str, without: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """Run in a child; modules in `without` cannot be imported there."""
    code = (
        f"import sys; sys.modules.update(dict.fromkeys({without!r})); sys.argv = ['x', *{arguments!r}]\n"
        "import runpy; runpy.run_module('editahead_models', run_name='__main__')"
    )
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_help_needs_no_training_library() -> None:
    done = run("--help", without=("torch", "onnx", "matplotlib"))
    assert done.returncode == 0, done.stderr
    for verb in VERBS:
        assert f" {verb} " in done.stdout


def test_a_missing_library_is_one_line(tmp_path: Path) -> None:
    recipe = PACKAGE.parent / "recipes" / "spn-python.toml"
    done = run("train", str(recipe), "--data", str(tmp_path), "--out", str(tmp_path), without=("torch",))
    assert done.returncode == 3, done.stderr
    assert done.stderr == "editahead-models train needs torch: in editahead's repository, pip install '.[train]'\n"


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_its_implementation(verb: str) -> None:
    from editahead_models.commands import VERBS as TABLE

    module, _, function = TABLE[verb].target.partition(":")
    file = PACKAGE.joinpath(*module.split(".")).with_suffix(".py")
    assert f"def {function}(" in file.read_text(encoding="utf-8")
