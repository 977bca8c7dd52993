"""The settings: one frozen value, replaced as a whole. Documentation and manifests are generated from it.

In an editor every field is a key of the section `editahead`, in camelCase: `max_completions` is
`editahead.maxCompletions`. What belongs together may form a section of its own: `index_max_names` is
`editahead.index.maxNames`.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass, field, fields
from typing import Annotated, Any, Literal

SECRETS = (
    ".env*", "*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "id_rsa*", "id_dsa*",
    "id_ecdsa*", "id_ed25519*", "*secret*", "credentials*", ".netrc", ".pgpass", ".npmrc", ".pypirc",
    ".htpasswd", ".ssh/", ".gnupg/", ".aws/",
)  # fmt: skip
PRESETS = {"quiet": 0.9, "balanced": 0.8, "eager": 0.65}
"""Target precisions by name."""
SuggestionKind = Literal["ghost_text", "next_edit", "jump"]
"""The kinds of suggestions that have a target precision."""


class SettingsError(ValueError):
    """One key whose value cannot be used; names the key, what it expects, what it got and what is used."""


def _flag(default: bool, doc: str) -> Any:
    return field(default=default, metadata={"doc": doc, "kind": "flag"})


def _number(default: float | None, low: float, high: float, doc: str, **more: Any) -> Any:
    return field(default=default, metadata={"doc": doc, "kind": "number", "low": low, "high": high, **more})


def _whole(default: int, low: int, high: int, doc: str, **more: Any) -> Any:
    return field(default=default, metadata={"doc": doc, "kind": "whole", "low": low, "high": high, **more})


def _choice(default: str, choices: tuple[str, ...], doc: str, **more: Any) -> Any:
    return field(default=default, metadata={"doc": doc, "kind": "choice", "choices": choices, **more})


def _texts(default: tuple[str, ...], doc: str, **more: Any) -> Any:
    return field(default=default, metadata={"doc": doc, "kind": "texts", **more})


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that a user can set, checked. Build one with `parse_settings`."""

    enabled: bool = _flag(True, "Enable predictions. When off, no file is processed.")
    languages: tuple[tuple[str, bool], ...] = field(
        default=(),
        metadata={
            "doc": "Switch languages on or off by their LSP identifier; `*` stands for all others. "
            'Example: `{"*": true, "markdown": false}`.',
            "kind": "flags",
        },
    )
    completion: bool = _flag(True, "Offer ranked completions in the completion menu.")
    inline_completion: bool = _flag(True, "Offer ghost text at the cursor.")
    next_edit: bool = _flag(True, "Offer the next edit after a change.")
    next_edit_places: bool = _flag(
        True, "Lead to where the next edit falls if its text is not sure, in editors that can show it."
    )
    suggest_fixes: bool = _flag(True, "Offer fixes for the function at the cursor as code actions, on request.")
    write_bodies: bool = _flag(
        True,
        "Offer bodies for functions without one, from their description: as code actions on request and as ghost text.",
    )
    preset: str = _choice(
        "balanced", tuple(PRESETS),
        "How sure a suggestion must be before it is shown: target precisions of 0.9 (`quiet`), 0.8 (`balanced`) and "
        "0.65 (`eager`).",
    )  # fmt: skip
    precision: float | None = _number(
        None, 0.0, 1.0,
        "Target precision instead of the preset's: the share of shown ghost texts that should be right, and of shown "
        "next edits that should be in the right place. Higher values show less.",
    )  # fmt: skip
    language_precision: tuple[tuple[str, float | str], ...] = field(
        default=(),
        metadata={
            "doc": "Target precision or preset by LSP language identifier, instead of `precision`. "
            'Example: `{"python": "eager", "markdown": 0.95}`.',
            "kind": "precisions",
        },
    )
    ghost_text_precision: float | None = _number(
        None, 0.0, 1.0, "Target precision of ghost text in all languages, instead of the settings above."
    )
    next_edit_precision: float | None = _number(
        None, 0.0, 1.0, "Target precision of next edits in all languages, instead of the settings above."
    )
    place_precision: float | None = _number(
        None, 0.0, 1.0,
        "Target precision of places whose text is not sure, in all languages, instead of the settings above: the share "
        "of them that should be at most a line off one of the next edits.",
    )  # fmt: skip
    invoked_precision: float = _number(
        0.5, 0.0, 1.0, "Used instead of the target precision of ghost text, if lower, when you request it manually."
    )
    completion_floor: float = _number(0.01, 0.0, 1.0, "The lowest probability at which a completion is listed.")
    fix_floor: float = _number(0.1, 0.0, 1.0, "The lowest probability at which a suggested fix is listed.")
    max_completions: int = _whole(20, 1, 200, "The maximum number of completions in one list.")
    completion_imports: bool = _flag(
        True, "Add the missing import when you accept a completion from another file of the project (Python and Java)."
    )
    completion_arguments: bool = _flag(
        False,
        "When you accept a function that the file declares, insert a call with its required parameters as "
        "placeholders, in editors with snippets.",
    )
    in_comments: bool = _flag(False, "Offer completions and ghost text in comments.")
    in_strings: bool = _flag(False, "Offer completions and ghost text in strings.")
    exclude: tuple[str, ...] = _texts(
        (), "Files in which nothing is predicted: patterns as in .gitignore, relative to the workspace folder."
    )
    secrets: tuple[str, ...] = _texts(
        SECRETS,
        "Files that may contain secrets; nothing is predicted in them. Patterns as in .gitignore, matched against file "
        "names; a pattern that ends in a slash matches folders.",
    )
    respect_gitignore: bool = _flag(
        True,
        "Predict nothing in files that git ignores, according to the .gitignore files up to the top of the repository, "
        ".git/info/exclude and core.excludesFile.",
    )
    max_file_bytes: int = _whole(
        4_000_000, 1_000, 1_000_000_000,
        "The largest file in which suggestions are made, in bytes. Larger files are only kept in sync.",
    )  # fmt: skip
    snooze_minutes: float = _number(
        10.0, 0.1, 1440.0,
        "How long the command `editahead.snooze` suspends suggestions if it is given no time, in minutes.",
    )  # fmt: skip
    rejection_minutes: float = _number(
        60.0, 0.0, 1440.0, "How long a rejected suggestion is not offered again, in minutes."
    )
    completion_deadline_ms: int = _whole(
        500, 10, 60_000, "The time after which an answer with completions is dropped, in milliseconds."
    )
    inline_deadline_ms: int = _whole(1000, 10, 60_000, "The time after which ghost text is dropped, in milliseconds.")
    next_edit_deadline_ms: int = _whole(
        2000, 10, 60_000, "The time after which a next edit is dropped, in milliseconds."
    )
    memory: bool = _flag(
        False,
        "Remember on this machine, in a folder of yours, what became of suggestions (counts, and which kinds of edits "
        "you rejected), and the index of each project: its names and the order of its tokens, without comments and "
        "quoted text. Without it, nothing is written to disk.",
    )
    device: str = _choice(
        "auto",
        ("auto", "cpu", "cuda"),
        "The device that runs the models; `auto` uses a GPU if one is available and faster, measured for two seconds.",
        restart=True,
    )
    bundles: tuple[str, ...] = _texts(
        (), "Folders with additional model bundles, which take precedence over the shipped ones.", restart=True
    )
    position_encoding: str = _choice(
        "auto", ("auto", "utf-8", "utf-16", "utf-32"),
        "The unit in which columns are counted; `auto` is utf-16, which every client supports. Read once, from the "
        "initialization options.",
    )  # fmt: skip
    copilot_compatible: bool = _flag(
        False,
        "Serve clients that were written for GitHub's Copilot server. Read once, from the initialization options.",
    )

    index_enabled: bool = _flag(
        True,
        "Offer names from the other files of the project, and the members of classes that they declare. The workspace "
        "folders are read in the background; names and n-grams are kept in memory. Without it, no imported module is "
        "read either.",
    )
    index_max_names: int = _whole(
        100_000, 100, 10_000_000,
        "The maximum number of names that are kept for one workspace folder. If there are more, the names in the "
        "fewest files are dropped. Up to eight times as many tokens are kept for n-grams.",
    )  # fmt: skip
    index_max_files: int = _whole(
        10_000, 1, 1_000_000,
        "The maximum number of files that are read in one workspace folder, those near its top first.",
    )  # fmt: skip
    index_environment: bool = _flag(
        True,
        "Offer names from imported Python modules. Files of the project, of its virtual environment and of the "
        "standard library are read as text when code imports them; nothing is imported or executed.",
    )

    def language_enabled(self, language_id: str) -> bool:
        """Whether the user wants predictions in this language (LSP identifier)."""
        switches = dict(self.languages)
        return switches.get(language_id, switches.get("*", True))

    def target_precision(self, kind: SuggestionKind, language_id: str) -> float:
        """The target precision of a kind of suggestions in a language: of the kind, the language, all, the preset."""
        of_kinds: dict[SuggestionKind, float | None] = {
            "ghost_text": self.ghost_text_precision,
            "next_edit": self.next_edit_precision,
            "jump": self.place_precision,
        }
        of_kind = of_kinds[kind]
        if of_kind is not None:
            return of_kind
        of_language = dict(self.language_precision).get(language_id, self.precision)
        if of_language is None:
            of_language = self.preset
        return PRESETS[of_language] if isinstance(of_language, str) else of_language


GROUPS = ("index",)  # first words of field names that are sections of their own


def key_of(name: str) -> str:
    """The camelCase key of a field name: `max_file_bytes` -> `maxFileBytes`, `index_enabled` -> `index.enabled`."""
    head, *rest = name.split("_")
    if head in GROUPS:
        return f"{head}.{key_of('_'.join(rest))}"
    return head + "".join(part.capitalize() for part in rest)


def setting_fields() -> tuple[Field[Any], ...]:
    """The fields of `Settings` in the order of their definition."""
    return fields(Settings)


def expected(item: Field[Any]) -> str:
    """What a field accepts, in words."""
    meta = item.metadata
    if meta["kind"] == "choice":
        return "one of " + ", ".join(meta["choices"])
    words = {
        "flag": "true or false",
        "number": "a number from {low:g} to {high:g}" + (", or null" if item.default is None else ""),
        "whole": "a whole number from {low} to {high}",
        "texts": "a list of strings",
        "flags": "an object that maps language identifiers to true or false",
        "precisions": f"an object that maps language identifiers to numbers from 0 to 1 or {', '.join(PRESETS)}",
    }
    return words[meta["kind"]].format(**meta)


@dataclass(frozen=True, slots=True)
class ParsedSettings:
    """Settings as far as they could be read, with one text per wrong key and the names of unknown keys."""

    settings: Settings
    problems: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()


_FIELDS = {key_of(item.name): item for item in setting_fields()}


def parse_settings(*layers: object) -> ParsedSettings:
    """Read settings from JSON values, later layers over earlier ones; never raises.

    A layer is the section's own object, an object that holds it under `editahead`, or one with flat keys such
    as `editahead.precision`. A wrong value gives that key's default and one text; unknown keys are named.
    """
    values: dict[str, Any] = {}
    problems: list[str] = []
    unknown: list[str] = []
    for layer in layers:
        section, complaint = _section(layer)
        problems += [complaint] if complaint else []
        for key, value in _ungrouped(section, problems):
            if key not in _FIELDS:
                close = difflib.get_close_matches(key, _FIELDS, n=1)
                hint = f" (did you mean editahead.{close[0]}?)" if close else ""
                unknown.append(f"editahead.{key}{hint}")
            elif value is None:  # how clients send a key that is not set
                continue
            else:
                try:
                    values[_FIELDS[key].name] = _checked(key, _FIELDS[key], value)
                except SettingsError as error:
                    values.pop(_FIELDS[key].name, None)
                    problems.append(str(error))
    return ParsedSettings(Settings(**values), tuple(dict.fromkeys(problems)), tuple(dict.fromkeys(unknown)))


def _section(layer: object) -> tuple[dict[str, Any], str]:
    """The section's own object inside a layer, and a complaint when there is none to be had."""
    if layer is None:
        return {}, ""
    if not isinstance(layer, Mapping):
        return {}, f"editahead: expected an object with settings, got {_shown(layer)}; using the defaults"
    nested = layer.get("editahead")
    flat = {key[len("editahead.") :]: value for key, value in layer.items() if key.startswith("editahead.")}
    if isinstance(nested, Mapping):
        return {**nested, **flat}, ""
    if "editahead" in layer and nested is not None:
        return flat, f"editahead: expected an object with settings, got {_shown(nested)}; using the defaults"
    return flat or {str(key): value for key, value in layer.items() if key != "editahead"}, ""


def _ungrouped(section: Mapping[str, Any], problems: list[str]) -> Iterator[tuple[str, Any]]:
    """The entries of a section, those of sections in it under their dotted keys."""
    for key, value in section.items():
        if key not in GROUPS:
            yield key, value
        elif isinstance(value, Mapping):
            yield from ((f"{key}.{inner}", each) for inner, each in value.items())
        elif value is not None:
            found = f"expected an object with settings, got {_shown(value)}"
            problems.append(f"editahead.{key}: {found}; using the defaults")


def _checked(key: str, item: Field[Any], value: Any) -> Any:
    """The value in the field's own type. Raises SettingsError."""
    from editahead.checked_json import FieldError, checked  # only who sets something waits for it

    kind = item.metadata["kind"]
    if kind == "whole" and isinstance(value, float) and value.is_integer():  # Lua writes 20 as 20.0
        value = int(value)
    try:
        read = checked(value, _form(item.metadata))
    except FieldError:
        default = _shown(item.default) if isinstance(item.default, (bool, int, float, str)) else "the default"
        raise SettingsError(
            f"editahead.{key}: expected {expected(item)}, got {_shown(value)}; using {default}"
        ) from None
    return tuple(sorted(read.items())) if kind in ("flags", "precisions") else read


def _form(meta: Mapping[str, Any]) -> Any:
    """The type that a field's values are checked against."""
    from msgspec import Meta

    if meta["kind"] == "choice":
        return Literal[meta["choices"]]
    bounds = Meta(ge=meta.get("low"), le=meta.get("high"))
    forms: dict[str, Any] = {
        "flag": bool, "texts": tuple[str, ...], "flags": dict[str, bool], "number": Annotated[float, bounds],
        "whole": Annotated[int, bounds],
        "precisions": dict[str, Annotated[float, Meta(ge=0.0, le=1.0)] | Literal["quiet", "balanced", "eager"]],
    }  # fmt: skip
    return forms[meta["kind"]]


def _shown(value: object, limit: int = 60) -> str:
    """A value as JSON, cut to a length that fits into one line."""
    import json

    text = json.dumps(value, default=str, ensure_ascii=False)
    return text if len(text) <= limit else text[: limit - 1] + "…"
