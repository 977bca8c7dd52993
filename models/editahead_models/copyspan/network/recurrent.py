"""Gated recurrent units for training on a processor: the arithmetic of `torch.nn.GRU`, two to three times faster.

Both directions of a layer run in one batched product a step, and the gradients of the weights are one product for the
whole sequence. The parameters stay those of a `torch.nn.GRU`, which exports to ONNX.

T steps, G directions, B sequences, I inputs, H hidden; gates in the order reset, update, new.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn


class _Sequence(torch.autograd.Function):
    """States (T, G, B, H) of a recurrent layer.

    From gate inputs x (T, G, B, 3H), a start h (G, B, H), weights W (G, H, 3H) and bias (G, 1, 3H) of the recurrent
    part.
    """

    @staticmethod
    def forward(ctx: Any, x: Tensor, h: Tensor, W: Tensor, bias: Tensor) -> Tensor:
        T, H = x.shape[0], h.shape[-1]
        states = x.new_empty(T + 1, *h.shape)
        states[0] = h
        gates = x.new_empty(T, *h.shape[:-1], 2 * H)
        new, inner = x.new_empty(T, *h.shape), x.new_empty(T, *h.shape)
        for t in range(T):
            recurrent = torch.baddbmm(bias, states[t], W)
            torch.add(x[t, ..., : 2 * H], recurrent[..., : 2 * H], out=gates[t]).sigmoid_()
            inner[t] = recurrent[..., 2 * H :]
            torch.addcmul(x[t, ..., 2 * H :], gates[t, ..., :H], inner[t], out=new[t]).tanh_()
            torch.lerp(new[t], states[t], gates[t, ..., H:], out=states[t + 1])
        ctx.save_for_backward(states, gates, new, inner, W)
        return states[1:].clone()

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        (grad,) = grads
        states, gates, new, inner, W = ctx.saved_tensors
        T, H = new.shape[0], new.shape[-1]
        reset, update = gates[..., :H], gates[..., H:]
        to_new = (1 - update) * (1 - new * new)
        to_update = (states[:-1] - new) * update * (1 - update)
        to_reset = inner * reset * (1 - reset)
        back = W.transpose(1, 2).contiguous()
        d_x, d_recurrent = torch.empty_like(new.repeat(1, 1, 1, 3)), torch.empty_like(new.repeat(1, 1, 1, 3))
        d_h = torch.zeros_like(new[0])
        for t in range(T - 1, -1, -1):
            d_h = d_h + grad[t]
            step, d_new = d_recurrent[t], d_x[t, ..., 2 * H :]
            torch.mul(d_h, to_new[t], out=d_new)
            torch.mul(d_new, to_reset[t], out=step[..., :H])
            torch.mul(d_h, to_update[t], out=step[..., H : 2 * H])
            torch.mul(d_new, reset[t], out=step[..., 2 * H :])
            d_h = torch.baddbmm(d_h * update[t], step, back)
        d_x[..., : 2 * H] = d_recurrent[..., : 2 * H]
        G, B = new.shape[1:3]
        flat = d_recurrent.transpose(0, 1).reshape(G, T * B, 3 * H)
        before = states[:-1].transpose(0, 1).reshape(G, T * B, H)
        return d_x, d_h, before.transpose(1, 2) @ flat, flat.sum(1, keepdim=True)


def run_layer(gru: nn.GRU, layer: int, x_BTI: Tensor, h_GBH: Tensor, lengths_B: Tensor | None) -> tuple[Tensor, Tensor]:
    """One layer: outputs (B, T, G * H) and the final states (G, B, H) at the given lengths (all of T when None).

    What stands behind a sequence's end is without meaning.
    """
    names = [f"l{layer}", f"l{layer}_reverse"] if gru.bidirectional else [f"l{layer}"]
    weights = [{part: getattr(gru, f"{part}_{name}") for part in _PARTS} for name in names]
    W = torch.stack([each["weight_hh"].t() for each in weights])
    bias = torch.stack([each["bias_hh"][None] for each in weights])
    B, T, _ = x_BTI.shape
    turned = _turned(lengths_B, T, x_BTI.device) if lengths_B is not None else None
    inputs = []
    for number, each in enumerate(weights):
        gates = nn.functional.linear(x_BTI, each["weight_ih"], each["bias_ih"])
        inputs.append(_gathered(gates, turned) if number else gates)
    states = _Sequence.apply(torch.stack([each.transpose(0, 1) for each in inputs], 1), h_GBH, W, bias)
    final = states[-1]
    if lengths_B is not None:
        final = states[lengths_B - 1, :, torch.arange(B, device=x_BTI.device)].transpose(0, 1)
    outputs = [states[:, number].transpose(0, 1) for number in range(len(names))]
    if len(outputs) == 2:
        outputs[1] = _gathered(outputs[1], turned)
    return torch.cat(outputs, -1), final


_PARTS = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")


def _turned(lengths_B: Tensor, T: int, device: torch.device) -> Tensor:
    """Positions (B, T) that turn each sequence round in place; its own inverse."""
    steps = torch.arange(T, device=device)[None, :]
    return torch.where(steps < lengths_B[:, None], lengths_B[:, None] - 1 - steps, steps)


def _gathered(x_BTI: Tensor, index_BT: Tensor | None) -> Tensor:
    if index_BT is None:
        return x_BTI.flip(1)
    return x_BTI.gather(1, index_BT[:, :, None].expand(-1, -1, x_BTI.shape[-1]))


def encode_sequences(gru: nn.GRU, x_BTI: Tensor, lengths_B: Tensor) -> tuple[Tensor, Tensor]:
    """What `gru` gives on packed sequences: outputs (B, T, 2H), and final states (layers * 2, B, H)."""
    finals = []
    for layer in range(gru.num_layers):
        start = x_BTI.new_zeros(2, x_BTI.shape[0], gru.hidden_size)
        x_BTI, final = run_layer(gru, layer, x_BTI, start, lengths_B)
        finals.append(final)
        if layer + 1 < gru.num_layers:
            x_BTI = nn.functional.dropout(x_BTI, gru.dropout, gru.training)
    return x_BTI, torch.cat(finals)
