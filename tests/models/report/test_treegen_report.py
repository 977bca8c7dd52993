"""The page is what the committed figures give, and says what was not run."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

pytest.importorskip("torch")

from editahead_models.__main__ import run_verb
from editahead_models.report.treegen.page import text_of
from editahead_models.treegen.evaluate import key_of, measure
from editahead_models.treegen.network.config import ABLATIONS, WIDTH

from tests.models.treegen.cards import TINY, in_memory, write_cards

ROOT = Path(__file__).parents[3]
DOCS, DATA = ROOT / "docs" / "results", ROOT / "models" / "results"


def call(verb: str, *arguments: str) -> None:
    """Run a verb as the console would; a refusal ends as SystemExit with its code."""
    try:
        run_verb(verb, list(arguments))
    except SystemExit as end:
        if end.code:
            raise


def test_the_page_is_up_to_date() -> None:
    assert (DOCS / "treegen.md").read_text(encoding="utf-8") == text_of(DATA)


@pytest.mark.parametrize("page", ["README.md", "docs/surfaces/function-bodies.md"])
def test_what_is_said_of_bodies_is_what_was_measured(page: str) -> None:
    measured = json.loads((DATA / "treegen-served.json").read_text(encoding="utf-8"))
    figures, thresholds = measured["figures"], measured["thresholds"]
    text = " ".join((DOCS.parents[1] / page).read_text(encoding="utf-8").split())
    shown, right = 100 * figures["shown_0.5"], 100 * figures["right_0.5"]
    assert re.search(rf"at {shown:.1f} % of (?:the )?functions of unseen projects, and {right:.0f} % of these", text)
    first = f"right for {100 * figures['first_right']:.0f} %"
    assert first in text
    assert page == "README.md" or f"{first} of {figures['functions']:,} functions" in text
    most = max(float(asked) for asked, least in thresholds.items() if least is not None)
    assert "As ghost text" not in text or f"`editahead.precision` is {most:g} or lower" in text


def test_rows_that_were_not_run_say_so(tmp_path: Path) -> None:
    page = text_of(tmp_path)
    rows = [line for line in page.splitlines() if line.startswith(("| **ours**", "| 6 |"))]
    assert len(rows) == 4
    assert all("not run" in row for row in rows)
    assert "No run is recorded." in page


def test_figures_are_on_the_page(tmp_path: Path) -> None:
    examples, vocabulary = in_memory()
    figures = measure(vocabulary, examples[:4], [[e.source] for e in examples[:2]] + [[], []], True)
    run = {
        "figures": figures, "without training pairs": figures, "model": {**TINY.to_json(), "width": WIDTH},
        "recipe": {"batch": 4},
        "parameters": 1234, "epochs": 3, "best epoch": 2, "seconds an epoch": 1.5, "train examples": 8,
        "data": "abc", "beam": 5,
    }  # fmt: skip
    cards = "hearthstone-structural"
    keys = [(cards, 1, 1), (cards, 8, 1), (cards, 8, 2), ("geo", 1, 1), ("atis", 1, 1)]
    runs = {key_of(name, "test", row, seed): {**run, "set": name, "row": row} for name, row, seed in keys}
    wide = {**run, "set": cards, "row": 1, "model": {**TINY.to_json(), "width": 128}, "curve": [[1.0, 5.0], [2.0, 9.0]]}
    runs[key_of(cards, "test", 1, 1, 128)] = wide
    longer = {**run, "set": cards, "row": 6, "epochs": 9}
    runs |= {key_of(cards, "test", 6, 1): longer, key_of(cards, "test", 6, 2): {**longer, "epochs": 3}}
    runs[key_of(cards, "test", 1, 1, WIDTH, 3)] = {**run, "set": cards, "row": 1, "models": 3}
    (tmp_path / "treegen.json").write_text(json.dumps(runs))
    page = text_of(tmp_path)
    assert (
        page.count("50.0 (15.0 to 85.0)") == 10
    )  # two more, the set, rows 1, 6 and 8, GEO and ATIS each with and without
    assert "| ours, width 128, 3 epochs | 50.0" in page
    assert "| ours, ensemble of 3, 3 epochs | 50.0" in page
    assert "| 1 | full model | 3 | 2 |" not in page  # neither is a seed of the first row
    assert "| 6 | plain Transformer | 3 |" not in page  # two seeds, trained for different times
    assert page.count("| 6 | plain Transformer |") == 1
    assert "treegen-learning.svg" in page
    assert "| 8 | without the definition of rules | 3 | 2 | 50.0 ± 0.0 | 50.0 ± 0.0 |" in page
    assert "| 2 | " + ABLATIONS[2][0] + " | 3 | 2 |" not in page
    assert "2 / 1 blocks, 1,234 parameters" in page


def test_the_full_model_of_the_ablations_has_their_epochs(tmp_path: Path) -> None:
    examples, vocabulary = in_memory()
    figures = measure(vocabulary, examples[:4], [[e.source] for e in examples[:2]] + [[], []], True)
    cards = "hearthstone-structural"
    run = {
        "figures": figures, "without training pairs": figures, "model": {**TINY.to_json(), "width": WIDTH},
        "recipe": {"batch": 4}, "set": cards, "parameters": 1234, "epochs": 100, "best epoch": 2,
        "seconds an epoch": 1.5, "train examples": 8, "data": "abc", "beam": 5, "curve": [[1.0, 5.0], [2.0, 9.0]],
    }  # fmt: skip
    runs = {key_of(cards, "test", row, 1): {**run, "row": row} for row in (2, 8)}
    runs[key_of(cards, "test", 1, 1)] = {**run, "row": 1, "epochs": 400}
    (tmp_path / "treegen.json").write_text(json.dumps(runs))
    assert "| 1 | full model | 31.8 / 33.3 / 80.8 | 400 |" in text_of(tmp_path)
    runs[key_of(cards, "test", 1, 1, epochs=100)] = {**run, "row": 1}
    (tmp_path / "treegen.json").write_text(json.dumps(runs))
    page = text_of(tmp_path)
    assert "| 1 | full model | 31.8 / 33.3 / 80.8 | 100 |" in page
    assert "| **ours**, 400 epochs |" in page
    assert "| ours, 100 epochs" not in page
    assert "points apart" not in page, "rows 1, 2 and 8 are six points apart in print"
    few = {**figures, "accuracy": 10.0, "examples": 66}
    runs[key_of(cards, "test", 1, 1, epochs=100)]["figures"] = {**figures, "accuracy": 40.0, "examples": 66}
    runs |= {key_of(cards, "test", row, 1): {**run, "row": row, "figures": few} for row in (5, 6)}
    (tmp_path / "treegen.json").write_text(json.dumps(runs))
    page = text_of(tmp_path)
    assert "Of the 5 pairs of these rows that print puts 10 points apart or more, 2 are in its\norder here" in page
    assert "here beyond noise, 0 in the other one, and 3 are undecided." in page


def test_the_verbs_train_and_measure(tmp_path: Path) -> None:
    data, run, out = write_cards(tmp_path), tmp_path / "run", tmp_path / "figures.json"
    recipe = tmp_path / "tiny.toml"
    lines = ['family = "treegen"', 'language = "python"', 'version = "0"', "[model]"]
    lines += [f"{key} = {value}" for key, value in TINY.to_json().items() if not isinstance(value, bool)]
    recipe.write_text("\n".join([*lines, "[training]", "batch = 4", "epochs = 1"]))
    call("train", "treegen", str(recipe), "--data", str(data), "--out", str(run), "--set", "hearthstone-plain")
    arguments = ("--data", str(data), "--out", str(out), "--set", "hearthstone-plain", "--most", "1", "--beam", "1")
    arguments += ("--budget", "30")
    call("evaluate", "treegen", str(run), *arguments)
    entry = json.loads(out.read_text())[f"hearthstone-plain/test/1/width {TINY.width}"]
    assert [len(point) for point in entry["curve"]] == [2]
    assert (entry["epochs"], entry["figures"]["examples"]) == (1, 1)
    assert entry["without training pairs"] == {"examples": 0}
    second = (str(tmp_path / "second"), "--set", "hearthstone-plain", "--seed", "2")
    call("train", "treegen", str(recipe), "--data", str(data), "--out", *second)
    call("evaluate", "treegen", str(run), *arguments, "--beside", str(tmp_path / "second"))
    together = json.loads(out.read_text())[f"hearthstone-plain/test/1/width {TINY.width}/ensemble of 2"]
    assert (together["models"], together["parameters"]) == (2, 2 * entry["parameters"])
    with pytest.raises(SystemExit) as end:
        call("train", "treegen", str(recipe), "--data", str(tmp_path / "none"), "--out", str(run))
    assert end.value.code == 2


def test_the_grammar_is_measured_by_a_command(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text("x = 1\n")
    (tmp_path / "bad.py").write_text("x = \n")
    out = tmp_path / "grammar.json"
    call("evaluate", "grammar", str(tmp_path), "--random-programs", "3", "--out", str(out))
    report = json.loads(out.read_text())
    assert (report["round trip"]["files"], report["round trip"]["same"], report["round trip"]["not Python"]) == (
        2,
        1,
        1,
    )
    assert report["random programs"] == {"made": 3, "come back": 3}
    call("prepare", "grammar", "--out", str(tmp_path / "python.json"))
    assert (tmp_path / "python.json").stat().st_size > 10_000
