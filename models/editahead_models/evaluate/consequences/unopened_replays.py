"""Exported names that commits rename, replayed with one file open: what else in the project did the commit rename?

The file in which the name is replaced is open alone. The project is that of the commit before, of which those files
count that hold the name. A candidate in a file that the commit left alone is wrong (`kept`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.git import GitError, ask_git
from editahead.index.importers import is_import_of
from editahead.index.packages import FilePackage, ProjectPackages, build_packages, package_of
from editahead.index.project_imports import ProjectImports
from editahead.index.sliced_work import finish
from editahead.suggest.next_edit.consequences.renames.rename_unopened import rename_unopened
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.types import UNOPENED, Document
from editahead.syntax.language import Language

from editahead_models.data.mining.commits import Commit
from editahead_models.data.mining.mine_edits import EXTENSIONS
from editahead_models.evaluate.consequences.rename_replays import Alignment, first_edits
from editahead_models.evaluate.consequences.replays import Replay, opened, uri_of

MAX_FILES, MAX_BYTES = 30, 300_000
"""As the server reads."""


class CommitProject:
    """Implements `suggest.types.UnopenedProject` for the commit before another one."""

    def __init__(self, repository: Path, commit: str, language: Language, home: str) -> None:
        self._repository, self._before, self._language, self._home = repository, f"{commit}^", language, home
        self.cut = set[str]()
        self._declaring, self._packages_by_path = dict[str, list[str]](), dict[str, str]()

    def importing(self, uri: str, name: str, check: Callable[[], None]) -> Iterator[Document]:
        """Yield the files that hold the name and, where files name their packages, that of the file."""
        words = [name, *self._package]
        paths = self._holding("-w", "-F", "--all-match", *(part for word in words for part in ("-e", word)))
        for path in [path for path in paths if path != self._home][:MAX_FILES]:
            text = self._ask("show", f"{self._before}:{path}")
            if len(text) <= MAX_BYTES:
                yield replace(opened(path, text, self._language), version=UNOPENED)

    def unchanged(self) -> bool:
        """Commits do not change."""
        return True

    def leads_to(self, module: str, here: str, home: str) -> bool:
        """Whether a module that is written in one file is another."""
        there, target = (uri.removeprefix(uri_of("")) for uri in (here, home))
        if self._language.id == "java":
            return self._packages_around(module.rpartition(".")[2], there, target).is_import_of(module, there, target)
        return is_import_of(module, there, target, self._imports, self._packages.__contains__)

    def declares(self, name: str, package: str, but: str) -> bool:
        """Whether a file of a package declares a type of a name, but for one file."""
        return self._packages_around(name).has_type(name, package, but.removeprefix(uri_of("")))

    def _packages_around(self, name: str, *paths: str) -> ProjectPackages:
        """The packages of some files and of those that declare a type of a name."""
        if name not in self._declaring:
            pattern = rf"(class|interface|enum|record)[[:space:]]+{name}([^[:alnum:]_$]|$)"
            self._declaring[name] = self._holding("-E", "-e", pattern)
        declaring = self._declaring[name]
        found = {path: FilePackage(self._package_of(path), (), (name,) if path in declaring else ()) for path in paths}
        found |= {path: FilePackage(self._package_of(path), (), (name,)) for path in declaring}
        return finish(build_packages(found, None))

    def _package_of(self, path: str) -> str:
        if path not in self._packages_by_path:
            self._packages_by_path[path] = package_of(self._ask("show", f"{self._before}:{path}").encode())
        return self._packages_by_path[path]

    @cached_property
    def _package(self) -> list[str]:
        """The package of the open file, if it names one."""
        package = self._package_of(self._home) if self._language.id == "java" else ""
        return [package] if package else []

    def _holding(self, *pattern: str) -> list[str]:
        extension = EXTENSIONS[self._language.id]
        found = self._ask("grep", "-z", "-l", *pattern, self._before, "--", f"*{extension}", nothing=1)
        return [line.partition(":")[2] for line in found.split("\0") if line]

    @cached_property
    def _paths(self) -> list[str]:
        return self._ask("ls-tree", "-r", "-z", "--name-only", self._before).split("\0")

    @cached_property
    def _imports(self) -> ProjectImports:
        return ProjectImports(paths=[path for path in self._paths if path.endswith((".py", ".pyi"))])

    @cached_property
    def _packages(self) -> frozenset[str]:
        return frozenset(path.rpartition("/")[0] for path in self._paths if path.endswith("/__init__.py"))

    def _ask(self, *arguments: str, nothing: int = 0) -> str:
        return ask_git(self._repository, *arguments, bare=True, nothing=nothing).decode("utf-8", "replace")


def replays(commit: Commit, project: str, language: Language, rng: random.Random) -> Iterator[Replay]:
    """The moments of a commit in which something follows in files that are not open."""
    alignments = {uri_of(change.path): Alignment(change.before, change.after) for change in commit.changes}
    if (
        language.id not in ("python", "java")
        or commit.repository is None
        or not any(one.replaced for one in alignments.values())
    ):
        return
    for entered in first_edits(commit, language, rng, alignments):
        home = entered.document.uri.removeprefix(uri_of(""))
        unopened = CommitProject(commit.repository, commit.name, language, home)
        document = replace(entered.document, others=(), unopened=unopened)
        try:
            found = rename_unopened(Moment(document, 0, ResolverCache().of, lambda: None))
        except GitError:  # the first commit has none before it
            continue
        if found:
            known = alignments.get(found[0].document.uri)
            verdict = known.verdict(found[0].edit.start, entered.old, entered.new) if known is not None else "kept"
            yield Replay(project, language.id, found[0].kind, verdict)
