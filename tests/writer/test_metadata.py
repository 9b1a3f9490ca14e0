"""What a log says of its process and of its place in a distributed training."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

import tuimon_writer
from tuimon_writer import LogWriter, SummaryWriter

TORCHRUN = {
    "RANK": "5",
    "LOCAL_RANK": "1",
    "WORLD_SIZE": "8",
    "GROUP_RANK": "1",
    "TORCHELASTIC_RUN_ID": "resnet",
}
SLURM = {
    "SLURM_PROCID": "3",
    "SLURM_LOCALID": "1",
    "SLURM_NTASKS": "4",
    "SLURM_NODEID": "1",
    "SLURM_JOB_ID": "4711",
}
FACES: dict[str, Callable[..., Any]] = {
    "SummaryWriter": SummaryWriter,
    "LogWriter": LogWriter,
    "init": lambda directory, **more: tuimon_writer.init(dir=directory, name="run", **more),
}


@pytest.fixture(params=FACES)
def face(request: pytest.FixtureRequest) -> Callable[..., Any]:
    """Each of the three ways to begin a log."""
    return FACES[request.param]


@pytest.fixture(autouse=True)
def _no_launcher(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*TORCHRUN, *SLURM, "SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID", "TUIMON_MAIN_RANK_ONLY"):
        monkeypatch.delenv(name, raising=False)


def begin(face: Callable[..., Any], directory: Path, **more: Any) -> None:
    writer = face(str(directory), **more)
    if hasattr(writer, "finish"):
        writer.log({"loss": 1.0})
        writer.finish()
    else:
        writer.add_scalar("loss", 1.0, 0)
        writer.close()


def header(directory: Path, logs: Any) -> dict[str, Any]:
    (path,) = directory.rglob("*.jsonl")
    return dict(logs.lines(path)[0]["run"])


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        (TORCHRUN, {"rank": 5, "local_rank": 1, "world_size": 8, "node": 1, "job": "resnet"}),
        (SLURM, {"rank": 3, "local_rank": 1, "world_size": 4, "node": 1, "job": "4711"}),
        ({**SLURM, **TORCHRUN}, {"rank": 5, "local_rank": 1, "world_size": 8, "node": 1, "job": "4711"}),
        ({"SLURM_JOB_ID": "12", "SLURM_ARRAY_JOB_ID": "10", "SLURM_ARRAY_TASK_ID": "2"}, {"job": "10_2"}),
        ({"RANK": "0", "WORLD_SIZE": "many", "TORCHELASTIC_RUN_ID": "none"}, {"rank": 0}),
        ({"SLURM_NTASKS": "4"}, {}),
    ],
)
def test_place(
    environment: dict[str, str], expected: dict[str, Any], logs: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The ids of torchrun and Slurm are in the header, those of one launcher only, and nothing that is not known."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    begin(SummaryWriter, tmp_path)
    found = header(tmp_path, logs)
    keys = ("rank", "local_rank", "world_size", "node", "job")
    assert {key: found[key] for key in keys if key in found} == expected


def test_what_every_header_says(face: Callable[..., Any], logs: Any, tmp_path: Path) -> None:
    """Each face says what process it is of, and how many steps there will be."""
    begin(face, tmp_path, total_steps=500)
    found = header(tmp_path, logs)
    assert found["total_steps"] == 500
    assert found.keys() >= {"name", "started", "host", "pid", "command", "python"}
    assert "packages" not in found


def test_git_state(logs: Any, train: Any, tmp_path: Path) -> None:
    """The commit, its branch, and whether tracked files differ from it."""
    for command in (["init", "-qb", "trunk"], ["commit", "-q", "--allow-empty", "-m", "first"]):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *command], cwd=tmp_path, check=True)
    train("from tuimon_writer import SummaryWriter\nSummaryWriter('logs').close()").finish()
    git = header(tmp_path, logs)["git"]
    assert (len(git["commit"]), git["branch"], git["dirty"]) == (40, "trunk", False)


def test_packages_on_request(face: Callable[..., Any], logs: Any, tmp_path: Path) -> None:
    """The versions of the packages that are asked for, by the names of packages or of modules."""
    begin(face, tmp_path, packages=["pytest", "_pytest", "no-such-package"])
    assert header(tmp_path, logs)["packages"] == {"pytest": version("pytest")}


def test_packages_that_are_imported(logs: Any, tmp_path: Path) -> None:
    """True means all packages that are imported already, and no others."""
    begin(SummaryWriter, tmp_path, packages=True)
    found = header(tmp_path, logs)["packages"]
    assert found["pytest"] == version("pytest")
    assert "ruff" not in found
    assert list(found) == sorted(found)


def test_packages_that_are_nonsense(logs: Any, tmp_path: Path) -> None:
    """What cannot be names of packages costs a warning, not the log."""
    with pytest.warns(UserWarning, match="versions of packages"):
        begin(SummaryWriter, tmp_path, packages=3)
    assert "packages" not in header(tmp_path, logs)


def test_metadata_of_packages_is_not_imported_unasked(train: Any) -> None:
    """The module that finds versions is slow to import: only who asks pays for it."""
    source = """
import sys
before = {*sys.modules}
from tuimon_writer import SummaryWriter
SummaryWriter("logs").close()
print("importlib.metadata" in {*sys.modules} - before)
"""
    assert train(source).finish()[1] == "False\n"


@pytest.mark.parametrize("rank", ["0", "1"])
@pytest.mark.parametrize("by", ["argument", "environment"])
def test_main_rank_only(
    face: Callable[..., Any], rank: str, by: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On request ranks other than 0 take everything and write nothing, not even a directory."""
    monkeypatch.setenv("RANK", rank)
    more = {}
    if by == "argument":
        more["main_rank_only"] = True
    else:
        monkeypatch.setenv("TUIMON_MAIN_RANK_ONLY", "1")
    begin(face, tmp_path, **more)
    assert len(list(tmp_path.rglob("*.jsonl"))) == (1 if rank == "0" else 0)
    assert rank == "0" or not list(tmp_path.iterdir())


@pytest.mark.parametrize("silent", ["", "1"])
def test_ranks_in_one_directory(train: Any, logs: Any, tmp_path: Path, silent: str) -> None:
    """Processes of one training write a file each into one run, with their ranks; on request only the first does."""
    source = """
import os
os.environ.update(RANK="{rank}", LOCAL_RANK="{rank}", WORLD_SIZE="3", TUIMON_MAIN_RANK_ONLY="{silent}")
from tuimon_writer import SummaryWriter
with SummaryWriter("logs") as writer:
    for step in range(100):
        writer.add_scalar("loss", {rank}.5, step)
"""
    trainings = [train(source.format(rank=rank, silent=silent)) for rank in range(3)]
    assert [training.finish()[::2] for training in trainings] == [(0, "")] * 3
    ranks = [0] if silent else [0, 1, 2]
    found = {}
    for path in (tmp_path / "logs").iterdir():
        lines = logs.lines(path)
        assert lines[0]["run"]["world_size"] == 3
        found[lines[0]["run"]["rank"]] = logs.points(lines, "loss")
    assert found == {rank: [(step, rank + 0.5) for step in range(100)] for rank in ranks}


def test_argument_before_environment(logs: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer that is told to write on every rank does, whatever the environment says; its rank is in the log."""
    monkeypatch.setenv("RANK", "1")
    monkeypatch.setenv("TUIMON_MAIN_RANK_ONLY", "1")
    begin(SummaryWriter, tmp_path, main_rank_only=False)
    assert header(tmp_path, logs)["rank"] == 1


def test_without_a_launcher_all_write(tmp_path: Path) -> None:
    """The switch does nothing outside of a distributed training."""
    begin(SummaryWriter, tmp_path, main_rank_only=True)
    assert len(list(tmp_path.glob("*.jsonl"))) == 1
