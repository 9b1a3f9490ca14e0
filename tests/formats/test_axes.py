"""Which key is the step and which the wall time."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest

from tuimon.formats._axes import axis_number, step_column, time_column, time_unit


@pytest.mark.parametrize(
    ("keys", "step"),
    [
        (("loss", "step"), "step"),
        (("epoch", "iteration", "loss"), "iteration"),
        (("epoch", "iter", "step"), "step"),
        (("Epoch", "loss"), "Epoch"),
        (("total_timesteps", "timestep"), "timestep"),
        (("training_iteration", "timesteps_total"), "training_iteration"),
        (("time/total_timesteps", "time/iterations", "rollout/ep_rew_mean"), "time/total_timesteps"),
        (("_step", "_runtime", "_timestamp"), "_step"),
        (("global step", "loss"), "global step"),
        (("num_updates", "epoch"), "num_updates"),
        (("epoch", "train_step", "loss"), "train_step"),
        (("steps", "loss"), "steps"),
        (("episode", "steps", "reward"), "episode"),
    ],
)
def test_the_finest_counter_is_the_step(keys: tuple[str, ...], step: str) -> None:
    at = step_column(keys)
    assert at is not None
    assert keys[at] == step


def test_without_a_counter_there_is_no_step() -> None:
    assert step_column(("loss", "lr", "steps_per_second")) is None


@pytest.mark.parametrize("unit", [1.0, 1e3, 1e6, 1e9])
def test_the_unit_of_a_wall_time_is_judged_by_its_size(unit: float) -> None:
    assert time_unit(1_764_494_630.0 * unit) == unit


def test_a_duration_named_time_is_no_wall_time() -> None:
    assert time_column(("loss", "time"), (0.5, 0.38)) is None
    assert time_column(("time", "timestamp"), (0.38, 1_764_494_630.0)) == (1, 1.0)


def test_the_first_number_of_a_fraction_is_the_step() -> None:
    assert axis_number("global_step/max_steps", "10/438") == 10
    assert axis_number("step", "ten") is None
    assert axis_number("loss", "10/438") is None


@pytest.mark.parametrize("text", ["2026-02-13T01:37:37+00:00", "2026-02-13T01:37:37Z", "2026-02-13 01:37:37.000+00:00"])
def test_an_iso_date_is_a_wall_time(text: str) -> None:
    assert axis_number("timestamp", text) == datetime(2026, 2, 13, 1, 37, 37, tzinfo=timezone.utc).timestamp()


def test_a_date_without_a_zone_is_local_time() -> None:
    local = datetime(2026, 2, 13, 1, 37, 37).timestamp()  # noqa: DTZ001
    assert axis_number("date", "2026-02-13_01-37-37") == local
    assert axis_number("date", "yesterday, I think") is None
