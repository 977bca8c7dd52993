"""Ghost text over HTTP: what a request gets, and how the kept document follows it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from editahead.endpoint.completion_endpoint import answer_of
from editahead.endpoint.completion_request import CompletionBody, FillInRequest
from editahead.suggest.types import InlineSuggestion, Shown
from fake_engine import FakeEngine
from http_client import HttpClient, Reply, RunningEndpoint

TEXT = "total = price + tax\nother = 1\ntot"
REST = "al = price + tax"  # what the engine adds: the rest of the line that begins in the same way


def test_the_ghost_text_of_the_engine_is_the_text_of_the_choice(client: HttpClient) -> None:
    reply = client.complete(TEXT, "\nlast = 2\n")
    assert reply.status == 200
    assert reply.headers["content-type"] == "application/json"
    answer = reply.json
    assert answer["object"] == "text_completion"
    assert answer["model"] == "editahead"
    (choice,) = answer["choices"]
    assert (choice["text"], choice["index"], choice["finish_reason"]) == (REST, 0, "stop")
    assert choice["probability"] == 0.7
    assert answer["usage"]["completion_tokens"] == 1


def test_where_nothing_is_sure_the_text_is_empty_and_the_reason_is_given(client: HttpClient) -> None:
    answer = client.complete(TEXT, precision=0.9).json
    assert [(choice["text"], choice["finish_reason"]) for choice in answer["choices"]] == [("", "stop")]
    assert answer["reason"] == "low-probability"


def test_the_precision_is_that_of_the_request_else_that_of_the_settings(start: Callable[..., RunningEndpoint]) -> None:
    client = start(precision=0.75).client
    assert client.complete(TEXT).text == ""
    assert client.complete(TEXT, precision=0.6).text == REST
    assert client.complete(TEXT).text == ""


def test_the_language_is_that_of_the_path_and_an_unknown_language_gets_nothing(
    client: HttpClient, engine: FakeEngine
) -> None:
    assert client.complete("var a = 1\nva", path="/w/a.ts").text == "r a = 1"
    assert engine.seen[-1].language_id == "typescript"
    assert client.complete("var a = 1\nva", path="/w/a.unknown").json["reason"] == "language"


def test_the_path_is_read_as_the_system_reads_it(client: HttpClient, engine: FakeEngine, tmp_path: Path) -> None:
    (tmp_path / "other" / ".git").mkdir(parents=True)
    client.complete(TEXT, path=f"{tmp_path}/other/../a.py")
    assert (engine.seen[-1].path, engine.seen[-1].root) == (tmp_path / "a.py", None)


def test_code_inside_markup_is_of_its_own_language(client: HttpClient, engine: FakeEngine) -> None:
    client.complete("<p>x</p>\n<script>\nvar a = 1\nva", "\n</script>\n", path="/w/a.vue")
    assert engine.seen[-1].language_id == "javascript"


def test_line_ends_are_those_of_the_text(client: HttpClient, engine: FakeEngine) -> None:
    client.complete("a = 1\r\nb = 2\r\na", "\r\n")
    assert engine.seen[-1].syntax.buffer.data == b"a = 1\r\nb = 2\r\na\r\n"


@pytest.mark.parametrize(
    ("path", "reason"),
    [("/w/.env.py", "excluded"), ("/w/vendor/a.py", "excluded"), ("/w/sub/../vendor/a.py", "excluded"),
     ("file:///w/vendor/a.py", "excluded"), ("/w/a.py", None)],
)  # fmt: skip
def test_files_that_are_left_alone_reach_no_engine(
    start: Callable[..., RunningEndpoint], engine: FakeEngine, path: str, reason: str | None
) -> None:
    answer = start(exclude=["vendor/"]).client.complete(TEXT, path=path).json
    assert answer.get("reason") == reason
    assert bool(engine.seen) == (reason is None)


def test_a_file_that_git_ignores_reaches_no_engine(client: HttpClient, engine: FakeEngine, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("build/\n", encoding="utf-8")
    (tmp_path / "build").mkdir()
    assert client.complete(TEXT, path=str(tmp_path / "build" / "a.py")).json["reason"] == "excluded"
    assert client.complete(TEXT, path=str(tmp_path / "a.py")).text == REST
    assert engine.seen[0].root == tmp_path


@pytest.mark.parametrize(
    ("more", "text", "reason"),
    [({"stop": "\n"}, REST, "stop"), ({"stop": " +"}, "", "stop"), ({"stop": ["zzz", "tax"]}, "", "stop"),
     ({"stop": ""}, REST, "stop"), ({"max_tokens": 1}, REST, "stop")],
)  # fmt: skip
def test_a_stop_text_cuts_at_a_token(client: HttpClient, more: dict[str, object], text: str, reason: str) -> None:
    """The engine of the tests writes the whole text as a single token; tests of `cut` have several."""
    choice = client.complete(TEXT, **more).json["choices"][0]
    assert (choice["text"], choice["finish_reason"]) == (text, reason)


def test_n_adds_the_alternatives(client: HttpClient) -> None:
    text = "total = a\ntotal = b\ntotal = c\ntot"
    texts = [choice["text"] for choice in client.complete(text, n=3).json["choices"]]
    assert texts == ["al = c", "al = b", "al = a"]
    assert len(client.complete(text, n=2).json["choices"]) == 2
    assert len(client.complete(text).json["choices"]) == 1


def test_a_stream_has_an_event_and_an_end(client: HttpClient) -> None:
    reply = client.complete(TEXT, stream=True)
    assert reply.headers["content-type"] == "text/event-stream"
    event, end, rest = reply.body.decode().split("\n\n")
    assert json.loads(event.removeprefix("data: "))["choices"][0]["text"] == REST
    assert (end, rest) == ("data: [DONE]", "")


def test_a_path_may_stand_in_a_header_or_above_the_prompt(client: HttpClient, engine: FakeEngine) -> None:
    body = {"prompt": TEXT}
    assert client.post(body, x_editahead_path="/w/größe.py").text == REST
    assert engine.seen[-1].path == Path("/w/größe.py")
    assert client.post({"prompt": f"editahead-path: /w/b.py\n{TEXT}"}).text == REST
    assert engine.seen[-1].path == Path("/w/b.py")
    assert engine.seen[-1].syntax.buffer.data == TEXT.encode()


def test_the_next_text_of_a_file_costs_the_edit_between_the_two(
    start: Callable[..., RunningEndpoint], engine: FakeEngine
) -> None:
    running = start()
    long = "".join(f"name_{number} = {number}\n" for number in range(5000))
    for typed in ("n", "na", "nam", "na"):
        running.client.complete(long + typed, "\nend = 1\n")
    opened = running.server.session.documents["file:///w/a.py"]
    assert [(len(edit.new), edit.old_end - edit.start) for edit in opened.edits] == [(1, 0), (1, 0), (0, 1)]
    assert opened.buffer.data == f"{long}na\nend = 1\n".encode()
    assert [document.syntax.buffer.data for document in engine.seen[-1:]] == [opened.buffer.data]
    assert engine.seen[-1].history.edits, "what was typed is in the history"


def test_another_excerpt_of_a_file_is_no_edit_of_the_user(
    start: Callable[..., RunningEndpoint], engine: FakeEngine
) -> None:
    running = start()
    for first in (0, 900):
        running.client.complete("".join(f"name_{number} = {number}\n" for number in range(first, first + 500)) + "n")
    assert not engine.seen[-1].history.edits
    assert engine.seen[-1].syntax.buffer.data.startswith(b"name_900 ")


def answer(data: str, shown: InlineSuggestion) -> Any:
    """The response to ghost text at the end of `data`, with ` # end` behind the cursor."""
    body = CompletionBody("")
    request = FillInRequest(Path("/w/a.py"), data.encode(), b" # end", ("", ""), body, ())
    return json.loads(answer_of(request, [Shown(shown, 0.9)]).partition(b"\r\n\r\n")[2])


def test_only_text_that_is_inserted_at_the_cursor_is_sent() -> None:
    inserted = answer("total", InlineSuggestion(" = 1", 5, 5))
    assert inserted["choices"][0]["text"] == " = 1"
    assert answer("total", InlineSuggestion("total = 1", 0, 5))["choices"][0]["text"] == " = 1"
    replacing = answer("total", InlineSuggestion(" (# end)", 5, 11))
    assert (replacing["choices"][0]["text"], replacing["reason"]) == ("", "no-op")


def test_line_ends_of_ghost_text_are_those_of_the_text() -> None:
    shown = InlineSuggestion("\nb = 2\nc", 8, 8)
    assert answer("a\r\nx = 1", shown)["choices"][0]["text"] == "\r\nb = 2\r\nc"
    assert answer("a\nxx = 1", shown)["choices"][0]["text"] == "\nb = 2\nc"


def test_of_many_files_the_longest_unused_is_dropped(start: Callable[..., RunningEndpoint], engine: FakeEngine) -> None:
    running = start()
    for number in [*range(20), 0, 20]:
        running.client.complete(TEXT, path=f"/w/{number}.py")
    kept = set(running.server.session.documents)
    assert kept == {f"file:///w/{number}.py" for number in (0, *range(2, 21))}


def test_a_newer_request_of_the_same_file_cancels_the_older(client: HttpClient, engine: FakeEngine) -> None:
    replies: list[Reply] = []
    older = threading.Thread(target=lambda: replies.append(client.complete("# fake:block\n" + TEXT)))
    older.start()
    assert engine.entered.wait(10)
    newer = client.complete(TEXT)
    older.join(10)
    assert engine.ended == ["cancelled"]
    assert replies[0].json["reason"] == "cancelled"
    assert newer.text == REST


def test_a_client_that_leaves_ends_its_run(client: HttpClient, engine: FakeEngine) -> None:
    body = json.dumps({"prompt": "# fake:block\n" + TEXT, "path": "/w/a.py"}).encode()
    with client.connect() as connection:
        connection.sendall(client.encode("POST", "/v1/completions", body))
        assert engine.entered.wait(10)
    assert client.complete(TEXT, path="/w/b.py").text == REST
    assert engine.ended == ["cancelled"]


def test_a_failure_of_the_engine_costs_this_answer_alone(client: HttpClient) -> None:
    assert client.complete("# fake:fail\n" + TEXT).json["reason"] == "failed"
    assert client.complete(TEXT).text == REST


def test_models(client: HttpClient) -> None:
    answer = client.request("GET", "/v1/models").json
    assert [model["id"] for model in answer["data"]] == ["editahead"]
