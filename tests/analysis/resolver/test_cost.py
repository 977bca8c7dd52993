"""What resolving costs: linear in the file, only what changed is read again, large files in parts; it can be ended."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from editahead.analysis.facts import file_facts
from editahead.analysis.facts.facts import Receiver
from editahead.analysis.facts.file_facts import FactsCache
from editahead.analysis.facts.unit_layout import Layout
from editahead.analysis.resolver.declared_members import member_names
from editahead.analysis.resolver.resolver import resolver_of
from editahead.syntax.chunks.chunked import ChunkedSnapshot, open_snapshot
from editahead.syntax.interrupt import interruptible
from editahead.syntax.language import by_id
from editahead.syntax.language_definition import Language
from editahead.syntax.nodes import ParsedPart, Parts
from editahead.syntax.scope_table import ScopeTable
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit

from tests.growth import assert_linear

PYTHON = by_id("python")
assert PYTHON is not None


def _source(count: int) -> str:
    return "".join(f"def f{n}(a, b):\n    c = a + b\n    return [c for c in range(a)]\n\n" for n in range(count))


def _nested(depth: int) -> str:
    return "x = " + "[" * depth + "a" + "]" * depth + "\nb = " + "a." * depth + "c\n"


def _references_of_a(language: Language, make: Callable[[int], str]) -> Callable[[int], Callable[[], object]]:
    """By size, the work of resolving the first `a` of a text that is parsed already, and all references to it."""

    def work(size: int) -> Callable[[], object]:
        snapshot = SyntaxSnapshot.open(Buffer(make(size).encode()), language)
        _ = snapshot.tree

        def run() -> object:
            names = resolver_of(snapshot)
            assert names is not None
            return [names.references(found) for at in names.names("a")[:1] if (found := names.binding(at))]

        return run

    return work


@pytest.mark.slow
@pytest.mark.parametrize(
    "make", [_source, _nested, lambda n: "a = b\n" * n, lambda n: "class C:\n" + "    a = b\n" * n]
)
def test_linear(make: Callable[[int], str]) -> None:
    assert_linear(_references_of_a(PYTHON, make), 300)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language_id", "make"),
    [
        ("c", lambda n: "int " + "(" * n + "a" + ")" * n + ";\n" + "int *" + "*" * n + "b;\n"),
        ("c", lambda n: "int a" + "(int x)" * n + ";\n"),
        ("c", lambda n: "#if A\nint a;\n#else\n" * n + "#endif\n" * n),
        ("c", lambda n: "void f() { g(" + "struct a, " * n + "b); }\n"),
        ("c", lambda n: "typedef a a;\n" * n + "int f(a *b) { return b->c; }\n"),
        ("cpp", lambda n: "namespace a {\n" * n + "int b = a;\n" + "}\n" * n),
        ("cpp", lambda n: "namespace b {\n" * n + "int a;\n" + "}\n" * n),
        ("cpp", lambda n: "template <class T> " * n + "class a {};\n"),
        ("cpp", lambda n: "int a::f(int x) { return a; }\n" * n),
        ("c_sharp", lambda n: "namespace a {\n" * n + "class a { int x; }\n" + "}\n" * n),
        ("c_sharp", lambda n: "partial class a { int x; }\n" * n),
        ("c_sharp", lambda n: "partial class A { int a; }\n" + "partial class A { int b() => a; }\n" * n),
        ("c_sharp", lambda n: "record A(A a) { A b = a with { a = " + "a with { a = " * n + "a" + " }" * n + " }; }\n"),
        ("c_sharp", lambda n: "record A(A a) { bool b = a is " + "{ a: " * n + "A" + " }" * n + "; }\n"),
        ("c_sharp", lambda n: "record A(A a) { bool b = a is { " + "a." * n + "a: 1 }; }\n"),
        ("c_sharp", lambda n: "record A(A a) { bool b = a is { a: 1 }" + " and { a: 1 }" * n + "; }\n"),
        ("c_sharp", lambda n: "record A(A a) { A b = " + "new(a: " * n + "1" + ")" * n + "; }\n"),
        ("c_sharp", lambda n: "class A { " + "A(int a) { } A b = new A(a: 1); " * n + "}\n"),
        ("c_sharp", lambda n: "class A { object a = new { " + "a = a, " * n + "b = 1 }; }\n"),
        ("c_sharp", lambda n: "class a { int x = " + "a." * n + "x; }\n"),
        ("c_sharp", lambda n: "class C { object a; object b => a" + "?.a" * n + "; }\n"),
        ("c_sharp", lambda n: "class C { C a; object b => " + "a?.a + " * n + "a; }\n"),
        ("c", lambda n: "struct A { int a; };\nstruct A b[] = {" + " { .a = 1 }," * n + " };\n"),
        ("go", lambda n: "package p\nvar b = " + "[]" * n + "A" + "{" * n + "a: 1" + "}" * n + "\n"),
        (
            "java",
            lambda n: (
                "class B {\n"
                + "void a(int x) { }\n" * n
                + "}\nclass C extends B {\n"
                + "void a(int x) { this.a(1); }\n" * n
                + "}\n"
            ),
        ),
        ("javascript", lambda n: "const b = " + "{ a: " * n + "this.a" + " }" * n + ";\n"),
        ("javascript", lambda n: "const b = " + "() => " * n + "this.a;\n"),
        ("rust", lambda n: "fn f(a: A) { let v = vec![" + "P { x: a }, a.b, " * n + "b]; }\n"),
        ("rust", lambda n: "fn f(a: A) { println!(" + '"{a}", ' * n + "b); }\n"),
        ("typescript", lambda n: "const a = b;\n" + "".join(f"const a{i} = a{i - 1}.a;\n" for i in range(1, n))),
        ("typescript", lambda n: "".join(f"interface A extends B{i} {{ a: A }}\n" for i in range(n)) + "let b: A;\n"),
        ("typescript", lambda n: "const b = a" + ".filter(c)" * n + ";\n"),
        (
            "c_sharp",
            lambda n: (
                "class A { void a() {} void F(List<A> q0) {\n"
                + "".join(
                    f"var q{i + 1} = q{i}.Where(x => x.a()).Skip(1).Take(2); q{i}.First().a();\n" for i in range(n)
                )
                + "} }\n"
            ),
        ),
        ("typescript", lambda n: "a" + ".map((b) => b.a" * n + ")" * n + ";\n"),
        ("typescript", lambda n: "let a: " + "Promise<" * n + "A" + ">" * n + ";\n"),
        ("typescript", lambda n: "".join(f"for (const a of a{i}) for (const a{i} of a) a.b;\n" for i in range(n))),
        ("rust", lambda n: "fn f(a: A) { let b = a" + ".b()?" * n + "; }\n"),
        ("typescript", lambda n: "".join(f"class C{i} extends C{i - 1}<a> {{ a: a }}\n" for i in range(1, n))),
    ],
)
def test_linear_in_other_languages(language_id: str, make: Callable[[int], str]) -> None:
    language = by_id(language_id)
    assert language is not None

    assert_linear(_references_of_a(language, make), 300)


def test_macros_in_macros_are_read_to_a_depth() -> None:
    """The sibling of a node costs a walk from the root: what stands deeper than anybody writes is not asked for it."""
    rust = by_id("rust")
    assert rust is not None
    assert_linear(_references_of_a(rust, lambda n: "fn f(a: A) { " + "m!(" * n + "a" + ")" * n + "; }\n"), 2_000)


def test_only_what_changed_is_read_again() -> None:
    snapshot, cache = SyntaxSnapshot.open(Buffer(_source(50).encode()), PYTHON), FactsCache()
    _read(snapshot, cache, "a")
    assert cache.read == 50
    at = snapshot.buffer.data.index(b"f7") + 2
    edit = ByteEdit(at, at, b"x")
    _read(snapshot.advance(snapshot.buffer.apply(edit), [edit]), cache, "a")
    assert cache.read == 51


def test_only_what_holds_the_name_is_read() -> None:
    cache = FactsCache()
    _read(
        SyntaxSnapshot.open(Buffer((_source(50) + "def last(rare):\n    return rare\n").encode()), PYTHON),
        cache,
        "rare",
    )
    assert cache.read == 1


def test_what_no_late_version_used_is_forgotten() -> None:
    cache = FactsCache()
    for number in range(100):
        _read(SyntaxSnapshot.open(Buffer(f"a = {number}\n".encode()), PYTHON), cache, "a")
    assert len(cache) <= 4 * FactsCache.KEPT


def test_the_members_of_a_class_are_kept_one_by_one() -> None:
    members = "".join(f"    def f{n}(self):\n        return f\n" for n in range(50))
    snapshot, cache = SyntaxSnapshot.open(Buffer(f"class C:\n{members}".encode()), PYTHON), FactsCache()
    _read(snapshot, cache, "f")
    before = cache.read
    edit = ByteEdit(len(snapshot.buffer.data), len(snapshot.buffer.data), b"    x = 1\n")
    _read(snapshot.advance(snapshot.buffer.apply(edit), [edit]), cache, "f")
    assert before == 50
    assert cache.read - before <= 2


def test_what_a_class_tells_is_read_from_that_class() -> None:
    methods = "    def __init__(self, a):\n        self.a = a\n\n    def get(self):\n        return self.a\n"
    source = "".join(f"class B{n}:\n    pass\n\n\nclass C{n}(B{n}):\n{methods}\n\n" for n in range(100))
    snapshot, cache = SyntaxSnapshot.open(Buffer(source.encode()), PYTHON), FactsCache()
    names = resolver_of(snapshot, cache)
    assert names is not None
    receiver = source.rindex("self")
    scope = names.scopes.scope_at(receiver)
    inside = receiver - names.scopes.facts.units[scope[0]].start
    owner = names.members.class_of(Receiver("name", "self", inside), scope[0], scope)
    assert owner is not None
    assert set(member_names(names, owner)) == {"__init__", "get", "a"}
    assert names.members.called(Receiver("name", "C99", 0), scope[0], scope) is not None
    assert cache.read <= 12


def test_of_a_large_file_only_the_parts_with_the_name_are_read() -> None:
    source = _source(12_500) + "def last(rare):\n    return rare\n"
    snapshot, cache = open_snapshot(Buffer(source.encode()), PYTHON), FactsCache()
    assert isinstance(snapshot, ChunkedSnapshot)
    names = resolver_of(snapshot, cache, Parts(frozenset({b"rare"})))
    assert names is not None
    assert cache.read < 200
    binding = names.binding(names.names("rare")[0])
    assert binding is not None
    assert [one.start for one in names.references(binding)] == [source.index("rare"), source.rindex("rare")]


@pytest.mark.slow
def test_of_a_large_file_only_the_edited_part_is_laid_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    laid_out: list[ParsedPart] = []
    real = file_facts.layout_of

    def counted(part: ParsedPart, table: ScopeTable) -> Layout:
        laid_out.append(part)
        return real(part, table)

    monkeypatch.setattr(file_facts, "layout_of", counted)
    snapshot, cache = open_snapshot(Buffer(_source(2000).encode()), PYTHON), FactsCache()
    _read(snapshot, cache, "a")
    parts = len(laid_out)
    at = snapshot.buffer.data.index(b"f700(") + 4
    edit = ByteEdit(at, at, b"x")
    changed = snapshot.advance(snapshot.buffer.apply(edit), [edit])
    _read(changed, cache, "a")
    _read(changed, cache, "b")
    assert parts > 10
    assert len(laid_out) == parts + 1
    names, fresh = resolver_of(changed, cache), resolver_of(changed)
    assert names is not None
    assert fresh is not None
    assert names.names("a") == fresh.names("a")


def test_it_can_be_ended() -> None:
    class EndedError(Exception):
        pass

    def end() -> None:
        raise EndedError

    snapshot = SyntaxSnapshot.open(Buffer(_source(10).encode()), PYTHON)
    _ = snapshot.tree
    with interruptible(end), pytest.raises(EndedError):
        resolver_of(snapshot)


def _read(snapshot: SyntaxSnapshot, cache: FactsCache, name: str) -> None:
    names = resolver_of(snapshot, cache)
    assert names is not None
    assert names.names(name)


def test_a_search_of_bases_visits_each_class_once(monkeypatch: pytest.MonkeyPatch) -> None:
    levels, visits = 10, list[object]()
    ladder = "".join(f"class {c}{n}(A{n - 1}, B{n - 1}):\n    pass\n" for n in range(1, levels) for c in "AB")
    text = f"class A0:\n    pass\nclass B0:\n    pass\n{ladder}class Other:\n    pass\n"
    assert PYTHON is not None
    resolver = resolver_of(SyntaxSnapshot.open(Buffer(text.encode()), PYTHON))
    assert resolver is not None
    starts = (text.index(f"A{levels - 1}"), text.index("A0"), text.index("Other"))
    derived, base, other = (resolver.scopes.declared_by(start) for start in starts)
    assert derived is not None
    assert base is not None
    assert other is not None
    find_bases = resolver.classes.bases
    monkeypatch.setattr(resolver.classes, "bases", lambda ref: (visits.append(ref), find_bases(ref))[1])
    assert resolver.classes.inherits(derived, base)
    visits.clear()
    assert not resolver.classes.inherits(derived, other)
    assert len(visits) == len(set(visits))
