"""Which files import what one of them declares: by where an import leads, not by how it is spelled."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest
from editahead.index.importers import importers, is_import_of
from editahead.index.packages import FilePackage, build_packages
from editahead.index.project_imports import FileImports, ProjectImports, build_project_imports
from editahead.index.sliced_work import finish

from tests.growth import assert_linear

PACKAGES = frozenset({"shop", "server/app", "server/app/shapes", "tools"})


def project(files: Mapping[str, tuple[tuple[str, str], ...]], *, dotted: bool = True) -> ProjectImports:
    found = {path: FileImports(pairs) for path, pairs in files.items()}
    return finish(build_project_imports(found, dotted=dotted))


@pytest.mark.parametrize(
    ("module", "here", "home", "expected"),
    [
        ("shop.cart", "main.py", "shop/cart.py", True),
        ("shop.cart", "tests/test_cart.py", "shop/cart.py", True),
        (".cart", "shop/order.py", "shop/cart.py", True),
        ("..cart", "shop/rules/vat.py", "shop/cart.py", True),
        (".cart", "main.py", "shop/cart.py", False),
        ("....cart", "shop/order.py", "shop/cart.py", False),
        ("shop", "main.py", "shop/__init__.py", True),
        (".", "shop/order.py", "shop/__init__.py", True),
        ("cart", "main.py", "shop/cart.py", False),  # `shop` is a package: there it is `shop.cart`
        ("cart", "shop/order.py", "shop/cart.py", False),  # another distribution's `cart`
        ("other.cart", "main.py", "shop/cart.py", False),
        ("shop.cart", "main.py", "src/shop/cart.py", True),
        ("app.views", "tests/test_views.py", "server/app/views.py", True),
        ("views", "tests/test_views.py", "server/views.py", False),  # nothing says that `server` is on the path
        ("views", "server/run.py", "server/views.py", True),
    ],
)
def test_where_a_module_leads(module: str, here: str, home: str, expected: bool) -> None:
    imports = project({home: (), here: ()})
    assert is_import_of(module, here, home, imports, PACKAGES.__contains__) is expected


def test_a_module_of_two_folders_leads_to_neither_from_outside() -> None:
    imports = project({"a/app/x.py": (), "b/app/x.py": (), "run.py": ()})
    packages = frozenset({"a/app", "b/app"})
    assert not is_import_of("app.x", "run.py", "a/app/x.py", imports, packages.__contains__)
    assert is_import_of("app.x", "a/run.py", "a/app/x.py", imports, packages.__contains__)


@pytest.mark.parametrize(
    ("here", "home", "other", "expected"),
    [
        ("vendor/use.py", "shop/cart.py", "vendor/shop/cart.py", False),
        ("build/lib/use.py", "src/shop/cart.py", "build/lib/shop/cart.py", False),
        ("tests/shop/test_b.py", "src/shop/cart.py", "tests/shop/cart.py", False),
        ("tests/test_b.py", "src/shop/cart.py", "vendor/shop/cart.py", True),
        ("main.py", "src/shop/cart.py", "shop/cart.py", False),
        ("main.py", "shop/cart.py", "src/shop/cart.py", False),
        ("vendor/use.py", "vendor/shop/cart.py", "shop/cart.py", True),
        ("tools/use.py", "shop/cart.py", "tools/shop/cart.py", True),  # a package: nothing is counted from it
        ("vendor/use.py", "shop/cart.py", "vendor/shop/cart/__init__.py", False),
        ("main.py", "shop/cart.py", "shop/cart.pyi", True),
    ],
)
def test_a_module_of_a_folder_around_a_file_goes_first(here: str, home: str, other: str, expected: bool) -> None:
    imports = project({here: (("shop.cart", "total"),), home: (), other: ()})
    assert is_import_of("shop.cart", here, home, imports, PACKAGES.__contains__) is expected
    found = list(importers(imports, "total", home, PACKAGES.__contains__))
    assert found == ([here] if expected else [])


def test_importers_of_what_a_package_hands_on() -> None:
    files = {
        "shop/__init__.py": ((".cart", "total"),),
        "shop/order.py": ((".", "total"),),
        "shop/rules/vat.py": (("..", "total"),),
        "shop/rules/tax.py": ((".", "total"),),
        "shop/other.py": ((".", "cart"),),
    }
    found = importers(project(files), "total", "shop/__init__.py", PACKAGES.__contains__)
    assert sorted(found) == ["shop/order.py", "shop/rules/vat.py"]


def test_importers_of_a_name_and_of_its_module() -> None:
    files = {
        "shop/cart.py": (("os", ""),),
        "main.py": (("shop.cart", "Cart"),),
        "other_name.py": (("shop.cart", "total"),),
        "whole.py": (("shop.cart", ""),),
        "beside.py": (("shop", "cart"),),
        "shop/order.py": ((".cart", "Cart"),),
        "shop/vat.py": ((".", "cart"),),
        "elsewhere.py": (("cart", "Cart"), ("mall.cart", "Cart")),
    }
    found = importers(project(files), "Cart", "shop/cart.py", PACKAGES.__contains__)
    assert sorted(found) == ["beside.py", "main.py", "shop/order.py", "shop/vat.py", "whole.py"]


def test_importers_of_a_quoted_path() -> None:
    files = {
        "src/cart.ts": (),
        "src/main.ts": (("/src/cart", ""), ("/src/cart", "total")),
        "src/old.js": (("/src/cart.js", ""),),
        "src/other.ts": (("/src/mall/cart", ""),),
    }
    found = importers(project(files, dotted=False), "total", "src/cart.ts", lambda folder: False)
    assert sorted(found) == ["src/main.ts", "src/old.js"]


def test_it_is_linear() -> None:
    def work(size: int) -> Callable[[], object]:
        imports = project({f"m{n}/cart.py": ((f"m{n // 2}.cart", "Cart"),) for n in range(size)})
        return lambda: list(importers(imports, "Cart", "m0/cart.py", lambda folder: False))

    assert_linear(work, 2000)


def test_it_is_linear_where_a_module_may_lead_to_a_folder_that_only_one_has() -> None:
    def work(size: int) -> Callable[[], object]:
        files = {f"jobs/j{n % 50}/utils_{n}.py": (("core.utils", "total"),) for n in range(size)}
        imports = project({"backend/core/utils.py": (), **files})
        return lambda: list(importers(imports, "total", "backend/core/utils.py", "backend/core".__eq__))

    assert_linear(work, 1000)


@pytest.mark.parametrize("home", ["backend/core/utils.py", "a/b/Utils.java"])
def test_it_can_be_cancelled(home: str) -> None:
    seen = 0

    def check() -> None:
        nonlocal seen
        seen += 1
        if seen > 2:
            raise TimeoutError

    files = {f"jobs/utils_{n}.py": (("core.utils", "total"),) for n in range(9)}
    imports = project({"backend/core/utils.py": (), **files})
    java = {f"a/b/{name}.java": FilePackage("a.b", (), (name,)) for name in ("Utils", "A", "B", "C", "D")}
    imports = replace(imports, packages=finish(build_packages(java, None)))
    with pytest.raises(TimeoutError):
        list(importers(imports, "total", home, "backend/core".__eq__, check))
    assert seen == 3
