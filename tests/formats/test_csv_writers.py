"""Tables that real programs write, followed while they write them; each test needs its program to be installed."""

from __future__ import annotations

import csv
import math
import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tuimon.formats.base import Format, Parser
from tuimon.formats.delimited import FORMAT as CSV
from tuimon.formats.monitor_csv import FORMAT as MONITOR
from tuimon.formats.yolo_results import FORMAT as YOLO
from tuimon.tail import Tail

if TYPE_CHECKING:
    from .conftest import Content

    Read = Callable[..., Content]

pytestmark = pytest.mark.filterwarnings("ignore")  # those of the programs are not ours


class Follower:
    """Reads a file again and again as the viewer does, and starts anew when it was written over."""

    def __init__(self, path: Path, format_: Format, read: Read) -> None:
        self.path, self._format, self._read = path, format_, read
        self._tail = Tail(path)
        self._parser: Parser = format_.parser(str(path))
        self.content = read(self._parser, b"")
        self.resets = 0

    def look(self) -> Content:
        """Everything that the file holds by now."""
        piece = self._tail.read()
        while piece.data:
            if piece.reset:
                self.resets += 1
                self._parser = self._format.parser(str(self.path))
                self.content = self._read(self._parser, b"")
            parsed = self._parser.parse(piece.data, piece.at_end)
            self.content.take(parsed.records)
            self._tail.advance(parsed.consumed)
            piece = self._tail.read()
        return self.content

    def sniffed(self) -> bool:
        return self._format.sniff(str(self.path), self.path.read_bytes()[: 1 << 16])


def test_lightning(tmp_path: Path, read: Read) -> None:
    """The whole file is written anew when a metric is new; every value has its step then as before."""
    loggers = pytest.importorskip("lightning.pytorch.loggers")
    logger = loggers.CSVLogger(tmp_path, name="run", flush_logs_every_n_steps=1)
    source = random.Random(1)
    follower = Follower(Path(logger.log_dir) / "metrics.csv", CSV, read)
    expected: dict[str, list[tuple[float, float]]] = {}
    for step in range(60):
        metrics = {"train_loss": source.random(), "epoch": step // 20}
        if step % 20 == 19:
            metrics = {"val_loss": source.random(), "epoch": step // 20}
        if step > 30 and step % 7 == 0:
            metrics["lr-Adam"] = source.random() * 1e-4
        logger.log_metrics(metrics, step)
        logger.save()
        for tag, value in metrics.items():
            expected.setdefault(tag, []).append((step, value))
        found = follower.look()
    assert follower.sniffed()
    assert follower.resets >= 2
    assert {tag: [(step, value) for step, _, value in points] for tag, points in found.points.items()} == expected


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_keras(tmp_path: Path, read: Read, separator: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row an epoch; NA where the validation did not run; a training that goes on appends."""
    monkeypatch.setenv("KERAS_BACKEND", os.environ.get("KERAS_BACKEND", "torch"))
    callbacks = pytest.importorskip("keras.callbacks")
    path = tmp_path / "training.log"
    follower = Follower(path, CSV, read)
    source = random.Random(2)
    values = [(source.random(), source.random()) for _ in range(10)]
    for start, end in ((0, 6), (6, 10)):
        logger = callbacks.CSVLogger(str(path), separator=separator, append=start > 0)
        logger.set_model(type("Model", (), {"stop_training": False})())
        logger.on_train_begin()
        for epoch in range(start, end):
            loss, val_loss = values[epoch]
            logs: dict[str, Any] = {"loss": loss, "accuracy": 0.5}
            if epoch % 2 == 0:
                logs["val_loss"] = val_loss
            logger.model.stop_training = epoch % 2 == 1  # it writes NA then
            logger.on_epoch_end(epoch, logs)
            found = follower.look()
        logger.on_train_end()
    assert follower.sniffed()
    assert follower.resets == 0
    assert found.steps("loss") == [*range(10)]
    assert found.values("loss") == [loss for loss, _ in values]
    assert found.steps("val_loss") == [0, 2, 4, 6, 8]


def test_stable_baselines_progress(tmp_path: Path, read: Read) -> None:
    """New keys make it write its header anew, in place."""
    loggers = pytest.importorskip("stable_baselines3.common.logger")
    logger = loggers.configure(str(tmp_path), ["csv"])
    follower = Follower(tmp_path / "progress.csv", CSV, read)
    source = random.Random(3)
    rewards = []
    for iteration in range(1, 30):
        rewards.append(source.random())
        logger.record("rollout/ep_rew_mean", rewards[-1])
        logger.record("time/total_timesteps", iteration * 2048)
        logger.record("time/iterations", iteration)
        if iteration > 1:
            logger.record("train/loss", source.random())
            logger.record("train/explained_variance", math.nan)
        logger.dump(iteration * 2048)
        found = follower.look()
    logger.close()
    assert follower.sniffed()
    assert found.values("rollout/ep_rew_mean") == rewards
    assert found.steps("rollout/ep_rew_mean") == [iteration * 2048 for iteration in range(1, 30)]
    assert found.steps("train/loss") == [iteration * 2048 for iteration in range(2, 30)]
    assert len(found.values("train/explained_variance")) == 28


def test_stable_baselines_monitor(tmp_path: Path, read: Read) -> None:
    """The step is the number of environment steps, the time that of the end of the episode."""
    monitor = pytest.importorskip("stable_baselines3.common.monitor")
    gymnasium = pytest.importorskip("gymnasium")
    path = tmp_path / "0.monitor.csv"
    environment = monitor.Monitor(gymnasium.make("CartPole-v1"), str(path))
    follower = Follower(path, MONITOR, read)
    assert follower.sniffed()
    environment.reset(seed=4)
    lengths: list[int] = []
    while len(lengths) < 20:
        *_, done, cut, info = environment.step(environment.action_space.sample())
        if done or cut:
            lengths.append(info["episode"]["l"])
            environment.reset()
            found = follower.look()
    environment.close()
    assert found.values("l") == lengths
    assert found.steps("r") == [sum(lengths[: number + 1]) for number in range(20)]
    times = found.times("r")
    assert times == sorted(times)
    assert abs(times[-1] - path.stat().st_mtime) < 5


def test_catboost(tmp_path: Path, read: Read) -> None:
    """What CatBoost writes of the errors and the time that is left."""
    catboost = pytest.importorskip("catboost")
    source = random.Random(5)
    rows = [[source.random(), source.random()] for _ in range(200)]
    labels = [int(one > other) for one, other in rows]
    model = catboost.CatBoostClassifier(iterations=12, train_dir=str(tmp_path), verbose=False, thread_count=1)
    model.fit(rows[:150], labels[:150], eval_set=(rows[150:], labels[150:]))
    for name, tag in (("learn", "Logloss"), ("test", "Logloss"), ("time_left", "Passed")):
        path = tmp_path / (f"{name}_error.tsv" if name != "time_left" else "time_left.tsv")
        follower = Follower(path, CSV, read)
        found = follower.look()
        assert follower.sniffed()
        assert found.steps(tag) == [*range(12)]
        if tag == "Logloss":
            history = model.get_evals_result()["learn" if name == "learn" else "validation"]["Logloss"]
            assert found.values(tag) == pytest.approx(history, rel=1e-8)


def test_pandas(tmp_path: Path, read: Read) -> None:
    """A history that a script saves with its index, again after every epoch."""
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "history.csv"
    follower = Follower(path, CSV, read)
    source = random.Random(6)
    history: list[dict[str, float]] = []
    for epoch in range(10):
        history.append(
            {"epoch": epoch, "loss": source.random(), "val_loss": math.nan if epoch % 2 else source.random()}
        )
        pandas.DataFrame(history).to_csv(path)
        found = follower.look()
    assert follower.sniffed()
    assert found.values("loss") == [row["loss"] for row in history]
    assert found.steps("val_loss") == [0, 2, 4, 6, 8]


def test_the_csv_module(tmp_path: Path, read: Read) -> None:
    """A script with a DictWriter that flushes now and then, and one that never does."""
    path = tmp_path / "log.csv"
    follower = Follower(path, CSV, read)
    source = random.Random(7)
    losses = [source.random() for _ in range(3000)]
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, ["step", "loss", "note"])
        writer.writeheader()
        for step, loss in enumerate(losses):
            writer.writerow({"step": step, "loss": loss, "note": 'a "quoted" word, and more'})
            if step % 97 == 0 or (step > 2000 and step % 10 == 0):
                found = follower.look()
                assert found.points.get("loss", []) == [] or found.values("loss") == losses[: len(found.values("loss"))]
    assert follower.look().values("loss") == losses


def test_the_states_of_real_logs(real_logs: Path, tmp_path: Path, read: Read) -> None:
    """Logs that grew, and logs that a later run wrote over, are followed to what is in them now."""
    followed = 0
    for chain in sorted(path for path in (real_logs.parent / "growth").iterdir() if path.is_dir()):
        states = [next(state.iterdir()) for state in sorted(chain.iterdir())]
        path = tmp_path / chain.name / states[0].name
        kinds = [one for one in (MONITOR, YOLO, CSV) if one.sniff(str(path), states[0].read_bytes()[: 1 << 16])]
        if not kinds:
            continue
        path.parent.mkdir()
        follower = Follower(path, kinds[0], read)
        for state in states:
            path.write_bytes(state.read_bytes())
            found = follower.look()
        whole = read(kinds[0].parser(str(path)), states[-1].read_bytes())
        assert str(found.points) == str(whole.points), chain
        followed += 1
    assert followed >= 8
