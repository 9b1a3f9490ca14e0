"""The layers of a network, as far as tags tell, in the order of their depth."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

import numpy as np

from tuimon.analysis.keytags import natural
from tuimon.rules.kinds import Kind, Tensor, names, tensor_of, words
from tuimon.rules.levels import median
from tuimon.rules.views import RunView

_ASIDE = names("total all global bias biases bn norm ln layernorm batchnorm embedding embeddings embed wte wpe")


def layer_gradients(run: RunView) -> tuple[Sequence[str], Sequence[float]]:
    """Tags and sizes of the gradients of weights of layers that are numbered alike, the layer at the input first."""
    found: dict[str, list[tuple[str, float]]] = {}
    for view in run.histograms.values():
        if len(view) and tensor_of(view.tag) is Tensor.GRADIENT and _numbered(view.tag):
            sizes = view.std[-3:]
            sizes = sizes[np.isfinite(sizes)]
            if len(sizes):
                found.setdefault(_pattern(view.tag), []).append((view.tag, median(sizes)))
    for series in run.of(Kind.GRADIENT):
        if len(series) >= 3 and _numbered(series.tag) and _is_weight(series.tag):
            found.setdefault(_pattern(series.tag), []).append((series.tag, median(series.mid[-5:])))
    if not found:
        return (), ()
    layers = sorted(found[max(found, key=lambda name: len(found[name]))], key=lambda pair: natural(pair[0]))
    return [tag for tag, _ in layers], [size for _, size in layers]


@functools.lru_cache(maxsize=4096)
def _is_weight(tag: str) -> bool:
    return not _ASIDE & set(words(tag)) - {"norm"}


@functools.lru_cache(maxsize=4096)
def _numbered(tag: str) -> bool:
    return re.search(r"\d", tag) is not None


@functools.lru_cache(maxsize=4096)
def _pattern(tag: str) -> str:
    """The tag without its first number: what layers of one kind have in common."""
    return re.sub(r"\d+", "#", tag, count=1)
