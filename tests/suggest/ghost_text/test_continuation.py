"""How a continuation grows, with a model that says what the test tells it: what fits, and where it may stop."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from editahead.runtime.language_model.ngrams import NgramCache
from editahead.runtime.language_model.prediction import Prediction
from editahead.runtime.language_model.token_confidence import TokenFeatures
from editahead.runtime.ort import Cancel
from editahead.suggest.completion.candidates import Candidate
from editahead.suggest.context import place_at
from editahead.suggest.ghost_text import continuation
from editahead.suggest.ghost_text.continuation import MAX_LINE_ENDS, MAX_STEPS, Continuation, roll_out
from editahead.suggest.ghost_text.surroundings import rest_of

from tests.suggest.documents import document

LINE = "<line+0>"


class Scripted:
    """Stands for a model and its context: the likeliest tokens are those of the script, one after the other."""

    keywords = frozenset({"return", "def", "for", "in"})
    spacing: dict[str, bool] = {}  # noqa: RUF012

    def __init__(self, script: list[str], probability: float = 0.9) -> None:
        self.script = script
        self.probability = probability
        self.asked = 0
        self.encoder = SimpleNamespace(level=1, steps=[0] * 10, origins=[0] * 10)

    def look_below(self, lines: Any) -> None:
        """The script knows no lines below."""

    def extend_to(self, lines: Any, cancel: Any) -> None:
        pass

    def predict(self, cancel: Any) -> Prediction:
        return Prediction(np.array([0.75], np.float32), {}, {}, 0.01)

    def ranked(self, *_: Any, **__: Any) -> list[Candidate]:
        at, self.asked = self.asked, self.asked + 1
        text = self.script[at] if at < len(self.script) else "more"
        return [Candidate(text, self.probability, "pointer", 3), Candidate("other", 0.05, "vocabulary")]


def grown(
    monkeypatch: pytest.MonkeyPatch, text: str, script: list[str], steps: int | None = None, language_id: str = "python"
) -> Continuation:
    """The continuation at the mark, of at most `steps` tokens (as many as the script has, when not given)."""
    made, byte = document(text, language_id)
    place = place_at(made, byte)
    model: Any = Scripted(script)
    monkeypatch.setattr(continuation, "rank_mixture", model.ranked)
    most = len(script) if steps is None else steps

    def going_on(state: Continuation, signs: TokenFeatures) -> bool:
        return len(state.tokens) < most

    return roll_out(
        model, model, place, rest_of(made, place), NgramCache(), None, None, frozenset(), going_on, Cancel(),
        language_id=language_id,
    )  # fmt: skip


def shown(state: Continuation) -> list[str]:
    """The texts that may be shown."""
    return [state.insert(n) for n, stop in enumerate(state.stops, 1) if stop]


def test_it_grows_token_by_token_without_what_is_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    state = grown(monkeypatch, "def f(names):\n    na‸", ["names", ".", "append", "(", ")"])
    assert shown(state) == ["mes", "mes.", "mes.append", "mes.append(", "mes.append()"]
    assert [token.text for token in state.tokens] == ["names", ".", "append", "(", ")"]


def test_a_name_that_is_typed_to_its_end_is_gone_on_from(monkeypatch: pytest.MonkeyPatch) -> None:
    state = grown(monkeypatch, "def f(names):\n    names‸", ["names", "=", "1"])
    assert shown(state) == ["", " =", " = 1"]


def test_it_may_stop_in_any_line_but_not_at_its_indentation(monkeypatch: pytest.MonkeyPatch) -> None:
    state = grown(monkeypatch, "for x in y‸", ["y", ":", LINE, "x", LINE, "y"])
    assert shown(state) == ["", ":", ":\n    x", ":\n    x\n    y"]


def test_it_stops_at_the_bracket_that_stands_there(monkeypatch: pytest.MonkeyPatch) -> None:
    state = grown(monkeypatch, "f(‸)", ["a", ",", "g", "(", "b", ")", ")", LINE])
    assert shown(state) == ["a", "a,", "a, g", "a, g(", "a, g(b", "a, g(b)"]
    other = grown(monkeypatch, "f(‸]", ["a", ")"])
    assert shown(other) == ["a"]  # no bracket is closed that another one closes
    empty = grown(monkeypatch, "f(‸)", [")"])
    assert shown(empty) == []


def test_it_must_lead_to_the_text_behind_the_cursor(monkeypatch: pytest.MonkeyPatch) -> None:
    leads = grown(monkeypatch, "x = ‸ + rest\n", ["a", ".", "b", "+", "c"])
    assert shown(leads) == ["a.b"]
    astray = grown(monkeypatch, "x = ‸ + rest\n", ["a", ".", "b", ")", "c"])
    assert shown(astray) == []
    line = grown(monkeypatch, "x = ‸ + rest\n", ["a", LINE])
    assert shown(line) == []


def test_a_comment_behind_the_cursor_keeps_it_on_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    state = grown(monkeypatch, "x = ‸  # why\n", ["a", LINE, "b"])
    assert shown(state) == ["a"]


def test_the_line_below_is_not_offered_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "    x = 1‸\n\n    # words\n    self.y = 2\n    self.z = 3\n"
    state = grown(monkeypatch, text, [LINE, "self", ".", "y", "=", "2", LINE, "b"])
    assert shown(state) == []
    another = grown(monkeypatch, text, [LINE, "self", ".", "w", "=", "2"])
    assert shown(another)[0].endswith("self.w")  # so far it could have become the line below
    blank = grown(monkeypatch, "‸\nself.y = 2\n", ["self", ".", "y", "=", "2", LINE])
    assert shown(blank) == []


REPEATED = {  # the script writes what stands on the next line of code
    "a word typed": ("python", "    self‸\n    self.y = 2\n", ["self", ".", "y", "=", "2", LINE]),
    "half a line typed": ("python", "    return ‸\n    return data\n", ["data"]),
    "half a word typed": ("python", "    return da‸\n    return data\n", ["data", LINE, "x"]),
    "a blank line and a comment between": ("python", "    return ‸\n\n    # why\n    return data  # so\n", ["data"]),
    "line ends of Windows": ("python", "    return ‸\r\n\r\n    return data\r\n", ["data", LINE]),
    "with what stands behind the cursor": ("python", "    print(‸)\n    print(data)\n", ["data", ")"]),
    "without its semicolon": ("typescript", "  return ‸\n  return data;\n", ["data"]),
    "with a semicolon of its own": ("typescript", "  return ‸\n  return data\n", ["data", ";", LINE]),
    "before a semicolon": ("java", "    total.add(‸);\n    // then\n    total.add(item);\n", ["item", ")"]),
    "a block comment between": ("java", "    return ‸\n    /* why\n     * so */\n    return total;\n", ["total", ";"]),
    "an assignment": ("go", "\tx := f(‸\n\n\tx := f(a)\n", ["a", ")"]),
    "a text": ("python", '    "one",\n    ‸\n    "two",\n', ['"two"', ","]),
    "a call that goes on": ("python", "    ‸\n    a.add(\n        2)\n", ["a", ".", "add", "("]),
    "a call with an argument": ("typescript", "  run‸\n  run(a, {\n    b });\n", ["run", "(", "a", ",", "{"]),
    "a statement that goes on": ("typescript", "  return ‸\n  return (\n    b );\n", ["("]),
    "behind a text of several lines": ("python", '    """a\n    """‸\n    return a\n', [LINE, "return", "a"]),
    "behind a line that was typed": ("java", "    }‸\n    }\n    return a;\n", [LINE, "return", "a", ";"]),
    "a line further down": ("go", "\tx := f(‸\n\treturn x\n", ["a", ")", LINE, "return", "x", LINE]),
}


@pytest.mark.parametrize(("language_id", "text", "script"), REPEATED.values(), ids=REPEATED)
def test_a_line_that_was_begun_does_not_become_the_line_below(
    monkeypatch: pytest.MonkeyPatch, language_id: str, text: str, script: list[str]
) -> None:
    state = grown(monkeypatch, text, script, language_id=language_id)
    written = script[: script.index(LINE)] if script.count(LINE) == 2 else []
    assert shown(state) == ["".join(written[: n + 1]) for n in range(len(written))]


NOT_REPEATED = {  # text, script and the longest text that may be shown
    "a deeper block": ("python", "if x:\n        return ‸\n    return data\n", ["data", LINE], "data"),
    "a deeper block of its own": ("python", "if (x)‸\nreturn a\n", [":", LINE, "return", "a"], ":\n    return a"),
    "the head of a block": ("python", "while ‸\n    while x:\n", ["x", ":"], "x:"),
    "more than the line below": ("python", "    return ‸\n    return data\n", ["data", ".", "x", LINE], "data.x"),
    "a call behind a blank line": ("python", "    ‸\n\n    a.add(\n        2)\n", ["a", ".", "add", "("], "a.add("),
    "a call that was begun": ("python", "    a.‸\n    a.add(\n        2)\n", ["add", "(", "1"], "add(1"),
    "a label before another": ("java", "      case A:\n      case ‸\n      case C:\n", ["B", ":"], "B:"),
    "a closing bracket": ("go", "\t\t}\n\t‸\n\t}\n}\n", ["}", LINE], "}"),
    "a closing bracket after words": ("typescript", "  f({ a ‸\n  })\n  })\n", ["}", ")"], "})"),
    "a row of numbers": ("go", "\t1,\n\t‸\n\t1,\n", ["1", ","], "1,"),
    "what the user has typed to its end": ("python", "    x = y‸\n    x = y\n", ["y", LINE, "z"], "\n    z"),
}  # fmt: skip


@pytest.mark.parametrize(("language_id", "text", "script", "expected"), NOT_REPEATED.values(), ids=NOT_REPEATED)
def test_other_lines_are_written_above_similar_ones(
    monkeypatch: pytest.MonkeyPatch, language_id: str, text: str, script: list[str], expected: str
) -> None:
    assert expected in shown(grown(monkeypatch, text, script, language_id=language_id))


def test_a_line_is_not_said_twice_in_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    state = grown(monkeypatch, "a.b = 1\n‸", ["a", ".", "b", "=", "1", LINE, "a"])
    assert shown(state) == []
    later = grown(monkeypatch, "‸", ["a", ".", "b", LINE, "a", ".", "b", LINE, "c"])
    assert shown(later) == ["a", "a.", "a.b"]


def test_a_bracket_alone_is_not_the_line_below(monkeypatch: pytest.MonkeyPatch) -> None:
    state = grown(monkeypatch, "x = [‸\n]\n", ["a", LINE, "]", LINE])
    assert len(shown(state)) == 2


def test_it_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    endless = grown(monkeypatch, "‸", ["a"] * 100)
    assert len(endless.tokens) == MAX_STEPS
    lines = grown(monkeypatch, "‸", ["a", LINE, "b", LINE] * 25)
    assert lines.line_ends == MAX_LINE_ENDS
    assert not lines.insert(len(lines.tokens)).endswith(" ")


def test_each_token_tells_where_it_comes_from(monkeypatch: pytest.MonkeyPatch) -> None:
    state = grown(monkeypatch, "a = 1\nb = ‸", ["a"])
    (token,) = state.tokens
    assert (token.source, token.origin_line, token.copied) == ("pointer", 0, 0.25)


def test_a_name_copied_from_the_ghost_text_itself_has_no_line(monkeypatch: pytest.MonkeyPatch) -> None:
    made, byte = document("x = ‸")
    place = place_at(made, byte)
    model: Any = Scripted(["a", "+", "a"])
    model.encoder.steps = [0] * 3  # the place itself has three steps; the copy comes from step 3
    model.encoder.origins = [0] * 3
    monkeypatch.setattr(continuation, "rank_mixture", model.ranked)

    def going_on(state: Continuation, signs: TokenFeatures) -> bool:
        return len(state.tokens) < 3

    state = roll_out(
        model, model, place, rest_of(made, place), NgramCache(), None, None, frozenset(), going_on, Cancel()
    )
    assert [token.origin_line for token in state.tokens] == [None, None, None]


def test_names_of_the_last_edits_are_raised_in_each_step(monkeypatch: pytest.MonkeyPatch) -> None:
    made, byte = document("x = ‸")
    place = place_at(made, byte)
    model: Any = Scripted(["a", "+", "b"])
    raised = list[frozenset[str]]()

    def ranked(*_: Any, edited: frozenset[str], **__: Any) -> list[Candidate]:
        raised.append(edited)
        return model.ranked()  # type: ignore[no-any-return]

    def going_on(state: Continuation, signs: TokenFeatures) -> bool:
        return len(state.tokens) < 3

    monkeypatch.setattr(continuation, "rank_mixture", ranked)
    edited = frozenset({"other"})
    roll_out(model, model, place, rest_of(made, place), NgramCache(), None, None, edited, going_on, Cancel())
    assert raised == [edited] * 4
