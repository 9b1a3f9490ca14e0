"""Many-dimensional vectors in a plane, and which vectors lie near each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Metric: TypeAlias = Literal["cosine", "euclid"]

EXACT = 1_500
"""Up to so many dimensions or vectors, whichever is less, the components are exact; that takes about a second."""
TSNE_MOST = 5_000
"""Vectors that t-SNE is given at most; more would take minutes."""
_SEED = 0
_OVERSAMPLES = 30
_ROUNDS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Projection:
    """Points for vectors.

    Attributes:
        points: (vectors, axes).
        shares: Of each axis the part of the variance that it explains; empty where that has no meaning.
        exact: Whether it is computed without approximation.
        rows: Which vectors the points are of, ascending.
    """

    points: Floats
    shares: Floats
    exact: bool
    rows: NDArray[np.intp]


class Neighbour(NamedTuple):
    """A vector near another one."""

    row: int
    distance: float


def pca(vectors: Floats, axes: int = 3) -> Projection:
    """Principal components: the directions of the greatest variance, by a singular value decomposition.

    Large matrices are decomposed by the randomised method of Halko, Martinsson and Tropp, "Finding structure with
    randomness" (2011), with a fixed seed, and are said not to be exact. Of each axis the vector with the largest entry
    points to the positive side, so that the picture does not flip between two steps.

    Args:
        vectors: (vectors, dimensions), finite.
        axes: How many components at most.
    """
    count, width = vectors.shape
    centred = vectors - vectors.mean(axis=0) if count else vectors
    exact = min(count, width) <= EXACT
    axes = min(axes, count, width)
    if not axes:
        return Projection(np.zeros((count, 0)), np.empty(0), True, np.arange(count))
    left, sizes, right = _decomposed(centred, axes) if exact else _roughly_decomposed(centred, axes)
    signs = np.sign(right[np.arange(axes), np.abs(right).argmax(axis=1)])
    signs[signs == 0] = 1
    variance = float((centred**2).sum())
    shares = sizes**2 / variance if variance > 0 else np.zeros(axes)
    return Projection(left * sizes * signs, shares, exact, np.arange(count))


def _decomposed(centred: Floats, axes: int) -> tuple[Floats, Floats, Floats]:
    """The first singular vectors and values; a tall or a wide matrix by the square one of its shorter side."""
    count, width = centred.shape
    if max(count, width) <= 4 * min(count, width):
        left, sizes, right = np.linalg.svd(centred, full_matrices=False)
        return left[:, :axes], sizes[:axes], right[:axes]
    tall = count > width
    square = centred.T @ centred if tall else centred @ centred.T
    values, found = np.linalg.eigh(square)
    sizes = np.sqrt(np.maximum(values[::-1][:axes], 0.0))
    short = found[:, ::-1][:, :axes]
    long = (centred if tall else centred.T) @ short / np.where(sizes > 0, sizes, 1.0)
    return (long, sizes, short.T) if tall else (short, sizes, long.T)


def _roughly_decomposed(centred: Floats, axes: int) -> tuple[Floats, Floats, Floats]:
    rng = np.random.default_rng(_SEED)
    base = np.linalg.qr(centred @ rng.standard_normal((centred.shape[1], axes + _OVERSAMPLES)))[0]
    for _ in range(_ROUNDS):
        base = np.linalg.qr(centred @ np.linalg.qr(centred.T @ base)[0])[0]
    left, sizes, right = np.linalg.svd(base.T @ centred, full_matrices=False)
    return (base @ left)[:, :axes], sizes[:axes], right[:axes]


def sample(count: int, most: int) -> NDArray[np.intp]:
    """Which of `count` things to take when `most` is the limit: all, or evenly spaced ones."""
    return np.arange(count) if count <= most else np.linspace(0, count - 1, most).astype(np.intp)


def neighbours(vectors: Floats, row: int, most: int, metric: Metric) -> list[Neighbour]:
    """The vectors nearest to one of them, without itself.

    Args:
        vectors: (vectors, dimensions).
        row: Which one.
        most: How many at most.
        metric: "cosine": 1 - the cosine of the angle, and 1 to a vector of zeros. "euclid": the length between them.
    """
    if metric == "cosine":
        lengths = np.linalg.norm(vectors, axis=1)
        scale = lengths * lengths[row]
        product = vectors @ vectors[row]
        distances = 1 - np.divide(product, scale, out=np.zeros_like(product), where=scale > 0)
    else:
        distances = np.linalg.norm(vectors - vectors[row], axis=1)
    distances[row] = np.inf
    most = min(most, len(distances) - 1)
    if most <= 0:
        return []
    near = np.argpartition(distances, most - 1)[:most]
    near = near[np.lexsort((near, distances[near]))]
    return [Neighbour(int(at), max(float(distances[at]), 0.0)) for at in near]


def tsne(vectors: Floats) -> Projection:
    """t-SNE by scikit-learn: van der Maaten and Hinton, "Visualizing data using t-SNE" (2008).

    It takes seconds to a minute: call it in a thread. Of more than `TSNE_MOST` vectors evenly spaced ones are taken.

    Raises:
        ImportError: scikit-learn is not installed.
    """
    from sklearn.manifold import TSNE  # an extra, and slow to import
    from threadpoolctl import threadpool_limits  # comes with it

    rows = sample(len(vectors), TSNE_MOST)
    kept = vectors[rows]
    if kept.shape[1] > 50:  # as its authors advise
        kept = pca(kept, 50).points
    method = TSNE(n_components=2, perplexity=min(30.0, max((len(kept) - 1) / 3, 1.0)), init="pca", random_state=_SEED)
    with threadpool_limits(1):  # on a machine that has much else to do, threads that wait for each other cost more
        points = np.asarray(method.fit_transform(kept), np.float64)
    return Projection(points, np.empty(0), len(rows) == len(vectors), rows)
