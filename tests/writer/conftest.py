"""Helpers of the writer's tests: read a log back strictly, and run a training in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from tuimon_writer import messages


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The lines of one log: each must be strict JSON, and the last must be whole."""
    data = path.read_bytes()
    assert not data or data.endswith(b"\n")
    return [json.loads(line, parse_constant=_refuse) for line in data.decode().splitlines()]


def _refuse(token: str) -> None:
    raise AssertionError(f"{token} is not strict JSON")


def _in_order(path: Path) -> tuple[str, int]:
    """What is before the counter in a log's name, and the counter: 9 is before 10."""
    start, _, counter = path.stem.rpartition("-")
    return start, int(counter)


def read_log(directory: Path) -> list[dict[str, Any]]:
    """The lines of all logs in a directory, after checking that each begins with a header."""
    lines: list[dict[str, Any]] = []
    for path in sorted(directory.glob("tuimon-*.jsonl"), key=_in_order):
        of_file = read_lines(path)
        if not of_file:
            continue  # it has just been made
        assert of_file[0]["tuimon"] == 1
        assert sum("tuimon" in line for line in of_file) == 1
        lines += of_file
    return lines


def points(lines: list[dict[str, Any]], tag: str) -> list[tuple[Any, Any]]:
    """The (step, value) pairs of a tag, in file order."""
    return [(line["step"], line["scalars"][tag]) for line in lines if tag in line.get("scalars", {})]


def end_of(lines: list[dict[str, Any]]) -> dict[str, Any]:
    """The one end record."""
    (end,) = [line["end"] for line in lines if "end" in line]
    return dict(end)


class Training:
    """A script that runs in a process of its own."""

    def __init__(self, source: str, directory: Path) -> None:
        self.directory = directory
        environment = {key: value for key, value in os.environ.items() if key not in ("RANK", "PYTHONWARNINGS")}
        self.process = subprocess.Popen(
            [sys.executable, "-c", source],
            cwd=directory,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def await_line(self, line: str) -> None:
        """Wait until the script prints a line."""
        assert self.process.stdout is not None
        while (found := self.process.stdout.readline()) != f"{line}\n":
            assert found, self.process.communicate(timeout=30)[1]

    def finish(self) -> tuple[int, str, str]:
        """Wait for its end: exit status, standard output, standard error."""
        output, errors = self.process.communicate(timeout=40)
        return self.process.returncode, output, errors


@pytest.fixture
def train(tmp_path: Path) -> Iterator[Callable[[str], Training]]:
    """Starts a script in the test's directory; it is killed with the test."""
    started: list[Training] = []

    def start(source: str) -> Training:
        started.append(Training(source, tmp_path))
        return started[-1]

    yield start
    for training in started:
        if training.process.poll() is None:
            training.process.kill()
        training.process.communicate()


@pytest.fixture(autouse=True)
def _forget_warnings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test sees the warnings that are given once a process."""
    monkeypatch.setattr(messages, "_said", set())


def until(condition: Callable[[], object]) -> None:
    """Wait for what another thread or process brings about; fails after ten seconds."""
    limit = monotonic() + 10
    while not condition():
        assert monotonic() < limit
        sleep(0.005)


class Logs:
    """Reads logs back; what tests need of the functions above, which they cannot import."""

    read = staticmethod(read_log)
    lines = staticmethod(read_lines)
    points = staticmethod(points)
    end = staticmethod(end_of)
    until = staticmethod(until)


@pytest.fixture
def logs() -> Logs:
    """Reads logs back."""
    return Logs()
