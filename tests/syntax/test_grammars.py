"""Grammars: the official wheels, and each of the optional package's through its shared library."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
import tree_sitter
import tree_sitter_java
from editahead.syntax import grammars
from editahead.syntax.grammars import BUNDLED, GrammarMissing, available_grammars, grammar_name, load_grammar

HAS_BUNDLE = find_spec("tree_sitter_languages") is not None
needs_bundle = pytest.mark.skipif(
    not HAS_BUNDLE, reason="the extra `languages` is not installed (no wheel for CPython 3.13 and later)"
)
INSTALLED = [name for name in BUNDLED if find_spec(grammars._WHEELS.get(name, (f"tree_sitter_{name}",))[0])]
LOADABLE = [name for name in BUNDLED if name in INSTALLED or (HAS_BUNDLE and name not in grammars._UNUSABLE)]
WITHOUT = pytest.mark.skip(reason="neither its own wheel nor the extra `languages` is installed")

# One snippet per grammar, and a node type that only a real parse of it finds.
SNIPPETS = {
    "bash": ('for f in *; do echo "$f"; done\n', "for_statement"),
    "c": ("int main(void) { return 0; }\n", "function_definition"),
    "c_sharp": ("class A { int F() { return 1; } }\n", "method_declaration"),
    "commonlisp": ("(defun f (x) (+ x 1))\n", "defun"),
    "cpp": ("template <class T> T f(T x) { return x; }\n", "template_declaration"),
    "css": ("a:hover { color: red; }\n", "rule_set"),
    "dockerfile": ("FROM alpine:3\nRUN echo hi\n", "from_instruction"),
    "dot": ("digraph { a -> b; }\n", "edge_stmt"),
    "elisp": ("(defun f (x) (+ x 1))\n", "function_definition"),
    "elixir": ("defmodule A do\n  def f(x), do: x\nend\n", "call"),
    "elm": ("f x =\n    x\n", "value_declaration"),
    "embedded_template": ("<p><%= name %></p>\n", "output_directive"),
    "erlang": ("-module(a).\nf(X) -> X.\n", "module_attribute"),
    "fixed_form_fortran": ("      program a\n      end program a\n", "program"),
    "fortran": ("program a\n  integer :: x\n  x = 1\nend program a\n", "program"),
    "go": ("package main\n\nfunc main() {}\n", "function_declaration"),
    "gomod": ("module a\n\ngo 1.20\n", "module_directive"),
    "hack": ("<?hh\nfunction f(): int { return 1; }\n", "function_declaration"),
    "haskell": ("f :: Int -> Int\nf x = x\n", "signature"),
    "hcl": ('resource "a" "b" {\n  c = 1\n}\n', "block"),
    "html": ("<p>hi</p>\n", "element"),
    "java": ("class A { int f() { return 1; } }\n", "method_declaration"),
    "javascript": ("const f = (x) => x;\n", "arrow_function"),
    "jsdoc": ("/**\n * @param {string} a\n */", "tag"),
    "json": ('{"a": [1, null]}\n', "array"),
    "julia": ("function f(x)\n  x\nend\n", "function_definition"),
    "kotlin": ("fun f(x: Int): Int = x\n", "function_declaration"),
    "lua": ("local function f(x) return x end\n", "return_statement"),
    "make": ("all: a\n\techo hi\n", "rule"),
    "markdown": ("# Title\n\n- one\n- two\n", "list_item"),
    "objc": ("int main(void) { return 0; }\n", "function_definition"),
    "ocaml": ("let f x = x + 1\n", "let_binding"),
    "perl": ("my $x = 1;\nprint $x;\n", "scalar_variable"),
    "php": ("<?php function f($x) { return $x; }\n", "function_definition"),
    "python": ("def f(x):\n    return x\n", "function_definition"),
    "ql": ("from int x where x = 1 select x\n", "select"),
    "r": ("f <- function(x) x + 1\n", "function_definition"),
    "regex": ("(a|b)+[^c]", "character_class"),
    "rst": ("Title\n=====\n\nText *here*.\n", "section"),
    "ruby": ("def f(x)\n  x\nend\n", "method"),
    "rust": ("fn main() { let x = 1; }\n", "function_item"),
    "scala": ("object A { def f(x: Int): Int = x }\n", "object_definition"),
    "sql": ("SELECT a FROM b;\n", "select_statement"),
    "sqlite": ("SELECT a FROM b;\n", "select_stmt"),
    "toml": ("[a]\nb = 1\n", "table"),
    "tsq": ("(identifier) @name\n", "named_node"),
    "tsx": ("const a = <p>{b}</p>;\n", "jsx_element"),
    "typescript": ("const a: number = 1;\n", "type_annotation"),
    "yaml": ("a:\n  - 1\n  - b\n", "block_sequence"),
}


def node_types(node: tree_sitter.Node) -> Iterator[str]:
    yield node.type
    for child in node.children:
        yield from node_types(child)


@pytest.fixture
def fresh() -> Iterator[None]:
    """Neither earlier nor later tests see what this one loads."""
    grammars.load_grammar.cache_clear()
    yield
    grammars.load_grammar.cache_clear()


def test_there_is_a_snippet_for_every_grammar() -> None:
    assert tuple(SNIPPETS) == BUNDLED


@pytest.mark.parametrize("name", [name if name in LOADABLE else pytest.param(name, marks=WITHOUT) for name in BUNDLED])
def test_every_grammar_parses(name: str) -> None:
    source, expected = SNIPPETS[name]
    root = tree_sitter.Parser(load_grammar(name)).parse(source.encode()).root_node
    assert expected in set(node_types(root))
    assert not root.has_error


def test_available_grammars() -> None:
    assert {"java", "python"} <= set(available_grammars())
    assert list(available_grammars()) == LOADABLE
    assert not HAS_BUNDLE or len(available_grammars()) >= 46


def test_python_and_java_come_from_their_own_wheels() -> None:
    import tree_sitter_java
    import tree_sitter_python

    assert load_grammar("python") == tree_sitter.Language(tree_sitter_python.language())
    assert load_grammar("java") == tree_sitter.Language(tree_sitter_java.language())


@pytest.mark.parametrize(
    ("language_id", "name"),
    [
        ("csharp", "c_sharp"),
        ("shellscript", "bash"),
        ("sh", "bash"),
        ("typescriptreact", "tsx"),
        ("javascriptreact", "javascript"),
        ("cpp", "cpp"),
        ("makefile", "make"),
        ("objective-c", "objc"),
        ("restructuredtext", "rst"),
        ("go.mod", "gomod"),
        ("jsonc", "json"),
        ("FortranFreeForm", "fortran"),
        ("python", "python"),
        ("plaintext", None),
        ("", None),
    ],
)
def test_lsp_language_ids(language_id: str, name: str | None) -> None:
    assert grammar_name(language_id) == name


def test_every_alias_names_a_grammar() -> None:
    assert set(grammars._NAME_OF_ID.values()) <= set(BUNDLED)
    assert not set(grammars._NAME_OF_ID) & set(BUNDLED)


def test_an_unknown_language_is_one_line() -> None:
    with pytest.raises(GrammarMissing, match=r"^there is no tree-sitter grammar for 'plaintext'.*$"):
        load_grammar("plaintext")


@pytest.mark.usefixtures("fresh")
def test_without_the_package_the_message_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grammars, "_PACKAGE", "tree_sitter_languages_is_not_here")
    message = r"^the grammar for kotlin is not installed: .*pip install '\.\[languages\]"
    with pytest.raises(GrammarMissing, match=message):
        load_grammar("kotlin")
    assert list(available_grammars()) == INSTALLED


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("name", grammars._UNUSABLE)
def test_an_unusable_grammar_names_its_own_wheel(name: str) -> None:
    if name in INSTALLED:
        pytest.skip("its own wheel is installed")
    with pytest.raises(GrammarMissing, match=rf"pip install tree-sitter-{name}$"):
        load_grammar(name)


@pytest.mark.usefixtures("fresh")
def test_a_wheel_of_its_own_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tree_sitter_typescript.py").write_text(
        "import tree_sitter_python\ndef language_tsx(): return tree_sitter_python.language()\n"
    )
    (tmp_path / "tree_sitter_kotlin.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    for module in ("tree_sitter_typescript", "tree_sitter_kotlin"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    assert load_grammar("typescriptreact") == load_grammar("python")
    message = r"^the grammar for kotlin does not load \(.*pip install -U tree-sitter-kotlin$"
    with pytest.raises(GrammarMissing, match=message):
        load_grammar("kotlin")
    for module in ("tree_sitter_typescript", "tree_sitter_kotlin"):
        sys.modules.pop(module, None)


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("content", [b"", b"this is no library", b"\x7fELF\x02\x01\x01" + b"\0" * 60])
def test_a_broken_library_is_a_missing_grammar(content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "broken_grammars"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('imported')")
    (package / "languages.so").write_bytes(content)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(grammars, "_PACKAGE", "broken_grammars")
    with pytest.raises(GrammarMissing) as error:
        load_grammar("kotlin")
    assert str(error.value).startswith("the grammar for kotlin does not load from ")
    assert "\n" not in str(error.value)
    assert load_grammar("python") is not None


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("version", [tree_sitter.MIN_COMPATIBLE_LANGUAGE_VERSION - 1, tree_sitter.LANGUAGE_VERSION + 1])
def test_a_grammar_of_another_version_of_tree_sitter_is_a_missing_grammar(
    version: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """tree-sitter takes the grammar and refuses it when a parser is made, so each request of its files failed."""
    grammar = (ctypes.c_uint32 * 64)(version)  # of which no more than the version is read
    address = ctypes.cast(grammar, ctypes.c_void_p)
    entry = ctypes.CFUNCTYPE(ctypes.c_void_p)(lambda: address.value)
    monkeypatch.setattr(tree_sitter_java, "language", lambda: grammars._capsule(entry))  # type: ignore[arg-type]
    with pytest.raises(GrammarMissing) as error:
        load_grammar("java")
    message = str(error.value)
    assert message.startswith("the grammar for java does not load (Incompatible Language version ")
    assert message.endswith(": pip install -U tree-sitter-java")
    assert "\n" not in message
    monkeypatch.undo()
    assert load_grammar("java") is not None


@pytest.mark.usefixtures("fresh")
@needs_bundle
def test_a_library_without_the_grammar_is_a_missing_grammar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grammars, "BUNDLED", (*BUNDLED, "cobol"))
    with pytest.raises(GrammarMissing, match="the grammar for cobol does not load"):
        load_grammar("cobol")


@needs_bundle
def test_loading_prints_no_warning_and_never_imports_the_package() -> None:
    program = (
        "import sys; from editahead.syntax.grammars import load_grammar; load_grammar('go');"
        "assert 'tree_sitter_languages' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
