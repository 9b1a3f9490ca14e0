"""Files that cannot be read, parsers that fail or come from elsewhere, and the end of the reader."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

import pytest

from tuimon import ingest as ingest_module
from tuimon.collection import Collection
from tuimon.formats import registry
from tuimon.formats.base import Format, Parsed
from tuimon.ingest import Ingest, Progress
from tuimon.records import ScalarRows
from tuimon.store import Store

from .following import Following, append, limited, put, rows, steps


def test_without_file_events_all_goes_on_with_one_notice(tmp_path: Path) -> None:
    """The limit of watches is used up by others (case G3)."""
    log = put(tmp_path / "run" / "log.jsonl", rows([1]))
    with Following(tmp_path, watcher=limited) as seen:
        for step in (2, 3):
            append(log, rows([step]))
            assert seen.until(lambda step=step: step in seen.values("run"))
        notices = seen.ingest.progress.notices
        assert len(notices) == 1
        assert "watch limit" in notices[0]
        assert seen.told[-1][1].notices == notices


def test_a_file_that_cannot_be_read_for_a_while_is_read_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refused file is counted on its run once and tried again, although nothing about it changes."""
    log = put(tmp_path / "run" / "log.jsonl", rows([1]))
    plain = os.open

    def refusing(path: str, flags: int, *more: int) -> int:
        if os.fspath(path) == str(log):
            raise PermissionError(13, "Permission denied", path)
        return plain(path, flags, *more)

    with Following(tmp_path) as seen:
        with monkeypatch.context() as patch:
            patch.setattr(os, "open", refusing)
            append(log, rows([2]))
            assert seen.until(lambda: seen.store.runs["run"].notices)
        assert [(notice.kind, notice.message) for notice in seen.store.runs["run"].notices] == [
            ("cannot read", "Permission denied")
        ]
        assert seen.until(lambda: seen.values("run") == steps(1, 2))


class _Moody(Format):
    """A format whose parser fails on some pieces."""

    name = "moody"
    rank = 1

    def sniff(self, path: str, head: bytes) -> bool:
        return path.endswith(".moody")

    def parser(self, path: str) -> _Moody:
        return self

    def clone(self, offset: int) -> _Moody:
        return self

    def parse(self, data: bytes, at_end: bool) -> Parsed:
        if b"bad" in data:
            raise ValueError("bad mood")
        return Parsed([ScalarRows(("x",), b"\0" * 8, b"\0" * 8, b"\0" * 8)], len(data))


def test_a_parser_that_fails_costs_its_piece_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is followed all the same, and other files do not notice."""
    monkeypatch.setattr(registry, "_plugins", [_Moody()])
    monkeypatch.setattr(ingest_module, "load_plugins", list)
    log = put(tmp_path / "run" / "log.moody", "bad")
    put(tmp_path / "ok" / "log.jsonl", rows([1]))
    with Following(tmp_path) as seen:
        assert seen.values("ok") == steps(1)
        assert [(notice.kind, notice.count) for notice in seen.store.runs["run"].notices] == [("reader error", 1)]
        append(log, "good")
        assert seen.until(lambda: seen.store.runs["run"].points == 1)


def test_formats_of_other_packages_are_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are loaded after everything else was read, and the files they want are read then."""
    monkeypatch.setattr(registry, "_plugins", [])

    def load_plugins() -> list[str]:
        registry._plugins.append(_Moody())
        return ["format plugin x: broken"]

    monkeypatch.setattr(ingest_module, "load_plugins", load_plugins)
    put(tmp_path / "run" / "log.moody", "good")
    ingest = Ingest([str(tmp_path)])
    ingest.load()
    assert ingest.store.runs["run"].points == 1
    assert ingest.progress.notices == ("format plugin x: broken",)
    registry._plugins.clear()
    with Following(tmp_path) as seen:
        assert seen.store.runs["run"].points == 1


def test_stopping_is_quick_and_final(tmp_path: Path) -> None:
    """No thread is left, also when stopped in the middle of loading, and nothing is told afterwards."""
    put(tmp_path / "run" / "log.jsonl", rows(range(100_000)))
    before = threading.active_count()
    usual = sys.getswitchinterval()
    told: list[Progress] = []
    ingest = Ingest([str(tmp_path)], on_change=told.append)
    ingest.start()
    ingest.stop()
    count = len(told)
    assert threading.active_count() == before
    assert sys.getswitchinterval() == usual
    assert len(told) == count


def test_an_unforeseen_error_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of the reader itself ends in a notice with its place, not in silence and not on the terminal."""
    log = put(tmp_path / "run" / "log.jsonl", rows([1]))

    def broken(*_: object) -> None:
        raise RuntimeError("no idea")

    with Following(tmp_path) as seen:
        monkeypatch.setattr(seen.ingest._files, "noticed", broken)
        append(log, rows([2]))
        assert seen.until(lambda: seen.told[-1][1].notices)
        assert seen.told[-1][1].notices[0].startswith("reading stopped: RuntimeError: no idea (test_trouble.py:")


def test_a_file_that_cannot_be_read_is_not_loading_for_ever(tmp_path: Path) -> None:
    """An error is all there is to know of it, and it is a notice of its run."""
    path = put(tmp_path / "a" / "log.jsonl", rows(range(4)))
    store = Store()
    files = Collection([str(tmp_path)], store)
    files.discover.find(full=True)
    files.take_up()
    path.unlink()
    path.mkdir()
    files.read(0.0)
    run = store.runs["a"]
    assert not run.sources[0].loading
    assert [notice.kind for notice in run.notices] == ["cannot read"]
