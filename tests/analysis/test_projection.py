"""Principal components, neighbours and t-SNE, against scikit-learn and against numpy's own decomposition."""

from __future__ import annotations

import numpy as np
import pytest

from tuimon.analysis import projection
from tuimon.analysis.projection import neighbours, pca, sample, tsne


def clusters(count, width, seed=3):
    rng = np.random.default_rng(seed)
    centres = rng.normal(0, 5, (3, width))
    return centres[np.arange(count) % 3] + rng.normal(0, 1, (count, width))


@pytest.mark.parametrize("shape", [(50, 40), (300, 8), (10, 200)])
def test_components_are_those_of_scikit_learn(shape):
    """Square, tall and wide matrices: points, signs and the share of the variance."""
    decomposition = pytest.importorskip("sklearn.decomposition")
    vectors = clusters(*shape)
    other = decomposition.PCA(3, svd_solver="full").fit(vectors)
    found = pca(vectors)
    assert found.exact
    assert found.points == pytest.approx(other.transform(vectors), abs=1e-7)
    assert found.shares == pytest.approx(other.explained_variance_ratio_)


def test_a_worked_example():
    """Points on a line have one component, in the direction of the line, that explains everything."""
    found = pca(np.array([[0.0, 0.0], [3.0, 4.0], [6.0, 8.0]]))
    assert found.points[:, 0].tolist() == pytest.approx([-5, 0, 5])
    assert found.shares.tolist() == pytest.approx([1, 0])


def test_large_matrices_are_approximated_and_say_so(monkeypatch):
    """The rough method comes to the same components where they stand out, and admits that it is rough."""
    vectors = clusters(120, 100)
    exact = pca(vectors, 2)
    monkeypatch.setattr(projection, "EXACT", 50)
    rough = pca(vectors, 2)
    assert not rough.exact
    assert rough.points == pytest.approx(exact.points, abs=1e-6)
    assert rough.shares == pytest.approx(exact.shares)


@pytest.mark.parametrize("shape", [(0, 4), (1, 4), (5, 1), (4, 0)])
def test_degenerate_vectors(shape):
    """None, one, or of no dimension: points for each vector, and nothing is explained by what does not vary."""
    found = pca(np.ones(shape))
    assert found.points.shape == (shape[0], min(3, *shape))
    assert not found.shares.any()


def test_neighbours_by_angle_and_by_length():
    """The nearest by angle may be far away; a vector is not its own neighbour; zeros are at right angles to all."""
    vectors = np.array([[1.0, 0.0], [10.0, 0.0], [1.0, 1.0], [0.0, 0.0]])
    by_angle = neighbours(vectors, 0, 9, "cosine")
    by_length = neighbours(vectors, 0, 2, "euclid")
    assert [(n.row, round(n.distance, 6)) for n in by_angle] == [(1, 0.0), (2, round(1 - 0.5**0.5, 6)), (3, 1.0)]
    assert [(n.row, n.distance) for n in by_length] == [(2, 1.0), (3, 1.0)]
    assert neighbours(vectors[:1], 0, 5, "cosine") == []


def test_samples_are_evenly_spaced():
    """All where they fit, else from the first to the last."""
    assert sample(3, 5).tolist() == [0, 1, 2]
    assert sample(101, 5).tolist() == [0, 25, 50, 75, 100]


def test_tsne_keeps_clusters_together(monkeypatch):
    """Each point's nearest one in the plane is of its own cluster, and what was left out is said."""
    pytest.importorskip("sklearn.manifold")
    monkeypatch.setattr(projection, "TSNE_MOST", 60)
    found = tsne(clusters(90, 6))
    assert found.points.shape == (60, 2)
    assert not found.exact
    kinds = found.rows % 3
    distances = np.linalg.norm(found.points[:, None] - found.points[None], axis=2) + np.eye(60) * 1e9
    assert (kinds[distances.argmin(axis=1)] == kinds).mean() > 0.9
