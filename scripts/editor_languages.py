"""Write the languages in which both plugins begin by themselves: `python scripts/editor_languages.py`.

They come from server/editahead/syntax/languages/; a user switches one off with the setting `languages`. The recipes for
other editors name the same languages as those editors call them.
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from editahead.syntax.embedded import hosts
from editahead.syntax.language import all_languages

ROOT = Path(__file__).resolve().parents[1]
MANIFEST = Path("editors/vscode/package.json")
EXTENSION = Path("editors/vscode/src/languages.ts")
LUA = (Path("editors/nvim/lsp/editahead.lua"), Path("docs/editors/neovim.md"))
_FILETYPES = re.compile(r"filetypes = \{[^}]*\}")


class Elsewhere(NamedTuple):
    """What other editors call a language, the servers that Helix starts for it, the modes of Emacs."""

    helix: str
    helix_servers: tuple[str, ...]
    emacs: str
    zed: str
    sublime: str


_TSSERVER = ("typescript-language-server",)
ELSEWHERE = {
    "python": Elsewhere(
        "python", ("ty", "ruff", "jedi", "pylsp"), "python-mode python-ts-mode", "Python", "source.python"
    ),
    "java": Elsewhere("java", ("jdtls",), "java-mode java-ts-mode", "Java", "source.java"),
    "typescript": Elsewhere("typescript", _TSSERVER, "typescript-mode typescript-ts-mode", "TypeScript", "source.ts"),
    "typescriptreact": Elsewhere("tsx", _TSSERVER, "tsx-ts-mode", "TSX", "source.tsx"),
    "javascript": Elsewhere("javascript", _TSSERVER, "js-mode js-ts-mode", "JavaScript", "source.js"),
    "javascriptreact": Elsewhere("jsx", _TSSERVER, "js-jsx-mode", "JavaScript", "source.jsx"),
    "go": Elsewhere("go", ("gopls", "golangci-lint-lsp"), "go-mode go-ts-mode", "Go", "source.go"),
    "rust": Elsewhere("rust", ("rust-analyzer",), "rust-mode rust-ts-mode", "Rust", "source.rust"),
    "csharp": Elsewhere("c-sharp", ("omnisharp",), "csharp-mode csharp-ts-mode", "C#", "source.cs"),
    "c": Elsewhere("c", ("clangd",), "c-mode c-ts-mode", "C", "source.c"),
    "cpp": Elsewhere("cpp", ("clangd",), "c++-mode c++-ts-mode", "C++", "source.c++"),
}


def editor_ids() -> list[str]:
    """What editors call the languages with rules of names, and the documents that may hold code of them."""
    return [*(name for language in all_languages() for name in language.editor_ids), *hosts()]


def files() -> Mapping[Path, str]:
    """The files that name languages, as they ought to be."""
    names = editor_ids()
    manifest = json.loads((ROOT / MANIFEST).read_text(encoding="utf-8"))
    manifest["activationEvents"] = [f"onLanguage:{name}" for name in names]
    # Else Enter behind a complete word would be taken by the menu.
    manifest["contributes"]["configurationDefaults"] = {
        f"[{name}]": {"editor.acceptSuggestionOnEnter": "smart"} for name in names
    }
    listed = ", ".join(f"'{name}'" for name in names)
    made = {
        MANIFEST: json.dumps(manifest, indent=2, ensure_ascii=False) + "\n",
        EXTENSION: (
            "/** Languages of the documents that the server is told of. Written by scripts/editor_languages.py. */\n"
            f"export const LANGUAGES = [{listed}];\n"
        ),
    }
    for path in LUA:
        text = (ROOT / path).read_text(encoding="utf-8")
        made[path] = _FILETYPES.sub(f"filetypes = {{ {listed} }}", text)
    for path, write in RECIPES.items():
        made[path] = write((ROOT / path).read_text(encoding="utf-8"))
    return made


def _languages() -> dict[str, Elsewhere]:
    """The languages with rules of names, by what the plugins call them. Raises KeyError for one without a row."""
    return {name: ELSEWHERE[name] for language in all_languages() for name in language.editor_ids}


def _replaced(pattern: str, new: str, text: str) -> str:
    found = re.subn(pattern, lambda match: new, text, count=1, flags=re.DOTALL)
    assert found[1] == 1, f"the recipe has no place for its languages: {pattern}"
    return found[0]


def _helix(text: str) -> str:
    tables = [
        f'[[language]]\nname = "{row.helix}"\nlanguage-servers = {json.dumps([*row.helix_servers, "editahead"])}\n'
        for row in _languages().values()
    ]
    return _replaced(r"\[\[language\]\].*?(?=```)", "\n".join(tables), text)


def _emacs(text: str) -> str:
    modes = textwrap.wrap(" ".join(row.emacs for row in _languages().values()), 88, break_on_hyphens=False)
    text = _replaced(r"'\(\([^()]*\)", "'((" + ("\n" + " " * 18).join(modes) + ")", text)
    ids = textwrap.wrap(" ".join(f'"{name}"' for name in _languages()), 88)
    listed = ("\n" + " " * 37).join(ids)
    return _replaced(r"\(lsp-activate-on [^()]*\)", f"(lsp-activate-on {listed})", text)


def _zed(text: str) -> str:
    names = dict.fromkeys(row.zed for row in _languages().values())
    rows = ",\n".join(f'    "{name}": {{ "language_servers": ["{ZED_SERVER}", "..."] }}' for name in names)
    return _replaced(r'"languages": \{\n.*?\n  \}', f'"languages": {{\n{rows}\n  }}', text)


def _others(text: str) -> str:
    scopes = " | ".join(row.sublime for row in _languages().values())
    return _replaced(r'"selector": "[^"]*"', f'"selector": "{scopes}"', text)


ZED_SERVER = "tailwindcss-language-server"  # which Zed starts for any language that names it
RECIPES: Mapping[Path, Callable[[str], str]] = {
    Path("docs/editors/helix.md"): _helix,
    Path("docs/editors/emacs.md"): _emacs,
    Path("docs/editors/zed.md"): _zed,
    Path("docs/editors/others.md"): _others,
}


def main() -> int:
    """Write them all."""
    for path, text in files().items():
        (ROOT / path).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
