"""Repositories and bundles made to hurt: the server goes on, and the good files beside them are served."""

from __future__ import annotations

import io
import os
import socket
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from editahead.bench.drive import memory_mb
from editahead.bench.sources import ReplayedRepository as BenchRepository
from editahead.bench.stdio_client import StdioClient, server_command
from editahead.check.git import CheckedRepository, CheckError
from editahead.recording.session_file import SessionError
from editahead.runtime.bundle import BundleError, load_bundle
from editahead_models.export.bundle_writer import write_bundle

GOOD = "class Warehouse:\n    def restock(self, quantity):\n        self.quantity = quantity\n        return quantity\n"
GIGABYTE = 1 << 30
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links, pipes and names as POSIX has them")


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A workspace with one good file and everything that should not be followed, read or waited for."""
    root = tmp_path / "project"
    (root / "src").mkdir(parents=True)
    (root / "src" / "good.py").write_text(GOOD, encoding="utf-8")
    (root / "loop").symlink_to(root)
    (root / "src" / "up").symlink_to("..")
    (root / "a.py").symlink_to("b.py")
    (root / "b.py").symlink_to("a.py")
    (root / "outside.py").symlink_to("/etc/passwd")
    (root / "zero.py").symlink_to("/dev/zero")
    with (root / "huge.py").open("wb") as huge:
        huge.truncate(GIGABYTE)
    (root / "new\nline.py").write_text("newlinename = 1\n", encoding="utf-8")
    os.close(os.open(os.fsencode(root) + b"/bad\xff.py", os.O_CREAT | os.O_WRONLY))
    (root / ".git").write_text("gitdir: .git\n", encoding="utf-8")
    (root / ".gitignore").mkdir()
    os.mkfifo(root / "pipe.py")
    with socket.socket(socket.AF_UNIX) as listener:
        here = Path.cwd()
        os.chdir(root)  # the path of such a socket must be short
        try:
            listener.bind("socket.py")
        finally:
            os.chdir(here)
    deep = root / "deep"
    for _ in range(150):
        deep = deep / "d"
    deep.mkdir(parents=True)
    (root / "long.py").write_text("x = [" + "1, " * 300_000 + "]\n", encoding="utf-8")
    (root / "nested.py").write_text("(" * 100_000, encoding="utf-8")
    return root


@pytest.fixture
def client() -> Iterator[StdioClient]:
    with StdioClient(server_command(), timeout=60.0) as client:
        yield client


def begin(client: StdioClient, root: Path) -> None:
    folder = {"uri": root.as_uri(), "name": "w"}
    client.request("initialize", {"processId": None, "capabilities": {}, "workspaceFolders": [folder]})
    client.notify("initialized", {})


def put(client: StdioClient, path: Path, text: str) -> str:
    uri = path.as_uri()
    document = {"uri": uri, "languageId": "python", "version": 1, "text": text}
    client.notify("textDocument/didOpen", {"textDocument": document})
    return uri


def labels(client: StdioClient, uri: str, line: int, character: int) -> list[str]:
    place = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
    return [item["label"] for item in client.request("textDocument/completion", place).result["items"]]


def indexed(method: str, params: Any) -> bool:
    index = params.get("index") if method == "didChangeStatus" else None
    return index is not None and index["building"] is None


@pytest.mark.slow
def test_a_hostile_workspace_is_read_to_its_end_and_the_good_file_serves(hostile: Path, client: StdioClient) -> None:
    begin(client, hostile)
    uri = put(client, hostile / "new.py", "from good import Wareh\n")
    assert client.wait_for(indexed, 60.0)
    index = client.request("editahead/stats", {}).result["index"]
    assert index["files"] <= 3  # the good one, and at most the two that are merely odd
    assert "Warehouse" in labels(client, uri, 0, 22)
    resident, _ = memory_mb(client.pid)
    assert not resident > 600  # MB; a gigabyte was not read


@pytest.mark.parametrize("text", ["gitdir: .git\n", "gitdir: /nonexistent\n", "", "\0" * 100, "gitdir: \n" * 1000])
def test_a_git_file_that_leads_nowhere_is_one_line(tmp_path: Path, text: str) -> None:
    (tmp_path / ".git").write_text(text, encoding="utf-8")
    with pytest.raises(CheckError) as caught:
        CheckedRepository.around(tmp_path)
    assert "\n" not in str(caught.value)
    with pytest.raises(SessionError) as bench:
        BenchRepository(tmp_path).commit("HEAD")
    assert "\n" not in str(bench.value)


def bomb(size: int) -> bytes:
    """An .npz file of some kilobytes with an array of `size` bytes."""
    out = io.BytesIO()
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(head, {"descr": "|u1", "fortran_order": False, "shape": (size,)})
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("a.npy", "w") as member:
        member.write(head.getvalue())
        for _ in range(size >> 20):
            member.write(bytes(1 << 20))
    return out.getvalue()


def test_a_bomb_in_a_bundle_is_refused_before_it_unfolds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("editahead.runtime.bundle.MAX_ARRAY_BYTES", 8 << 20)
    data = bomb(16 << 20)
    assert len(data) < 1 << 16
    bundle = write_bundle(
        tmp_path / "toy-any-1", family="toy", language="any", files={"big.npz": data}, manifest={"version": "1"}
    )
    monkeypatch.setattr(np, "load", lambda *more, **named: pytest.fail("it was unpacked"))
    with pytest.raises(BundleError, match="unpacked") as caught:
        bundle.arrays("big.npz")
    assert "\n" not in str(caught.value)


def test_an_array_that_says_it_is_larger_than_it_is_is_refused(tmp_path: Path) -> None:
    out, head = io.BytesIO(), io.BytesIO()
    np.lib.format.write_array_header_1_0(head, {"descr": "<f8", "fortran_order": False, "shape": (1 << 55,)})
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.npy", head.getvalue() + bytes(80))
    bundle = write_bundle(
        tmp_path / "toy-any-1", family="toy", language="any", files={"a.npz": out.getvalue()}, manifest={"version": "1"}
    )
    with pytest.raises(BundleError):
        bundle.arrays("a.npz")


@pytest.mark.parametrize("text", ["[" * 200_000, '{"a":' * 200_000, '"\\ud800"', "1e999", "[NaN]"])
def test_a_vocabulary_that_is_nested_without_end_is_refused(tmp_path: Path, text: str) -> None:
    bundle = write_bundle(
        tmp_path / "toy-any-1", family="toy", language="any", files={"vocab.json": text.encode()},
        manifest={"version": "1"},
    )  # fmt: skip
    with pytest.raises(BundleError) as caught:
        bundle.vocab()
    assert "\n" not in str(caught.value)
    (tmp_path / "toy-any-1" / "manifest.json").write_text(text, encoding="utf-8")
    with pytest.raises(BundleError):
        load_bundle(tmp_path / "toy-any-1")
