"""Words that are no names: labels, keys, members, tags and their attributes are no uses of a variable called so."""

from __future__ import annotations

import pytest
from editahead.syntax.language import Language

from tests.analysis.resolver.marked import assert_marked, resolver

from .languages import languages

_SCRIPT = (
    "const «x» = 1;\n"
    "x: for (;;) { if («x») break x; continue x; }\n"
    'const o = { x: «x», x() {}, get x() { return 1; }, "x": 1, async x() {}, [«x»]: 2 };\n'
    "o.x; o?.x; o.x();\n"
    "class A { x = «x»; static x = 1; #x = 1; m() { return this.#x; } x() {} }\n"
    "const { x: q } = o;\n"
    'export { z as x };\nexport * as x from "m";\n'
)
_MARKUP = (
    "const «x» = 1;\n"
    'const y = <x x="1" x={«x»} data-x={2}><a.x/><x:a b:x="1"></x:a>x</x>;\n'
    "send(<x/>, <x>{«x»}</x>, <x {...«x»} />);\n"
)
_TYPES = (
    "interface I { x: number; x(): void; m(x: number): void; [x: string]: any }\n"
    "type T = { x: 1, f: (x: number) => void };\nenum E { x, y = 2 }\nE.x;\n"
    "type F = (x: string) => x is string;\nlet t: [x: number, x?: string];\nlet g: typeof «x»;\n"
    'let h: I["x"];\nimport.meta.x;\n@o.x class D {}\n'
)
NO_NAMES = {
    "python": [
        "«x» = 1\no.x\nf(x=«x»)\nclass A:\n    x = «x»\n    def x(self): return «x»\n"
        'match o:\n    case A(x=1): pass\n    case {"x": y}: pass\n'
        "from x import y\nfrom . import y as z\nimport a.x\ndef g(x: int): return x\nlambda x: x\n"
    ],
    "javascript": [_SCRIPT, _MARKUP],
    "typescript": [_SCRIPT + _TYPES],
    "tsx": [_SCRIPT + _TYPES, _MARKUP],
    "go": [
        "package p\n\nfunc f(«x» int, o *T) int {\nx:\n\tfor {\n\t\tif «x» > 1 { break x }\n\t\tgoto x\n"
        "\t\tcontinue x\n\t}\n\to.x()\n\ta := T{x: «x»}\n\t_ = struct{ x int }{x: «x»}\n\t_ = o.x.x\n\treturn «x»\n}\n"
        "type T struct { x int }\nfunc (t T) x() {}\ntype I interface { x() }\n"
    ],
    "c": [
        "struct s { int x; };\nint f(int «x», struct s *o) {\nx:\n  if («x») goto x;\n  o->x = «x»;\n"
        "  struct s a = { .x = «x» };\n  struct x *p;\n  enum x e;\n  return offsetof(struct s, x) + «x»;\n}\n"
    ],
    "cpp": [
        "struct s { int x; };\nint f(int «x», s *o) {\nx:\n  if («x») goto x;\n  o->x = «x»;\n  s a = { .x = «x» };\n"
        "  s::x;\n  return a.x + «x» + [x = 2]{ return x; }();\n}\n"
    ],
    "java": [
        "class A { int x; int x() { return 1; }\n"
        " int f(int «x», A o) {\n  x: for (;;) { if («x» > 1) break x; continue x; }\n"
        "  o.x = «x»; o.x(); this.x();\n  f(«x», o);\n @N(x = 1) int y = 1; return «x»; }\n}\n"
    ],
    "c_sharp": [
        "class A { int x;\n int F(int «x», A o) {\n x: if («x» > 1) goto x;\n  o.x = «x»; o.x(); this.x = 1;\n"
        "  var a = new A { x = «x» }; G(x: «x»); var t = (x: 1, y: 2); t.x(); var q = new { x = 1 };\n"
        " return «x»; }\n [N(x = 1)] void G(int x) {}\n}\n"
    ],
    "rust": [
        "struct S { x: i32 }\nfn f(«x»: i32, o: S) -> i32 {\n  let a = S { x: «x» };\n"
        "  'x: loop { if «x» > 1 { break 'x; } continue 'x; }\n  let S { x: y } = o;\n  o.x(); S::x(); x!(1);\n"
        "  o.x + «x» }\nmod x {}\n"
    ],
    "lua": [
        "local «x» = 1\nlocal o = { x = «x», [«x»] = 1 }\no.x = 1\no:x()\no.x.x()\ngoto x\n::x::\n"
        "function o.x() return «x» end\nfunction o:x() return «x» end\n"
    ],
}


@pytest.mark.parametrize("language", languages(), ids=lambda language: language.id)
def test_no_other_word_means_the_variable(language: Language) -> None:
    for marked in NO_NAMES[language.id]:
        assert_marked(marked, language.id)


def test_a_tag_in_capitals_or_behind_an_object_is_a_variable() -> None:
    assert_marked("function «Row»() {}\nconst y = <«Row» row={1}><«Row»/></«Row»>;\n", "tsx")
    assert_marked("const «ui» = load();\nconst y = <«ui».Row><ui/></«ui».Row>;\n", "javascript")


def test_an_attribute_of_an_element_is_no_member_of_what_a_variable_takes() -> None:
    source = "interface P { value: string }\nfunction input(props: P) {}\nconst y = <input value='1'/>;\n"
    names = resolver(source, "tsx")
    at = names.name_at(source.rindex("value"), "value")
    assert at is None or names.binding(at) is None
