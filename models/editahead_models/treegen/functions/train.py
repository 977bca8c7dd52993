"""`editahead-models train functions`: TreeGen on mined functions, for a number of processor minutes.

Adam instead of the paper's Adafactor: the rate rises over the first updates and falls to nothing over the last minutes,
so that a run of any length ends well. A stopped run goes on from its last checkpoint.
"""

from __future__ import annotations

import json
import random
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import torch
import typer
from torch import Tensor
from torch.nn import functional as F

from editahead_models.layers.device import DEVICE_HELP, to_device, training_clock
from editahead_models.recipe import read_recipe
from editahead_models.run_folder import BEST, RunFolder
from editahead_models.subnormals import without_subnormals
from editahead_models.treegen.functions.arrays import PREPARED, Arrays, load_arrays, load_vocabulary
from editahead_models.treegen.network.batches import IGNORED, Batch
from editahead_models.treegen.network.config import TreeGenConfig
from editahead_models.treegen.network.model import TreeGen

_NEVER = -1e9
FAMILY = "treegen"


@dataclass(frozen=True)
class FunctionRecipe:
    """How long and how fast a description model is trained.

    `minutes` of processor time in all, `look` of them between two evaluations; `warm` updates until the full rate,
    which falls to nothing in the last share `cool` of the minutes. A run may go on with other minutes.
    """

    batch: int = 24
    rate: float = 2e-3
    minutes: float = 50.0
    look: float = 5.0
    warm: int = 300
    cool: float = 0.35
    clip: float = 1.0
    seed: int = 1


def likelihood(model: TreeGen, rules: int, batch: Batch) -> Tensor:
    """ln p of every step that is no padding, (N,): as `TreeGen.log_likelihood` of a masked model, but rules come first.

    `rules` is the number of rules of the grammar. Classes that a place cannot have are not computed, which is most of
    the work where the list of terminals is long.
    """
    h_BTD, y_BLD = model(batch.words, batch.rules)
    b, t = torch.nonzero(batch.target_BT != IGNORED, as_tuple=True)
    terminal_N = model.copies_G[batch.rules.tag_BT[b, t]]
    h_ND, tag_N, target_N = h_BTD[b, t], batch.rules.tag_BT[b, t], batch.target_BT[b, t]
    plain = torch.nonzero(~terminal_N)[:, 0]
    logits = F.linear(h_ND[plain], model.classes.weight[:rules], model.classes.bias[:rules])
    fits = model.fits_GC[tag_N[plain], :rules]
    of_rules = -F.cross_entropy(logits.masked_fill(~fits, _NEVER), target_N[plain], reduction="none")
    some = torch.nonzero(terminal_N)[:, 0]
    h_ND, tag_N, target_N, b, t = h_ND[some], tag_N[some], target_N[some], b[some], t[some]
    logits = F.linear(h_ND, model.classes.weight[rules:], model.classes.bias[rules:])
    fits = model.fits_GC[tag_N, rules:]
    empty = ~fits.any(-1)
    gate = model.gate(h_ND)[:, 0]
    listed = F.logsigmoid(gate).masked_fill(empty, _NEVER)
    copied = F.logsigmoid(-gate).masked_fill(empty, 0.0)
    log_NC = torch.log_softmax(logits.masked_fill(~fits, _NEVER), -1)
    known = log_NC.gather(1, (target_N - rules).clamp_min(0)[:, None])[:, 0].masked_fill(target_N < 0, _NEVER)
    score_NL = model.copy_score(torch.tanh(model.copy_step(h_ND)[:, None] + model.copy_word(y_BLD)[b]))[..., 0]
    copy_NL = torch.log_softmax(score_NL.masked_fill(~batch.words.real_BL[b], _NEVER), -1)
    right = torch.logsumexp(copy_NL.masked_fill(~batch.right_BTL[b, t], _NEVER), -1)
    return torch.cat([of_rules, torch.logaddexp(listed + known, copied + right)])


class FunctionRun:
    """A training run in a folder, over what `prepare functions` wrote.

    Raises ValueError for a model that is not masked.
    """

    def __init__(
        self, folder: Path, data: Path, config: TreeGenConfig, recipe: FunctionRecipe, device: str = "cpu"
    ) -> None:
        if not config.masked:
            raise ValueError("only masked models are trained on functions")
        self.folder, self.recipe, self.config = RunFolder(folder), recipe, config
        self.vocabulary = load_vocabulary(data)
        self.rules = len(self.vocabulary.grammar.rules)
        self.train, self.look = load_arrays(data / "train.npz"), load_arrays(data / "look.npz")
        self.device = torch.device(device)
        self.clock = training_clock(self.device)
        torch.manual_seed(recipe.seed)
        self.model = TreeGen(config, self.vocabulary).to(self.device)
        self.optimiser = torch.optim.Adam(self.model.parameters(), lr=recipe.rate, betas=(0.9, 0.98))
        self.state: dict[str, Any] = {"epoch": 0, "group": 0, "step": 0, "seconds": 0.0, "best": 1e9}
        fixed = {key: value for key, value in asdict(recipe).items() if key not in ("minutes", "look", "cool")}
        self.folder.open({
            "family": FAMILY, "model": config.to_json(), "recipe": fixed, "examples": len(self.train),
            "vocabulary": self.vocabulary.to_json(),
            "data": json.loads((data / PREPARED).read_text(encoding="utf-8"))["digest"],
        })  # fmt: skip
        self.state |= self.folder.resume(self.model, self.optimiser)

    def fit(self) -> dict[str, Any]:
        """Train until the minutes are over; returns the last line of the log."""
        recipe, line = self.recipe, dict[str, Any]()
        with without_subnormals():
            while self.state["seconds"] < 60 * recipe.minutes:
                line = self._until_look()
        return line or (self.folder.log() or [{}])[-1]

    def _until_look(self) -> dict[str, Any]:
        state, recipe = self.state, self.recipe
        total, steps, began, start = 0.0, 0, self.clock(), state["seconds"]
        self.model.train()
        until = min(60 * recipe.minutes, start + 60 * recipe.look)
        while state["seconds"] < until:
            groups = list(self.train.groups(recipe.batch, random.Random(f"{recipe.seed}:{state['epoch']}")))
            torch.manual_seed(recipe.seed * 1_000_003 + state["step"])
            for group in groups[state["group"] :]:
                found = self._update(self.train.batch(group))
                total, steps = total - found[0], steps + found[1]
                state["group"], state["step"] = state["group"] + 1, state["step"] + 1
                state["seconds"] = start + self.clock() - began
                if state["seconds"] >= until:
                    break
            else:
                state["epoch"], state["group"] = state["epoch"] + 1, 0
        seen = looks(self.model, self.rules, self.look)
        better = seen["loss"] < state["best"]
        state["best"] = min(seen["loss"], state["best"])
        line = {"epoch": round(state["epoch"] + state["group"] / max(len(groups), 1), 2), "step": state["step"],
                "train": round(total / max(steps, 1), 4), **seen, "minutes": round(state["seconds"] / 60, 2),
                "best": better}  # fmt: skip
        self.folder.save(self.model, self.optimiser, state, line, best=better)
        print(json.dumps(line), flush=True)
        return line

    def _update(self, batch: Batch) -> tuple[float, int]:
        recipe, state = self.recipe, self.state
        done = state["seconds"] / (60 * recipe.minutes)
        for group in self.optimiser.param_groups:
            group["lr"] = recipe.rate * min(1.0, (state["step"] + 1) / recipe.warm, (1.02 - done) / recipe.cool)
        self.optimiser.zero_grad(set_to_none=True)
        found_N = likelihood(self.model, self.rules, to_device(batch, self.device))
        (-found_N.mean()).backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), recipe.clip)
        self.optimiser.step()
        return float(found_N.detach().sum()), len(found_N)


@torch.no_grad()
def looks(model: TreeGen, rules: int, arrays: Arrays, size: int = 48) -> dict[str, float]:
    """The mean of -ln p of a step, and of a whole body. Shapes as in `Arrays`: (N,) and (N, L)."""
    model.eval()
    device = next(model.parameters()).device
    total, steps = 0.0, 0
    for group in arrays.groups(size, random.Random(0)):
        found_N = likelihood(model, rules, to_device(arrays.batch(group), device))
        total, steps = total - float(found_N.sum()), steps + len(found_N)
    return {"loss": round(total / max(steps, 1), 4), "body": round(total / max(len(arrays), 1), 3)}


def main(
    recipe: Annotated[Path, typer.Argument(help="The recipe.")],
    data: Annotated[Path, typer.Option(help="What `prepare functions` wrote.")],
    out: Annotated[Path, typer.Option(help="The run's folder; a run that is there goes on.")],
    device: Annotated[str, typer.Option(help=DEVICE_HELP)] = "cpu",
) -> None:
    """Train TreeGen to write function bodies; the recipe says for how many processor minutes."""
    try:
        read = read_recipe(recipe)
        run = FunctionRun(out, data, TreeGenConfig(**read.model), FunctionRecipe(**read.training), device)
        line = run.fit()
    except (OSError, ValueError, KeyError, TypeError) as error:
        typer.echo(f"{type(error).__name__}: {error}", err=True)
        raise typer.Exit(2) from None
    print(json.dumps({"run": str(out), "weights": BEST, **line}))
