"""Completions of a language that has rules of names and no model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from editahead.runtime.language_model.model import LanguageModel
from editahead.runtime.language_model.ngrams import DocumentCaches
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.completion.ngrams import words_of
from editahead.suggest.completion.ranking.features import CANDIDATE_FEATURES, PLACE_FEATURES
from editahead.suggest.completion.without_model import (
    complete_without_model,
    listed_words,
    open_words_ranker,
    words_evidence,
)
from editahead.suggest.context import place_at
from editahead.suggest.types import Completion, Document, Shown
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.language import by_path
from editahead.text.buffer import Buffer
from editahead.text.history import History

from tests.growth import seconds

OF_MODEL = ("model", "listed", "copied", "listed_name")
PLACE_OF_MODEL = ("entropy", "pointer_share", "unknown_mass")


def opened(text: str, path: str) -> tuple[Document, int]:
    """A document, and the byte of the mark `‸` in it."""
    before, _, after = text.partition("‸")
    language = by_path(path)
    assert language is not None
    buffer = Buffer((before + after).encode())
    view = History(buffer, lambda: 0.0).view()
    document = Document(f"file:///{path}", None, language.id, 1, open_snapshot(buffer, language), view, Settings())
    return document, len(before.encode())


def items(text: str, path: str = "a.ts") -> Sequence[Completion]:
    """What is offered at the mark `‸`."""
    found = complete_without_model(DocumentCaches(words_of), *opened(text, path), Cancel())
    return found.value.items if isinstance(found, Shown) else ()


def labels(text: str, path: str = "a.ts") -> list[str]:
    return [item.label for item in items(text, path)]


BOX = """class Box {
  width = 1;
  height = 2;
  fill(): void {}
}
class Cup {
  depth = 3;
  pour(): void { log.depth; log.depth; log.depth; }
}
"""


@pytest.mark.parametrize(
    ("text", "path"),
    [
        (BOX + "const box = new Box();\nbox.‸\n", "a.ts"),
        (BOX.replace("width = 1;", "width = 1;\n  area() { return this.‸ }"), "a.ts"),
        (
            "package a\n\ntype Box struct {\n\twidth, height int\n}\n\nfunc (b *Box) fill() {}\n\n"
            "type Cup struct {\n\tdepth int\n}\n\nfunc paint(b *Box, c Cup) {\n\tuse(c.depth, c.depth)\n\tb.‸\n}\n",
            "a.go",
        ),
    ],
)
def test_members_of_a_known_class_are_offered_and_no_others(text: str, path: str) -> None:
    assert {"width", "height"} <= set(labels(text, path)) <= {"width", "height", "fill", "area"}


def test_the_keys_of_another_literal_are_offered_in_one() -> None:
    text = "const first = {\n  narrow: 1,\n  wide: 2,\n};\nfunction f() {\n  return {\n    narrow: 3,\n    ‸\n  };\n}\n"
    assert "wide" in labels(text)
    assert "wide" in labels(text.replace("‸", "w‸"))


FREQUENT = {  # `total` can be used, `amount` is what n-grams know, of other functions
    "a.ts": (
        "function first(amount: number) {\n  return amount + amount;\n}\n"
        "function third(amount: number) {\n  return amount;\n}\n",
        "function second(total: number) {\n  return ‸;\n}\n",
    ),
    "a.lua": (
        "local function first(amount)\n  return amount + amount\nend\n"
        "local function third(amount)\n  return amount\nend\n",
        "local function second(total)\n  return ‸\nend\n",
    ),
    "a.go": (
        "package a\n\nfunc first(amount int) int {\n\treturn amount + amount\n}\n"
        "func third(amount int) int {\n\treturn amount\n}\n",
        "func second(total int) int {\n\treturn ‸\n}\n",
    ),
}


@pytest.mark.parametrize("path", FREQUENT)
def test_a_name_in_scope_stands_before_a_frequent_word_of_another_function(path: str) -> None:
    found = labels("".join(FREQUENT[path]), path)
    assert found[0] == "total"
    assert "amount" not in found


@pytest.mark.parametrize("path", FREQUENT)
def test_what_is_typed_begins_every_label(path: str) -> None:
    text = "".join(FREQUENT[path]).replace("‸", "to‸")
    found = labels(text, path)
    assert found[0] == "total" or found[:2] == ["to", "total"]
    assert all(label.startswith("to") for label in found)


def test_a_new_name_may_be_one_of_another_function() -> None:
    before = "".join(f"function f{n}() {{\n  const result = g();\n}}\n" for n in range(2))
    assert "result" in labels(before + "function k() {\n  const ‸\n}\n")[:3]


@pytest.mark.parametrize("text", ["‸", "zzq‸", "zzq.‸", "local x = {}\nx.zzq‸"])
def test_nothing_is_said_where_nothing_is_known(text: str) -> None:
    assert [label for label in labels(text, "a.lua") if label.startswith("zzq")] == []


def test_a_keyword_is_offered_once_it_is_begun() -> None:
    found = items("local function first(amount)\n  ret‸\nend\n", "a.lua")
    assert (found[0].label, found[0].kind) == ("return", "keyword")
    assert found[0].probability > 0.1


def test_kind_and_source_say_what_a_name_is() -> None:
    text = "local function area(width)\n  local size = width\n  return ‸\nend\n"
    found = {item.label: (item.kind, item.source, item.origin_line) for item in items(text, "a.lua")}
    assert found["width"] == ("parameter", "cache", 1)
    assert found["size"] == ("variable", "cache", 1)


def test_probabilities_fall_and_are_at_most_one_together() -> None:
    chances = [item.probability for item in items("".join(FREQUENT["a.lua"]), "a.lua")]
    assert chances == sorted(chances, reverse=True)
    assert 0 < sum(chances) <= 1


def test_no_language_model_is_opened_and_none_of_its_features_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a language model was opened")

    monkeypatch.setattr(LanguageModel, "__init__", refuse)
    for path, text in FREQUENT.items():
        document, byte = opened("".join(text), path)
        found, evidence = words_evidence(DocumentCaches(words_of), document, place_at(document, byte))
        listed = listed_words(document.syntax.language, found, evidence)
        columns = [CANDIDATE_FEATURES.index(name) for name in OF_MODEL]
        told = listed.candidates[:, columns]
        assert np.all(told == told[:1]), "the same of every candidate"
        assert not np.any(listed.position[[PLACE_FEATURES.index(name) for name in PLACE_OF_MODEL]])
        assert labels("".join(text), path)


def test_the_weights_fit_the_features() -> None:
    ranker = open_words_ranker()
    assert len(ranker.direct) == len(CANDIDATE_FEATURES)
    assert ranker.place.shape[1] == len(PLACE_FEATURES)


LINES = 5000
MOST_SECONDS = 0.06  # 4 ms on a free core; slower machines and other load count


@pytest.mark.parametrize(
    ("path", "unit"),
    [
        ("a.py", "def f{0}(a{0}):\n    b{0} = a{0}\n    return b{0}\n\n"),
        ("a.lua", "local function f{0}(a{0})\n  return a{0}\nend\n\n"),
    ],
)
def test_a_key_in_a_long_file_costs_little(path: str, unit: str) -> None:
    number = LINES // unit.count("\n")
    body = "".join(unit.format(at) for at in range(number))
    document, byte = opened(body + "‸\n" + unit.format("x"), path)
    caches = DocumentCaches(words_of)
    complete_without_model(caches, document, byte, Cancel())  # reads the file
    assert seconds(lambda: complete_without_model(caches, document, byte, Cancel()), 5) < MOST_SECONDS


LUA = """local M = {}

local function area(width)
  local size = width
  ‸
  if size > 1 then
    local inner = size
    return inner
  end
  return size
end

local function other(height)
  local depth = height
  return depth
end
"""


@pytest.mark.parametrize(
    ("line", "visible"),
    [
        ("", {"M", "area", "width", "size"}),
        ("return ", {"M", "area", "width", "size"}),
        ("if s", {"M", "area", "width", "size"}),
        ("local x = ", {"M", "area", "width", "size"}),
    ],
)
def test_names_of_the_block_are_visible_at_its_end_in_lua(line: str, visible: set[str]) -> None:
    for text in (LUA, LUA.replace("  return size\n", "")):
        document, byte = opened(text.replace("‸", line + "‸"), "a.lua")
        _, evidence = words_evidence(DocumentCaches(words_of), document, place_at(document, byte))
        assert evidence.scopes is not None
        assert visible <= set(evidence.scopes.visible)
        assert not {"inner", "height", "depth"} & set(evidence.scopes.visible)
        assert {"height", "depth"} <= evidence.scopes.hidden


def test_the_head_of_a_block_keeps_the_block_below_in_lua() -> None:
    text = "local function area(width)\n  if wi‸\n    local inner = width\n    return inner\n  end\nend\n"
    document, byte = opened(text, "a.lua")
    _, evidence = words_evidence(DocumentCaches(words_of), document, place_at(document, byte))
    assert evidence.scopes is not None
    assert "width" in evidence.scopes.visible
    assert "inner" in evidence.scopes.hidden
