"""Assertions of `unittest` that become those of pytest."""

from __future__ import annotations

from editahead.suggest.next_edit.consequences.rewritings.rewriting_rule import rewriting_rule

RULE = rewriting_rule(
    "assert-equal",
    language="python",
    pattern="self.assertEqual(a, b)",
    template="assert a == b",
    reason="`assertEqual` is written as `assert`",
    example="«self.assertEqual(n, 1)>assert n == 1»\n‹self.assertEqual(f(n), [2])>assert f(n) == [2]›\n",
)
