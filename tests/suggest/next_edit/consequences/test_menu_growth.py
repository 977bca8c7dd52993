"""What users expect after one edit, in long files: found, in time linear in the file, and stopped when asked to."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.suggest.next_edit.consequences.rules import rule_named
from editahead.suggest.next_edit.consequences.types import Moment, Outcome
from editahead.suggest.types import Document

from tests.growth import assert_linear

from .marked_renames import played

MARKED: dict[str, tuple[str, Callable[[int], str]]] = {
    "named value": (
        "value",
        lambda size: (
            "def f(a):\n«>    total = a.price * a.count\n»    log(a.price * a.count)\n"
            + "".join(f"    h{n}(lambda a: a.price * a.count)\n" for n in range(size))
        ),
    ),
}
every = pytest.mark.parametrize("name", MARKED)


def _read(name: str, size: int) -> Document:
    document = played(MARKED[name][1](size))
    assert document.syntax.error_count() == 0  # reads it
    return document


def _asked(name: str, document: Document, check: Callable[[], None] = lambda: None) -> Outcome:
    return rule_named(MARKED[name][0]).run(Moment(document, 0, ResolverCache().of, check))


@pytest.mark.slow
@every
def test_the_work_is_linear_and_what_it_finds_is_bounded(name: str) -> None:
    def work(size: int) -> Callable[[], object]:
        document = _read(name, size)
        return lambda: _asked(name, document)

    found = _asked(name, _read(name, 1_000))
    assert 0 < len(found.candidates) + len(found.places) <= 60
    assert_linear(work, 1_000)


@every
def test_the_work_can_be_stopped(name: str) -> None:
    class _StopError(Exception):
        pass

    def stop() -> None:
        raise _StopError

    with pytest.raises(_StopError):
        _asked(name, _read(name, 50), stop)
