"""Bars of one step keep every count and stay readable at a spike."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from tuimon.charts.bins import Bins
from tuimon.charts.histogram import render_histogram


def shown(bins, width=60, height=12, **options):
    return ["".join(s.text for s in row) for row in render_histogram(bins, width, height, **options)]


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 10**7), max_size=40),
    st.floats(-1e9, 1e9),
    st.floats(1e-9, 1e9),
    st.integers(0, 90),
    st.integers(0, 20),
    st.booleans(),
)
def test_any_histogram_fills_its_box(counts, start, span, width, height, unicode):
    """Any bins in any size."""
    edges = np.linspace(start, start + span, len(counts) + 1) if counts else []
    rows = shown(Bins(edges, counts), width, height, title="w", unicode=unicode)
    assert [cell_len(row) for row in rows] == [width] * height


def test_every_value_is_counted_when_bins_are_merged():
    """Thirty bins in ten rows: the counts add up to the total."""
    counts, edges = np.histogram(np.random.default_rng(0).normal(size=5000), bins=30)
    rows = shown(Bins(edges, counts), 40, 11)
    assert sum(int(row.split()[-1].replace(",", "")) for row in rows[1:] if row.strip()) == 5000


def test_the_bins_beside_a_spike_at_zero_are_seen():
    """Weights that are nearly all zero: one long bar, and slivers for the rest (diagnosis: collapsed weights)."""
    values = np.concatenate([np.zeros(10**6), [-1.0, 1.0, 0.5]])
    counts, edges = np.histogram(values, bins=9)
    rows = shown(Bins(edges, counts, zeros=10**6), 60, 12, title="w")
    assert "zero >99.9%" in rows[0]
    assert sum("▏" in row for row in rows) == 3
    assert sum("█" in row for row in rows) == 1


def test_tiny_and_huge_bins_are_labelled_in_scientific_notation():
    """The labels of ten to the minus nine and plus nine tell neighbours apart."""
    for scale in (1e-9, 1e9):
        rows = shown(Bins(np.linspace(-1, 1, 5) * scale, [1, 2, 3, 4]), 60, 6)
        labels = [row.split("│")[0] for row in rows[1:5]]
        assert len(set(labels)) == 4
        assert all(re.search(r"\de-?\d", label) for label in labels)


@pytest.mark.parametrize(
    ("bins", "words"),
    [
        (Bins([-0.5, 0.5], [8], zeros=8), "all zero"),
        (Bins([], [], nan=8), "all NaN"),
        (Bins([], []), "empty"),
    ],
)
def test_it_says_what_bars_cannot(bins, words):
    """All zero, all NaN and empty are words, not an empty pane."""
    assert words in "".join(shown(bins, 40, 5)[1:])


def test_non_finite_values_are_counted_beside_the_bars():
    """NaN and infinite values are in no bin, and in the first row."""
    assert "NaN ×2  Inf ×1" in shown(Bins([0, 1], [5], nan=2, inf=1), title="w")[0]
