"""Ghost text of several lines that would break something is cut to lines that do not."""

from __future__ import annotations

from functools import partial

import pytest
from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.runtime.bundle import load_bundle
from editahead.runtime.language_model.model import LanguageModel
from editahead.runtime.language_model.ngrams import DocumentCaches
from editahead.runtime.ort import Cancel, select_providers
from editahead.suggest.completion.ngrams import words_of
from editahead.suggest.ghost_text import ghost_text
from editahead.suggest.types import Decision, InlineSuggestion, Reason, Shown, Suppressed
from editahead.suggest.verified_edits import verified_lines
from editahead.verification.verifier import Verifier

from tests.suggest.documents import document
from tests.suggest.ghost_text.test_free_names import SHIPPED, scripted

LIMITED = """limit = 3


def read(size):
    ‸
    return limit + size
"""

pytestmark = pytest.mark.skipif(not SHIPPED, reason="no language model is shipped")


def answer(monkeypatch: pytest.MonkeyPatch, tokens: list[str]) -> Decision[InlineSuggestion]:
    scripted(monkeypatch, tokens)
    model = LanguageModel(load_bundle(SHIPPED[0]), select_providers("cpu"))
    made, byte = document(LIMITED)
    verify = partial(verified_lines, document=made, verifier=Verifier(ResolverCache()), cancel=Cancel())
    return ghost_text.suggest(model, DocumentCaches(words_of), made, byte, Cancel(), verify)


def test_lines_that_change_what_a_name_below_refers_to_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    decision = answer(monkeypatch, ["whole = size", "\n    part = size", "\n    limit", " = 4", "\n"])
    assert isinstance(decision, Shown)
    assert decision.value.insert.rstrip("\n") == "whole = size\n    part = size"


def test_lines_that_break_nothing_are_shown_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    decision = answer(monkeypatch, ["whole = size", "\n    part", " = 4"])
    assert isinstance(decision, Shown)
    assert decision.value.insert == "whole = size\n    part = 4"


def test_there_is_silence_where_no_line_remains(monkeypatch: pytest.MonkeyPatch) -> None:
    decision = answer(monkeypatch, ["# ", "\n    limit = 4"])
    assert isinstance(decision, Suppressed)
    assert decision.reason is Reason.BREAKS_CODE
