"""Members of a class behind receivers that a test narrows, or that come from a container."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from editahead.runtime.language_model.ngrams import DocumentCaches
from editahead.suggest.completion.ngrams import words_of
from editahead.suggest.completion.without_model import words_evidence
from editahead.suggest.context import place_at

from tests.growth import assert_linear
from tests.suggest.completion.test_ranked_words import opened
from tests.suggest.next_edit.consequences.marked_renames import assert_follows, resolving
from tests.suggest.typed_receivers import c_sharp, go, java, python, rust, typescript

MODULES = {
    "main.py": python, "main.ts": typescript, "Main.java": java, "Main.cs": c_sharp, "main.go": go, "main.rs": rust,
}  # fmt: skip
CASES = {
    f"{path}: {kind}: {name}": text
    for path, module in MODULES.items()
    for kind in ("NARROWED", "UNCHANGED", "CONTAINERS")
    for name, text in getattr(module, kind).items()
}
_ON_THE_SAME_LINE = {
    "Main.cs": ("OfType", "Select with an index", "TryGetValue", "an arm", "is and", "is braces", "pairs", "values"),
    "Main.java": ("List.of", "Optional.of", "a label", "and", "entrySet", "map forEach", "reduce", "values"),
    "main.py": ("and", "comprehension", "conditional expression", "items in a comprehension", "not, or"),
    "main.rs": ("if let of a reference", "match", "pairs"),
    "main.ts": (
        "Object.entries",
        "Object.values",
        "Promise.all",
        "a caught error",
        "a function of a predicate",
        "and",
        "conditional expression",
        "if without braces",
        "not, or",
        "reduce",
        "spread",
    ),
}
"""Cases that are not listed: completions do not read what the cursor's own line binds or narrows."""
LISTED = [name for name in CASES if name.split(": ")[2] not in _ON_THE_SAME_LINE.get(name.split(": ")[0], ())]
_MARK = re.compile("[«‹]([^«»‹›>]*)>([^«»‹›>]*)[»›]")


@pytest.mark.parametrize(("name", "text"), CASES.items(), ids=CASES)
def test_renames_follow(name: str, text: str) -> None:
    assert_follows({f"file:///w/{name.partition(':')[0]}": text})


ELSEWHERE = {
    f"{path}: {name}": texts
    for path, module in MODULES.items()
    for name, texts in getattr(module, "ELSEWHERE", {}).items()
}


@pytest.mark.parametrize("texts", ELSEWHERE.values(), ids=ELSEWHERE)
def test_renames_in_another_file_follow(texts: dict[str, str]) -> None:
    assert_follows({f"file:///w/{path}": text for path, text in texts.items()})


CLASS = "class Cart:\n    def total(self): ...\n\n\ndef f(x, y):\n"
TESTS: dict[str, Callable[[int], str]] = {
    "one by one": lambda size: "    if isinstance(x, Cart):\n        x.total()\n" * size,
    "exits": lambda size: "    if not isinstance(x, Cart):\n        return\n    x.total()\n" * size,
    "assertions": lambda size: "    assert isinstance(x, Cart)\n    x.total()\n" * size,
    "assignments": lambda size: "    if isinstance(x, Cart):\n        x.total()\n        x = y\n" * size,
    "alternatives": lambda size: (
        "    if y:\n        pass\n" + "    elif isinstance(x, Cart):\n        x.total()\n" * size
    ),
    "operands": lambda size: "    return " + "isinstance(x, Cart) and x.total() and " * size + "y\n",
    "nested": lambda size: "".join(
        "    " * at + f"if isinstance(x, Cart):\n{'    ' * at}    x.total()\n" for at in range(1, size // 8)
    ),
    "members": lambda size: f"    if isinstance(x{'.y' * size}, Cart):\n        x{'.y' * size}.total()\n",
    "cases": lambda size: "    match x:\n" + "        case Cart():\n            x.total()\n" * size,
}


@pytest.mark.parametrize("written", TESTS.values(), ids=TESTS)
def test_they_are_resolved_in_linear_time(written: Callable[[int], str]) -> None:
    assert_linear(lambda size: resolving(CLASS + written(size), "python", "total"), 60)


def _cut(text: str) -> Iterator[str]:
    """The text as it is while each followed member is typed: nothing stands behind the dot on its line."""
    for mark in re.finditer("‹", text):
        before, rest = text[: mark.start()], text[mark.start() :]
        yield _MARK.sub(r"\1", before) + "‸" + _MARK.sub(r"\1", rest[rest.index("\n") :])


@pytest.mark.parametrize("name", LISTED)
def test_members_are_listed(name: str) -> None:
    for cut in _cut(CASES[name]):
        document, byte = opened(cut, name.partition(":")[0])
        _, evidence = words_evidence(DocumentCaches(words_of), document, place_at(document, byte))
        members = evidence.scopes.members if evidence.scopes is not None else None
        assert members is not None, cut
        assert {"total", "Total"} & members, cut
