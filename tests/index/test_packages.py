"""Which files may use what one file of a package declares, and which type a written one leads to."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from editahead.index.packages import FilePackage, ProjectPackages, build_packages, package_of
from editahead.index.project import ProjectIndex
from editahead.index.sliced_work import finish
from editahead.settings import Settings

from tests.growth import assert_linear

FILES = {
    "main/a/b/Cart.java": "package a.b;\n\npublic class Cart {\n  enum State { NEW }\n  int total() { return 1; }\n}\n",
    "main/a/b/Order.java": "package a.b;\nclass Order { Cart cart; }\n",
    "main/a/b/Empty.java": "package a.b;\nclass Empty { int total; }\n",
    "test/a/b/CartTest.java": "/* a */ package a.b;\nclass CartTest { Cart cart = new Cart(); }\n",
    "main/c/Shop.java": "package c;\nimport a.b.Cart;\nclass Shop { Cart cart; }\n",
    "main/c/All.java": "package c;\nimport a.b.*;\nclass All { Cart cart; }\n",
    "main/c/Static.java": "package c;\nimport static a.b.Cart.total;\nclass Static { int a = total(); Object Cart; }\n",
    "main/c/Inner.java": "package c;\nimport a.b.Cart.State;\nclass Inner { State a; String Cart; }\n",
    "main/c/Other.java": "package c;\nimport a.b.Order;\nclass Other { Object Cart; }\n",
    "main/d/Cart.java": "package d;\nrecord Cart(int a) { }\n",
    "main/d/Mall.java": "package d;\nclass Mall { Cart cart; }\n",
    "main/a/b/Mall.java": "package a.b;\nclass Mall { class Order { } }\n",
    "Loose.java": "class Loose { }\n",
    "far/Free.java": "class Free { Loose a; }\n",
    "Near.java": "class Near { Loose a; }\n",
    "build/made/a/b/Made.java": "package a.b;\nclass Made { Cart cart; }\n",
    "main/a/build/Tool.java": "package a.build;\nimport a.b.Cart;\nclass Tool { Cart cart; }\n",
}
HOME = "main/a/b/Cart.java"


@pytest.fixture
def packages(tmp_path: Path) -> ProjectPackages:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    index = ProjectIndex(tmp_path, Settings())
    finish(index.build())
    return index.ngrams("java").imports.packages


def test_what_a_file_says_of_packages(packages: ProjectPackages) -> None:
    assert packages.files[HOME] == FilePackage("a.b", (), ("Cart", "State"))
    assert packages.files["main/c/Static.java"] == FilePackage("c", ("a.b.Cart.total",), ("Static",))
    assert packages.files["main/d/Cart.java"].types == ("Cart",)
    assert package_of(FILES["test/a/b/CartTest.java"].encode()) == "a.b"


def test_the_files_that_may_use_a_type_and_a_member(packages: ProjectPackages) -> None:
    assert sorted(packages.users("Cart", HOME)) == [
        "main/a/b/Order.java", "main/a/build/Tool.java", "main/c/All.java", "main/c/Inner.java", "main/c/Shop.java",
        "main/c/Static.java", "test/a/b/CartTest.java",
    ]  # fmt: skip
    assert list(packages.users("total", HOME)) == ["main/c/Static.java"]
    assert list(packages.users("Loose", "Loose.java")) == ["Near.java"]
    assert list(packages.users("Cart", "main/nowhere.java")) == []


def test_a_package_that_declares_a_type(packages: ProjectPackages) -> None:
    assert packages.has_type("Cart", "d")
    assert not packages.has_type("Cart", "c")
    assert packages.has_type("Cart", "a.b")
    assert not packages.has_type("Cart", "a.b", HOME)


@pytest.mark.parametrize(
    ("written", "here", "home", "expected"),
    [
        ("a.b.Cart", "main/c/Shop.java", HOME, True),
        ("a.b.Order", "main/c/Shop.java", "main/a/b/Order.java", False),  # another file of the package has it, too
        ("Cart", "main/a/b/Order.java", HOME, True),  # that of the package, whatever another one has
        ("Cart", "main/c/All.java", HOME, False),  # some import may mean the other one
        ("Empty", "main/c/All.java", "main/a/b/Empty.java", True),
        ("Order", "main/a/b/Empty.java", "main/a/b/Order.java", False),
    ],
)
def test_where_a_type_leads(packages: ProjectPackages, written: str, here: str, home: str, expected: bool) -> None:
    assert packages.is_import_of(written, here, home) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b"package a.b;", "a.b"),
        (b"\xef\xbb\xbf\n// package x;\n/* package y; **/ package a ;", "a"),
        (b"class A { }\npackage b;", ""),
        (b"/* package a;", ""),
        (b"", ""),
    ],
)
def test_the_package_of_a_file(text: bytes, expected: str) -> None:
    assert package_of(text) == expected


def test_the_package_behind_many_comments_is_found_in_linear_time() -> None:
    assert_linear(lambda size: lambda: package_of(b"/* a */ // b\n" * size), 10_000)


def test_an_index_that_follows_changes_equals_a_new_one(tmp_path: Path, packages: ProjectPackages) -> None:
    index = ProjectIndex(tmp_path, Settings())
    finish(index.build())
    (tmp_path / "main/c/Shop.java").write_text("package c;\nimport d.Cart;\nclass Shop { Cart cart; }\n")
    (tmp_path / "main/c/All.java").unlink()
    finish(index.update(["main/c/Shop.java", "main/c/All.java"]))
    followed = index.ngrams("java").imports.packages
    assert "main/c/All.java" not in followed.files
    assert list(followed.users("Cart", "main/d/Cart.java")) == ["main/c/Shop.java", "main/d/Mall.java"]


def test_it_is_linear() -> None:
    def work(size: int) -> Callable[[], object]:
        files = {
            f"m{n}/C{n}.java": FilePackage(f"m{n // 9}", (f"m{n // 3}.C{n}", "m0.*"), (f"C{n}",)) for n in range(size)
        }
        return lambda: list(finish(build_packages(files, None)).users("C0", "m0/C0.java"))

    assert_linear(work, 4000)
