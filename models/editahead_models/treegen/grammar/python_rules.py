"""The grammar of Python as this interpreter has it: rules from the class signatures, states from the refinements."""

from __future__ import annotations

import sys

from editahead.grammar.table import END, NONE, Grammar, Rule

from editahead_models.treegen.grammar.python_refined import CHILDREN, EXTRA, FIELDS, VARIANTS
from editahead_models.treegen.grammar.signatures import Signature, signatures
from editahead_models.treegen.grammar.states import grammar_of

_TERMINALS = {"identifier": "@name", "identifier?": "name?"}
_State = list[tuple[str, str | None, bool, dict[str, str]]]
_NO_STARS = frozenset() if sys.version_info >= (3, 11) else frozenset(["Starred"])  # `*` in an index, in `*args: *T`
_PATTERN_CONSTANTS = ("int", "float", "imag", "str", "bytes")


def running_version() -> str:
    """Such as `3.11`: the version that a table is derived from."""
    return f"{sys.version_info[0]}.{sys.version_info[1]}"


def derive() -> Grammar:
    """The grammar of the running Python. Its first state is a module; `function_body` starts at a body."""
    all_signatures = signatures()
    rules = [rule for signature in all_signatures for rule in _rules_of(signature)]
    rules += [Rule(name, left, tuple(f.items())) for left, group in EXTRA.items() for name, f in group.items()]
    rules += [Rule(END, "list", ()), Rule(NONE, "optional", ())]
    sums: dict[str, list[str]] = {}
    for rule in rules:
        sums.setdefault(rule.left, []).append(rule.name)
    states = _States(sums).build()
    return grammar_of("python", running_version(), rules, states)


def _rules_of(signature: Signature) -> list[Rule]:
    if signature.name in VARIANTS:
        variants = VARIANTS[signature.name]
        rest = [f for f in signature.fields if f[1].startswith("type_param")] if variants else []
        return [Rule(name, signature.left, (*f.items(), *rest)) for name, f in variants.items()]
    refined = FIELDS.get(signature.name, {})
    fields = [(field, refined.get(field) or _TERMINALS.get(kind, kind)) for field, kind in signature.fields]
    if signature.left == "cmpop":
        fields = [("comparator", "expr")]  # an operator stands for its pair
    return [Rule(signature.name, signature.left, tuple(fields))]


class _States:
    """Collects the states; `sums` maps each left side to its rules."""

    def __init__(self, sums: dict[str, list[str]]) -> None:
        self.sums = sums
        self.table: dict[str, _State] = {}

    def build(self) -> dict[str, _State]:
        self._single("module", ["Module"])
        for left, names in self.sums.items():
            self._single(left, [n for n in names if left != "expr" or n not in ("Slice", "Starred", "FormattedValue")])
        every = [name for name, *_ in self.table["expr"]]
        self._expressions(every)
        self._targets()
        self._patterns()
        self._formatted(every)
        self._parameters("parameters", "")
        self._parameters("lambda_parameters", "lambda.")
        for of in ("expr", "elt", "stmt", "keyword", "match_case", "withitem", "comprehension", "dict_item"):
            self._list(of, of)
        for of in ("target", "del_target", "cmpop", "named", "dot", "pattern", "mapping_item", "class_keyword"):
            self._list(of, of)
        for of in ("alias", "handler", "typed_handler", "type_param", "formatted", "formatted_keyword"):
            self._list(of, of)
        self._some_lists()
        for optional in ("expr", "star_expr", "target", "name", "free_name", "dotted"):
            group = self.table.get(optional, [("named", None, True, {})])
            names = ["dotted" if optional == "dotted" else name for name, *_ in group]
            unsafe = frozenset(name for name, _, safe, _ in group if not safe)
            self._single(f"{optional}?", names, unsafe, like=optional)
            self.table[f"{optional}?"].insert(0, (NONE, None, True, {}))
        return self.table

    def _single(self, tag: str, names: list[str], unsafe: frozenset[str] = frozenset(), like: str = "") -> None:
        changed = {name: CHILDREN.get((tag, name)) or CHILDREN.get((like, name), {}) for name in names}
        self.table[tag] = [(name, None, name not in unsafe, changed[name]) for name in names]

    def _list(self, tag: str, of: str) -> None:
        """`tag*` and `tag+`: children of state `of`, in sequence, then the end."""
        if of not in self.table:
            return
        many = f"{tag}*"
        elements: _State = [(name, many, safe, changed) for name, _, safe, changed in self.table[of]]
        self.table[many] = [(END, None, True, {}), *elements]
        self.table[f"{tag}+"] = elements
        self.table[f"{tag}++"] = [(name, f"{tag}+", safe, changed) for name, _, safe, changed in elements]

    def _expressions(self, every: list[str]) -> None:
        self._single("elt", [*every, "Starred"])
        self._single("star_expr", [*every, "Starred"], _NO_STARS)
        self._single("index", [*every, "Slice"])
        self._single("index_elt", [*every, "Slice", "Starred"], _NO_STARS)
        self._list("index_elt", "index_elt")
        self._single("context", every, frozenset(["Tuple"]))
        self._single("name_node", ["Name"])
        self._single("function_body", [])
        self._single("named", ["named"])
        self._single("handler", ["ExceptHandler"])
        self._single("typed_handler", ["ExceptHandler"])
        self._single("alias", ["alias.dotted"])

    def _targets(self) -> None:
        single, rows = ["Name", "Attribute", "Subscript"], ["Tuple", "List"]
        self._single("single", single)
        self._single("target", single + rows)
        self._single("starred_target", single + rows, frozenset(rows), "target")
        self._single("del_target", single + rows)
        plain: _State = [(n, "target_elt*", s, CHILDREN.get(("target", n), {})) for n, _, s, _ in self.table["target"]]
        starred: _State = [("Starred", "plain_target*", True, CHILDREN["target_elt*", "Starred"])]
        self.table["target_elt*"] = [(END, None, True, {}), *plain, *starred]
        self.table["plain_target*"] = [(END, None, True, {}), *((n, "plain_target*", s, c) for n, _, s, c in plain)]

    def _patterns(self) -> None:
        self._single("pattern", [name for name in self.sums["pattern"] if name != "MatchStar"])
        self._single("dotted_name", ["Name", "Attribute"])
        self._single("pattern_value", [*_PATTERN_CONSTANTS, "UnaryOp", "BinOp", "Attribute"])
        self._single("pattern_key", [*_PATTERN_CONSTANTS, "True", "False", "None", "UnaryOp", "BinOp", "Attribute"])
        self._single("number", ["int", "float", "imag"])
        self._single("real_number", ["int", "float"])
        self._single("real", ["int", "float", "UnaryOp"])
        self._single("imaginary", ["imag"])
        self._single("minus", ["USub"])
        self._single("plus_minus", ["Add", "Sub"])
        self._single("singleton", ["None", "True", "False"])
        names = [name for name, *_ in self.table["pattern"]]
        self.table["sequence*"] = [
            (END, None, True, {}),
            *((name, "sequence*", True, {}) for name in names),
            ("MatchStar", "pattern*", True, {}),
        ]

    def _formatted(self, every: list[str]) -> None:
        """Between the braces of an f-string: before Python 3.12 no quotes of its own, so these are never generated."""
        kept = ("Name", "Attribute", "Call")
        every = [*every, "Starred"]  # `formatted*` only occurs inside a call
        self._single("formatted", every, frozenset(name for name in every if name not in kept))
        self.table["formatted*"] = []
        self._single("formatted_keyword", self.sums["keyword"], like="formatted_keyword*")
        self.table["joined*"] = self._parts("joined*", "joined_next*", True)
        self.table["joined_next*"] = self._parts("joined*", "joined_next*", False)
        self.table["spec_part*"] = self._parts("spec_part*", "spec_next*", True, "spec_part*")
        self.table["spec_next*"] = self._parts("spec_part*", "spec_next*", False, "spec_part*")
        self._single("spec?", [NONE, "JoinedStr"])
        self._single("no_spec", [NONE, "JoinedStr"], frozenset(["JoinedStr"]), "spec?")

    @staticmethod
    def _parts(first: str, then: str, text_is_safe: bool, like: str = "") -> _State:
        """No two texts follow each other: they would be parsed as one."""
        return [
            (END, None, True, {}),
            ("FormattedValue", first, True, CHILDREN.get((like, "FormattedValue"), {})),
            ("joined.text", then, text_is_safe, CHILDREN.get((like, "joined.text"), {})),
        ]

    def _parameters(self, tag: str, mark: str) -> None:
        """Positional-only, positional, `*`, keyword-only, `**`; every positional after a default has a default."""
        stages = ("positional", "argument")
        last: _State = [(f"{mark}kwarg", None, True, {}), (END, None, True, {})]
        only: _State = [(f"{mark}keyword_only{d}", f"{tag}.keywords", True, {}) for d in ("", ".default")]
        var: _State = [(f"{mark}vararg", f"{tag}.keywords", True, {})]
        self.table[f"{tag}.keywords"] = [*only, *last]
        for defaults in (False, True):
            for number, stage in enumerate(stages):
                name = tag if stage == "positional" and not defaults else f"{tag}.{stage}{'.defaults' * defaults}"
                rows: _State = []
                for later in stages[number:]:
                    following = tag if later == "positional" else f"{tag}.{later}"
                    if not defaults:
                        rows.append((f"{mark}{later}", following, True, {}))
                    rows.append((f"{mark}{later}.default", f"{tag}.{later}.defaults", True, {}))
                self.table[name] = [*rows, *var, *only, *last]

    def _some_lists(self) -> None:
        """Lists whose last or only element is special."""
        bare: _State = [("ExceptHandler.bare", None, True, {})]
        self.table["handler+"] = [*self.table["handler+"], *bare]
        self.table["handler*"] = [*self.table["handler*"], *bare]
        self.table["imported+"] = [("alias.star", None, True, {}), ("alias", "imported*", True, {})]
        self.table["imported*"] = [(END, None, True, {}), ("alias", "imported*", True, {})]
        self.table["function_body"] = self.table["stmt+"]
