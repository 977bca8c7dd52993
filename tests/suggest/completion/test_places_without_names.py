"""Places where no name of the code can stand: behind the point of a number, in text between tags, behind `#`."""

from __future__ import annotations

from pathlib import Path

import pytest
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.engine import Engine
from editahead.suggest.types import Completions, Decision, Reason, Shown, Suppressed

from tests.suggest.documents import document


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.load(find_bundles(), "cpu", lambda text, share: None)


def answer(engine: Engine, text: str, language_id: str, suffix: str) -> Decision[Completions]:
    made, byte = document(
        text, language_id, path=Path(f"/p/a.{suffix}"), root=Path("/p"), settings=Settings(completion_floor=0.0)
    )
    return engine.complete(made, byte, Cancel())


def labels(decision: Decision[Completions]) -> list[str]:
    assert isinstance(decision, Shown), decision
    return [item.label for item in decision.value.items]


@pytest.mark.parametrize(
    ("text", "language_id"),
    [
        ("basket = 1\nx = 3.‸\n", "python"),
        ("basket = 1\nx = (10_000.b‸)\n", "python"),
        ("const basket = 1;\nconst x = 3.‸;\n", "typescript"),
        ("package a\nvar basket = 1\nvar x = 3.‸\n", "go"),
        ("fn f() { let basket = 1; let x = 3.‸; }\n", "rust"),
        ("basket = 1\nx = 3.‸\n", "lua"),
    ],
)
def test_nothing_stands_behind_the_point_of_a_number(engine: Engine, text: str, language_id: str) -> None:
    decision = answer(engine, text, language_id, "x")
    assert isinstance(decision, Suppressed)
    assert decision.reason is Reason.NO_FIT


@pytest.mark.parametrize(
    ("text", "language_id"),
    [
        ("basket = 1\nx = a3.bask‸\n", "python"),
        ("basket = 1\nx = a[3].bask‸\n", "python"),
        ("fn f(a: (A, B)) { let basket = 1; a.0.bask‸; }\n", "rust"),
        ("fn f() { let basket = 1; let x = 3.bask‸; }\n", "rust"),
        ("basket = 1\nfor x in 0..bask‸\n", "rust"),
    ],
)
def test_other_points_have_members(engine: Engine, text: str, language_id: str) -> None:
    decision = answer(engine, text, language_id, "x")
    assert not isinstance(decision, Suppressed) or decision.reason is not Reason.NO_FIT


@pytest.mark.parametrize(("language_id", "suffix"), [("tsx", "tsx"), ("javascript", "jsx")])
def test_text_between_tags_is_no_code(engine: Engine, language_id: str, suffix: str) -> None:
    around = "const basket = 1;\nconst x = <p title={{{}}}>Please read the {}</p>;\n"
    inside = answer(engine, around.format("basket", "bask‸"), language_id, suffix)
    assert isinstance(inside, Suppressed)
    assert inside.reason is Reason.COMMENT_OR_STRING
    assert "basket" in labels(answer(engine, around.format("basket", "{bask‸}"), language_id, suffix))
    assert "basket" in labels(answer(engine, around.format("bask‸", "one"), language_id, suffix))


def test_private_names_may_have_letters_that_are_not_ascii(engine: Engine) -> None:
    text = "class Basket { #größe = 3; f() { return this.#‸; } }\n"
    assert set(labels(answer(engine, text, "javascript", "js"))) == {"größe"}


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("use($n‸", "$node"),
        ("use(cou‸", "count$"),
        ("class A {\n  size$ = 1;\n  f() { return this.s‸\n  }\n}", "size$"),
    ],
)
def test_names_may_hold_a_dollar_sign(engine: Engine, typed: str, name: str) -> None:
    text = f"const count$ = of(1);\nconst $node = query(2);\n{typed}\n"
    for language_id, suffix in (("typescript", "ts"), ("javascript", "js")):
        assert name in labels(answer(engine, text, language_id, suffix))[:2]


@pytest.mark.parametrize("typed", ["t", ""])
def test_private_names_alone_stand_behind_their_sign(engine: Engine, typed: str) -> None:
    text = f"class Basket {{ totalPrice() {{}} #tox = 3; #size = 1; f() {{ return this.#{typed}‸; }} }}\n"
    for language_id, suffix in (("typescript", "ts"), ("javascript", "js")):
        offered = set(labels(answer(engine, text, language_id, suffix))) - {typed}  # which Enter leaves alone
        assert offered == ({"tox"} if typed else {"size", "tox"})
