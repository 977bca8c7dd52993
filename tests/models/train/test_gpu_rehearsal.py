"""The rehearsal of a GPU, at a tiny size on the processor: runs end, come back in parts and go on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch")

from scripts.gpu_rehearsal import MEGABYTE, bring_back, jobs_of, main, missing_tasks, pack, unpack
from tests.models.treegen.cards import write_cards


@pytest.mark.slow
def test_runs_end_come_back_and_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cards, data = tmp_path / "cards", tmp_path / "data"
    cards.mkdir()
    assert main(["pack", "--cards", str(write_cards(cards)), "--into", str(data)]) == 0
    call = [
        "run",
        "--tiny",
        "--device",
        "cpu",
        "--kinds",
        "explicit-states,treegen",
        "--tasks",
        "Append1",
        "--jobs",
        "2",
    ]
    where = ["--data", str(data), "--runs", str(tmp_path / "runs"), "--out", str(tmp_path / "back"), "--minutes", "4"]
    assert main([*call, *where]) == 0, capsys.readouterr().out
    metrics = json.loads((tmp_path / "back" / "metrics.json").read_text(encoding="utf-8"))
    assert set(metrics["jobs"].values()) == {"done"}
    (cell,) = metrics["metrics"].values()
    assert (cell["task"], cell["family"], cell["steps_done"]) == ("Append1", "E", 4)
    # a second call on a bare machine goes on from what came back: the finished cell is not trained again
    where[3], where[5] = str(tmp_path / "runs-2"), str(tmp_path / "back-2")
    assert main([*call, *where, "--earlier", str(tmp_path / "back")]) == 0
    again = json.loads((tmp_path / "back-2" / "metrics.json").read_text(encoding="utf-8"))
    assert again["metrics"] == metrics["metrics"]
    assert (tmp_path / "runs-2" / "treegen" / "seed-1" / "best.pt").exists()


def test_what_comes_back_has_its_limit_and_names_what_found_no_room(tmp_path: Path) -> None:
    run = tmp_path / "runs" / "treegen" / "seed-1"
    run.mkdir(parents=True)
    (run / "log.jsonl").write_text("{}\n", encoding="utf-8")
    (run / "small.pt").write_bytes(bytes(MEGABYTE // 2))
    (run / "large.pt").write_bytes(bytes(3 * MEGABYTE))
    assert bring_back(tmp_path / "runs", {}, tmp_path / "back", megabytes=2) == ["treegen/seed-1/large.pt"]
    unpack(tmp_path / "back", tmp_path / "again")
    kept = {path.name for path in (tmp_path / "again").rglob("*") if path.is_file()}
    assert kept == {"log.jsonl", "small.pt"}
    assert main(["unpack", str(tmp_path / "nowhere"), "--into", str(tmp_path)]) == 2


def test_data_has_its_limit(tmp_path: Path) -> None:
    (tmp_path / "cards").mkdir()
    (tmp_path / "cards" / "train").write_bytes(bytes(2 * MEGABYTE))
    with pytest.raises(ValueError, match="exceeds 1 MB"):
        pack([("cards", tmp_path / "cards")], tmp_path / "into", 1)
    assert pack([("cards", tmp_path / "cards")], tmp_path / "into", 3) == 2 * MEGABYTE


def test_every_task_of_explicit_states_without_a_figure_has_a_job(tmp_path: Path) -> None:
    tasks = missing_tasks()
    assert "Append1" not in tasks
    jobs = jobs_of(("explicit-states", "real-edits", "treegen"), tmp_path, tmp_path, "cuda", tasks, tiny=False)
    assert len(jobs) == len({job.folder for job in jobs}) == len(tasks) + 3 + 3
    assert all("cuda" in job.arguments for job in jobs)
