"""What changed is noticed with and without file events, soon where it matters and cheaply where it does not."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import pytest

from tuimon import watch
from tuimon.watch import Events, Sweep, network_filesystem, watch_files

HOUR = 3600.0


def aged(path: Path, seconds: float, text: str = "x") -> str:
    """A file that was last changed so long ago."""
    path.write_text(text, encoding="utf-8")
    then = time.time() - seconds
    os.utime(path, (then, then))
    return str(path)


def grow(path: str) -> None:
    """Append without moving the time of change, as network drives show it."""
    before = os.stat(path)
    with open(path, "a", encoding="utf-8") as file:
        file.write("more")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def changed_paths(sweep: Sweep, begin: float, seconds: float, tick: float = 0.1) -> list[str]:
    """What a sweep reports while a made-up clock advances."""
    found: list[str] = []
    for count in range(1, round(seconds / tick) + 1):
        found += [path for path, _ in sweep.due(begin + count * tick)]
    return found


def looks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record every look at a file."""
    seen: list[str] = []
    plain = watch._stat

    def counting(path: str, fresh: bool) -> os.stat_result | None:
        seen.append(path)
        return plain(path, fresh)

    monkeypatch.setattr(watch, "_stat", counting)
    return seen


@pytest.mark.parametrize(
    ("age", "within"),
    [(0.0, 0.2), (30.0, 0.6), (120.0, 1.2), (25 * HOUR, 5.2)],
    ids=["live", "slow", "quiet", "a day old"],
)
def test_growth_is_noticed_by_size_alone(tmp_path: Path, age: float, within: float) -> None:
    """A file grows without a new time of change, however long it was silent (cases G2 and G8)."""
    path = aged(tmp_path / "log.jsonl", age)
    sweep = Sweep()
    sweep.add(path, 100.0)
    assert changed_paths(sweep, 100.0, 6.0) == []
    grow(path)
    assert changed_paths(sweep, 106.0, within) == [path]


def test_every_file_gets_its_turn_and_turns_are_spread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand old files are looked at once in five seconds each, never all at one time (case G18)."""
    monkeypatch.setattr(watch.time, "perf_counter", lambda: 0.0)
    sweep = Sweep()
    paths = [aged(tmp_path / f"{number}.jsonl", 2 * HOUR) for number in range(1000)]
    for path in paths:
        sweep.add(path, 0.0)
    seen = looks(monkeypatch)
    per_tick = []
    for tick in range(51):
        before = len(seen)
        sweep.due(tick * 0.1)
        per_tick.append(len(seen) - before)
    assert sorted(seen) == sorted(paths)
    assert max(per_tick) <= 21


def test_a_slow_drive_is_asked_less_often(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a look takes long, looks become rarer, down to one a minute for old files (case G18)."""
    ticking = iter(range(1, 1_000_000))
    monkeypatch.setattr(watch.time, "perf_counter", lambda: next(ticking) * 10.0)
    sweep = Sweep()
    for number in range(20):
        sweep.add(aged(tmp_path / f"{number}.jsonl", 2 * HOUR), 0.0)
    for tick in range(600):
        sweep.due(tick * 0.1)
    seen = looks(monkeypatch)
    for tick in range(600, 1200):
        sweep.due(tick * 0.1)
    assert 15 <= len(seen) <= 25


def test_a_change_makes_a_file_live_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After its first new byte an old file is looked at every time, and after some silence less and less often."""
    path = aged(tmp_path / "log.jsonl", 25 * HOUR)
    sweep = Sweep()
    sweep.add(path, 0.0)
    assert sweep.wait() == 5 * sweep.poll
    grow(path)
    assert [changed for changed, _ in sweep.look([path], 1.0)] == [path]
    assert sweep.wait() == sweep.poll
    seen = looks(monkeypatch)
    changed_paths(sweep, 1.0, 2.0)
    assert 18 <= len(seen) <= 20
    changed_paths(sweep, 61.0, 2.0)
    seen.clear()
    changed_paths(sweep, 63.0, 10.0)
    assert 9 <= len(seen) <= 11
    assert sweep.wait() == 5 * sweep.poll


def test_a_file_that_goes_and_comes_is_reported_once_each(tmp_path: Path) -> None:
    """A missing file raises no error again and again (case G5)."""
    path = aged(tmp_path / "log.jsonl", 0.0)
    sweep = Sweep()
    sweep.add(path, 0.0)
    os.unlink(path)
    assert sweep.look([path], 1.0) == [(path, None)]
    assert sweep.look([path], 2.0) == []
    aged(tmp_path / "log.jsonl", 0.0)
    assert [found for found, status in sweep.look([path], 3.0) if status] == [path]
    sweep.discard(path)
    assert path not in sweep
    assert sweep.look([path], 4.0) == []


def test_a_replaced_file_of_the_same_size_is_a_change(tmp_path: Path) -> None:
    """Size and time are the same, but it is another file (case G1)."""
    path = aged(tmp_path / "log.jsonl", 50.0, "old")
    sweep = Sweep()
    sweep.add(path, 0.0)
    other = aged(tmp_path / "copy", 50.0, "new")
    times = os.stat(path)
    os.utime(other, ns=(times.st_atime_ns, times.st_mtime_ns))
    os.replace(other, path)
    assert [changed for changed, _ in sweep.look([path], 1.0)] == [path]


def test_a_hiccup_of_the_drive_is_no_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An input/output error neither ends the sweep nor looks like a deleted file."""
    path = aged(tmp_path / "log.jsonl", 0.0)
    sweep = Sweep()
    sweep.add(path, 0.0)

    def failing(path: str, fresh: bool) -> os.stat_result:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(watch, "_stat", failing)
        assert sweep.due(1.0) == []
    grow(path)
    assert [changed for changed, _ in sweep.due(2.0)] == [path]


def test_a_network_drive_is_asked_by_opening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A plain question may be answered from memory for minutes; opening the file asks the server."""
    path = aged(tmp_path / "log.jsonl", 0.0)
    sweep = Sweep()
    sweep.add(path, 0.0, fresh=True)
    grow(path)
    opened: list[str] = []
    plain = os.open

    def counting(path: str, flags: int) -> int:
        opened.append(path)
        return plain(path, flags)

    monkeypatch.setattr(watch.os, "open", counting)
    assert [changed for changed, _ in sweep.due(1.0)] == [path]
    assert opened == [path]


class Watching:
    """Events below some roots; waits for single paths."""

    def __init__(self, *roots: Path, watcher: watch.Watcher = watch_files) -> None:
        self.wake = threading.Event()
        self.events = Events(self.wake, watcher)
        self.seen: set[str] = set()
        self.watch(*roots)

    def watch(self, *roots: Path) -> None:
        self.events.watch([(str(root), (root.stat().st_dev, root.stat().st_ino)) for root in roots])

    def wait_for(self, path: Path, poke: bool = False) -> bool:
        """Wait for an event of the path; poke writes to it until there is one, as watching takes a moment to begin."""
        for _ in range(100):
            if poke:
                path.write_text(f"{time.monotonic()}", encoding="utf-8")
            self.wake.wait(0.1)
            self.wake.clear()
            self.seen |= self.events.take()
            if str(path) in self.seen:
                return True
        return False


@pytest.fixture
def watching(tmp_path: Path) -> Iterator[Watching]:
    seen = Watching(tmp_path)
    yield seen
    seen.events.stop()


def test_events_wake_the_reader(tmp_path: Path, watching: Watching) -> None:
    """A change deep below the root arrives with its path, also in a directory that is new."""
    assert watching.wait_for(tmp_path / "first.jsonl", poke=True)
    (tmp_path / "new" / "run").mkdir(parents=True)
    assert watching.wait_for(tmp_path / "new" / "run" / "log.jsonl", poke=True)
    assert watching.events.notice is None


def test_events_name_paths_as_the_root_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A relative root stays relative, as the walk names its files so."""
    (tmp_path / "logs").mkdir()
    monkeypatch.chdir(tmp_path)
    seen = Watching(Path("logs"))
    try:
        assert seen.wait_for(Path("logs/log.jsonl"), poke=True)
    finally:
        seen.events.stop()


def test_a_directory_that_was_made_anew_is_watched_anew(tmp_path: Path) -> None:
    """The old watch is blind for the new directory (case G6)."""
    root = tmp_path / "logs"
    root.mkdir()
    seen = Watching(root)
    try:
        assert seen.wait_for(root / "a.jsonl", poke=True)
        (root / "a.jsonl").unlink()
        root.rename(tmp_path / "old")
        root.mkdir()
        seen.watch(root)
        assert seen.wait_for(root / "b.jsonl", poke=True)
    finally:
        seen.events.stop()


def test_a_watcher_that_fails_is_one_notice(tmp_path: Path) -> None:
    """Too many watches: said once, and the reader is woken to say it (case G3)."""

    def failing(paths: Sequence[str], stop: threading.Event) -> Iterator[Iterable[str]]:
        raise OSError(28, "OS file watch limit reached.")
        yield []

    seen = Watching(tmp_path, watcher=failing)
    assert seen.wake.wait(5.0)
    assert seen.events.notice == "no file events ([Errno 28] OS file watch limit reached.): looking at sizes instead"
    seen.events.stop()


def test_network_drives_are_recognised(tmp_path: Path) -> None:
    """By the table of mounts; a local drive and an unreadable table are taken for local."""
    device = os.stat(tmp_path).st_dev
    line = f"36 35 {os.major(device)}:{os.minor(device)} / {tmp_path} rw shared:1 - "
    table = tmp_path / "mountinfo"
    for kind, expected in (
        ("nfs4 server:/x rw", "nfs4"),
        ("fuse.sshfs me@host rw", "fuse.sshfs"),
        ("ext4 /dev/x", None),
    ):
        table.write_text(f"1 2 999:999 / /other rw - cifs x rw\n{line}{kind}\n", encoding="utf-8")
        assert network_filesystem(str(tmp_path), str(table)) == expected
    assert network_filesystem(str(tmp_path), str(tmp_path / "nothing")) is None


def test_a_network_drive_is_not_watched_but_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its events would only be those of this machine (case G3)."""
    monkeypatch.setattr(watch, "network_filesystem", lambda _: "nfs4")

    def unwanted(paths: Sequence[str], stop: threading.Event) -> Iterator[Iterable[str]]:
        raise AssertionError("must not be called")
        yield []

    seen = Watching(tmp_path, watcher=unwanted)
    assert seen.events.network == {str(tmp_path)}
    assert seen.events.notice == "no file events on nfs4: looking at sizes instead"
    seen.events.stop()
