"""Where tree-sitter grammars come from: a language's own wheel where it exists, else an optional package.

The wheels of the languages in `languages/` are always installed. The package `tree-sitter-languages` holds 49
grammars in a shared library. Its own Python interface was built for an old tree-sitter core, so the package is never
imported: its library is opened and its `tree_sitter_<name>` functions, whose grammars (ABI 13 and 14) today's
core reads, are called directly.
"""

from __future__ import annotations

import ctypes
import importlib
from functools import lru_cache
from importlib.machinery import PathFinder
from pathlib import Path

import tree_sitter

from editahead.syntax.table_notation import by_word

BUNDLED = (
    "bash", "c", "c_sharp", "commonlisp", "cpp", "css", "dockerfile", "dot", "elisp", "elixir", "elm",
    "embedded_template", "erlang", "fixed_form_fortran", "fortran", "go", "gomod", "hack", "haskell", "hcl",
    "html", "java", "javascript", "jsdoc", "json", "julia", "kotlin", "lua", "make", "markdown", "objc",
    "ocaml", "perl", "php", "python", "ql", "r", "regex", "rst", "ruby", "rust", "scala", "sql", "sqlite",
    "toml", "tsq", "tsx", "typescript", "yaml",
)  # fmt: skip

# Where a grammar's own wheel does not follow the rule "module tree_sitter_<name>, function language".
_WHEELS = {
    "ocaml": ("tree_sitter_ocaml", "language_ocaml"),
    "php": ("tree_sitter_php", "language_php"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
}
# Their wheels are dependencies.
_REQUIRED = ("python", "java", "typescript", "tsx", "javascript", "go", "rust", "c_sharp", "c", "cpp")
# Of the package: `lua` sees strings everywhere, under the package's own core too; `html` and `markdown` have scanners
# that end the whole process on some texts while they are edited.
_UNUSABLE = ("html", "lua", "markdown")
_PACKAGE = "tree_sitter_languages"
_LIBRARIES = ("languages.so", "languages.dylib", "languages.dll")

# LSP language ids, and the file types of Vim and Neovim, that are not themselves the name of a grammar.
_NAME_OF_ID = by_word({
    "bash": "sh shellscript zsh",
    "c_sharp": "cs csharp",
    "commonlisp": "lisp",
    "dot": "graphviz",
    "elisp": "emacs-lisp",
    "embedded_template": "ejs erb eruby",
    "fixed_form_fortran": "fortranfixedform fortran_fixed-form",
    "fortran": "fortran-modern fortranfreeform",
    "gomod": "go.mod",
    "hcl": "terraform",
    "javascript": "javascriptreact",
    "json": "jsonc",
    "make": "makefile",
    "objc": "objective-c objectivec",
    "ql": "codeql",
    "rst": "restructuredtext",
    "tsq": "query",
    "tsx": "typescriptreact",
    "yaml": "dockercompose github-actions-workflow yaml.docker-compose",
})  # fmt: skip


class GrammarMissing(Exception):  # noqa: N818 (a state of the installation, not a fault)
    """No grammar for a language. The message is a single line: what is missing, and what to install."""


def grammar_name(language_id: str) -> str | None:
    """The grammar for an LSP language id, or None where there is none."""
    name = _NAME_OF_ID.get(language_id.lower(), language_id.lower())
    has_wheel = name.isidentifier() and PathFinder.find_spec(f"tree_sitter_{name}") is not None
    return name if name in BUNDLED or has_wheel else None


@lru_cache(maxsize=len(BUNDLED) * 2)
def load_grammar(language_id: str) -> tree_sitter.Language:
    """The grammar for an LSP language id (or a grammar's name). Raises GrammarMissing."""
    name = grammar_name(language_id)
    if name is None:
        raise GrammarMissing(f"there is no tree-sitter grammar for {language_id!r}: editahead skips its files")
    module, function = _WHEELS.get(name, (f"tree_sitter_{name}", "language"))
    if name in _REQUIRED or PathFinder.find_spec(module):
        return _from_wheel(name, module, function)
    return _from_package(name)


def available_grammars() -> tuple[str, ...]:
    """The names of the grammars that load here, sorted."""
    return tuple(name for name in BUNDLED if _is_loadable(name))


def _is_loadable(name: str) -> bool:
    try:
        load_grammar(name)
    except GrammarMissing:
        return False
    return True


def _from_wheel(name: str, module: str, function: str) -> tree_sitter.Language:
    try:
        return _compatible(tree_sitter.Language(getattr(importlib.import_module(module), function)()))
    except (ImportError, AttributeError, OSError, ValueError) as error:
        wheel = module.replace("_", "-")
        raise GrammarMissing(
            f"the grammar for {name} does not load ({_one_line(error)}): pip install -U {wheel}"
        ) from error


def _from_package(name: str) -> tree_sitter.Language:
    if name in _UNUSABLE:
        raise GrammarMissing(f"the grammar for {name} is not installed: pip install tree-sitter-{name}")
    path = _library_path()
    if path is None:
        raise GrammarMissing(
            f"the grammar for {name} is not installed: in editahead's repository, pip install '.[languages]' "
            "(CPython to 3.12)"
        )
    try:
        entry = getattr(_open(path), f"tree_sitter_{name}")
        return _compatible(tree_sitter.Language(_capsule(entry)))
    except (OSError, AttributeError, ValueError) as error:
        raise GrammarMissing(
            f"the grammar for {name} does not load from {path} ({_one_line(error)}): "
            "in editahead's repository, pip install --force-reinstall '.[languages]'"
        ) from error


def _compatible(language: tree_sitter.Language) -> tree_sitter.Language:
    """The language, if this tree-sitter can parse it: only its parser looks at the version, with a ValueError."""
    tree_sitter.Parser(language)
    return language


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def _library_path() -> Path | None:
    """The shared library in the installed package, located without importing that package."""
    spec = PathFinder.find_spec(_PACKAGE)
    folders = spec.submodule_search_locations if spec else None
    for folder in folders or ():
        for library in _LIBRARIES:
            path = Path(folder) / library
            if path.is_file():
                return path
    return None


@lru_cache(maxsize=4)
def _open(path: Path) -> ctypes.CDLL:
    """The library, opened once and kept open: grammars point into it."""
    return ctypes.CDLL(str(path))


def _capsule(entry: ctypes._NamedFuncPointer) -> object:
    """The grammar of an entry point, wrapped as tree_sitter.Language takes it (a plain int is deprecated)."""
    entry.restype = ctypes.c_void_p
    entry.argtypes = []
    pointer = entry()
    if not pointer:
        raise ValueError("its function returned nothing")
    new = ctypes.pythonapi.PyCapsule_New
    new.restype = ctypes.py_object
    new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    capsule: object = new(pointer, b"tree_sitter.Language", None)
    return capsule
