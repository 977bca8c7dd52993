"""Long but realistic source files: one sample module repeated under other nouns, and a session to type."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

SAMPLES = Path(__file__).parent / "samples"
NOUNS = (
    "order", "invoice", "parcel", "ticket", "booking", "account", "device", "sensor", "article", "recipe",
    "player", "lesson", "client", "vehicle", "contract", "message", "channel", "payment", "station", "tenant",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Session:
    """What a person types: `block` into an empty place, then a small edit in each of `repeats` like lines."""

    language_id: str
    suffix: str
    text: str  # the whole file, before the session
    line: int  # zero-based line in the middle of the file where the block is typed
    block: str  # the typed text, with its line ends
    rename: tuple[str, str]  # (old, new) word: the edits after which the next edit is asked
    places: tuple[tuple[int, int], ...]  # zero-based (line, UTF-16 column) of each old word near `line`


@dataclass(frozen=True, slots=True)
class Dialect:
    """The part of a generated file that depends on its language."""

    suffix: str
    header: str
    method: str  # first line of the method above which the block is typed
    block: str
    rename: tuple[str, str]


DIALECTS = {
    "python": Dialect(
        suffix=".py",
        header="import collections\nimport json\nimport logging\nimport os\nimport time\n\n"
        "logger = logging.getLogger(__name__)\n\n\n",
        method="    def find_by_customer(self, customer):",
        block="    def rename(self, order_id, customer):\n"
        "        order = self.orders.get(order_id)\n"
        "        if order is None:\n"
        '            raise OrderError(f"order {order_id} is unknown")\n'
        "        order.customer = customer\n"
        "        for listener in self.listeners:\n"
        '            listener("renamed", order)\n'
        "        return order\n\n",
        rename=("order_id", "order_key"),
    ),
    "java": Dialect(
        suffix=".java",
        header="package shop.store;\n\nimport java.util.ArrayList;\nimport java.util.HashMap;\n"
        "import java.util.List;\nimport java.util.Map;\nimport java.util.Optional;\n"
        "import java.util.function.Consumer;\n\n",
        method="    List<Order> findByCustomer(String customer) {",
        block="    List<Order> findCreatedAfter(long created) {\n"
        "        List<Order> found = new ArrayList<>();\n"
        "        for (Order order : orders.values()) {\n"
        "            if (order.getCreated() > created) {\n"
        "                found.add(order);\n"
        "            }\n"
        "        }\n"
        "        return found;\n"
        "    }\n\n",
        rename=("orderId", "orderKey"),
    ),
    "typescript": Dialect(
        suffix=".ts",
        header='import { readFileSync, writeFileSync } from "fs";\n\n',
        method="  findByCustomer(customer: string): Order[] {",
        block="  findCreatedAfter(created: number): Order[] {\n"
        "    const found: Order[] = [];\n"
        "    for (const order of this.orders.values()) {\n"
        "      if (order.created > created) {\n"
        "        found.push(order);\n"
        "      }\n"
        "    }\n"
        "    return found;\n"
        "  }\n\n",
        rename=("orderId", "orderKey"),
    ),
    "go": Dialect(
        suffix=".go",
        header='package shop\n\nimport (\n\t"errors"\n\t"fmt"\n\t"os"\n\t"strings"\n\t"time"\n)\n\n',
        method="func (store *OrderStore) FindByCustomer(customer string) []*Order {",
        block="func (store *OrderStore) FindCreatedAfter(created time.Time) []*Order {\n"
        "\tfound := make([]*Order, 0)\n"
        "\tfor _, order := range store.orders {\n"
        "\t\tif order.Created.After(created) {\n"
        "\t\t\tfound = append(found, order)\n"
        "\t\t}\n"
        "\t}\n"
        "\treturn found\n"
        "}\n\n",
        rename=("orderID", "orderKey"),
    ),
}


def under_noun(text: str, copy: int) -> str:
    """The sample as if written about the copy-th noun: `Order` and `order` change, the shape stays."""
    noun = NOUNS[copy % len(NOUNS)] + (str(copy // len(NOUNS) + 1) if copy >= len(NOUNS) else "")
    return text.replace("order", noun).replace("Order", noun[0].upper() + noun[1:])


def session(language_id: str, lines: int) -> Session:
    """A valid file of `lines` lines, give or take half a sample, and a session in its middle."""
    dialect = DIALECTS[language_id]
    sample = (SAMPLES / f"{language_id}.txt").read_text(encoding="utf-8")
    copies = max(1, round((lines - dialect.header.count("\n")) / sample.count("\n")))
    text = dialect.header + "".join(under_noun(sample, copy) for copy in range(copies))
    middle = copies // 2
    rows = text.split("\n")
    first = dialect.header.count("\n") + middle * sample.count("\n")
    line = rows.index(under_noun(dialect.method, middle), first)
    old = under_noun(dialect.rename[0], middle)
    block = under_noun(dialect.block, middle)
    # the class above the block is where a person renames: its lines do not move while the block is typed
    near = range(max(0, line - 110), line)
    places = tuple((row, rows[row].index(old)) for row in near if old in rows[row])
    new = under_noun(dialect.rename[1], middle)
    text = "\n".join([*rows[:line], "", *rows[line:]])  # nobody types a method before another one on its line
    return Session(language_id, dialect.suffix, text, line, block, (old, new), places)
