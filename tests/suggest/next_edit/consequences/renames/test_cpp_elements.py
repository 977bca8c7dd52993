"""A renamed member of C++, «old>new», behind the elements of containers of its class, ‹old>new›."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

HOME = "struct Item {\n  int «name>title»;\n};\nstruct Other {\n  int name;\n};\n"
ELEMENTS = {
    "a vector": (
        "void f(std::vector<Item>& items, std::vector<Other>& others) {\n"
        "  for (auto& x : items) x.‹name>title› = 1;\n  for (auto& y : others) y.name = 1;\n}\n"
    ),
    "an array": "void f() {\n  Item items[3];\n  for (auto& x : items) use(x.‹name>title›);\n}\n",
    "an array of the library": "void f(std::array<Item, 3> items) {\n  for (auto x : items) use(x.‹name>title›);\n}\n",
    "pointers": "void f(std::vector<Item*> items) {\n  for (auto* x : items) use(x->‹name>title›);\n}\n",
    "smart pointers": (
        "void f(std::vector<std::unique_ptr<Item>>& items) {\n  for (auto& x : items) use(x->‹name>title›);\n}\n"
    ),
    "the value of a map": (
        "void f(std::map<int, Item>& items) {\n  for (auto& [k, v] : items) use(v.‹name>title›, k.name);\n}\n"
    ),
    "an element of a map": (
        "void f(std::map<int, Item>& items) {\n  for (auto& x : items) use(x.second.‹name>title›, x.first.name);\n}\n"
    ),
    "a member": (
        "struct Box {\n  std::vector<Item> items;\n"
        "  void f() { for (auto& x : items) use(x.‹name>title›); }\n"
        "  void g() { for (auto& x : this->items) use(x.‹name>title›); }\n};\n"
        "void h(Box& b) { for (auto& x : b.items) use(x.‹name>title›); }\n"
        "void i(Box* b) { for (auto& x : b->items) use(x.‹name>title›); }\n"
    ),
    "the result of a call": "std::vector<Item> all();\nvoid f() { for (auto& x : all()) use(x.‹name>title›); }\n",
    "a pointer to a vector": "void f(std::vector<Item>* items) {\n  for (auto& x : *items) use(x.‹name>title›);\n}\n",
    "a reference, an index and a method": (
        "void f() {\n  std::vector<Item> items;\n  auto& xs = items;\n"
        "  for (auto& x : xs) use(x.‹name>title›, items[0].‹name>title›, items.front().‹name>title›);\n"
        "}\n"
    ),
    "a written type": (
        "void f(std::vector<Item>& items) {\n  for (Item& x : items) use(x.‹name>title›);\n"
        "  for (const Item* x : ptrs) use(x->‹name>title›);\n}\n"
    ),
    "iterators": (
        "void f(std::vector<Item>& items) {\n"
        "  for (auto it = items.begin(); it != items.end(); ++it) use(it->‹name>title›);\n"
        "  std::for_each(items.begin(), items.end(), [](Item& x) { use(x.‹name>title›); });\n}\n"
    ),
    "an element by a method": (
        "void f() {\n  std::vector<Item> items{{1}};\n  const auto& first = items.at(0);\n"
        "  use(first.‹name>title›);\n}\n"
    ),
    "vectors in a map": (
        "void f(std::map<int, std::vector<Item>>& items) {\n  for (auto& [k, v] : items)\n"
        "    for (auto& x : v) use(x.‹name>title›, v.name);\n}\n"
    ),
    "vectors in a vector": (
        "void f(std::vector<std::vector<Item>> items) {\n  for (auto& row : items)\n"
        "    for (auto& x : row) use(x.‹name>title›);\n  use(items[0][1].‹name>title›);\n}\n"
    ),
    "arrays and pointers": (
        "void f(Item* p, Item a[], Item b[2][2], Item** q) {\n"
        "  use(p[0].‹name>title›, a[0].‹name>title›, b[0][1].‹name>title›, "
        "q[0]->‹name>title›, (*p).‹name>title›, p->‹name>title›);\n  Item c[2];\n"
        "  c[1].‹name>title› = 1;\n  Item* d = &c[0];\n  d->‹name>title› = 1;\n"
        "  (*q)->‹name>title›;\n}\n"
    ),
    "constants": (
        "void f(std::vector<const Item*> items, std::vector<Item const&> js, "
        "std::list<std::shared_ptr<const Item>>& ks) {\n"
        "  for (const auto* x : items) use(x->‹name>title›);\n"
        "  for (auto& k : ks) use(k->‹name>title›);\n}\n"
    ),
    "what is found in a map": (
        "void f(std::optional<Item> o, std::map<int, Item>& m) {\n"
        "  if (o) use(o->‹name>title›);\n  auto it = m.find(1);\n"
        "  if (it != m.end()) use(it->second.‹name>title›);\n  auto p = std::make_pair(1, 2);\n"
        "  use(p.second.name);\n}\n"
    ),
    "a method that gives a vector": (
        "class Box {\n public:\n  const std::vector<Item>& items() const { return items_; }\n"
        "  void f() const {\n    for (const auto& x : items_) use(x.‹name>title›);\n"
        "    for (const auto& x : items()) use(x.‹name>title›);\n  }\n private:\n"
        "  std::vector<Item> items_;\n};\nvoid g(const Box& b) {\n"
        "  for (const auto& x : b.items()) use(x.‹name>title›);\n}\n"
    ),
    "references to elements": (
        "void f(std::vector<Item>& items, Item a[3], Other& o) {\n  auto& x = items[0];\n"
        "  x.‹name>title› = 1;\n  auto& y = a[1];\n  y.‹name>title› = 1;\n  auto& z = o[0];\n"
        "  z.name = 1;\n}\n"
    ),
}
OTHERS = {
    "a class with elements of another": (
        "struct Items {\n  int name;\n  Other* begin();\n};\nvoid f(Items& items) {\n"
        "  for (auto& x : items) x.name = 1;\n}\n"
    ),
    "a template of the file": (
        "template <class T> struct vector {\n  Other* begin();\n};\n"
        "void f(vector<Item>& items) {\n  for (auto& x : items) x.name = 1;\n}\n"
    ),
    "pairs": (
        "void f(std::vector<std::pair<int, Item>>& items) {\n"
        "  for (auto& [k, v] : items) use(v.name);\n  for (auto& x : items) use(x.name);\n}\n"
    ),
    "a variable that hides the element": (
        "void f(std::vector<Item>& items) {\n  for (auto& x : items) {\n"
        "    use(x.‹name>title›);\n    Other x;\n    use(x.name);\n  }\n}\n"
    ),
    "a variable that hides the vector": (
        "void f(std::vector<Item>& items) {\n  std::vector<Other> items;\n  for (auto& x : items) use(x.name);\n}\n"
    ),
    "keys of a map": (
        "void f(std::map<Item, Other>& items) {\n  for (auto& [k, v] : items) use(v.name);\n"
        "  for (auto& x : items) use(x.second.name);\n}\n"
    ),
    "a member of another class": "struct P { Other second; };\nvoid f(P p) { use(p.second.name); }\n",
}


@pytest.mark.parametrize("text", ELEMENTS.values(), ids=ELEMENTS)
def test_members_of_elements_follow(text: str) -> None:
    assert_follows({"file:///w/a.cpp": HOME + text})


@pytest.mark.parametrize("text", OTHERS.values(), ids=OTHERS)
def test_members_of_others_stay(text: str) -> None:
    assert_follows({"file:///w/a.cpp": HOME + text})


@pytest.mark.parametrize("name", ["a vector", "the value of a map"])
def test_members_in_other_files_follow(name: str) -> None:
    home = HOME.partition("struct Other")[0]
    assert_follows({"file:///w/a.hpp": home, "file:///w/a.cpp": '#include "a.hpp"\n' + ELEMENTS[name]})
