"""The project in which stock clients complete and rename: an emoji before the cursor, and a file that is not open."""

from __future__ import annotations

TEXT = """note = "naïve 🎉"


def total(quantities):
    return len(quantities)


quantities = [total([1])]
print(total([2]))
"""
OTHER = "import orders\n\nprint(orders.total([3]))\n"
