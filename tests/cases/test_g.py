"""Section G: whatever happens to files and processes, what is there is shown, and what is known of them is said."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tuimon.cli import main
from tuimon.ingest import Ingest
from tuimon.store import Store

if TYPE_CHECKING:
    from .conftest import Logs

NULLS = [(step, {"loss": 1.0, "v": step if step % 7 == 3 else None}) for step in range(30)]
RESUMED = [(step, {"loss": 2.0, "v": step}) for step in range(20, 40, 3)]


def content(store: Store) -> dict[str, Any]:
    """Everything that a store says of its runs."""
    found: dict[str, Any] = {}
    for name, run in store.runs.items():
        for tag, series in run.series.items():
            points = series.points()
            columns = (points.step, points.time, points.value, points.attempt, points.current)
            found[f"{name}:{tag}"] = ([column.tolist() for column in columns], series.marks().null.tolist())
        found[f"{name}:"] = ([(notice.kind, notice.count) for notice in run.notices], run.attempts, len(run.sources))
    return found


class Followed:
    """A reader that looks again when told."""

    def __init__(self, *roots: Path) -> None:
        self.roots = [str(root) for root in roots]
        self.ingest = Ingest(self.roots)

    def look(self) -> dict[str, Any]:
        """What it knows by now, which is what a fresh reader finds."""
        self.ingest.load()
        fresh = Ingest(self.roots)
        fresh.load()
        assert content(self.ingest.store) == content(fresh.store)
        return content(self.ingest.store)


@pytest.mark.parametrize("size", [1, 7, 64, 1000])
def test_a_log_that_grows_reads_as_one_that_is_there(logs: Logs, size: int) -> None:
    """In pieces of any size, cut anywhere, with nulls, a resume and letters of several bytes (cases G7, G14)."""
    seen = Followed(logs.root)
    logs.root.mkdir()
    for number, rows in enumerate((NULLS[:12], RESUMED), 1):
        text = logs.text(rows, started=1_700_000_000.0 + 1_000 * number).replace("loss", "损失").encode()
        path = logs.put(f"R/F{number}.jsonl", "")
        for start in range(0, len(text), size):
            with path.open("ab") as file:
                file.write(text[start : start + size])
            if size > 5 or start % 50 == 0:
                seen.ingest.load()
    found = seen.look()
    assert len(found["R:损失"][0][0]) == 12 + len(RESUMED)
    assert found["R:"][0] == []


def test_files_that_are_replaced_renamed_and_removed(logs: Logs) -> None:
    """By a longer copy, another content of the same size, under another name, by nothing (cases G1, G5, G6)."""
    path = logs.write("R", NULLS[:10])
    seen = Followed(logs.root)
    seen.look()
    status = path.stat()

    def replaced(text: str) -> int:
        part = logs.put("copy.tmp", text)
        os.utime(part, ns=(status.st_atime_ns, status.st_mtime_ns))
        part.replace(path)
        return len(seen.look()["R:loss"][0][0])

    assert replaced(logs.text(NULLS[:20])) == 20
    assert replaced(logs.text([(step, {"loss": 3.0, "v": None}) for step in range(20)])) == 20
    assert replaced(logs.text(NULLS[:3])) == 3
    path.rename(path.with_name("G.jsonl"))
    assert seen.look()["R:"][2] == 1
    (logs.root / "R").rename(logs.root / "Q")
    assert {name.split(":")[0] for name in seen.look()} == {"Q"}
    shutil.rmtree(logs.root / "Q")
    assert seen.look() == {}
    logs.write("Q", NULLS[:2])
    assert len(seen.look()["Q:loss"][0][0]) == 2


@pytest.mark.parametrize("aside", ["log.jsonl.1", "log.jsonl.2024-05-01", "log.jsonl-20240501", "log.jsonl.old"])
def test_a_log_that_is_rotated_stays_one_run(logs: Logs, aside: str) -> None:
    """The old part is put aside under another name, and the new one goes on (cases B4, G7)."""
    path = logs.write("R", NULLS[:10], "log.jsonl")
    seen = Followed(logs.root)
    seen.look()
    path.rename(path.with_name(aside))
    logs.write("R", NULLS[10:20], "log.jsonl", started=1_700_001_000.0)
    found = seen.look()
    assert found["R:loss"][0][0] == list(range(20))


def test_a_line_that_waits_for_its_end(logs: Logs) -> None:
    """Half an object is no error; it is there when it is whole, also without a line end (case G14)."""
    whole = logs.text([(1, {"a": 1})])
    path = logs.put("R/log.jsonl", whole)
    half = logs.text([(2, {"b": 2})]).splitlines()[-1]
    seen = Followed(logs.root)
    for part in (half[:9], half[9:-1], half[-1:]):
        with path.open("a") as file:
            file.write(part)
        found = seen.look()
    assert found["R:b"][0][0] == [2]
    assert found["R:"][0] == []


def test_torn_and_glued_lines(logs: Logs) -> None:
    """What can be saved is saved, the rest is counted, and reading never stops (cases H19, H20)."""
    head, *rows = logs.text([(step, {"v": step}) for step in range(8)]).splitlines()
    if logs.dialect == "flat":
        rows = [head, *rows]
        head = rows[0]
    text = [
        head,
        rows[1] + rows[2],
        "",
        rows[3][:12] + rows[4],
        "garbage",
        "[1, 2]",
        "\0\0" + rows[5] + "\r",
        rows[6][:-1],
    ]
    logs.put("R/log.jsonl", "\n".join(text) + "\n" + rows[7])
    assert set(logs.series().curve().x.tolist()) - {0} == {1, 2, 4, 5, 7}
    notices = {notice["kind"]: notice["count"] for notice in logs.listed()["notices"]}
    assert notices == {"bad line": 4, "NUL bytes": 1}


@pytest.mark.parametrize("head", ["", '{"tuimon":1,"run":{"na\n', "starting\n"], ids=["none", "torn", "noise"])
def test_a_native_log_without_its_header(native: Logs, head: str) -> None:
    """Lost, torn, or never written by a script that only prints rows: the same tags, and the end counts (case H20)."""
    rows = native.text([(step, {"v": step}) for step in range(3)], header=False)
    native.put("R/log.jsonl", head + rows + '{"end":{"status":"finished","time":1700000009}}\n')
    assert list(native.run().series) == ["v"]
    assert native.listed()["state"] == "finished"


def test_links_and_roots_within_each_other(logs: Logs) -> None:
    """Links to runs, a dangling one, a loop, a root within another: each run once (case G12)."""
    logs.write("real/R", NULLS[:3])
    farm = logs.root / "farm"
    farm.mkdir()
    for name, target in (("a", "../real/R"), ("b", "../real/R"), ("loop", "../farm"), ("gone", "nowhere")):
        (farm / name).symlink_to(target)
    assert list(logs.load().runs) == ["real/R"]
    alone = Followed(farm)
    assert [name for name in alone.look() if name.endswith(":")] == ["a:"]
    both = Followed(logs.root, logs.root / "real")
    assert len([name for name in both.look() if name.endswith(":")]) == 1


def test_places_that_hold_nothing(logs: Logs, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A missing directory and an empty one are told apart by status and message; a file is a run (cases G19, G20)."""
    empty = tmp_path / "empty"
    empty.mkdir()
    one, two = logs.write("R", NULLS[:3]), logs.write("S", NULLS[:3], "F2.jsonl")
    assert main(["ls", str(tmp_path / "missing")]) == 2
    assert "no such file or directory" in capsys.readouterr().err
    assert main(["ls", str(empty)]) == 1
    assert "no runs" in capsys.readouterr().err
    assert main(["ls", str(one), str(two)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3
    assert main(["ls", f"{one.parent},{two.parent}"]) == 2
    assert "separated by spaces" in capsys.readouterr().err


ENDINGS = {
    "finished": ("pass", "finished", ""),
    "failed": ("raise RuntimeError('out of memory')", "failed", "RuntimeError: out of memory"),
    "exit": ("sys.exit(3)", "failed", "exit status 3"),
    "interrupted": ("os.kill(os.getpid(), signal.SIGINT); time.sleep(9)", "interrupted", ""),
    "terminated": ("os.kill(os.getpid(), signal.SIGTERM); time.sleep(9)", "killed", "SIGTERM"),
    "crashed": ("log.flush(); os.kill(os.getpid(), signal.SIGKILL)", "crashed", "is gone"),
}


def test_how_processes_end(native: Logs) -> None:
    """Finished, failed, interrupted, killed by a word and without one (cases G21, G23, G24)."""
    program = textwrap.dedent(
        """
        import os, signal, sys, time
        from tuimon_writer import SummaryWriter
        signal.signal(signal.SIGINT, signal.default_int_handler)  # it is ignored where the tests run in the background
        log = SummaryWriter(sys.argv[1])
        log.add_scalar("v", 1, 1)
        exec(sys.argv[2])
        """
    )
    writer = Path(__file__).parents[2] / "writer"
    environment = {**os.environ, "PYTHONPATH": str(writer)}
    started = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(native.root / name), action],
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        for name, (action, _, _) in ENDINGS.items()
    ]
    for process in started:
        process.wait(timeout=30)
    assert started[-1].returncode == -signal.SIGKILL
    found = {one["run"]: one for one in json.loads(native.tuimon("ls", "--json"))}
    assert {name: found[name]["state"] for name in ENDINGS} == {name: state for name, (_, state, _) in ENDINGS.items()}
    assert all(words in found[name]["detail"] for name, (_, _, words) in ENDINGS.items())
    assert "RuntimeError: out of memory" in found["failed"]["error"]
    assert all(one["tags"]["v"]["count"] == 1 for one in found.values())


@pytest.mark.parametrize(
    ("every", "silent", "alive", "state"),
    [
        (1200, 1100, True, "running"),
        (1200, 4000, True, "running"),
        (1, 700, True, "stalled"),
        (1, 10, True, "running"),
        (1, 10, False, "crashed"),
    ],
)
def test_silence_is_judged_by_the_usual_gap(
    native: Logs, every: float, silent: float, alive: bool, state: str, gone_pid: Callable[[], int]
) -> None:
    """Records every twenty minutes are no stall; a process that is gone is at once (cases G21, G22)."""
    now = time.time()
    start = now - silent - 9 * every
    head = {"started": start, "pid": os.getpid() if alive else gone_pid(), "host": socket.gethostname()}
    lines = [{"tuimon": 1, "run": head, "config": {}}]
    lines += [{"step": i, "time": start + i * every, "scalars": {"v": 1}} for i in range(10)]
    native.put("R/F1.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    assert native.listed()["state"] == state


@pytest.fixture
def gone_pid() -> Callable[[], int]:
    """The number of a process that has ended."""

    def pid() -> int:
        process = subprocess.Popen([sys.executable, "-c", ""])
        process.wait()
        return process.pid

    return pid


AWKWARD = [
    "训练/损失 %", "a:b", "🙂", "/lead", "trail/", "//", "", "two\nlines", "\x1b[31mred", "\0nul", "a\tb", "x" * 5_000,
    "[bold]x[/bold]", "\u202ertl", "e\u0301", "\u200b", "👨\u200d👩\u200d👧", "a/b/c/d", "NaN", "'\"\\", "loss", "Loss",
]  # fmt: skip


def test_tags_of_any_letters(native: Logs) -> None:
    """Kept as they are in files, and never able to do anything to a terminal (case H15)."""
    native.write("R", [(step, dict.fromkeys(AWKWARD, step)) for step in range(3)])
    assert list(native.run().series) == AWKWARD
    assert {point["tag"] for point in native.exported()} == set(AWKWARD)
    views = (["show", "--view", view] for view in ("overview", "scalars", "compare"))
    for words in (*views, ["ls"], ["compare", "--tags", "*"]):
        printed = native.tuimon(*words)
        assert all(letter == "\n" or letter.isprintable() for letter in printed), words


def test_runs_of_any_name(native: Logs) -> None:
    """Directories of any letters: listed, compared, drawn, and harmless (cases F21, H15)."""
    names = ["a b", "训练", "🙂", "[bold]", "\x1b[31mred", "new\nline", "-dash", "a" * 200, "100%", '"q"']
    for name in names:
        native.write(name, [(0, {"v": 0})])
    assert set(native.load().runs) == set(names)
    for words in (["show"], ["show", "--view", "compare"], ["ls"], ["compare"]):
        printed = native.tuimon(*words)
        assert all(letter == "\n" or letter.isprintable() for letter in printed), words
