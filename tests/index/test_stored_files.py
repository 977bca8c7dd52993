"""Stored files: what is restored is what reading would give, and nothing else is used or kept."""

from __future__ import annotations

import os
import time
import zlib
from pathlib import Path

import msgspec
import numpy as np
import pytest
from editahead.index import project as project_module
from editahead.index import stored_files
from editahead.index.documents import OpenText
from editahead.index.lexicon import lexicon_of, names_in
from editahead.index.project import ProjectIndex
from editahead.index.sliced_work import finish
from editahead.index.stored_files import IndexedFile, StoredFile, decode_entry, digest_of, encode_entry
from editahead.index.stream_table import StreamTable
from editahead.index.types import IndexState
from editahead.index.walk import MAX_BYTES, CandidateFile, read_candidate
from editahead.settings import Settings
from editahead.syntax.language import by_path
from editahead.text.buffer import Buffer
from hypothesis import given
from hypothesis import strategies as st

from tests.index.trees import content, names, plant

FILES: dict[str, str | bytes] = {
    "pkg/__init__.py": "from .shop import sell\n",
    "pkg/shop.py": "import os\nfrom pkg.tools import wrap\n\ndef sell(item):\n    return wrap(item, 17) + 'quoted'\n",
    "pkg/tools.py": "class Tools:  # a comment\n    def wrap(self, item):\n        return item\n",
    "web/a.ts": "import { one, two } from './b';\nexport const three = one + two;\n",
    "web/b.ts": "export const one = 1;\nexport function two() { return one; }\n",
    "java/A.java": "package shop.a;\nimport shop.b.B;\nclass A { B other; }\n",
    "cpp/a.cpp": '#include "b.hpp"\nint used(int value) { return value; }\n',
    "main.go": 'package main\nimport "fmt"\nfunc main() { fmt.Println("x") }\n',
    "plain.lua": "local lamp = 1\nreturn lamp\n",
    "empty.py": "",
    "made.py": "# @generated\nhidden = 1\n",
    "binary.py": b"a = 1\0\n",
}


class MemoryStore:
    """A store in a dictionary, as it would be on disk."""

    def __init__(self) -> None:
        self.files: dict[str, StoredFile] = {}
        self._loaded: dict[str, StoredFile] = {}

    def load(self) -> int:
        self._loaded = dict(self.files)
        return len(self.files)

    def take(self, where: str) -> StoredFile | None:
        return self._loaded.pop(where, None)

    def put(self, where: str, file: StoredFile | None) -> None:
        if file is None:
            self.files.pop(where, None)
        else:
            self.files[where] = file

    def flush(self) -> None:
        for where in self._loaded:
            self.files.pop(where, None)
        self._loaded = {}


class Reads:
    """Counts files that are read, and files whose names are counted."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.read: list[str] = []
        self.lexed = 0

        def counted_read(root: Path, candidate: CandidateFile) -> Buffer | None:
            self.read.append(candidate.where)
            return read_candidate(root, candidate)

        def counted_lex(*arguments: object) -> object:
            self.lexed += 1
            return names_in(*arguments)  # type: ignore[arg-type]

        monkeypatch.setattr(project_module, "read_candidate", counted_read)
        monkeypatch.setattr(project_module, "names_in", counted_lex)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(project_module, "_SETTLED", -(10**15))  # files that were written just now count as old
    return plant(tmp_path / "shop", FILES)


def build(root: Path, store: MemoryStore | None, settings: Settings | None = None) -> ProjectIndex:
    index = ProjectIndex(root, settings or Settings(), store=store)
    finish(index.build())
    return index


def everything(index: ProjectIndex) -> dict[str, object]:
    """All that an index answers with."""
    known: dict[str, object] = {"state": index.state}
    for family, view in index._views.items():
        arrays = (view.counts_N, view.spread_N, view.file_N, view.line_N)
        known[family] = view.words, view.files, [array.tolist() for array in arrays]
    for family, ngrams in index._ngrams.items():
        texts = ngrams.words.texts
        known[f"{family} n-grams"] = ngrams.spans, [texts[number] for number in ngrams.stream_T.tolist()]
        imports = ngrams.imports
        known[f"{family} imports"] = imports.paths, imports.declaring, imports.votes("", (), None)
        known[f"{family} packages"] = imports.packages.files
    return known


def test_what_is_restored_is_what_reading_gives_and_no_file_is_opened(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, reads = MemoryStore(), Reads(monkeypatch)
    plain = everything(build(root, None))
    assert everything(build(root, store)) == plain
    assert set(store.files) == set(FILES)
    assert len(reads.read) == 2 * len(FILES)
    assert everything(build(root, store)) == plain
    assert len(reads.read) == 2 * len(FILES), "of the second session nothing"


def recorded(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool, bool]]:
    """The files that are read from now on, whether urgently, and whether names of Python are in a view by then."""
    read: list[tuple[str, bool, bool]] = []
    original = ProjectIndex._read

    def record(project: ProjectIndex, candidate: CandidateFile) -> object:
        read.append((candidate.where, project.is_restoring, bool(names(project))))
        return original(project, candidate)

    monkeypatch.setattr(ProjectIndex, "_read", record)
    return read


def test_what_is_as_it_was_is_restored_first_and_of_it_what_the_open_document_needs(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, text = MemoryStore(), "import lib.money\n"
    unchanged = ["lib/money.py", "app/beside.py", "app/main.py", "far/away/late.py"]
    changed = ["app/changed.py", "far/away/changed.py"]
    files: dict[str, str | bytes] = {**dict.fromkeys((*unchanged, *changed), "alpha = 1\n"), "app/main.py": text}
    root = plant(root.parent / "ordered", files)
    os.utime(root / "app/main.py", (1e9, 1e9))
    build(root, store)
    plant(root, dict.fromkeys(changed, "beta = 1\n"))
    language = by_path("main.py")
    assert language is not None
    document = OpenText("file:///main.py", root / "app/main.py", root, language, Buffer.from_text(text))
    index, told = ProjectIndex(root, Settings(), None, lambda: (document,), store), list[IndexState]()
    index._changed = told.append
    read = recorded(monkeypatch)
    finish(index.build())
    assert read == [*((where, True, False) for where in unchanged), *((where, False, True) for where in changed)]
    assert not index.is_restoring
    assert {state.to_read for state in told} == {0, 2}, "progress is that of what is read again"
    assert everything(index) == everything(build(root, None))


def test_nothing_is_urgent_where_nothing_is_stored(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = recorded(monkeypatch)
    build(root, MemoryStore())
    assert len(read) == len(FILES)
    assert not any(is_urgent for _, is_urgent, _ in read)


@pytest.mark.parametrize("is_changed", [False, True])
def test_a_cancelled_build_keeps_what_it_did_not_reach(root: Path, is_changed: bool) -> None:
    store = MemoryStore()
    build(root, store)
    before = dict(store.files)
    (root / "pkg/tools.py").unlink()
    if is_changed:
        plant(root, {where: f"beta = 1  # {where}\n" for where in ("main.go", "web/a.ts")})
    index = ProjectIndex(root, Settings(), store=store)
    for _ in index.build():
        if len(index._table) == 3:
            index.cancel()
    assert 3 <= len(index._table) <= 4
    del before["pkg/tools.py"]
    assert store.files == before
    plant(root, {"web/.gitignore": "b.ts\n"})
    finish(index.update(["web/.gitignore"]))
    assert "web/b.ts" not in store.files, "it is ignored since"
    finish(build(root, store).update([]))
    assert set(store.files) == set(before) - {"web/b.ts"}
    assert everything(build(root, store)) == everything(build(root, None))


@pytest.mark.parametrize("is_running", [False, True])
@pytest.mark.parametrize("limit", ["bytes", "names"])
def test_an_entry_of_a_file_that_has_grown_beyond_a_limit_leaves_the_store(
    root: Path, is_running: bool, limit: str
) -> None:
    store = MemoryStore()
    settings = Settings(index_max_names=300) if limit == "names" else Settings()
    index = build(root, store, settings)
    assert "pkg/shop.py" in store.files
    grown = "a = 1\n" * (MAX_BYTES // 6 + 1) if limit == "bytes" else "\n".join(f"grown_{n} = 1" for n in range(2_000))
    plant(root, {"pkg/shop.py": grown})
    if is_running:
        finish(index.update(["pkg/shop.py"]))
    else:
        build(root, store, settings)
    assert set(store.files) == set(FILES) - {"pkg/shop.py"}


def test_changed_new_and_deleted_files_are_read_and_dropped(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, reads = MemoryStore(), Reads(monkeypatch)
    build(root, store)
    plant(root, {"pkg/shop.py": "def lend(item): pass\n", "pkg/new.py": "fresh = 1\n"})
    (root / "pkg/tools.py").unlink()
    reads.read.clear()
    index = build(root, store)
    assert sorted(reads.read) == ["pkg/new.py", "pkg/shop.py"]
    assert everything(index) == everything(build(root, None))
    assert "pkg/tools.py" not in store.files
    assert everything(build(root, store)) == everything(index)


def test_a_change_of_the_same_size_with_its_time_set_back_is_seen(root: Path) -> None:
    store, path = MemoryStore(), root / "pkg/tools.py"
    build(root, store)
    status = path.stat()
    path.write_text(path.read_text().replace("Tools", "Spoon"))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (status.st_size, status.st_mtime_ns)
    index = build(root, store)
    assert "Spoon" in names(index)
    assert "Tools" not in names(index)


def test_a_file_that_was_written_just_before_it_was_read_is_compared_by_its_content(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A clock in the future looks the same."""
    monkeypatch.setattr(project_module, "_SETTLED", 2 * 10**9)
    store, reads = MemoryStore(), Reads(monkeypatch)
    build(root, store)
    assert {file.fingerprint.changed for file in store.files.values()} == {-1}
    monkeypatch.setattr(project_module, "_SETTLED", -(10**15))
    reads.read.clear()
    reads.lexed = 0
    build(root, store)
    assert len(reads.read) == len(FILES)
    assert reads.lexed == 0
    reads.read.clear()
    build(root, store)
    assert reads.read == [], "their times are known now"


def test_a_file_that_was_touched_is_read_but_not_counted_again(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, reads = MemoryStore(), Reads(monkeypatch)
    build(root, store)
    os.utime(root / "pkg/shop.py", ns=(0, time.time_ns() + 10**12))
    reads.read.clear()
    reads.lexed = 0
    assert everything(build(root, store)) == everything(build(root, None))
    assert (reads.read[0], reads.lexed) == ("pkg/shop.py", len(FILES) - 2), "the second index has no store"


@pytest.mark.parametrize("rule", ["exclude", "secrets", "languages", "gitignore"])
def test_the_rules_of_now_decide_what_is_used_and_what_stays(root: Path, rule: str) -> None:
    store = MemoryStore()
    build(root, store)
    settings = {
        "exclude": Settings(exclude=("pkg/shop.py",)),
        "secrets": Settings(secrets=("shop.py",)),
        "languages": Settings(languages=(("python", False),)),
        "gitignore": Settings(),
    }[rule]
    if rule == "gitignore":
        plant(root, {".gitignore": "shop.py\n"})
    index = build(root, store, settings)
    assert "sell" in names(build(root, None)) or rule == "gitignore"
    assert "pkg/shop.py" not in store.files
    assert everything(index) == everything(build(root, None, settings))


def test_a_file_that_is_excluded_while_the_server_runs_is_not_kept(root: Path) -> None:
    store = MemoryStore()
    index = build(root, store)
    plant(root, {"pkg/.gitignore": "shop.py\n"})
    finish(index.update(["pkg/.gitignore"]))
    assert set(store.files) == set(FILES) - {"pkg/shop.py"}


def test_a_file_that_is_saved_is_stored(root: Path) -> None:
    store = MemoryStore()
    index = build(root, store)
    plant(root, {"pkg/shop.py": "def lend(item): pass\n"})
    finish(index.update(["pkg/shop.py"]))
    plain = content(build(root, None))
    assert content(build(root, store)) == plain
    assert "lend" in plain


def test_damaged_entries_are_read_again(root: Path) -> None:
    store = MemoryStore()
    plain = everything(build(root, store))
    damages = [b"", b"rubbish", zlib.compress(b"\xc1"), zlib.compress(msgspec.msgpack.encode([1]))]
    for number, (where, file) in enumerate(list(store.files.items())):
        data = file.data[:-3] if number % 5 == 4 else damages[number % 5]
        store.files[where] = file._replace(data=data)
    assert everything(build(root, store)) == plain
    assert all(decode_entry(file.data, "python") or not where.endswith(".py") for where, file in store.files.items())


def entry_of(text: str, name: str = "a.py") -> IndexedFile:
    language = by_path(name)
    assert language is not None
    lexicon, buffer, streams = lexicon_of(language), Buffer.from_text(text), StreamTable(10_000)
    assert lexicon is not None
    finish(streams.read(name, buffer, lexicon))
    tokens = streams.tokens_of(name, lexicon.family)
    assert tokens is not None
    return IndexedFile(lexicon.family, finish(names_in(buffer, lexicon)), *tokens)


def test_neither_quoted_text_nor_comments_nor_long_numbers_are_stored() -> None:
    text = 'okapi = \'quagga\'  # zebroid\n"""numbat"""\nserval = 123456\ndef tapir(): return f"{okapi} potto"\n'
    raw = zlib.decompress(encode_entry(entry_of(text)))
    for word in (b"quagga", b"zebroid", b"numbat", b"123456", b"potto"):
        assert word not in raw
    for word in (b"okapi", b"serval", b"tapir"):
        assert word in raw
    script = zlib.decompress(encode_entry(entry_of("import { a } from './quagga';\nlet b = 'okapi';\n", "a.ts")))
    assert b"quagga" in script, "a path that is imported is a name"
    assert b"okapi" not in script


@given(st.binary(max_size=200))
def test_any_bytes_are_an_entry_or_none(data: bytes) -> None:
    for raw in (data, zlib.compress(data)):
        entry = decode_entry(raw, "python")
        assert entry is None or entry.family == "python"


def test_entries_that_point_outside_of_their_words_or_are_too_large_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    good = entry_of("okapi = quagga\n")
    assert decode_entry(encode_entry(good), "python") is not None
    assert decode_entry(encode_entry(good), "java") is None
    assert decode_entry(encode_entry(good._replace(texts=good.texts[:-1])), "python") is None
    assert good.names is not None
    good.names.words[0] = "no name"
    assert decode_entry(encode_entry(good), "python") is None
    monkeypatch.setattr(stored_files, "MAX_ENCODED", 10_000)
    bomb = entry_of("a = 1\n")._replace(texts=["a" * 10_000_000])
    assert len(encode_entry(bomb)) < 100_000
    assert decode_entry(encode_entry(bomb), "python") is None


def test_what_does_not_fit_the_limits_of_the_index_is_not_stored_in_part(root: Path) -> None:
    store = MemoryStore()
    plant(root, {f"many/m{number}.py": "\n".join(f"name_{number}_{n} = 1" for n in range(200)) for number in range(8)})
    settings = Settings(index_max_names=300)
    plain = everything(build(root, None))
    build(root, store, settings)
    assert everything(build(root, store)) == plain, "with a higher limit all is read"


def test_digests_differ_by_content() -> None:
    assert digest_of(None) == b""
    assert digest_of(Buffer.from_text("a")) != digest_of(Buffer.from_text("b"))
    assert np.array_equal(entry_of("a = b\n").stream_T, entry_of("a = b\n").stream_T)
