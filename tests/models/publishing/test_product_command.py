"""`report product` on toy repositories, with tiny counts: two languages' worth of files, a ledger, a third read."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import pytest

pytest.importorskip("rich")

import typer
from editahead_models.data import splits
from editahead_models.publishing import ledger, missed_edits, parts
from editahead_models.publishing.command import main
from editahead_models.publishing.summary import BEGIN, END

from tests.check.repos import Repo

SIZES = {"identifiers": 6, "ghost_places": 4, "requests": 4, "quiet": 2, "renames": 2, "check_commits": 2}
MODULE = "".join(
    f"def handle_{n}(request, amount):\n    total = amount + {n}\n    log.warn('{n}', request)\n    return total\n\n\n"
    for n in range(18)
)

REFERENCES = """
import json, re, sys
for row in sys.stdin:
    asked = json.loads(row)
    lines = asked["text"].split("\\n")
    word = re.match(r"\\w+", lines[asked["line"] - 1][asked["column"] :]).group()
    found = [[n + 1, m.start()] for n, line in enumerate(lines) for m in re.finditer(rf"\\b{word}\\b", line)]
    print(json.dumps(found), flush=True)
"""
"""A program that takes every equal word for a reference."""


def project(root: Path) -> None:
    """A project with a licence, a test, and two commits that repeat an edit."""
    repo = Repo(root).put("LICENSE", "MIT. Permission is hereby granted, free of charge, to any person\n")
    repo.put("shop/orders.py", MODULE).put("tests/test_orders.py", "hidden_name = 1\n" * 9).commit()
    repo.put("shop/orders.py", MODULE.replace("log.warn(", "log.warning(")).commit()
    repo.put("shop/orders.py", MODULE.replace("log.warn(", "log.info(").replace("amount", "price")).commit()


def repository(folder: Path) -> Path:
    """A repository of ours with two test projects of Python and one of dev in its mirror, and nothing measured yet."""
    for name in ("acme+one", "acme+two", "acme+three"):
        project(folder / "mirror" / name / "repo")
    lists = '[python]\ntrain = []\nfit = []\ndev = ["acme/three"]\ntest = ["acme/one", "acme/two", "acme/absent"]\n'
    (folder / "splits.toml").write_text(lists, encoding="utf-8")
    repo = Repo(folder / "ours").put("server/editahead/a.py", "a = 1\n").put("models/editahead_models/b.py", "b = 1\n")
    repo.put("models/data/splits.toml", lists)
    repo.put("README.md", f"before\n{BEGIN}\nold\n{END}\nafter\n").commit()
    return repo.root


@contextmanager
def inside(root: Path) -> Iterator[Path]:
    """The repository as the working directory, with the lists of its projects."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(splits, "_FOLDERS", (root.parent,))
        patch.chdir(root)
        splits.split_table.cache_clear()
        yield root
    splits.split_table.cache_clear()


@pytest.fixture
def root(tmp_path: Path) -> Iterator[Path]:
    """A repository in which nothing is measured yet."""
    with inside(repository(tmp_path)) as root:
        yield root


@pytest.fixture(scope="module")
def first_read(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a repository in which the test projects were read once, with `first` as the work folder."""
    with inside(repository(tmp_path_factory.mktemp("read"))) as root:
        run(root, "first")
    return root.parent


@pytest.fixture
def read_root(first_read: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy of the repository in which the test projects were read once."""
    shutil.copytree(first_read, tmp_path, symlinks=True, dirs_exist_ok=True)
    with inside(tmp_path / "ours") as root:
        yield root


def run(root: Path, work: str, split: str = "test", seed: int = 1) -> None:
    """One call of the command."""
    main(root.parent / "mirror", root.parent / work, split, None, root / "docs/results", seed=seed, **SIZES)


def reads(root: Path) -> list[ledger.Read]:
    return ledger.reads(root / "models/results" / ledger.NAME)


@pytest.mark.slow
def test_a_read_is_published_and_entered_and_the_third_is_refused(read_root: Path) -> None:
    root = read_root
    found = json.loads((root / "models/results/product.json").read_text(encoding="utf-8"))
    one = found["languages"]["python"]
    assert (found["split"], sorted(one["projects"])) == ("test", ["acme/one", "acme/two"])
    assert one["missing"] == ["acme/absent (not in the mirror)"]
    assert one["rows"]["completions"] == SIZES["identifiers"]
    assert one["rows"]["ghost-text"] == SIZES["ghost_places"]
    assert one["tables"]["next-edits"]["baseline"]["shown"]["n"] >= SIZES["requests"]
    readme = (root / "README.md").read_text(encoding="utf-8")
    assert readme.startswith(f"before\n{BEGIN}\nOn projects that nothing was trained")
    assert "Python, 2 projects" in readme
    assert readme.endswith(f"{END}\nafter\n")
    assert [(row.language, bool(row.finished)) for row in reads(root)] == [("python", True)]
    assert set(reads(root)[0].bundles) == set(one["bundles"]) != set()

    written = {path: path.stat().st_mtime_ns for path in (root.parent / "first").rglob("*.jsonl")}
    run(root, "first")  # going on with a finished read is the same read, and measures nothing
    assert {path: path.stat().st_mtime_ns for path in (root.parent / "first").rglob("*.jsonl")} == written
    assert len(reads(root)) == 1

    (root.parent / "second/test/python").mkdir(parents=True)
    for path in written:
        (root.parent / "second/test/python" / path.name).write_bytes(path.read_bytes())
    run(root, "second")
    with pytest.raises(typer.BadParameter, match=r"^python: .* no third time$"):
        run(root, "third")
    assert len(reads(root)) == 2
    assert not (root.parent / "third").exists()


@pytest.mark.slow
def test_a_part_that_is_read_again_stands_beside_the_others_and_is_refused_before_it_is_read(read_root: Path) -> None:
    root = read_root

    def again(work: str, seed: int) -> None:
        main(root.parent / "mirror", root.parent / work, "test", None, root / "docs/results", part=["next-edits"],
             seed=seed, **SIZES)  # fmt: skip

    with pytest.raises(typer.BadParameter, match="were measured with other seed: measure all parts"):
        again("second", 2)
    assert len(reads(root)) == 1
    again("second", 1)
    one = json.loads((root / "models/results/product.json").read_text(encoding="utf-8"))["languages"]["python"]
    first, second = (read.id for read in reads(root))
    assert (one["read"], {source["read"] for source in one["parts"].values()}) == (second, {first})
    assert {"completions", "next-edits"} < {*one["tables"]}


def test_the_languages_own_server_alone_is_no_read_of_our_bundles(
    read_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = read_root

    def again(work: str) -> None:
        main(root.parent / "mirror", root.parent / work, "test", None, root / "docs/results", part=["other-server"],
             seed=1, server=["python=toyserver --stdio"], **SIZES)  # fmt: skip

    with pytest.raises(typer.BadParameter, match=r"^--part other-server needs --server python=COMMAND$"):
        main(root.parent / "mirror", root.parent / "none", "test", None, root / "docs/results", part=["other-server"],
             seed=1, **SIZES)  # fmt: skip
    assert len(reads(root)) == 1
    rows = [{"server": "toyserver 3", "rank": [0, 0, 0]}]
    monkeypatch.setattr(parts.other_servers, "measure", lambda user, places: rows)
    monkeypatch.setattr(parts, "user_of_other", lambda files, command: nullcontext())
    again("second")
    again("third")
    with pytest.raises(typer.BadParameter, match=r"^python: no bundle of ours .* no third time$"):
        again("fourth")
    assert [bool(read.bundles) for read in reads(root)] == [True, False, False]
    one = json.loads((root / "models/results/product.json").read_text(encoding="utf-8"))["languages"]["python"]
    assert one["tables"]["other-server"]["server"] == "toyserver 3"
    assert (one["read"], one["parts"]["other-server"]["read"]) == (reads(root)[0].id, reads(root)[2].id)


@pytest.mark.slow
def test_renames_are_judged_by_the_program_that_is_given(root: Path) -> None:
    script = root.parent / "references.py"
    script.write_text(REFERENCES, encoding="utf-8")
    main(
        root.parent / "mirror", root.parent / "work", "test", None, root / "docs/results",
        truth=[f"python={sys.executable} {script}"], part=["renames"], **SIZES,
    )  # fmt: skip
    one = json.loads((root / "models/results/product.json").read_text(encoding="utf-8"))["languages"]["python"]
    assert (one["rows"], one["truth"]) == ({"renames": SIZES["renames"]}, "references.py")
    assert one["missing"] == ["acme/absent (not in the mirror)"]


@pytest.mark.slow
def test_a_project_with_few_names_leaves_its_share_to_others(root: Path) -> None:
    small = Repo(root.parent / "mirror/acme+two/repo").put("tests/test_more.py", "x = 1\n")
    (small.root / "shop/orders.py").unlink()
    small.put(
        "shop/small.py", f"amount = 1\nprint(amount)\n{'# padding of a file that is long enough' * 60}\n"
    ).commit()
    script = root.parent / "references.py"
    script.write_text(REFERENCES, encoding="utf-8")
    main(
        root.parent / "mirror", root.parent / "work", "test", None, root / "docs/results",
        truth=[f"python={sys.executable} {script} {{project}}"], part=["renames"], **SIZES | {"renames": 12},
    )  # fmt: skip
    one = json.loads((root / "models/results/product.json").read_text(encoding="utf-8"))["languages"]["python"]
    assert (one["rows"], one["truth"]) == ({"renames": 12}, "references.py")
    work = root.parent / "work/test/python"
    rows = {
        name: (work / f"acme+{name}.renames.jsonl").read_text(encoding="utf-8").splitlines() for name in ("one", "two")
    }
    assert len(rows["two"]) < 6 < len(rows["one"])  # more than the four that are drawn of a file at first
    assert len({json.loads(row).get("where") for row in rows["one"]}) == len(rows["one"])


def test_what_is_only_measured_needs_no_licence(root: Path) -> None:
    for name in ("two", "three"):
        repo = Repo(root.parent / f"mirror/acme+{name}/repo")
        (repo.root / "LICENSE").unlink()
        repo.commit()
    main(
        root.parent / "mirror", root.parent / "work", "test", None, root / "docs/results", part=["check"], **SIZES
    )  # fmt: skip
    one = json.loads((root / "models/results/product.json").read_text(encoding="utf-8"))["languages"]["python"]
    assert sorted(one["projects"]) == ["acme/one", "acme/two"]
    main(
        root.parent / "mirror", root.parent / "work", "dev", ["python"], root / "docs/results", part=["check"], **SIZES
    )  # fmt: skip
    assert not (root.parent / "work/dev").exists()


def test_a_work_folder_of_other_places_is_not_gone_on_with(root: Path) -> None:
    folder = root.parent / "work/test/python"
    folder.mkdir(parents=True)
    read = {
        "id": "1",
        "language": "python",
        "key": "other",
        "bundles": {},
        "sizes": {},
        "seed": 1,
        "commit": "",
        "code": "",
    }
    (folder / "read.json").write_text(json.dumps(read | {"date": "2026-01-01"}), encoding="utf-8")
    with pytest.raises(typer.BadParameter, match=r"holds another read .* give another --work"):
        run(root, "work")
    assert reads(root) == []


def test_the_test_projects_are_read_with_committed_code_only(root: Path) -> None:
    (root / "server/editahead/a.py").write_text("a = 2\n", encoding="utf-8")
    with pytest.raises(typer.BadParameter, match="commit them before the test projects are read"):
        run(root, "work")
    assert reads(root) == []


@pytest.mark.slow
def test_a_try_on_dev_publishes_nothing(root: Path) -> None:
    main(
        root.parent / "mirror", root.parent / "work", "dev", ["python"], root / "docs/results", part=["check"],
        **SIZES,
    )  # fmt: skip
    assert not (root / "docs").exists()
    assert "old" in (root / "README.md").read_text(encoding="utf-8")
    found = json.loads((root.parent / "work/dev/data/product.json").read_text(encoding="utf-8"))
    assert list(found["languages"]["python"]["projects"]) == ["acme/three"]
    assert (root.parent / "work/dev/product.md").exists()


@pytest.mark.slow
def test_a_part_that_fails_is_named_and_tried_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> object:
        raise ValueError("no such thing")

    options = SIZES | {"part": ["check", "next-edits"]}
    with monkeypatch.context() as patch:
        patch.setattr(missed_edits, "measure", broken)
        main(root.parent / "mirror", root.parent / "work", "test", None, root / "docs/results", **options)
    path = root / "models/results/product.json"
    one = json.loads(path.read_text(encoding="utf-8"))["languages"]["python"]
    assert one["missing"][1:] == [f"acme/{name} (check: ValueError no such thing)" for name in ("one", "two")]
    assert set(one["tables"]) == {"next-edits"}
    main(root.parent / "mirror", root.parent / "work", "test", None, root / "docs/results", **options)
    again = json.loads(path.read_text(encoding="utf-8"))["languages"]["python"]
    assert (set(again["tables"]), len(again["missing"])) == ({"next-edits", "check"}, 1)
    assert len(reads(root)) == 1
    main(root.parent / "mirror", root.parent / "work", "test", None, root / "docs/results", **SIZES, part=["check"])
    measured = json.loads(path.read_text(encoding="utf-8"))["languages"]["python"]["rows"]
    assert set(measured) == {"next-edits", "check"}  # what was measured before is not left out


def test_more_than_the_time_is_refused_before_anything_is_opened(root: Path) -> None:
    with pytest.raises(typer.BadParameter, match="are more than --minutes 0"):
        main(root.parent / "mirror", root.parent / "work", "test", None, root / "docs/results", minutes=0.01)
    assert reads(root) == []
