"""What a case is, and where cases are found."""

from __future__ import annotations

import importlib
import pkgutil
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import tuimon_writer.demo.cases
from tuimon_writer import SummaryWriter
from tuimon_writer.demo.lab import Row

Train = Callable[[np.random.Generator], Iterable[Row]]


@dataclass(frozen=True)
class Case:
    """A training in which something goes wrong, and the same one put right.

    Attributes:
        finds: The rule that is to tell of it.
        wrong, right: The trainings.
        settings: What is logged as settings of both.
    """

    finds: str
    wrong: Train
    right: Train
    settings: Mapping[str, object] = field(default_factory=dict)


def case_names() -> list[str]:
    """The names of all cases."""
    modules = (module.name for module in pkgutil.iter_modules(tuimon_writer.demo.cases.__path__))
    return sorted(name.replace("_", "-") for name in modules if name not in ("base", "__main__"))


def find_case(name: str) -> Case:
    """The case of a name.

    Raises:
        ValueError: There is none.
    """
    if name not in case_names():
        raise ValueError(f"there is no case {name!r}; there are {', '.join(case_names())}")
    module = importlib.import_module(f"tuimon_writer.demo.cases.{name.replace('-', '_')}")
    found: Case = module.CASE
    return found


def log_case(name: str, directory: Path, *, seconds: float) -> None:
    """Train a case and what puts it right, step by step at the same time, each into a run of its own.

    Args:
        name: The case.
        directory: Where to log; the runs are ``NAME`` and ``NAME-fixed``.
        seconds: How long it takes, by waiting between steps.
    """
    case = find_case(name)
    trainings = [list(train(np.random.default_rng(4))) for train in (case.wrong, case.right)]
    writers = [SummaryWriter(directory / run) for run in (name, f"{name}-fixed")]
    steps = max(map(len, trainings))
    began = time.monotonic()
    for writer in writers:
        if case.settings:
            writer.add_hparams(dict(case.settings), {})
    for number in range(steps):
        for writer, rows in zip(writers, trainings, strict=True):
            if number < len(rows):
                _log(writer, rows[number])
        time.sleep(max(0.0, began + seconds * (number + 1) / steps - time.monotonic()))
    for writer in writers:
        writer.close()


def _log(writer: SummaryWriter, row: Row) -> None:
    for tag, value in row.scalars.items():
        writer.add_scalar(tag, value, row.step)
    for tag, tensor in row.tensors.items():
        writer.add_histogram(tag, tensor, row.step)
