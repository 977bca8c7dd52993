"""Settings read from the JSON of a client: wrong values become defaults with one text each, unknown keys are named."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass
from typing import Annotated, Any, Literal

from editahead.settings import GROUPS, Settings, SettingsError, expected, key_of, setting_fields


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
        default = "the default" if isinstance(item.default, tuple) else _shown(item.default)
        raise SettingsError(
            f"editahead.{key}: expected {expected(item)}, got {_shown(value)}; using {default}"
        ) from None
    return tuple(sorted(read.items())) if kind == "flags" else read


def _form(meta: Mapping[str, Any]) -> Any:
    """The type that a field's values are checked against."""
    from msgspec import Meta

    if meta["kind"] == "choice":
        return Literal[meta["choices"]]
    bounds = Meta(ge=meta.get("low"), le=meta.get("high"))
    forms: dict[str, Any] = {
        "flag": bool, "texts": tuple[str, ...], "flags": dict[str, bool], "number": Annotated[float, bounds],
        "whole": Annotated[int, bounds],
    }  # fmt: skip
    return forms[meta["kind"]]


def _shown(value: object, limit: int = 60) -> str:
    """A value as JSON, cut to a length that fits into one line."""
    import json

    text = json.dumps(value, default=str, ensure_ascii=False)
    return text if len(text) <= limit else text[: limit - 1] + "…"
