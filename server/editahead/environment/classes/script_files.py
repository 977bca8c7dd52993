"""Classes of JavaScript and TypeScript: in the modules that names are imported from, and those that these hand on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from editahead.environment.classes.class_files import ClassFiles, ClassLocation
from editahead.environment.classes.file_facts import FileFactsCache
from editahead.environment.classes.referencing_file import ReferencingFile, join_lexically
from editahead.environment.classes.script_config import led_to
from editahead.environment.classes.script_modules import ALL, ForeignName, ScriptFile, module_files, read_script_file
from editahead.environment.classes.script_packages import ScriptPackages

_READ = 64 * 1024  # bytes from the start of a file: imports stand there
_MAX_DEPTH = 4  # modules that hand a name on
_MAX_FILES = 32  # that a name may lead to


class ScriptFiles(ClassFiles):
    """Paths are relative, or what the project's configuration and its packages make of them."""

    def __init__(self, facts: FileFactsCache) -> None:
        super().__init__(facts)
        self._packages = ScriptPackages(facts)

    def places(self, source: ReferencingFile, names: Sequence[str], module: str) -> Iterator[ClassLocation]:
        """As in ClassFiles."""
        own = read_script_file(source.data[:_READ]).imported.get(names[0])
        path = module.strip("'\"") or (own.path if own is not None else "")
        if not path:
            return
        name = names[-1] if len(names) > 1 or own is None or own.name == ALL else own.name
        row, seen = [(source.path, ForeignName(path, name), 0)], {source.path}
        for at, foreign, depth in row:
            module_file = self._module(at, source.root, foreign.path)
            if module_file is None or module_file[0] in seen or len(seen) > _MAX_FILES:
                continue
            file, facts = module_file
            seen.add(file)
            exported = facts.exported.get(foreign.name, ForeignName("", foreign.name))
            inner = facts.imported.get(exported.name, exported) if not exported.path else exported
            if not inner.path:
                yield ClassLocation(file, inner.name)
            further = [inner] if inner.path else [ForeignName(other, foreign.name) for other in facts.wildcards]
            row += [(file, other, depth + 1) for other in further if depth < _MAX_DEPTH and other.name != ALL]

    def _module(self, file: Path, root: Path, path: str) -> tuple[Path, ScriptFile] | None:
        """The file that a path of a module means in another file, and what is read of it."""
        for base in self._paths(file, root, path):
            for candidate in module_files(base):
                inside = candidate != file and candidate.is_relative_to(root)
                facts = self.facts.get(candidate, read_script_file) if inside else None
                if facts is not None:
                    return candidate, facts
        return None

    def _paths(self, file: Path, root: Path, path: str) -> Iterator[Path]:
        if path.startswith("."):
            yield join_lexically(file.parent, path)
            return
        yield from led_to(file, root, path, self.facts)
        yield from self._packages.paths(root, path)
