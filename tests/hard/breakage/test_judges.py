"""The judges of the edit fuzz find what is wrong, and nothing where all is right."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from tests.hard.breakage.edit_fuzz import exported_names_lost
from tests.hard.breakage.human_edits import OPERATIONS, human_edit
from tests.hard.breakage.judges import JUDGES, ResidentJudge
from tests.hard.soak_page import bound_of

TEXTS = {
    "python": ("a.py", "def f(a):\n    return a\n", "def f(a):\n    return b\n", "def f(a:\n"),
    "typescript": (
        "a.ts", "function f(a: number) {\n  return a;\n}\n", "function f(a: number) {\n  return b;\n}\n", "let = (;\n"
    ),
    "java": ("A.java", "class A { int f() { return 1; } }\n", "class A { int f() { return b; } }\n", "class {\n"),
    "go": (
        "a.go", 'package a\n\nimport "fmt"\n\nfunc f(a int) int {\n\tfmt.Println(a)\n\treturn a\n}\n',
        "package a\n\nfunc f(a int) int {\n\treturn b\n}\n", "package a\nfunc {\n",
    ),
    "c": (
        "a.c", '#include "absent.h"\nint f(int a) { return a; }\n', "int f(int a) { return b; }\n",
        "int f(int a) { return a }\n",
    ),
    "cpp": (
        "a.cpp", "#include <vector>\nstd::vector<int> f(int a) { return {a}; }\n", "int f(int a) { return b; }\n",
        "int f(int a) { return a }\n",
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("language", TEXTS)
def test_a_judge_names_what_is_not_declared(language: str) -> None:
    judge = JUDGES[language]([])
    if judge is None:
        pytest.skip(f"the program that judges {language} is not installed")
    name, right, wrong, broken = TEXTS[language]
    assert judge.faults(right, name) == frozenset()
    assert judge.faults(wrong, name) == {"b"}
    assert "syntax" in judge.faults(broken, name)
    if isinstance(judge, ResidentJudge):
        judge.close()


@pytest.mark.slow
def test_javac_knows_the_classes_beside_a_text(tmp_path: Path) -> None:
    root = tmp_path / "src" / "main" / "java"
    root.mkdir(parents=True)
    (root / "B.java").write_text("class B { int size; }\n")
    judge = JUDGES["java"]([tmp_path])
    if judge is None:
        pytest.skip("javac is not installed")
    assert judge.faults("class A { int f(B b) { return b.size + b.count; } }\n", "A.java") == {"count"}
    assert isinstance(judge, ResidentJudge)
    judge.close()


def test_the_bound_of_none_is_that_of_three() -> None:
    assert bound_of(0, 3_000) == 0.001
    assert bound_of(2, 3_000) > bound_of(1, 3_000) > 0.001


def test_names_that_another_file_imports_are_missed(tmp_path: Path) -> None:
    path = tmp_path / "package" / "shapes.py"
    path.parent.mkdir()
    path.write_text("AREA = 1\nSIZE = 2\n")
    (tmp_path / "folder.py").mkdir()
    os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "other.py").write_text("from shapes import (\n    AREA,\n)\n")
    assert exported_names_lost(path, b"AREA = 1\nSIZE = 2\n", b"SIZE = 2\n") == {"AREA"}
    assert exported_names_lost(path, b"AREA = 1\nSIZE = 2\n", b"AREA = 1\n") == set()


def test_each_operation_changes_a_text_that_has_what_it_changes() -> None:
    text = (
        b"import os\nfrom sys import path\n\n\ndef run(first, second):\n    total = first + 3\n    for row in path:\n"
        b"        show(row, total)\n    return os.sep, second\n\n\nclass Job(object):\n    size = 1\n"
    )
    for name, operation in OPERATIONS.items():
        edits = operation(random.Random(3), text, "python")
        assert edits, name
        after = text
        for edit in edits:
            after = edit.apply(after)
        assert after != text, name
    assert human_edit(random.Random(1), b"", "python") == ("none", [])
