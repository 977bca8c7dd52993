"""Stored files: what is restored is what reading would give, and nothing else is used or kept."""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Collection
from pathlib import Path

import msgspec
import numpy as np
import pytest
from editahead.index import project as project_module
from editahead.index import stored_files
from editahead.index.lexicon import lexicon_of, names_in
from editahead.index.project import ProjectIndex
from editahead.index.sliced_work import finish
from editahead.index.stored_files import IndexedFile, StoredFile, decode_entry, digest_of, encode_entry
from editahead.index.stream_table import StreamTable
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

    def load(self) -> None:
        self._loaded = dict(self.files)

    def take(self, where: str) -> StoredFile | None:
        return self._loaded.pop(where, None)

    def put(self, where: str, file: StoredFile) -> None:
        self.files[where] = file

    def keep(self, files: Collection[str]) -> None:
        self.files = {where: file for where, file in self.files.items() if where in files}


class Reads:
    """Counts files that are read, and files whose names are counted."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.read: list[str] = []
        self.lexed = 0
        read, lex = project_module.read_candidate, project_module.names_in

        def counted_read(root: Path, candidate: project_module.CandidateFile) -> Buffer | None:
            self.read.append(candidate.where)
            return read(root, candidate)

        def counted_lex(*arguments: object) -> object:
            self.lexed += 1
            return lex(*arguments)  # type: ignore[arg-type]

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
        "languages": Settings(languages={"python": False}),
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
