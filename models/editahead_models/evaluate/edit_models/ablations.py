"""`editahead-models evaluate parts`: the search for the next hunk with one part left out, on the same dev changes.

Each search is calibrated for itself, on the other half of the projects, so that none has the weights of another.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from editahead.runtime.bundle import load_bundle
from editahead.runtime.edit_model.model import EditModel
from editahead.runtime.edit_model.states import DecoderState
from editahead.runtime.ort import select_providers
from editahead.suggest.next_edit.rollout.edit_programs import Program
from editahead.suggest.next_edit.rollout.hunk_search import Proposal, RollOut

from editahead_models.evaluate.edit_models.hunk_fit import crossed
from editahead_models.evaluate.edit_models.hunks import Search, cases, load_shards_of, roll_out


class _WithoutReplay(RollOut):
    """No hunk is proposed because an earlier one would fit."""

    def _fitting(self, name: int) -> Program | None:
        return None


def without_replay(model: EditModel, decoder: DecoderState) -> list[Proposal]:
    """The model's own steps alone; nothing is proposed from repeated structure."""
    return _WithoutReplay(model, decoder).proposals()


def one_step(model: EditModel, decoder: DecoderState) -> list[Proposal]:
    """Hunks of one token edit alone, as the published model predicts them: no rounds, no stop."""
    return [proposal for proposal in roll_out(model, decoder) if len(proposal.edits) == 1]


SEARCHES: dict[str, Search] = {
    "whole hunks, with a learnt stop and candidates from repeated structure": roll_out,
    "without candidates from repeated structure": without_replay,
    "one token edit, no rounds and no stop": one_step,
}


def main(
    bundle: Annotated[Path, typer.Argument(help="A bundle of edits.")],
    data: Annotated[Path, typer.Option(help="What `mine --mirror` wrote.")],
    out: Annotated[Path, typer.Option(help="The file of figures to write.")],
    count: Annotated[int, typer.Option(help="Dev changes to roll out.")] = 600,
) -> None:
    """What the rounds to a whole hunk and the candidates from repeated structure are worth, each alone."""
    from rich.progress import track

    loaded = load_bundle(bundle)
    model = EditModel(loaded, select_providers("cpu"))
    shards, texts = load_shards_of(data / "dev")
    found: dict[str, Any] = {"bundle": loaded.manifest.name, "count": count, "projects": len(shards), "searches": {}}
    for name, search in SEARCHES.items():
        rolled = cases(model, shards, texts, count=count, seed=300, search=search)
        made = list(track(rolled, total=count, description=name.split(",")[0], transient=True))
        found["searches"][name] = {key: round(value, 4) for key, value in crossed(made).items()}
        out.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(found, indent=1))
