"""Real logs that grow, or are replaced by those of later runs, while they are watched."""

from __future__ import annotations

import itertools
import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tuimon.ingest import Ingest
from tuimon.store import Store

PATIENCE = 30.0

Put = Callable[[Path, bytes], None]


def grown(path: Path, data: bytes) -> None:
    """Bytes are added to what is there, if that is how it goes on; else it is written over."""
    old = path.read_bytes() if path.exists() else b""
    with path.open("ab" if data.startswith(old) else "wb") as file:
        file.write(data.removeprefix(old) if data.startswith(old) else data)


def replaced(path: Path, data: bytes) -> None:
    """Another file takes its name, as rsync does it."""
    other = path.parent.parent / "arriving"
    other.write_bytes(data)
    os.replace(other, path)


def rewritten(path: Path, data: bytes) -> None:
    """It is emptied and comes again in pieces, cut anywhere."""
    with path.open("wb", buffering=0) as file:
        for piece in range(3):
            file.write(data[piece * len(data) // 3 : (piece + 1) * len(data) // 3])


def told(store: Store) -> dict[str, object]:
    """All that is known of each run, ready to be compared."""
    with store.lock:
        return {
            name: {
                "points": {
                    tag: [*map(bytes, (points.step, points.time, points.value, points.attempt, points.current))]
                    for tag, points in ((tag, series.points()) for tag, series in run.series.items())
                },
                "series": {
                    tag: str((it.count, it.nulls, it.nan, it.last, it.minimum, it.maximum, it.attempts))
                    for tag, it in run.series.items()
                },
                "things": {
                    tag: (it.count, it.steps.tolist())
                    for tag, it in itertools.chain(run.histograms.items(), run.media.items())
                },
                "run": (dict(run.config), dict(run.info), run.end, run.attempts, run.points, run.last_step),
                "files": [(source.path, dict(source.hidden), source.loading) for source in run.sources],
                "notices": sorted(map(str, run.notices)),
            }
            for name, run in store.runs.items()
            if run.points or run.config
        }


@pytest.mark.parametrize("put", [grown, replaced, rewritten])
def test_what_is_followed_is_what_is_there(real_logs: Path, tmp_path: Path, put: Put) -> None:
    """After each state of each log all is as if it had been read at once (cases G1 and G13)."""
    chains = [path for path in (real_logs.parent / "growth").iterdir() if path.is_dir()]
    states = [sorted(chain.iterdir(), key=lambda state: int(state.name[1:])) for chain in chains]
    news = threading.Condition()

    def tell(_: object) -> None:
        with news:
            news.notify_all()

    logs = tmp_path / "logs"
    logs.mkdir()
    followed = Ingest([str(logs)], on_change=tell)
    followed.start()
    try:
        for round_ in itertools.zip_longest(*states):
            for chain, state in zip(chains, round_, strict=True):
                for file in [] if state is None else state.iterdir():
                    (logs / chain.name).mkdir(exist_ok=True)
                    put(logs / chain.name / file.name, file.read_bytes())
            fresh = Ingest([str(logs)])
            fresh.load()
            expected = told(fresh.store)
            assert len(expected) > 25
            with news:
                news.wait_for(lambda expected=expected: told(followed.store) == expected, PATIENCE)
            assert told(followed.store) == expected
    finally:
        followed.stop()
        shutil.rmtree(logs)
