"""Source files of a repository's newest commit, without vendored, generated, huge, or twice-seen ones."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from editahead.git import read_blobs, tree_files
from editahead.syntax.language import Language, by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.syntax.tokens import Line
from editahead.text.buffer import Buffer

from editahead_models.data.projects import Project

# Languages that share one model, by the one that names it in splits, recipes and bundles.
_SHARED_MODELS = {"typescript": ("typescript", "tsx", "javascript"), "cpp": ("cpp", "c")}
_SKIP_PART = re.compile(r"^(_?vendor(ed)?|third_party|site-packages|node_modules|build|dist|generated|migrations)$")
_SKIP_NAME = re.compile(r"(_pb2(_grpc)?\.pyi?|parsetab\.py|lextab\.py)$")
MAX_FILE_BYTES = 200_000
MAX_LINE_BYTES = 400


def languages_of_model(language_id: str) -> tuple[Language, ...]:
    """The languages that a model reads. ValueError for an unknown one."""
    found = []
    for name in _SHARED_MODELS.get(language_id, (language_id,)):
        language = by_id(name)
        if language is None:
            raise ValueError(f"no language {name!r}")
        found.append(language)
    return tuple(found)


def wanted(path: str, language: Language, *, cpp_headers: bool = False) -> bool:
    """True for a path worth learning from. Headers (.h) are files of C++ with `cpp_headers`, else of C."""
    pure = PurePosixPath(path)
    read = pure.suffix in language.extensions
    if pure.suffix == ".h":
        read = language.id == ("cpp" if cpp_headers else "c")
    if not read or _SKIP_NAME.search(pure.name):
        return False
    return not any(_SKIP_PART.match(part) for part in pure.parts[:-1])


def main_extension(files: Iterable[tuple[str, Language]]) -> tuple[str, Language] | None:
    """The commonest extension of some (path, language), with its language; None without files."""
    counts: Counter[tuple[str, Language]] = Counter()
    for path, language in files:
        ending = next((one for one in language.extensions if path.endswith(one)), "")
        if ending:
            counts[ending, language] += 1
    return max(counts, key=lambda key: (counts[key], key[0])) if counts else None


def main_language(project: Project, language_id: str) -> tuple[str, Language] | None:
    """The extension that most files of a project at HEAD have, of the languages that share a model."""
    tree = [path for path, _ in tree_files(project.path, "HEAD", bare=True)]
    headers = _mostly_cpp(tree)
    spoken = languages_of_model(language_id)
    return main_extension(
        (path, language) for language in spoken for path in tree if wanted(path, language, cpp_headers=headers)
    )


def _mostly_cpp(paths: Iterable[str]) -> bool:
    """True for a tree with more sources of C++ than of C."""
    suffixes = Counter(PurePosixPath(path).suffix for path in paths)
    return sum(suffixes[one] for one in (".cc", ".cpp", ".cxx", ".hpp")) > suffixes[".c"]


def acceptable(data: bytes) -> bool:
    """True for text that a person wrote: of sane size, no very long lines, no generator's banner."""
    if not 40 <= len(data) <= MAX_FILE_BYTES or b"\0" in data:
        return False
    if max(map(len, data.split(b"\n"))) > MAX_LINE_BYTES:
        return False
    return b"@generated" not in data[:2000] and b"DO NOT EDIT" not in data[:2000]


def blobs(project: Project, language: Language) -> Iterator[tuple[str, bytes]]:
    """(path, content) of the wanted files at HEAD, in path order. Headers (.h) are C++ where most sources are."""
    tree = list(tree_files(project.path, "HEAD", bare=True))
    cpp_headers = _mostly_cpp(path for path, _ in tree)
    chosen = [(path, blob) for path, blob in tree if wanted(path, language, cpp_headers=cpp_headers)]
    contents = read_blobs(project.path, [blob for _, blob in chosen], bare=True, most=MAX_FILE_BYTES)
    for path, blob in chosen:
        if blob in contents and acceptable(contents[blob]):
            yield path, contents[blob]


def directory_files(root: Path, language: Language) -> Iterator[tuple[str, bytes]]:
    """(path, content) of the wanted files below a directory, in path order."""
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root).as_posix()
        if path.is_file() and wanted(relative, language) and acceptable(content := path.read_bytes()):
            yield relative, content


def token_lines(content: bytes, language: Language) -> list[Line]:
    """All token lines of a file."""
    snapshot = SyntaxSnapshot.open(Buffer(content), language)
    return [snapshot.line_tokens(line) for line in range(snapshot.line_count)]
