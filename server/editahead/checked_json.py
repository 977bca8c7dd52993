"""JSON values checked against types by msgspec, with errors of a line that name the field."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec

T = TypeVar("T")
Step = str | int
_MESSAGE = re.compile(r"(?P<what>.*?)(?: - at `\$?\.?(?P<path>.*)`)?", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `(.*)`")
_WORDS = {
    "object": "a JSON object", "array": "a list", "str": "a string", "int": "a whole number", "float": "a number",
    "bool": "true or false",
}  # fmt: skip
_MOST = 60  # characters of a value that is shown


class FieldError(ValueError):
    """A value whose form is not that of its type: its field ("": the whole), the expected and the actual form."""

    def __init__(self, field: str, expected: str, actual: str) -> None:
        self.field, self.expected, self.actual = field, expected, actual
        super().__init__(f"{field or 'the value'}: expected {expected}, found {actual}")


def checked(value: object, form: type[T]) -> T:
    """A parsed JSON value as a value of this type; nothing is guessed, nothing converted. Raises FieldError."""
    try:
        return msgspec.convert(value, form)
    except msgspec.ValidationError as error:
        raise _field_error(value, form, str(error)) from None
    except UnicodeEncodeError:
        raise FieldError("", "text in Unicode", "half of a surrogate pair") from None


def json_excerpt(value: object) -> str:
    """A JSON value in an error: what kind of thing it is where it may be large, else itself."""
    if value is None:
        return "nothing"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, (list, tuple)):
        return "a list" if value else "an empty list"
    text = repr(value)
    return text if len(text) <= _MOST else text[: _MOST - 1] + "…"


def _field_error(value: object, form: type[Any], text: str) -> FieldError:
    parts = _MESSAGE.fullmatch(text)
    what, path = (parts["what"], parts["path"] or "") if parts else (text, "")
    steps: list[Step] = []
    here: Any = value
    for step in re.findall(r"\[\.\.\.\]|\[\d+\]|[^.\[\]]+", path):
        if step == "[...]":  # a key of an object: the key that is wrong in the same way when it stands alone
            keys = [key for key in here if _text_of(_with_only(value, steps, key), form) == text]
            steps.append(keys[0] if keys else "...")
        else:
            steps.append(int(step[1:-1]) if step.startswith("[") else step)
        here = here[steps[-1]] if steps[-1] != "..." else None
    if missing := _MISSING.fullmatch(what):
        steps, here = [*steps, missing[1]], None
        kind = get_type_hints(form, include_extras=True).get(missing[1]) if len(steps) == 1 else None
        what = "a value" if kind is None else _text_of(None, kind)
    name = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).removeprefix(".")
    return FieldError(name, _expected(what, form, steps), json_excerpt(here))


def _expected(what: str, form: type[Any], steps: Sequence[Step]) -> str:
    """What msgspec expected, in words."""
    if what.startswith("Invalid enum value"):
        fields = {} if get_origin(form) else get_type_hints(form)  # a generic type as dict[str, int] has none
        kind = fields.get(str(steps[0])) if len(steps) == 1 else form
        return "one of " + ", ".join(map(str, get_args(kind))) if get_origin(kind) is Literal else "another value"
    what = what.removeprefix("Expected ").split(", got ")[0]
    return re.sub(r"`(.*?)`", lambda name: " or ".join(_WORDS.get(word, word) for word in name[1].split(" | ")), what)


def _text_of(value: object, form: Any) -> str:
    """What msgspec says of a value; nothing if it is well."""
    try:
        msgspec.convert(value, form)
    except msgspec.ValidationError as error:
        return str(error)
    return ""


def _with_only(value: Any, steps: Sequence[Step], key: str) -> Any:
    """The value with nothing but `key` in the object at `steps`."""
    if not steps:
        return {key: value[key]}
    first, inner = steps[0], _with_only(value[steps[0]], steps[1:], key)
    if isinstance(value, dict):
        return {**value, first: inner}
    return [inner if number == first else item for number, item in enumerate(value)]
