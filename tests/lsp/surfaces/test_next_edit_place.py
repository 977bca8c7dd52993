"""Places that ask for an edit whose text is not sure: for clients that lead to them, where nothing else is shown."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fake_engine import FakeEngine
from raw_client import Client, over_stdio

Start = Callable[..., Client]
EDIT = "editahead/nextEdit"
PLACES, BOTH = (
    {"experimental": {"editahead": dict.fromkeys(names, True)}}
    for names in (("nextEditPlaces",), ("nextEditPlaces", "nextEditElsewhere"))
)
HERE, THERE = "file:///w/a.py", "file:///w/b.py"
TOUR = (Path(__file__).parents[3] / "editors/nvim/tutor/editahead.py").read_text(encoding="utf-8")
CALLERS = "def open_file(path):\n    return path\n\n\nopen_file(1)\nprint(open_file(path=2))\n"


def opened(client: Client, here: str = "x = 1\n√ = lacks()\n", there: str = "y = 2\n") -> None:
    client.open(there, THERE, version=7)
    client.open(here, HERE, version=3)


def asked(client: Client, method: str = EDIT) -> Any:
    return client.request(method, client.at(HERE, 0, 0))


def test_the_place_is_an_empty_edit_that_is_marked(start: Start) -> None:
    client = start(capabilities=PLACES)
    opened(client)
    at = {"line": 1, "character": 10}
    assert asked(client)["edits"] == [
        {
            "text": "",
            "range": {"start": at, "end": at},
            "textDocument": {"uri": HERE, "version": 3},
            "command": {"title": "Accept", "command": "editahead.accept", "arguments": ["next_edit-1"]},
            "probability": 0.9,
            "source": "parameter",
            "steps": [],
            "jump": True,
            "message": "`lacks` takes `x`",
        }
    ]


@pytest.mark.parametrize(
    "capabilities",
    [
        {},
        {"experimental": {"editahead": {"nextEditPlaces": "yes"}}},
        {"experimental": {"editahead": {"nextEditElsewhere": True}}},
    ],
)
def test_a_client_that_does_not_say_that_it_can_never_gets_one(start: Start, capabilities: dict[str, Any]) -> None:
    client = start(capabilities=capabilities)
    opened(client)
    assert asked(client)["edits"] == []


def test_clients_of_copilots_server_never_get_one(start: Start) -> None:
    client = start(capabilities=BOTH)
    opened(client)
    assert asked(client, "textDocument/copilotInlineEdit") == {"edits": []}


def test_an_edit_goes_first(start: Start) -> None:
    client = start(capabilities=PLACES)
    opened(client, "old = lacks()\nprint(old)\n")
    client.change(HERE, 4, ((0, 0, 0, 3), "new"))
    (edit,) = client.request(EDIT, client.at(HERE, 0, 3, version=4))["edits"]
    assert (edit["text"], "jump" in edit) == ("print(new)\n", False)


def test_a_place_of_another_file_needs_both_capabilities(start: Start) -> None:
    for capabilities, uris in ((PLACES, []), (BOTH, [THERE])):
        client = start(capabilities=capabilities)
        opened(client, "x = 1\n", "lacks()\n")
        assert [edit["textDocument"]["uri"] for edit in asked(client)["edits"]] == uris


def test_it_moves_with_what_was_typed_there_meanwhile(start: Start, engine: FakeEngine) -> None:
    client = start(capabilities=BOTH)
    opened(client, "x = 1  # fake:hold\n", "lacks()\n")
    question = client.ask(EDIT, client.at(HERE, 0, 0))
    assert engine.entered.wait(10)
    client.change(THERE, 8, ((0, 0, 0, 0), "\n"))
    client.settle()
    engine.release.set()
    (edit,) = client.wait(question)["result"]["edits"]
    assert (edit["textDocument"], edit["range"]["start"]) == ({"uri": THERE, "version": 8}, {"line": 1, "character": 6})


@pytest.mark.parametrize(("here", "key"), [("lacks()\n", "lacks"), ("x = 1\n", "all")])
def test_turning_it_down_is_about_this_place_or_about_all_of_another_file(
    start: Start, engine: FakeEngine, here: str, key: str
) -> None:
    client = start(capabilities=BOTH)
    opened(client, here, "lacks()\n")
    (edit,) = asked(client)["edits"]
    client.notify("editahead/didReject", {"item": {"command": edit["command"]}})
    asked(client)
    assert [rejection.key for rejection in engine.seen[-1].rejections] == [key]
    counts = client.request("editahead/explain", client.at(HERE, 0, 0))["sources"]["next_edit"]["parameter"]
    assert (counts["shown"], counts["rejected"]) == (1, 1)


class Clock:
    """Seconds that pass only when a test says so."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def at_rest(start: Start, capabilities: dict[str, Any], seconds: float, text: str = "expected()\n") -> Client:
    """A client whose user changed the first line before some seconds; `text` stands behind it."""
    client = start(capabilities=capabilities)
    clock = Clock()
    client.server.session.clock = clock  # type: ignore[union-attr]
    client.open(f"x = 1\n{text}", HERE, version=3)
    client.change(HERE, 4, ((0, 4, 0, 5), "20"))
    client.settle()
    clock.seconds += seconds
    return client


def asked_at_rest(client: Client, **context: Any) -> Any:
    params = {**client.at(HERE, 0, 0, version=4), "context": {"idle": True, **context}}
    return client.request(EDIT, params)


@pytest.mark.parametrize(("seconds", "wait"), [(0.0, 2000), (0.5, 1500), (1.9995, 1)])
def test_a_place_that_a_model_expects_waits_until_the_user_rests(start: Start, seconds: float, wait: int) -> None:
    answer = asked_at_rest(at_rest(start, PLACES, seconds))
    assert (answer["edits"], answer["placeAfterMs"]) == ([], wait)


def test_then_it_is_shown_with_its_probability(start: Start) -> None:
    answer = asked_at_rest(at_rest(start, PLACES, 2.0))
    (item,) = answer["edits"]
    assert (item["jump"], item["source"], item["message"]) == (True, "place", "is near (84 %)")
    assert item["range"]["start"] == {"line": 1, "character": 0}
    assert "placeAfterMs" not in answer


def test_it_is_not_asked_for_while_a_word_is_typed(start: Start) -> None:
    assert asked_at_rest(at_rest(start, PLACES, 2.0), idle=False)["edits"] == []


def test_an_edit_and_a_place_by_rule_need_no_rest(start: Start) -> None:
    for text, jump in (("1\n", False), ("lacks()\n", True)):
        (item,) = asked_at_rest(at_rest(start, PLACES, 0.0, text))["edits"]
        assert item.get("jump", False) is jump


@pytest.mark.parametrize("seconds", [0.0, 2.0])
@pytest.mark.parametrize("text", ["expected()\n", "lacks()\n"])
@pytest.mark.parametrize(("capabilities", "settings"), [({}, {}), (PLACES, {"nextEditPlaces": False})])
def test_no_place_is_shown_or_announced_to_others_or_with_the_setting_off(
    start: Start, capabilities: dict[str, Any], settings: dict[str, Any], text: str, seconds: float
) -> None:
    client = at_rest(start, capabilities, seconds, text)
    client.notify("workspace/didChangeConfiguration", {"settings": {"editahead": settings}})
    answer = asked_at_rest(client)
    assert (answer["edits"], "placeAfterMs" in answer) == ([], False)
    assert client.request("textDocument/copilotInlineEdit", client.at(HERE, 0, 0, version=4)) == {"edits": []}


def test_it_waits_for_text_that_is_asked_for(start: Start, engine: FakeEngine) -> None:
    client = at_rest(start, PLACES, 5.0, "expected()  # fake:hold\n")
    ghost = client.ask("textDocument/completion", client.at(HERE, 0, 1, version=4))
    assert engine.entered.wait(10)
    params = {**client.at(HERE, 0, 0, version=4), "context": {"idle": True}}
    question = client.ask(EDIT, params)
    client.settle()
    engine.release.set()
    client.wait(ghost)
    assert client.wait(question)["result"]["placeAfterMs"] == 300
    assert client.request(EDIT, params)["edits"]


@pytest.fixture
def real() -> Iterator[Client]:
    """The server as an editor starts it, with the shipped models."""
    made = over_stdio([sys.executable, "-m", "editahead", "--stdio"])
    made.hello(capabilities=BOTH, initializationOptions={"nextEditDeadlineMs": 60_000})
    yield made
    made.leave()
    assert made.faults == []


@pytest.mark.slow
def test_a_new_parameter_leads_through_the_calls_until_each_has_its_argument(real: Client) -> None:
    real.open(CALLERS, HERE, version=1)
    real.change(HERE, 2, ((0, 18, 0, 18), ", encoding"))
    seen = []
    for version, argument in ((3, ", 'utf-8'"), (4, ", encoding=None")):
        params = {**real.at(HERE, 0, 30, version=version - 1), "context": {"idle": True}}
        (edit,) = real.request(EDIT, params)["edits"]
        at = edit["range"]["start"]
        seen.append((edit["jump"], at["line"], at["character"]))
        real.change(HERE, version, ((at["line"], at["character"], at["line"], at["character"]), argument))
    assert seen == [(True, 4, 11), (True, 5, 22)]
    answer = real.request(EDIT, {**real.at(HERE, 0, 30, version=4), "context": {"idle": True}})
    assert (answer["edits"], "lack" in answer["detail"]) == ([], False)


@pytest.mark.slow
def test_places_are_shown_alone_where_no_text_is_sure_enough(real: Client) -> None:
    """Renamed names have a text of 98 %, and calls that lack an argument have none."""
    shown = []
    for settings in ({"preset": "balanced"}, {"nextEditPrecision": 1}, {"nextEditPrecision": 1, "placePrecision": 1}):
        real.notify("workspace/didChangeConfiguration", {"settings": {"editahead": settings}})
        for start, end, new in ((14, 18, "file"), (18, 18, ", encoding")):
            real.open(CALLERS, HERE, version=1)
            real.change(HERE, 2, ((0, start, 0, end), new))
            params = {**real.at(HERE, 0, start + len(new), version=2), "context": {"idle": True}}
            answer = real.request(EDIT, params)
            shown.append([edit.get("jump", False) for edit in answer["edits"]])
            real.notify("textDocument/didClose", {"textDocument": {"uri": HERE}})
    assert shown == [[False], [True], [], [True], [], []]


@pytest.mark.slow
def test_a_removed_import_leads_to_the_first_use(real: Client) -> None:
    text = "import json\nimport os\n\n\ndef load(path):\n    with open(path) as file:\n        return json.load(file)\n"
    real.open(text, HERE, version=1)
    real.change(HERE, 2, ((0, 0, 1, 0), ""))
    answer = real.request(EDIT, {**real.at(HERE, 0, 0, version=2), "context": {"idle": True}})
    (edit,) = answer["edits"]
    assert (edit["jump"], edit["range"]["start"]) == (True, {"line": 5, "character": 15})
    assert edit["message"] == "`json` is no longer imported"


@pytest.mark.slow
def test_after_the_first_of_two_equal_changes_no_place_stands_where_the_text_of_the_second_is_due(real: Client) -> None:
    """As in the tour: what was typed before is undone, so that one change alone is known and its text is not sure."""
    lines = TOUR.splitlines()
    rows = [number for number, line in enumerate(lines) if " check(" in line]
    end = lines.index("        self.check(name)")
    real.open(TOUR, HERE, version=1)
    real.change(HERE, 2, ((end, 24, end, 24), "\n        self.quant"))
    real.change(HERE, 3, ((end, 24, end + 1, 18), ""))
    real.change(HERE, 4, ((rows[0], 12, rows[0], 17), "verify"))
    params = {**real.at(HERE, rows[0], 17, version=4), "context": {"idle": True}}
    early = real.request(EDIT, params)
    assert (early["edits"], early["reason"]) == ([], "low-probability")  # its text is known
    time.sleep(early["placeAfterMs"] / 1000)
    led_to = [edit["range"]["start"]["line"] for edit in real.request(EDIT, params)["edits"] if "jump" in edit]
    assert not set(led_to) & set(range(rows[0], rows[2] + 2))  # a text may be sure by now
    real.change(HERE, 5, ((rows[1], 13, rows[1], 18), "verify"))
    (edit,) = real.request(EDIT, {**real.at(HERE, rows[1], 18, version=5), "context": {"idle": True}})["edits"]
    assert (edit["text"], "jump" in edit) == ("        return verify(c)\n", False)
