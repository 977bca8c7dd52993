"""Imports that are added to scripts: in the file's own style, once, and only where their place is sure."""

from __future__ import annotations

import pytest
from editahead.environment.script_imports import script_import_edit
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer


def added(text: str, path: str, name: str, *, is_default: bool = False, language_id: str = "typescript") -> str | None:
    language = by_id(language_id)
    assert language is not None
    syntax = SyntaxSnapshot.open(Buffer(text.encode()), language)
    edit = script_import_edit(syntax, path, name, is_default=is_default)
    if edit is None:
        return None
    assert edit.start == edit.old_end
    return syntax.buffer.apply(edit).data.decode()


@pytest.mark.parametrize("language_id", ["typescript", "tsx", "javascript"])
def test_a_first_import_stands_before_the_first_statement(language_id: str) -> None:
    text = "// shop\n'use strict';\n\nconst a = 1;\n"
    made = added(text, "./money", "Money", language_id=language_id)
    assert made == "// shop\n'use strict';\n\nimport { Money } from './money';\n\nconst a = 1;\n"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('import a from "./a"', 'import { Money } from "./money"'),
        ("import a from './a'", "import { Money } from './money'"),
        ('import a from "./a";', 'import { Money } from "./money";'),
        ("import { a, b } from './a';", "import { Money } from './money';"),
    ],
)
def test_quotes_and_semicolons_are_those_of_the_file(line: str, expected: str) -> None:
    assert added(f"{line}\n\ncode()\n", "./money", "Money") == f"{line}\n{expected}\n\ncode()\n"


def test_a_default_export_is_imported_as_such() -> None:
    assert added("import a from './a'\n", "./order", "Order", is_default=True) == (
        "import a from './a'\nimport Order from './order'\n"
    )


def test_a_name_joins_the_import_of_its_module() -> None:
    assert added("import { a, c } from './m'\n", "./m", "b") == "import { a, b, c } from './m'\n"
    several = "import {\n  a,\n  c,\n} from './m'\n"
    assert added(several, "./m", "d") == "import {\n  a,\n  c,\n  d,\n} from './m'\n"


@pytest.mark.parametrize(
    "line",
    [
        "import { Money } from './other'",
        "import Money from './money'",
        "import * as Money from './money'",
        "import { Price as Money } from './money'",
    ],
)
def test_a_name_that_is_bound_is_not_imported_again(line: str) -> None:
    assert added(f"{line}\n", "./money", "Money") is None


def test_types_alone_stay_an_import_of_types() -> None:
    text = "import type { A } from './m'\n"
    assert added(text, "./m", "B") == f"{text}import {{ B }} from './m'\n"


@pytest.mark.parametrize("text", ["", "import {", "import { a } from", "\r\nconst a = 1\r\n", "}}}} ((\n"])
def test_broken_text_never_fails(text: str) -> None:
    made = added(text, "./m", "B")
    assert made is None or "import { B } from './m'" in made


@pytest.mark.parametrize(
    "text",
    [
        "const fs = require('fs');\n\nfs.read();\n",
        "'use strict';\nfunction f() {}\nmodule.exports = { f };\n",
        "exports.f = () => 1;\n",
    ],
)
def test_a_file_of_common_js_gets_no_import(text: str) -> None:
    assert added(text, "./money", "Money", language_id="javascript") is None


@pytest.mark.parametrize(
    "text", ["// no require('x') here\nconst a = 1;\n", "const fs = require('fs');\nexport const a = fs;\n"]
)
def test_other_files_that_mention_it_do(text: str) -> None:
    assert "import { Money } from './money';" in (added(text, "./money", "Money", language_id="javascript") or "")
