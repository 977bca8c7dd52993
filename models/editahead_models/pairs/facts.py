"""What a hunk changes, ready to be compared with what another hunk changes."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from editahead.syntax.language import Language
from editahead.syntax.snapshot import Region
from editahead.text.diff import common_ends

from editahead_models.data.corpus.test_paths import is_test
from editahead_models.data.mining.commits import Commit
from editahead_models.pairs.contexts import HunkContext, context_of
from editahead_models.pairs.hunks import Hunk, hunks_of_commit
from editahead_models.pairs.names import FileNames, Name, NameChanges, name_changes

Texts = tuple[tuple[str, ...], tuple[str, ...]]
_TELLING = re.compile(r"\w")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


@dataclass(frozen=True)
class HunkFacts:
    """A hunk with its names and its context."""

    hunk: Hunk
    names: NameChanges
    context: HunkContext
    before: FileNames
    after: FileNames
    gone_starts: frozenset[int]  # of all names of the file that the commit takes away, as bytes of the version before

    @cached_property
    def old_texts(self) -> tuple[str, ...]:
        """The tokens that go."""
        return tuple(token.text for token in self.hunk.old)

    @cached_property
    def new_texts(self) -> tuple[str, ...]:
        """The tokens that come."""
        return tuple(token.text for token in self.hunk.new)

    @cached_property
    def substitutions(self) -> frozenset[Texts]:
        """Its substitutions that hold a word or a number, or several signs."""
        texts = {one.texts for one in self.hunk.substitutions}
        return frozenset((old, new) for old, new in texts if len(old + new) > 2 or _TELLING.search("".join(old + new)))

    @cached_property
    def renames(self) -> dict[tuple[str, str], tuple[Name, Name]]:
        """Words that others take the place of, one by one."""
        gone = {name.start: name for name in self.names.gone}
        come = {name.start: name for name in self.names.come}
        found: dict[tuple[str, str], tuple[Name, Name]] = {}
        for one in self.hunk.substitutions:
            if len(one.old) != len(one.new):
                continue
            for old, new in zip(one.old, one.new, strict=True):
                before, after = gone.get(old.start), come.get(new.start)
                if before is not None and after is not None and old.text != new.text:
                    known = found.get((old.text, new.text))
                    if known is None or (known[0].binding is None and before.binding is not None):
                        found[old.text, new.text] = (before, after)
        return found

    @cached_property
    def parts(self) -> frozenset[tuple[str, str]]:
        """What differs in the names that others take the place of, without what both begin and end with."""
        return frozenset(part for old, new in self.renames if (part := _differing(old, new)) is not None)

    @cached_property
    def declared(self) -> dict[str, Name]:
        """Names that are declared here, and were not before in this hunk."""
        gone = {name.text for name in self.names.gone if name.declares}
        return {name.text: name for name in self.names.come if name.declares and name.text not in gone}

    @cached_property
    def undeclared(self) -> dict[str, Name]:
        """Names that were declared here, and are not afterwards in this hunk."""
        come = {name.text for name in self.names.come if name.declares}
        return {name.text: name for name in self.names.gone if name.declares and name.text not in come}

    @cached_property
    def used(self) -> dict[str, Name]:
        """Names that come in code without being declared."""
        return {n.text: n for n in self.names.come if n.region is Region.CODE and not n.declares}

    @cached_property
    def unused(self) -> dict[str, Name]:
        """Names that go in code without having been declared."""
        return {n.text: n for n in self.names.gone if n.region is Region.CODE and not n.declares}

    @cached_property
    def prose(self) -> frozenset[str]:
        """Words of comments and texts that go or come."""
        found = (*self.names.gone, *self.names.come)
        return frozenset(name.text for name in found if name.region is not Region.CODE)

    @cached_property
    def in_code(self) -> bool:
        """Whether any name in code changes."""
        return any(name.region is Region.CODE for name in (*self.names.gone, *self.names.come))

    @cached_property
    def shapes(self) -> tuple[Counter[str], Counter[str]]:
        """The tokens that go and those that come, as counts."""
        return Counter(self.old_texts), Counter(self.new_texts)

    @cached_property
    def lines(self) -> tuple[Counter[str], Counter[str]]:
        """The lines before and after it, without blanks around them."""
        hunk = self.hunk
        spans = ((hunk.file.before.buffer, hunk.old_lines), (hunk.file.after.buffer, hunk.new_lines))
        texts = [Counter(buffer.line_text(line).strip() for line in range(*span)) for buffer, span in spans]
        return texts[0], texts[1]

    @property
    def is_test(self) -> bool:
        """Whether its file is a test."""
        return is_test(self.hunk.file.path)


@dataclass(frozen=True)
class CommitFacts:
    """The hunks of a commit, and what is true of all of it.

    `renamed`: declarations that bear another name. `new` and `gone`: names that only came, or went, with it.
    """

    hunks: tuple[HunkFacts, ...]
    renamed: frozenset[tuple[str, str]]
    new: frozenset[str]
    gone: frozenset[str]


def facts_of(commit: Commit, language: Language) -> CommitFacts:
    """The facts of a commit; without hunks where it has too many."""
    hunks = hunks_of_commit(commit, language)
    changes, files = name_changes(hunks)
    starts: dict[int, set[int]] = {}
    for hunk, names in zip(hunks, changes, strict=True):
        found = (name.start for name in names.gone if name.region is Region.CODE)
        starts.setdefault(id(hunk.file), set()).update(found)
    facts = tuple(
        HunkFacts(hunk, names, context_of(hunk), *files[id(hunk.file)], frozenset(starts[id(hunk.file)]))
        for hunk, names in zip(hunks, changes, strict=True)
    )
    renamed = {
        key
        for one in facts
        for key, (old, new) in one.renames.items()
        if old.declares and new.declares and old.kind != "import"
    }
    came = {name for one in facts for name in one.declared if not one.before.stands(name)}
    went = {name for one in facts for name in one.undeclared if not one.after.stands(name)}
    return CommitFacts(facts, frozenset(renamed), frozenset(came), frozenset(went))


def _differing(old: str, new: str) -> tuple[str, str] | None:
    """The parts of two names that differ, where they share some; None where they share none."""
    a, b = ([part.lower() for part in _PART.findall(text)] for text in (old, new))
    head, tail = common_ends(a, b)
    gone, come = a[head : len(a) - tail], b[head : len(b) - tail]
    return ("_".join(gone), "_".join(come)) if gone or come else None
