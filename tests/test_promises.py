"""Every promise of the documents is backed by tests that exist: docs/promises.md names them."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TEST = re.compile(r"`(tests/[\w/.]+?)(?:::(\w+))?`")
PAGES = ["docs/threat-model.md", "docs/privacy.md", "docs/limits.md", "docs/invariants.md", "docs/headless.md"]


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def first_cells(page: str) -> set[str]:
    """The first cells of the rows of a page's tables."""
    lines = text_of(page).splitlines()
    rows = [line for line, below in zip(lines, [*lines[1:], ""], strict=True) if not below.startswith("|--")]
    return {line.split("|")[1].strip() for line in rows if line.startswith("| ")}


def promised() -> dict[str, dict[str, str]]:
    """By document: promises, each with the cell that names its tests."""
    found: dict[str, dict[str, str]] = {}
    for part in text_of("docs/promises.md").split("\n## ")[1:]:
        name, _, body = part.partition("\n")
        rows = [line.strip("|").split("|") for line in body.splitlines() if line.startswith("|")][2:]
        found[name] = {promise.strip(): tests for promise, tests in rows}
    return found


PROMISED = promised()
EACH = [(page, promise) for page, promises in PROMISED.items() for promise in promises]


@cache
def names_of_tests(path: str) -> frozenset[str]:
    """The names of the tests in a file."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = (node for node in ast.walk(ast.parse(text_of(path))) if isinstance(node, functions))
    return frozenset(node.name for node in nodes if node.name.startswith("test_"))


@pytest.mark.slow
@pytest.mark.parametrize(("page", "promise"), EACH)
def test_each_promise_names_tests_that_are_there(page: str, promise: str) -> None:
    named = TEST.findall(PROMISED[page][promise])
    assert named
    for path, name in named:
        if path.endswith(".py"):
            tests = names_of_tests(path)
            assert name in tests if name else tests
        else:
            assert re.search(r"^test\(", text_of(path), re.MULTILINE)


@pytest.mark.parametrize("page", ["docs/limits.md", "docs/threat-model.md"])
def test_every_limit_and_every_threat_is_named(page: str) -> None:
    assert first_cells(page) == set(PROMISED[page])


def test_every_section_of_privacy_is_named() -> None:
    sections = re.findall(r"^## (.+)$", text_of("docs/privacy.md"), re.MULTILINE)
    assert set(sections) == set(PROMISED["docs/privacy.md"])


@pytest.mark.parametrize("page", PAGES)
def test_every_test_that_a_page_names_is_there(page: str) -> None:
    named = re.findall(r"`(tests/[\w/.]+)`", text_of(page))
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []
