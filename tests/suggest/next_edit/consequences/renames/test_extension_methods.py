"""Renamed extension methods of C#, «old>new», with their calls behind objects of the extended type, ‹old>new›."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

CALLS = {
    "in the file": {
        "A.cs": (
            "public class Order { public int Id; }\npublic class Other { public void Ship() {} }\n"
            "public static class Orders {\n"
            "  public static void «Ship>Send»(this Order o, int days) { }\n}\nclass A {\n"
            "  void F(Order order, Other other) {\n    order.‹Ship>Send›(1);\n    other.Ship();\n"
            "    Orders.‹Ship>Send›(order, 1);\n    new Order().‹Ship>Send›(2);\n"
            "    order?.‹Ship>Send›(2);\n    unknown.Ship(1);\n  }\n}\n"
        )
    },
    "in another file": {
        "Orders.cs": (
            "public class Order { public int Id; }\npublic class Other { public void Ship() {} }\n"
            "public static class Orders {\n"
            "  public static void «Ship>Send»(this Order o, int days) { }\n}\n"
        ),
        "B.cs": (
            "class A {\n  void F(Order order, Other other) {\n    order.‹Ship>Send›(1);\n"
            "    other.Ship();\n    Orders.‹Ship>Send›(order, 1);\n  }\n}\n"
        ),
    },
    "a class of a third file": {
        "Orders.cs": (
            "public static class Orders {\n  public static void «Ship>Send»(this Order o, int days) { }\n}\n"
        ),
        "Order.cs": "public class Order { public int Id; }\npublic class Other { public int Id; }\n",
        "B.cs": (
            "class A {\n  void F(Order order, Other other) {\n    order.‹Ship>Send›(1);\n"
            "    other.Ship();\n    Orders.‹Ship>Send›(order, 1);\n  }\n}\n"
        ),
    },
    "elements of a sequence": {
        "A.cs": (
            "public class Order { public int Id; }\npublic class Other { public void Ship() {} }\n"
            "public static class Orders {\n"
            "  public static Order «Ship>Send»(this Order o) { return o; }\n}\nclass A {\n"
            "  void F(List<Order> orders) {\n    orders.Select(o => o.‹Ship>Send›());\n"
            "    orders.First().‹Ship>Send›().‹Ship>Send›();\n"
            "    foreach (var o in orders) o.‹Ship>Send›();\n  }\n}\n"
        )
    },
    "a derived class": {
        "A.cs": (
            "public class Order { public int Id; }\npublic class Other { public void Ship() {} }\n"
            "class Big : Order {}\npublic static class Orders {\n"
            "  public static void «Ship>Send»(this Order o, int days) { }\n}\nclass A {\n"
            "  void F(Big a) {\n    a.‹Ship>Send›(1);\n  }\n}\n"
        )
    },
    "a generic type": {
        "A.cs": (
            "public static class Q {\n"
            "  public static IQueryable<Order> «Open>Pending»(this IQueryable<Order> q) { return q; }\n"
            "}\nclass A {\n  void F(IQueryable<Order> a, IQueryable<Other> b) {\n"
            "    a.‹Open>Pending›().Where(o => o.Id > 1).‹Open>Pending›();\n    b.Open();\n  }\n}\n"
        )
    },
    "another namespace": {
        "x/A.cs": (
            "namespace App.x;\npublic class Order { public int Id; }\n"
            "public class Other { public void Ship() {} }\npublic static class Orders {\n"
            "  public static void «Ship>Send»(this Order o, int days) { }\n}\n"
        ),
        "y/B.cs": "using App.x;\nclass A {\n  void F(Order order) {\n    order.‹Ship>Send›(1);\n  }\n}\n",
        "z/C.cs": "using App.q;\nclass A {\n  void F(Order order) {\n    order.Ship(1);\n  }\n}\n",
    },
    "fields, properties and results": {
        "A.cs": (
            "public class Order { public int Id; }\npublic class Other { public void Ship() {} }\n"
            "public static class Orders {\n"
            "  public static void «Ship>Send»(this Order o, int days) { }\n}\nclass A {\n"
            "  private readonly Order _order;\n  public Order Last { get; set; }\n"
            "  async Task<Order> G() { return null; }\n  async Task F(Task<Order> t) {\n"
            "    _order.‹Ship>Send›(1);\n    Last.‹Ship>Send›(1);\n    Last?.‹Ship>Send›(1);\n"
            "    (await G()).‹Ship>Send›(2);\n    var o = await t;\n    o.‹Ship>Send›(1);\n  }\n}\n"
        )
    },
    "sequences of a class": {
        "A.cs": (
            "public class Order {}\npublic static class Q {\n"
            "  public static IEnumerable<Order> «Open>Pending»(this IEnumerable<Order> q) { return q; }\n"
            "}\nclass A {\n  void F(List<Order> a, List<Other> b, Order[] c) {\n"
            "    a.Where(o => o.Id > 1).‹Open>Pending›().ToList().‹Open>Pending›();\n    b.Open();\n"
            "    c.Open();\n  }\n}\n"
        )
    },
    "sequences of any class": {
        "A.cs": (
            "public static class Q {\n"
            "  public static IEnumerable<T> «Every>Each»<T>(this IEnumerable<T> q, int n) { return q; }\n"
            "}\nclass A {\n  void F(List<Order> a, Other b) {\n    a.‹Every>Each›(1);\n"
            "    b.Every();\n  }\n}\n"
        )
    },
}
OTHERS = {
    "a method of the class": {
        "A.cs": (
            "public class Order { public void Ship(int n) {} }\npublic static class Orders {\n"
            "  public static void «Ship>Send»(this Order o, int days) { }\n}\nclass A {\n"
            "  void F(Order order) {\n    order.Ship(1);\n    Orders.‹Ship>Send›(order, 1);\n  }\n}\n"
        )
    },
    "a method of another class": {
        "A.cs": (
            "public class Order { public int Id; }\npublic class Other { public void Ship() {} }\n"
            "public static class Orders {\n"
            "  public static void «Ship>Send»(this Order o, int days) { }\n}\nclass A {\n"
            "  void F(Other a, Cart b, object c) {\n    a.Ship();\n    b.Ship(1);\n    c.Ship(1);\n"
            "  }\n}\n"
        )
    },
    "an extension of another class": {
        "A.cs": (
            "public class Order { public int Id; }\npublic class Other { public void Ship() {} }\n"
            "public static class Orders {\n  public static void «Ship>Send»(this Order o) { }\n}\n"
            "public static class Carts {\n  public static void Ship(this Cart o) { }\n}\nclass A {\n"
            "  void F(Order a, Cart b) {\n    a.‹Ship>Send›();\n    b.Ship();\n  }\n}\n"
        )
    },
    "a parameter that hides a field": {
        "A.cs": (
            "public class Order { public int Id; }\npublic class Other { public void Ship() {} }\n"
            "public static class Orders {\n"
            "  public static void «Ship>Send»(this Order o, int days) { }\n}\nclass A {\n  Order a;\n"
            "  void F(Other a) {\n    a.Ship();\n    this.a.‹Ship>Send›(1);\n  }\n}\n"
        )
    },
    "another class of that name": {
        "A.cs": (
            "public class Order { public int Id; }\npublic class Other { public void Ship() {} }\n"
            "public static class Orders {\n"
            "  public static void «Ship>Send»(this Order o, int days) { }\n}\n"
        ),
        "y/B.cs": ("namespace Y;\nclass Order {}\nclass A {\n  void F(Order order) {\n    order.Ship(1);\n  }\n}\n"),
    },
    "a static method": {
        "A.cs": (
            "public class Order { public int Id; }\npublic class Other { public void Ship() {} }\n"
            "public static class Orders {\n  public static void «Ship>Send»(Order o) { }\n}\n"
            "class A {\n  void F(Order a) {\n    a.Ship();\n    Orders.‹Ship>Send›(a);\n  }\n}\n"
        )
    },
}


@pytest.mark.parametrize("files", CALLS.values(), ids=CALLS)
def test_calls_of_extension_methods_follow(files: dict[str, str]) -> None:
    assert_follows({f"file:///w/{name}": text for name, text in files.items()})


@pytest.mark.parametrize("files", OTHERS.values(), ids=OTHERS)
def test_calls_of_other_methods_stay(files: dict[str, str]) -> None:
    assert_follows({f"file:///w/{name}": text for name, text in files.items()})


def test_a_method_of_the_class_in_another_file_goes_before_an_extension() -> None:
    assert_follows({
        "file:///w/X.cs": "public static class X {\n  public static void «Ship>Send»(this Order o) { }\n}\n",
        "file:///w/Order.cs": "public class Order {\n  public void Ship() { }\n}\n",
        "file:///w/A.cs": "class A {\n  void F(Order o) {\n    o.Ship();\n  }\n}\n",
    })  # fmt: skip
