"""`editahead-models evaluate members`: names behind a dot and keys of literals in dev projects: is the class known?

Each project is checked out into a temporary folder, so that other files of it can be read as in an editor. Behind a
dot half of the files end at the place. What a type is inferred from includes the standard library and packages of this
interpreter.
"""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from editahead.git import ask_git, tree_files
from editahead.runtime.language_model.model import LanguageModel
from editahead.runtime.language_model.ngrams import DocumentCaches
from editahead.suggest.completion.completions import words_ranked
from editahead.suggest.completion.ngrams import words_of
from editahead.suggest.completion.ranking.slots import DOTS
from editahead.syntax.language import Language
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.syntax.tokens import Line, Token, TokenKind
from editahead.text.buffer import Buffer
from rich.progress import track

from editahead_models.data.corpus.source_files import blobs
from editahead_models.data.corpus.test_paths import is_test
from editahead_models.data.projects import Project, head_commit, open_project
from editahead_models.data.splits import projects_of
from editahead_models.evaluate.places.evidence import known_at
from editahead_models.evaluate.places.key_places import ENTRIES, key_samples
from editahead_models.evaluate.places.neighbours import Neighbourhood
from editahead_models.evaluate.places.product import Sample, language_of
from editahead_models.publishing.intervals import pooled

LETTERS = (0, 1)
FORMS = ("self", "name", "dotted name", "call", "index", "literal")
KEY = "key"
"""The form of a place where the key of a literal begins."""
LANGUAGES = ("python", "java", "typescript", "go", "rust", "cpp", "c_sharp")
_CONFIGURATIONS = {  # by language, the names of files that say which files an import means
    "go": frozenset({"go.mod"}),
    "typescript": frozenset({"jsconfig.json", "package.json", "tsconfig.json"}),
}
_STATEMENTS = ("import", "from", "package", "use", "using", "#include")  # in which nothing is a member
_FILES = 40  # of a project that places are drawn from
_WITH_ARROWS = ("c", "cpp")  # in which an object stands before `->`
PAGE, DATA = "members.md", "members.json"


class MemberPlace(NamedTuple):
    """A name behind a dot with the form of what stands before it, or a key."""

    sample: Sample
    form: str
    whole: bool


class MemberRow(NamedTuple):
    """What is known at a place: the receiver's members, the name among them; its rank by letters typed (-1: none)."""

    project: str
    form: str
    known: bool
    held: bool
    ranks: tuple[int, ...]


def member_places(files: Sequence[tuple[str, bytes]], project: Project, language: Language, count: int,
                  rng: random.Random) -> list[MemberPlace]:  # fmt: skip
    """`count` names of two letters and more behind a dot, drawn uniformly from those of some files, in their order."""
    chosen = [row for row in files if not is_test(row[0])]
    rng.shuffle(chosen)
    pool: list[MemberPlace] = []
    dots = DOTS if language.id in _WITH_ARROWS else DOTS[:1]
    for path, content in chosen[:_FILES]:
        snapshot = SyntaxSnapshot.open(Buffer(content), language)
        starts = snapshot.buffer.line_starts
        for number in range(snapshot.line_count):
            tokens = [token for token in snapshot.line_tokens(number) if token.kind is not TokenKind.NEWLINE]
            if tokens and tokens[0].text in _STATEMENTS:
                continue
            for at in range(2, len(tokens)):
                token = tokens[at]
                if token.kind is TokenKind.NAME and len(token.text) > 1 and tokens[at - 1].text in dots:
                    start = int(starts[number]) + token.start
                    sample = Sample(project.name, content, start, start + len(token.text.encode()), True, path)
                    pool.append(MemberPlace(sample, _form(tokens[: at - 1]), rng.random() < 0.5))
    drawn = rng.sample(pool, min(count, len(pool)))
    return sorted(drawn, key=lambda place: (place.sample.path, place.sample.start))


def _form(tokens: Sequence[Token]) -> str:
    """The form of the expression that ends with some tokens."""
    last = tokens[-1]
    if last.text == ")":
        return "call"
    if last.text == "]":
        return "index"
    if last.text in ("self", "this", "cls", "super"):
        return "self"
    if last.kind is not TokenKind.NAME:
        return "literal"
    return "dotted name" if len(tokens) > 1 and tokens[-2].text == "." else "name"


def measured(
    model: LanguageModel, places: Sequence[MemberPlace], around: Neighbourhood, checkouts: Path
) -> Iterator[MemberRow]:
    """A row a place, file by file, which keeps contexts warm. Places where nothing is offered are left out."""
    caches: DocumentCaches[Line] = DocumentCaches(words_of)
    path, snapshot, elsewhere = "", None, None
    for sample, form, whole in track(places, "asking", transient=True):
        if snapshot is None or snapshot.buffer.data is not sample.content:
            snapshot = SyntaxSnapshot.open(Buffer(sample.content), language_of(model.bundle.manifest.language))
        if elsewhere is None or path != sample.path:
            path, elsewhere = sample.path, around.around(sample.path)
        truth = sample.content[sample.start : sample.end].decode("utf-8", "replace")
        ranks, known, held = list[int](), False, False
        for letters in LETTERS:
            found = known_at(model, caches, sample, snapshot, elsewhere, letters, whole, checkouts)
            if found is None or len(found.place.prefix) != letters:
                break
            scopes = found.ranking.scopes if found.ranking is not None else None
            members = scopes.members if scopes is not None else None
            known, held = members is not None, members is not None and truth in members
            texts = [one.text for one in words_ranked(model, found)]
            ranks.append(texts.index(truth) if truth in texts else -1)
        else:
            yield MemberRow(sample.project, form, known, held, tuple(ranks))


def figures(rows: Sequence[MemberRow]) -> dict[str, Any]:
    """Shares, with intervals over projects: places with a known class, the name first or among the first five.

    `first` and `five` by letters typed: of places whose class is known and has the name, and of `all` places. `forms`:
    how often the receiver of each form is known; `keys`: the same shares for keys of literals.
    """
    found = _shares([row for row in rows if row.form != KEY])
    found["forms"] = {
        form: pooled((row.project, float(row.known), 1.0) for row in rows if row.form == form).as_json()
        for form in FORMS
    }
    keys = [row for row in rows if row.form == KEY]
    return found | ({"keys": _shares(keys)} if keys else {})


def _shares(rows: Sequence[MemberRow]) -> dict[str, Any]:
    found: dict[str, Any] = {
        "known": pooled((row.project, float(row.known), 1.0) for row in rows).as_json(),
        "held": pooled((row.project, float(row.held), float(row.known)) for row in rows).as_json(),
    }
    for letters in LETTERS:
        for name, most in (("first", 1), ("five", 5)):
            for label, some in (("", [row for row in rows if row.held]), ("all ", rows)):
                share = pooled((row.project, float(0 <= row.ranks[letters] < most), 1.0) for row in some)
                found[f"{label}{name}, {letters} typed"] = share.as_json()
    return found


def page(content: Mapping[str, Any]) -> str:
    """The page of stored figures."""
    figures = {language: one["figures"] for language, one in content.items()}
    lines = [
        "# Members and keys",
        "",
        f"Generated by `editahead-models evaluate members` from `data/{DATA}`: names of dev projects, no tests. How",
        "often the right one is first, and among the first five, is said of the places where the class is known and",
        "has it, and of all places. Intervals (95 %) are drawn over projects.",
        "",
        "## Members behind a dot",
        "",
        "Half of the places are at the end of the file. The receiver is known where its class or module is.",
        "",
        *_table(figures, "receiver known"),
    ]
    for form in FORMS:
        cells = (_cell(one["forms"][form]) for one in figures.values())
        lines.append(f"| receiver known, {form} | " + " | ".join(cells) + " |")
    keys = {language: one["keys"] for language, one in figures.items() if "keys" in one}
    lines += [
        "",
        "## Keys of literals",
        "",
        "The rest of the entry is not written yet; the rest of the file is. The class is known where the text says",
        "which one the literal is of, and what it declares.",
        "",
        *_table(keys, "class known"),
    ]
    return "\n".join([*lines, ""])


def _table(figures: Mapping[str, Mapping[str, Any]], known: str) -> list[str]:
    """A row for each share and a column for each language."""
    rows = {known: "known"}
    for letters in LETTERS:
        typed = f"{letters} letter{'s' if letters != 1 else ''} typed"
        rows |= {f"first, {typed}": f"first, {letters} typed", f"first five, {typed}": f"five, {letters} typed"}
        rows |= {f"all places: first five, {typed}": f"all five, {letters} typed"}
    lines = ["| | " + " | ".join(figures) + " |", "|---|" + "---|" * len(figures)]
    cells = ((label, [_cell(one[key]) for one in figures.values()]) for label, key in rows.items())
    return [*lines, *(f"| {label} | " + " | ".join(row) + " |" for label, row in cells)]


def _cell(share: Mapping[str, Any]) -> str:
    low, high = share["interval"]
    bounds = f" ({100 * low:.0f} to {100 * high:.0f})" if low is not None else ""
    return f"{100 * share['share']:.1f} %{bounds}, n {share['n']}" if share["n"] else "–"


def main(
    bundle: Annotated[list[Path], typer.Argument(help="Bundles of language models, one a language.")],
    mirror: Annotated[Path, typer.Option(help="Folder of git repositories, OWNER+NAME/repo or OWNER/NAME.")],
    count: Annotated[int, typer.Option(help="Names of each project.")] = 150,
    seed: Annotated[int, typer.Option(help="Which names are drawn.")] = 2026,
    out: Annotated[Path, typer.Option(help="Where the page and its data go.")] = Path("docs/results"),
) -> None:
    """Measure on dev projects how often the class of a receiver or literal is known, and how the right name ranks."""
    from editahead.suggest.engine import Engine

    engine = Engine.load(bundle, "cpu", lambda text, share: None)
    stored = out / "data" / DATA
    content: dict[str, Any] = json.loads(stored.read_text(encoding="utf-8")) if stored.exists() else {}
    for language_id in LANGUAGES:
        model = engine.language_model(language_id)
        if model is None:
            continue
        rows, commits = list[MemberRow](), dict[str, str]()
        for name in projects_of("dev", language_id):
            project = open_project(mirror, name)
            if project is None or project.licence is None:
                continue
            rows += of_project(model, project, language_of(language_id), count, seed)
            commits[name] = project.commit
            print(f"{name}: {sum(row.project == name for row in rows)} places", flush=True)
        content[language_id] = {
            "seed": seed, "commit": head_commit(Path.cwd()), "projects": commits, "figures": figures(rows),
        }  # fmt: skip
    stored.parent.mkdir(parents=True, exist_ok=True)
    stored.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    (out / PAGE).write_text(page(content), encoding="utf-8")
    print(page(content))


def of_project(
    model: LanguageModel, project: Project, language: Language, count: int, seed: int
) -> Iterator[MemberRow]:
    """The rows of one project, in a temporary checkout of its files."""
    files = list(blobs(project, language))
    places = member_places(files, project, language, count, random.Random(f"{seed}:{project.name}:members"))
    if language.id in ENTRIES:
        keys = key_samples(files, project.name, language, count, random.Random(f"{seed}:{project.name}:keys"))
        places += [MemberPlace(sample, KEY, True) for sample in keys]
    names = _CONFIGURATIONS.get(language.id, frozenset())
    configured = [path for path, _ in tree_files(project.path, "HEAD", bare=True) if path.rpartition("/")[2] in names]
    others = [(path, ask_git(project.path, "show", f"HEAD:{path}", bare=True)) for path in configured]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / project.name.replace("/", "+")
        for path, content in (*files, *others):
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        yield from measured(model, places, Neighbourhood(files, language), Path(folder))
