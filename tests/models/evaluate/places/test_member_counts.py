"""The table of common members: what a file uses, and which uses are common enough to ship."""

from __future__ import annotations

import json
from collections import Counter

from editahead.suggest.completion.ranking.member_features import FILE, common_members
from editahead.syntax.language import by_id
from editahead_models.evaluate.places.member_counts import Use, as_json, table, uses_in

CODE = b"""import numpy as np
import os.path
from pathlib import Path
from .own import thing

np.zeros(3)
np.zeros(np.linalg.norm(x))
os.path.join(a, b.lower())
Path.cwd()
"""


def test_uses_are_counted_once_by_module_and_once_behind_any_dot() -> None:
    language = by_id("python")
    assert language is not None
    found = uses_in(CODE, language)
    assert {
        Use("numpy", "zeros"), Use("numpy", "linalg"), Use("numpy.linalg", "norm"), Use("os", "path"),
        Use("os.path", "join"), Use("pathlib.Path", "cwd"), Use("", "lower"), Use("", "zeros"),
    } <= found  # fmt: skip
    assert Use("own", "thing") not in found


def test_rare_modules_and_members_are_left_out() -> None:
    often, seldom, alone = Use("numpy", "zeros"), Use("numpy", "ones"), Use("numpy", "once")
    files = Counter({often: 9, seldom: 2, alone: 5, Use("tiny", "a"): 4, Use("tiny", "b"): 4, Use("", "x"): 7})
    projects = {often: {"a", "b", "c"}, seldom: {"a", "b"}, alone: {"a"}, Use("tiny", "a"): {"a", "b"},
                Use("tiny", "b"): {"a", "b"}, Use("", "x"): {"a", "b", "c"}}  # fmt: skip
    assert table(files, projects) == {"numpy": {"zeros": 9, "ones": 2}}


def test_the_shipped_table_has_shares() -> None:
    for module in ("", "os", "numpy"):
        assert abs(sum(common_members(module).values()) - 1) < 1e-6
    assert common_members("os")["environ"] > common_members("os").get("sysconf", 0.0)
    assert not common_members("no.such.module")


def test_the_shipped_table_has_a_line_for_each_module() -> None:
    text = FILE.read_text(encoding="utf-8")
    counts = json.loads(text)
    assert as_json(counts) == text
    assert len(text.splitlines()) == len(counts) + 2
