"""Which files import what one of them declares: by where an import leads, not by how it is spelled."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from editahead.index.importers import importers, leads_to
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
    assert leads_to(module, here, home, imports, PACKAGES.__contains__) is expected


def test_a_module_of_two_folders_leads_to_neither_from_outside() -> None:
    imports = project({"a/app/x.py": (), "b/app/x.py": (), "run.py": ()})
    packages = frozenset({"a/app", "b/app"})
    assert not leads_to("app.x", "run.py", "a/app/x.py", imports, packages.__contains__)
    assert leads_to("app.x", "a/run.py", "a/app/x.py", imports, packages.__contains__)


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
