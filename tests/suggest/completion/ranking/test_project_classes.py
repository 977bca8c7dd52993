"""Members and keys of classes that other files of a project declare."""

from __future__ import annotations

from pathlib import Path

import pytest
from editahead.runtime.language_model.ngrams import DocumentCaches
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.completion.ngrams import words_of
from editahead.suggest.completion.without_model import complete_without_model, words_evidence
from editahead.suggest.context import place_at
from editahead.suggest.types import Shown

from tests.suggest.completion.ranking.project_evidence import Evidence, known, located
from tests.suggest.completion.test_ranked_words import opened

TYPES = """import { Base } from './base';
export interface Props extends Base {
  width: number;
  draw(): void;
}
export class Box extends Base {
  private secret = 1;
  #hidden = 2;
  next: Box;
  props: Props;
  fill(): void {}
}
export interface Open { any: Far; [key: string]: number }
export interface Half extends Unknown { half: number }
"""
SCRIPT = {"lib/types.ts": TYPES, "lib/base.ts": "export interface Base { depth: number }\n"}
JAVA = {
    "src/main/java/a/b/Shop.java": (
        "package a.b;\nimport c.Base;\npublic class Shop extends Base {\n  private int count;\n"
        "  public String title;\n  public Base base;\n  public void open() { int local; }\n"
        "  public static class Inner { public int deep; }\n}\n"
    ),
    "src/main/java/c/Base.java": "package c;\npublic class Base { public void rest() {} }\n",
    "src/main/java/d/Shop.java": "package d;\npublic class Shop { public void wrong() {} }\n",
}
GO = {
    "go.mod": "module example.com/x\n",
    "pkg/store/store.go": (
        "package store\n\ntype Store struct {\n\tName string\n\tpart *Part\n}\n\n"
        "func (s *Store) Open() error { return nil }\n"
        "\nfunc NewStore() *Store { return nil }\n\nconst (\n\tMaxSize = 3\n\tminSize = 2\n)\n"
    ),
    "pkg/store/part.go": "package store\n\ntype Part struct{ depth int }\n\nfunc (s *Store) Close() {}\n",
    "pkg/store/part_test.go": "package store\n\nfunc (s *Store) Tested() {}\n",
}
C_SHARP = {
    "A/Shop.cs": (
        "namespace A;\npublic class Shop {\n  private int count;\n  public string Title { get; set; }\n"
        "  public void Open() {}\n}\n"
    )
}
CPP = {
    "include/x/shop.h": (
        "#pragma once\nnamespace n {\nclass Shop {\n  int secret;\n public:\n  int title;\n  void open();\n private:\n"
        "  void shut();\n};\nstruct Point { int x; };\n}\n"
    )
}
RUST = {
    "src/lib.rs": "pub mod shop;\npub use crate::shop::part::Part as Piece;\n",
    "src/shop/mod.rs": "mod part;\npub use part::*;\npub use self::store::Store;\nmod store;\n",
    "src/shop/part.rs": "pub struct Part {\n    pub depth: u8,\n    secret: u8,\n}\npub enum Kind { Small, Large }\n",
    "src/shop/store.rs": (
        "use super::Part;\npub struct Store { pub(crate) part: Part, pub name: String }\n"
        "impl Store {\n    pub fn open(&self) {}\n    pub fn new() -> Self { todo!() }\n}\n"
    ),
    "crates/other-one/src/lib.rs": "mod inner;\npub use inner::{Deep, Other as Renamed};\n",
    "crates/other-one/src/inner.rs": "pub struct Deep { pub x: u8 }\npub struct Other { pub y: u8 }\n",
}
OF_TAGS = frozenset({"key", "ref"})
BOX, PROPS = {"next", "props", "fill", "depth"}, {"width", "draw", "depth"}
IMPORT = "import { Box, Props, Open, Half } from './lib/types';\n"
STORE = {"Name", "part", "Open", "Close"}
MEMBERS = {
    "of a parameter": (SCRIPT, "main.ts", IMPORT + "function f(b: Box) {\n  b.‸\n}\n", BOX),
    "of a field": (SCRIPT, "main.ts", IMPORT + "class A {\n  b: Box;\n  m() {\n    this.b.‸\n  }\n}\n", BOX),
    "of a member of another": (SCRIPT, "main.ts", IMPORT + "function f(b: Box) {\n  b.next.props.‸\n}\n", PROPS),
    "of what is created": (SCRIPT, "main.ts", IMPORT + "const b = new Box();\nb.‸\n", BOX),
    "inherited from it": (
        SCRIPT, "main.ts", IMPORT + "class A extends Box {\n  m() {\n    this.‸\n  }\n}\n", BOX | {"m"},
    ),
    "where a base is not known": (SCRIPT, "main.ts", IMPORT + "function f(h: Half) {\n  h.‸\n}\n", {"half"}),
    "from a file above": (
        SCRIPT, "app/deep/main.ts", "import { Box } from '../../lib/types.js';\nfunction f(b: Box) {\n  b.‸\n}\n", BOX,
    ),
    "of Java by an import": (
        JAVA, "src/main/java/e/Main.java",
        "package e;\nimport a.b.Shop;\nclass Main {\n  void run(Shop s) {\n    s.‸\n  }\n}\n",
        {"title", "base", "open", "Inner", "rest"},
    ),
    "of Java in one package": (
        JAVA, "src/main/java/c/Main.java",
        "package c;\nclass Main {\n  Base b;\n  void run() {\n    b.‸\n  }\n}\n", {"rest"},
    ),
    "of Java where it is created": (
        JAVA, "src/main/java/c/Main.java",
        "package c;\nclass Main {\n  void run() {\n    new Base().‸\n  }\n}\n", {"rest"},
    ),
    "of Java through a field": (
        JAVA, "src/main/java/e/Main.java",
        "package e;\nimport a.b.Shop;\nclass Main {\n  void run(Shop s) {\n    s.base.‸\n  }\n}\n", {"rest"},
    ),
    "of Go in one package": (GO, "pkg/store/use.go", "package store\n\nfunc use(s *Store) {\n\ts.‸\n}\n", STORE),
    "of Go with methods in other files": (
        {"p/b.go": "package p\n\nfunc (a *A) Other() {}\nfunc (b B) Deep() {}\n"}, "p/a.go",
        "package p\n\ntype B struct{}\n\ntype A struct {\n\tB\n\tx int\n}\n\nfunc f(a *A) {\n\ta.‸\n}\n",
        {"x", "B", "Other", "Deep"},
    ),
    "of an interface in several blocks": (
        {"types.ts": "export interface A { x: 1 }\nexport interface A { y: 1 }\n"}, "main.ts",
        "import { A } from './types';\nfunction f(a: A) {\n  a.‸\n}\n", {"x", "y"},
    ),
    "of an interface of the file in several blocks": (
        {}, "main.ts",
        "interface A { x: 1 }\nclass A { y = 1; }\nfunction f(a: A) {\n  a.‸\n}\n", {"x", "y"},
    ),
    "of Go through a field": (
        GO, "pkg/store/use.go", "package store\n\nfunc use(s *Store) {\n\ts.part.‸\n}\n", {"depth"},
    ),
    "of Go from another package": (
        GO, "cmd/main.go",
        'package main\n\nimport "example.com/x/pkg/store"\n\nfunc use(s *store.Store) {\n\ts.‸\n}\n',
        {"Name", "Open", "Close"},
    ),
    "of what a function of Go gives": (
        GO, "cmd/main.go",
        'package main\n\nimport "example.com/x/pkg/store"\n\nfunc use() {\n\ts := store.NewStore()\n\ts.‸\n}\n',
        {"Name", "Open", "Close"},
    ),
    "of what a function gives": (
        {
            **SCRIPT,
            "make.ts": "import { Box } from './lib/types';\nexport function make(): Box { return new Box(); }\n",
        },
        "main.ts", "import { make } from './make';\nconst b = make();\nb.‸\n", BOX,
    ),
    "of what a method gives": (
        {
            **JAVA,
            "src/main/java/c/Maker.java": (
                "package c;\npublic class Maker { public Maker me() {} public Base make() {} }\n"
            ),
        },
        "src/main/java/c/Main.java",
        "package c;\nclass Main {\n  void run(Maker m) {\n    var b = m.me().make();\n    b.‸\n  }\n}\n", {"rest"},
    ),
    "of what a static method gives": (
        {**JAVA, "src/main/java/c/Maker.java": "package c;\npublic class Maker { public static Base make() {} }\n"},
        "src/main/java/c/Main.java",
        "package c;\nclass Main {\n  void run() {\n    var b = Maker.make();\n    b.‸\n  }\n}\n", {"rest"},
    ),
    "of a package of Go": (
        GO, "cmd/main.go", 'package main\n\nimport st "example.com/x/pkg/store"\n\nfunc use() {\n\tst.‸\n}\n',
        {"Store", "NewStore", "MaxSize", "Part"},
    ),
    "of C# in several files": (
        {
            "A/Shop.cs": "public partial class Shop {\n  public int A;\n}\n",
            "A/Shop.Part.cs": "public partial class Shop {\n  public int B;\n  private int c;\n}\n",
            "A/Shop.Other.cs": "public class Other {\n  public int C;\n}\n",
        },
        "B/Main.cs", "class Main {\n  void Run(Shop s) {\n    s.‸\n  }\n}\n", {"A", "B"},
    ),
    "of the own class of C# in another file": (
        {"A/Shop.cs": "public partial class Shop {\n  public int A;\n}\n"}, "A/Shop.Part.cs",
        "public partial class Shop {\n  public int B;\n  void Run(Shop s) {\n    s.‸\n  }\n}\n", {"A", "B", "Run"},
    ),
    "of C#": (C_SHARP, "B/Main.cs", "class Main {\n  void Run(A.Shop s) {\n    s.‸\n  }\n}\n", {"Title", "Open"}),
    "of Rust": (
        RUST, "src/main.rs", "use crate::shop::{Kind, Store};\nfn f(s: &Store) {\n    s.‸\n}\n",
        {"part", "name", "open", "new"},
    ),
    "of Rust behind a path of elements": (
        {"src/lib.rs": "pub struct Shop<T> { pub parts: Vec<Arc<Part>>, x: T }\npub struct Part { pub depth: u8 }\n"},
        "src/main.rs",
        "use crate::Shop;\nfn f(s: &Shop<u8>) {\n    for p in s.parts.iter() {\n        p.‸\n    }\n}\n", {"depth"},
    ),
    "of a generic class of Rust": (
        {}, "src/main.rs", "struct A<T> { x: T }\nfn f(a: &A<u8>) {\n    a.‸\n}\n", {"x"},
    ),
    "of what a method of Rust gives, or nothing": (
        {"src/lib.rs": (
            "pub struct A { pub x: u8 }\nimpl A {\n    pub fn next(&self) -> Option<A> { None }\n"
            "    pub async fn load() -> Result<A, E> { todo!() }\n}\n"
        )},
        "src/main.rs",
        "use crate::A;\nasync fn f(a: &A) {\n    let b = a.next().unwrap().next()?;\n    b.‸\n}\n",
        {"x", "next", "load"},
    ),
    "of Rust by a path": (
        RUST, "src/main.rs", "fn f(s: crate::shop::Store) {\n    s.‸\n}\n", {"part", "name", "open", "new"},
    ),
    "of Rust through a field": (
        RUST, "src/main.rs", "use crate::shop::Store;\nfn f(s: &Store) {\n    s.part.‸\n}\n", {"depth"},
    ),
    "of Rust by another name": (RUST, "src/a.rs", "use crate::Piece;\nfn f(s: Piece) {\n    s.‸\n}\n", {"depth"}),
    "of Rust by all names above": (RUST, "src/shop/b.rs", "use super::*;\nfn f(p: Part) {\n    p.‸\n}\n", {"depth"}),
    "of another crate of Rust": (
        RUST, "src/a.rs", "use other_one::{Deep, Renamed as Y};\nfn f(s: Deep, y: Y) {\n    y.‸\n}\n", {"y"},
    ),
    "of Java with words in comments": (
        {
            "c/Base.java": (
                "package c;\npublic class Base {\n  /** Opens {@code it}, which is private. */\n"
                "  public void open() {}\n"
                "  // a, private b\n  int size;\n  private /* public */ int secret;\n}\n"
            )
        },
        "c/Main.java", "package c;\nclass Main {\n  void run(Base b) {\n    b.‸\n  }\n}\n", {"open", "size"},
    ),
    "of no parameter of a generic class": (
        {"c/T.java": "package c;\npublic class T { public int x; }\n"},
        "c/Main.java", "package c;\nclass Main<T> {\n  void run(T t) {\n    t.‸\n  }\n}\n", None,
    ),
    "of no parameter of a generic function": (
        {"types.ts": "export class T { x = 1 }\n"},
        "main.ts", "import { T } from './types';\nfunction f<T>(t: T) {\n  t.‸\n}\n", None,
    ),
    "of C++": (CPP, "main.cpp", "#include <x/shop.h>\nvoid f(n::Shop& s) {\n  s.‸\n}\n", {"title", "open"}),
    "of the own object in C++": (
        CPP, "main.cpp", "#include <x/shop.h>\nvoid n::Shop::open() {\n  this->‸\n}\n",
        {"title", "open", "shut", "secret"},
    ),
    "of another object of the own class in C++": (
        CPP, "main.cpp", "#include <x/shop.h>\nusing namespace n;\nvoid Shop::open() {\n  Shop s;\n  s.‸\n}\n",
        {"title", "open", "shut", "secret"},
    ),
    "of the own object in Rust": (
        RUST, "src/shop/more.rs", "use super::Part;\nimpl Part {\n    fn more(&self) {\n        self.‸\n    }\n}\n",
        {"depth", "secret"},
    ),
    "of C++ behind an arrow": (CPP, "main.cpp", "#include <x/shop.h>\nvoid f(n::Point* p) {\n  p->‸\n}\n", {"x"}),
}  # fmt: skip
KEYS = {
    "of a class with a base": (SCRIPT, "main.ts", IMPORT + "const p: Props = { ‸ };\n", PROPS),
    "of a class of the file with a base": (
        SCRIPT, "main.ts", IMPORT + "interface More extends Props { more: 1 }\nconst p: More = { ‸ };\n",
        PROPS | {"more"},
    ),
    "of a tag": (
        SCRIPT, "main.tsx", IMPORT + "const Tag = (p: Props) => null;\nconst t = <Tag ‸ />;\n", PROPS | OF_TAGS,
    ),
    "of any key": (SCRIPT, "main.ts", IMPORT + "const p: Open = { ‸ };\n", None),
    "where a base is not known": (SCRIPT, "main.ts", IMPORT + "const p: Half = { ‸ };\n", None),
    "of Go": (
        GO, "cmd/main.go",
        'package main\n\nimport "example.com/x/pkg/store"\n\nvar s = store.Store{\n\t‸\n}\n', {"Name"},
    ),
    "of Rust": (RUST, "src/main.rs", "use crate::shop::Part;\nfn f() -> Part {\n    Part { ‸ }\n}\n", {"depth"}),
    "of a map of Go": (
        {"p/m.go": "package p\n\ntype M map[string]int\n"}, "p/use.go", "package p\n\nvar m = M{‸}\n", None,
    ),
    "of an embedded type of Go": (
        {"p/a.go": "package p\n\ntype A struct {\n\tsync.Mutex\n\tx int\n}\n"},
        "p/use.go", "package p\n\nvar a = A{‸}\n", {"Mutex", "x"},
    ),
    "of a type of Go that embeds one of another file": (
        {
            "p/a.go": "package p\n\ntype A struct {\n\tB\n\tx int\n}\n",
            "p/b.go": "package p\n\ntype B struct {\n\tdeep int\n}\n",
        },
        "p/use.go", "package p\n\nvar a = A{‸}\n", {"B", "x"},
    ),
    "of Go in one package": (GO, "pkg/store/use.go", "package store\n\nvar p = &Part{‸}\n", {"depth"}),
    "of C#": (C_SHARP, "B/Main.cs", "class Main {\n  Shop F() {\n    return new Shop { ‸ };\n  }\n}\n", {"Title"}),
}  # fmt: skip


@pytest.mark.parametrize(("files", "path", "text", "members"), MEMBERS.values(), ids=MEMBERS)
def test_members_of_other_files_are_known(
    evidence: Evidence,
    files: dict[str, str], path: str, text: str, members: set[str] | None,
) -> None:  # fmt: skip
    assert evidence(files, path, text)[0] == members


@pytest.mark.parametrize(("files", "path", "text", "keys"), KEYS.values(), ids=KEYS)
def test_keys_of_other_files_are_known(
    evidence: Evidence,
    files: dict[str, str], path: str, text: str, keys: set[str] | None,
) -> None:  # fmt: skip
    assert evidence(files, path, text)[1] == keys


CLASSES = "export class A { part: A; name = 1 }\nexport class B extends A { extra = 1 }\n"
PYTHON = "class A:\n    def name(self): ...\n\nclass B(A):\n    def extra(self): ...\n\ndef f(a: A):\n"
OPEN = {
    "lombok": ("A.java", "import lombok.Data;\n@Data\nclass A {\n  public int x;\n  void f(A a) {\n    a.‸\n  }\n}\n"),
    "any key": ("a.ts", "interface A { x: number; [key: string]: number }\nfunction f(a: A) {\n  a.‸\n}\n"),
    "a namespace": ("a.ts", "class A { x = 1 }\nnamespace A { export const y = 1; }\nA.‸\n"),
    "an extension": ("A.cs", "class A {\n  public int X;\n  void F(A a) {\n    a.‸\n  }\n}\n"),
    "a trait": ("a.rs", "#[derive(Clone)]\nstruct A { x: u8 }\nfn f(a: A) {\n    a.‸\n}\n"),
    "a parameter that is narrowed": (
        "a.ts",
        f"{CLASSES}function f(a: A) {{\n  if (a instanceof B) {{\n    a.‸\n  }}\n}}\n",
    ),
    "a member that is narrowed": (
        "a.ts",
        f"{CLASSES}function f(a: A) {{\n  if (a.part instanceof B) {{\n    a.part.‸\n  }}\n}}\n",
    ),
    "what a key narrows": ("a.ts", f"{CLASSES}function f(a: A) {{\n  if ('extra' in a) {{\n    a.‸\n  }}\n}}\n"),
    "what is narrowed in Python": ("a.py", f"{PYTHON}    if isinstance(a, B):\n        x = a.‸\n"),
}


@pytest.mark.parametrize(("path", "text"), OPEN.values(), ids=OPEN)
def test_objects_that_may_have_other_members_are_not_held_to_those_that_are_written(path: str, text: str) -> None:
    made, byte = opened(text, path)
    _, found = words_evidence(DocumentCaches(words_of), made, place_at(made, byte))
    assert found.scopes is not None
    assert found.scopes.members
    assert found.permitted is None
    assert not found.scopes.has_all_members or found.scopes.object_members is None


@pytest.mark.parametrize("name", ["toString", "hashCode"])
def test_members_of_every_object_can_stand_behind_any(name: str) -> None:
    made, byte = opened(
        f"class A {{\n  public int x;\n  void f(A a, B b) {{\n    b.{name}();\n    a.{name[:2]}‸\n  }}\n}}\n", "A.java"
    )
    found = complete_without_model(DocumentCaches(words_of), made, byte, Cancel())
    assert isinstance(found, Shown)
    assert name in [item.label for item in found.value.items]


USE = "import { Box } from './types';\nfunction f(b: Box) {\n  b.‸\n}\n"


@pytest.mark.parametrize(
    "settings",
    [Settings(index_enabled=False), Settings(exclude=("types.ts",)), Settings(secrets=("types*",))],
    ids=["index off", "excluded", "secret"],
)
def test_files_that_are_not_to_be_read_are_not(evidence: Evidence, settings: Settings) -> None:
    assert evidence({"types.ts": TYPES}, "main.ts", USE)[0] == {"next", "props", "fill"}
    assert evidence({"types.ts": TYPES}, "main.ts", USE, settings)[0] is None


def test_nothing_outside_of_the_project_is_read(tmp_path: Path) -> None:
    (tmp_path / "types.ts").write_text(TYPES, encoding="utf-8")
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "linked.ts").symlink_to(tmp_path / "types.ts")
    (tmp_path / "app" / "folder").symlink_to(tmp_path, target_is_directory=True)
    for module in ("../types", "./linked", "./folder/types"):
        made, byte = opened(USE.replace("./types", module), "main.ts")
        assert known(located(made, tmp_path / "app", "main.ts", ()), byte)[0] is None


def test_no_import_path_of_go_leads_out_of_the_project(tmp_path: Path) -> None:
    for name, content in GO.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, encoding="utf-8")
    (tmp_path / "cmd").mkdir()
    (tmp_path / "cmd" / "go.mod").write_text("module example.com/x\n", encoding="utf-8")
    for path in ("example.com/x/../pkg/store", "../pkg/store"):
        made, byte = opened(f'package main\n\nimport store "{path}"\n\nfunc use() {{\n\tstore.‸\n}}\n', "main.go")
        assert known(located(made, tmp_path / "cmd", "main.go", ()), byte)[0] is None


def test_a_file_is_read_again_when_it_has_changed(tmp_path: Path) -> None:
    made, byte = opened(USE, "main.ts")
    document, file = located(made, tmp_path, "main.ts", ()), tmp_path / "types.ts"
    assert known(document, byte)[0] is None
    file.write_text("export class Box { one = 1 }\n", encoding="utf-8")
    assert known(document, byte)[0] == {"one"}
    file.write_text("export class Box { one = 1; two = 2 }\n", encoding="utf-8")
    assert known(document, byte)[0] == {"one", "two"}
    file.unlink()
    assert known(document, byte)[0] is None


@pytest.mark.parametrize("broken", [b"", b"\xff\xfe\x00", b"export class Box {", b"export class Box { m() { if ("])
def test_broken_files_do_no_harm(tmp_path: Path, broken: bytes) -> None:
    made, byte = opened(USE, "main.ts")
    (tmp_path / "types.ts").write_bytes(broken)
    assert known(located(made, tmp_path, "main.ts", ()), byte)[0] in (None, frozenset(), frozenset({"m"}))


def test_classes_that_inherit_one_another_end(tmp_path: Path) -> None:
    made, byte = opened("import { A } from './a';\nfunction f(a: A) {\n  a.‸\n}\n", "main.ts")
    for one, other in ("ab", "ba"):
        text = f"import {{ {other.upper()} }} from './{other}';\n"
        text += f"export class {one.upper()} extends {other.upper()} {{ {one} = 1 }}\n"
        (tmp_path / f"{one}.ts").write_text(text, encoding="utf-8")
    assert known(located(made, tmp_path, "main.ts", ()), byte)[0] == {"a", "b"}
