"""A store of made-up runs, the same on every machine, and an app that shows it without reading anything."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import pytest

from tuimon.records import Config, End, Record, RunInfo, ScalarRows, Skipped
from tuimon.store import Store
from tuimon.ui.app import TuimonApp
from tuimon.ui.state import ViewState

NOW = 1_764_500_000.0
"""The fixed time of all tests of the screen."""
ERROR = """Traceback (most recent call last):
  File "train.py", line 88, in <module>
    loss.backward()
RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB"""


def rows(tags: Sequence[str], steps: Iterable[float], times: Iterable[float], values: Iterable[float]) -> ScalarRows:
    """A record of rows from plain numbers; values row after row."""

    def pack(numbers: Iterable[float]) -> bytes:
        listed = list(numbers)
        return struct.pack(f"{len(listed)}d", *listed)

    return ScalarRows(tuple(tags), pack(steps), pack(times), pack(values))


def add_run(store: Store, name: str, records: Sequence[Record]) -> None:
    """Put a run of one file into a store."""
    store.append(store.source(name, f"logs/{name}/log.jsonl"), records)


def training(
    seed: int,
    *,
    started: float,
    steps: int = 200,
    every: float = 10.0,
    lr: float = 0.1,
    silent: float | None = None,
    end: End | None = None,
    info: Mapping[str, object] | None = None,
    config: Mapping[str, str | int | float | bool | None] | None = None,
    nan_from: int | None = None,
) -> list[Record]:
    """Records of a plausible training: losses fall, accuracy rises, the learning rate decays.

    Args:
        seed: Of the noise.
        started: Wall time of its start in seconds.
        steps: How many records.
        every: Seconds between two of them.
        lr: The learning rate, which bends the curves.
        silent: Seconds that the last record lies back from now; moves all times.
        end: How it ended.
        info: What it says of itself.
        config: Settings beside the learning rate.
        nan_from: Number of the record from which on the training loss is NaN.
    """
    random = np.random.default_rng(seed)
    step = np.arange(steps) * 10.0
    time = started + np.arange(steps) * every
    if silent is not None:
        time += NOW - silent - time[-1]
    fall = np.exp(-np.arange(steps) / steps * (2 + 20 * lr))
    loss = 0.3 + 2 * fall + random.normal(0, 0.06, steps)
    if nan_from is not None:
        loss[nan_from:] = np.nan
    val = 0.42 + 1.9 * fall + random.normal(0, 0.03, steps) + np.linspace(0, 0.25, steps) ** 2
    accuracy = 0.93 - 0.8 * fall + random.normal(0, 0.01, steps)
    decay = lr * 0.5 * (1 + np.cos(np.pi * np.arange(steps) / steps))
    values = np.stack([loss, val, accuracy, decay], 1).ravel()
    records: list[Record] = [
        RunInfo({"started": float(time[0] - 5), **(info or {})}),
        Config({"lr": lr, "batch": 64, **(config or {})}),
        rows(("train/loss", "val/loss", "val/acc", "lr"), step.tolist(), time.tolist(), values.tolist()),
    ]
    return [*records, end] if end is not None else records


def gallery() -> Store:
    """Seven runs, one of each fate."""
    store = Store()
    here = {"host": "gpu-07", "python": "3.11.7", "command": ["python", "train.py", "--lr", "0.1"]}
    finished = End("finished", NOW - 7000, exit=0)
    add_run(store, "resnet/lr0.1-bs64", training(1, started=NOW - 9000, end=finished, info=here))
    add_run(store, "resnet/lr0.03-bs64", training(2, started=0, lr=0.03, silent=3, steps=150, info=here))
    failed = End("failed", NOW - 4000, exit=1, error=ERROR)
    add_run(store, "resnet/lr0.3-bs64", training(3, started=NOW - 5200, lr=0.3, steps=60, end=failed, info=here))
    add_run(store, "resnet/lr1.0-bs64", training(4, started=0, lr=1.0, steps=120, silent=4, nan_from=70, info=here))
    killed = End("killed", NOW - 9000, signal="SIGTERM")
    add_run(store, "vit/base", training(5, started=NOW - 12000, lr=0.01, steps=90, end=killed, config={"depth": 12}))
    add_run(store, "vit/中文-数据增强", training(6, started=0, lr=0.02, silent=740, steps=180, config={"depth": 24}))
    stopped = [End("interrupted", NOW - 90_000), Skipped("bad line", 120, "{", 3)]
    add_run(store, "old", [*training(7, started=NOW - 99_000, lr=0.05, steps=40), *stopped])
    return store


@pytest.fixture
def gallery_store() -> Store:
    """Seven runs, one of each fate."""
    return gallery()


@pytest.fixture
def make_app() -> Callable[..., TuimonApp]:
    """Makes an app on a store, at the fixed time, in a terminal of full colours."""

    def make(store: Store, **view: object) -> TuimonApp:
        return TuimonApp(["logs"], view=ViewState(**view), store=store, now=lambda: NOW, pid_alive=lambda _pid: True)  # type: ignore[arg-type]

    return make
