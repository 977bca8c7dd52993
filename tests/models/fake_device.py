"""A device that stands for a GPU on a machine without one: mixing its tensors with others fails, as there.

Its tensors are on the processor and marked by the name of a device that PyTorch keeps for others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import ModuleType
from typing import Any

import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode
from torch.utils._pytree import tree_flatten

NAME = "privateuseone"
DEVICE = torch.device(NAME)
_CPU = torch.device("cpu")
_PACK = "_pack_padded_sequence"  # its second result is on the processor
_PACKED = (_PACK, "_pad_packed_sequence", "lstm", "gru")  # read such sizes
_READ = ("__get__", "__set__", "__repr__", "size", "dim", "numel", "__len__", "shape")


def _register() -> None:
    """What PyTorch asks a device's module for mixed precision and seeds."""
    if not hasattr(torch, NAME):
        module: Any = ModuleType(NAME)
        module.get_amp_supported_dtype = lambda: [torch.bfloat16]
        module._is_in_bad_fork = lambda: False
        module.manual_seed_all = lambda seed: None
        register: Any = torch._register_device_module
        register(NAME, module)


class FakeDevice(TorchFunctionMode):
    """While it is entered, `DEVICE` holds tensors. RuntimeError for a function of tensors of two devices.

    Indices and numbers without dimensions may be on the processor, as PyTorch allows.
    """

    def __init__(self) -> None:
        super().__init__()
        _register()
        self.calls = 0

    def is_marked(self, tensor: Tensor) -> bool:
        """Whether a tensor is on the device."""
        return bool(getattr(tensor, "_is_on_fake_device", False))

    def __torch_function__(
        self, func: Callable[..., Any], types: Iterable[type], args: Any = (), kwargs: Mapping[str, Any] | None = None
    ) -> Any:
        kwargs = dict(kwargs or {})
        name = getattr(func, "__name__", "")
        if func == Tensor.device.__get__:
            return DEVICE if self.is_marked(args[0]) else _CPU
        tensors = list(_tensors((args, kwargs)))
        wanted = _wanted_device(args if name == "to" else (), kwargs)
        if wanted is not None:
            kwargs.pop("device", None)
            args = tuple(_CPU if _is_fake(arg) else arg for arg in args)
        is_index = name in ("__getitem__", "__setitem__")
        mixed = {self.is_marked(tensor) for tensor in tensors if tensor.dim()}
        if len(mixed) > 1 and not is_index and name not in (*_READ, *_PACKED, "copy_", "set_", "to"):
            raise RuntimeError(f"{name or func}: tensors on the fake device and on the processor")
        out = func(*args, **kwargs)
        if tensors and out is tensors[0] and self.is_marked(out) and (name == "cpu" or wanted == _CPU):
            return out.clone()  # a copy elsewhere
        if wanted is not None:
            onto = wanted == DEVICE
        else:
            onto = any(self.is_marked(tensor) for tensor in tensors) and name not in ("cpu", "numpy")
            onto = onto and not (name == "copy_" and not self.is_marked(args[0]))
        self.calls += onto
        for tensor in _tensors(out[:1] if name == _PACK else out):
            if onto:
                vars(tensor)["_is_on_fake_device"] = True
        return out


def _is_fake(value: object) -> bool:
    return isinstance(value, (str, torch.device)) and str(value) == NAME


def _wanted_device(args: Iterable[object], kwargs: Mapping[str, object]) -> torch.device | None:
    for value in (*args, kwargs.get("device")):
        if isinstance(value, torch.device):
            return DEVICE if _is_fake(value) else value
        if isinstance(value, str):
            return torch.device(value)
    return None


def _tensors(value: object) -> Iterator[Tensor]:
    flat, _ = tree_flatten(value)
    return (leaf for leaf in flat if isinstance(leaf, Tensor))
