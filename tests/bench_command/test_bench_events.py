"""RecordedSession files, what is asked in a session, and what answers are worth: without any server."""

from __future__ import annotations

from pathlib import Path

import pytest
from editahead.bench.answers import completions, ghost_text, next_edit
from editahead.bench.figures import Report, compare, read_report, worse
from editahead.bench.probes import ProbedSurface, plan, strokes, word_at
from editahead.bench.score import RunScore, ScoredPlace, TypingStep, score_edit
from editahead.recording.session_file import (
    Close,
    Open,
    RecordedChange,
    RecordedSession,
    SessionError,
    read_session,
    write_session,
)
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from hypothesis import given
from hypothesis import strategies as st

HEAD = '{"format": "editahead-session", "version": 1}\n'


def typed(text: str, at: int, keys: str, name: str = "a.py") -> tuple[Open | RecordedChange | Close, ...]:
    """A document in which `keys` are typed at a byte."""
    events: list[Open | RecordedChange | Close] = [Open(1, name, "python", text.encode())]
    for key in strokes(keys.encode()):
        events.append(RecordedChange(1, (ByteEdit(at, at, key),)))
        at += len(key)
    return (*events, Close(1))


@given(
    st.text(max_size=30), st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40), st.text(max_size=4)), max_size=6)
)
def test_a_session_file_gives_back_what_was_written(text: str, edits: list[tuple[int, int, str]]) -> None:
    import tempfile

    buffer = Buffer(text.encode("utf-8", "replace"))
    events: list[Open | RecordedChange | Close] = [Open(1, "a/b.py", "python", buffer.data, 0.5)]
    for start, end, new in edits:
        text_now = buffer.data.decode()
        low, high = sorted((min(start, len(text_now)), min(end, len(text_now))))
        low, high = (len(text_now[:at].encode()) for at in (low, high))
        if b"\r" in buffer.data or "\r" in new:  # a line end cannot be cut in two by LSP's positions
            return
        change = ByteEdit(low, high, new.encode("utf-8", "replace"))
        events.append(RecordedChange(1, (change,), 1.0))
        buffer = buffer.apply(change)
    events.append(Close(1, 2.0))
    if "\r" in text:
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s.jsonl"
        write_session(path, events)
        assert read_session(path) == tuple(events)


def test_a_file_that_is_no_session_is_named(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    for first, said in (
        ('{"a": 1}', "no session; it begins with"),
        (HEAD.replace('"version": 1', '"version": 9'), "only v"),
    ):
        path.write_text(first.strip() + "\n", encoding="utf-8")
        with pytest.raises(SessionError, match=rf"report\.json, line 1: {said}"):
            read_session(path)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("", "no events"),
        ('{"event": "close", "document": 1}', "line 2"),
        ('{"event": "open", "document": 1, "path": "../x.py", "languageId": "python", "text": ""}', "no path inside"),
        ('{"event": "open", "document": 1, "path": "/x.py", "languageId": "python", "text": ""}', "no path inside"),
        ('{"event": "open", "document": 1}', "line 2"),
        ('{"event": "open", "document": 1, "path": "a.py", "languageId": "python"}', r"2: .*text: expected a string"),
        ('{"event": "close", "document": "1"}', "document: expected a whole number, found '1'"),
        ("[" * 5000, "line 2"),
        ("not json", "line 2"),
    ],
)
def test_a_damaged_session_file_is_one_line(tmp_path: Path, body: str, said: str) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(HEAD + body + "\n", encoding="utf-8")
    with pytest.raises(SessionError, match=said) as caught:
        read_session(path)
    assert "\n" not in str(caught.value)


def test_events_of_a_later_version_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    opened = '{"event": "open", "document": 1, "path": "a.py", "languageId": "python", "text": "x"}\n'
    path.write_text(HEAD + '{"event": "cursor", "document": 1}\n' + opened, encoding="utf-8")
    assert read_session(path) == (Open(1, "a.py", "python", b"x"),)


def test_completions_are_asked_in_names_and_ghost_text_where_tokens_begin() -> None:
    found = plan(RecordedSession("s", "retype", typed("# x\n\n", 4, "total = count\n    # old"), {}))
    probes = [probe for index in sorted(found.probes) for probe in found.probes[index]]
    asked = [(probe.surface, probe.name, probe.letters) for probe in probes]
    assert (ProbedSurface.COMPLETION, "total", 1) in asked
    assert (ProbedSurface.COMPLETION, "count", 0) in asked
    assert (ProbedSurface.COMPLETION, "count", 4) in asked
    assert not [probe for probe in probes if probe.surface is ProbedSurface.NEXT_EDIT]
    completed = [probe for probe in probes if probe.surface is ProbedSurface.COMPLETION and probe.letters == 1]
    assert {probe.name: probe.in_code for probe in completed} == {
        "total": True, "count": True, "old": False,
    }  # fmt: skip
    assert all(probe.rest and found.runs[0].text.endswith(probe.rest) for probe in probes)


def test_a_slip_that_was_taken_back_has_no_truth() -> None:
    start = (Open(1, "a.py", "python", b""),)
    keys = [(0, 0, b"a"), (1, 1, b"x"), (1, 2, b""), (1, 1, b"b"), (2, 2, b"c")]
    events = start + tuple(RecordedChange(1, (ByteEdit(*key),)) for key in keys)
    found = plan(RecordedSession("s", "session", events, {}))
    assert found.runs[0].text == b"abc"
    names = {index: [probe.name for probe in probes if probe.name] for index, probes in found.probes.items()}
    assert 2 not in names  # after the wrong key nothing is asked
    assert names[4] == ["abc"]


def test_a_change_that_is_not_typed_asks_for_the_next_edit() -> None:
    events = (Open(1, "a.py", "python", b"a\nb\n"), RecordedChange(1, (ByteEdit(0, 1, b"xyz"),)), Close(1))
    found = plan(RecordedSession("s", "commits", events, {}))
    (probe,) = found.probes[1]
    assert (probe.surface, probe.byte, found.finals[1]) == (ProbedSurface.NEXT_EDIT, 3, b"xyz\nb\n")


def test_a_person_takes_what_saves_a_key() -> None:
    run = RunScore(b"abc defgh x")
    assert run.keys(ghosts=True) == 11
    run.menu[0] = (3, 3)  # the third row costs three keys and brings three letters
    assert run.keys(ghosts=True) == 11
    run.menu[5] = (1, 4)  # one letter of defgh typed
    assert run.keys(ghosts=True) == 8
    run.ghost[4] = 7
    assert (run.keys(ghosts=True), run.keys(ghosts=False)) == (5, 8)
    assert list(run.steps(ghosts=True))[3:] == [TypingStep(3, 1, 1), TypingStep(4, 1, 7)]


@pytest.mark.parametrize(
    ("before", "ahead", "word"),
    [
        ("a = va", "lue + 1", "value"),
        ("a = ", "value", "value"),
        ("a = value", " + 1", ""),
        ("1", "0e", ""),
        ("x1", "0", "x10"),
    ],
)
def test_the_word_at_a_cursor(before: str, ahead: str, word: str) -> None:
    assert word_at(before, ahead) == word


def test_a_menu_is_read_as_an_editor_reads_it() -> None:
    items = [
        {"label": "zeta", "sortText": "a"},
        {"label": "Alpha()", "sortText": "c", "insertText": "Alpha"},
        {"label": "alien", "sortText": "b", "data": {"probability": 0.5}},
        {"label": 3}, None, {"sortText": "a"},
    ]  # fmt: skip
    assert [(one.name, one.probability) for one in completions({"items": items}, "al")] == [
        ("alien", 0.5), ("Alpha", None),
    ]  # fmt: skip
    assert completions(None, "") == completions({"items": 7}, "") == completions([], "") == []


@pytest.mark.parametrize("answer", [None, {}, [], {"items": [{}]}, {"items": [{"insertText": 3}]}, {"edits": [3]}, 7])
def test_answers_that_cannot_be_read_are_nothing(answer: object) -> None:
    buffer = Buffer(b"abc")
    assert next_edit(answer, buffer) is None
    found = ghost_text(answer, buffer, 3)
    assert found is None or found.edit.new == b"3"


def edit_counts(before: bytes, final: bytes, text: str, start: int, end: int) -> dict[str, int]:
    place = ScoredPlace("p", "commits", "python")
    places = {"start": {"line": 0, "character": start}, "end": {"line": 0, "character": end}}
    shown = next_edit({"edits": [{"text": text, "range": places, "source": "rename"}]}, Buffer(before))
    score_edit(place, before, b"one two two", final, shown)
    return {key: int(value) for key, value in place.counts.items() if value}


def test_a_next_edit_is_right_when_every_byte_of_it_is_wanted() -> None:
    before, final = b"uno two two", b"uno dos dos"
    right = edit_counts(before, final, "dos", 4, 7)
    assert right["edit.right"] == 1
    assert right["edit.kept"] == right["edit.bytes"]
    assert "edit.right" not in edit_counts(before, final, "tres", 4, 7)
    assert right["edit.source.rename.right"] == right["edit.source.rename.shown"] == 1
    assert edit_counts(before, final, "tres", 4, 7)["edit.source.rename.partly"] == 1  # an `s` of it stays
    back = edit_counts(before, final, "one", 0, 3)
    assert back["edit.source.rename.wrong"] == 1
    assert (back.get("edit.right"), back["edit.reversal"]) == (None, 1)


def report_with(hits: list[int], ms: float) -> Report:
    places = []
    for number, hit in enumerate(hits):
        place = ScoredPlace(f"p{number}", "retype", "python")
        place.counts.update({"bare.names": 10, "bare.top1": hit, "keys.typed": 100, "keys.menu": 90, "keys.all": 80})
        place.ms["completion"] = [ms + number % 3] * 20
        place.pairs["completion"] = [(0.5, 1), (0.5, 0)]
        places.append(place)
    return Report(
        {"server": "s"}, tuple(places), ({"start_ms": 1.0, "rss_mb": 2.0, "peak_mb": 3.0},), ("completion",), {}
    )


@pytest.mark.slow
def test_noise_is_no_change_and_a_change_is_seen() -> None:
    before = report_with([5, 6, 4, 5, 6, 5, 4, 5, 6, 5] * 4, 10.0)
    noise = report_with([6, 5, 5, 4, 6, 5, 5, 4, 6, 5] * 4, 10.5)
    assert worse(compare(before, noise), speed=True) == []
    drop = report_with([3, 4, 2, 3, 4, 3, 2, 3, 4, 3] * 4, 20.0)
    assert [one.figure.key for one in worse(compare(before, drop), speed=False)] == ["top1"]
    slower = {one.figure.key for one in worse(compare(before, drop), speed=True)}
    assert {"top1", "completion_p50"} <= slower
    assert worse(compare(drop, before), speed=True) == []
    better = {one.figure.key: one.verdict for one in compare(drop, before)}
    assert better["top1"] == "better"


def test_a_report_survives_json() -> None:
    report = report_with([5, 6, 4, 5, 6], 3.0)
    again = read_report(report.as_json())
    assert again.values() == report.values()
    for damaged in (None, {}, {"format": "editahead-bench", "version": 1}, {**report.as_json(), "places": [1]}):
        with pytest.raises(ValueError, match="report"):
            read_report(damaged)
