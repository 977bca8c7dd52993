"""Imports of modules that a change deleted or renamed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from editahead.check.left_imports import is_replaced

from tests.check.changes import file, found, gone, kinds, other, told
from tests.check.repos import Repo, checked
from tests.growth import assert_linear

PRICES = "def price(item):\n    return item.price\n\nRATE = 2\n"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    return Repo(tmp_path / "repo")


def test_an_import_from_a_deleted_module_is_left_behind() -> None:
    user = other("from pkg.prices import RATE, price\n\nprint(price(RATE))\n", "use.py")
    assert told(found(gone(PRICES, "pkg/prices.py"), others=[user])) == [
        ("use.py", 1, "removed-import", "imports `RATE` from pkg/prices.py, which this change deleted"),
        ("use.py", 1, "removed-import", "imports `price` from pkg/prices.py, which this change deleted"),
    ]


def test_a_renamed_module_says_where_it_went() -> None:
    user = other("from .prices import price\n", "pkg/use.py")
    (row,) = found(gone(PRICES, "pkg/prices.py", "pkg/costs.py"), others=[user])
    assert row.reason == "imports `price` from pkg/prices.py, which this change renamed to pkg/costs.py"
    module = other("from pkg import prices\n\nprices.price(1)\n", "use.py")
    assert [(one.line, one.name) for one in found(gone(PRICES, "pkg/prices.py", "pkg/costs.py"), others=[module])] == [
        (2, "price")
    ]


def test_a_changed_file_of_the_same_change_is_looked_at_too() -> None:
    user = file("from .prices import price\n", "from .prices import price\n\nprint(price)\n", "pkg/use.py")
    assert kinds(user, gone(PRICES, "pkg/prices.py")) == [("removed-import", "price")]


@pytest.mark.parametrize("where", ["a.ts", "a.tsx", "b/use.js"])
def test_files_of_typescript_and_javascript_import_from_one_another(where: str) -> None:
    module = "../shop" if "/" in where else "./shop"
    user = other(f"import {{ price }} from '{module}';\nprice();\n", where)
    assert kinds(gone("export function price() {}\n", "shop.ts"), others=[user]) == [("removed-import", "price")]
    lost = file("export function price() {}\n", "export function cost() {}\n", "shop.ts")
    assert kinds(lost, others=[user]) == [("removed-import", "price")]


def test_a_library_may_have_the_name_of_a_deleted_module() -> None:
    user = other("from six import moves\n", "use.py")
    assert kinds(gone("moves = 1\n", "six.py"), others=[user]) == []
    assert kinds(gone("moves = 1\n", "six.py", "lib/seven.py"), others=[user]) == [("removed-import", "moves")]


@pytest.mark.parametrize(
    ("path", "now", "name"),
    [
        ("pkg/a.py", "pkg/a/__init__.py", ""),
        ("pkg/a/__init__.py", "pkg/a.py", ""),
        ("pkg/a.py", "pkg/a.pyx", ""),
        ("pkg/a.py", "pkg/a/one.py", "one"),
        ("src/a.ts", "src/a/index.ts", ""),
        ("src/a.js", "src/a.ts", ""),
    ],
)
def test_another_file_may_be_the_module_now(path: str, now: str, name: str) -> None:
    assert is_replaced(path, {now}.__contains__, name)
    assert not is_replaced(path, {path, f"other/{now}"}.__contains__, name)


def test_what_a_folder_of_the_same_name_holds_is_still_there() -> None:
    one = other("", "pkg/prices/price.py")
    user = other("from pkg.prices import RATE, price\n", "use.py")
    assert kinds(gone(PRICES, "pkg/prices.py"), others=[user, one]) == [("removed-import", "RATE")]


def test_files_that_go_from_a_repository(repo: Repo) -> None:
    repo.put("pkg/__init__.py", "").put("pkg/prices.py", PRICES * 3).put("pkg/made.py", "version = '1'\n")
    repo.put("use.py", "from pkg.made import version\nfrom pkg.prices import price\n\nprint(price, version)\n").commit()
    repo.git("rm", "-q", "pkg/made.py")
    assert [(one.line, one.name) for one in checked(repo).leftovers] == [(0, "version")]
    repo.put(".gitignore", "made.py\n")  # a program writes it from now on
    assert checked(repo).leftovers == ()
    repo.git("mv", "pkg/prices.py", "pkg/costs.py")
    assert [(one.line, one.reason) for one in checked(repo).leftovers] == [
        (1, "imports `price` from pkg/prices.py, which this change renamed to pkg/costs.py")
    ]
    repo.put("use.py", "from pkg.made import version\nfrom pkg.costs import price\n\nprint(price, version)\n")
    assert checked(repo).leftovers == ()


def test_a_module_that_becomes_a_package_is_still_there(repo: Repo) -> None:
    repo.put("pkg/prices.py", PRICES * 3).put("use.py", "from pkg.prices import price\n\nprint(price)\n").commit()
    (repo.root / "pkg" / "prices").mkdir()
    repo.git("mv", "pkg/prices.py", "pkg/prices/__init__.py")
    assert checked(repo).leftovers == ()


def test_the_work_grows_with_what_is_gone() -> None:
    users = [other(f"from pkg.prices{n} import price\n", f"use{n}.py") for n in range(20)]

    def work(count: int) -> Callable[[], object]:
        return lambda: found(*(gone(PRICES, f"pkg/prices{n}.py") for n in range(count)), others=users)

    assert len(found(*(gone(PRICES, f"pkg/prices{n}.py") for n in range(3)), others=users)) == 3
    assert_linear(work, 40)


def test_a_deleted_module_counts_as_a_changed_file(repo: Repo) -> None:
    repo.put("pkg/prices.py", PRICES).put("use.py", "from pkg.prices import RATE\n\nprint(RATE)\n").commit()
    (repo.root / "pkg/prices.py").unlink()
    found_now = checked(repo)
    assert (found_now.files, [one.name for one in found_now.leftovers]) == (1, ["RATE"])
