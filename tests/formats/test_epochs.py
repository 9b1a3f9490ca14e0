"""Iterations that begin anew in every epoch."""

from __future__ import annotations

from tuimon.formats._epochs import EpochSteps


def test_iterations_go_on_through_the_epochs() -> None:
    """Each epoch counts from one again; the step does not, and validations stand at the end of their epoch."""
    steps = EpochSteps()
    rows = [("train", 1, 50), ("train", 1, 100), ("val", 1, 7), ("train", 2, 50), ("train", 2, 100), ("val", 2, 7)]
    assert [steps.step(*row) for row in rows] == [50, 100, 100, 150, 200, 200]


def test_a_global_counter_is_left_alone() -> None:
    steps = EpochSteps()
    rows = [("train", 1, 50), ("train", 1, 100), ("train", 2, 150), ("val", 2, 7), ("train", 3, 200)]
    assert [steps.step(*row) for row in rows] == [50, 100, 150, 150, 200]


def test_a_resumed_file_begins_with_a_later_epoch() -> None:
    steps = EpochSteps()
    assert [steps.step("train", epoch, 50) for epoch in (5, 6, 7)] == [50, 100, 150]


def test_an_earlier_range_read_again_gives_the_same_steps() -> None:
    steps = EpochSteps()
    rows = [("train", epoch, iteration) for epoch in (1, 2, 3) for iteration in (50, 100)]
    first = [steps.step(*row) for row in rows]
    again = steps.clone()
    assert [again.step(*row) for row in rows[2:]] == first[2:]
