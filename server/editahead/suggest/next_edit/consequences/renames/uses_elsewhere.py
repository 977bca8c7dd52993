"""Where other files use what one file declares: told by their imports, never by the name alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import PurePosixPath
from posixpath import normpath
from urllib.parse import unquote, urlsplit

from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.resolver.scope_lookup import Binding
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.types import Document
from editahead.syntax.nodes import Parts
from editahead.syntax.scope_table import Action, Namespace

PACKAGE = "__init__"
"""The name of the file of a package, which may hand on what its modules declare."""


def is_exported(binding: Binding) -> bool:
    """Whether other files can import a binding."""
    return binding.scope == MODULE_SCOPE and not binding.loose


LeadsTo = Callable[[str, str, str], bool]
"""Whether a dotted module that is written in the file of one URI is the file of another."""


def files_naming(moment: Moment, home: Document, name: str) -> Iterator[tuple[Document, Resolver]]:
    """The other open files of a language that hold a name, with their names. Raises what the check raises."""
    for other in (moment.document, *moment.document.others):
        moment.check()
        if other is home or other.language_id != home.language_id or name.encode() not in other.syntax.buffer.data:
            continue
        names = moment.resolver(other.uri, other.syntax, Parts(frozenset({name.encode()})))
        if names is not None:
            yield other, names


def uses_elsewhere(
    names: Resolver, name: str, home_uri: str, uri: str, leads_to: LeadsTo | None = None
) -> list[NameAt]:
    """Where a file uses a name that another one, `home_uri`, declares in its module; in text order.

    Dotted modules are told apart by the ends of their paths, or by `leads_to`.
    """
    is_home, found = home_test(name, home_uri, uri, leads_to), dict[int, NameAt]()
    beside = names.table.imports.folder_is_one_module and path_of(home_uri).parent == path_of(uri).parent
    for at in names.names(name):
        one = at.occurrence
        imported = one.action is Action.IMPORTED or (one.action is Action.BIND and one.kind == "import")
        if imported and one.module and is_home(one.module):
            binding = names.binding(at) if one.action is Action.BIND else None
            if binding is not None and not all(map(is_home, _imported_from(names, binding))):
                continue
            found[at.start] = at
            found.update({use.start: use for use in names.references(binding)} if binding is not None else {})
        elif one.action is Action.ATTRIBUTE:
            if _of_module(names, at, is_home):
                found[at.start] = at
        elif beside and _is_type_use(at) and names.binding(at) is None:  # a class of the same package needs no import
            found[at.start] = at
    return sorted(found.values())


def hands_on(names: Resolver, name: str, home_uri: str, uri: str, leads_to: LeadsTo | None = None) -> bool:
    """Whether the file of a package imports a name for its module, from the file `home_uri` and from nowhere else.

    Other files can then import it from the package. A name that is imported under another one is not handed on.
    """
    if path_of(uri).stem != PACKAGE:
        return False
    is_home = home_test(name, home_uri, uri, leads_to)
    for at in names.names(name):
        if at.occurrence.action is Action.BIND and at.occurrence.kind == "import":
            binding = names.binding(at)
            if binding is None or not is_exported(binding):
                continue
            declared = names.declarations(binding)
            return all(one.occurrence.kind == "import" and is_home(one.occurrence.module or "") for one in declared)
    return False


def home_test(name: str, home_uri: str, uri: str, leads_to: LeadsTo | None) -> Callable[[str], bool]:
    """Tell whether a module as the file of a URI writes it is the file `home_uri`."""
    home, here = path_of(home_uri), path_of(uri)

    def is_home(module: str) -> bool:
        quoted = module[:1] in ("'", '"')
        return leads_to(module, uri, home_uri) if leads_to and not quoted else is_module(module, name, home, here)

    return is_home


def _imported_from(names: Resolver, binding: Binding) -> Iterator[str]:
    """The modules that a file takes a name from, which it may import from one of several."""
    for at in names.declarations(binding):
        if at.occurrence.kind == "import" and at.occurrence.module:
            yield at.occurrence.module


def _is_type_use(at: NameAt) -> bool:
    return at.occurrence.action is Action.USE and at.occurrence.namespace is not Namespace.METHOD


def is_module(module: str, name: str, home: PurePosixPath, here: PurePosixPath) -> bool:
    """Whether a module as it is written in the file `here` is the file `home`; `name` is what is imported from it."""
    if module[:1] in ("'", '"'):
        return _is_file(module.strip("'\""), home, here)
    dots = len(module) - len(module.lstrip("."))
    parts = [part for part in module[dots:].split(".") if part]
    if home.suffix == ".java":
        return parts[-1:] == [home.stem] and list(home.with_suffix("").parts[-len(parts) :]) == parts
    own = home.with_suffix("").parts
    own = own[:-1] if own[-1] == "__init__" else own
    if dots:
        base = here.parent.parts[: len(here.parent.parts) - (dots - 1)]
        return (*base, *parts) == own
    return bool(parts) and list(own[-len(parts) :]) == parts


def _is_file(module: str, home: PurePosixPath, here: PurePosixPath) -> bool:
    """Whether a module that is written as a path is a file: `./shop`, `./shop.js` for shop.ts, `.` for index.ts."""
    if not module.startswith("."):
        return False
    named = PurePosixPath(normpath(here.parent / module))
    own = home.with_suffix("")
    return own in (named, named / "index") or (bool(named.suffix) and own == named.with_suffix(""))


def path_of(uri: str) -> PurePosixPath:
    """The path of a URI."""
    return PurePosixPath(unquote(urlsplit(uri).path))


def _of_module(names: Resolver, at: NameAt, is_home: Callable[[str], bool]) -> bool:
    """Whether an attribute is one of the module: `first.name` after `import first` or `from . import first`.

    `a.first.name` after `import a.first` is one, too, and `b.name` after `import first as b`. All imports that bind the
    first of the names must lead to the module.
    """
    row, receiver = list[str](), at.occurrence.receiver
    while receiver is not None and receiver.kind == "attribute":
        row.insert(0, receiver.name)
        receiver = receiver.base
    if receiver is None or receiver.kind != "name":
        return False
    scope = names.scopes.placed(at.unit, at.occurrence.scope)
    start = names.scopes.facts.units[at.unit].start + receiver.start
    binding = names.lookup(scope, at.occurrence.namespace, receiver.name, start)
    rows = names.declarations(binding) if binding is not None else []
    modules = {_module_of(names, one) for one in rows if one.occurrence.kind == "import"}
    return bool(modules) and all(module and is_home(".".join((module, *row))) for module in modules)


def _module_of(names: Resolver, at: NameAt) -> str:
    """The module that an import may give a name to, as it is written; empty where the name is of something else."""
    one = at.occurrence
    if one.aliased or one.module[:1] in ("'", '"'):
        return one.aliased
    if one.module == one.name or _is_whole(names, at):
        return one.name
    if not one.module:
        return ""
    return f"{one.module}{'' if one.module.endswith('.') else '.'}{one.name}"


def _is_whole(names: Resolver, at: NameAt) -> bool:
    """Whether an import binds the first part of a dotted module: `import a.first`, which gives the name `a`."""
    data = names.scopes.facts.data
    return data[data.rfind(b"\n", 0, at.start) + 1 : at.start].split()[:1] == [b"import"]
