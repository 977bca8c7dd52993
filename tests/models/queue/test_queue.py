"""The run queue: rations, stages, kills, pauses, larger budgets, in real processes on a corpus made for the test."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer
from editahead.encode.language_model.vocabulary import Vocab, symbol_of
from editahead.syntax.language import by_id
from editahead.syntax.tokens import TokenKind
from editahead_models.commands import implementation
from editahead_models.data.corpus.encoded_files import encode_file, store_files
from editahead_models.data.corpus.source_files import token_lines
from editahead_models.queue import pause, rations, stage
from editahead_models.queue.command import aligned
from editahead_models.queue.priority import is_idle
from editahead_models.queue.progress import status_rows, write_report
from editahead_models.queue.runner import Runner, logged_core_seconds
from editahead_models.queue.spec import RunSpec, specs_of
from editahead_models.queue.stage import with_folders
from editahead_models.queue.store import FINISHED, SPENT, WAITING, QueueLockedError, QueueStore, append_line, read_lines

RECIPES = Path(__file__).parents[3] / "models" / "recipes"
SHAPE = {"hidden": 16, "slots": 4}
TRAINING = {
    "lanes": 2, "steps": 16, "names": "numbered", "sampled": 0, "dev_tokens": 200, "log_every": 200,
    "evaluate_every": 10**9, "warmup": 100,
}  # fmt: skip


@pytest.fixture(scope="module")
def data_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus `tiny` of forty files."""
    root = tmp_path_factory.mktemp("data")
    language = by_id("python")
    assert language is not None
    words = random.Random(3)
    texts = []
    for _ in range(40):
        names = ["".join(words.choices("abcdef", k=4)) for _ in range(6)]
        lines = [f"{words.choice(names)} = {words.choice(names)}({words.choice(names)}, {n})\n" for n in range(30)]
        texts.append("".join(lines).encode())
    counts = {}
    for text in texts:
        for line in token_lines(text, language):
            for token in line:
                if token.kind is not TokenKind.NEWLINE:
                    counts[symbol_of(token)] = counts.get(symbol_of(token), 0) + 1
    vocab = Vocab.from_counts(counts, 60)
    for split, part in (("train", texts[:34]), ("dev", texts[34:])):
        store_files(root / "tiny" / split / "a+b.npz", [encode_file(text, language, vocab) for text in part])
    (root / "tiny" / "vocab.json").write_text(json.dumps(vocab.to_json()))
    (root / "tiny" / "data.json").write_text(json.dumps({"data_hash": "0123", "distinct_symbols": 100}))
    return root


def spec(name: str = "lstm", tokens: int = 1500, **changes: object) -> RunSpec:
    fields = {
        "name": name, "kind": "language-model", "ration": "tables", "core_hours": 1.0, "priority": 0, "data": "tiny",
        "tokens": tokens, "family": "lstm", "model": {"hidden": 16}, "training": TRAINING,
    }  # fmt: skip
    return RunSpec(**(fields | changes))  # type: ignore[arg-type]


def runner(store: QueueStore, data_root: Path, **settings: object) -> Runner:
    return Runner(store, 1, idle=False, environment={"EDITAHEAD_DATA": str(data_root)}, **settings)  # type: ignore[arg-type]


@pytest.mark.slow
def test_the_most_urgent_run_comes_first_and_each_ends_with_metrics(tmp_path: Path, data_root: Path) -> None:
    store = QueueStore(tmp_path)
    store.add(spec("later", priority=1))
    store.add(spec("first", priority=5))
    runner(store, data_root).run()
    states = {state.spec.name: state for state in store.states()}
    assert {state.status for state in states.values()} == {FINISHED}
    assert all(state.tokens_done >= 1500 and state.core_hours_spent > 0 for state in states.values())
    assert states["first"].metrics is not None
    assert states["first"].metrics["all/perplexity"] > 1
    ends = {name: read_lines(store.folder(name) / "stages.jsonl")[-1]["time"] for name in states}
    assert ends["first"] < ends["later"]
    written = write_report(store, tmp_path / "report")
    summary = json.loads(written.read_text())["runs"]
    assert [run["at_its_end"] for run in summary] == [True, True]
    assert summary[0]["passes"] > 0
    again = write_report(QueueStore(tmp_path / "another-machine"), tmp_path / "report")
    assert json.loads(again.read_text())["runs"] == summary  # runs of other machines stay
    assert json.loads(write_report(store, tmp_path / "report").read_text())["runs"] == summary


@pytest.mark.slow
def test_a_killed_stage_goes_on_and_ends_as_if_it_had_not_been_killed(tmp_path: Path, data_root: Path) -> None:
    """Same weights, same data order, same random numbers: the dev figures are equal to the last digit."""
    from editahead_models.train.lm import LmRecipe, train

    class After:
        """A limit that is over after some batches."""

        def __init__(self, batches: int) -> None:
            self.left = batches

        def over(self) -> bool:
            self.left -= 1
            return self.left <= 0

    recipe = LmRecipe(tokens=1500, **TRAINING)  # type: ignore[arg-type]
    shape, family = {"attention": 8, "embedding": 16, "dropout_embedding": 0.2, **SHAPE}, "spn"
    whole = train(data_root / "tiny", tmp_path / "whole", recipe, shape, family)
    parts = [train(data_root / "tiny", tmp_path / "parts", recipe, shape, family, limit=After(9)) for _ in range(9)]
    assert [part.finished for part in parts[:3]] == [False] * 3
    assert parts[-1].finished
    assert whole.metrics == parts[-1].metrics


@pytest.mark.slow
def test_a_larger_budget_goes_on_from_before_the_decay(tmp_path: Path, data_root: Path) -> None:
    from editahead_models.train.lm import LmRecipe, train

    short, long = (LmRecipe(tokens=tokens, **TRAINING) for tokens in (1500, 3000))  # type: ignore[arg-type]
    train(data_root / "tiny", tmp_path / "grown", short, {"hidden": 16}, "lstm")
    grown = train(data_root / "tiny", tmp_path / "grown", long, {"hidden": 16}, "lstm")
    at_once = train(data_root / "tiny", tmp_path / "at once", long, {"hidden": 16}, "lstm")
    assert grown.metrics == at_once.metrics


@pytest.mark.slow
def test_kill_9_of_runner_and_stage_loses_no_run(tmp_path: Path, data_root: Path) -> None:
    store = QueueStore(tmp_path)
    store.add(spec(tokens=400_000))
    process = start(store, data_root)
    stage = wait_for_stage(store)
    wait_until(lambda: is_idle(stage))
    raise_priority(stage)
    with pytest.raises(QueueLockedError):
        runner(store, data_root).run()
    wait_until(lambda: "loss" in log(store))
    process.kill()
    process.wait()
    store.add(spec(tokens=400_000, core_hours=1e-9))  # what is spent already ends the run at once
    runner(store, data_root).run()
    state = store.read("lstm")
    assert state.status == SPENT
    assert state.stages >= 1
    assert not Path(f"/proc/{stage}").exists()


@pytest.mark.slow
def test_a_pause_stops_the_stage_and_resume_lets_it_go_on(tmp_path: Path, data_root: Path) -> None:
    store = QueueStore(tmp_path)
    store.add(spec(tokens=400_000))
    process = start(store, data_root, "--no-idle")
    stage = wait_for_stage(store)
    wait_until(lambda: "loss" in log(store))
    with pause.paused(store):
        wait_until(lambda: process_state(stage) == "T")
        assert pause.is_paused(store)
    wait_until(lambda: process_state(stage) != "T")
    process.send_signal(signal.SIGTERM)
    assert process.wait(30) == 0
    state = store.read("lstm")
    assert state.status == WAITING
    assert state.tokens_done > 0  # the stage was given time to write its checkpoint
    assert status_rows(store)[0]["budget"] == 400_000


def test_a_run_that_exceeds_its_ration_is_refused(tmp_path: Path) -> None:
    store = QueueStore(tmp_path)
    store.add(spec("large", core_hours=7.0))
    rations.check("small", "tables", 1.0, store.states(), {"tables": 8.0})
    with pytest.raises(rations.RationExceededError, match=r"asks for 1\.50 core-hours, tables has 1\.00 left"):
        rations.check("small", "tables", 1.5, store.states(), {"tables": 8.0})
    with pytest.raises(ValueError, match="no ration 'pens'"):
        rations.check("small", "pens", 1.0, [], {"tables": 8.0})


def test_a_run_of_the_same_name_with_other_settings_is_refused(tmp_path: Path) -> None:
    store = QueueStore(tmp_path)
    store.add(spec())
    assert store.add(spec(tokens=9000)).spec.tokens == 9000
    with pytest.raises(ValueError, match="other settings"):
        store.add(spec(model={"hidden": 32}))


def test_recipes_become_runs_and_bad_ones_say_why(tmp_path: Path) -> None:
    recipe = tmp_path / "table.toml"
    recipe.write_text(
        'family = "language-models"\nlanguage = "python"\nversion = "1"\n[training]\ntokens = 5\n[queue]\n'
        'ration = "tables"\ncore_hours = 0.5\ndata = "tiny"\n[rows.a]\nfamily = "lstm"\n'
        '[rows.b]\nfamily = "spn"\ntraining = { tokens = 7, seed = 2 }\nqueue = { core_hours = 1, data = "few" }\n'
    )
    first, second = specs_of(recipe)
    assert (first.name, first.tokens, first.core_hours) == ("table/a", 5, 0.5)
    assert (second.name, second.tokens, second.core_hours) == ("table/b", 7, 1.0)
    assert second.training == {"seed": 2}
    assert (first.data, second.data) == ("tiny", "few")
    assert RunSpec.from_json(json.loads(json.dumps(second.to_json()))) == second
    with pytest.raises(ValueError, match="no row c"):
        specs_of(recipe, ("c",))
    recipe.write_text('family = "spn"\nlanguage = "python"\nversion = "1"\n[queue]\nration = "tables"\n')
    with pytest.raises(ValueError, match="needs core_hours"):
        specs_of(recipe)


def test_a_command_names_the_folders_of_its_run_and_of_the_data(tmp_path: Path) -> None:
    run, data = tmp_path / "run", tmp_path / "data"
    words = with_folders(("train", "RUN", "RUN/a", "DATA/b/c", "RUNS", "DATABASE/x", "a/RUN"), run, data)
    assert words == ["train", str(run), str(run / "a"), str(data / "b/c"), "RUNS", "DATABASE/x", "a/RUN"]


def test_a_command_ends_with_the_processor_time_of_its_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "busy.py").write_text("while True:\n    pass\n")
    monkeypatch.setattr(stage.sys, "executable", str(tmp_path / "python"))
    (tmp_path / "python").write_text(f"#!/bin/sh\nexec {sys.executable} {tmp_path / 'busy.py'}\n")
    (tmp_path / "python").chmod(0o755)
    store = QueueStore(tmp_path / "queue")
    store.add(spec("busy", tokens=0, kind="command", command=("train", "nothing"), core_hours=0.5 / 3600))
    result = stage.run_stage(store, "busy", seconds=120.0, device="cpu", data_root=tmp_path, idle=False)
    assert not result.finished


def test_what_a_killed_stage_spent_is_the_last_that_its_log_tells(tmp_path: Path) -> None:
    assert logged_core_seconds(tmp_path) == 0.0
    for line in ({"stage_core_s": 60.0}, {"stage_core_s": 0.0}, {"stage_core_s": 59.5}, {"step": 3, "dev": 0.5}):
        append_line(tmp_path / "log.jsonl", line)
    assert logged_core_seconds(tmp_path) == 59.5


@pytest.mark.parametrize("name", ["synthetic-edits", "real-edits", "treegen-runs", "copyspan-runs"])
def test_the_commands_of_the_recipes_can_be_given(name: str) -> None:
    specs = specs_of(RECIPES / f"{name}.toml")
    assert specs
    for spec in specs:
        single = typer.Typer(add_completion=False)
        single.command()(implementation(" ".join(spec.command[:2])))
        context = typer.main.get_command(single).make_context("queue", list(spec.command[2:]))
        assert str(context.params["out"]).split("/")[0] == "RUN"


def test_a_table_is_aligned_and_cuts_nothing() -> None:
    rows: list[dict[str, object]] = [
        {"run": "a", "tokens": 12_000, "loss": None},
        {"run": "a" * 90, "tokens": 5, "loss": 2.5},
    ]
    heading, first, second = aligned(rows)
    assert heading.split() == ["run", "tokens", "loss"]
    assert first.endswith("12,000")
    assert second == f"{'a' * 90}       5  2.500"


def start(store: QueueStore, data_root: Path, *more: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "editahead_models", "queue", "run", "--workers", "1", "--queue", str(store.root)]
    return subprocess.Popen([*command, "--data-root", str(data_root), *more], start_new_session=True)


def wait_for_stage(store: QueueStore) -> int:
    wait_until(lambda: bool(pause.stages_of_runner(store)))
    return pause.stages_of_runner(store)[0]


def wait_until(condition: object, seconds: float = 240.0) -> None:
    until = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.05)


def raise_priority(stage: int) -> None:
    """Give an idle stage its share of a busy machine, where it would hardly run."""
    with contextlib.suppress(OSError):
        Path(f"/proc/{stage}/autogroup").write_text("0")
    with contextlib.suppress(OSError):
        os.sched_setscheduler(stage, os.SCHED_OTHER, os.sched_param(0))
        os.setpriority(os.PRIO_PROCESS, stage, 0)


def log(store: QueueStore) -> str:
    path = store.folder("lstm") / "log.jsonl"
    return path.read_text() if path.exists() else ""


def process_state(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def test_the_priority_is_that_of_the_stage_and_not_of_the_caller() -> None:
    assert not is_idle(os.getpid())


def test_the_status_of_a_run_that_counts_no_tokens_is_told(tmp_path: Path) -> None:
    store = QueueStore(tmp_path)
    store.add(spec(tokens=0))
    log_file = store.folder("lstm") / "log.jsonl"
    log_file.parent.mkdir(parents=True, exist_ok=True)
    log_file.write_text('{"epoch": 1, "loss": 0.5, "time": 1.0}\n{"epoch": 2, "loss": 0.4, "time": 2.0}\n')
    row = status_rows(store)[0]
    assert row["tokens"] == 0
    assert row["loss"] == 0.4
