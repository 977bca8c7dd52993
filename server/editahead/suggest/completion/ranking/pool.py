"""The pool of candidates: what the mixture expects, and what scopes, members and signatures allow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from editahead.suggest.completion.ranking.common_members import common_members
from editahead.suggest.completion.ranking.features import PlaceEvidence
from editahead.suggest.completion.ranking.scope_evidence import ScopeEvidence
from editahead.suggest.completion.ranking.slots import SlotKind

_VISIBLE, _UNBOUND, _MEMBERS, _ATTRIBUTES = 60, 12, 80, 40  # at most so many of each source
_NEW_NAMES = frozenset({SlotKind.BINDING, SlotKind.PARAMETER, SlotKind.STATEMENT, SlotKind.MODULE, SlotKind.IMPORTED})
_OF_CLASSES = frozenset(("self", "cls", "super", "__class__"))
_SELF = frozenset(("self", "this", "cls"))
_VARIABLES = frozenset(("variable", "parameter"))
_TYPES = frozenset(("class", "import"))
_MIN_MEMBER_SHARE = 0.001
"""Share of all member accesses from which on a name may be a member of any object: `name` is above, `today` below."""
_NO_MEMBERS = frozenset(("variable", "parameter", "function"))
_DECLARED = frozenset(("function", "class", "import"))
USES = frozenset({SlotKind.STATEMENT, SlotKind.TYPE, SlotKind.ARGUMENT, SlotKind.VALUE, SlotKind.EXPRESSION})


def pool(expected: Sequence[str], evidence: PlaceEvidence, prefix: str) -> list[str]:
    """Candidate texts, each once: first those `expected` in their order, then those that other sources add.

    Where only bound names are possible, names that the file binds elsewhere are excluded.
    """
    permitted = _permitted(evidence)
    if permitted is not None and evidence.permitted is not None:
        return [text for text in expected if text in permitted]
    impossible = _impossible(evidence) | evidence.forbidden
    texts = dict.fromkeys(
        text for text in expected if text not in impossible and (permitted is None or text in permitted)
    )
    for source, most in _sources(evidence, prefix):
        new = (
            name for name in source
            if name.startswith(prefix) and name != prefix and name not in texts and name not in impossible
            and (permitted is None or name in permitted)
        )  # fmt: skip
        texts.update(dict.fromkeys(islice(new, most)))
    return list(texts)


def can_stand(text: str, evidence: PlaceEvidence) -> bool:
    """Whether a name or keyword is a candidate as far as scopes and the text beside the cursor tell."""
    permitted = _permitted(evidence)
    if permitted is not None:
        return text in permitted
    return text not in evidence.forbidden and text not in _impossible(evidence)


def _permitted(evidence: PlaceEvidence) -> frozenset[str] | None:
    """The only texts that can stand here; None where others can, too."""
    scopes = evidence.scopes
    if evidence.permitted is not None or evidence.slot.kind is not SlotKind.MEMBER or scopes is None:
        return evidence.permitted
    if scopes.members is None or scopes.object_members is None or not scopes.has_all_members:
        return None
    return scopes.members | scopes.object_members | evidence.receiver_pairs


def _impossible(evidence: PlaceEvidence) -> frozenset[str]:
    """Names of the file that cannot stand here: bound where they cannot be seen, and no parameter of a call."""
    scopes, kind = evidence.scopes, evidence.slot.kind
    if scopes is None:
        return frozenset()
    never = _OF_CLASSES.difference(scopes.visible) if not scopes.in_class else frozenset[str]()
    if kind is SlotKind.STATEMENT:
        return never
    if kind is SlotKind.PARAMETER:
        return evidence.head_parameters or frozenset()
    never |= _not_bound_yet(evidence, scopes)
    if evidence.slot.label:
        never |= {n for n, seen in scopes.visible.items() if seen.kind in _VARIABLES and not n.isupper()}
    if kind is SlotKind.MODULE and evidence.slot.begins_statement and not evidence.slot.receiver:
        return frozenset(visible.name for visible in scopes.visible.values() if visible.kind == "import")
    if kind is SlotKind.MEMBER:
        no_members = evidence.slot.targets if scopes.fields_are_called else frozenset[str]()
        is_on_self = not _SELF.isdisjoint(evidence.slot.receiver)
        new_field = evidence.slot.begins_statement and is_on_self  # `self.size = size`
        if scopes.has_all_members and not new_field:
            no_members |= scopes.visible.keys() | evidence.slot.targets
        elif not new_field:
            usual = common_members()
            variables = (name for name, visible in scopes.visible.items() if visible.kind in _NO_MEMBERS)
            no_members |= {name for name in variables if usual.get(name, 0.0) < _MIN_MEMBER_SHARE}
        seen = scopes.visible.get(evidence.slot.receiver[-1]) if len(evidence.slot.receiver) == 1 else None
        if scopes.fields_are_called and seen is not None and seen.kind in _VARIABLES:  # an object has no types in it
            no_members |= {name for name, visible in scopes.visible.items() if visible.kind in _TYPES}
        accessed = scopes.attributes - scopes.method_around | scopes.members_on_line | evidence.receiver_pairs
        return (no_members | scopes.method_around) - accessed - (scopes.members or frozenset())
    if kind not in USES or evidence.slot.key:
        return frozenset()
    hidden = scopes.hidden - scopes.parameters - scopes.keywords if kind is SlotKind.ARGUMENT else scopes.hidden
    return hidden | never


def _not_bound_yet(evidence: PlaceEvidence, scopes: ScopeEvidence) -> frozenset[str]:
    """In the head of a function its parameters, and classes whose body is still being run."""
    if evidence.head_parameters is None:
        return scopes.unfinished if evidence.slot.kind is not SlotKind.TYPE else frozenset()
    outside = (name for name, seen in scopes.visible.items() if seen.kind in _DECLARED)
    parameters = evidence.head_parameters.difference(outside)  # `def read(open=open)`
    return parameters if evidence.slot.kind is SlotKind.TYPE else parameters | scopes.unfinished_around


def _sources(evidence: PlaceEvidence, prefix: str) -> Iterable[tuple[Iterable[str], int]]:
    scopes, kind = evidence.scopes, evidence.slot.kind
    if scopes is None:
        return
    if scopes.members is not None:
        unbound, above = scopes.unbound, evidence.lines.above
        public = [name for name in scopes.members if name.startswith(prefix)]
        if kind in (SlotKind.IMPORTED, SlotKind.MODULE) and not prefix.startswith("_"):
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
        begun = [seen for name, seen in scopes.visible.items() if name.startswith(prefix)]
        nearest = sorted(begun, key=lambda seen: (seen.distance, evidence.lines.above.get(seen.name, 1 << 30)))
        yield (seen.name for seen in nearest), _VISIBLE
        yield scopes.parameters, _VISIBLE
