"""Histograms reach a common axis with every value they hold, and no other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tuimon.charts.bins import Bins, rebin


@st.composite
def histograms(draw):
    out = []
    for _ in range(draw(st.integers(1, 5))):
        size = draw(st.integers(0, 8))
        edges = np.sort(np.array(draw(st.lists(st.floats(-100, 100), min_size=size + 1, max_size=size + 1))))
        counts = np.array(draw(st.lists(st.integers(0, 1000), min_size=size, max_size=size)), float)
        out.append((edges, counts) if size else (np.empty(0), np.empty(0)))
    return out


@settings(deadline=None)
@given(histograms(), st.integers(1, 20))
@example([(np.array([-2.2e-309, 2.2e-308]), np.array([5.0]))], 2)
def test_rebinning_keeps_every_value(items, rows):
    """Whatever the edges of each step, also bins of no width, the total is the same on the common axis."""
    new = rebin(items, np.linspace(-100, 100, rows + 1))
    assert new.sum(axis=1) == pytest.approx([counts.sum() for _, counts in items])
    assert (new >= -1e-9).all()


def test_rebinning_spreads_a_bin_evenly_over_what_it_overlaps():
    """Half of a bin's width holds half of its values; a bin of one value stays in one place."""
    items = [(np.array([0.0, 2.0]), np.array([10.0])), (np.array([1.0, 1.0]), np.array([4.0]))]
    assert rebin(items, np.array([0.0, 1.0, 2.0, 3.0])).tolist() == [[5, 5, 0], [0, 4, 0]]


def test_rebinning_onto_the_same_edges_changes_nothing():
    """Equal bins map one to one."""
    counts, edges = np.histogram(np.random.default_rng(0).normal(size=1000), bins=20)
    assert rebin([(edges, counts.astype(float))], edges)[0] == pytest.approx(counts)


def test_the_last_edge_belongs_to_the_last_bin():
    """A spike at the very top of the axis is inside."""
    assert rebin([(np.array([3.0, 3.0]), np.array([7.0]))], np.array([0.0, 1.0, 3.0])).tolist() == [[0, 7]]


@pytest.mark.parametrize(
    ("bins", "verdict"),
    [
        (Bins([], []), "empty"),
        (Bins([0, 1], [0]), "empty"),
        (Bins([], [], nan=3), "all NaN"),
        (Bins([], [], inf=3), "all infinite"),
        (Bins([], [], nan=1, inf=1), "no finite value"),
        (Bins([-0.5, 0.5], [8], zeros=8), "all zero"),
        (Bins([-0.5, 0.5], [8], minimum=0.0, maximum=0.0), "all zero"),
        (Bins([-0.5, 0.5], [8], zeros=7), ""),
        (Bins([0, 1], [8], nan=3), ""),
    ],
)
def test_verdicts_say_what_there_is(bins, verdict):
    """All zero, all NaN, empty: said in words (cases A14, B: a gradient that is always zero)."""
    assert bins.verdict == verdict


def test_a_single_value_has_no_width_and_empty_ends_are_cut():
    """Zeros that a writer put into [-0.5, 0.5] do not stretch the axis."""
    edges, counts = Bins([-0.5, 0.5], [8], zeros=8).tight()
    assert (edges.tolist(), counts.tolist()) == ([0, 0], [8])
    edges, counts = Bins([-1e20, -1, 0, 1, 1e20], [0, 2, 3, 0]).tight()
    assert (edges.tolist(), counts.tolist()) == ([-1, 0, 1], [2, 3])
