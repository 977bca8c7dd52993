"""Sources in which the occurrences of one binding are marked: «name»."""

from __future__ import annotations

import re

from editahead.analysis.resolver.resolver import Resolver, resolver_of
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.language import by_id
from editahead.text.buffer import Buffer

_MARKED = re.compile(r"«(\w+)»")


def resolver(source: str, language_id: str = "python") -> Resolver:
    """The names of a source."""
    language = by_id(language_id)
    assert language is not None
    found = resolver_of(open_snapshot(Buffer(source.encode()), language))
    assert found is not None
    return found


def assert_marked(marked: str, language_id: str = "python") -> None:
    """From every marked occurrence the references are the marked ones and no others."""
    source = _MARKED.sub(r"\1", marked)
    starts = [found.start() - 2 * number for number, found in enumerate(_MARKED.finditer(marked))]
    name = _MARKED.search(marked)
    assert name is not None
    names = resolver(source, language_id)
    for start in (len(source[:start].encode()) for start in starts):
        at = names.name_at(start, name.group(1))
        assert at is not None, f"no name at {source[start : start + 20]!r}"
        binding = names.binding(at)
        assert binding is not None, f"{name.group(1)!r} at {_line(source, start)!r} means nothing"
        found = [one.start for one in names.references(binding)]
        wanted = [len(source[:start].encode()) for start in starts]
        assert found == wanted, (
            f"from {_line(source, start)!r}: missing {[_line(source, at) for at in wanted if at not in found]}, "
            f"too many {[_line(source, at) for at in found if at not in wanted]}"
        )


def _line(source: str, at: int) -> str:
    return source[source.rfind("\n", 0, at) + 1 : (source + "\n").index("\n", at)]
