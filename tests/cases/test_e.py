"""Section E: axes, times and numbers are what was logged."""

from __future__ import annotations

import json
import os
import socket
import time
from typing import TYPE_CHECKING

import pytest

from tuimon.analysis.axes import XMode, on_axis

if TYPE_CHECKING:
    from .conftest import Logs

START = 1_700_000_000.0


def x_of(logs: Logs, mode: XMode, run: str = "R", tag: str = "v") -> list[float]:
    return on_axis(logs.series(tag, run), mode).x.tolist()  # type: ignore[no-any-return]


def at(logs: Logs, times: list[float], first: int = 0) -> str:
    """The text of rows at these times after the start."""
    return "".join(
        logs.text([(first + i, {"v": i})], started=START + when, header=not i) for i, when in enumerate(times)
    )


def test_a_night_between_two_attempts_is_not_active_time(logs: Logs) -> None:
    """In one file and over two (case E1)."""
    logs.put("R/F1.jsonl", at(logs, [0, 60, 120, 36120, 36180]))
    logs.put("S/F1.jsonl", at(logs, [0, 60, 120]))
    logs.put("S/F2.jsonl", at(logs, [36120, 36180], first=3))
    for run in "RS":
        assert x_of(logs, "relative", run) == [0, 60, 120, 36120, 36180]
        assert x_of(logs, "active", run) == [0, 60, 120, 180, 240]


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("timestamp", "1700000000"), ("time", "1700000000.0"), ("timestamp", "1700000000000"),
        ("ts", "1700000000000000"), ("_timestamp", "1700000000000000000"), ("datetime", '"2023-11-14T22:13:20Z"'),
        ("timestamp", '"2023-11-14T22:13:20+00:00"'), ("time", '"1700000000"'),
    ],
)  # fmt: skip
def test_wall_times_of_any_unit(flat: Logs, key: str, text: str) -> None:
    """Seconds to nanoseconds, dates with a zone: one axis, the same date (case E2)."""
    flat.put("R/log.jsonl", f'{{"step": 1, "v": 1, "{key}": {text}}}\n')
    assert x_of(flat, "wall") == [START]
    assert list(flat.run().series) == ["v"]


@pytest.mark.parametrize("unit", [1, 1e3, 1e6, 1e9])
def test_native_times_of_any_unit(native: Logs, unit: float) -> None:
    """A writer in another language that counts milliseconds: the same date everywhere (case E2)."""
    when = [int((START + i) * unit) for i in range(4)]
    lines: list[object] = [
        {"tuimon": 1, "run": {"started": when[0]}, "config": {}},
        {"step": 1, "time": when[1], "scalars": {"v": 1, "w": None}},
        {"step": 2, "time": when[2], "scalars": {"v": 1, "w": 2}},
        {"step": 2, "time": when[2], "text": {"tag": "t", "text": "x"}},
        {"end": {"status": "finished", "time": when[3]}},
    ]
    native.put("R/F1.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    assert x_of(native, "wall") == x_of(native, "wall", tag="w") == [START + 1, START + 2]
    run = native.run()
    assert run.end is not None
    assert (run.started, run.end.time, run.texts["t"].time(0)) == (START, START + 3, START + 2)


def test_a_duration_is_no_wall_time(flat: Logs) -> None:
    """It is a metric like any other (case E2)."""
    flat.put("R/log.jsonl", "".join(f'{{"step": {i}, "v": 1, "time": {i * 0.5}}}\n' for i in range(3)))
    assert flat.series("time").curve().low.tolist() == [0, 0.5, 1]
    assert x_of(flat, "wall") == []


def test_relative_time_starts_at_zero_for_every_run(logs: Logs) -> None:
    """Runs an hour apart; records before the start that a run tells (case E3)."""
    logs.write("a", [(i, {"v": i}) for i in range(10)])
    logs.write("b", [(i, {"v": i}) for i in range(10)], started=START + 3600)
    logs.put("c/F1.jsonl", at(logs, [0, 1, 2, -5, 4]))
    assert x_of(logs, "relative", "a") == x_of(logs, "relative", "b") == list(range(10))
    assert x_of(logs, "relative", "c") == [0, 5, 6, 7, 9]


def test_epochs_align_runs_of_other_batch_sizes(logs: Logs) -> None:
    """A run without epochs is left out, not drawn at a wrong place (case E5)."""
    for name, steps in (("small", 100), ("large", 7)):
        logs.write(name, [(epoch * steps, {"progress/epoch": epoch, "v": epoch}) for epoch in range(5)])
    logs.write("none", [(1, {"v": 1})])
    assert x_of(logs, "epoch", "small") == x_of(logs, "epoch", "large") == [0, 1, 2, 3, 4]
    assert x_of(logs, "epoch", "none") == []


def test_the_logarithmic_axis(logs: Logs) -> None:
    """Powers of ten fall on decades (case E6)."""
    logs.write("R", [(k, {"v": 10.0**-k}) for k in range(9)])
    screen = logs.shown("scalars", "--log-y", height=24)
    assert all(f"{tick}┤" in screen for tick in ("1", "0.01", "1e-4", "1e-6", "1e-8"))


def test_outliers_are_shown_unless_limits_are_asked_for(logs: Logs) -> None:
    """The first four of a hundred points lie far out: drawn as they are; beyond limits they are counted (case E8)."""
    values = [90.0, 80.0, -70.0, 60.0, *(1 + 0.01 * (i % 7) for i in range(96))]
    logs.write("R", [(i, {"v": value}) for i, value in enumerate(values)])
    assert "▲" not in logs.shown()
    screen = logs.shown("scalars", "--ylim", "0:2")
    assert "clipped ▲3 ▼1" in screen
    assert "▲" in screen.split("clipped", 1)[1].split("\n", 2)[2]


def test_steps_and_tags_as_the_x_axis(logs: Logs) -> None:
    """A run that was started at step 1000 begins at 0; validation stands over what it was logged with (case E5)."""
    logs.write("R", [(1000 + i, {"v": i, "tokens": i * 512}) for i in range(10)])
    assert x_of(logs, "relative-step") == list(range(10))
    assert on_axis(logs.series("v"), "tag", tag="tokens").x.tolist() == [i * 512 for i in range(10)]


def test_neighbours_can_be_told_apart(logs: Logs) -> None:
    """5.5443 and 5.5455 on the axis and in tables (case E9)."""
    logs.write("a", [(0, {"loss": 5.5443}), (1, {"loss": 5.5455})])
    assert "5.5445┤" in logs.shown()
    assert "5.5443" in logs.tuimon("compare")
    assert "5.5455" in logs.tuimon("compare")


def test_numbers_are_neither_abbreviated_nor_noisy(logs: Logs) -> None:
    """3141592 and 0.30000000000000004 (case E11)."""
    for name, value in (("pi", 3141592), ("sum", 0.1 + 0.2)):
        logs.write(name, [(0, {"acc": value})])
    lines = {line.split()[0]: line.split()[1] for line in logs.tuimon("compare").splitlines()}
    assert (lines["pi"], lines["sum"]) == ("3141592", "0.3")


EXACT = [16777217, 0.1234567890123, 0.1 + 0.2, 1 / 3, 5e-324, 1.7976931348623157e308, -0.0, 2**53, 10**22]


def test_numbers_are_exact(logs: Logs) -> None:
    """From the file to the export (case E12)."""
    logs.write("R", [(step, {"v": value}) for step, value in enumerate(EXACT)])
    assert [point["value"] for point in logs.exported()] == EXACT
    assert [float(line.split(",")[4]) for line in logs.tuimon("export", "--format", "csv").splitlines()[1:]] == EXACT


def running(logs: Logs, files: list[tuple[int, list[float]]], **run: object) -> dict[str, object]:
    """What is listed of a run whose process lives, with rows at so many seconds before now: (first step, times)."""
    now = time.time()
    for number, (first, ages) in enumerate(files, 1):
        head = {"started": now - ages[0], "pid": os.getpid(), "host": socket.gethostname(), **run}
        rows = [{"step": first + i, "time": now - age, "scalars": {"v": 1}} for i, age in enumerate(ages)]
        lines = [{"tuimon": 1, "run": head, "config": {}}, *rows]
        logs.put(f"R/F{number}.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    return logs.listed()


def test_the_time_left_after_a_resume(native: Logs) -> None:
    """From the rate of this attempt, with the total as the header says it (case E14)."""
    found = running(
        native, [(0, [5000.0 - i for i in range(950)]), (900, [50.0 - i for i in range(50)])], total_steps=1000
    )
    assert (found["state"], found["step"], found["total_steps"]) == ("running", 949, 1000)
    assert found["steps_per_second"] == pytest.approx(1, rel=0.01)
    assert found["seconds_left"] == pytest.approx(51, rel=0.01)


def test_the_time_left_is_never_negative(native: Logs) -> None:
    """A run that goes past its total (case E14)."""
    found = running(native, [(0, [20.0 - i for i in range(20)])], total_steps=10)
    assert found["seconds_left"] == 0


def test_a_pause_for_validation_does_not_move_the_rate(native: Logs) -> None:
    """Ten steps, a minute of nothing, ten steps (case E15)."""
    found = running(native, [(0, [80.0 - i - (60 if i >= 10 else 0) for i in range(20)])], total_steps=100)
    assert found["steps_per_second"] == pytest.approx(1, rel=0.01)
    assert found["seconds_left"] == pytest.approx(81, rel=0.02)


def test_a_view_that_is_chosen_at_the_start(logs: Logs) -> None:
    """Runs, smoothing and the start of the axis (case E17)."""
    for name in ("lr1", "lr2", "other"):
        logs.write(name, [(step, {"v": step}) for step in range(300)])
    screen = logs.tuimon("show", "--view", "scalars", "--runs", "lr*", "--smooth", ".9", "--xmin", "100")
    assert "lr1" in screen
    assert "other" not in screen
    assert "smoothing 0.9" in screen
    axis = screen.splitlines()[-2].split()
    assert "100" in axis
    assert "0" not in axis


def test_the_ends_of_the_range_of_numbers(logs: Logs) -> None:
    """The largest and the smallest floats: listed, compared, drawn as a card and as a figure (cases A15, E12)."""
    values = [(1e308, 5e-324), (-1e308, 1e-323), (1.7e308, 0.0)]
    logs.write("R", [(step, {"big": big, "tiny": tiny}) for step, (big, tiny) in enumerate(values)])
    screen = logs.shown(height=30)
    assert "cannot" not in screen
    for tag, tick in (("big", " 1e308┤"), ("tiny", "9.88e-324┤")):
        assert tick in screen
        assert tick in logs.tuimon("plot", tag, "--width", 60, "--height", 12)


def test_times_and_header_values_that_make_no_sense(native: Logs) -> None:
    """Absurd times and kinds of values hurt neither the values nor any command (cases E3, G19)."""
    header = '{"tuimon":1,"run":{"started":1e300,"pid":"x","host":5,"rank":[1],"total_steps":"many","tags":3}}\n'
    times = ["1e300", "-1e300", '"NaN"', "null", "0", "-5", "1e12", "1e999"]
    rows = "".join(f'{{"step":{step},"time":{when},"scalars":{{"v":1}}}}\n' for step, when in enumerate(times))
    native.put("R/F1.jsonl", header + rows + '{"end":{"status":5,"time":"x","exit":"y","error":["l"]}}\n{"end":{}}\n')
    assert native.series().curve().x.tolist() == list(range(8))
    for words in (
        ["ls"],
        ["compare"],
        ["show"],
        *(["show", "--view", "scalars", "--x", x] for x in ("wall", "active")),
    ):
        assert "cannot" not in native.tuimon(*words)
