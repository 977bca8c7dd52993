"""The fast recurrent units give what torch's own give, values and gradients."""

from __future__ import annotations

import torch
from editahead_models.copyspan.network.recurrent import encode_sequences, run_layer
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def test_two_layers_both_ways_equal_torch_on_ragged_sequences() -> None:
    torch.manual_seed(0)
    gru = nn.GRU(3, 4, 2, batch_first=True, bidirectional=True).double()
    x = torch.randn(3, 6, 3, dtype=torch.float64, requires_grad=True)
    lengths = torch.tensor([6, 2, 4])
    valid = (torch.arange(6)[None, :] < lengths[:, None])[..., None]

    packed, final = gru(pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False))
    wanted, _ = pad_packed_sequence(packed, batch_first=True, total_length=6)
    mine, my_final = encode_sequences(gru, x, lengths)
    torch.testing.assert_close(mine * valid, wanted)
    torch.testing.assert_close(my_final, final)

    weight = torch.randn_like(wanted) * valid
    inputs = (x, *gru.parameters())
    for one, two in zip(
        torch.autograd.grad((wanted * weight).sum() + final.sin().sum(), inputs),
        torch.autograd.grad((mine * weight).sum() + my_final.sin().sum(), inputs),
        strict=True,
    ):
        torch.testing.assert_close(one, two)


def test_one_direction_from_a_given_state_equals_torch() -> None:
    torch.manual_seed(1)
    gru = nn.GRU(3, 5, batch_first=True).double()
    x = torch.randn(2, 4, 3, dtype=torch.float64)
    start = torch.randn(1, 2, 5, dtype=torch.float64, requires_grad=True)
    wanted, _ = gru(x, start)
    mine, _ = run_layer(gru, 0, x, start, None)
    torch.testing.assert_close(mine, wanted)
    weight = torch.randn_like(wanted)
    (one,) = torch.autograd.grad((wanted * weight).sum(), start)
    (two,) = torch.autograd.grad((mine * weight).sum(), start)
    torch.testing.assert_close(one, two)
