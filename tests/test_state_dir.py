"""Where a person's choices and notes are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from tuimon.state_dir import key_of, state_dir, write_whole


def test_the_state_directory_follows_the_specification(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """XDG_STATE_HOME counts where it is absolute; else it is below the home directory."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert state_dir() == tmp_path / "state" / "tuimon"
    for other in ("", "relative"):
        monkeypatch.setenv("XDG_STATE_HOME", other)
        assert state_dir() == tmp_path / ".local" / "state" / "tuimon"


def test_a_directory_has_one_key_however_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A link, a relative path and another order make no other key; another directory does."""
    (tmp_path / "runs").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "runs")
    monkeypatch.chdir(tmp_path)
    key = key_of([str(tmp_path / "runs")])
    assert key.startswith("runs-")
    assert key == key_of(["runs/"]) == key_of(["link", "runs"])
    assert key_of(["runs", "logs"]) == key_of(["logs", "runs"]) != key
    assert "/" not in key_of(["/"])
    assert key_of(["\udcff 中文/训练"]).startswith("训练-")


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    """A file that cannot be written leaves the old one and nothing beside it."""
    path = tmp_path / "deep" / "view.json"
    write_whole(path, "old")
    write_whole(path, "new")
    assert path.read_text() == "new"
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "\udcff")
    assert path.read_text() == "new"
    assert [entry.name for entry in path.parent.iterdir()] == ["view.json"]
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        write_whole(tmp_path / "file" / "view.json", "x")
