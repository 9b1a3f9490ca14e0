"""Files that come and go: what belongs to a run follows it, and nothing jumps in between."""

from __future__ import annotations

import itertools
import json
import os
import random
import shutil
from collections.abc import Iterable, Iterator, Sequence
from math import inf
from pathlib import Path

import pytest

from tuimon.collection import Collection
from tuimon.formats import registry
from tuimon.formats.base import Format, Parsed
from tuimon.records import Config, Record
from tuimon.store import Store

ROW = '{"step": 1, "loss": 0.5}\n'


class _Notes(Format):
    """Settings of a run, one a line."""

    name = "notes"
    rank = 1
    companion = True
    whole = True

    def sniff(self, path: str, head: bytes) -> bool:
        return path.endswith(".notes")

    def parser(self, path: str) -> _Notes:
        return self

    def clone(self, offset: int) -> _Notes:
        return self

    def parse(self, data: bytes, at_end: bool) -> Parsed:
        if not data.endswith(b"\n"):
            return Parsed([], 0)
        values = dict(line.split("=") for line in data.decode().split())
        return Parsed([Config(values)], len(data))


class Logs:
    """A directory and what is read of it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.store = Store()
        self.files = Collection([str(root)], self.store)
        self.looks: list[dict[str, list[float]]] = []

    def put(self, place: str, text: str = ROW, *, mtime: float | None = None) -> Path:
        path = self.root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        if mtime is not None:
            os.utime(path, (mtime, mtime))
        return path

    def read(self) -> Store:
        """Find what is there and read it, looking at the store after each file."""
        self.files.discover.find(full=True)
        self.files.take_up()
        self.looks = []
        while self.files.waiting:
            self.looks.append(self.points())
            self.files.read(0.0)
        self.files.forget_gone(inf)
        self.looks.append(self.points())
        return self.store

    def follow(self) -> None:
        """Notice what changed and read it, as a reader that has been running for a while."""
        self.files.discover.find(full=True)
        self.files.take_up()
        for path in list(self.files._readers):
            self.files.noticed(path, os.stat(path) if os.path.exists(path) else None, 0.0)
        for path in list(self.files.discover.undecided):
            self.files.discover.look_again(path)
        self.files.forget_gone(inf)
        while self.files.waiting:
            self.files.read(0.0)

    def points(self, tag: str = "loss") -> dict[str, list[float]]:
        """The values of a tag in each run that is listed."""
        runs = self.store.runs.items()
        return {name: run.series[tag].points().value.tolist() for name, run in runs if tag in run.series}


@pytest.fixture
def logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Logs:
    monkeypatch.setattr(registry, "_plugins", [_Notes()])
    return Logs(tmp_path / "logs")


def state(steps: Iterable[int], value: float) -> str:
    """What a checkpoint of the Trainer keeps."""
    rows = [{"step": step, "epoch": 1.0, "loss": value} for step in steps]
    return json.dumps({"global_step": rows[-1]["step"], "log_history": rows}, indent=1)


def test_settings_come_and_go_with_the_run_that_they_are_of(logs: Logs) -> None:
    """Alone they are no run; a second run below makes it unclear whose they are."""
    notes = logs.put("exp/all.notes", "lr=1\n")
    assert logs.read().runs == {}
    assert str(notes) not in logs.files
    logs.put("exp/a/log.jsonl")
    assert logs.read().runs["exp/a"].config == {"lr": "1"}
    logs.put("exp/b/log.jsonl")
    store = logs.read()
    assert [dict(store.runs[run].config) for run in ("exp/a", "exp/b")] == [{}, {}]
    assert str(notes) not in logs.files
    logs.put("exp/log.jsonl")
    assert logs.read().runs["exp"].config == {"lr": "1"}
    (logs.root / "exp" / "log.jsonl").unlink()
    store = logs.read()
    assert "exp" not in store.runs


def test_a_later_checkpoint_takes_the_place_of_the_earlier_one_at_once(logs: Logs) -> None:
    """In no moment are both there, or neither; one that is deleted makes way for the one before it."""
    logs.put("out/checkpoint-2/trainer_state.json", state([1, 2], 0.5), mtime=1e9)
    assert logs.read() is logs.store
    assert logs.points() == {"out": [0.5] * 2}
    logs.put("out/checkpoint-4/trainer_state.json", state([1, 2, 3, 4], 0.25), mtime=1e9 + 60)
    logs.read()
    assert logs.looks == [{"out": [0.5] * 2}, {"out": [0.25] * 4}]
    assert len(logs.files) == 1
    (logs.root / "out/checkpoint-4/trainer_state.json").unlink()
    logs.read()
    assert logs.looks == [{"out": [0.25] * 4}, {"out": [0.5] * 2}]
    (logs.root / "out/checkpoint-2/trainer_state.json").unlink()
    assert logs.read().runs == {}


def test_a_file_without_data_makes_no_run_and_is_followed(logs: Logs) -> None:
    """A header waits for its rows."""
    path = logs.put("run/log.jsonl", '{"tuimon": 1}\n')
    store = logs.read()
    assert store.runs == {}
    assert str(path) in logs.files
    path.write_text('{"tuimon": 1}\n' + ROW, encoding="utf-8")
    logs.files.look_at(str(path))
    logs.files.read(inf)
    assert list(store.runs) == ["run"]


def test_what_is_no_log_any_more_goes_although_it_changes(logs: Logs) -> None:
    """A later program wrote something else under the same name, and goes on to write."""
    path = logs.put("run/log.jsonl")
    logs.read()
    for text in ("no log\n", "no log at all\n"):
        path.write_text(text, encoding="utf-8")
        logs.files.look_at_all()
        logs.files.read(inf)
        logs.files.discover.find(full=True)
        logs.files.take_up()
        if str(path) in logs.files:
            logs.files.noticed(str(path), path.stat(), 0.0)
    logs.files.forget_gone(inf)
    assert logs.store.runs == {}


def test_a_directory_that_was_away_for_a_moment_is_still_there(logs: Logs) -> None:
    """It came back as it was before its runs were forgotten."""
    path = logs.put("run/log.jsonl")
    logs.read()
    away = logs.root.parent / "away"
    for old, new in ((path.parent, away), (away, path.parent)):
        old.rename(new)
        logs.files.discover.find(full=True)
        logs.files.take_up()
    assert logs.files.forget_gone(inf) == []
    assert logs.points() == {"run": [0.5]}


def test_streaming_gives_what_is_shown(logs: Logs) -> None:
    """A run in two formats is streamed from both; each knows what it does not show."""
    logs.put("run/result.jsonl", "".join(f'{{"step": {i}, "loss": {i}.5, "x": 1}}\n' for i in range(3)))
    logs.put("run/trainer_state.json", state([0, 1, 2], 0.5))
    logs.read()
    hidden: dict[str, Sequence[str]] = {}
    records: list[Record] = []
    for source, found in logs.files.records():
        hidden[os.path.basename(source.path)] = list(source.hidden)
        records += found
    assert set(hidden) == {"result.jsonl", "trainer_state.json"}
    assert sorted(map(len, hidden.values())) == [0, 1]
    assert logs.store.runs["run"].series["loss"].count == 3


def _training(root: Path) -> dict[str, bytes]:
    """What some trainings leave behind, by place."""
    rows = [(step, 4.0 / (1 + step)) for step in range(0, 50, 10)]
    lines = "".join(f'{{"step": {step}, "loss": {loss}}}\n' for step, loss in rows)
    table = "step,loss\n" + "".join(f"{step},{loss}\n" for step, loss in rows)
    files = {
        "ray/result.jsonl": lines,
        "ray/progress.csv": table,
        "ray/all.notes": "lr=1\n",
        "seeds/x_seed1.csv": table,
        "seeds/x_seed2.csv": table,
        "seeds/x_seed2.notes": "lr=2\n",
        "group/all.notes": "lr=3\n",
        "group/a/log.jsonl": lines,
        "out/checkpoint-2/trainer_state.json": state([1, 2], 0.5),
        "out/checkpoint-4/trainer_state.json": state([1, 2, 3, 4], 0.25),
        "empty/log.jsonl": '{"tuimon": 1}\n',
    }
    contents = {place: text.encode() for place, text in files.items()}
    writer_of = pytest.importorskip("tensorboardX").SummaryWriter
    with writer_of(str(root / "tb" / "run")) as writer:
        for step, loss in rows:
            writer.add_scalar("loss", loss, step)
            writer.add_scalars("acc", {"train": loss, "val": 2 * loss}, step)
        writer.add_hparams({"lr": 0.1}, {"hparam/acc": 0.5})
    contents.update((str(path.relative_to(root)), path.read_bytes()) for path in root.rglob("*tfevents*"))
    return contents


def _told(store: Store) -> dict[str, tuple[object, ...]]:
    return {
        name: (
            {tag: series.count for tag, series in run.series.items()},
            dict(run.config),
            run.attempts,
            {os.path.basename(source.path) for source in run.sources},
        )
        for name, run in store.runs.items()
    }


@pytest.mark.parametrize("seed", range(12))
def test_the_order_in_which_files_come_and_grow_changes_nothing(
    logs: Logs, tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    """Found one after the other and half written, they become the same runs as found at once."""
    chance = random.Random(seed)
    contents = _training(tmp_path_factory.mktemp("made"))
    cuts = {place: chance.choice([0, chance.randrange(len(content)), None]) for place, content in contents.items()}
    steps = [(place, cut) for place, cut in cuts.items() if cut is not None] + [(place, None) for place in contents]
    chance.shuffle(steps)
    done: set[str] = set()
    for place, cut in steps:
        if place not in done:
            path = logs.put(place, "")
            path.write_bytes(contents[place][:cut])
            done |= {place} if cut is None else set()
            logs.files.discover.look_again(str(path))
            logs.read()
            logs.files.look_at_all()
    logs.read()
    fresh = Logs(logs.root)
    assert _told(logs.store) == _told(fresh.read())
    assert set(fresh.store.runs) == {"ray", "seeds/x_seed1", "seeds/x_seed2", "group/a", "out", "tb/run"}
    assert fresh.store.runs["tb/run"].config == {"lr": 0.1}


def _change(root: Path, made: dict[str, bytes], chance: random.Random, clock: Iterator[int]) -> None:
    """Do something to a directory of logs that programs and people do."""
    place = chance.choice(sorted(made))
    path, folder = root / place, root / place.split("/")[0]
    other = root / f"other{chance.randrange(2)}"

    def write(data: bytes) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        when = 1e9 + next(clock)  # every change is later than the one before
        os.utime(path, (when, when))

    match chance.randrange(9):
        case 0 | 1 | 2:
            write(made[place])
        case 3:
            write(made[place][: chance.randrange(len(made[place]))])
        case 4 if path.exists():
            path.unlink()
        case 5 if folder.is_dir():
            shutil.rmtree(folder)
        case 6 if folder.is_dir() and not os.path.lexists(other):
            folder.rename(other)
        case 7 if other.is_symlink():
            other.unlink()
        case 7 if folder.is_dir() and not os.path.lexists(other):
            other.symlink_to(folder)
        case 8 if path.exists():
            new = root.parent / "new"
            new.write_bytes(made[place])
            os.replace(new, path)


@pytest.mark.parametrize("seed", range(10))
def test_whatever_happens_to_a_tree_it_is_read_as_it_is(
    logs: Logs, tmp_path_factory: pytest.TempPathFactory, seed: int
) -> None:
    """Files and directories come, grow, shrink, go, are moved, replaced and linked: all is as if found at once."""
    chance, clock = random.Random(seed), itertools.count()
    made = _training(tmp_path_factory.mktemp("made"))
    logs.root.mkdir()
    for _ in range(30):
        _change(logs.root, made, chance, clock)
        if chance.random() < 0.7:
            logs.follow()
    for place, content in made.items():  # no document is left half written
        path = logs.root / place
        if path.exists():
            path.write_bytes(content)
    for _ in range(3):
        logs.follow()
    fresh = Logs(logs.root)
    fresh.read()
    assert {name: told for name, told in _told(logs.store).items() if told[0]} == {
        name: told for name, told in _told(fresh.store).items() if told[0]
    }
