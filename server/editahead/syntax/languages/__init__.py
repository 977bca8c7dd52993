"""The registry of languages: a module for each with rules of names, a line for each without."""

from editahead.syntax.language_definition import Language
from editahead.syntax.languages.c import C
from editahead.syntax.languages.c_sharp import C_SHARP
from editahead.syntax.languages.cpp import CPP
from editahead.syntax.languages.go import GO
from editahead.syntax.languages.java import JAVA
from editahead.syntax.languages.javascript import JAVASCRIPT
from editahead.syntax.languages.lua import LUA
from editahead.syntax.languages.python import PYTHON
from editahead.syntax.languages.rust import RUST
from editahead.syntax.languages.typescript import TSX, TYPESCRIPT

_SLASH = "//"

# Languages that get next edits and n-gram completions from their grammar alone (the `languages` extra).
_GRAMMAR_ONLY: tuple[Language, ...] = (
    Language("bash", (".sh", ".bash"), aliases=("shellscript", "sh")),
    Language("commonlisp", (".lisp", ".cl"), line_comment=";"),
    Language("css", (".css",), line_comment="/*"),
    Language("dockerfile", (".dockerfile",)),
    Language("dot", (".dot", ".gv"), line_comment=_SLASH),
    Language("elisp", (".el",), line_comment=";", aliases=("emacs-lisp",)),
    Language("elixir", (".ex", ".exs")),
    Language("elm", (".elm",), line_comment="--"),
    Language("embedded_template", (".erb", ".ejs"), line_comment="<%#", aliases=("erb", "ejs")),
    Language("erlang", (".erl", ".hrl"), line_comment="%"),
    Language("fixed_form_fortran", (".f", ".for"), line_comment="!", aliases=("fortran_fixed_form",)),
    Language("fortran", (".f90", ".f95", ".f03"), line_comment="!", aliases=("fortran-modern", "FortranFreeForm")),
    Language("gomod", (".mod",), line_comment=_SLASH, aliases=("go.mod",)),
    Language("hack", (".hack",), line_comment=_SLASH),
    Language("haskell", (".hs",), line_comment="--"),
    Language("hcl", (".hcl", ".tf"), aliases=("terraform",)),
    Language("html", (".html", ".htm"), line_comment="<!--"),
    Language("jsdoc", (".jsdoc",), line_comment=_SLASH),
    Language("json", (".json",), line_comment=_SLASH, aliases=("jsonc",)),
    Language("julia", (".jl",)),
    Language("kotlin", (".kt", ".kts"), line_comment=_SLASH, nested_comments=True, numbers_have_members=True),
    Language("make", (".mk", ".mak"), aliases=("makefile",)),
    Language("markdown", (".md",), line_comment="<!--"),
    Language("objc", (".m", ".mm"), line_comment=_SLASH, aliases=("objective-c",)),
    Language("ocaml", (".ml", ".mli"), line_comment="(*"),
    Language("perl", (".pl", ".pm")),
    Language("php", (".php",), line_comment=_SLASH),
    Language("ql", (".ql", ".qll"), line_comment=_SLASH),
    Language("r", (".r",)),
    Language("regex", (".regex",)),
    Language("rst", (".rst",), line_comment="..", aliases=("restructuredtext",)),
    Language("ruby", (".rb",), numbers_have_members=True),
    Language("scala", (".scala", ".sc"), line_comment=_SLASH, nested_comments=True, numbers_have_members=True),
    Language("sql", (".sql",), line_comment="--"),
    Language("sqlite", (".sqlite",), line_comment="--"),
    Language("toml", (".toml",)),
    Language("tsq", (".scm",), line_comment=";"),
    Language("yaml", (".yaml", ".yml")),
)

REGISTRY: tuple[Language, ...] = (
    *(PYTHON, JAVA, TYPESCRIPT, TSX, JAVASCRIPT, GO, RUST, C_SHARP, C, CPP, LUA),
    *_GRAMMAR_ONLY,
)
