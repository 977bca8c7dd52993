"""Write the languages in which both plugins begin by themselves: `python scripts/editor_languages.py`.

They come from server/editahead/syntax/languages/; a user switches one off with the setting `languages`.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from editahead.syntax.embedded import hosts
from editahead.syntax.language import all_languages

ROOT = Path(__file__).resolve().parents[1]
MANIFEST = Path("editors/vscode/package.json")
EXTENSION = Path("editors/vscode/src/languages.ts")
LUA = (Path("editors/nvim/lsp/editahead.lua"), Path("docs/editors/neovim.md"))
_FILETYPES = re.compile(r"filetypes = \{[^}]*\}")


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
    return made


def main() -> int:
    """Write them all."""
    for path, text in files().items():
        (ROOT / path).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
