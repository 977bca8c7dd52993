"""`editahead-models report screens`: drawn places of dev projects as a user sees them, to be judged by a person.

At each place the real server is asked with nothing, one and two letters of the token typed, where the file ends at the
cursor, where only the rest of the line is missing, or where the rest of the line stands too. A screen is silly if a
first choice, ghost text or next edit could not be meant by anyone: no merely wrong guess is.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from editahead.bench import answers
from editahead.bench.editor import EditedDocument

from editahead_models.data.projects import Project, open_project
from editahead_models.data.splits import projects_of
from editahead_models.replay.places import DrawnPlace, draw, source_files
from editahead_models.replay.simulated_user import SimulatedUser, user_of

LANGUAGES = ("python", "java")
LETTERS = (0, 1, 2)
LISTED = 5
ABOVE, BELOW = 6, 3
"""Lines that a screen shows around the cursor's line."""
_BEFORE, _BEHIND = 60, 30  # characters of the line in a table
FILE_END, LINE_END, INSIDE = "the file ends here", "the line ends here", "only the token is missing"


@dataclass(frozen=True, slots=True)
class Moment:
    """What is shown behind some typed letters: the first names of the menu, ghost text, and the next edit."""

    typed: str
    menu: tuple[str, ...]
    ghost_text: str
    next_edit: str


@dataclass(frozen=True, slots=True)
class Screen:
    """A place: line numbers count from 1, `before` and `behind` are the cursor's line, `token` is what stood there."""

    project: str
    path: str
    line: int
    situation: str
    above: tuple[str, ...]
    before: str
    behind: str
    below: tuple[str, ...]
    token: str
    moments: tuple[Moment, ...]


def screens(user: SimulatedUser, project: str, places: Sequence[DrawnPlace], rng: random.Random) -> Iterator[Screen]:
    """A screen a place. Raises ServerError."""
    for place in places:
        situation = rng.choice((FILE_END, LINE_END, INSIDE))
        behind = place.content[place.end : place.line_end] if situation == INSIDE else b""
        below = place.content[place.line_end :] if situation != FILE_END else b""
        moments: list[Moment] = []
        document = user.go_to(place.path, place.language, place.before(), behind + below)
        for letters in LETTERS if place.is_name else LETTERS[:1]:
            if letters >= max(1, len(place.token)):
                break
            if letters:
                document.type(place.token[letters - 1])
            moments.append(_moment(document, place.token[:letters]))
        lines = place.before().decode("utf-8", "replace").split("\n")
        rest = below.decode("utf-8", "replace").split("\n")[1 : BELOW + 1]
        yield Screen(
            project, place.path, len(lines), situation, tuple(lines[-ABOVE - 1 : -1]), lines[-1],
            behind.decode("utf-8", "replace"), tuple(rest), place.token, tuple(moments),
        )  # fmt: skip
    user.close()


def _moment(document: EditedDocument, typed: str) -> Moment:
    reply = document.request("textDocument/completion", context={"triggerKind": 1})
    menu = tuple(item.name for item in answers.completions(reply.result, typed)[:LISTED])
    reply = document.request("textDocument/inlineCompletion", context={"triggerKind": 2})
    ghost = answers.ghost_text(reply.result, document.buffer, document.cursor)
    reply = document.request("editahead/nextEdit", versioned=True)
    edit = answers.next_edit(reply.result, document.buffer)
    change = ""
    if edit is not None:
        at = edit.edit
        row = document.buffer.data.count(b"\n", 0, at.start) + 1
        change = f"line {row}: {document.buffer.data[at.start : at.old_end].decode()!r} to {at.new.decode()!r}"
    return Moment(typed, menu, ghost.edit.new.decode("utf-8", "replace") if ghost is not None else "", change)


def text_of(number: int, screen: Screen) -> str:
    """A screen as plain text; the cursor is drawn as a bar."""
    head = f"#{number} {screen.project} {screen.path}:{screen.line} ({screen.situation})"
    rows = [head, *(f"  {line}" for line in screen.above), f"> {screen.before}|{screen.behind}"]
    rows += [f"  {line}" for line in screen.below]
    for moment in screen.moments:
        rows.append(f"  [{moment.typed}] menu: {', '.join(moment.menu)}")
        if moment.ghost_text:
            rows.append(f"      ghost text: {moment.ghost_text!r}")
        if moment.next_edit:
            rows.append(f"      next edit: {moment.next_edit}")
    return "\n".join([*rows, f"  stood there: {screen.token!r}", ""])


def page_rows(shown: Sequence[Screen], verdicts: Mapping[str, str]) -> list[str]:
    """The rows of a table of judged screens: a number that `verdicts` does not hold was judged to be sensible."""
    return [
        f"| {number} | {screen.project} `{screen.path}`:{screen.line} | {screen.situation} | {_line(screen)} "
        f"| {_cell(screen.token)} | {_seen(screen)} | {verdicts.get(str(number), '')} |"
        for number, screen in enumerate(shown, 1)
    ]


def _line(screen: Screen) -> str:
    return _cell(f"{screen.before.lstrip()[-_BEFORE:]}‸{screen.behind[:_BEHIND]}")


def _seen(screen: Screen) -> str:
    parts: list[str] = []
    for moment in screen.moments:
        ghost = f" + {_cell(moment.ghost_text)}" if moment.ghost_text else ""
        edit = f" + next edit {_cell(moment.next_edit)}" if moment.next_edit else ""
        parts.append((_cell(moment.menu[0]) if moment.menu else "nothing") + ghost + edit)
    return "; ".join(parts)


def _cell(text: str) -> str:
    shown = text.replace("\n", "⏎").replace("|", "\\|")
    return f"`` {shown} ``" if "`" in shown else f"`{shown}`"


def main(
    mirror: Annotated[Path, typer.Option(help="Folder of git repositories, OWNER+NAME/repo or OWNER/NAME.")],
    out: Annotated[Path, typer.Option(help="The file of screens (JSON) to write; its text stands beside it.")],
    count: Annotated[int, typer.Option(help="Screens of each language.")] = 25,
    seed: Annotated[int, typer.Option(help="Which places are drawn.")] = 2026,
    bundle: Annotated[list[Path] | None, typer.Option(help="Bundles that go before the shipped ones.")] = None,
    verdicts: Annotated[
        Path | None, typer.Option(help="Judgements (JSON, number to text): print a table of `out`, draw nothing.")
    ] = None,
) -> None:
    """Draw screens of dev projects, or print a table of those that were judged."""
    if verdicts is not None:
        rows = [_screen(row) for row in json.loads(out.read_text(encoding="utf-8"))]
        print("\n".join(page_rows(rows, json.loads(verdicts.read_text(encoding="utf-8")))))
        return
    found: list[Screen] = []
    for language_id in LANGUAGES:
        opened = [one for name in projects_of("dev", language_id) if (one := open_project(mirror, name)) is not None]
        chosen = [project for project in opened if project.licence is not None]
        for number, project in enumerate(chosen):
            part = count // len(chosen) + (number < count % len(chosen))
            found += _of_project(project, language_id, part, seed, bundle or ())
            print(f"{project.name}: {len(found)} screens so far", flush=True)
    out.write_text(json.dumps([asdict(screen) for screen in found], indent=1) + "\n", encoding="utf-8")
    text = "\n".join(text_of(number, screen) for number, screen in enumerate(found, 1))
    out.with_suffix(".txt").write_text(text, encoding="utf-8")


def _of_project(project: Project, language_id: str, count: int, seed: int, bundles: Sequence[Path]) -> list[Screen]:
    files = list(source_files(project, language_id))
    rng = random.Random(f"{seed}:{project.name}:screens")
    places = draw(files, count, rng, names_only=False)
    with user_of(files, bundles) as user:
        return list(screens(user, project.name, places, rng))


def _screen(row: Mapping[str, Any]) -> Screen:
    moments = tuple(Moment(**{**moment, "menu": tuple(moment["menu"])}) for moment in row["moments"])
    return Screen(**{**row, "above": tuple(row["above"]), "below": tuple(row["below"]), "moments": moments})
