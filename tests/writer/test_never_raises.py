"""Whatever a script gives to whatever call, nothing escapes into the training, and the logs stay strict JSON."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tuimon_writer as wandb
from tuimon_writer import LogWriter, SummaryWriter, tracking

ENDS = {"close", "finish", "flush", "export_scalars_to_json", "reopen"}
PLOTS = ("confusion_matrix", "line", "line_series", "scatter", "bar", "histogram", "pr_curve", "roc_curve")
THINGS = (
    "Artifact",
    "Audio",
    "Histogram",
    "Html",
    "Image",
    "Molecule",
    "Object3D",
    "Plotly",
    "Settings",
    "Table",
    "Video",
)


class Hostile:
    """An object of which nothing works."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise RuntimeError(name)

    def _fail(self, *_: object) -> Any:
        raise RuntimeError("hostile")

    __str__ = __repr__ = __len__ = __iter__ = __bool__ = __eq__ = _fail
    __hash__ = object.__hash__


VALUES: list[Any] = [
    None, object(), "x", "", "\ud800", b"x", 1, -1, True, 10**400, float("nan"), 1j, [], {}, (), [[1], [1, 2]],
    {1: 2}, {"a": Hostile()}, [Hostile()], Hostile(), np.zeros(0), np.zeros((3, 4)), np.zeros((2, 3, 4, 4)),
    np.array(["a"]), np.array([None]), np.datetime64("2026-01-01"), np.ma.masked, len,
]  # fmt: skip


def methods(made: Any) -> list[Callable[..., Any]]:
    names = [name for name, _ in inspect.getmembers(type(made), inspect.isfunction) if not name.startswith("_")]
    return [getattr(made, name) for name in names if name not in ENDS]


def call(function: Callable[..., Any], chance: random.Random) -> None:
    """Call it with as many arguments as it takes, of any kind."""
    places = [one for one in inspect.signature(function).parameters.values() if one.kind is one.POSITIONAL_OR_KEYWORD]
    needed = sum(one.default is one.empty for one in places)
    function(*[chance.choice(VALUES) for _ in range(chance.randint(needed, len(places)))])


@pytest.mark.filterwarnings("ignore")
def test_any_call_with_anything(tmp_path: Path, logs: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twenty rounds of every call with arguments of every kind: no exception, and the good values arrive."""
    monkeypatch.chdir(tmp_path)
    chance = random.Random(1)
    plot: Any = wandb.plot  # type: ignore[attr-defined]
    board, visual, run = SummaryWriter("board"), LogWriter("visual"), wandb.init(dir="runs", name="run")
    functions = [*methods(board), *methods(visual), *methods(run)]
    functions += [getattr(plot, name) for name in PLOTS] + [getattr(wandb, name) for name in THINGS]
    for step in range(20):
        for function in functions:
            call(function, chance)
        for value in VALUES:
            run.log({"bad": value, "good": 0.5}, step=step)
            run.log({"list": [value], "nested": {"x": value}})
            run.summary["bad"] = run.config["bad"] = value
        run.log({Hostile(): 0.5})  # type: ignore[dict-item]
        board.add_scalar("good", 0.5, step)
        visual.add_scalar("good", 0.5, step)
    board.close()
    visual.close()
    wandb.finish()
    tracking._runs.clear()
    for directory in ("board", "visual"):
        assert [step for step, _ in logs.points(logs.read(tmp_path / directory), "good")][-20:] == list(range(20))
    assert len(logs.points(logs.read(tmp_path / "runs" / "run"), "good")) >= 20 * len(VALUES)
