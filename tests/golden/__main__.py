"""Record what the server answers to fixed requests, and compare later: a change of structure changes no answer.

    python -m tests.golden record ANSWERS.json --sources DIR --sources DIR2
    python -m tests.golden compare ANSWERS.json --sources DIR --sources DIR2

Requests are drawn by a seed from the Python and Java files below the folders, for every surface. Deadlines are lifted
and the searches are bounded by work, so that the machine's load changes nothing. Probabilities are compared to three
decimals.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from editahead.bench.stdio_client import StdioClient, server_command

SETTINGS = {
    "completionDeadlineMs": 60_000, "inlineDeadlineMs": 60_000, "nextEditDeadlineMs": 60_000,
    "index": {"enabled": False}, "precision": 0.5, "respectGitignore": False,
}  # fmt: skip
LANGUAGES = {".py": "python", ".java": "java"}
_IDENTIFIER = re.compile(r"\b[A-Za-z_][A-Za-z0-9_]{3,}\b")
_LARGEST = 40_000  # bytes of a source file


def source_files(folders: Sequence[Path], count: int, seed: int) -> list[Path]:
    """`count` files of each language, the same ones whenever the folders hold the same."""
    chosen: list[Path] = []
    for suffix in LANGUAGES:
        found = [path for folder in folders for path in sorted(folder.rglob(f"*{suffix}"))]
        small = [path for path in found if path.is_file() and 2000 < path.stat().st_size < _LARGEST]
        random.Random(seed).shuffle(small)
        chosen += small[:count]
    return chosen


def answers(client: StdioClient, path: Path, rng: random.Random) -> Iterator[tuple[str, Any]]:
    """Names and answers of all requests in one file."""
    text = path.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n")
    uri = f"file:///golden/{path.name}"
    document = {"uri": uri, "languageId": LANGUAGES[path.suffix], "version": 1, "text": text}
    client.notify("textDocument/didOpen", {"textDocument": document})
    for number in range(4):
        yield from _at_a_place(client, uri, text, rng, f"{path.name} {number}")
    yield from _after_renaming(client, uri, text, rng, path.name)
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})


def _at_a_place(client: StdioClient, uri: str, text: str, rng: random.Random, name: str) -> Iterator[tuple[str, Any]]:
    """The surfaces at a drawn identifier, as the file stands: before it, and inside it."""
    places = list(_IDENTIFIER.finditer(text))
    if not places:
        return
    place = rng.choice(places)
    for letters in (0, 2):
        where = {"textDocument": {"uri": uri}, "position": _position(text, place.start() + letters)}
        yield f"{name} completion {letters}", client.request("textDocument/completion", where).result
        inline = {**where, "context": {"triggerKind": 2}}
        yield f"{name} inline {letters}", client.request("textDocument/inlineCompletion", inline).result
    line = {"line": where["position"]["line"], "character": 0}
    asked = {"diagnostics": [], "triggerKind": 1}
    span = {"textDocument": {"uri": uri}, "range": {"start": line, "end": line}, "context": asked}
    yield f"{name} actions", client.request("textDocument/codeAction", span).result
    yield f"{name} explain", client.request("editahead/explain", where).result
    labels = [rng.choice(places).group() for _ in range(4)]
    yield f"{name} rank", client.request("editahead/rank", {**where, "labels": labels}).result


def _after_renaming(
    client: StdioClient, uri: str, text: str, rng: random.Random, name: str
) -> Iterator[tuple[str, Any]]:
    """Next edits after a word was changed at one and at two of its places, and after that was undone."""
    counts: dict[str, list[int]] = {}
    for place in _IDENTIFIER.finditer(text):
        counts.setdefault(place.group(), []).append(place.start())
    often = sorted(word for word, at in counts.items() if len(at) >= 3)
    for number, word in enumerate(rng.sample(often, min(3, len(often)))):
        version, current = 10 * number + 2, text
        for done in range(2):
            at = _places(current, word)[0]
            current = _change(client, uri, current, at, word, f"{word}_new", version + done)
            where = {"textDocument": {"uri": uri, "version": version + done}, "position": _position(current, at)}
            yield f"{name} next edit {number} {done}", client.request("editahead/nextEdit", where).result
            yield f"{name} next edits {number} {done}", client.request("editahead/nextEdits", where).result
        whole = {"textDocument": {"uri": uri, "version": version + 5}, "contentChanges": [{"text": text}]}
        client.notify("textDocument/didChange", whole)


def _places(text: str, word: str) -> list[int]:
    return [place.start() for place in re.finditer(rf"\b{re.escape(word)}\b", text)]


def _change(client: StdioClient, uri: str, text: str, at: int, old: str, new: str, version: int) -> str:
    span = {"start": _position(text, at), "end": _position(text, at + len(old))}
    client.notify(
        "textDocument/didChange",
        {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"range": span, "text": new}]},
    )
    return text[:at] + new + text[at + len(old) :]


def _position(text: str, at: int) -> dict[str, int]:
    """A place as LSP counts it: the line, and UTF-16 units in it."""
    before = text[:at].split("\n")
    return {"line": len(before) - 1, "character": len(before[-1].encode("utf-16-le")) // 2}


def rounded(value: Any) -> Any:
    """Figures to three decimals; what names a process or a moment is left out."""
    if isinstance(value, float):
        return round(value, 3)
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items() if key not in ("command", "milliseconds")}
    return [rounded(item) for item in value] if isinstance(value, list) else value


def collect(folders: Sequence[Path], count: int, seed: int) -> dict[str, Any]:
    """All answers by the name of the request."""
    found: dict[str, Any] = {}
    with StdioClient(server_command(), timeout=120.0) as client:
        capabilities = {"textDocument": {"inlineCompletion": {}}}
        options = {"processId": None, "rootUri": None, "capabilities": capabilities, "initializationOptions": SETTINGS}
        client.request("initialize", options)
        client.notify("initialized", {})
        for number, path in enumerate(source_files(folders, count, seed)):
            for name, answer in answers(client, path, random.Random(f"{seed}:{number}")):
                found[f"{number} {name}"] = rounded(answer)
    return found


def differences(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Names of the requests whose answers differ."""
    return [name for name in {**before, **after} if before.get(name, ...) != after.get(name, ...)]


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden", description=__doc__)
    parser.add_argument("verb", choices=("record", "compare"))
    parser.add_argument("answers", type=Path)
    parser.add_argument("--sources", type=Path, action="append", required=True)
    parser.add_argument("--files", type=int, default=28, help="files of each language")
    parser.add_argument("--seed", type=int, default=7)
    args = parser.parse_args()
    found = collect(args.sources, args.files, args.seed)
    print(f"{len(found)} answers", file=sys.stderr)
    if args.verb == "record":
        args.answers.write_text(json.dumps(found, indent=0, ensure_ascii=False), encoding="utf-8")
        return 0
    before = json.loads(args.answers.read_text(encoding="utf-8"))
    changed = differences(before, found)
    for name in changed[:20]:
        was, now = (json.dumps(table.get(name), ensure_ascii=False)[:400] for table in (before, found))
        print(f"{name}\n  was {was}\n  now {now}")
    print(f"{len(changed)} of {len(before)} answers differ")
    return 1 if changed else 0


if __name__ == "__main__":
    sys.exit(main())
