"""The pool of candidates: what the mixture expects, and what scopes, members and signatures allow."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from heapq import merge
from itertools import islice
from operator import itemgetter

from editahead.analysis.resolver.resolver import VisibleName
from editahead.suggest.completion.ranking.features import PlaceEvidence
from editahead.suggest.completion.ranking.member_features import common_members
from editahead.suggest.completion.ranking.scope_evidence import ScopeEvidence
from editahead.suggest.completion.ranking.slots import SlotKind
from editahead.text.memo import beginning_with

_VISIBLE, _UNBOUND, _MEMBERS, _ATTRIBUTES = 60, 12, 80, 40  # at most so many of each source
_NEW_NAMES = frozenset({SlotKind.BINDING, SlotKind.PARAMETER, SlotKind.STATEMENT, SlotKind.MODULE, SlotKind.IMPORTED})
_IMPORTS = (SlotKind.IMPORTED, SlotKind.MODULE)
_OF_CLASSES = frozenset(("self", "cls", "super", "__class__"))
_SELF = frozenset(("self", "this", "cls"))
_VARIABLES = frozenset(("variable", "parameter"))
_VALUES = frozenset(("variable", "parameter", "function", "field"))
_OWN = frozenset(("variable", "parameter", "function", "class"))
_TYPES = frozenset(("class", "import"))
_MIN_MEMBER_SHARE = 0.001
"""Share of all member accesses from which on a name may be a member of any object: `name` is above, `today` below."""
_NO_MEMBERS = frozenset(("variable", "parameter", "function"))
_DECLARED = frozenset(("function", "class", "import"))
_HTML = frozenset(
    "a abbr address area article aside audio b base blockquote body br button canvas caption cite code col data dd del "
    "details dialog div dl dt em fieldset figure footer form h1 h2 h3 h4 h5 h6 head header hr html i iframe img input "
    "ins kbd label legend li link main map mark menu meta meter nav ol optgroup option output p picture pre progress q "
    "s samp script search section select slot small source span strong style sub summary sup svg g path circle rect "
    "line clipPath linearGradient radialGradient foreignObject textPath table tbody td template text textarea tfoot th "
    "thead time title tr track u ul use var video".split()
)
USES = frozenset({SlotKind.STATEMENT, SlotKind.TYPE, SlotKind.ARGUMENT, SlotKind.VALUE, SlotKind.EXPRESSION})


def pool(expected: Sequence[str], evidence: PlaceEvidence, prefix: str) -> list[str]:
    """Candidate texts, each once: first those `expected` in their order, then those that other sources add.

    Where only bound names are possible, names that the file binds elsewhere are excluded.
    """
    permitted = _permitted(evidence)
    if permitted is not None and evidence.permitted is not None:
        return [text for text in expected if text in permitted]
    is_impossible, forbidden = _impossible(evidence), evidence.forbidden
    texts = dict.fromkeys(
        text
        for text in expected
        if text not in forbidden and not is_impossible(text) and (permitted is None or text in permitted)
    )
    for source, most in _sources(evidence, prefix):
        new = (
            name for name in source
            if name.startswith(prefix) and name != prefix and name not in texts and name not in forbidden
            and not is_impossible(name) and (permitted is None or name in permitted)
        )  # fmt: skip
        texts.update(dict.fromkeys(islice(new, most)))
    return list(texts)


def names_of_file(evidence: PlaceEvidence) -> Iterator[str]:
    """The names of the file that can stand here, nearest first. Behind a dot members and what follows some dot."""
    scopes, kind, permitted = evidence.scopes, evidence.slot.kind, _permitted(evidence)
    if scopes is None or evidence.permitted is not None or kind in _IMPORTS:
        return
    tables: tuple[Container[str], ...]
    if permitted is not None:
        tables = (permitted,)
    elif kind is SlotKind.MEMBER:
        tables = (scopes.attributes, evidence.receiver_pairs, scopes.members or ())
    else:
        tables = (scopes.visible, scopes.hidden, scopes.unbound)
    is_impossible, lines = _impossible(evidence), evidence.lines
    names = [name for name in lines.holding if any(name in table for table in tables)]
    for name in sorted(names, key=lambda name: (lines.away(name), name)):
        if name not in evidence.forbidden and not is_impossible(name):
            yield name


def members_of_receiver(evidence: PlaceEvidence, prefix: str) -> Iterator[str]:
    """The members of the receiver that begin with `prefix` and can stand here, private ones only behind a `_`."""
    scopes = evidence.scopes
    if scopes is None or scopes.members is None or evidence.slot.kind is not SlotKind.MEMBER:
        return
    is_impossible = _impossible(evidence)
    for name in scopes.members:
        is_shown = name.startswith(prefix) and (prefix[:1] == "_" or name[:1] != "_")
        if is_shown and name not in evidence.forbidden and not is_impossible(name):
            yield name


def begun_builtins(evidence: PlaceEvidence, prefix: str) -> Iterator[str]:
    """The built-in names of the language that go on with the typed letters and can stand here."""
    slot = evidence.slot
    if evidence.scopes is None or evidence.permitted is not None or slot.kind not in USES or slot.is_element:
        return
    is_impossible = _impossible(evidence)
    for name in evidence.scopes.builtins:
        if name.startswith(prefix) and name not in evidence.forbidden and not is_impossible(name):
            yield name


def can_stand(text: str, evidence: PlaceEvidence) -> bool:
    """Whether a name or keyword is a candidate as far as scopes and the text beside the cursor tell."""
    permitted = _permitted(evidence)
    if permitted is not None:
        return text in permitted
    return text not in evidence.forbidden and not _impossible(evidence)(text)


def _permitted(evidence: PlaceEvidence) -> frozenset[str] | None:
    """The only texts that can stand here; None where others can, too."""
    scopes = evidence.scopes
    if evidence.permitted is not None or evidence.slot.kind is not SlotKind.MEMBER or scopes is None:
        return evidence.permitted
    if scopes.members is None or scopes.object_members is None or not scopes.has_all_members:
        return None
    return scopes.members | scopes.object_members | evidence.receiver_pairs


def _impossible(evidence: PlaceEvidence) -> Callable[[str], bool]:
    """Tells names of the file that cannot stand here: bound where they cannot be seen, and no parameter of a call.

    The names are not listed: a long file has thousands of them.
    """
    scopes, kind = evidence.scopes, evidence.slot.kind
    if scopes is None:
        return frozenset[str]().__contains__
    visible = scopes.visible
    never = frozenset(name for name in _OF_CLASSES if not scopes.in_class and name not in visible)
    if kind is SlotKind.STATEMENT:
        return never.__contains__
    if kind is SlotKind.PARAMETER:
        return (evidence.head_parameters or frozenset[str]()).__contains__
    if kind is SlotKind.IMPORTED or (kind is SlotKind.MODULE and evidence.slot.receiver):
        members = scopes.members or ()  # nobody imports what the file declares itself
        return lambda name: name in visible and visible[name].kind in _OWN and name not in members
    if kind is SlotKind.MODULE and evidence.slot.begins_statement and not evidence.slot.receiver:
        return lambda name: name in visible and visible[name].kind == "import"
    if kind is SlotKind.MEMBER:
        return _no_member(evidence, scopes)
    if kind not in USES or evidence.slot.key:
        return frozenset[str]().__contains__
    never |= _not_bound_yet(evidence, scopes)
    hidden, is_label = frozenset[str]() if evidence.slot.binds else scopes.hidden, evidence.slot.label
    stands_free = scopes.parameters | scopes.keywords if kind is SlotKind.ARGUMENT else frozenset[str]()
    if evidence.slot.is_element:  # names in scope that begin with a small letter are no components
        tables = (visible, evidence.lines.holding, scopes.builtins)
        return lambda name: name[:1].islower() and name not in _HTML and any(name in table for table in tables)
    only_members = scopes.only_members if evidence.slot.is_value else frozenset[str]()
    is_type, on_line = _is_type(evidence, visible), evidence.lines.on_line

    def is_impossible(name: str) -> bool:
        if name in never or ((name in hidden or name in only_members) and name not in stands_free):
            return True
        if is_type and name in visible and name not in on_line:
            return not _can_be_type(visible[name], explicit_self=not scopes.fields_are_called)
        return is_label and name in visible and visible[name].kind in _VARIABLES and not name.isupper()

    return is_impossible


def _is_type(evidence: PlaceEvidence, visible: Mapping[str, VisibleName]) -> bool:
    """Whether nothing but a type can stand here; a variable before the `<` is compared."""
    generic = evidence.slot.generic
    is_written = generic in visible and (generic in evidence.lines.holding or len(generic) == 1)
    compared = is_written and not generic[:1].isupper() and visible[generic].kind in (*_VARIABLES, "field")
    return evidence.slot.is_type and not compared


def _can_be_type(name: VisibleName, *, explicit_self: bool) -> bool:
    """Whether a visible name can be a type; in Python, that of an alias is not written as other variables are."""
    if name.kind != "variable" or not explicit_self:
        return name.kind not in _VALUES
    return not (name.name.islower() or (name.name.isupper() and name.name.find("_") > 0))


def _no_member(evidence: PlaceEvidence, scopes: ScopeEvidence) -> Callable[[str], bool]:
    """Tells names of the file that stand behind no dot."""
    visible, slot, usual = scopes.visible, evidence.slot, common_members()
    targets = slot.targets if scopes.fields_are_called and not slot.path else frozenset[str]()
    is_new_field = slot.begins_statement and not _SELF.isdisjoint(slot.receiver)  # `self.size = size`
    if scopes.has_all_members and not is_new_field and not slot.path:
        targets |= slot.targets
    seen = visible.get(slot.receiver[-1]) if len(slot.receiver) == 1 else None
    has_no_types = scopes.fields_are_called and seen is not None and seen.kind in _VARIABLES
    accessed = scopes.attributes - scopes.method_around | scopes.members_on_line | evidence.receiver_pairs

    def is_no_member(name: str) -> bool:
        if name in accessed or (scopes.members is not None and name in scopes.members):
            return False
        if name in targets or name in scopes.method_around:
            return True
        declared = visible.get(name)
        if declared is None:
            return False
        if has_no_types and declared.kind in _TYPES:
            return True
        if is_new_field:
            return False
        return scopes.has_all_members or (declared.kind in _NO_MEMBERS and usual.get(name, 0.0) < _MIN_MEMBER_SHARE)

    return is_no_member


def _not_bound_yet(evidence: PlaceEvidence, scopes: ScopeEvidence) -> frozenset[str]:
    """In the head of a function its parameters, and classes whose body is still being run."""
    if evidence.head_parameters is None:
        return scopes.unfinished if evidence.slot.kind is not SlotKind.TYPE else frozenset()
    visible = scopes.visible
    parameters = frozenset(  # `def read(open=open)`
        name for name in evidence.head_parameters if name not in visible or visible[name].kind not in _DECLARED
    )
    return parameters if evidence.slot.kind is SlotKind.TYPE else parameters | scopes.unfinished_around


def _sources(evidence: PlaceEvidence, prefix: str) -> Iterable[tuple[Iterable[str], int]]:
    scopes, kind = evidence.scopes, evidence.slot.kind
    if scopes is None:
        return
    if scopes.members is not None:
        unbound, above = scopes.unbound, evidence.lines.above
        public = [name for name in scopes.members if name.startswith(prefix)]
        if kind in _IMPORTS and not prefix.startswith("_"):
            public = [name for name in public if not name.startswith("_")]
        usual = common_members(scopes.owner_name) if scopes.owner_name else {}

        def rank_key(name: str) -> tuple[bool, int, bool, float, str]:
            return name not in unbound, above.get(name, 1 << 30), name[:1] == "_", -usual.get(name, 0.0), name

        yield sorted(public, key=rank_key), _MEMBERS
    elif scopes.owner_name:
        usual = common_members(scopes.owner_name)
        yield sorted(usual, key=lambda name: (-usual[name], name)), _MEMBERS
    if kind is SlotKind.MEMBER:
        yield sorted(evidence.receiver_pairs, key=lambda name: evidence.lines.above.get(name, 1 << 30)), _ATTRIBUTES
        near = (name for name in evidence.lines.above if name in scopes.attributes)
        yield near, _ATTRIBUTES
        return
    if kind in _NEW_NAMES:
        yield sorted(scopes.unbound, key=scopes.unbound.__getitem__), _UNBOUND
    if kind in USES:
        begun = beginning_with(scopes.visible, prefix)
        yield _nearest(begun, evidence.lines.above), _VISIBLE
        yield scopes.parameters, _VISIBLE


def _nearest(visible: Mapping[str, VisibleName], above: Mapping[str, int]) -> Iterator[str]:
    """Visible names by the distance of their scopes; of a scope first those that stand above, the nearest first.

    `visible` is in the order of the scopes, so that no more of its names are looked at than are wanted.
    """
    written = sorted((visible[name].distance, above[name], name) for name in above if name in visible)
    others = ((name.distance, 0, name.name) for name in visible.values() if name.name not in above)
    return (name for _, _, name in merge(written, others, key=itemgetter(0)))
