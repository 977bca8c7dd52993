"""Names that the imports of a file give to what another file exports: `as`, default imports and `require` (JavaScript).

Read from the text of the imports, as a default import does not write the exported name.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from editahead.analysis.facts.facts import Receiver
from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt, ScopeRef
from editahead.analysis.resolver.resolver import Resolver
from editahead.text.memo import remembered_by_identity
from editahead.text.words import word_offsets

DEFAULT = "default"
"""The exported name of a default export, and the name of what has none in its file."""
_NAME = rb"(?<![\w$\x80-\xff])([\w$\x80-\xff]+)"
_DEFAULT_EXPORT = re.compile(
    rb"^[ \t]*(?:export\s+default\b|module\.exports\s*=)\s*"
    rb"(?:(?:React\.)?(?:memo|observer|forwardRef|Object\.freeze)\(\s*)?"
    rb"(?:(?:async\s+)?function\b\s*\*?\s*|(?:abstract\s+)?class\s+(?!extends\b))?([\w$\x80-\xff]+|\{)",
    re.MULTILINE,
)
_DEFAULT_IMPORT = re.compile(
    rb"^[ \t]*import\s+(?:type\s+)?" + _NAME + rb"\s*(?:,\s*[{*][^'\"]{0,4000})?\s*\bfrom\b|"
    rb"^[ \t]*(?:export\s+)?(?:const|let|var|import)\s+" + _NAME + rb"\s*=\s*require\s*\(",
    re.MULTILINE,
)
_REQUIRED = re.compile(
    rb"^[ \t]*(?:const|let|var)\s*\{([^{}]{0,4000})\}\s*=\s*(?:await\s+import|require)\s*\("
    rb"\s*(['\"][^'\"\n]{1,400}['\"])",
    re.MULTILINE,
)
_MAX_SPACE = 100  # bytes behind an object literal
_WORD = re.compile(rb"[\w$\x80-\xff]+")
_ALIAS = re.compile(_NAME + rb"\s+as\s+" + _NAME)
_MODULE = re.compile(rb"\s*(['\"][^'\"\n]{1,400}['\"])")


def default_name(data: bytes) -> str:
    """The name in a file of its default export; DEFAULT of an object literal; empty where there is none.

    Empty too where the text seems to have several, which may stand in comments and strings.
    """
    names = [_text(match[1]) for match in _DEFAULT_EXPORT.finditer(data)]
    if len(names) != 1 or b"as default" in data:
        return ""
    return DEFAULT if names[0] == "{" else names[0]


def without_default_imports(resolver: Resolver, uses: list[NameAt]) -> list[NameAt]:
    """The uses of an exported name without those of a default import that has the same name in this file."""
    matches = _DEFAULT_IMPORT.finditer(resolver.scopes.facts.data)
    starts = {match.start(match.lastindex or 1) for match in matches}
    bindings = {resolver.binding(use) for use in uses if use.start in starts}
    return [use for use in uses if resolver.binding(use) not in bindings]


def literal_name(resolver: Resolver, scope: ScopeRef) -> str:
    """The name under which a file exports an object literal: its variable's; empty where that is replaced."""
    scopes, facts = resolver.scopes, resolver.scopes.local(scope)
    if facts is None or not facts.is_literal or scope[0] < 0:
        return ""
    first = scopes.facts.units[scope[0]].start
    if scopes.facts.data[first + facts.end : first + facts.end + _MAX_SPACE].lstrip().startswith(b"satisfies"):
        return ""  # its members are those of a type
    word = _WORD.match(scopes.facts.data, first + facts.value_of) if facts.value_of >= 0 else None
    if word is not None:
        variable = Receiver("name", _text(word[0]), facts.value_of)
        return variable.name if resolver.members.class_of(variable, scope[0], MODULE_SCOPE) == scope else ""
    match = _DEFAULT_EXPORT.search(scopes.facts.data)
    return DEFAULT if match is not None and match[1] == b"{" and match.start(1) == first + facts.start else ""


def import_aliases(data: bytes) -> dict[str, str]:
    """The local names that imports may give to other exported names, with these; DEFAULT of a default import."""
    aliases = {_text(match[2]): _text(match[1]) for match in _ALIAS.finditer(data)}
    return {**aliases, **{_text(match[match.lastindex or 1]): DEFAULT for match in _DEFAULT_IMPORT.finditer(data)}}


def renamed_imports(
    resolver: Resolver, imported: list[NameAt], is_default_module: Callable[[str], bool] | None
) -> list[NameAt]:
    """The uses of the local names that a file gives to imported names, and to the default export of a module."""
    data, uses = resolver.scopes.facts.data, dict[int, NameAt]()
    starts = [alias.start(2) for name in imported if (alias := _ALIAS.match(data, name.start)) is not None]
    for match in _DEFAULT_IMPORT.finditer(data) if is_default_module is not None else ():
        module = _MODULE.match(data, match.end())
        if module is not None and is_default_module is not None and is_default_module(_text(module[1])):
            starts.append(match.start(match.lastindex or 1))
    for start in starts:
        word = _WORD.match(data, start)
        name = resolver.name_at(start, _text(word[0])) if word is not None else None
        binding = resolver.binding(name) if name is not None else None
        uses.update({use.start: use for use in (resolver.references(binding) if binding is not None else ())})
    return [uses[start] for start in sorted(uses)]


def required_names(resolver: Resolver, exported: str, is_module: Callable[[str], bool]) -> list[NameAt]:
    """The uses of what a pattern takes from a module under its exported name: `const { Cart } = require("./cart")`."""
    uses, word = list[NameAt](), exported.encode()
    for match in _required_patterns(resolver.scopes.facts.data) if exported else ():
        for start in word_offsets(match[1], exported) if word in match[1] and is_module(_text(match[2])) else ():
            is_key = match[1][start + len(word) :].lstrip().startswith(b":")
            binding = None if is_key else resolver.binding_at(match.start(1) + start, exported)
            uses += resolver.references(binding) if binding is not None else ()
    return uses


@remembered_by_identity
def _required_patterns(data: bytes) -> list[re.Match[bytes]]:
    return list(_REQUIRED.finditer(data)) if b"require" in data or b"import(" in data else []


def _text(name: bytes) -> str:
    return name.decode("utf-8", "replace")
