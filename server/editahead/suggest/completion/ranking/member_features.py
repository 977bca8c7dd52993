"""The further features of the ranker of members.

Shapes: N candidates, C and S further features of a candidate and of the position.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from editahead.suggest.completion.ranking.member_evidence import ReceiverUses

Floats = npt.NDArray[np.float32]
CANDIDATE_FEATURES = (
    "own",  # declared by the receiver's class itself
    "inherited",  # ln(1 + steps to the base that declares it)
    "of_object",  # every object has it
    "pair_times",  # ln(1 + uses behind the same receiver in reach)
    "pair_near",  # 1 / (1 + lines to the nearest of them / 4)
    "pair_last",  # the member used last above
    "behind_last",  # share of the uses behind that member
    "declared_next",  # 1 / (1 + members declared between that member and it), 0 before it
    "alike_times",  # ln(1 + uses behind receivers that end with the same word)
    "pair_project",  # share of the uses behind the same receiver in other files
    "project",  # ln(share of the uses behind any receiver in other files), scaled to [0, 1]
    "common_here",  # ln(share of the uses of the module's or class's members in open-source code), scaled to [0, 1]
    "common",  # the same behind any dot
    "called",  # how often it is called, of its uses behind any receiver: -1 never, 1 always, 0 without a use
    "uses",  # ln(1 + uses behind any receiver in reach)
    "same_as_hint",  # the name that the value is given to, but for underscores
    "part_of_hint",  # either begins or ends with the other
    "same_as_function",  # the name of the function around
    "same_as_parameter",  # the name of a parameter of the function around
)
PLACE_FEATURES = (
    "self",  # the object whose method is written
    "one_name",
    "dotted",
    "begins_statement",
    "call_follows",  # behind the cursor stands a bracket
    "assignment_follows",
    "nothing_follows",
    "returned",
    "hint",  # the value is assigned to a name
    "uses",  # ln(1 + uses of members behind the receiver in reach)
    "members",  # ln(1 + members of its class)
    "project_pair",  # other files have the receiver
    "well_known",  # open-source code uses the module or class often
)
_RARE = 1e-5  # the minimum share of a member


class MemberEvidence(NamedTuple):
    """The evidence behind a dot.

    `levels`: of members the steps from the receiver's class to the base that declares them; `object_members`: those of
    every object; `declared`: those of a class of the file in their order; `project`, `anywhere`: shares of the members
    behind the receiver and behind any in other files; `common_here`, `common`: the same in open-source code, by the
    receiver's module or class; `hint`: the name that the value
    is given to, `function` that of the function around, `parameters` those of its parameters, all without underscores
    at their ends; `position`: features (S,).
    """

    levels: Mapping[str, int]
    object_members: frozenset[str]
    declared: tuple[str, ...]
    uses: ReceiverUses
    project: Mapping[str, float]
    anywhere: Mapping[str, float]
    common_here: Mapping[str, float]
    common: Mapping[str, float]
    hint: str
    function: str
    parameters: frozenset[str]
    position: Floats


def member_features(texts: Sequence[str], evidence: MemberEvidence) -> Floats:
    """Features (N, C) of candidates."""
    rows = np.zeros((len(texts), len(CANDIDATE_FEATURES)), np.float32)
    uses, hint = evidence.uses, evidence.hint
    followed = max(1, uses.behind_last.total())
    order = {name: number for number, name in enumerate(evidence.declared)}
    last = order.get(uses.last, len(order))
    for number, text in enumerate(texts):
        level, bare = evidence.levels.get(text), text.strip("_")
        of_all, called = uses.calls.get(text, (0, 0))
        rows[number] = (
            level == 0, math.log1p(level or 0), text in evidence.object_members,
            math.log1p(uses.times[text]),
            1 / (1 + uses.nearest[text] / 4) if text in uses.nearest else 0.0,
            text == uses.last, uses.behind_last[text] / followed,
            1 / (order[text] - last) if order.get(text, -1) > last else 0.0,
            math.log1p(uses.alike[text]), evidence.project.get(text, 0.0),
            _scaled(evidence.anywhere.get(text, 0.0)), _scaled(evidence.common_here.get(text, 0.0)),
            _scaled(evidence.common.get(text, 0.0)),
            2 * called / of_all - 1 if of_all else 0.0, math.log1p(of_all),
            bool(hint) and bare == hint, bool(hint) and bare != hint and _has_common_end(bare, hint),
            bool(bare) and bare == evidence.function, bare in evidence.parameters,
        )  # fmt: skip
    return rows


def _scaled(share: float) -> float:
    """The logarithm of a share, from 0 for a rare member to 1."""
    return 1 + math.log(max(share, _RARE)) / -math.log(_RARE)


def _has_common_end(first: str, second: str) -> bool:
    short, long = sorted((first.lower(), second.lower()), key=len)
    return len(short) > 1 and (long.startswith(short) or long.endswith(short))
