"""Completions at drawn names, requested from the real server while the name is typed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from editahead.bench import answers
from editahead.bench.editor import EditedDocument
from editahead.bench.stdio_client import ServerError

from editahead_models.publishing.keystrokes.nearest_words import nearest_words
from editahead_models.publishing.name_roles import IN_SCOPE, OTHER, NameRoles
from editahead_models.replay.measured_rows import Row
from editahead_models.replay.places import DrawnPlace
from editahead_models.replay.simulated_user import SimulatedUser

LETTERS = (0, 1, 2)
"""How many letters of the name are typed."""


def measure(user: SimulatedUser, places: Sequence[DrawnPlace], *, errors: list[str] | None = None) -> Iterator[Row]:
    """A row a place: its situation and role, and the rank of the name by letters typed, for us and for the words.

    `rank` and `words` are None where the list does not hold the name. `longer` is the rank among the items that are
    longer than what is typed: what is typed stands first where it is a name itself. `foreign`: the first choice without
    a letter is a local of another function; None where the file does not tell, or the name binds or follows a dot.
    With `errors`, a reply that is an error counts as an empty list, and its text is appended there. Raises ServerError.
    """
    path, roles = "", None
    for place in places:
        if roles is None or path != place.path:
            path, roles = place.path, NameRoles(place.content, place.language)
        document = user.go_to(place.path, place.language, place.before(), place.below)
        ranks: list[int | None] = []
        longer: list[int | None] = []
        words: list[int | None] = []
        first = ""
        for letters in LETTERS:
            if letters:
                document.type(place.token[letters - 1])
            prefix = place.token[:letters]
            names = _offered(document, prefix, errors)
            first = (names or [""])[0] if not letters else first
            ranks.append(_rank(names, place.token))
            longer.append(_rank([name for name in names if name != prefix], place.token))
            text, cursor = document.buffer.text, len(place.before(letters).decode("utf-8", "replace"))
            words.append(_rank(nearest_words(text, cursor), place.token))
        role = roles.role(place.start, place.token)
        foreign: bool | None = None
        if role in (IN_SCOPE, OTHER):
            foreign = bool(first) and first != place.token and roles.is_local_elsewhere(place.start, first)
        found = {"rank": ranks, "longer": longer, "words": words}
        yield {"situation": place.situation, "role": role, "foreign": foreign, **found}
    user.close()


def _offered(document: EditedDocument, prefix: str, errors: list[str] | None) -> list[str]:
    try:
        reply = document.request("textDocument/completion", context={"triggerKind": 1})
    except ServerError as error:
        if errors is None or not document.client.is_alive:
            raise
        errors.append(str(error))
        return []
    return [item.name for item in answers.completions(reply.result, prefix)]


def _rank(names: Sequence[str], name: str) -> int | None:
    return names.index(name) if name in names else None
