"""Greedy decoding of a span-copying model, as the comparison for the search over beams."""

from __future__ import annotations

from editahead.runtime.span_copying.model import Rewrite
from editahead.runtime.span_copying.tree import DEFAULT_LIMITS, OutputTree, SearchInput, SpanDecoder, SpanLimits


def greedy(
    stepper: SpanDecoder, task: SearchInput, limits: SpanLimits = DEFAULT_LIMITS
) -> tuple[Rewrite | None, list[int]]:
    """Decode greedily: return the output of the best action at each step, and the lengths of copied spans.

    The output is None where it does not end.
    """
    tree = OutputTree(stepper, task, limits)
    node, logp, spans, actions = tree.root, 0.0, list[int](), 0
    most = len(task.texts) + limits.longer
    while node.length <= most:
        if node.text == task.end and node.parent is not None:
            return Rewrite(node.texts()[:-1], logp, actions), spans
        tree.compute([node])
        (text, number, gen), (span, numbers, copied) = tree.best(node)
        texts, chosen = ((text,), (number,)) if gen >= copied else (span, numbers)
        if gen < copied:
            spans.append(len(span))
        logp, actions = logp + max(gen, copied), actions + 1
        node = tree.walk(node, texts, chosen)
    return None, spans
