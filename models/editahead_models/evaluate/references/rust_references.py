"""References in Rust by rust-analyzer: `python -m editahead_models.evaluate.references.rust_references FOLDER SOURCES`.

FOLDER is the checked-out project, SOURCES the folder `library` of the sources of Rust. Questions and answers are those
of `clangd_references`. The crates of the project are read from its Cargo.toml files, all features on, and none that it
takes from elsewhere. So nothing is said of a name that also stands inside a macro that the server cannot read, or in
braces in a string (`"{name}"`), which older versions do not read. Nor of what traits and their implementations declare,
and of names that are a field and its value at once (`Point { x }`), which have two meanings.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from editahead_models.evaluate.references.language_server import LanguageServer, Place, answer

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_MACRO = re.compile(r"\b(\w+)\s*!\s*(?:\w+\s*)?([(\[{])")
_CLOSES = {"(": ")", "[": "]", "{": "}"}


def main() -> None:
    """Answer until the input ends."""
    root, sources = (Path(one).resolve() for one in sys.argv[1:3])
    project = {"sysroot_src": str(sources), "crates": crates(root)}
    options = {"linkedProjects": [project], "checkOnSave": {"enable": False}, "procMacro": {"enable": False}}
    server = LanguageServer(["rust-analyzer"], root, {".rs": "rust"}, options, wait=True)

    def references(path: str, text: str, line: int, column: int) -> list[Place] | None:
        found = None if in_doubt(text, line, column) else server.references(path, text, line, column)
        word = _word(text, line, column)
        found = [place for place in found or () if _word(text, *place) == word]  # not `Self`
        doubt = unseen_in_macros(text, word, found) or any(is_shorthand(text, *place) for place in found)
        return None if doubt or not found else found

    answer(references)


def crates(root: Path) -> list[dict[str, Any]]:
    """The crates below a folder as rust-project.json has them: libraries, programs, tests, examples and benches."""
    manifests = [(path.parent, tomllib.loads(path.read_text(encoding="utf-8"))) for path in root.rglob("Cargo.toml")]
    packages = sorted(((folder, one) for folder, one in manifests if "package" in one), key=lambda pair: pair[0])
    roots = [(folder / one.get("lib", {}).get("path", "src/lib.rs"), one) for folder, one in packages]
    roots = [(path, one) for path, one in roots if path.exists()]
    libraries = {one["package"]["name"]: number for number, (_, one) in enumerate(roots)}
    roots += [(path, one) for folder, one in packages for path in _programs(folder)]
    found = []
    for number, (path, manifest) in enumerate(roots):
        wanted = {*manifest.get("dependencies", ())}
        if number >= len(libraries):
            wanted |= {manifest["package"]["name"], *manifest.get("dev-dependencies", ())}
        needed = [
            {"crate": libraries[name], "name": name.replace("-", "_")} for name in sorted(wanted & libraries.keys())
        ]
        found.append(_crate(path, manifest) | {"deps": [one for one in needed if one["crate"] != number]})
    return found


def _programs(folder: Path) -> Iterator[Path]:
    main = folder / "src" / "main.rs"
    if main.exists():
        yield main
    for kind in ("src/bin", "tests", "examples", "benches"):
        yield from sorted((folder / kind).glob("*.rs"))
        yield from sorted((folder / kind).glob("*/main.rs"))


def _crate(path: Path, manifest: dict[str, Any]) -> dict[str, Any]:
    needs = manifest.get("dependencies", {})
    optional = [name for name, one in needs.items() if isinstance(one, dict) and one.get("optional")]
    features = [f'feature="{name}"' for name in (*manifest.get("features", ()), *optional)]
    return {
        "root_module": str(path),
        "edition": "2018" if manifest["package"].get("edition") == "2018" else "2021",
        "cfg": ["unix", 'target_os="linux"', "test", "debug_assertions", *features],
        "is_workspace_member": True,
    }


def in_doubt(text: str, line: int, column: int) -> bool:
    """Whether a name belongs to a trait, or may stand in a string."""
    word = _word(text, line, column)
    in_braces = re.search(rf'"[^"\n]*\{{{re.escape(word)}[:}}]', text)
    return not word or in_braces is not None or is_of_a_trait(text, line, column)


def unseen_in_macros(text: str, word: str, found: Collection[Place]) -> bool:
    """Whether a name stands inside a macro where the server has not found it."""
    known = {_offset(text, *place) for place in found}
    name = re.compile(rf"\b{re.escape(word)}\b")
    inside = (name.finditer(text, *_inside(text, one)) for one in _MACRO.finditer(text))
    return any(one.start() not in known for some in inside for one in some)


def is_of_a_trait(text: str, line: int, column: int) -> bool:
    """Whether a function, type or constant is declared at a place, for a trait."""
    at = _offset(text, line, column)
    opening = _opening(text[:at])
    if opening < 0 or text[opening] != "{" or not re.search(r"\b(fn|type|const)\s+$", text[:at]):
        return False
    head = re.split(r"[;{}]", text[:opening])[-1]
    return re.search(r"\btrait\b|\bimpl\b.*\bfor\b", head, re.DOTALL) is not None


def _word(text: str, line: int, column: int) -> str:
    found = re.match(r"\w+", text.split("\n")[line - 1][column:])
    return found.group() if found else ""


def is_shorthand(text: str, line: int, column: int) -> bool:
    """Whether the name at a place stands alone between braces or commas inside braces."""
    at = _offset(text, line, column)
    before, behind = text[:at].rstrip(), text[at + len(_word(text, line, column)) :].lstrip()
    alone = before[-1:] in ("{", ",") and behind[:1] in (",", "}")
    return alone and text[_opening(before)] == "{"


def _offset(text: str, line: int, column: int) -> int:
    """Where a place stands in a text, in characters."""
    return sum(len(row) + 1 for row in text.split("\n")[: line - 1]) + column


def _opening(text: str) -> int:
    """Where the innermost bracket stands that a text leaves open; -1 for none."""
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        depth += (text[at] in ")]}") - (text[at] in "([{")
        if depth < 0:
            return at
    return -1


def _inside(text: str, macro: re.Match[str]) -> tuple[int, int]:
    """From the opening bracket of a macro to the one that closes it, or to the end of the text."""
    opens, depth = macro.group(2), 0
    closes = _CLOSES[opens]
    for at in range(macro.end() - 1, len(text)):
        depth += (text[at] == opens) - (text[at] == closes)
        if depth == 0:
            return macro.end(), at
    return macro.end(), len(text)


if __name__ == "__main__":
    main()
