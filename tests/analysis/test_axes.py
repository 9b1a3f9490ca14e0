"""X axes: relative and active time, epochs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tuimon.analysis.axes import axis_kind, epoch_tag, on_axis, to_axis, without_idle


def test_active_time_leaves_out_the_night(rows: Any, run_of: Any) -> None:
    """0@0, 1@60, 2@120, 3@36120, 4@36180: the pause counts as one usual gap (case E1)."""
    run = run_of([rows("loss", [5.0, 4, 3, 2, 1], None, [0, 60, 120, 36120, 36180])])
    assert on_axis(run.series["loss"], "active").x.tolist() == [0, 60, 120, 180, 240]
    assert on_axis(run.series["loss"], "relative").x.tolist() == [0, 60, 120, 36120, 36180]


def test_a_window_of_active_time(rows: Any, run_of: Any) -> None:
    """A zoom window is in active seconds."""
    run = run_of([rows("loss", [5.0, 4, 3, 2, 1], None, [0, 60, 120, 36120, 36180])])
    assert on_axis(run.series["loss"], "active", 100, 200).x.tolist() == [120, 180]
    assert on_axis(run.series["loss"], "relative", 60, 120).low.tolist() == [4, 3]


def test_a_steady_log_has_no_idle_time() -> None:
    """Long but usual gaps are no pauses: one record each 20 minutes."""
    times, active = without_idle(np.arange(10) * 1200.0)
    assert active.tolist() == times.tolist()


def test_short_pauses_are_not_idle() -> None:
    """A validation pause of a minute stays."""
    times = np.array([0.0, 1, 2, 3, 62, 63])
    assert without_idle(times)[1].tolist() == times.tolist()


def test_relative_time_starts_at_zero_for_each_run(rows: Any, run_of: Any) -> None:
    """Runs that started an hour apart both start at 0, and no time is negative (case E3)."""
    one = run_of([rows("loss", [1.0, 2.0], None, [1000, 1010]), rows("early", [1.0], None, [995])])
    two = run_of([rows("loss", [1.0, 2.0], None, [4600, 4620])], name="two")
    assert on_axis(one.series["loss"], "relative").x.tolist() == [5, 15]
    assert on_axis(one.series["early"], "relative").x.tolist() == [0]
    assert on_axis(two.series["loss"], "relative").x.tolist() == [0, 20]


def test_wall_time_is_the_time_itself(rows: Any, run_of: Any) -> None:
    """Wall time in seconds; points without a time are left out and counted."""
    run = run_of([rows("loss", [1.0, 2.0, 3.0], None, [1.7e9, None, 1.7e9 + 5])])
    assert on_axis(run.series["loss"], "wall").x.tolist() == [1.7e9, 1.7e9 + 5]
    assert run.series["loss"].untimed == 1


def test_runs_with_other_batch_sizes_meet_on_the_epoch(rows: Any, run_of: Any) -> None:
    """A value at the end of epoch 1 has x = 1 in both runs, whatever its step (case E5)."""
    small = run_of([rows("epoch", [0.0, 1, 2], [0, 1000, 2000]), rows("val", [3.0, 2, 1], [0, 1000, 2000])], name="16")
    large = run_of([rows("epoch", [0.0, 1, 2], [0, 8, 16]), rows("val", [3.0, 2, 1], [0, 8, 16])], name="2048")
    for run in (small, large):
        assert on_axis(run.series["val"], "epoch").x.tolist() == [0, 1, 2]
    assert on_axis(small.series["val"], "epoch", 1, 2).low.tolist() == [2, 1]
    assert on_axis(small.series["val"], "epoch", 0.5, 1.5).low.tolist() == [2]


def test_steps_between_epoch_records_lie_between_epochs(rows: Any, run_of: Any) -> None:
    """Half way through an epoch is half an epoch."""
    run = run_of([rows("epoch", [0.0, 1], [0, 100]), rows("loss", [1.0] * 5, [0, 25, 50, 75, 100])])
    assert on_axis(run.series["loss"], "epoch").x.tolist() == [0, 0.25, 0.5, 0.75, 1]


def test_no_epoch_series_no_curve(rows: Any, run_of: Any) -> None:
    """A run that does not log epochs has nothing on this axis."""
    run = run_of([rows("loss", [1.0, 2.0])])
    assert len(on_axis(run.series["loss"], "epoch")) == 0
    assert np.isnan(to_axis(run, "epoch").apply(np.array([1.0]))).all()


@pytest.mark.parametrize(
    ("mode", "kind"),
    [("step", "step"), ("epoch", "step"), ("relative", "seconds"), ("active", "seconds"), ("wall", "wall")],
)
def test_each_axis_says_how_its_ticks_are_labelled(mode: Any, kind: str) -> None:
    """The label of the axis and its ticks come from one place."""
    assert axis_kind(mode) == kind


@pytest.mark.parametrize(
    ("tags", "tag"),
    [
        (["loss", "train/epoch"], "train/epoch"),
        (["Epoch", "loss"], "Epoch"),
        (["a/b/epoch"], "a/b/epoch"),
        (["loss"], None),
    ],
)
def test_the_epoch_tag_is_found_by_its_name(tags: list[str], tag: str | None) -> None:
    """With any prefix and case."""
    assert epoch_tag(tags) == tag


def test_an_axis_map_serves_marks_and_curves(rows: Any, run_of: Any) -> None:
    """Marks are moved as the curve is."""
    run = run_of([rows("loss", [1.0, float("nan"), 3.0], None, [100, 160, 220])])
    place = to_axis(run, "relative")
    assert place.apply(run.series["loss"].marks(place.axis).nan).tolist() == [60]


def test_relative_steps_begin_at_zero_for_each_run(rows: Any, run_of: Any) -> None:
    """A run that was started at step 1000 begins at 0, and a tag that came later keeps its distance."""
    run = run_of([rows("loss", [1.0, 2.0], [1000, 1010]), rows("val", [1.0], [1005]), rows("system/cpu", [1.0], [0])])
    assert on_axis(run.series["loss"], "relative-step").x.tolist() == [0, 10]
    assert on_axis(run.series["val"], "relative-step").x.tolist() == [5]
    assert to_axis(run, "relative-step").back(5.0) == 1005


def test_any_tag_is_an_axis(rows: Any, run_of: Any) -> None:
    """Validation over the number of tokens seen, read between two of its points; nothing is said beyond them."""
    run = run_of(
        [rows("tokens", [100.0, 200.0, 400.0], [0, 10, 20]), rows("val", [3.0, 2.0, 1.0, 0.5], [5, 10, 20, 30])]
    )
    curve = on_axis(run.series["val"], "tag", tag="tokens")
    assert curve.x.tolist()[:3] == [150, 200, 400]
    assert on_axis(run.series["val"], "tag", 150, 200, tag="tokens").low.tolist() == [3, 2]
    assert len(on_axis(run.series["val"], "tag", tag="missing")) == 0


def test_a_tag_that_falls_is_an_axis_sorted_by_its_values(rows: Any, run_of: Any) -> None:
    """Accuracy over loss: each point stands at its loss, from the least one on; points without one are left out."""
    run = run_of([rows("loss", [3.0, 1.0, 2.0], [0, 1, 2]), rows("acc", [0.1, 0.3, 0.2, 0.9], [0, 1, 2, 3])])
    curve = on_axis(run.series["acc"], "tag", tag="loss")
    assert curve.x.tolist() == [1, 2, 3]
    assert curve.low.tolist() == [0.3, 0.2, 0.1]
