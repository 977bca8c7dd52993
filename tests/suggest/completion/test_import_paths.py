"""Quoted import paths: where they are offered, which, and that every other string stays quiet."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from editahead.index.lexicon import language_family, lexicon_of
from editahead.index.ngram_index import EMPTY_NGRAMS
from editahead.index.sliced_work import finish
from editahead.index.stream_table import StreamTable
from editahead.index.view import IndexView, WorkspaceNames
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.completion.import_paths.complete import package_name, place_of
from editahead.suggest.engine import Engine
from editahead.suggest.types import Completions, Decision, Reason, Shown, Suppressed
from editahead.syntax.language import by_id
from editahead.text.buffer import Buffer

from tests.suggest.documents import document

ROOT = Path("/project")
GO = {
    "cmd/root.go": 'package cmd\n\nimport (\n\t"fmt"\n\t"os"\n\n\t"github.com/acme/shop/prices"\n)\n',
    "cmd/list.go": 'package cmd\n\nimport (\n\t"fmt"\n\n\t"github.com/acme/shop/prices"\n)\n',
    "store/store.go": 'package store\n\nimport (\n\t"database/sql"\n\t"fmt"\n)\n',
}
SCRIPT = {
    "src/prices/money.ts": "import { round } from '../lib/round'\nexport class Money {}\n",
    "src/prices/total.ts": "import { Money } from './money'\nimport { round } from '../lib/round'\n",
    "src/lib/round.ts": "export function round(x: number) {}\nexport const half = 0.5\n",
    "src/lib/index.ts": "export * from './round'\n",
}
HEADERS = {
    "src/price.h": "#include <string>\n",
    "src/price.cc": '#include "price.h"\n#include <string>\n#include <vector>\n',
    "src/order.cc": '#include "order.h"\n#include <string>\n#include <vector>\n',
    "src/order.h": '#include "price.h"\n#include <string>\n',
    "src/store.h": "#include <string>\n",
}


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.load([], "cpu", lambda text, share: None)


def surroundings(files: dict[str, str], own: str, language_id: str) -> WorkspaceNames:
    language = by_id(language_id)
    assert language is not None
    lexicon = lexicon_of(language)
    assert lexicon is not None
    streams = StreamTable(10_000)
    for path, text in files.items():
        finish(streams.read(path, Buffer(text.encode()), lexicon))
    ngrams = finish(streams.ngrams(files)).get(language_family(language_id), EMPTY_NGRAMS)
    return WorkspaceNames([], IndexView(), own, ngrams)


def answer(
    engine: Engine, text: str, files: dict[str, str], own: str, language_id: str, settings: Settings | None = None
) -> Decision[Completions]:
    made, byte = document(
        text, language_id, path=ROOT / own, root=ROOT, elsewhere=surroundings(files, own, language_id),
        settings=settings or Settings(),
    )  # fmt: skip
    return engine.complete(made, byte, Cancel())


def offered(engine: Engine, text: str, files: dict[str, str], own: str, language_id: str) -> list[str]:
    decision = answer(engine, text, files, own, language_id)
    assert isinstance(decision, Shown), decision
    start, end = decision.value.start, decision.value.end
    before, _, after = text.partition("‸")
    assert end == len(before.encode())
    assert (before + after).encode()[start:end] == before.rpartition('"')[2].rpartition("'")[2].encode()
    assert all(0 < item.probability <= 1 for item in decision.value.items)
    return [item.label for item in decision.value.items]


def test_go_names_what_the_code_below_uses(engine: Engine) -> None:
    text = 'package cmd\n\nimport (\n\t"‸"\n)\n\nfunc run() {\n\tfmt.Println(prices.Of(x))\n}\n'
    assert set(offered(engine, text, GO, "cmd/run.go", "go")[:2]) == {"fmt", "github.com/acme/shop/prices"}
    text = text.replace('\t"‸"', '\t"fmt"\n\n\t"‸"')
    listed = offered(engine, text, GO, "cmd/run.go", "go")
    assert listed[0] == "github.com/acme/shop/prices"
    assert "fmt" not in listed  # it is imported already


def test_go_in_a_project_of_one_file_knows_the_standard_library(engine: Engine) -> None:
    text = 'package main\n\nimport "‸"\n\nfunc main() {\n\tstrings.Fields("a b")\n}\n'
    assert "strings" in offered(engine, text, {}, "main.go", "go")


def test_typed_letters_choose_from_the_beginning_or_a_later_part(engine: Engine) -> None:
    text = 'package cmd\n\nimport (\n\t"fmt"\n\n\t"{}‸"\n)\n'
    for typed in ("git", "github.com/ac", "prices", "shop/p"):
        listed = offered(engine, text.replace("{}", typed), GO, "cmd/run.go", "go")
        assert listed[0] == "github.com/acme/shop/prices", typed
    nothing = answer(engine, text.replace("{}", "zzz"), GO, "cmd/run.go", "go")
    assert isinstance(nothing, Suppressed)
    assert nothing.reason is Reason.LOW_PROBABILITY


def test_scripts_name_the_file_that_exports_the_names(engine: Engine) -> None:
    text = "import { Money } from '‸'\n\nconst price = new Money()\n"
    assert offered(engine, text, SCRIPT, "src/prices/tax.ts", "typescript")[0] == "./money"
    assert offered(engine, text, SCRIPT, "src/app.ts", "typescript")[0] == "./prices/money"
    text = "import {\n  half,\n} from '‸'\n"
    assert offered(engine, text, SCRIPT, "src/prices/tax.ts", "typescript")[0] == "../lib/round"


@pytest.mark.parametrize("language_id", ["typescript", "tsx", "javascript"])
@pytest.mark.parametrize("form", ["import '{}'", "const a = require('{}')", "export * from '{}'", "await import('{}')"])
def test_every_form_of_an_import_in_scripts(engine: Engine, language_id: str, form: str) -> None:
    text = form.replace("{}", "../lib/r‸") + "\n"
    assert offered(engine, text, SCRIPT, "src/prices/tax.ts", language_id)[0] == "../lib/round"


def test_headers_come_in_their_own_kind_of_quote(engine: Engine) -> None:
    decision = answer(engine, '#include "‸"\n', HEADERS, "src/store.cc", "cpp")
    assert isinstance(decision, Shown)
    assert '"store.h' in {item.label for item in decision.value.items}
    assert all(item.label.startswith('"') for item in decision.value.items)
    decision = answer(engine, "#include <‸>\n", HEADERS, "src/store.cc", "cpp")
    assert isinstance(decision, Shown)
    assert {item.label for item in decision.value.items[:3]} >= {"<string", "<vector"}


@pytest.mark.parametrize(
    ("language_id", "text"),
    [
        ("go", 'package a\n\nfunc f() {\n\tg("‸")\n}\n'),
        ("go", 'package a\n\nvar names = []string{\n\t"‸",\n}\n'),
        ("go", 'package a\n\n// import "‸"\n'),
        ("go", 'package a\n\nvar s = `\nimport "‸"\n`\n'),
        ("typescript", "const from = '‸'\n"),
        ("typescript", "// import a from '‸'\n"),
        ("typescript", "log('from', '‸')\n"),
        ("typescript", "const a = `import b from '‸'`\n"),
        ("cpp", 'puts("‸");\n'),
        ("cpp", '/* #include "‸" */\n'),
        ("python", "import '‸'\n"),
    ],
)
def test_other_strings_and_comments_are_no_imports(engine: Engine, language_id: str, text: str) -> None:
    made, byte = document(text, language_id, path=ROOT / "a/b", root=ROOT)
    assert place_of(made, byte) is None
    decision = engine.complete(made, byte, Cancel())
    assert isinstance(decision, Suppressed)


def test_switches_and_exclusion_count_here_too(engine: Engine) -> None:
    text = 'package cmd\n\nimport "‸"\n'
    off = answer(engine, text, GO, "cmd/run.go", "go", Settings(enabled=False))
    assert isinstance(off, Suppressed)
    assert off.reason is Reason.DISABLED
    secret = answer(engine, text, GO, "cmd/run.go", "go", Settings(exclude=("cmd/**",)))
    assert isinstance(secret, Suppressed)
    assert secret.reason is Reason.EXCLUDED


@pytest.mark.parametrize(
    ("path", "name"),
    [("fmt", "fmt"), ("a.b/c/v2", "c"), ("gopkg.in/yaml.v3", "yaml"), ("x.y/go-cmp", "cmp"), ("x.y/cobra-go", "cobra")],
)
def test_the_name_of_a_package(path: str, name: str) -> None:
    assert package_name(path) == name


def test_the_cost_of_a_place_grows_with_its_candidates_alone(engine: Engine) -> None:
    def cost(files: int, lines: int) -> float:
        project = {f"p{n}/f.go": f'package p\n\nimport (\n\t"a.b/c{n}"\n\t"fmt"\n)\n' for n in range(files)}
        text = 'package a\n\nimport (\n\t"‸"\n)\n' + "func f() { fmt.Println() }\n" * lines
        made, byte = document(
            text, "go", path=ROOT / "a/b.go", root=ROOT, elsewhere=surroundings(project, "a/b.go", "go")
        )
        engine.complete(made, byte, Cancel())
        begun = time.process_time()
        for _ in range(3):
            engine.complete(made, byte, Cancel())
        return time.process_time() - begun

    small, files, lines = cost(250, 250), cost(2000, 250), cost(250, 2000)
    assert files < 20 * small
    assert lines < 20 * small
