"""What the name of a tensor's tag says: of which layer it is, and whether it is of gradients, of weights, or a norm.

Programs name the gradients of one layer in many ways: "gradients/fc", "fc.weight.grad", "grads/fc.weight",
"dense/kernel_0_grad", "linear_0.w_0@GRAD". What is left without the words for gradients and weights is the layer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

_GRADIENT = frozenset({"grad", "grads", "gradient", "gradients"})
_WEIGHT = frozenset({"weight", "weights", "param", "params", "parameter", "parameters", "variable", "variables"})
_FORM = frozenset({"hist", "histogram", "histograms", "distribution", "distributions"})
_NORM = frozenset({"norm", "norms", "l2norm", "gradnorm"})
_WHOLE = frozenset({"total", "global", "all", "clip", "clipped"})
_PARAMETERS = {
    "weights": "weight", "weight": "weight", "w": "weight", "kernel": "weight", "bias": "bias", "biases": "bias",
    "b": "bias", "gamma": "gamma", "beta": "beta", "embedding": "embedding", "embeddings": "embedding",
}  # fmt: skip
_KIND_OF_NORM = re.compile(r"(?i)(grad(?:ient)?)_(?:\d+(?:\.\d+)?|inf|l[12])_norm")
"""Lightning's "grad_2.0_norm/layer"."""


class TensorName(NamedTuple):
    """What a tag says.

    Attributes:
        layer: The words of the layer and its parameter; gradients and weights of one parameter have the same. Empty
            where no layer is named.
        gradient: Whether it is of gradients.
        norm: Whether it is the norm of a layer's gradients or weights.
        parameter: "weight", "bias"…, where it is named.
    """

    layer: tuple[str, ...]
    gradient: bool = False
    norm: bool = False
    parameter: str = ""


@lru_cache(maxsize=65536)
def tensor_name(tag: str) -> TensorName:
    """Read a tag."""
    plain = _KIND_OF_NORM.sub(r"\1_norm", tag)
    plain = re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", "_", plain)
    words = [word for word in re.split(r"[^0-9a-z]+", plain.lower()) if word]
    gradient = any(word in _GRADIENT or word == "gradnorm" for word in words)
    weight = any(word in _WEIGHT for word in words)
    norm = (gradient or weight) and _is_norm([word for word in words if word not in _FORM])
    left_out = _GRADIENT | _WEIGHT | _FORM | (_NORM | {"l2"} if norm else frozenset())
    layer = tuple(word for word in words if word not in left_out)
    if norm and (not layer or not _WHOLE.isdisjoint(layer)):
        return TensorName((), gradient)
    parameter = next((_PARAMETERS[word] for word in reversed(words) if word in _PARAMETERS), "")
    return TensorName(layer, gradient, norm, parameter)


def _is_norm(words: Sequence[str]) -> bool:
    """Whether these words name a norm, as in "grad_norm/fc" and "fc.weight.norm", and not a LayerNorm."""
    before = _GRADIENT | _WEIGHT | {"l1", "l2"}
    return any(
        word in _NORM and (at == len(words) - 1 or word != "norm" or (at > 0 and words[at - 1] in before))
        for at, word in enumerate(words)
    )
