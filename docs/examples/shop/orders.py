"""Orders of a small shop."""

from dataclasses import dataclass, field

VAT = 0.2


@dataclass
class Item:
    name: str
    price: float
    count: int = 1


@dataclass
class Order:
    customer: str
    items: list[Item] = field(default_factory=list)

    def add(self, item):
        self.items.append(item)

    def net_total(self):
        return sum(item.price * item.count for item in self.items)

    def gross_total(self):
        return self.net_total() * (1 + VAT)

    def names(self):
        return [item.name for item in self.
