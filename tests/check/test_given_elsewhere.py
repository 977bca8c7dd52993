"""A removed name is no leftover where another file, a base class or a header still gives it."""

from __future__ import annotations

import pytest

from tests.check.changes import file, kinds, other

GO = "package g\n\nfunc clean(s string) string { return s }\n\nfunc Run(s string) string { return clean(s) }\n"
GO_CLEAN = "func clean(s string) string { return s }\n"
C = "int clean(int s) { return s; }\n\nint run(int s) { return clean(s); }\n"
C_CLEAN = "int clean(int s) { return s; }\n"
C_SHARP = (
    "namespace N;\nclass Shape { }\n\nclass User {\n    object Run() { return new Shape(); }\n}\n",
    "class Shape { }\n",
)
JAVA = (
    "package p;\n\nclass Shape { }\n\nclass User {\n    Object run() { return new Shape(); }\n}\n",
    "class Shape { }\n",
)


@pytest.mark.parametrize(
    ("text", "moved", "where", "target", "name"),
    [
        (GO, GO_CLEAN, "g/a.go", "g/util.go", "clean"),
        (C, C_CLEAN, "a.c", "util.c", "clean"),
        (*C_SHARP, "A.cs", "Util.cs", "Shape"),
        (*JAVA, "p/User.java", "p/Shape.java", "Shape"),
    ],
)
def test_what_moved_to_a_file_that_is_not_in_the_diff(
    text: str, moved: str, where: str, target: str, name: str
) -> None:
    change = file(text, text.replace(moved, ""), where)
    assert kinds(change) == [("removed-name", name)]
    package = {"g": "package g\n", "p": "package p;\n"}.get(target[0], "")
    assert kinds(change, others=[other(package + moved, target)]) == []
    assert kinds(change, added=[other(package + moved, target)]) == []
    stranger = f"// {name}\n" if name == "clean" else f"class Other {{ int other({name} a) {{ return 1; }} }}\n"
    assert kinds(change, others=[other(package + stranger, target)]) == [("removed-name", name)]


CHILD = "class Child extends Base {\n    int size() { return 1; }\n    int run() { return size(); }\n}\n"
C_SHARP_CHILD = "class Child : Base {\n    int Size() { return 1; }\n    int Run() { return Size(); }\n}\n"
PARTIAL = "partial class Child {\n    int Size() { return 1; }\n    int Run() { return Size(); }\n}\n"
CPP_CHILD = "class Child : public Base {\n    int size() { return 1; }\n    int run() { return size(); }\n};\n"


@pytest.mark.parametrize(
    ("text", "removed", "where", "base"),
    [
        (CHILD, "    int size() { return 1; }\n", "Child.java", " extends Base"),
        (C_SHARP_CHILD, "    int Size() { return 1; }\n", "Child.cs", " : Base"),
        (PARTIAL, "    int Size() { return 1; }\n", "Child.cs", "partial "),
        (CPP_CHILD, "    int size() { return 1; }\n", "child.cpp", " : public Base"),
    ],
)
def test_what_a_base_class_elsewhere_may_give(text: str, removed: str, where: str, base: str) -> None:
    assert kinds(file(text, text.replace(removed, ""), where)) == []
    alone = text.replace(base, "")
    assert [kind for kind, _ in kinds(file(alone, alone.replace(removed, ""), where))] == ["removed-name"]


MACRO = "#define LIMIT 3\nint run(void) { return LIMIT; }\n"


@pytest.mark.parametrize("include", ['#include "limits_of_x.h"\n', "#include <lib/lib.h>\n"])
def test_what_an_included_header_may_declare(include: str) -> None:
    text = f"#include <stdio.h>\n{include}{MACRO}"
    change = file(text, text.replace("#define LIMIT 3\n", ""), "src/a.c")
    assert kinds(change) == []  # the header is not in the project
    gives, none = "EXPAND(LIMIT)\n", "extern int other;\n"
    where = "src/limits_of_x.h" if '"' in include else "include/lib/lib.h"
    assert kinds(change, others=[other(gives, where)]) == []
    assert kinds(change, others=[other(none, where)]) == [("removed-name", "LIMIT")]


def test_standard_headers_declare_no_names_of_the_file() -> None:
    text = f"#include <stdio.h>\n#include <sys/types.h>\n{MACRO}"
    assert kinds(file(text, text.replace("#define LIMIT 3\n", ""), "a.c")) == [("removed-name", "LIMIT")]
    header = other("EXPAND(LIMIT)\n", "a.h")
    assert kinds(file(text, text.replace("#define LIMIT 3\n", ""), "a.c"), others=[header]) == [
        ("removed-name", "LIMIT")
    ]


def test_an_import_of_what_the_package_has_and_a_local_that_shadowed_the_package() -> None:
    java = "package p;\n\nimport p.Shape;\n\nclass User {\n    Shape run() { return null; }\n}\n"
    change = file(java, java.replace("import p.Shape;\n", ""), "src/main/p/User.java")
    assert kinds(change) == [("removed-name", "Shape")]
    assert kinds(change, others=[other("package p;\npublic class Shape { }\n", "src/test/p/Shape.java")]) == []
    go = GO.replace(GO_CLEAN, "").replace(
        "{ return clean", "{\n\tclean := func(s string) string { return s }\n\treturn clean"
    )
    change = file(go, go.replace("\tclean := func(s string) string { return s }\n", ""), "g/a.go")
    assert kinds(change) == [("removed-name", "clean")]
    assert kinds(change, others=[other("package g\n\n" + GO_CLEAN, "g/util.go")]) == []
