"""The modules and classes that a document names are read before anybody asks: then a completion reads no file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest
from editahead.environment import module_index
from editahead.environment.classes import class_files
from editahead.settings import Settings
from editahead.suggest.completion.ranking import project_classes
from editahead.suggest.completion.ranking.external import external_members, read_imported
from editahead.suggest.completion.ranking.project_classes import read_named
from editahead.suggest.completion.ranking.slots import Slot, SlotKind
from editahead.syntax.interrupt import interruptible
from editahead.text.memo import forget_texts

from tests.suggest.completion.ranking.project_evidence import known, located
from tests.suggest.completion.test_ranked_words import opened
from tests.suggest.documents import document

TEXT = "import shop\nfrom shop.cart import Cart\nimport nowhere\n\n"


def noted(monkeypatch: pytest.MonkeyPatch, module: ModuleType) -> list[Path]:
    """The files that a module reads from now on."""
    paths, original = list[Path](), module.read_regular

    def note(path: Path, *arguments: object, **more: object) -> bytes | None:
        paths.append(path)
        return original(path, *arguments, **more)

    monkeypatch.setattr(module, "read_regular", note)
    return paths


@pytest.fixture
def read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Path]]:
    """The files that are read, of a project with two modules."""
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop/__init__.py").write_text("from shop.till import Till\n\n\ndef pay(): ...\n")
    (tmp_path / "shop/till.py").write_text("class Till:\n    def close(self): ...\n")
    cart = "from shop.till import Till\n\n\nclass Cart(Till):\n    def add(self): ...\n"
    (tmp_path / "shop/cart.py").write_text(cart)
    paths = noted(monkeypatch, module_index)
    forget_texts()
    yield paths
    forget_texts()


def test_a_completion_finds_what_was_read_ahead(read: list[Path], tmp_path: Path) -> None:
    made, _ = document(TEXT, path=tmp_path / "main.py", root=tmp_path)
    read_imported(made)
    assert {path.name for path in read} == {"__init__.py", "cart.py", "till.py"}
    read.clear()
    slot = Slot(SlotKind.MEMBER, receiver=("Cart",))
    assert external_members(made, slot).members == {"add", "close"}
    assert "pay" in (external_members(made, Slot(SlotKind.MEMBER, receiver=("shop",))).members or ())
    assert read == []


def test_it_can_be_interrupted_and_goes_on(read: list[Path], tmp_path: Path) -> None:
    made, _ = document(TEXT, path=tmp_path / "main.py", root=tmp_path)

    class WantedError(Exception):
        pass

    def check() -> None:
        if len(read) >= 2:
            raise WantedError

    with pytest.raises(WantedError), interruptible(check):
        read_imported(made)
    before = len(read)
    read_imported(made)
    assert {path.name for path in read} == {"__init__.py", "cart.py", "till.py"}
    assert len(read) - before <= 2  # what was read in full is not read again


def test_nothing_is_read_where_that_is_switched_off(read: list[Path], tmp_path: Path) -> None:
    settings = Settings(index_environment=False)
    made, _ = document(TEXT, path=tmp_path / "main.py", root=tmp_path, settings=settings)
    read_imported(made)
    assert read == []


def test_classes_of_other_files_are_read_ahead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "box.ts").write_text("export class Box { width = 1 }\nexport class Other { own = 1 }\n")
    (tmp_path / "shop.ts").write_text("import { Box } from './box';\nexport class Shop extends Box { main: Box }\n")
    text = "import { Shop } from './shop';\nimport { Box } from './box';\n"
    text += "function f(s: Promise<Shop>, b: Box) {\n  b.‸\n}\n"
    paths = noted(monkeypatch, class_files)
    forget_texts()
    made, byte = opened(text, "main.ts")
    here = located(made, tmp_path, "main.ts", ())
    read_named(here)
    assert {path.name for path in paths} == {"box.ts", "shop.ts"}
    paths.clear()
    assert known(here, byte)[0] == {"width"}
    assert paths == []
    read_named(replace(here, settings=Settings(index_enabled=False)))
    assert paths == []
    forget_texts()


def test_so_many_classes_are_read_ahead_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(project_classes, "_MAX_AHEAD", 3)
    text = ""
    for number in range(6):
        (tmp_path / f"box{number}.ts").write_text(f"export class Box{number} {{ width = 1 }}\n")
        text += f"import {{ Box{number} }} from './box{number}';\nlet b{number}: Box{number};\n"
    paths = noted(monkeypatch, class_files)
    forget_texts()
    made, _ = opened(text + "‸", "main.ts")
    read_named(located(made, tmp_path, "main.ts", ()))
    assert len(set(paths)) == 3
    forget_texts()
