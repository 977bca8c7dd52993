"""Figures of generated programs: StrAcc, Acc+ and BLEU (section 3.1, after Ling et al. and Yin and Neubig).

A prediction that cannot be printed as Python is wrong everywhere.
"""

from __future__ import annotations

import ast
import io
import math
import re
import tokenize
from collections import Counter
from collections.abc import Sequence

_LAYOUT = {tokenize.NL, tokenize.COMMENT, tokenize.ENCODING}
_BORDER = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_PIECE = re.compile(r"\w+|[^\w\s]")


def canonical(source: str) -> str:
    """A program as one printer writes it. SyntaxError when it is none."""
    return ast.unparse(ast.parse(source))


def tokens(source: str) -> list[str]:
    """Python's own tokens; line ends and indents are tokens too."""
    rows = tokenize.generate_tokens(io.StringIO(source).readline)
    return [t.string if t.string.strip() else tokenize.tok_name[t.type] for t in rows if t.type not in _LAYOUT]


def string_equal(predicted: str, gold: str) -> bool:
    """StrAcc: both printed by one printer, then token by token; layout and quotes do not count."""
    try:
        return tokens(canonical(predicted)) == tokens(canonical(gold))
    except (SyntaxError, ValueError, tokenize.TokenError):
        return False


def renamed_equal(predicted: str, gold: str) -> bool:
    """Acc+, done by rule: equal after a consistent renaming of parameters and local variables in their functions."""
    try:
        return _renamed(predicted) == _renamed(gold)
    except (SyntaxError, ValueError):
        return False


def _renamed(source: str) -> str:
    tree = ast.parse(source)
    _rename(tree, {})
    return ast.dump(tree)


def _rename(node: ast.AST, names: dict[str, str]) -> None:
    """Give every local name of a function a number, in order of appearance; inner functions see the outer ones."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            inner = dict(names)
            for number, name in enumerate(_locals(child)):
                inner[name] = f"local {len(names)} {number}"
            for arg in ast.walk(child.args):
                if isinstance(arg, ast.arg):
                    arg.arg = inner.get(arg.arg, arg.arg)
            _rename(child, inner)
        else:
            if isinstance(child, ast.Name):
                child.id = names.get(child.id, child.id)
            _rename(child, names)


def _locals(function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[str]:
    """Parameters, then names that are stored to; names declared global or nonlocal are none."""
    arguments = [arg.arg for arg in ast.walk(function.args) if isinstance(arg, ast.arg)]
    stored, outside = [], set[str]()
    todo: list[ast.AST] = list(function.body) if isinstance(function.body, list) else [function.body]
    while todo:
        node = todo.pop(0)
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            outside |= set(node.names)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            stored.append(node.id)
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            todo += ast.iter_child_nodes(node)
    return [name for name in dict.fromkeys([*arguments, *stored]) if name not in outside]


def pieces(source: str) -> list[str]:
    """Tokens of BLEU: split at what is no letter and inside CamelCase, all quotes equal."""
    return _PIECE.findall(_BORDER.sub(" ", source.replace('"', "'")))


def _ngrams(row: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(row[i : i + n]) for i in range(len(row) - n + 1))


def bleu(pairs: Sequence[tuple[str, str]], smooth: bool = False) -> float:
    """Corpus BLEU-4 of (predicted, gold), in [0, 1]; `smooth` adds one to the counts above single words."""
    hits, counts, length, reference = [0] * 4, [0] * 4, 0, 0
    for predicted, gold in pairs:
        ours, theirs = pieces(predicted), pieces(gold)
        length, reference = length + len(ours), reference + len(theirs)
        for n in range(4):
            found = _ngrams(ours, n + 1)
            counts[n] += sum(found.values())
            hits[n] += sum((found & _ngrams(theirs, n + 1)).values())
    extra = [0, 1, 1, 1] if smooth else [0] * 4
    if not length or any(hits[n] + extra[n] == 0 for n in range(4)):
        return 0.0
    logs = sum(math.log((hits[n] + extra[n]) / (counts[n] + extra[n])) for n in range(4)) / 4
    return math.exp(min(0.0, 1 - reference / length) + logs)


def sentence_bleu(pairs: Sequence[tuple[str, str]]) -> float:
    """The mean over programs of each one's BLEU-4."""
    return sum(bleu([pair], smooth=True) for pair in pairs) / max(len(pairs), 1)
