"""What follows for the imports: «old>new» is typed, ‹old>new› must follow, nothing else may."""

from __future__ import annotations

from dataclasses import replace

import pytest
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.runtime.ort import Cancel
from editahead.suggest.next_edit.consequences.rules.imports import RULE
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.syntax.nodes import Parts
from editahead.syntax.snapshot import SyntaxSnapshot

from tests.suggest.next_edit.consequences.marked_renames import assert_follows, played

HOME, OTHER, THIRD, JAVA = "file:///w/home.py", "file:///w/other.py", "file:///w/third.py", "file:///w/A.java"

UNUSED = {
    "a whole statement": "‹import os\n>›import sys\nprint(sys.path«, os.sep>»)\n",
    "one of several names": "from m import a, ‹b, >›c\nprint(a, c«, b>»)\n",
    "the last of several names": "from m import a‹, b>›\nprint(a«, b>»)\n",
    "the first of several names": "from m import ‹a, >›b\nprint(b«, a>»)\n",
    "one of a row in brackets": "from m import (\n    a,\n‹    b,\n>›    c,\n)\nprint(a, c«, b>»)\n",
    "below a name with a comment": "from m import (\n    a,  # first\n‹    b,  # second\n>›)\nprint(a«, b>»)\n",
    "above the comment of another": "from m import (\n‹    a,\n>›    # second\n    b,\n)\nprint(b«, a>»)\n",
    "behind a backslash": "from m import a‹, \\\n    b>›  # second\nprint(a«, b>»)\n",
    "an alias": "‹import numpy as np\n>›x = 1\n«y = np.array(x)>y = x»\n",
    "a name with letters that are not ASCII": "from m import a‹, größe>›\nprint(a«, größe>»)\n",
    "the end of a longer name is no use": "from m import a‹, e>›\nprint(a, größe«, e>»)\n",
    "the end of a longer name that went": "import e\nprint(1«, größe>»)\n",
    "a letter of a name that became another": "from os import path as p\nimport numpy as «np>n»\n‹np>n›.array(x)\n",
    "the whole of a name that lost a letter": "from m import a‹, np>›\nx = a(«np>n»)\n",
    "still used": "import os\nprint(os.path«, os.sep>»)\n",
    "named in a string": "import os\n__all__ = ['os']\nprint(1«, os.sep>»)\n",
    "in a block": "try:\n    import os\nexcept ImportError:\n    pass\nprint(1«, os.sep>»)\n",
    "never used before": "import os\nprint(1«, 2>»)\n",
    "no import": "os = 1\nprint(1«, os>»)\n",
}


@pytest.mark.parametrize("marked", UNUSED.values(), ids=UNUSED)
def test_an_import_that_nothing_uses_any_more(marked: str) -> None:
    assert_follows({HOME: marked})


def test_what_a_package_imports_others_use() -> None:
    assert_follows({"file:///w/__init__.py": "import os\nprint(1«, os>»)\n"})


def test_what_an_open_file_takes_from_here_stays() -> None:
    other = "from home import loads\nloads(1)\n"
    assert_follows({HOME: "from json import loads\nprint(1«, loads(2)>»)\n", OTHER: other})
    kept = "from json import loads\nloads(1)\n"
    assert_follows({HOME: "‹from json import loads\n>›print(1«, loads(2)>»)\n", OTHER: kept})


def test_below_the_last_line_without_its_end() -> None:
    assert_follows({HOME: "print(sys«>, warnings.warn('old')»)\nimport sys‹>\nimport warnings›"})


def test_values_do_not_come_with_types_alone() -> None:
    other = 'import { makeShape } from "./shapes";\nmakeShape();\n'
    assert_follows(
        {
            "file:///w/home.ts": 'import type { Shape } from "./shapes";\n‹>import { makeShape } from "./shapes";\n›'
            "const a: Shape = «1>makeShape()»;\n",
            "file:///w/other.ts": other,
        }
    )


@pytest.mark.parametrize(
    "marked",
    [
        "from m import (\n    a,  # first‹>\n    b,›\n)\nx = «1>b»\n",
        "from m import \\\n    a‹>, b›\nx = «1>b»\n",
        "from m import (\n    a‹>,\n    b›\n)\nx = «1>b»\n",
        "import sys\n‹>from m import b\n›x = «1>b»\n",
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_missing_name_is_added_in_the_form_of_the_file(marked: str, newline: str) -> None:
    assert_follows({HOME: marked.replace("\n", newline), OTHER: "from m import b\nb()\n"})


def test_java() -> None:
    assert_follows({JAVA: "import a.B;\n‹import a.C;\n>›class A { B b; «C c;>» }\n"})


def test_tags_use_what_they_are_made_of() -> None:
    line, used = 'import React from "react";\n', '‹import React from "react";\n>›'
    assert_follows({"file:///w/a.jsx": f"{line}const a = <b>1</b>;\nf(1«, React>»);\n"})
    assert_follows({"file:///w/a.jsx": f"{used}const a = 1;\nf(1«, React>»);\n"})


STANDARD = {
    "a module": "import sys\n‹>import warnings\n›print(sys«>, warnings.warn('old')»)\n",
    "a type beside others": "from typing import Any‹>, Union›\ndef f(a: «Any>Union[Any, None]»): ...\n",
    "of two modules the one that has it": (
        "from collections.abc import Hashable\nfrom typing import Any‹>, Union›\n"
        "def f(a: «Hashable>Union[Any, None]»): ...\n"
        "x: Hashable\n"
    ),
    "of two modules that have it": (
        "from collections.abc import Hashable\nfrom typing import Any\ndef f(a: «Hashable>Sequence[Any]»): ...\n"
        "x: Hashable\n"
    ),
    "no type is taken from there": "import typing\ndef f(a: «int>Union[int, None]»): ...\n",
    "a module that is not meant": "import sys\nprint(sys«>, warnings»)\n",
    "a variable": "import sys\nqueue = make()\nprint(sys«>, queue.get()»)\n",
}


@pytest.mark.parametrize("marked", STANDARD.values(), ids=STANDARD)
def test_an_import_of_the_standard_library(marked: str) -> None:
    assert_follows({HOME: marked})


MISSING = {
    "as another file imports it": (
        "import sys\n‹>from m import load\n›print(sys.path«>, load(1)»)\n",
        "from m import load\n",
    ),
    "beside another name of the module": ("from m import a‹>, load›\nprint(a«>, load(1)»)\n", "from m import load\n"),
    "in the order of the names": ("from m import a, ‹>load, ›z\nprint(a, z«>, load(1)»)\n", "from m import load\n"),
    "in the order of the modules": (
        "from a import b\n‹>from m import load\n›from z import y\nprint(b, y«>, load(1)»)\n", "from m import load\n"
    ),
    "a module": ("import abc\n‹>import os\n›import sys\nprint(sys, abc«>, os.sep»)\n", "import os\n"),
    "with letters that are not ASCII": (
        "from m import a‹>, größe›\nprint(a«>, größe(1)»)\n", "from m import größe\n"
    ),
    "the end of a longer name": ("import sys\nprint(sys«>, üload(1)»)\n", "from m import load\n"),
    "declared in an open file": (
        "from other import a‹>, load›\nprint(a«>, load(1)»)\n",
        "def load(): pass\na = 1\n",
    ),
    "declared here": ("import sys\ndef load(): pass\nprint(sys«>, load(1)»)\n", "from m import load\n"),
    "a parameter": ("import sys\ndef f(load):\n    print(sys«>, load(1)»)\n", "from m import load\n"),
    "a name of the language": ("import sys\nprint(sys«>, len(1)»)\n", "from m import len\n"),
    "a member": ("import sys\nprint(sys«>, o.load(1)»)\n", "from m import load\n"),
    "perhaps imported with a star": ("from x import *\nprint(1«>, load(1)»)\n", "from m import load\n"),
    "under another name there": ("import sys\nprint(sys«>, load(1)»)\n", "from m import read as load\n"),
    "the first part of a module": ("import sys\nprint(sys«>, load(1)»)\n", "import load.more\n"),
    "known to nobody": ("import sys\nprint(sys«>, load(1)»)\n", "load(1)\n"),
}  # fmt: skip


@pytest.mark.parametrize(("home", "other"), MISSING.values(), ids=MISSING)
def test_a_name_that_is_imported_nowhere(home: str, other: str) -> None:
    assert_follows({HOME: home, OTHER: other})


def test_where_files_disagree_nothing_is_imported() -> None:
    assert_follows(
        {HOME: "import sys\nprint(sys«>, load(1)»)\n", OTHER: "from m import load\n", THIRD: "from n import load\n"}
    )


def test_scopes_are_read_only_for_what_could_be_imported() -> None:
    """Each word of a change had the whole file's names read for it."""
    asked: list[Parts] = []
    document = played("import sys\nprint(sys«>, one(two, three), warnings.warn('old')»)\n")
    resolvers = ResolverCache()

    def resolver(uri: str, syntax: SyntaxSnapshot, parts: Parts) -> Resolver | None:
        asked.append(parts)
        return resolvers.of(uri, syntax, parts)

    found = RULE.run(Moment(document, 0, resolver, Cancel().check))
    assert [one.reason for one in found.candidates] == ["`warnings` is not imported"]
    assert [one.names for one in asked] == [frozenset({b"warnings"})]


def test_of_a_file_that_uses_a_name_only_what_may_import_or_declare_it_is_read() -> None:
    """Every function of all open files that holds the word was read: a second with 50 of them."""
    uses = "".join(f"def use_{number}(order):\n    return load(order).loader\n\n\n" for number in range(20))
    home = played("import sys\nprint(sys«>, load(1)»)\n")
    for declares, wanted in (("from m import load\n", 1), ("def load():\n    pass\n", 1), ("", 0)):
        uri = f"{OTHER}{len(declares)}.py"  # all that is read of a document is shared
        other = played("import abc\n" + uses + declares + uses.replace("use_", "again_"), uri)
        resolvers = ResolverCache()
        RULE.run(Moment(replace(home, others=(other,)), 0, resolvers.of, Cancel().check))
        assert resolvers._caches[uri].read == wanted


def test_java_class_of_another_package() -> None:
    assert_follows(
        {
            JAVA: "import a.B;\n‹>import a.C;\n›class A { B b;« > C c; »}\n",
            "file:///x/D.java": "import a.C;\nclass D { C c; }\n",
        }
    )
