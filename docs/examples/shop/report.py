"""Reports about orders, as text."""


def title(order):
    return f"{order.customer}: {order.gross_total():.2f}"


def summary(order):
    lines = [title(order)]
    for item in order.items:
        lines.append(f"  {item.count} x {item.name}")
    return "\n".join(lines)


def largest(orders):
    return max(orders, key=lambda order: order.gross_total())


def turnover(orders):
    return sum(order.gross_total() for order in orders)
