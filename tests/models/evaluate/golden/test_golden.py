"""Golden answers: two records of one commit are equal, and every kind of difference is named."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from editahead_models.evaluate.golden import record
from editahead_models.evaluate.golden.answers import (
    AnswerItem,
    RecordedAnswer,
    hash_buckets,
    items_of_result,
    write_answers,
)
from editahead_models.evaluate.golden.command import app
from editahead_models.evaluate.golden.compare import compare_answers, compare_part
from editahead_models.evaluate.golden.record import HEADER, PARTS, share_out
from typer.testing import CliRunner

from tests.check.repos import Repo

LICENCE = "Permission is hereby granted, free of charge, to any person\n"
NAMES = "orders prices totals weights labels colours".split()


def module(rng: random.Random, word: str) -> str:
    functions = [
        f"def {verb}_{name}({name}, factor):\n    {word} = sum({name}) * factor\n    return {word} + len({name})\n"
        for verb in ("read", "count")
        for name in rng.sample(NAMES, 4)
    ]
    return "\n\n".join(functions)


@pytest.fixture(scope="module")
def mirror(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A mirror with one project of the dev split: three modules, of which each commit renames a word."""
    folder = tmp_path_factory.mktemp("mirror")
    (folder / "cycler").mkdir()
    repo = Repo(folder / "cycler")
    repo.put("LICENSE", LICENCE)
    for word in ("amount", "total", "figure", "subtotal"):
        for number in range(3):
            repo.put(f"package/part{number}.py", module(random.Random(number), word))
        repo.commit()
    return folder


@pytest.fixture(scope="module")
def recorded(mirror: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record of all parts."""
    folder = tmp_path_factory.mktemp("golden") / "first"
    result = run("record", folder, "--mirror", mirror, "--count", 10)
    assert result.exit_code == 0, result.output
    return folder


def run(*arguments: object):  # type: ignore[no-untyped-def]  # noqa: ANN201
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def copy_of(folder: Path, target: Path, **parts: list[RecordedAnswer]) -> Path:
    """A record with other answers in some parts."""
    target.mkdir()
    for path in folder.iterdir():
        (target / path.name).write_bytes(path.read_bytes())
    for part, answers in parts.items():
        write_answers(target / f"{part}.jsonl", answers)
    return target


@pytest.mark.slow
def test_a_record_has_answers_of_every_part(recorded: Path) -> None:
    header = json.loads((recorded / HEADER).read_text(encoding="utf-8"))
    assert set(header["answers"]) == set(PARTS)
    assert min(header["answers"].values()) >= 1
    facts = (recorded / "facts.jsonl").read_text(encoding="utf-8")
    assert "BIND VALUE parameter: parameter :1:" in facts
    assert '"sure"' in (recorded / "next-edits.jsonl").read_text(encoding="utf-8")
    assert str(Path.home()) not in (recorded / "transcripts.jsonl").read_text(encoding="utf-8")


@pytest.mark.slow
def test_two_records_of_one_commit_are_equal(recorded: Path, mirror: Path, tmp_path: Path) -> None:
    assert run("record", tmp_path / "second", "--mirror", mirror, "--count", 10).exit_code == 0
    result = run("compare", recorded, tmp_path / "second")
    assert result.exit_code == 0, result.output
    assert len(result.output.splitlines()) == len(PARTS)


def test_a_changed_answer_fails_and_is_named_unless_it_is_allowed(recorded: Path, tmp_path: Path) -> None:
    before, now = (RecordedAnswer(("p", "c", "a.py"), (AnswerItem("repeat a.py:1:1", text, 0.5),)) for text in "xy")
    old = copy_of(recorded, tmp_path / "old", facts=[before])
    new = copy_of(recorded, tmp_path / "new", facts=[now])
    result = run("compare", old, new)
    assert result.exit_code == 1
    assert "facts: 0 equal, 1 changed, 0 missing, 0 new (text 1)" in result.output
    assert "  text: facts p c a.py | repeat a.py:1:1\n    was repeat a.py:1:1: 'x' 0.5\n" in result.output
    (tmp_path / "allowed").write_text("# meant\nfacts p c a.py |\n", encoding="utf-8")
    assert run("compare", old, new, "--allow", tmp_path / "allowed").exit_code == 0
    (tmp_path / "allowed").write_text("\n# meant\nfacts p d\n", encoding="utf-8")
    assert run("compare", old, new, "--allow", tmp_path / "allowed").exit_code == 1


def test_stored_hashes_tell_whether_an_answer_moved(
    mirror: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(record, "DIGEST", tmp_path / "golden.json")
    arguments = ("record", tmp_path / "now", "--mirror", mirror, "--count", 5, "--part", "facts")
    assert run(*arguments, "--store").exit_code == 0
    assert "part0" not in (tmp_path / "golden.json").read_text(encoding="utf-8")
    assert run(*arguments, "--check").exit_code == 0
    stored = json.loads((tmp_path / "golden.json").read_text(encoding="utf-8"))
    stored["buckets"]["facts"] = "00000000" + stored["buckets"]["facts"][8:]
    (tmp_path / "golden.json").write_text(json.dumps(stored), encoding="utf-8")
    result = run(*arguments, "--check")
    assert result.exit_code == 1
    assert "facts: 1 of 100 groups of answers changed" in result.output
    assert run(*arguments, "--check", "--seed", 2).exit_code == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ("record", record.ROOT / "models" / "golden", "--mirror", "."),
        ("record", "x", "--mirror", "nowhere"),
        ("record", "x", "--mirror", ".", "--part", "other"),
        ("compare", "nowhere", "nowhere"),
    ],
)
def test_a_wrong_argument_is_named(arguments: tuple[object, ...]) -> None:
    assert run(*arguments).exit_code == 2


FIRST, SECOND = AnswerItem("a", "x", 0.5, "sure"), AnswerItem("b", "y", 0.25)


@pytest.mark.parametrize(
    ("now", "kinds"),
    [
        ((FIRST, SECOND), []),
        ((FIRST,), ["lost"]),
        ((FIRST, SECOND, AnswerItem("c", "z")), ["new"]),
        ((FIRST, FIRST, SECOND), ["new"]),
        ((FIRST, SECOND._replace(text="z")), ["text"]),
        ((FIRST, SECOND._replace(at="c")), ["lost", "new"]),
        ((FIRST, SECOND._replace(probability=0.26)), ["probability only"]),
        ((FIRST, SECOND._replace(probability=0.2502)), []),
        ((FIRST, SECOND._replace(probability=None)), ["probability only"]),
        ((FIRST, SECOND, AnswerItem("c", "z", 0.0005)), ["new"]),
        ((FIRST._replace(flag=""), SECOND), ["flag only"]),
        ((SECOND, FIRST), ["order"]),
        ((SECOND, FIRST._replace(probability=0.2)), ["probability only", "order"]),
    ],
)
def test_a_difference_has_a_kind(now: tuple[AnswerItem, ...], kinds: list[str]) -> None:
    before = RecordedAnswer(("p",), (FIRST, SECOND))
    assert [difference.kind for difference in compare_answers("facts", before, before._replace(items=now))] == kinds


def test_noise_at_the_end_of_a_menu_is_no_difference() -> None:
    faint = [AnswerItem(at, "x", probability) for at, probability in (("c", 0.0001), ("d", 0.0), ("e", 0.0))]
    before = RecordedAnswer(("p",), (FIRST, faint[0], faint[1]))
    for items in ((FIRST, faint[1], faint[0]), (FIRST, faint[0], faint[2])):
        assert list(compare_answers("completions", before, before._replace(items=items))) == []
        assert list(compare_answers("next-edits", before, before._replace(items=items))) != []
    swapped = before._replace(items=(faint[0], FIRST, faint[1]))
    assert [difference.kind for difference in compare_answers("completions", before, swapped)] == ["order"]


def test_noise_changes_no_hash_and_a_text_does() -> None:
    def hashes(*items: AnswerItem) -> list[str]:
        return hash_buckets([RecordedAnswer(("p",), items)])

    same = hashes(SECOND, FIRST._replace(probability=0.5001), AnswerItem("c", "z", 0.001))
    assert same == hashes(FIRST, SECOND)
    assert hashes(FIRST, SECOND._replace(text="z")) != hashes(FIRST, SECOND)


def test_an_answer_that_is_missing_or_new_is_named() -> None:
    answers = [RecordedAnswer((name,), ()) for name in "ab"]
    assert compare_part("facts", answers, answers[:1]).missing == ["facts b"]
    assert compare_part("facts", answers[:1], answers).new == ["facts b"]
    assert not compare_part("facts", answers, answers[:1]).is_equal


def test_the_first_differences_of_each_kind_are_printed() -> None:
    before = [RecordedAnswer((name,), (FIRST, SECOND)) for name in "abc"]
    now = [answer._replace(items=items) for answer, items in zip(before, ((), (FIRST,), (SECOND, FIRST)), strict=True)]
    result = compare_part("facts", before, now)
    assert [(difference.name, difference.kind) for difference in result.first_of_each_kind(2)] == [
        ("facts a | a", "lost"),
        ("facts a | b", "lost"),
        ("facts c | a", "order"),
    ]


def test_a_result_of_the_server_holds_no_folder_and_its_probability_apart() -> None:
    item = {
        "label": "x",
        "detail": "31 %",
        "sortText": "1",
        "data": {"uri": "file:///t/1/a.py", "probability": 0.31234567},
    }
    (seen,) = items_of_result({"items": [item]}, "/t/1/")
    assert seen == AnswerItem("x", '{"data": {"uri": "file://ROOT/a.py"}, "detail": "% "}', 0.3123)
    assert items_of_result(None, "/") == ()


def test_a_result_of_the_server_numbers_its_groups() -> None:
    def items(*groups: str) -> tuple[AnswerItem, ...]:
        return items_of_result({"items": [{"group": group} for group in groups]}, "/t/1/")

    assert items("rename-f59380cc", "rename-f59380cc") == items("rename-0590c954", "rename-0590c954")
    assert items("rename-f59380cc", "rename-f59380cc") != items("rename-f59380cc", "rename-0590c954")
    assert items("rename-f59380cc") != items("repeat-f59380cc")


def test_requests_are_shared_out_evenly() -> None:
    assert share_out(8, (2, 1, 3)) == [[2, 1], [3], [1, 1, 0]]
