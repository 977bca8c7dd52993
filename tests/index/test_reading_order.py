"""What the open documents are likely to name is read first, and the finished index is the same in any order."""

from __future__ import annotations

import os
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from editahead.index.documents import OpenText
from editahead.index.project import ProjectIndex, reading_order
from editahead.index.sliced_work import finish
from editahead.index.walk import walk
from editahead.settings import Settings
from editahead.syntax.language import by_path
from editahead.text.buffer import Buffer

from tests.index.trees import plant

PROJECTS = {
    "app/deep/main.py": (
        "from app.models.order import Order\nimport lib.money\n",
        {
            "app/models/order.py": 0, "lib/money.py": 1, "app/deep/beside.py": 2, "app/near.py": 3,
            "a/b/c/far.py": 4, "app/deep/view.js": 5,
        },
    ),
    "src/Main.java": (
        "package shop;\nimport shop.store.Basket;\nclass Main {}\n",
        {"src/store/Basket.java": 0, "src/Beside.java": 1, "src/store/Other.java": 2},
    ),
    "cmd/main.go": (
        'package main\nimport (\n\t"example.com/shop/store/basket"\n)\n',
        {"store/basket/items.go": 0, "cmd/beside.go": 1, "store/other/a.go": 2},
    ),
    "web/main.ts": ('import { a } from "../lib/dates";\n', {"lib/dates.ts": 0, "web/beside.ts": 1, "lib/other.ts": 2}),
    "src/main.cpp": ('#include "core/range.h"\n', {"core/range.h": 0, "src/beside.cpp": 1, "core/other.h": 2}),
}  # fmt: skip


def opened(root: Path, where: str, text: str) -> OpenText:
    language = by_path(where)
    assert language is not None
    return OpenText((root / where).as_uri(), root / where, root, language, Buffer(text.encode()))


def ordered(root: Path, documents: Sequence[OpenText], settings: Settings | None = None) -> list[str]:
    files = [file for file in walk(root, settings or Settings()) if file is not None]
    random.Random(4).shuffle(files)
    return [file.where for file in finish(reading_order(files, documents, root, settings or Settings()))]


@pytest.mark.parametrize("where", PROJECTS)
def test_imported_files_come_first_then_those_beside(tmp_path: Path, where: str) -> None:
    text, files = PROJECTS[where]
    root = plant(tmp_path, {**dict.fromkeys(files, "x = 1\n"), where: text})
    order = [path for path in ordered(root, [opened(root, where, text)]) if path != where]
    assert order == sorted(files, key=files.__getitem__)


def test_of_files_at_the_same_distance_the_one_changed_last_comes_first(tmp_path: Path) -> None:
    root = plant(tmp_path, {"main.py": "", **{f"f{n}.py": "x = 1\n" for n in range(5)}})
    for number, age in enumerate((30, 10, 50, 20, 40)):
        os.utime(root / f"f{number}.py", (10**9 - age, 10**9 - age))
    os.utime(root / "main.py", (10**8, 10**8))
    order = ordered(root, [opened(root, "main.py", "")])
    assert order == ["f1.py", "f3.py", "f0.py", "f4.py", "f2.py", "main.py"]


def test_an_excluded_document_is_not_looked_at(tmp_path: Path) -> None:
    root = plant(tmp_path, {"a.py": "x = 1\n", "z.py": "x = 1\n", "secret/main.py": "import z\n"})
    document = opened(root, "secret/main.py", "import z\n")
    os.utime(root / "z.py", (10**8, 10**8))
    assert ordered(root, [document])[0] == "z.py"
    files = [file for file in walk(root, Settings(exclude=("secret/",))) if file is not None]
    order = finish(reading_order(files, [document], root, Settings(exclude=("secret/",))))
    assert list(order) == files


def test_the_finished_index_is_the_same_in_any_order(tmp_path: Path) -> None:
    rng = random.Random(7)
    files: dict[str, str | bytes] = {
        f"{'/'.join([*rng.choices(['a', 'b-c', 'b'], k=rng.randrange(4)), f'f{n}.py'])}": "".join(
            f"name_{rng.randrange(30)} = call_{rng.randrange(9)}(1)\n" for _ in range(20)
        )
        for n in range(40)
    }
    root = plant(tmp_path, files)
    plain = ProjectIndex(root, Settings())
    finish(plain.build())
    documents = [opened(root, where, "import f3, f30\n") for where in rng.sample(sorted(files), 3)]
    nearest = ProjectIndex(root, Settings(), documents=lambda: documents)
    finish(nearest.build())
    views = [index.view("python") for index in (plain, nearest)]
    assert list(views[0].words) == list(views[1].words)
    assert [views[0].find(word) for word in views[0].words] == [views[1].find(word) for word in views[1].words]
    grams = [index.ngrams("python") for index in (plain, nearest)]
    assert dict(grams[0].spans) == dict(grams[1].spans)
    read = [[index.words.texts[number] for number in index.stream_T.tolist()] for index in grams]
    assert read[0] == read[1]
    assert list(grams[0].spans) == [file.where for file in walk(root, Settings()) if file is not None]


def test_a_document_that_opens_while_a_project_is_read_changes_the_order(tmp_path: Path) -> None:
    root = plant(tmp_path, {f"p{n:03}/f.py": f"name_{n} = 1\n" for n in range(200)})
    documents: list[OpenText] = []
    index = ProjectIndex(root, Settings(), documents=lambda: documents)
    for _ in index.build():
        if index.state.files == 10 and not documents:
            documents.append(opened(root, "p150/main.py", ""))
        words = index.view("python").words
        if words:
            break
    assert "name_150" in words
    assert len(words) == 20


def test_many_files_are_ordered_in_steps(tmp_path: Path) -> None:
    root = plant(tmp_path, {"main.py": "import f7\n", "f7.py": "x = 1\n"})
    found = next(file for file in walk(root, Settings()) if file is not None)
    files = [replace(found, where=f"p{n % 90}/q{n % 7}/f{n}.py") for n in range(3_000)]
    steps, count = reading_order(files, [opened(root, "main.py", "import f7\n")], root, Settings()), 0
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            order = list(stop.value)
            break
        count += 1
    assert count > 300
    assert order[0].where.endswith("/f7.py")
    assert sorted(file.where for file in order) == sorted(file.where for file in files)
