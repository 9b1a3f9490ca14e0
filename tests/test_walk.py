"""The walk finds every file once, whatever links, loops and closed doors the tree has."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tuimon.walk import Walk, wanted


def put(path: Path, text: str = "x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def found(*roots: Path) -> list[str]:
    walk = Walk([str(root) for root in roots])
    walk.again()
    return sorted(file.path for file in walk.files)


def names(walk: Walk) -> list[str]:
    return sorted(os.path.basename(file.path) for file in walk.files)


def settle(*folders: Path) -> None:
    """Make directories look as if nothing had changed in them for a long time."""
    for folder in folders:
        os.utime(folder, (1e9, 1e9))


def test_files_are_found_with_their_place(tmp_path: Path) -> None:
    """The place below the root is what runs are named after."""
    put(tmp_path / "a" / "b" / "x.jsonl")
    put(tmp_path / "y.jsonl")
    walk = Walk([str(tmp_path)])
    assert walk.again()
    assert {(file.folder, os.path.basename(file.path)) for file in walk.files} == {("", "y.jsonl"), ("a/b", "x.jsonl")}


def test_what_cannot_be_a_log_is_passed_over(tmp_path: Path) -> None:
    """Hidden entries, caches, checkpoints, pictures and a run's media are not candidates; events of any host are."""
    for name in (".hidden", ".git/x.jsonl", "__pycache__/x.jsonl", "node_modules/m/x.json", "model.pt", "plot.PNG"):
        put(tmp_path / name)
    put(tmp_path / "run" / "log.jsonl")
    put(tmp_path / "run" / "media" / "table.json")
    put(tmp_path / "media" / "log.jsonl")
    assert found(tmp_path) == [str(tmp_path / "media" / "log.jsonl"), str(tmp_path / "run" / "log.jsonl")]
    assert wanted("events.out.tfevents.1.mac.py")
    assert not wanted("train.py")


def test_pipes_and_sockets_are_no_candidates(tmp_path: Path) -> None:
    """Opening a pipe would wait for ever."""
    os.mkfifo(tmp_path / "pipe.jsonl")
    assert found(tmp_path) == []


def test_links_are_followed_once(tmp_path: Path) -> None:
    """A farm of links with a dangling one, a loop and a second way to the same run shows each run once (case G12)."""
    outside = tmp_path / "store"
    logs = tmp_path / "logs"
    put(outside / "one" / "log.jsonl")
    put(outside / "two" / "log.jsonl")
    put(logs / "real" / "log.jsonl")
    (logs / "1").symlink_to(outside / "one")
    (logs / "2").symlink_to(outside / "two")
    (logs / "latest").symlink_to(logs / "real")
    (logs / "a-first").symlink_to(logs / "real")
    (logs / "again").symlink_to(outside / "one")
    (logs / "dangling").symlink_to(tmp_path / "nowhere")
    (logs / "real" / "loop").symlink_to(logs)
    (logs / "self").symlink_to(logs / "self")
    (logs / "copy.jsonl").symlink_to(outside / "one" / "log.jsonl")
    assert found(logs) == [str(logs / name / "log.jsonl") for name in ("1", "2", "real")]


def test_a_linked_file_outside_is_found_under_its_link(tmp_path: Path) -> None:
    """Links to single files count as well, twice the same file once."""
    target = put(tmp_path / "elsewhere" / "data.jsonl")
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "a.jsonl").symlink_to(target)
    (logs / "b.jsonl").symlink_to(target)
    assert found(logs) == [str(logs / "a.jsonl")]


def test_a_dangling_link_is_followed_once_its_target_appears(tmp_path: Path) -> None:
    """The target changes nothing in the directory of the link, and is found all the same."""
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "run.jsonl").symlink_to(tmp_path / "later.jsonl")
    settle(logs)
    walk = Walk([str(logs)])
    walk.again()
    assert names(walk) == []
    put(tmp_path / "later.jsonl")
    walk.again()
    assert names(walk) == ["run.jsonl"]


def test_roots_given_twice_or_within_each_other_count_once(tmp_path: Path) -> None:
    """The same directory under two names, and a file inside a given directory, are one each."""
    file = put(tmp_path / "logs" / "run" / "log.jsonl")
    (tmp_path / "alias").symlink_to(tmp_path / "logs")
    assert len(found(tmp_path / "logs", tmp_path / "alias", tmp_path / "logs" / "run")) == 1
    assert found(tmp_path / "logs", file) == [str(file)]


def test_quiet_directories_are_not_listed_again(tmp_path: Path) -> None:
    """A second walk over an unchanged tree says so; a new file, a removed one and a new directory are seen."""
    run = put(tmp_path / "run" / "log.jsonl").parent
    settle(run, tmp_path)
    walk = Walk([str(tmp_path)])
    assert walk.again()
    assert not walk.again()
    put(run / "more.jsonl")
    assert walk.again()
    assert names(walk) == ["log.jsonl", "more.jsonl"]
    (run / "log.jsonl").unlink()
    assert walk.again()
    assert names(walk) == ["more.jsonl"]
    put(tmp_path / "new" / "late.jsonl")
    assert walk.again()
    assert names(walk) == ["late.jsonl", "more.jsonl"]


def test_files_that_are_no_candidates_do_not_count_as_news(tmp_path: Path) -> None:
    """A checkpoint every few seconds does not make thousands of runs be named again; a replaced log is news."""
    log = put(tmp_path / "log.jsonl")
    walk = Walk([str(tmp_path)])
    walk.again()
    put(tmp_path / "step-100.pt")
    put(log, "longer")
    assert not walk.again()
    os.replace(put(tmp_path / "copy.tmp"), log)
    assert walk.again()


def test_a_directory_that_just_changed_is_listed_again(tmp_path: Path) -> None:
    """A file made within the same tick of a coarse clock moves no time stamp and is still found."""
    walk = Walk([str(tmp_path)])
    walk.again()
    before = tmp_path.stat()
    put(tmp_path / "same-tick.jsonl")
    os.utime(tmp_path, ns=(before.st_atime_ns, before.st_mtime_ns))
    walk.again()
    assert names(walk) == ["same-tick.jsonl"]


def test_a_full_walk_trusts_no_time_stamp(tmp_path: Path) -> None:
    """On a drive that does not move them, a full walk still finds new files."""
    settle(tmp_path)
    walk = Walk([str(tmp_path)])
    walk.again()
    put(tmp_path / "new.jsonl")
    settle(tmp_path)
    assert not walk.again()
    assert walk.again(full=True)
    assert names(walk) == ["new.jsonl"]


def test_a_missing_root_is_named_and_found_later(tmp_path: Path) -> None:
    """A directory that is made later is walked then (case G19)."""
    logs = tmp_path / "later"
    walk = Walk([str(logs)])
    walk.again()
    assert list(walk.missing) == [str(logs)]
    put(logs / "log.jsonl")
    assert walk.again()
    assert list(walk.missing) == []
    assert names(walk) == ["log.jsonl"]


def test_an_unreadable_directory_is_a_notice(tmp_path: Path) -> None:
    """The rest of the tree is found, and the closed directory is named (case G11)."""
    put(tmp_path / "open" / "log.jsonl")
    put(tmp_path / "closed" / "log.jsonl")
    tmp_path.chmod(0o755)
    (tmp_path / "closed").chmod(0)
    script = textwrap.dedent(
        """
        import os
        from tuimon.walk import Walk
        if os.getuid() == 0:
            os.setgroups([]); os.setgid(65534); os.setuid(65534)
        walk = Walk(["."])
        walk.again()
        walk.again()
        print([file.path for file in walk.files], list(walk.unreadable))
        """
    )
    try:
        done = subprocess.run(
            [sys.executable, "-c", script],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[1])},
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        (tmp_path / "closed").chmod(0o755)
    assert done.stdout.strip() == "['./open/log.jsonl'] ['cannot read ./closed: Permission denied']", done.stderr


def test_a_drive_with_a_hiccup_keeps_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An input/output error is said, and is not taken for a deletion."""
    put(tmp_path / "run" / "log.jsonl")
    walk = Walk([str(tmp_path)])
    walk.again()

    def failing(path: str) -> object:
        raise OSError(5, "Input/output error", path)

    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", failing)
        assert walk.again()
        assert not walk.again()
    assert names(walk) == ["log.jsonl"]
    assert f"cannot read {tmp_path / 'run'}: Input/output error" in walk.unreadable
    assert walk.again()
    assert list(walk.unreadable) == []
