"""Cases of steps, resumes and runs with event files as other programs write them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from .conftest import Logs

tensorboardX = pytest.importorskip("tensorboardX")

START = 1_700_000_000.0

Write = Callable[..., Any]


@pytest.fixture
def events(native: Logs) -> Write:
    """Write an event file: the steps of each tag, one after the other, and what else is wanted."""

    def write(
        place: str, tags: dict[str, Iterable[float]], value: float = 1.0, at: float = START, **options: Any
    ) -> None:
        with tensorboardX.SummaryWriter(str(native.root / place), **options) as writer:
            for tag, steps in tags.items():
                for i, step in enumerate(steps):
                    writer.add_scalar(tag, value, step, walltime=at + i)

    return write


def curve(logs: Logs, tag: str = "v", run: str = "R") -> list[tuple[float, float]]:
    """(step, value) of what is drawn."""
    found = logs.series(tag, run).curve()
    return list(zip(found.x.tolist(), found.low.tolist(), strict=True))


def points(steps: Iterable[float], value: float) -> list[tuple[float, float]]:
    return [(float(step), value) for step in steps]


def test_the_overlap_of_a_resumed_run_is_cut(native: Logs, events: Write) -> None:
    """The later file wins from its first step on, though its name comes first (case B1)."""
    events("R", {"v": range(151)}, 1.0, START, filename_suffix=".z")
    events("R", {"v": range(100, 251)}, 2.0, START + 5000, filename_suffix=".a")
    assert curve(native) == [*points(range(100), 1.0), *points(range(100, 251), 2.0)]
    assert sorted(point["attempt"] for point in native.exported()) == [1] * 151 + [2] * 151


def test_a_purge_step_is_a_restart(native: Logs, events: Write) -> None:
    """Exactly what the session that starts at step 3 and the one before it say (case B2)."""
    events("R", {"v": range(6)}, 1.0, filename_suffix=".1")
    events("R", {"v": range(3, 8)}, 2.0, START + 100, filename_suffix=".2", purge_step=3)
    assert curve(native) == [*points(range(3), 1.0), *points(range(3, 8), 2.0)]
    assert [attempt.start_step for attempt in native.series().attempts] == [0, 3]


def test_several_trainings_in_one_directory_are_attempts(native: Logs, events: Write) -> None:
    """Nothing is lost, and each can be looked at (case B3)."""
    events("R", {"v": range(101)}, 1.0, filename_suffix=".1")
    events("R", {"v": range(101)}, 2.0, START + 1000, filename_suffix=".2")
    series = native.series()
    assert [attempt.count for attempt in series.attempts] == [101, 101]
    assert series.curve(attempt=1).low.tolist() == [1.0] * 101
    assert curve(native) == points(range(101), 2.0)


def test_all_files_of_a_directory_are_joined(native: Logs, events: Write) -> None:
    """Without any option of the writer (cases B4, B5)."""
    events("R", {"v": range(5)}, 1.0, filename_suffix=".1")
    events("R", {"v": range(5, 8)}, 2.0, START + 1000, filename_suffix=".2")
    assert curve(native) == [*points(range(5), 1.0), *points(range(5, 8), 2.0)]
    assert native.listed()["attempts"] == 1


def test_an_empty_newer_file_hides_nothing(native: Logs, events: Write) -> None:
    """Of two processes the second one opened a file and wrote nothing, and there is a file of no bytes (case B6)."""
    events("R", {"v": range(200)}, filename_suffix=".0")
    events("R", {}, filename_suffix=".1")
    native.put("R/events.out.tfevents.1999999999.host", b"")
    events("empty", {})
    assert curve(native) == points(range(200), 1.0)
    assert list(native.load().runs) == ["R"]


def test_many_short_runs_are_many_runs(native: Logs, events: Write) -> None:
    """Each call of ``learn()`` makes a directory of its own; they are listed newest first (case B14)."""
    for i in range(1, 13):
        events(f"A2C_{i}", {"rollout/ep_rew_mean": range(1 + i % 3)}, at=START + 100 * i)
    assert set(native.load().runs) == {f"A2C_{i}" for i in range(1, 13)}
    assert native.tuimon("ls").splitlines()[1].split()[0] == "A2C_12"


def test_a_tag_that_starts_at_zero_purges_no_other(native: Logs, events: Write) -> None:
    """One file, two counters (case B21)."""
    events("R", {"a": range(10), "b": range(10)})
    assert (curve(native, "a"), curve(native, "b")) == (points(range(10), 1.0), points(range(10), 1.0))
    assert native.run().attempts == 1


def test_many_values_at_one_step_are_kept(native: Logs, events: Write) -> None:
    """A script that forgets to count up logs thousands of values at one step (case B17)."""
    events("R", {"v": [7] * 3000})
    assert native.series().count == 3000
    assert native.run().attempts == 1


def test_hparams_make_no_run_of_their_own(native: Logs) -> None:
    """What ``add_hparams`` writes under a time stamp is told of the run above, and cuts nothing off (cases F7, F10)."""
    with tensorboardX.SummaryWriter(str(native.root / "R")) as writer:
        for step in range(10):
            writer.add_scalar("acc", step / 10, step)
        writer.add_hparams({"lr": 0.1, "opt": "adam"}, {"acc": 0.25, "hparam/f1": 5.0})
    assert any(path.is_dir() for path in (native.root / "R").iterdir())
    store = native.load()
    assert list(store.runs) == ["R"]
    run = store.runs["R"]
    assert (run.config["lr"], run.config["opt"]) == (0.1, "adam")
    assert curve(native, "acc") == [(float(step), pytest.approx(step / 10)) for step in range(10)]
    assert run.series["hparam/f1"].last is not None
    assert run.series["hparam/f1"].last.value == 5.0
    assert native.listed()["config"] == run.config


def test_groups_of_scalars_are_tags_of_one_run(native: Logs) -> None:
    """``add_scalars`` makes a directory for each line, which would be three runs of one tag each."""
    with tensorboardX.SummaryWriter(str(native.root / "R")) as writer:
        for step in range(5):
            writer.add_scalar("lr", 0.1, step)
            writer.add_scalars("data/loss", {"train": step, "val_1": 2 * step}, step)
    store = native.load()
    assert list(store.runs) == ["R"]
    assert set(store.runs["R"].series) == {"lr", "data/loss/train", "data/loss/val_1"}
    assert curve(native, "data/loss/val_1") == [(float(step), 2.0 * step) for step in range(5)]
    assert {point["tag"] for point in native.exported()} == {"lr", "data/loss/train", "data/loss/val_1"}
    assert store.runs["R"].attempts == 1


def test_a_link_to_the_latest_run_shows_it_once(native: Logs, events: Write) -> None:
    """It keeps its own name (case G12)."""
    events("lightning_logs/version_3", {"v": range(3)})
    os.symlink("version_3", native.root / "lightning_logs" / "latest")
    assert list(native.load().runs) == ["lightning_logs/version_3"]


def test_a_run_in_two_formats_is_one(native: Logs, events: Write) -> None:
    """Lightning with its CSV logger beside event files, and its settings: each number once, and all that is known."""
    place = "lightning_logs/version_0"
    rows = "".join(f"{epoch},{1.5 - epoch / 10},{10 * epoch}\n" for epoch in range(5))
    native.put(f"{place}/metrics.csv", f"epoch,train_loss,step\n{rows}")
    native.put(f"{place}/hparams.yaml", "lr: 0.25\nmodel: resnet\n")
    events(place, {"train_loss": range(0, 50, 10), "hp_metric": [0]})
    run = native.load().runs[place]
    assert set(run.series) >= {"train_loss", "hp_metric"}
    assert run.series["train_loss"].count == 5
    assert run.config["lr"] == 0.25
    assert run.attempts == 1
    assert [Path(mirror.path).name for mirror in run.mirrors] == ["metrics.csv"]
    tags = [point["tag"] for point in native.exported()]
    assert tags.count("train_loss") == 5
    (listed,) = native.listed(place)["told_twice"]
    assert listed["file"].endswith("metrics.csv")
    native.root /= f"{place}/metrics.csv"
    assert {point["tag"] for point in native.exported()} >= {"train_loss"}
