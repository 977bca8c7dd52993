"""What a project imports: as Python's own parser says, and as files come and go."""

from __future__ import annotations

import ast
from collections.abc import Callable

import pytest
from editahead.index.lexicon import lexicon_of
from editahead.index.project_imports import (
    MAX_IMPORTS_OF_FILE,
    MAX_NAMES,
    FileImports,
    ProjectImports,
    build_project_imports,
    imports_of,
)
from editahead.index.sliced_work import finish
from editahead.index.stream_table import StreamTable
from editahead.index.view import IndexView, WorkspaceNames
from editahead.syntax.language import by_id
from editahead.text.buffer import Buffer

from tests.growth import assert_linear

FILES = {
    "shop/orders.py": "import os\nfrom shop.money import Money, price as cost\n\n\ndef run():\n    import json\n",
    "shop/report.py": (
        "import os, sys\nfrom shop.money import (\n    Money,  # what is paid\n    total,\n)\nfrom . import orders\n"
    ),
    "tools/run.py": "import shop.report as report\nfrom ..other import *\n\n\ntext = '''\nimport nothing\n'''\n",
}


def table(files: dict[str, str]) -> tuple[StreamTable, ProjectImports]:
    streams = StreamTable(10_000)
    for path, text in files.items():
        put(streams, path, text)
    return streams, imports(streams, files)


def put(streams: StreamTable, path: str, text: str) -> None:
    language = by_id("python")
    assert language is not None
    lexicon = lexicon_of(language)
    assert lexicon is not None
    finish(streams.read(path, Buffer(text.encode()), lexicon))


def imports(streams: StreamTable, wanted: dict[str, str]) -> ProjectImports:
    return finish(streams.ngrams(wanted))["python"].imports


def counts(found: ProjectImports, beginning: str, own: str | None = None) -> dict[str, int]:
    return {text: vote.files for text, vote in found.votes(beginning, (), own).items()}


@pytest.mark.parametrize("text", FILES.values())
def test_statements_are_read_as_python_reads_them(text: str) -> None:
    wanted = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            wanted |= {(one.name, "") for one in node.names}
        elif isinstance(node, ast.ImportFrom):
            wanted |= {("." * node.level + (node.module or ""), one.name) for one in node.names if one.name != "*"}
    _, found = table({"file.py": text})
    read = {
        (beginning.removesuffix(" import"), name)
        for beginning, names in found.following.items()
        if beginning.endswith(" import")
        for name in names
    }
    assert read == {pair for pair in wanted if pair[1]}
    assert set(found.holders) == {module for module, _ in wanted}


def test_files_are_counted_and_the_own_one_is_not() -> None:
    _, found = table(FILES)
    assert counts(found, "") == {"os": 2, "sys": 1, "json": 1, "shop": 3}
    assert counts(found, "", "shop/report.py") == {"os": 1, "json": 1, "shop": 2}
    assert counts(found, "shop.") == {"money": 2, "report": 1}
    assert counts(found, "shop.money import") == {"Money": 2, "price": 1, "total": 1}
    assert counts(found, ". import") == {"orders": 1}
    assert counts(found, "nowhere.") == {}


def test_files_that_import_the_same_and_those_of_the_folder_count_more() -> None:
    _, found = table(FILES)
    votes = found.votes("", {"os", "sys"}, "shop/orders.py")
    assert votes["sys"].alike == 1.0  # of the one other file that imports any of these
    assert votes["sys"].folder == 1.0
    assert votes["shop"].files == 2
    assert votes["shop"].folder == 1.0


def test_names_without_a_binding_lead_to_the_modules_that_hold_them() -> None:
    _, found = table(FILES)
    assert found.import_shares("", ["Money", "total", "unknown"], None) == {"shop": 2.0}
    assert found.import_shares("shop.", ["Money"], None) == {"money": 1.0}
    assert found.import_shares(".", ["Money"], None) == {}


def test_what_the_own_file_imports_tells_it_nothing() -> None:
    _, found = table(FILES)
    assert found.import_shares("", ["total", "price"], "shop/report.py") == {"shop": 1.0}
    assert found.import_shares("", ["total"], "shop/report.py") == {}
    assert found.declaration_shares("shop.", ["run"], "shop/orders.py") == {}


def test_names_without_a_binding_lead_to_the_modules_that_declare_them() -> None:
    files = {
        "src/shop/money.py": "class Money:\n    def total(self):\n        pass\n\n\ndef price(a):\n    pass\n",
        "src/shop/__init__.py": "class Shop:\n    pass\n",
    }
    _, found = table(files)
    assert found.declaration_shares("", ["Money", "Shop", "price", "total"], None) == {"shop": 3.0}
    assert found.declaration_shares("shop.", ["Money", "Shop"], None) == {"money": 1.0}
    assert found.declaration_shares(".", ["Money", "price"], "src/shop/new.py") == {"money": 2.0}
    assert found.declaration_shares("..", ["Money"], "src/shop/deep/new.py") == {"money": 1.0}
    assert found.declaration_shares("....", ["Money"], "src/shop/new.py") == {}


def test_a_changed_file_and_one_that_is_gone_are_counted_anew() -> None:
    streams, _ = table(FILES)
    put(streams, "shop/orders.py", "import re\n")
    assert counts(imports(streams, FILES), "") == {"os": 1, "sys": 1, "re": 1, "shop": 2}
    left = {path: text for path, text in FILES.items() if path != "shop/report.py"}
    assert counts(imports(streams, left), "") == {"re": 1, "shop": 1}


def test_a_view_of_the_surroundings_leaves_the_own_file_out() -> None:
    streams, _ = table(FILES)
    ngrams = finish(streams.ngrams(FILES))["python"]
    names = WorkspaceNames([], IndexView(), "shop/report.py", ngrams)
    assert "sys" not in names.imports.votes("", ())


@pytest.mark.parametrize(
    "text", ["from", "import", "from .", "from a import", "from a import (b, c", "import a.", "from a.b", "import ,"]
)
def test_an_unfinished_statement_breaks_nothing(text: str) -> None:
    tokens = text.replace("(", "( ").replace(",", " ,").replace(".", " . ").split()
    assert all(module and isinstance(name, str) for module, name in imports_of(tokens))


def test_files_and_projects_are_read_up_to_a_bound() -> None:
    _, found = table({"many.py": "\n".join(f"import module_{n}" for n in range(MAX_IMPORTS_OF_FILE + 50)) + "\n"})
    assert len(found.holders) == MAX_IMPORTS_OF_FILE
    pairs = FileImports(tuple((f"module_{n}", "") for n in range(1000)))
    built = finish(build_project_imports({f"file_{n}.py": pairs for n in range(MAX_NAMES // 1000 + 20)}))
    assert len(built.paths) <= MAX_NAMES // 1000 + 1


def test_building_takes_time_that_grows_with_the_imports() -> None:
    def build(size: int) -> Callable[[], object]:
        files = {f"f{n}.py": FileImports(((f"m{n % 97}", "a"), ("os.path", ""))) for n in range(size)}
        return lambda: finish(build_project_imports(files))

    assert_linear(build, 5000)
