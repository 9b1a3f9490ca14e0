"""A way to run the command line in this process, and small logs to run it on."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tuimon.cli import main


@dataclass(frozen=True)
class Result:
    """How a command ended and what it said."""

    status: int
    out: str
    err: str


Tuimon = Callable[..., Result]


@pytest.fixture
def tuimon(capsys: pytest.CaptureFixture[str]) -> Tuimon:
    """Run a command line; usage errors give their status instead of leaving the process."""

    def run(*words: object) -> Result:
        try:
            status = main([str(word) for word in words])
        except SystemExit as end:
            status = int(end.code or 0)
        captured = capsys.readouterr()
        return Result(status, captured.out, captured.err)

    return run


Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a log in tuimon's own format below ``logs``: ``write("run", [(step, {"loss": 1.0})], config={…})``."""

    def write(
        run: str,
        rows: Sequence[tuple[object, Mapping[str, object]]],
        *,
        config: Mapping[str, object] | None = None,
        file: str = "a.jsonl",
        started: float = 1_700_000_000.0,
    ) -> Path:
        path = tmp_path / "logs" / run / file
        path.parent.mkdir(parents=True, exist_ok=True)
        lines: list[object] = [{"tuimon": 1, "run": {"name": run, "started": started}, "config": config or {}}]
        lines += [{"step": step, "time": started + i, "scalars": scalars} for i, (step, scalars) in enumerate(rows)]
        lines.append({"end": {"status": "finished", "time": started + len(rows), "exit": 0}})
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        return path

    return write


@pytest.fixture
def logs(write: Write, tmp_path: Path) -> Path:
    """Two runs with a setting that differs: ``fast`` (lr 0.1) and ``slow`` (lr 0.01), ten steps each."""
    for name, lr, speed in (("fast", 0.1, 2), ("slow", 0.01, 1)):
        rows = [(i, {"train/loss": 1 / (1 + speed * i), "val/accuracy": 1 - 1 / (2 + speed * i)}) for i in range(10)]
        write(name, rows, config={"lr": lr, "batch_size": 32})
    return tmp_path / "logs"
