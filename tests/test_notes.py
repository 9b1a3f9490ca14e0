"""A person's own notes on runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tuimon.notes import Note, Notes, tags_in
from tuimon.records import RunInfo
from tuimon.store import Run, Store


def run_at(path: str, name: str) -> Run:
    """A run of one file."""
    store = Store()
    store.append(store.source(name, path), [RunInfo({"host": "h"})])
    return store.runs[name]


def test_notes_are_found_again(tmp_path: Path) -> None:
    """What was kept is there the next time, whichever directory above the run is opened, and for no other run."""
    run = run_at("/logs/a/log.jsonl", "a")
    Notes(tmp_path / "notes").put(run, Note("seems fine\nkeep", ("best", "paper")))
    again = Notes(tmp_path / "notes")
    assert again.of(run_at("/logs/a/log.jsonl", "logs/a")) == Note("seems fine\nkeep", ("best", "paper"))
    assert again.of(run_at("/logs/b/log.jsonl", "b")) == Note()
    assert again.of(run_at("/logs/a/log.jsonl", "a2")) == Note()  # another run in the same directory


def test_empty_notes_are_deleted(tmp_path: Path) -> None:
    """Taking away what was written leaves no file."""
    notes, run = Notes(tmp_path), run_at("/logs/a/log.jsonl", "a")
    notes.put(run, Note("x"))
    notes.put(run, Note())
    assert not notes.of(run)
    assert not list(tmp_path.iterdir())


def test_what_somebody_else_wrote_is_seen(tmp_path: Path) -> None:
    """Two viewers see each other's notes after a refresh, and only then read again."""
    one, two, run = Notes(tmp_path), Notes(tmp_path), run_at("/logs/a/log.jsonl", "a")
    assert not two.of(run)
    one.put(run, Note("from one"))
    assert two.refresh()
    assert two.of(run).text == "from one"
    assert not two.refresh()


@pytest.mark.parametrize("text", ["{", "[]", '{"tags": 3}', "\xff", "null"])
def test_a_bad_file_is_a_problem_and_no_end(tmp_path: Path, text: str) -> None:
    """A file that cannot be read is told, and the run has no notes."""
    notes, run = Notes(tmp_path), run_at("/logs/a/log.jsonl", "a")
    notes.put(run, Note("x"))
    next(tmp_path.iterdir()).write_bytes(text.encode("latin-1"))
    again = Notes(tmp_path)
    assert again.of(run) == Note()
    assert len(again.problems) == 1


def test_no_place_to_write(tmp_path: Path) -> None:
    """Where notes cannot be written the one who asks is told."""
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        Notes(tmp_path / "file" / "notes").put(run_at("/logs/a/log.jsonl", "a"), Note("x"))


def test_a_file_says_whose_it_is(tmp_path: Path) -> None:
    """The file can be understood, and edited, by a person."""
    Notes(tmp_path).put(run_at("/logs/a/log.jsonl", "a"), Note("中文", ("x",)))
    path = next(tmp_path.iterdir())
    assert path.name.startswith("a-")
    assert json.loads(path.read_text("utf-8")) == {"directory": "/logs/a", "run": "a", "note": "中文", "tags": ["x"]}


@pytest.mark.parametrize(
    ("typed", "tags"),
    [
        ("", ()),
        ("best paper", ("best", "paper")),
        ("to look at, best,, best", ("to look at", "best")),
        ("#a #b", ("a", "b")),
    ],
)
def test_typed_tags(typed: str, tags: tuple[str, ...]) -> None:
    """Commas separate tags, spaces do where there is no comma; each counts once."""
    assert tags_in(typed) == tags
