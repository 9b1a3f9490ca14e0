"""Small logs, and a reader that follows them."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from tuimon.ingest import Ingest, Progress
from tuimon.watch import watch_files

PATIENCE = 20.0


def rows(steps: Iterable[int], scale: float = 1.0, tag: str = "loss") -> str:
    return "".join(json.dumps({"step": step, tag: step * scale}) + "\n" for step in steps)


def put(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def append(path: Path, text: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


def blind(paths: Sequence[str], stop: threading.Event) -> Iterator[Iterable[str]]:
    """A watcher that never sees anything."""
    stop.wait()
    yield []


def limited(paths: Sequence[str], stop: threading.Event) -> Iterator[Iterable[str]]:
    """A watcher that the system has no room for."""
    raise OSError(28, "OS file watch limit reached.")
    yield []


class Following:
    """A started reader, and waiting for what it should come to."""

    def __init__(
        self, *roots: Path | str, watcher: Callable[..., Iterator[Iterable[str]]] = watch_files, poll: float = 0.1
    ) -> None:
        self.news = threading.Condition()
        self.told: list[tuple[float, Progress]] = []
        self.ingest = Ingest([str(root) for root in roots], on_change=self._tell, watcher=watcher, poll=poll)
        self.store = self.ingest.store

    def _tell(self, progress: Progress) -> None:
        with self.news:
            self.told.append((time.monotonic(), progress))
            self.news.notify_all()

    def until(self, holds: Callable[[], object]) -> bool:
        """Wait for news that make it so."""

        def now() -> object:
            with self.store.lock:
                return holds()

        with self.news:
            return bool(self.news.wait_for(now, PATIENCE))

    def values(self, run: str, tag: str = "loss") -> dict[float, float]:
        """The current curve of a series."""
        with self.store.lock:
            if run not in self.store.runs or tag not in self.store.runs[run].series:
                return {}
            curve = self.store.runs[run].series[tag].curve()
            return dict(zip(curve.x.tolist(), curve.low.tolist(), strict=True))

    def __enter__(self) -> Following:
        self.ingest.start()
        assert self.ingest.wait_until_loaded(PATIENCE)
        return self

    def __exit__(self, *_: object) -> None:
        self.ingest.stop()


Watcher = Callable[..., Iterator[Iterable[str]]]


def steps(*values: int, scale: float = 1.0) -> dict[float, float]:
    return {float(step): step * scale for step in values}
