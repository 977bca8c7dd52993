"""A word that is typed to its end is the first of a list, or there is none: editors accept the first item on Enter."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.completion.item_list import safe_to_accept
from editahead.suggest.engine import Engine
from editahead.suggest.types import MAX_FILTERED, Completion, Shown
from hypothesis import given
from hypothesis import strategies as st

from tests.suggest.documents import document

ALL = Settings(completion_floor=0.0, max_completions=200)

PYTHON = """import asyncio
import international
from formats import form, formed


failed_events = 0


def check(events):
    failed = []
    for event in events:
        if not event:
            failed.append(event)
            failed_events.append(event)
    failed_events.sort()
    """
JAVA = """class Check {
    private int failedEvents = 0;
    private Format format = new Format();

    int check(List<Event> events) {
        int failed = 0;
        failedEvents += failed; failedEvents++; failedEvents++;
        """


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.load(find_bundles(), "cpu", lambda text, share: None)


def labels(engine: Engine, text: str, language_id: str, settings: Settings = ALL) -> list[str]:
    made, byte = document(text, language_id, settings=settings)
    decision = engine.complete(made, byte, Cancel())
    return [item.label for item in decision.value.items] if isinstance(decision, Shown) else []


@pytest.mark.parametrize("settings", [ALL, Settings(), Settings(max_completions=1)], ids=["all", "default", "one"])
@pytest.mark.parametrize(
    ("language_id", "text"),
    [
        *(("python", PYTHON + line) for line in ("return failed", "failed", "x = event", "print(failed")),
        ("python", f"{PYTHON}for event in"),
        *(("python", PYTHON + word) for word in ("for", "with open(events) as", "return not", "try", "x = len")),
        ("python", "def far_away():\n    pass\n\n\n" + "\n" * 900 + "def far_away_too():\n    far_away"),
        ("python", "far_away_too()\nfar_away‸\n" + "\n" * 900 + "def far_away():\n    pass\n"),
        *(("java", JAVA + line) for line in ("return failed", "failed", "for", "x = new", "int")),
    ],
)
def test_a_typed_word_is_first_or_there_is_no_list(
    engine: Engine, language_id: str, text: str, settings: Settings
) -> None:
    before = text.partition("‸")[0]
    typed = before[len(before.rstrip("abcdefghijklmnopqrstuvwxyz_")) :]
    listed = labels(engine, text, language_id, settings)
    assert listed[:1] in ([], [typed])
    assert listed != [typed]  # nothing but what is there already


def test_the_longer_word_is_still_offered(engine: Engine) -> None:
    assert labels(engine, PYTHON + "return failed", "python")[:2] == ["failed", "failed_events"]
    assert "failedEvents" in labels(engine, JAVA + "return failed", "java")


@pytest.mark.parametrize(("language_id", "text"), [("python", PYTHON), ("java", JAVA)])
def test_a_list_that_the_client_filters_by_more_letters_holds_the_whole_word(
    engine: Engine, language_id: str, text: str
) -> None:
    """Clients go on with the last list until the next one comes, which may be after Enter."""
    for typed in ("", "f", "fa", "faile"):
        listed = labels(engine, f"{text}return {typed}", language_id, Settings(completion_floor=0.0))
        if any(label.startswith("failed") for label in listed):
            assert "failed" in listed


def test_without_a_model_too() -> None:
    quiet = Engine.load([], "cpu", lambda text, share: None)
    for language_id, text in (("python", PYTHON), ("java", JAVA)):
        assert labels(quiet, text + "failed", language_id)[:1] in ([], ["failed"])


letters = st.text("abc", min_size=1, max_size=4)


@given(st.lists(letters, unique=True, max_size=12), letters, st.frozensets(letters, max_size=20), st.integers(1, 15))
def test_no_list_is_unsafe(labels: list[str], prefix: str, known: frozenset[str], limit: int) -> None:
    longer = [label for label in labels if label.startswith(prefix) and label != prefix]
    items = [Completion(label, 0.9 / 12, "name", "cache") for label in longer]
    made = safe_to_accept(items, prefix, known, lambda word: Completion(word, 0.5, "name", "cache"), limit)
    listed = [item.label for item in made]
    assert len(listed) == len(set(listed)) <= limit
    assert sum(item.probability for item in made) <= 1 + 1e-9
    assert listed != [prefix]
    if prefix in known and listed:
        assert listed[0] == prefix
    for label in listed:  # whatever is typed on
        for length in range(len(prefix), len(label)):
            assert label[:length] not in known or label[:length] in listed


@pytest.mark.parametrize("prefix", ["p", "pa", "par", "part"])
def test_no_word_of_the_file_is_missing_that_word_completion_would_list(engine: Engine, prefix: str) -> None:
    """However unlikely: the model is nearly sure of one of them, and the floor would hide the others."""
    words = {f"part_{letter}" for letter in "abcdefgh"}
    text = "".join(f"{word} = {number}\n" for number, word in enumerate(sorted(words)))
    text += "print(part_a)\n" * 12 + f"print({prefix}"
    decision = engine.complete(*document(text, "python", settings=Settings())[:2], Cancel())
    assert isinstance(decision, Shown)
    listed = [item.label for item in decision.value.items]
    assert words <= set(listed)
    rest = [item for item in decision.value.items if item.label != prefix]
    assert [item.probability for item in rest] == sorted((item.probability for item in rest), reverse=True)
    assert len(listed) <= Settings().max_completions


def filtered_labels(engine: Engine, text: str, language_id: str = "python") -> list[str]:
    """The list for a client that narrows it by the letters that follow."""
    made, byte = document(text, language_id)
    decision = engine.complete(replace(made, filtered_by_client=True), byte, Cancel())
    return [item.label for item in decision.value.items] if isinstance(decision, Shown) else []


@pytest.mark.parametrize("text", [PYTHON + "f", PYTHON + "failed_events."])
def test_a_list_that_the_client_narrows_begins_as_any_other(engine: Engine, text: str) -> None:
    usual = labels(engine, text, "python", Settings(max_completions=5))
    assert filtered_labels(engine, text)[: len(usual)] == usual


@pytest.mark.parametrize("typed", ["f", "failed_events."])
def test_a_list_that_the_client_narrows_has_what_more_letters_leave(engine: Engine, typed: str) -> None:
    """The best item of each list that a further letter would bring is there, without another request."""
    listed = filtered_labels(engine, PYTHON + typed)
    rest = typed.rpartition(".")[2]
    for label in listed[:20]:
        if len(label) > len(rest) + 1:
            (first, *_) = labels(engine, PYTHON + typed + label[len(rest)], "python", Settings())
            assert first in listed


def test_a_list_that_the_client_narrows_has_every_word_of_the_file(engine: Engine) -> None:
    words = {f"part_{number}" for number in range(100)}
    text = "".join(f"{word} = {number}\n" for number, word in enumerate(sorted(words)))
    text += "print(part_1)\n" * 12 + "print("
    listed = filtered_labels(engine, text + "p")
    assert words <= set(listed)
    assert len(listed) <= MAX_FILTERED
    assert words <= set(filtered_labels(engine, text))


def test_quiet_places_stay_quiet_for_a_client_that_narrows_lists(engine: Engine) -> None:
    assert filtered_labels(engine, PYTHON + "# ") == []
    assert filtered_labels(engine, PYTHON + "x = 1") == []


SHAPES = """class Shape:
    def __init__(self, kind, size):
        self.kind = kind
        self.kinds = [kind]
        self.size = size

    def grow(self, size):
        for k in self.kinds:
            print(k)
        self.size += size


def describe(shape, kind, kindred):
    """


@pytest.mark.parametrize(
    ("line", "complete"),
    [
        ("return shape.k", False),  # a variable of another function, which stands behind no dot
        ("shape.is", False),
        ("kind = shape.kind", True),
        ("shape.kind", True),
        ("x = k", False),
        ("return kind == k", False),
        ("return kind", True),
        ("for k in kindred:\n        return k", True),
        ("return [\n        k", True),  # `for k in ..` may follow
        ("k", False),
        ("\n\ndef k", False),  # more must follow
        ("\n\ndef look(shape, k", False),
        ("import kindred as kind", True),
    ],
)
def test_a_word_that_can_mean_nothing_here_is_not_complete(engine: Engine, line: str, complete: bool) -> None:
    listed = labels(engine, f"{SHAPES}{line}‸", "python")
    assert listed
    assert (listed[0] == re.findall(r"\w+", line)[-1]) is complete


SCRIPT = """const kinds = ["a", "b"];

function show(kind: string, kindred: string) {
    for (const k of kinds) {
        print(k, kind, kindred);
    }
}

"""
GO = """package shapes

func show(kind string, kindred string) {
	for _, k := range kinds {
		print(k, kind, kindred)
	}
}

"""


@pytest.mark.parametrize(
    ("language_id", "line", "complete"),
    [
        ("typescript", "function k", False),  # more must follow
        ("typescript", "const k", False),
        ("typescript", "let k", True),
        ("go", "type k", False),
        ("go", "var k", False),
        ("go", "package k", True),
    ],
)
def test_behind_which_keywords_a_name_is_unfinished_is_the_languages_own(
    engine: Engine, language_id: str, line: str, complete: bool
) -> None:
    text = {"typescript": SCRIPT, "go": GO}[language_id]
    listed = labels(engine, f"{text}{line}‸", language_id)
    assert listed
    assert (listed[0] == "k") is complete


def test_an_attribute_is_complete_however_far_away_it_stands(engine: Engine) -> None:
    far = "\n".join(f"value_{number} = {number}" for number in range(1500))
    near = "def find(k, shape):\n    return shape.k‸"
    text = f"def move(shape, k):\n    print(shape.k, shape.kinds, shape.kinds)\n\n\n{far}\n\n\n{near}"
    assert labels(engine, text, "python")[:1] in ([], ["k"])
    assert labels(engine, text.replace("shape.k, ", ""), "python")[:1] != ["k"]


@pytest.mark.parametrize("typed", ["qwertz_n", "qwertz_new"])
def test_where_no_word_is_likely_the_typed_one_goes_first(engine: Engine, typed: str) -> None:
    """A new name, as the model sees it: the file's words are listed, and Enter takes none of them."""
    text = f"qwertz_newest = 1\nqwertz_newer = 2\n\n\ndef {typed}"
    listed = labels(engine, text, "python", Settings(completion_floor=0.9))
    assert listed[0] == typed
    assert {"qwertz_newest", "qwertz_newer"} <= set(listed)
