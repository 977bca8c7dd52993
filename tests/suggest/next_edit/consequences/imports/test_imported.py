"""What follows from an import that came: longer ways to say the same become the short name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.runtime.ort import Cancel
from editahead.suggest.next_edit.consequences.imports.imported import MAX_PLACES, imported
from editahead.suggest.next_edit.consequences.source import ConsequenceSource
from editahead.suggest.next_edit.consequences.types import Moment, Outcome
from editahead.suggest.types import Rejection

from tests.growth import assert_linear
from tests.suggest.next_edit.consequences.marked_renames import assert_follows, outcome, played

PYTHON = {
    "the whole path": (
        "import os.path\n«>from os.path import join\n»\n\ndef f(a):\n"
        "    return ‹os.path.join>join›(a)\n\n\nx = ‹os.path.join>join›\n"
    ),
    "a module of a package": "import a.b\n«>from a import b\n»\nx = ‹a.b>b›.run()\ny: ‹a.b>b›.Row = 1\n",
    "through another import": "from os import path\n«>from os.path import join\n»\nx = ‹path.join>join›('a')\n",
    "through an alias": "import numpy as np\n«>from numpy import zeros\n»\nx = ‹np.zeros>zeros›(3) + np.ones(3)\n",
    "an alias of a module": "import «numpy>numpy as np»\n\nx = ‹numpy>np›.zeros(3)\n",
    "an import that took the place of another": "«import json>from json import loads»\n\nx = ‹json.loads>loads›(a)\n",
    "a relative one": "from . import rows\n«>from .rows import Row\n»\nx = ‹rows.Row>Row›()\n",
    "one more name in brackets": "import a\nfrom a import (\n    b,\n«>    c as d,\n»)\n\nx = ‹a.c>d›(a.b)\n",
    "not where the short name means something else": (
        "import os\n«>from os import sep\n»\n\ndef f(sep):\n    return os.sep\n\n\ndef g():\n    return ‹os.sep>sep›\n"
    ),
    "not where the first name means something else": "«>from os import sep\n»\n\ndef f(os):\n    return os.sep\n",
    "not what is of another module": "import a\n«>from b import sep\n»\nx = a.sep\n",
    "not behind an object": "import os\n«>from os import sep\n»\nx = y.os.sep + f().sep + a[0].os.sep\n",
    "not what is set": (
        "import os\n«>from os import sep\n»\nos.sep = 1\nos.sep += 1\ndel os.sep\nx = ‹os.sep>sep› == 1\n"
    ),
    "not what another sign sets": (
        "from . import a\n«>from .a import b\n»\na.b, c = 1, 2\n[a.b, c] = 1, 2\n(a.b) = 3\na.b: int = 3\n"
        "with c as a.b:\n    pass\nfor a.b in c:\n    pass\nx = [1 for a.b in c]\ndel c, a.b\nmatch c:\n"
        "    case a.b:\n        pass\n    case [a.b, *_]:\n        pass\n    case ‹a.b>b›():\n        pass\n"
        "‹a.b>b›[0], c = ‹a.b>b›, 2\n‹a.b>b›.c = (‹a.b>b›)\n"
    ),
    "not where the short name is bound again": (
        "import models\n«>from models import User\n»\n\nclass User(models.User):\n    pass\n\n\nx = models.User()\n"
    ),
    "not in texts and comments": "import os\n«>from os import sep\n»\nx = 'os.sep'  # os.sep\n",
    "not above the import": "import os\nx = os.sep\n«>from os import sep\n»\n",
    "nothing for all names": "import os\n«>from os import *\n»\nx = os.sep\n",
    "nothing for a module": "import a\n«>import a.b\n»\nx = a.b.c\n",
    "nothing for an import that stood": "import os\nfrom os import sep\nx = «1>2» + os.sep\n",
    "nothing inside of a function": "import os\n\n\ndef f():\n«>    from os import sep\n»    return os.sep\n",
}
JAVA = {
    "a type": (
        "package p;\n\n«>import a.b.C;\n»import a.b.D;\n\nclass A extends ‹a.b.C>C› {\n"
        "  ‹a.b.C>C› x = new ‹a.b.C>C›();\n"
        "  a.b.D y = ‹a.b.C>C›.make();\n}\n"
    ),
    "a static one": (
        "«import a.Checks;>import static a.Checks.check;»\n\nclass A {\n"
        "  void f() { ‹Checks.check>check›(1); x.check(2); }\n}\n"
    ),
    "not where the class has its own": (
        "«import a.Checks;>import static a.Checks.check;»\n\nclass A {\n  void check(int x) { Checks.check(x); }\n}\n"
    ),
    "not while the class of a static one is imported": (
        "import a.Checks;\n«>import static a.Checks.check;\n»\nclass A {\n  void f() { Checks.check(1); }\n}\n"
    ),
    "not where another type is nearer": "«>import a.b.C;\n»\nclass A {\n  class C {}\n  a.b.C x;\n}\n",
    "nothing for a package": "«>import a.b.*;\n»\nclass A { a.b.C x; }\n",
}
TYPESCRIPT = {
    "a hook": (
        "import React from 'react';\n«>import { useState } from 'react';\n»\n"
        "export const [a, b] = ‹React.useState>useState›(1);\n"
    ),
    "a module as one name": (
        "import * as fs from 'fs';\n«>import { read as get } from 'fs';\n»\nlet x = ‹fs.read>get›(1);\n"
    ),
    "not another module": "import * as fs from 'fs';\n«>import { read } from 'other';\n»\nlet x = fs.read(1);\n",
    "not what is set": (
        "import m from 'm';\n«>import { read } from 'm';\n»\n[m.read] = [1];\n({ a: m.read } = b);\nm.read++;\n"
        "delete m.read;\nfor (m.read of b) {}\nm.read ??= 1;\nlet x = ‹m.read>read›(1);\n"
    ),
    "no types for values": (
        "import * as m from './m';\n«>import type { A } from './m';\n»\nlet x = new m.A(1);\nclass B extends m.A {}\n"
        "m.A.make();\n"
    ),
    "no types of a list for values": (
        "import * as m from './m';\n«>import { type A, b, type C as D } from './m';\n»\n"
        "let x = new m.A(‹m.b>b›, m.C.d);\n"
    ),
    "a default import whose name is type": (
        "import * as m from './m';\n«>import { type as t } from './m';\n»\nlet x = ‹m.type>t›(1);\n"
    ),
    "no tags": "import R from 'react';\n«>import { Fragment } from 'react';\n»\nlet x = <R.Fragment>1</R.Fragment>;\n",
}
ROWS = [
    *((f"home.{end}", marked, name) for end, some in (("py", PYTHON), ("java", JAVA)) for name, marked in some.items()),
    *((f"home.{'tsx' if name == 'no tags' else 'ts'}", marked, name) for name, marked in TYPESCRIPT.items()),
]


@pytest.mark.parametrize(("path", "marked"), [row[:2] for row in ROWS], ids=[f"{row[0]}: {row[2]}" for row in ROWS])
def test_places_that_say_more_take_the_short_name(path: str, marked: str) -> None:
    assert_follows({f"file:///w/{path}": marked}, "imported")


def test_nothing_follows_while_the_import_is_typed() -> None:
    marked = "import os\n«>from os import sep\n»\nx = os.sep\n"
    found = outcome(played(marked, idle=True, key_by_key=True)).candidates
    assert [one.kind for one in found if one.source == "imported"] == ["name/whole"]
    unfinished = "import os\n«>from os import (sep\n»\nx = os.sep\n"
    assert not [one for one in outcome(played(unfinished)).candidates if one.source == "imported"]


def test_a_rejected_place_is_not_given_again() -> None:
    document = played("import os\n«>from os import sep\n»\nx = os.sep\ny = os.sep + 1\n")
    source = ConsequenceSource()
    found = [one for one in source.outcome(document, 0, Cancel()).candidates if one.source == "imported"]
    assert len(found) == 2
    for key, left in ((found[0].key, found[1:]), (found[0].pattern, [])):
        rejected = replace(document, rejections=(Rejection(key, document.now),))
        now = [one for one in source.outcome(rejected, 0, Cancel()).candidates if one.source == "imported"]
        assert [one.edit for one in now] == [one.edit for one in left]


def test_the_uses_given_are_bounded_and_the_work_is_linear() -> None:
    def work(size: int) -> Callable[[], object]:
        lines = "".join(f"x{number} = os.sep\n" for number in range(size))
        document = played("import os\n«>from os import sep\n»" + lines)
        assert document.syntax.error_count() == 0  # reads it
        return lambda: imported(Moment(document, 0, ResolverCache().of, lambda: None))

    found = work(400)()
    assert isinstance(found, Outcome)
    assert len(found.candidates) == MAX_PLACES
    assert_linear(work, 2_000)
