"""From log roots to runs: every log is found, once, under the name that a person expects."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tuimon.discover import Discover, explain_missing
from tuimon.formats.base import Kind
from tuimon.formats.registry import HEAD_SIZE, detect

ROW = '{"step": 1, "loss": 0.5}\n'
NATIVE = '{"tuimon": 1, "run": {"name": "x", "started": 1764494630.0, "pid": 1}, "config": {}}\n'


def put(path: Path, text: str = ROW, *, mtime: float | None = None) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    if mtime is not None:
        os.utime(path, (mtime, mtime))
    return path


def discover(*roots: Path | str) -> Discover:
    found = Discover([str(root) for root in roots])
    found.find()
    return found


def runs(*roots: Path | str) -> dict[str, list[str]]:
    """Names of the runs, in order, with the names of their files."""
    grouped: dict[str, list[str]] = {}
    for file in discover(*roots).files:
        grouped.setdefault(file.run, []).append(os.path.basename(file.path))
    return grouped


def test_a_run_is_a_directory_named_by_its_place(tmp_path: Path) -> None:
    """Nested directories are joined with a slash; a directory can be a run and a parent of runs."""
    put(tmp_path / "logs" / "a" / "log.jsonl", mtime=3e8)
    put(tmp_path / "logs" / "a" / "b" / "log.jsonl", mtime=2e8)
    put(tmp_path / "logs" / "c" / "log.jsonl", mtime=1e8)
    assert list(runs(tmp_path / "logs")) == ["a", "a/b", "c"]


def test_runs_that_changed_last_come_first(tmp_path: Path) -> None:
    """One new file is enough to bring its whole run forward; its files stay in the order of their names."""
    put(tmp_path / "old" / "F1.jsonl", mtime=2e8)
    put(tmp_path / "live" / "F1.jsonl", mtime=1e8)
    put(tmp_path / "live" / "F2.jsonl", mtime=9e8)
    put(tmp_path / "live" / "F10.jsonl", mtime=1e8)
    assert runs(tmp_path) == {"live": ["F1.jsonl", "F2.jsonl", "F10.jsonl"], "old": ["F1.jsonl"]}


def test_files_in_the_root_are_a_run_named_after_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Never ".", whatever way the directory is given (case F21)."""
    put(tmp_path / "logs" / "log.jsonl")
    monkeypatch.chdir(tmp_path / "logs")
    assert list(runs(tmp_path / "logs")) == ["logs"]
    assert list(runs(".")) == ["logs"]
    assert list(runs("../logs/")) == ["logs"]


def test_several_roots_share_one_list(tmp_path: Path) -> None:
    """Names stay short until two roots hold a run of the same name (case G20)."""
    put(tmp_path / "x" / "run" / "log.jsonl")
    put(tmp_path / "y" / "run" / "log.jsonl")
    put(tmp_path / "y" / "other" / "log.jsonl")
    assert set(runs(tmp_path / "x", tmp_path / "y")) == {"x/run", "y/run", "other"}


def test_a_root_given_twice_is_shown_once(tmp_path: Path) -> None:
    """Repeating a directory, also in another spelling, adds nothing."""
    put(tmp_path / "run" / "log.jsonl")
    assert runs(tmp_path, tmp_path, f"{tmp_path}/.") == {"run": ["log.jsonl"]}


def test_a_file_as_root_is_one_run(tmp_path: Path) -> None:
    """A plain log is named by its directory and its stem, a log that knows its run by its directory (case G19)."""
    plain = put(tmp_path / "exp" / "metrics.jsonl")
    other = put(tmp_path / "exp" / "other.jsonl")
    native = put(tmp_path / "run1" / "1764494630.host.1.jsonl", NATIVE + ROW)
    assert runs(plain) == {"exp/metrics": ["metrics.jsonl"]}
    assert set(runs(plain, other)) == {"exp/metrics", "exp/other"}
    assert set(runs(native)) == {"run1"}


def test_files_that_are_no_logs_are_left_alone(tmp_path: Path) -> None:
    """A configuration or a text beside the log does not make a run."""
    put(tmp_path / "run" / "log.jsonl")
    put(tmp_path / "run" / "notes.txt", "remember the milk\n" * 9)
    put(tmp_path / "conf" / "settings.yaml", "a: 1\n")
    assert runs(tmp_path) == {"run": ["log.jsonl"]}


def test_settings_go_with_their_run(tmp_path: Path) -> None:
    """Beside the log, in the directory where Hydra hides them, or alone, where they are left."""
    put(tmp_path / "a" / "log.jsonl")
    put(tmp_path / "a" / "config.yaml", "lr: 0.1\n")
    put(tmp_path / "b" / "log.jsonl")
    put(tmp_path / "b" / ".hydra" / "config.yaml", "lr: 0.1\n")
    put(tmp_path / "b" / ".hidden" / "log.jsonl")
    put(tmp_path / "conf" / "config.yaml", "lr: 0.1\n")
    found = runs(tmp_path)
    assert {run: sorted(files) for run, files in found.items()} == {run: ["config.yaml", "log.jsonl"] for run in "ab"}
    (unread,) = discover(tmp_path).unread
    assert unread.endswith("conf/config.yaml")


def test_an_empty_file_is_looked_at_again_when_it_grows(tmp_path: Path) -> None:
    """A log that was just created becomes part of its run with its first line (case B6)."""
    put(tmp_path / "run" / "F1.jsonl")
    late = put(tmp_path / "run" / "F2.jsonl", "")
    found = discover(tmp_path)
    assert [os.path.basename(file.path) for file in found.files] == ["F1.jsonl"]
    assert list(found.undecided) == [str(late)]
    put(late)
    found.look_again(str(late))
    assert found.find()
    assert [os.path.basename(file.path) for file in found.files] == ["F1.jsonl", "F2.jsonl"]
    assert list(found.undecided) == []


def test_a_file_is_shown_to_the_formats_once(tmp_path: Path) -> None:
    """Walking again opens nothing, unless a file that was no log has changed."""
    seen: list[str] = []

    def watching(path: str, head: bytes) -> Kind | None:
        seen.append(os.path.basename(path))
        return detect(path, head)

    put(tmp_path / "log.jsonl")
    text = put(tmp_path / "notes.txt", "hello")
    found = Discover([str(tmp_path)], watching)
    found.find()
    found.find(full=True)
    assert sorted(seen) == ["log.jsonl", "notes.txt"]
    put(text, "hello again")
    found.find(full=True)
    assert sorted(seen) == ["log.jsonl", "notes.txt", "notes.txt"]


def test_a_long_text_that_is_no_log_is_given_up(tmp_path: Path) -> None:
    """A file whose whole head was seen cannot become a log by growing, so nobody watches it."""
    put(tmp_path / "book.txt", "word " * HEAD_SIZE)
    found = discover(tmp_path)
    assert list(found.files) == []
    assert list(found.undecided) == []


def test_a_failing_format_costs_only_its_file(tmp_path: Path) -> None:
    """A format that raises is a notice that names the file; other files are found."""

    def faulty(path: str, head: bytes) -> Kind | None:
        if path.endswith("bad.jsonl"):
            raise ZeroDivisionError("oops")
        return detect(path, head)

    put(tmp_path / "a" / "bad.jsonl")
    put(tmp_path / "b" / "log.jsonl")
    found = Discover([str(tmp_path)], faulty)
    found.find()
    assert [file.run for file in found.files] == ["b"]
    assert len(found.notices) == 1
    assert "bad.jsonl is: ZeroDivisionError: oops" in found.notices[0]


def test_a_file_that_cannot_be_opened_is_a_notice_until_it_can(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its permissions are no part of what a walk compares, so it is tried again."""
    log = put(tmp_path / "run" / "log.jsonl")
    plain = os.open

    def refusing(path: str, flags: int) -> int:
        if path == str(log):
            raise PermissionError(13, "Permission denied", path)
        return plain(path, flags)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", refusing)
        found = discover(tmp_path)
    assert list(found.files) == []
    assert list(found.notices) == [f"cannot read {log}: Permission denied"]
    found.find(full=True)
    assert [file.run for file in found.files] == ["run"]
    assert list(found.notices) == []


def test_seeds_in_one_directory_are_runs_and_restarts_are_not(tmp_path: Path) -> None:
    """Plain files that share tags under different names are runs of their own; a counter only counts attempts."""
    for name in ("timeseries_seed1.jsonl", "timeseries_seed4.jsonl"):
        put(tmp_path / "seeds" / name)
    put(tmp_path / "seeds" / "eval.jsonl", '{"step": 1, "return": 3.0}\n')
    for name in ("F1.jsonl", "F2.jsonl"):
        put(tmp_path / "resumed" / name)
    assert set(runs(tmp_path)) == {"seeds", "seeds/timeseries_seed1", "seeds/timeseries_seed4", "resumed"}


def test_logs_that_know_their_run_stay_in_their_directory(tmp_path: Path) -> None:
    """Logs of the writer are attempts or processes of one run, whatever their names and tags are."""
    for name in ("alpha.jsonl", "beta.jsonl"):
        put(tmp_path / "run" / name, NATIVE + '{"step": 1, "time": 1.0, "scalars": {"loss": 1.0}}\n')
    assert runs(tmp_path) == {"run": ["alpha.jsonl", "beta.jsonl"]}


def test_a_second_variant_renames_the_first(tmp_path: Path) -> None:
    """Names depend on what is there, not on the order in which it came."""
    first = put(tmp_path / "out" / "metrics.jsonl")
    found = discover(tmp_path)
    assert [file.run for file in found.files] == ["out"]
    put(first.with_name("metrics_tuned.jsonl"))
    found.find(full=True)
    assert {file.run for file in found.files} == {"out/metrics", "out/metrics_tuned"}


def test_files_are_ordered_by_the_time_in_their_name_or_of_their_last_change(tmp_path: Path) -> None:
    """Copying a log loses its times, but not its name."""
    put(tmp_path / "20230605_200941.jsonl", mtime=9e8)
    put(tmp_path / "F1.jsonl", mtime=8e8)
    orders = {os.path.basename(file.path): file.order for file in discover(tmp_path).files}
    assert orders == {"20230605_200941.jsonl": 1685995781.0, "F1.jsonl": 8e8}


def test_a_deleted_file_is_found_no_more(tmp_path: Path) -> None:
    """The next look leaves it out."""
    file = put(tmp_path / "run" / "log.jsonl")
    found = discover(tmp_path)
    file.unlink()
    assert found.find()
    assert list(found.files) == []


def test_a_comma_gets_a_hint(tmp_path: Path) -> None:
    """Joining directories with a comma is a common slip (case G20)."""
    assert explain_missing("a,b").endswith("give several directories separated by spaces: a b")
    assert explain_missing("nowhere") == "nowhere: no such file or directory"
    put(tmp_path / "a,b" / "log.jsonl")
    assert list(runs(tmp_path / "a,b")) == ["a,b"]


def test_real_logs_of_other_programs(real_logs: Path) -> None:
    """Seeds and variants of real programs come apart, real restarts stay together."""
    assert set(runs(real_logs / "jsonl-home" / "2" / "outputs")) >= {
        "logs/timeseries_mappo_full_seed1",
        "logs/timeseries_mappo_full_seed4",
    }
    assert set(runs(real_logs / "detectron2" / "1" / "output")) == {"output/metrics", "output/metrics_semi-supervise"}


def test_what_changed_last_is_found_first_when_time_is_short(tmp_path: Path) -> None:
    """With thousands of files a look ends early; the next ones go on until all is as if found at once."""
    for number in range(4):
        put(tmp_path / f"run{number}" / "log.jsonl", mtime=1e9 + number)
    found = Discover([str(tmp_path)])
    seen = []
    while found.find(until=0.0):
        seen.append([file.run for file in found.files])
        if not found.more:
            break
    assert seen == [["run3"], ["run3", "run2"], ["run3", "run2", "run1"], ["run3", "run2", "run1", "run0"]]
    assert found.files == discover(tmp_path).files
    assert not found.find()


def test_a_file_to_look_at_again_is_not_forgotten_when_time_is_short(tmp_path: Path) -> None:
    """It is looked at in a later round, and what was known of the others stays."""
    put(tmp_path / "run" / "log.jsonl")
    texts = [put(tmp_path / f"old{age}" / "notes.jsonl", "hello", mtime=1e9 - age) for age in (1, 2)]
    found = discover(tmp_path)
    for age, path in enumerate(texts, 1):
        put(path, mtime=1e9 - age)
        found.look_again(str(path))
    seen = []
    for _ in range(2):
        assert found.find(until=0.0)
        seen.append(([file.run for file in found.files], found.more))
    assert seen == [(["run", "old1"], True), (["run", "old1", "old2"], False)]
