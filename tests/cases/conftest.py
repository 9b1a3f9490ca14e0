"""Cases that users reported of other monitors, from real files through the reader and the command line."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from tuimon.cli import main
from tuimon.ingest import Ingest
from tuimon.store import Run, Series, Store

START = 1_700_000_000.0

Rows = Sequence[tuple[object, Mapping[str, object]]]


class Logs:
    """A log directory in which to put files of one dialect, and what tuimon makes of them."""

    def __init__(self, root: Path, dialect: str, capsys: pytest.CaptureFixture[str]) -> None:
        self.root = root
        self.dialect = dialect
        self._capsys = capsys

    def text(self, rows: Rows, *, started: float = START, header: bool = True, **run: object) -> str:
        """Rows of (step, values by tag), a second apart, in the dialect: the native one, or flat objects."""
        lines: list[object] = []
        if self.dialect == "native" and header:
            lines.append({"tuimon": 1, "run": {"started": started, **run}, "config": {}})
        for i, (step, values) in enumerate(rows):
            when = started + i
            if self.dialect == "native":
                lines.append({"step": step, "time": when, "scalars": values})
            else:
                lines.append({"step": step, "timestamp": when, **values})
        return "".join(json.dumps(line) + "\n" for line in lines)

    def write(self, run: str, rows: Rows, file: str = "F1.jsonl", **options: Any) -> Path:
        """A file of a run."""
        return self.put(f"{run}/{file}", self.text(rows, **options))

    def put(self, place: str, content: str | bytes) -> Path:
        """A file with this content."""
        path = self.root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def load(self) -> Store:
        """Everything that is there, read by the real reader."""
        ingest = Ingest([str(self.root)])
        ingest.load()
        return ingest.store

    def run(self, name: str = "R") -> Run:
        """One run."""
        return self.load().runs[name]

    def series(self, tag: str = "v", run: str = "R") -> Series:
        """One series."""
        return self.run(run).series[tag]

    def tuimon(self, *words: object) -> str:
        """What a command prints about the directory; it must succeed and say nothing on standard error."""
        self._capsys.readouterr()
        status = main([str(words[0]), str(self.root), *map(str, words[1:])])
        captured = self._capsys.readouterr()
        assert (status, captured.err) == (0, "")
        return captured.out

    def exported(self, *words: object) -> list[dict[str, Any]]:
        """The points of the export."""
        return [json.loads(line) for line in self.tuimon("export", *words).splitlines()]

    def listed(self, run: str = "R") -> dict[str, Any]:
        """What ``ls --json`` says of a run."""
        found: dict[str, Any] = next(one for one in json.loads(self.tuimon("ls", "--json")) if one["run"] == run)
        return found

    def shown(self, view: str = "scalars", *words: object, height: int = 20) -> str:
        """A screen."""
        return self.tuimon("show", "--view", view, "--width", 90, "--height", height, "--smooth", 0, *words)


@pytest.fixture(params=["native", "flat"])
def logs(request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Logs:
    """A log directory for files of each dialect in turn."""
    return Logs(tmp_path / "logs", request.param, capsys)


@pytest.fixture
def native(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Logs:
    """A log directory for native files."""
    return Logs(tmp_path / "logs", "native", capsys)


@pytest.fixture
def flat(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Logs:
    """A log directory for flat JSON lines."""
    return Logs(tmp_path / "logs", "flat", capsys)
