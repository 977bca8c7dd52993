"""Identifiers to placeholders: every name that a file declares becomes kind + number, unique in the file.

    class Reader:                      class class:1:
        def read(self, path): ...          def function:2(self, parameter:3): ...

Names of other libraries stay as they are, and so do `self`, `cls`, `this` and names like `__init__`, which carry
meaning (Bhoopchand et al. 2016, section 5.1, and their published normaliser). With `typed=True` the declared type
joins the placeholder (`variable-str:4`; Müller 2019, section 4.3). The colon keeps placeholders apart from every real
name.
"""

from __future__ import annotations

from dataclasses import dataclass

from editahead.syntax.tokens import Role, Token, TokenKind

KIND_NAMES = {
    Role.CLASS: "class",
    Role.FUNCTION: "function",
    Role.PARAMETER: "parameter",
    Role.ARGUMENT: "argument",
    Role.VARIABLE: "variable",
    Role.ATTRIBUTE: "attribute",
}
_TYPED_ROLES = frozenset({Role.PARAMETER, Role.ARGUMENT, Role.VARIABLE, Role.ATTRIBUTE})
_KEPT = frozenset({"self", "cls", "this", "super", "_"})
NORMALISER_VERSION = 1


def is_reserved_name(name: str) -> bool:
    """Names with a meaning of their own: `self`, `cls`, `_` and `__dunder__` names."""
    return name in _KEPT or (len(name) > 4 and name.startswith("__") and name.endswith("__"))


@dataclass(frozen=True, slots=True)
class Placeholder:
    """What a declared name becomes. `str()` gives the token that a model sees."""

    role: Role
    number: int
    type_name: str | None = None

    def __str__(self) -> str:
        tag = f"-{self.type_name}" if self.type_name else ""
        return f"{KIND_NAMES[self.role]}{tag}:{self.number}"


class Normaliser:
    """The map of a file. Grows as tokens are declared; the first declaration of a name fixes its kind."""

    def __init__(self, *, typed: bool = False) -> None:
        self._typed = typed
        self._forward: dict[str, Placeholder] = {}

    def __len__(self) -> int:
        return len(self._forward)

    def lookup(self, name: str) -> Placeholder | None:
        """The placeholder of a declared name, or None."""
        return self._forward.get(name)

    def declare(self, token: Token) -> Placeholder | None:
        """Take note of a token; return its placeholder if it declares a name or uses a declared name."""
        if token.kind is not TokenKind.NAME:
            return None
        existing = self._forward.get(token.text)
        if existing is not None or not token.role.is_declaration or is_reserved_name(token.text):
            return existing
        type_name = token.type_name if self._typed and token.role in _TYPED_ROLES else None
        placeholder = Placeholder(token.role, len(self._forward) + 1, type_name)
        self._forward[token.text] = placeholder
        return placeholder

    def forget_after(self, count: int) -> None:
        """Keep the first `count` declarations only: the inverse of having read further."""
        for name in list(self._forward)[count:]:
            del self._forward[name]
