"""Uses of a renamed name in files that are not open, «old>new» as the user typed it; what is read is told by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.runtime.ort import Cancel
from editahead.suggest.next_edit.candidate_pool import CandidatePool, RatedCandidate
from editahead.suggest.next_edit.consequences.source import rename_unopened
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.types import UNOPENED, Document, Rejection

from tests.growth import assert_linear
from tests.suggest.next_edit.consequences.marked_renames import played

OTHER = "file:///w/other.py"


class Project:
    """One file that is not open; `home` is a module that leads to the renamed one."""

    def __init__(self, text: str) -> None:
        self.file, self.cut = replace(played(text, OTHER), version=UNOPENED), set[str]()

    def importing(self, uri: str, name: str, check: Callable[[], None]) -> Iterator[Document]:
        check()
        yield self.file

    def unchanged(self) -> bool:
        return True

    def declares(self, name: str, package: str, but: str) -> bool:
        return False

    def leads_to(self, module: str, here: str, home: str) -> bool:
        return module == "home"


def found(home: str, other: str) -> list[tuple[int, bytes]]:
    """Line and new text of each place."""
    document = replace(played(home), unopened=Project(other))
    outcome = rename_unopened(Moment(document, 0, ResolverCache().of, lambda: None))
    assert all(one.kind.endswith("/unopened-file") for one in outcome)
    return [(one.document.syntax.buffer.line_at(one.edit.start), one.edit.new) for one in outcome]


IMPORTED = "from home import area\n\nprint(area(1), other.area)\n"


@pytest.mark.parametrize(
    ("home", "other", "expected"),
    [
        ("def «area>surface»(a):\n    return a\n", IMPORTED, [(0, b"surface"), (2, b"surface")]),
        ("class «area>surface»:\n    pass\n", "import home\nhome.area()\n", [(1, b"surface")]),
        (
            "def «area>surface»(a):\n    return a\n",
            "try:\n    from home import area\nexcept A:\n    from b import area\narea()\n",
            [],
        ),
        (
            "def «area>surface»(a):\n    return a\n",
            "try:\n    from home import area\nexcept A:\n    area = None\n",
            [(1, b"surface"), (3, b"surface")],
        ),
        ("def «area>surface»(a):\n    return a\n", "from lib.home import area\narea(1)\n", []),
        ("def «area>surface»(a):\n    return a\n", IMPORTED + "surface = 1\n", []),  # taken there
        ("def area(a):\n    return a\n«area>surface»(1)\n", IMPORTED, []),  # a use, not the declaration
        ("def «area>_area»(a):\n    return a\n", IMPORTED, []),
        ("def f(«area>surface»):\n    return area\n", IMPORTED, []),  # a parameter
        ("from lib import «area>surface»\narea(1)\n", IMPORTED, []),  # declared elsewhere
    ],
)
def test_only_what_leads_to_the_renamed_declaration_follows(home: str, other: str, expected: list[object]) -> None:
    assert found(home, other) == expected


def test_without_a_project_nothing_follows() -> None:
    document = played("def «area>surface»(a):\n    return a\n")
    assert rename_unopened(Moment(document, 0, ResolverCache().of, lambda: None)) == []


class Package:
    """Files by path below /w, none of them open; a module leads to the file that `modules` has for it."""

    def __init__(self, files: dict[str, str], modules: dict[str, str]) -> None:
        self.files = {
            path: replace(played(text, f"file:///w/{path}"), version=UNOPENED) for path, text in files.items()
        }
        self.modules = modules
        self.asked: list[str] = []
        self.cut = set[str]()

    def importing(self, uri: str, name: str, check: Callable[[], None]) -> Iterator[Document]:
        self.asked.append(uri.removeprefix("file:///w/"))
        for path, document in self.files.items():
            held = any(home == uri.removeprefix("file:///w/") for home in self.modules.values())
            if held and document.uri != uri and f"{name}".encode() in document.syntax.buffer.data and path:
                yield document

    def unchanged(self) -> bool:
        return True

    def declares(self, name: str, package: str, but: str) -> bool:
        return False

    def leads_to(self, module: str, here: str, home: str) -> bool:
        return f"file:///w/{self.modules.get(module, '')}" == home


MODULES = {".cart": "shop/cart.py", "shop": "shop/__init__.py", "mall": "mall/__init__.py", "shop.cart": "shop/cart.py"}
USES = "from shop import total\n\nprint(total([1]))\n"


@pytest.mark.parametrize(
    ("package", "uses", "expected"),
    [
        ("from .cart import total\n", USES, ["shop/__init__.py:0", "uses.py:0", "uses.py:2"]),
        ("from .cart import total\n", "import shop\nshop.total([])\n", ["shop/__init__.py:0", "uses.py:1"]),
        ("total = 1\n", "import shop.cart\nshop.cart.total(shop.total, shop.till.total)\n", ["uses.py:1"]),
        ("total = 1\n", "from shop.cart import shop\nshop.cart.total(shop.total)\n", []),
        ("from .cart import total as total_of\n", USES, ["shop/__init__.py:0"]),  # handed on as another name
        ("from .cart import total\ntotal = 1\n", USES, ["shop/__init__.py:0", "shop/__init__.py:1"]),  # bound anew
        ("from .till import total\n", USES, []),  # another module's
        ("def f():\n    from .cart import total\n", USES, ["shop/__init__.py:1"]),  # of the function alone
        ("from .cart import total\n", "from mall import total\ntotal()\n", ["shop/__init__.py:0"]),
        ("from .cart import total\namount = 1\n", USES, []),  # the package keeps the old name
    ],
)
def test_what_a_package_hands_on_follows(package: str, uses: str, expected: list[str]) -> None:
    project = Package({"shop/__init__.py": package, "uses.py": uses}, MODULES)
    home = "def «total>amount»(lines):\n    return sum(lines)\n"
    document = replace(played(home, "file:///w/shop/cart.py"), unopened=project)
    outcome = rename_unopened(Moment(document, 0, ResolverCache().of, lambda: None))
    lines = [(one.document.uri.removeprefix("file:///w/"), one.document.syntax.buffer, one.edit) for one in outcome]
    assert [f"{path}:{buffer.line_at(edit.start)}" for path, buffer, edit in lines] == expected
    assert all(edit.new == b"amount" for _, _, edit in lines)


def test_a_package_that_is_open_and_renamed_already_hands_on_the_new_name() -> None:
    project = Package({"uses.py": USES}, MODULES)
    package = played("from .cart import «total>amount»\n", "file:///w/shop/__init__.py")
    home = "def «total>amount»(lines):\n    return sum(lines)\n"
    document = replace(played(home, "file:///w/shop/cart.py"), unopened=project, others=(package,))
    outcome = rename_unopened(Moment(document, 0, ResolverCache().of, lambda: None))
    assert [one.document.uri for one in outcome] == ["file:///w/uses.py"] * 2


def test_packages_that_hand_on_to_one_another_are_followed_to_an_end() -> None:
    files = {f"p{n}/__init__.py": f"from p{n + 1} import total\n" for n in range(8)} | {"p8/__init__.py": ""}
    modules = {f"p{n}": f"p{n}/__init__.py" for n in range(9)}
    files["p8/__init__.py"] = "from p0 import total\n"
    project = Package(files, modules)
    home = played("def «total>amount»():\n    pass\n", "file:///w/p8/__init__.py")
    rename_unopened(Moment(replace(home, unopened=project), 0, ResolverCache().of, lambda: None))
    assert project.asked == ["p8/__init__.py", "p7/__init__.py", "p6/__init__.py", "p5/__init__.py"]


def test_a_file_that_cannot_be_renamed_whole_is_left_wherever_it_imports_the_name_from() -> None:
    uses = (
        "from shop import total\ndef f():\n    from shop.cart import total as t\ndef g(amount): return total(amount)\n"
    )
    project = Package({"shop/__init__.py": "from .cart import total\n", "uses.py": uses}, MODULES)
    home = played("def «total>amount»(lines):\n    return sum(lines)\n", "file:///w/shop/cart.py")
    outcome = rename_unopened(Moment(replace(home, unopened=project), 0, ResolverCache().of, lambda: None))
    assert [one.document.uri for one in outcome] == ["file:///w/shop/__init__.py"]
    assert project.cut == {"total"}


def _rated(document: Document, project: Package) -> tuple[RatedCandidate, ...]:
    return CandidatePool().unopened(replace(document, unopened=project), 0, Cancel(), None).items


def test_all_places_of_a_file_are_as_sure_as_the_least_of_them_and_turned_down_together() -> None:
    uses = "from shop.cart import total\n\nprint(total([1]), total([2]), total([3]))\namounts = {'amount': total}\n"
    project = Package({"uses.py": uses, "others.py": "from shop.cart import total\n"}, MODULES)
    home = played("def «total>amount»(lines):\n    return sum(lines)\n", "file:///w/shop/cart.py")
    found = _rated(home, project)
    of_file = [one for one in found if one.candidate.document.uri.endswith("/uses.py")]
    assert len({one.probability for one in of_file}) == 1 < len(of_file) < len(found)
    rejected = replace(home, rejections=(Rejection(of_file[-1].candidate.key, home.now),))
    assert [one.candidate.document.uri for one in _rated(rejected, project)] == ["file:///w/others.py"]


@pytest.mark.slow
def test_it_is_linear() -> None:
    def work(size: int) -> Callable[[], object]:
        rows = "".join(
            f"def f{n}(a):\n    return total(a, home.total, lambda b: total(b))\n\n"
            f"def g{n}(amount):\n    return amount\n\n__all__ += ['total', 'f{n}']\n"
            for n in range(size)
        )
        text = f"import home\nfrom home import total\n\n__all__ = []\n{rows}"
        document = replace(played("def «total>amount»(a):\n    return a\n"), unopened=Project(text))
        return lambda: rename_unopened(Moment(document, 0, ResolverCache().of, lambda: None))

    assert_linear(work, 250)
