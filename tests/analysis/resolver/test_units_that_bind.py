"""Whether a unit may bind a name is decided from its text, and facts are read of those units alone."""

from __future__ import annotations

import re

import pytest
from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, ScopeRef
from editahead.analysis.resolver.resolver import Resolver, resolver_of
from editahead.syntax.language import by_id
from editahead.syntax.scope_table import Namespace
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer

TEXTS = {
    "python": """
total = 1
def set_total(value):
    global total, late
    total = value
    late = total
class Box:
    size = total
    @property
    def late(self):
        total = self.size
        return total
    def grow(self):
        global grown
        grown = self.size
for row in rows: other = row
""",
    "java": """
class Box {
    int size;
    Box(int size) { this.size = size; int other = size; }
    void grow() { size++; }
}
""",
    "typescript": """
class Box { constructor(private size: number) {} grow(by: number) { const size = by; return size; } }
export const grow = (box: Box) => { const other = box; return other; };
describe('box', () => { const made = new Box(1); var late = made; });
if (grow) { var early = 1; }
""",
    "go": """
package a
var total, other = 1, 2
func (b *Box) Grow(total int) { late := total; _ = late }
type Box struct{ size int }
""",
    "rust": """
static TOTAL: i32 = 1;
fn grow(other: i32) -> i32 { let late = other; late }
mod inner { pub fn late() {} }
""",
    "cpp": """
int total;
enum Kind { ROUND, FLAT };
struct Box { enum { SMALL }; int size; void grow() { int late = size; } };
int Box_grow(int late) { return late; }
""",
    "c": """
struct box { int size; enum { SMALL, LARGE } kind; };
int grow(int by) { int late = by; { int size = late; } return late; }
extern int late;
""",
    "c_sharp": """
class Box {
    int size;
    public int Size => size;
    void Grow(int by) { var late = by; size = late; }
}
""",
    "lua": """
function grow(by)
  total = by
  local late = by
end
local other = function() late = 1 end
""",
}


def names_of(text: str, language_id: str) -> Resolver:
    language = by_id(language_id)
    assert language is not None
    names = resolver_of(SyntaxSnapshot.open(Buffer(text.encode()), language))
    assert names is not None
    return names


def scopes_of(names: Resolver) -> list[ScopeRef]:
    containers = names.scopes.facts.containers
    return [(-1, number) for number, container in enumerate(containers) if container.first == number]


@pytest.mark.parametrize("language_id", TEXTS)
def test_the_units_that_may_bind_a_name_are_all_that_do(language_id: str) -> None:
    text = TEXTS[language_id]
    some, every = names_of(text, language_id), names_of(text, language_id)
    bound = 0
    for name in sorted(set(re.findall(r"[^\W\d]\w*", text))):
        index = every.scopes.index(name)
        for ref in scopes_of(some):
            for namespace in Namespace:
                rows = index.bound.get((ref, namespace), [])
                assert some.scopes.bound_in(ref, namespace, name) == rows, (name, ref, namespace)
                bound += len(rows)
    assert bound > 1


def test_methods_with_parameters_of_a_type_are_not_read_to_find_its_declaration() -> None:
    methods = "".join(f"    void use{n}(List<String> rows) {{ }}\n" for n in range(40))
    method = "    Box one(List<Box> all) { return all.get(0).one(all); }\n"
    names = names_of(f"import java.util.List;\nclass Box {{\n{methods}{method}}}\n", "java")
    assert [names.binding(use) is not None for use in names.names("one")] == [True, True]
    assert sum(unit._shape.facts is not None for unit in names.scopes.facts.units) == 3


def test_bodies_that_use_a_name_are_not_read_to_find_its_declaration() -> None:
    """The uses of a class in 1,100 functions took 300 ms of the first completion behind a jump."""
    uses = "".join(f"def use{n}(count: Box2) -> None:\n    made = Box(count)\n    print(made)\n\n" for n in range(40))
    names = names_of(f"{uses}class Box:\n    pass\n", "python")
    assert len(names.scopes.bound_in(MODULE_SCOPE, Namespace.VALUE, "Box")) == 1
    read = [unit for unit in names.scopes.facts.units if unit._shape.facts is not None]
    assert len(read) == 1
