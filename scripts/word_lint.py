"""Count vague words and names in each room of the server, and fail where a count rises.

    python -m scripts.word_lint            # exit code 1 if a count is above its limit in word_limits.json
    python -m scripts.word_lint --tighten  # lower the limits to the counts; a limit is never raised

A room is a folder of `server/editahead`, or one of `OWN_ROOMS`; modules beside the folders are the room `.`.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = Path("server", "editahead")
LIMITS = Path("scripts", "word_limits.json")
OWN_ROOMS = ("suggest/next_edit", "suggest/completion")
WORDS = ("one", "found", "known", "place", "home", "told", "asked", "said", "made", "left", "worth")
# Public functions and constants of these names say neither what they do nor what they hold.
PARTICIPLES = frozenset(
    """aliased alike anonymised answered appended asked assigned balanced blanked bound called cancelled carried
    changed checked closed coalesced commented committed copied created decided declared declined derived elsewhere
    expected exported extended extracted fits followed formatted found fresh given held hidden ignored imported
    included joined kept known late later latest left likeliest likely listed lost made masked matched merged misfit
    moved named near needed nowhere numbered opened outermost owned paced paired parsed passed permitted placed
    predicted printed proposed quiet ranked rated rebased refused remembered removed reordered replaced reported
    retyped rewritten rooted said saved shared shown spelled timed told touched trimmed unbound unchanged undeclared
    unfinished united unopened unread unused used waited wanted wrapped written""".split()
)
BOOLEAN = re.compile(r"_*(is|has|can|should)_|__\w+__$")
SUPERLATIVE = re.compile(r"_?(MOST|LEAST|FEWEST|LONGEST|SHORTEST|LARGEST|SMALLEST|WIDEST|DEEPEST|STILL)(_|$)")
Counts = dict[str, dict[str, int]]  # room -> word -> count


def count_words(text: str) -> Counter[str]:
    """How often each word and each kind of name that is counted stands in the text of a module."""
    counts = Counter(re.findall(rf"\b(?:{'|'.join(WORDS)})\b", text))
    tree = ast.parse(text)
    counts.update(_name_kinds(tree))
    counts["superlative constant"] += sum(bool(SUPERLATIVE.match(name)) for name in _constants(tree))
    counts["participle"] += sum(name.lower() in PARTICIPLES for name in _constants(tree))
    return +counts


def _name_kinds(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
            names = (name.id for name in ast.walk(node.target) if isinstance(name, ast.Name))
            yield from ("loop variable one" for name in names if name == "one")
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if node.name in PARTICIPLES:
                yield "participle"
            overrides = any(ast.unparse(decorator).endswith("override") for decorator in node.decorator_list)
            returns = ast.unparse(node.returns) if node.returns else ""
            if returns == "bool" and not overrides and not BOOLEAN.match(node.name):
                yield "boolean without is/has/can/should"


def _constants(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        yield from (target.id for target in targets if isinstance(target, ast.Name) and target.id.isupper())


def rooms(root: Path) -> dict[str, list[Path]]:
    """The Python files of each room of a source tree, in order."""
    files: dict[str, list[Path]] = {}
    for path in sorted((root / PACKAGE).rglob("*.py")):
        folder = path.relative_to(root / PACKAGE).parent.as_posix()
        own_room = next((room for room in OWN_ROOMS if f"{folder}/".startswith(f"{room}/")), None)
        files.setdefault(own_room or folder.partition("/")[0], []).append(path)
    return files


def count_rooms(root: Path) -> Counts:
    """The counts of each room of a source tree."""
    totals = {
        room: sum((count_words(path.read_text(encoding="utf-8")) for path in paths), Counter[str]())
        for room, paths in rooms(root).items()
    }
    return {room: dict(sorted(counts.items())) for room, counts in totals.items()}


def find_rises(root: Path, limits: Counts) -> list[str]:
    """A line for each count above its limit: room, word, count, limit, and the first file that has more than before."""
    return [
        f"{room}: `{word}` {count} times, the limit is {limits.get(room, {}).get(word, 0)}; "
        f"{_first_file_with_more(root, room, word).relative_to(root).as_posix()}"
        for room, counts in count_rooms(root).items()
        for word, count in counts.items()
        if count > limits.get(room, {}).get(word, 0)
    ]


def _first_file_with_more(root: Path, room: str, word: str) -> Path:
    """The first file with more of the word than when the limits were committed; without git, the first with it."""
    commit = _git(root, "log", "-1", "--format=%H", "--", LIMITS.as_posix()).strip()
    with_word: list[Path] = []
    for path in rooms(root)[room]:
        if count := count_words(path.read_text(encoding="utf-8"))[word]:
            with_word.append(path)
            before = _git(root, "show", f"{commit}:{path.relative_to(root).as_posix()}") if commit else ""
            if count > count_words(before)[word]:
                return path
    return with_word[0]


def _git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, encoding="utf-8", check=False)
    return done.stdout if done.returncode == 0 else ""


def tighten(limits: Counts, counts: Counts) -> Counts:
    """The limits, each lowered to its count; what stands in no limit has none."""
    lower = {
        room: {word: min(limit, counts.get(room, {}).get(word, 0)) for word, limit in words.items()}
        for room, words in limits.items()
    }
    kept = {room: {word: limit for word, limit in words.items() if limit} for room, words in lower.items()}
    return {room: words for room, words in kept.items() if words}


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    """Compare the counts with the limits, or lower the limits; the exit code is 1 if a count is above its limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tighten", action="store_true", help="lower the limits to the counts")
    options = parser.parse_args(arguments)
    limits: Counts = json.loads((root / LIMITS).read_text(encoding="utf-8"))
    if options.tighten:
        lower = tighten(limits, count_rooms(root))
        (root / LIMITS).write_text(json.dumps(lower, indent=2) + "\n", encoding="utf-8")
    rises = find_rises(root, limits)
    print("\n".join(rises) or f"words: {sum(sum(words.values()) for words in count_rooms(root).values())}, none rose")
    return bool(rises)


if __name__ == "__main__":
    sys.exit(main())
