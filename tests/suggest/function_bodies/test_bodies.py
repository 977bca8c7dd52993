"""Bodies of functions: where they are asked for, how they are laid out, and what keeps them back. Answers made up."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from editahead.encode.tree_generation.steps import Description
from editahead.grammar.tree import Node
from editahead.runtime.ort import Cancel, Cancelled, InferenceError, select_providers
from editahead.runtime.tree_generation.model import GeneratedBody
from editahead.runtime.tree_generation.search import TreeSearchOptions
from editahead.settings import Settings
from editahead.suggest.function_bodies import bodies as describe
from editahead.suggest.function_bodies.bodies import Describer
from editahead.suggest.types import Reason, Rejection, Shown, Suppressed
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history import History
from editahead_models.export.bundle_writer import write_bundle

from tests.suggest.documents import document

SOURCE = '''\
import os

class Box:
    def __init__(self, size):
        self.size = size

    def area(self):
        """The area."""
        ‸

def after():
    return 1
'''
Make = Callable[..., Describer]


class Model:
    """Stands for a model of programs."""

    how = TreeSearchOptions(power=0.0)

    def __init__(self, *bodies: tuple[str, float]) -> None:
        self.bodies, self.seen, self.how_seen = bodies, list[Description](), list[TreeSearchOptions]()

    def write(self, description: Description, cancel: Cancel, how: TreeSearchOptions) -> tuple[GeneratedBody, ...]:
        cancel.check()
        self.seen.append(description)
        self.how_seen.append(how)
        return tuple(GeneratedBody(Node("Module"), text, math.log(share), 5) for text, share in self.bodies)


class Fails(Model):
    """One that does not work, in the given way."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    def write(self, description: Description, cancel: Cancel, how: TreeSearchOptions) -> tuple[GeneratedBody, ...]:
        raise self.error


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """A describer that takes a body's share p as p / (1 + p)."""

    def made(*bodies: tuple[str, float], model: Model | None = None, **calibration: Any) -> Describer:
        monkeypatch.setattr(describe, "ProgramModel", lambda bundle, selection: model or Model(*bodies))
        manifest: dict[str, Any] = {
            "version": "1", "graphs": {}, "scorer": {"ln_p": 1.0},
            "calibration": {"describe": {"method": "identity", **calibration}},
        }  # fmt: skip
        files: dict[str, Path | bytes] = {"vocab.json": b"{}"}
        bundle = write_bundle(tmp_path / "toy-any-1", family="toy", language="any", files=files, manifest=manifest)
        return Describer(bundle, select_providers("cpu"))

    return made


LOW = Settings(precision=0.3, invoked_precision=0.2)


def asked(made: Describer, text: str = SOURCE, **more: Any) -> Any:
    at, byte = document(text, **{"settings": LOW, **more})
    return made.suggest(at, byte, Cancel())


def ghost(made: Describer, text: str = SOURCE, **more: Any) -> Any:
    at, byte = document(text, **{"settings": LOW, **more})
    return made.inline(at, byte, Cancel())


def applied(text: str, edit: Any) -> str:
    return document(text)[0].syntax.buffer.apply(edit).data.decode()


def test_a_body_is_written_where_it_belongs(make: Make) -> None:
    found = asked(make(("return self.size ** 2", 0.9)))
    assert isinstance(found, Shown)
    assert (found.value.name, found.value.line) == ("area", 6)
    assert found.probability == found.value.items[0].probability == pytest.approx(0.9 / 1.9)
    assert applied(SOURCE, found.value.items[0].edit) == SOURCE.replace("‸", "return self.size ** 2")


def test_the_likeliest_come_first_three_at_most_and_none_below_the_asked_precision(make: Make) -> None:
    bodies = [(f"return {n}", share) for n, share in ((1, 0.3), (2, 0.9), (3, 0.5), (4, 0.4), (5, 0.35))]
    keys = [item.key for item in asked(make(*bodies)).value.items]
    assert keys == ["return 2", "return 3", "return 4"]
    few = asked(make(*bodies), settings=Settings(precision=0.9, invoked_precision=0.33))
    assert [item.key for item in few.value.items] == ["return 2", "return 3"]
    silent = asked(make(*bodies), settings=Settings(precision=0.9, invoked_precision=0.5))
    assert (silent.reason, silent.detail) == (Reason.LOW_PROBABILITY, "47 % of at least 50 %")
    assert asked(make()).reason is Reason.EMPTY


def test_ghost_text_waits_for_the_higher_precision_and_only_so_long(make: Make) -> None:
    model = Model(("return self.size", 0.9))
    found = ghost(make(model=model))
    assert isinstance(found, Shown)
    assert found.value.insert == "return self.size"
    assert [(token.text, token.source) for token in found.value.tokens] == [("return self.size", "written")]
    assert model.how_seen[-1].calls == describe.INLINE_CALLS
    assert ghost(make(model=model), settings=Settings(precision=0.8, invoked_precision=0.1)).reason is (
        Reason.LOW_PROBABILITY
    )


def test_where_bodies_were_never_right_so_often_none_is_looked_for(make: Make) -> None:
    model = Model(("return self.size", 1.0))
    made = make(model=model, thresholds={"0.50": 0.4, "0.80": None})
    quiet = ghost(made, settings=Settings(precision=0.8))
    assert (quiet.reason, model.seen) == (Reason.LOW_PROBABILITY, [])
    assert quiet.detail == "no bodies were right so often on unseen projects: 0.8 is asked for"
    assert isinstance(asked(made, settings=Settings(precision=0.8, invoked_precision=0.5)), Shown)
    unlikely = make(("return self.size", 0.6), thresholds={"0.50": 0.4, "0.80": None})
    assert asked(unlikely, settings=Settings(precision=0.5)).detail == "37 % of at least 40 %"


@pytest.mark.parametrize(
    ("text", "insert"),
    [
        ("def f(a):\n‸", "    if a:\n        return 1\n    return 2"),
        ("if 1:\n  x = 1\ndef f(a):\n  ‸  \n", "if a:\n    return 1\n  return 2"),
        ("def f(a):\n\t'''Doc.'''\n\t‸\n", "if a:\n\t\treturn 1\n\treturn 2"),
        ("class A:\r\n    def f(self, a):\r\n        ‸\r\n", "if a:\r\n            return 1\r\n        return 2"),
    ],
)
def test_ghost_text_keeps_to_the_files_layout(make: Make, text: str, insert: str) -> None:
    body = "if a:\n    return 1\nreturn 2"
    found = ghost(make((body, 0.9)), text)
    assert isinstance(found, Shown), found
    assert found.value.insert == insert


@pytest.mark.parametrize(
    "text",
    [
        SOURCE.replace("‸", "x‸"),
        SOURCE.replace("‸", "return 2\n        ‸"),
        SOURCE.replace("‸", "").replace("The area.", "The\n    ‸\n        area."),
        SOURCE.replace("‸", "").replace("return 1\n", "return 1\n‸"),
        "x = 1\n‸\n",
        "def f(a):\n    ‸\n    pass\n",
    ],
)
def test_no_ghost_text_elsewhere_and_no_work(make: Make, text: str) -> None:
    model = Model(("return self.size", 0.9))
    assert ghost(make(model=model), text).reason is Reason.EMPTY
    assert not model.seen


@pytest.mark.parametrize(
    ("body", "reason", "detail"),
    [
        ("return self.weight", Reason.NO_FIT, "nobody defines self.weight"),
        ("return helper(self)", Reason.NO_FIT, "nobody defines helper"),
        ("return await self.size", Reason.NO_FIT, "no body of this function"),
        ("break", Reason.NO_FIT, "no body of this function"),
        ("nonlocal os", Reason.NO_FIT, "no body of this function"),
        ("return 1 is 1", Reason.NO_FIT, "no body of this function"),
        ("'''Two\nlines.'''\nreturn 1", Reason.NO_FIT, "no body of this function"),
        ("pass", Reason.EMPTY, "says nothing"),
        ("...\n'words'", Reason.EMPTY, "says nothing"),
    ],
)
def test_what_does_not_fit_is_never_offered(make: Make, body: str, reason: Reason, detail: str) -> None:
    made = make((body, 0.9))
    for found in (asked(made), ghost(made)):
        assert isinstance(found, Suppressed)
        assert (found.reason, found.detail) == (reason, detail)
    rest = asked(make((body, 0.9), ("return self.size", 0.5)))
    assert [item.key for item in rest.value.items] == ["return self.size"]


@pytest.mark.parametrize(
    ("text", "body", "endless"),
    [
        ("class A:\n    @property\n    def f(self):\n        ‸\n", "return self.f", True),
        ("class A:\n    @cached_property\n    def f(self):\n        ‸\n", "return self.f + 1", True),
        ("class A:\n    def f(self):\n        ‸\n", "return self.f", False),
        ("class A:\n    def f(self):\n        ‸\n", "return self.f()", True),
        ("class A:\n    def open(self):\n        ‸\n", "return open(self)", False),
        ("class A:\n    @property\n    def f(self):\n        ‸\n", "return super().f", False),
        ("class A:\n    @f.setter\n    def f(self, a):\n        ‸\n", "self.f = a", False),
        ("def f(a):\n    ‸\n", "return f(a)", True),
        ("def f(a):\n    ‸\n", "return a and f(a)", False),
        ("def f(a):\n    ‸\n", "if a:\n    return f(a)", False),
    ],
)
def test_a_function_that_only_asks_itself_is_not_offered(make: Make, text: str, body: str, endless: bool) -> None:
    found = asked(make((body, 0.9)), text)
    assert isinstance(found, Suppressed) is endless, found
    assert not endless or found.detail == "would call itself without end"


def test_an_asynchronous_function_may_await(make: Make) -> None:
    found = asked(make(("return await a", 0.9)), "async def f(a): pass‸\n")
    assert applied("async def f(a): pass‸\n", found.value.items[0].edit) == "async def f(a):\n    return await a\n"


def test_broken_code_around_stays_as_broken_as_it_was(make: Make) -> None:
    text = "x = (1,\n\ndef f(a):\n    ‸\n\ny = [\n"
    found = asked(make(("return a", 0.9)), text)
    assert isinstance(found, Shown), found
    assert applied(text, found.value.items[0].edit) == text.replace("‸", "return a")


@pytest.mark.parametrize(
    ("text", "more"),
    [
        ("@overload\ndef f(a):\n    ‸\n", {}),
        ("def f(a):\n    ‸\n", {"path": Path("/project/x.pyi")}),
        ("def f(a):\n    return 1‸\n", {}),
    ],
)
def test_some_functions_are_left_alone(make: Make, text: str, more: dict[str, Any]) -> None:
    model = Model(("return a", 0.9))
    assert asked(make(model=model), text, **more).reason is Reason.EMPTY
    assert not model.seen


def test_what_was_turned_down_is_not_offered(make: Make) -> None:
    made = make(("return self.size", 0.9))
    for key in ("return self.size",):
        again = (Rejection(key, 0.0),)
        assert asked(made, rejections=again).reason is Reason.REJECTED
        assert ghost(made, rejections=again).reason is Reason.REJECTED


def test_a_body_that_was_just_deleted_does_not_come_back_by_itself(make: Make) -> None:
    before = Buffer.from_text("def f(a):\n    return a\n")
    history = History(before, lambda: 0.0)
    history.push(ByteEdit(14, 22, b""), before)
    made, text = make(("return a", 0.9)), "def f(a):\n    ‸\n"
    assert ghost(made, text, history=history.view()).reason is Reason.REVERSAL
    assert isinstance(asked(made, text, history=history.view()), Shown)


def test_switches_and_failures_are_silence_with_a_reason(make: Make) -> None:
    off = asked(make(("return 1", 0.9)), settings=replace(LOW, write_bodies=False))
    assert (off.reason, off.detail) == (Reason.DISABLED, "editahead.writeBodies")
    assert asked(make(("return 1", 0.9)), settings=replace(LOW, enabled=False)).reason is Reason.DISABLED
    cancel = Cancel()
    cancel.cancel()
    at, byte = document(SOURCE, settings=LOW)
    stopped = make(("return 1", 0.9)).suggest(at, byte, cancel)
    assert isinstance(stopped, Suppressed)
    assert stopped.reason is Reason.CANCELLED
    assert asked(make(model=Fails(Cancelled()))).reason is Reason.CANCELLED
    failed = asked(make(model=Fails(InferenceError("out of memory"))))
    assert (failed.reason, failed.detail) == (Reason.FAILED, "out of memory")
