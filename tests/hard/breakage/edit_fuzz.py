"""Edits as people make them on real files; whatever is shown is applied, and a program of others judges the result.

`python -m tests.hard.breakage.edit_fuzz FOLDER... [--minutes 5] [--shown 10000]` prints a line a language and each
fault with what led to it; exit code 1 where an edit broke something. Without folders it reads the standard library
and the packages that are installed.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
import site
import sysconfig
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import unified_diff
from pathlib import Path

from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.engine import Engine
from editahead.suggest.types import Document, NextEdit, NextEdits, Shown
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.language import by_path
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit, minimal_diff
from editahead.text.history import History
from editahead.verification.proposal import whole_words
from editahead_models.commit import short_head

from tests.hard.breakage.human_edits import human_edit
from tests.hard.breakage.judges import HERE, JUDGES, Judge, ResidentJudge
from tests.hard.soak_page import bound_of, keep
from tests.scenarios.runner import Play

ENDINGS = {".py": "python", ".ts": "typescript", ".java": "java", ".go": "go", ".c": "c", ".cpp": "cpp"}
DIAL = 0.3
"""The precision that is asked: far below the default, so that much more is shown than to anybody."""
EDITS, FOLLOWED = 5, 12
"""Edits of one session, and suggestions that are accepted in a row after each."""
MAX_FILES = 400
"""Files that are searched for imports of a name that is gone."""
_GO_DECLARED = re.compile(rb"^(?:func|type|var|const) (\w+)|^\t(\w+)(?: +\S+)? +=", re.MULTILINE)
BYTES = (800, 60_000)
"""Sizes of the files that are read."""


@dataclass
class Tally:
    """What was done in one language."""

    edits: int = 0
    shown: int = 0
    applied: int = 0
    unjudged: int = 0
    faults: list[str] = field(default_factory=list)
    by_source: Counter[str] = field(default_factory=Counter)


def files_below(folders: Sequence[Path], ending: str, rng: random.Random) -> list[Path]:
    """Code files of some size, shuffled."""
    found = [
        path
        for folder in folders
        for path in folder.rglob(f"*{ending}")
        if "site-packages" not in path.relative_to(folder).parts
        and path.is_file()
        and BYTES[0] <= path.stat().st_size <= BYTES[1]
        and not path.name.endswith(".d.ts")
    ]
    found.sort()
    rng.shuffle(found)
    return found


def changed_words(before: bytes, after: bytes) -> set[str]:
    """The words that differ between two texts."""
    words: set[str] = set()
    for edit in minimal_diff(before, after):
        low, high = whole_words(before, edit)
        inserted = before[low : edit.start] + edit.new + before[edit.old_end : high]
        words |= set(re.findall(r"\w+", (before[low:high] + b" " + inserted).decode("utf-8", "replace")))
    return words


def exported_names_lost(path: Path, before: bytes, after: bytes) -> set[str]:
    """Names of a Python module that are gone and that a file below its folder, or the one above, imports from it."""
    lost = module_names(before) - module_names(after)
    if not lost:
        return set()
    folders = (path.parent, path.parent.parent)
    module, missing = path.stem if path.stem != "__init__" else path.parent.name, set[str]()
    importing = re.compile(rf"from [\w.]*\b{re.escape(module)} import \(?([^()]*?)(?:\)|\n\S|\Z)")
    for other in list(dict.fromkeys(file for folder in folders for file in folder.glob("**/*.py")))[:MAX_FILES]:
        if other != path and other.is_file():  # a folder or a pipe may bear such a name
            text = other.read_text(encoding="utf-8", errors="replace")
            missing |= {name for found in importing.findall(text) for name in lost & set(re.findall(r"\w+", found))}
    return missing


def names_beside(path: Path) -> set[str]:
    """What the other files of a package of Go declare."""
    beside = (other.read_bytes() for other in path.parent.glob("*.go") if other != path)
    return {name.decode() for text in beside for match in _GO_DECLARED.findall(text) for name in match if name}


def module_names(text: bytes) -> set[str]:
    """What a Python module declares; nothing where it does not compile."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return set()
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
    return names


class Session:
    """One file that is edited, and the judge of it."""

    def __init__(self, engine: Engine, judge: Judge, path: Path, text: str, rng: random.Random, tally: Tally) -> None:
        self.judge, self.path, self.rng, self.tally = judge, path, rng, tally
        language = by_path(path.name)
        assert language is not None
        self.play = Play(engine, path.as_uri(), language_id=language.id)
        buffer = Buffer(text.encode())
        self.play.syntax, self.play.history = open_snapshot(buffer, language), History(buffer, lambda: self.play.clock)
        self.steps: list[str] = []

    @property
    def data(self) -> bytes:
        """The text now."""
        assert self.play.syntax is not None
        return self.play.syntax.buffer.data

    def run(self) -> None:
        """Edit, ask, apply and judge."""
        for _ in range(EDITS):
            kind, edits = human_edit(self.rng, self.data, ENDINGS[self.path.suffix])
            if not edits:
                return
            self.steps.append(f"{kind} {[(edit.start, edit.old_end, edit.new) for edit in edits[:1]]}")
            before = self.data
            for edit in edits:
                self.play.edit(edit.start, edit.old_end, edit.new.decode())
            self.tally.edits += 1
            self._settle()
            self._queue()
            self._follow()
            if self.rng.random() < 0.2:  # undone by typing the old text
                self.play.edit(0, len(self.data), before.decode())
                self._settle()

    def _settle(self) -> None:
        assert self.play.history is not None
        self.play.clock += 2.0
        self.play.idle = True
        self.play.history.settle(self.play.clock)

    def _document(self) -> Document:
        return replace(self.play.document(), settings=Settings(precision=DIAL))

    def _queue(self) -> None:
        """Each change of the queue is applied as a whole."""
        decision = self.play.engine.next_edits(self._document(), self.play.cursor, Cancel())
        if not isinstance(decision, Shown):
            return
        groups: dict[tuple[str, str], list[ByteEdit]] = {}
        assert isinstance(decision.value, NextEdits)
        for item in decision.value.items:
            groups.setdefault((item.source, item.group), []).append(item.edit)
        for (source, _), edits in groups.items():
            self.tally.shown += len(edits)
            self.tally.by_source[source] += len(edits)
            after = self.data
            for edit in sorted(edits, key=lambda edit: -edit.start):
                after = edit.apply(after)
            self._judge(self.data, after, f"queue {source}")

    def _follow(self) -> None:
        """Next edits are accepted in a row; the text is judged where a change ends."""
        before, group, sources = self.data, "", list[str]()
        for _ in range(FOLLOWED):
            decision = self.play.engine.next_edit(self._document(), self.play.cursor, Cancel())
            if not isinstance(decision, Shown):
                break
            assert isinstance(decision.value, NextEdit)
            is_renaming = "rename" in (*sources, decision.value.source)  # it may complete what a repetition began
            if decision.value.group != group and sources and not is_renaming:
                self._judge(before, self.data, "+".join(sources))
                before, sources = self.data, []
            group = decision.value.group
            sources.append(decision.value.source or "repeat")
            self.tally.shown += 1
            self.tally.by_source[sources[-1]] += 1
            edit = decision.value.edit
            self.play.edit(edit.start, edit.old_end, edit.new.decode())
            self._settle()
        else:
            return  # the last change has not ended
        if sources:
            self._judge(before, self.data, "+".join(sources))

    def _judge(self, before: bytes, after: bytes, source: str) -> None:
        self.tally.applied += 1
        faults = self.judge.faults(before.decode(), self.path.name)
        new = self.judge.faults(after.decode(), self.path.name) - faults
        if self.path.suffix == ".java":  # a wrong argument hides that javac does not know a method of another file
            new &= {"syntax", *changed_words(before, after)}
        if self.path.suffix == ".py" and "rename" not in source:  # a rename of the real server follows into other files
            new |= exported_names_lost(self.path, before, after)
        if self.path.suffix == ".go":
            new -= names_beside(self.path)
        if "syntax" in faults:  # names of a broken text cannot be judged
            new = frozenset()
            self.tally.unjudged += 1
        if b"\r" not in before and b"\r" in after:
            new |= {"line ends"}
        if before.endswith(b"\n") and not after.endswith(b"\n"):
            new |= {"final newline"}
        if new:
            lines = (text.decode().splitlines() for text in (before, after))
            changed = [line for line in unified_diff(*lines, lineterm="", n=1) if line[:2] not in ("--", "++")]
            shown = "\n    ".join(changed[:30])
            self.tally.faults.append(f"{self.path}: {source}: {sorted(new)}\n  after {self.steps[-3:]}\n    {shown}")


def fuzz(engine: Engine, judge: Judge, files: Sequence[Path], seed: int, until: float, shown: int) -> Iterator[Tally]:
    """Run sessions, and yield the tally after each, until the time or so many shown edits."""
    tally = Tally()
    for number, path in enumerate(files):
        if time.monotonic() > until or tally.shown >= shown:
            return
        try:
            text = path.read_text(encoding="utf-8")
        except (UnicodeDecodeError, OSError):
            continue
        if "\r" in text or "syntax" in judge.faults(text, path.name):
            continue
        Session(engine, judge, path, text, random.Random(f"{seed}:{number}"), tally).run()
        engine.forget(path.as_uri())
        yield tally


def default_folders() -> list[Path]:
    """The standard library and what is installed."""
    return [Path(sysconfig.get_path("stdlib")), *map(Path, site.getsitepackages())]


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--shown", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--language", action="append", choices=sorted(JUDGES))
    parser.add_argument("--out", type=Path, help="docs/results: store the counts of these languages, write the page")
    parser.add_argument("--files", default="", help="what the folders hold, for the page")
    parser.add_argument("--stdlib", action="store_true", help="only the standard library: the same edits everywhere")
    options = parser.parse_args()
    rows: list[dict[str, object]] = []
    commit = short_head(HERE)  # of the code that is loaded, whatever is committed meanwhile
    engine = Engine.load(find_bundles(), "cpu", lambda text, share: None)
    rng, broken = random.Random(options.seed), 0
    wanted = options.language or sorted(JUDGES)
    folders = options.folders or default_folders()[: 1 if options.stdlib else None]
    for ending, language in ENDINGS.items():
        if language not in wanted:
            continue
        judge = JUDGES[language](folders)
        files = files_below(folders, ending, rng) if judge is not None else []
        if judge is None or not files:
            print(f"{language}: {'no files' if judge is not None else 'left out, its judge is not installed'}")
            continue
        until, tally = time.monotonic() + 60 * options.minutes / len(wanted), Tally()
        for done in fuzz(engine, judge, files, options.seed, until, options.shown):
            tally = done
        if isinstance(judge, ResidentJudge):
            judge.close()
        bound = bound_of(len(tally.faults), tally.shown)
        if tally.shown:
            rows.append(
                {
                    "language": language, "edits": tally.edits, "shown": tally.shown,
                    "judged": tally.applied - tally.unjudged, "broken": len(tally.faults), "commit": commit,
                }
            )  # fmt: skip
        sources = ", ".join(f"{source} {count}" for source, count in tally.by_source.most_common())
        print(
            f"{language}: {tally.edits} edits, {tally.shown} shown, {tally.applied - tally.unjudged} changes judged, "
            f"{len(tally.faults)} broke something (at most {100 * bound:.2f} % of what is shown); {sources}"
        )
        for fault in tally.faults[:40]:
            print(f"  {fault}")
        broken += len(tally.faults)
    if options.out is not None and rows:
        files = options.files or "the standard library of Python and installed packages"
        keep(options.out, "edits", {"rows": rows, "dial": DIAL, "files": files, "seed": options.seed})
    return 1 if broken else 0


if __name__ == "__main__":
    raise SystemExit(main())
