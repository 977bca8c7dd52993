"""`--project`: the names of the project around a file, read before the request."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from editahead.suggest.types import Document


def with_project(document: Document) -> Document:
    """The document, knowing the names of its project; progress and a summary go to standard error.

    A root that is no project (the user's own folder, the whole disk) is not read, and this is reported.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from editahead.index.lexicon import language_family
    from editahead.index.project import ProjectIndex
    from editahead.index.types import IndexState
    from editahead.index.walk import reason_not_indexable
    from editahead.index.workspace_names import WorkspaceNames

    root, path = document.root, document.path
    assert root is not None
    assert path is not None
    if (why := reason_not_indexable(root)) is not None:
        print(f"editahead: no project was read: {root} is {why}", file=sys.stderr)
        return document
    began = time.perf_counter()
    columns = TextColumn("reading names"), BarColumn(), MofNCompleteColumn(), TextColumn("files")
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=None)

        def show(state: IndexState) -> None:
            if state.to_read:
                progress.update(task, total=state.to_read, completed=round((state.share or 0) * state.to_read))

        index = ProjectIndex(root, document.settings, show)
        for _ in index.build():
            pass
    state = index.state
    seconds = time.perf_counter() - began
    full = "; more were left out (editahead.index.maxNames, maxFiles)" if state.full else ""
    print(f"editahead: {state.names} names in {state.files} files of {root}, {seconds:.1f} s{full}", file=sys.stderr)
    family, own = language_family(document.language_id), path.relative_to(root).as_posix()
    return replace(document, elsewhere=WorkspaceNames((), index.view(family), own, index.ngrams(family)))
