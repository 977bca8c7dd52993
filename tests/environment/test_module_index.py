"""Modules by name and what they offer, read as text: packages, re-exports, bases, aliases, relative imports."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from editahead.environment.exports import file_imports, module_exports
from editahead.environment.module_index import (
    MAX_MODULE_BYTES,
    ModuleIndex,
    ModuleTree,
    library_paths,
    package_of,
    project_paths,
)
from editahead.syntax.chunks.chunked import ChunkedSnapshot, open_snapshot
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer

FILES = {
    "shop/__init__.py": "from .cart import Cart as Basket\nfrom .stock import *\nfrom . import prices\n",
    "shop/cart.py": """import json as _json
from .base import Thing

class Cart(Thing):
    lines: list = []
    limit = 3

    def __init__(self, owner, *, currency="EUR"):
        self.owner = owner
        self.currency: str = currency

    @property
    def total(self) -> int: ...

    class Line: ...

def make(owner, size=1, /, *rest, flag: bool = False, **more) -> Cart:
    return Cart(owner)

if True:
    try:
        import fast
    except ImportError:
        fast = None
A, B = 1, 2
""",
    "shop/base.py": "class Thing(object):\n    def save(self): ...\n",
    "shop/stock.py": '__all__ = ["reserve"]\n_hidden = 1\ndef reserve(): ...\ndef other(): ...\n',
    "shop/prices.py": "",
    "shop/deep/inner.py": "from ..cart import Cart\nfrom ...up import nothing\nclass Own(Cart):\n    extra = 1\n",
    "shop/deep/__init__.py": "",
    "broken.py": "class Half(\n    def x(self:\n\ndef after(): ...\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


@pytest.fixture
def index(project: Path) -> ModuleIndex:
    return ModuleIndex(project)


def snapshot(text: str) -> SyntaxSnapshot:
    language = by_id("python")
    assert language is not None
    return SyntaxSnapshot.open(Buffer(text.encode()), language)


def test_the_top_level_of_a_module_with_its_kinds() -> None:
    names = module_exports(snapshot(FILES["shop/cart.py"]), ("shop",)).names
    assert {name: export.kind for name, export in names.items()} == {
        "_json": "import", "Thing": "import", "Cart": "class", "make": "function", "fast": "import", "A": "variable",
        "B": "variable",
    }  # fmt: skip
    assert names["Cart"].members == {"lines", "limit", "__init__", "owner", "currency", "total", "Line"}
    assert names["Cart"].parameters == ("owner", "currency")
    assert names["Cart"].bases == ("Thing",)
    assert names["make"].parameters[:2] == ("owner", "size")
    assert "flag" in names["make"].parameters
    assert names["_json"].origin == (("json",), None)
    assert names["Thing"].origin == (("shop", "base"), "Thing")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("import os.path", {"os": (("os",), None)}),
        ("import a.b as c", {"c": (("a", "b"), None)}),
        ("from a import b, c as d", {"b": (("a",), "b"), "d": (("a",), "c")}),
        ("from . import b", {"b": (("p", "q"), "b")}),
        ("from .m import b", {"b": (("p", "q", "m"), "b")}),
        ("from ..m import b", {"b": (("p", "m"), "b")}),
        ("try:\n    import a\nexcept ImportError:\n    import b", {"a": (("a",), None), "b": (("b",), None)}),
        ("from a import (\n    b,\n    c,\n)", {"b": (("a",), "b"), "c": (("a",), "c")}),
        ("def f():\n    import hidden", {}),
    ],
)
def test_what_imports_bind(text: str, wanted: dict[str, object]) -> None:
    assert file_imports(snapshot(text), ("p", "q")) == wanted


def test_names_of_a_package_with_stars_and_modules(index: ModuleIndex) -> None:
    assert index.names(("shop",)) == {"Basket", "reserve", "prices", "cart", "base", "stock", "deep"}
    assert index.names(("nowhere",)) is None
    assert index.children(("shop", "deep")) == {"inner"}
    assert {"shop", "broken", "json", "sys"} <= index.children(())


def test_members_come_from_bases_and_through_re_exports(index: ModuleIndex) -> None:
    found = index.members(("shop",), "Basket")
    assert found is not None
    assert {"owner", "total", "save"} <= found
    inherited = index.members(("shop", "deep", "inner"), "Own")
    assert inherited is not None
    assert {"extra", "owner", "save"} <= inherited
    assert index.members(("shop", "cart"), "make") is None
    levels = index.member_levels(("shop", "deep", "inner"), "Own")
    assert levels is not None
    assert levels.keys() == inherited
    assert min(levels.values()) == 0 < max(levels.values())


def test_modules_with_another_name_and_the_standard_library(index: ModuleIndex) -> None:
    assert "join" in (index.names(("os", "path")) or ())
    assert "mkdir" in (index.members(("pathlib",), "Path") or ())
    parser = index.export(("argparse",), "ArgumentParser")
    assert parser is not None
    assert "description" in parser.parameters


def test_broken_text_gives_what_can_be_read(index: ModuleIndex) -> None:
    assert "after" in (index.names(("broken",)) or ())


def test_a_changed_file_is_read_again(index: ModuleIndex, project: Path) -> None:
    assert "later" not in (index.names(("shop", "base")) or ())
    (project / "shop/base.py").write_text(FILES["shop/base.py"] + "later = 1\n")
    os.utime(project / "shop/base.py", (1, 1))
    assert "later" in (index.names(("shop", "base")) or ())


def test_circles_end(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("from b import *\nfrom b import X\nclass K(X): ...\n")
    (tmp_path / "b.py").write_text("from a import *\nfrom a import X\n")
    index = ModuleIndex(tmp_path)
    assert index.export(("a",), "X") is None
    assert index.members(("a",), "K") is None
    (tmp_path / "c.py").write_text("from c import c\nfrom c import *\nclass Self(Self): ...\n")
    assert index.members(("c",), "Self") is None
    assert index.names(("c",)) is not None


def test_no_file_is_opened_that_may_not_be(project: Path) -> None:
    asked: list[Path] = []

    def readable(path: Path) -> bool:
        asked.append(path)
        return path.name != "cart.py"

    index = ModuleIndex(project, None, readable)
    assert index.names(("shop", "cart")) is None
    assert project / "shop/cart.py" in asked


def test_pipes_devices_and_large_files_are_left_alone(tmp_path: Path) -> None:
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.py")
    (tmp_path / "large.py").write_bytes(b"x = 1\n" * (MAX_MODULE_BYTES // 6 + 10))
    index = ModuleIndex(tmp_path)
    assert index.exports(("pipe",)) is None
    assert index.exports(("large",)) is None


def test_links_of_a_project_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "real.py").write_text("x = 1\n")
    inside = tmp_path / "project"
    inside.mkdir()
    (inside / "linked.py").symlink_to(tmp_path / "real.py")
    assert ModuleIndex(inside).exports(("linked",)) is None


def test_links_of_an_environment_are_followed_within_it_alone(tmp_path: Path) -> None:
    packages = tmp_path / "project" / ".venv" / "lib" / "python3.11" / "site-packages"
    packages.mkdir(parents=True)
    (tmp_path / "project" / ".venv" / "pyvenv.cfg").write_text("home = /usr/bin\n")
    (tmp_path / "secret.py").write_text("password = 1\n")
    (packages / "real.py").write_text("size = 1\n")
    (packages / "inner.py").symlink_to(packages / "real.py")
    (packages / "outer.py").symlink_to(tmp_path / "secret.py")
    index = ModuleIndex(tmp_path / "project")
    assert index.names(("inner",)) == {"size"}
    assert index.names(("outer",)) is None


def test_one_question_reads_so_much_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(6):
        (tmp_path / f"m{number}.py").write_text(f"from m{number + 1} import *\n" + "# filler\n" * 100)
    monkeypatch.setattr("editahead.environment.module_index.MAX_READ_BYTES", 2500)
    index = ModuleIndex(tmp_path)
    assert [index.exports((f"m{number}",)) is not None for number in range(4)] == [True, True, False, False]
    index.begin()
    assert [index.exports((f"m{number}",)) is not None for number in range(5)] == [True, True, True, True, False]


def test_unreadable_folders_and_many_entries_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(30):
        (tmp_path / f"m{number}.py").write_text("")
    monkeypatch.setattr("editahead.environment.module_index._MAX_ENTRIES", 10)
    tree = ModuleTree([tmp_path, tmp_path / "missing"])
    assert len(tree.children(())) == 10
    assert tree.file(("m0", "below")) is None


@pytest.mark.parametrize("where", ["", "shop"])
def test_folders_that_may_not_be_read_hold_no_modules(
    where: str, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files that are named can still be read, and the folder is listed once it may be."""
    listed, scandir = list[str](), os.scandir

    def refuse(folder: str | Path) -> object:
        listed.append(str(folder))
        if Path(folder) == project / where:
            raise PermissionError(13, "Permission denied", str(folder))
        return scandir(folder)

    index = ModuleIndex(project)
    with monkeypatch.context() as patched:
        patched.setattr(os, "scandir", refuse)
        assert "os" in index.children(())
        assert ("shop" in index.children(())) is (where != "")
        assert index.file(("shop", "cart")) is None
        assert not index.names(("shop", "deep"))
        assert index.members(("shop",), "Basket") is None
    assert str(project / where) in listed
    assert "Cart" in (index.names(("shop", "cart")) or ())


def test_where_modules_are_looked_for(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    packages = project / ".venv/lib/python3.12/site-packages"
    packages.mkdir(parents=True)
    assert packages not in library_paths(project)  # not an environment without its mark
    (project / ".venv/pyvenv.cfg").write_text("")
    assert library_paths(project)[0] == packages
    (project / "src").mkdir()
    assert project_paths(project, project / "shop/cart.py") == [project, project / "src", project / "shop"]
    assert package_of(project / "shop/deep/inner.py") == ("shop", "deep")
    assert package_of(project / "broken.py") == ()


def test_of_a_large_file_only_the_parts_that_import_are_parsed() -> None:
    language = by_id("python")
    assert language is not None
    filler = "".join(f"def name_{number}():\n    return {number}\n\n\n" for number in range(1000))
    syntax = open_snapshot(Buffer.from_text("import json\n" + filler + "import csv as table\n" + filler), language)
    assert file_imports(syntax, ()) == {"json": (("json",), None), "table": (("csv",), None)}
    assert isinstance(syntax, ChunkedSnapshot)
    parsed = [snapshot for _, snapshot in syntax.chunk_snapshots() if snapshot._tree is not None]
    assert len(parsed) <= 3 < len(syntax.chunk_snapshots())


@pytest.mark.parametrize("stub", ["shop/cart.pyi", "shop/cart/__init__.pyi"])
def test_stubs_go_before_sources(project: Path, stub: str) -> None:
    (project / stub).parent.mkdir(exist_ok=True)
    (project / stub).write_text("class Cart:\n    def typed(self) -> int: ...\n")
    index = ModuleIndex(project)
    assert index.members(("shop", "cart"), "Cart") == {"typed"}
    assert index.members(("shop",), "Basket") == {"typed"}


def test_modules_with_a_stub_alone(project: Path) -> None:
    (project / "compiled.pyi").write_text("def run() -> int: ...\n")
    index = ModuleIndex(project)
    assert "compiled" in index.project_children(())
    assert index.names(("compiled",)) == {"run"}


@pytest.mark.parametrize(("module", "some"), [("time", "time sleep"), ("os", "access path walk"), ("math", "sqrt pi")])
def test_modules_without_a_source_file(project: Path, module: str, some: str) -> None:
    assert set(some.split()) <= (ModuleIndex(project).names((module,)) or set())
