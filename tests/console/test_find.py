"""Which files hold what a run printed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from tuimon.console.find import Output, outputs
from tuimon.records import RunInfo, TextRecord
from tuimon.store import Origin, Store


def touch(*paths: Path) -> None:
    """Make files, with the directories above them."""
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x\n")


def found(store: Store, run: str) -> list[Output]:
    """What there is of a run."""
    owner: Mapping[str, str] = {s.path: r.name for r in store.runs.values() for s in r.sources}
    get: Callable[[str], str | None] = owner.get
    return outputs(store.runs[run], get, "console")


def test_the_file_of_the_writer_comes_first(tmp_path: Path) -> None:
    """What the writer kept beside the newest log is first, then earlier attempts, then what is called as output."""
    store = Store()
    for name in ("tuimon-1", "tuimon-2"):
        touch(tmp_path / f"{name}.jsonl", tmp_path / f"{name}.console")
        store.append(store.source("a", str(tmp_path / f"{name}.jsonl")), [RunInfo({"started": float(name[-1])})])
    touch(tmp_path / "stderr.txt", tmp_path / "notes.txt", tmp_path / "requirements.txt", tmp_path / "model.pt")
    told = found(store, "a")
    assert [output.name for output in told] == ["tuimon-2.console", "tuimon-1.console", "stderr.txt"]
    assert [output.errors for output in told] == [False, False, True]


def test_the_output_of_wandb(tmp_path: Path) -> None:
    """The output.log of W&B is found from its record and from its other files, and what its record holds too."""
    folder = tmp_path / "run-2024"
    touch(folder / "run-a.wandb", folder / "files" / "output.log", folder / "files" / "config.yaml")
    store = Store()
    store.append(store.source("a", str(folder / "run-a.wandb")), [TextRecord("console", None, 1.0, "hello\n")])
    other = Store()
    other.append(other.source("b", str(folder / "files" / "config.yaml")), [RunInfo({"host": "h"})])
    assert [output.name for output in found(store, "a")] == ["output.log", "in the log"]
    assert [output.path for output in found(other, "b")] == [str(folder / "files" / "output.log")]


def test_logs_of_several_runs_in_one_directory(tmp_path: Path) -> None:
    """Where a directory holds several runs, a file belongs to the log whose name it has."""
    store = Store()
    for name in ("a", "b"):
        touch(tmp_path / f"{name}.csv", tmp_path / f"{name}.out")
        store.append(store.source(name, str(tmp_path / f"{name}.csv")), [RunInfo({"host": "h"})])
    touch(tmp_path / "train.log")
    assert [output.name for output in found(store, "a")] == ["a.out"]


def test_a_log_that_is_output_itself(tmp_path: Path) -> None:
    """A run that was read from its output has that as its log."""
    touch(tmp_path / "train.log")
    store = Store()
    store.append(store.source("a", str(tmp_path / "train.log"), origin=Origin(rank=90)), [RunInfo({"x": 1})])
    assert [output.path for output in found(store, "a")] == [str(tmp_path / "train.log")]


def test_the_output_of_a_job(tmp_path: Path) -> None:
    """The files of the Slurm job are found above the log, whatever they are called, by its number."""
    log = tmp_path / "runs" / "a" / "log.jsonl"
    touch(log, tmp_path / "slurm-4711.out", tmp_path / "train_4711.err", tmp_path / "slurm-47110.out")
    store = Store()
    store.append(store.source("a", str(log)), [RunInfo({"job": "4711"})])
    assert [output.name for output in found(store, "a")] == ["slurm-4711.out", "train_4711.err"]
    assert found(store, "a")[1].errors


def test_nothing_is_found(tmp_path: Path) -> None:
    """A run whose directory is gone has no output, and that is no error."""
    store = Store()
    store.append(store.source("a", str(tmp_path / "gone" / "log.jsonl")), [RunInfo({"host": "h"})])
    assert found(store, "a") == []
