"""The bytes of files that grow, shrink, vanish and are written over."""

from __future__ import annotations

import os
import resource
from pathlib import Path

import pytest

from tuimon import tail as tail_module
from tuimon.tail import HEAD, LAST, Piece, Tail, read_range


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def take(tail: Tail) -> Piece:
    """Read and consume whatever is there."""
    piece = tail.read()
    tail.advance(len(piece.data))
    return piece


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


@pytest.fixture
def bytes_read(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many bytes each call reads from a file."""
    counts: list[int] = []
    pread = os.pread

    def counted(descriptor: int, length: int, offset: int) -> bytes:
        data = pread(descriptor, length, offset)
        counts.append(len(data))
        return data

    monkeypatch.setattr(tail_module.os, "pread", counted)
    return counts


def test_bytes_come_once_and_in_order(log: Path) -> None:
    log.write_bytes(b"abc")
    tail = Tail(log)
    assert take(tail) == Piece(b"abc", 0, at_end=True)
    append(log, b"def")
    assert take(tail) == Piece(b"def", 3, at_end=True)
    assert take(tail) == Piece(b"", 6, at_end=True)


def test_what_is_not_consumed_comes_again_without_being_read_again(log: Path, bytes_read: list[int]) -> None:
    log.write_bytes(b"line\nhal")
    tail = Tail(log)
    tail.read()
    tail.advance(5)
    assert tail.read().data == b""
    append(log, b"f\n")
    bytes_read.clear()
    assert tail.read() == Piece(b"half\n", 5, at_end=True)
    assert bytes_read == [8, 8, 2]  # the two looks that make sure of the file, and what is new


def test_only_new_bytes_are_read(log: Path, bytes_read: list[int]) -> None:
    log.write_bytes(b"x" * 100_000)
    tail = Tail(log)
    take(tail)
    bytes_read.clear()
    for _ in range(10):
        append(log, b"y" * 100)
        assert take(tail).data == b"y" * 100
        assert take(tail).data == b""
    assert sum(bytes_read) == 10 * (100 + HEAD + LAST)


def test_a_large_file_comes_in_pieces_and_says_where_it_ends(log: Path) -> None:
    log.write_bytes(bytes(range(256)) * 10)
    tail = Tail(log)
    pieces = []
    while not pieces or not pieces[-1].at_end:
        pieces.append(tail.read(1000))
        tail.advance(len(pieces[-1].data))
    assert [(piece.offset, len(piece.data)) for piece in pieces] == [(0, 1000), (1000, 1000), (2000, 560)]
    assert b"".join(piece.data for piece in pieces) == log.read_bytes()


def test_a_record_of_any_size_takes_few_rounds(log: Path) -> None:
    """As much is read as is kept, so that the bytes of a large record are not copied a thousand times."""
    log.write_bytes(b"x" * 1_000_000)
    tail = Tail(log)
    rounds = 1
    while not tail.read(1000).at_end:
        rounds += 1
    assert rounds == 11


def test_growth_is_seen_although_the_time_of_change_stays(log: Path) -> None:
    """A network drive may report an old time of change (case G2)."""
    log.write_bytes(b"one\n")
    tail = Tail(log)
    take(tail)
    status = log.stat()
    append(log, b"two\n")
    os.utime(log, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert take(tail).data == b"two\n"


def test_a_shorter_file_is_another_one(log: Path) -> None:
    log.write_bytes(b"first run, long\n")
    tail = Tail(log)
    take(tail)
    log.write_bytes(b"second\n")
    assert take(tail) == Piece(b"second\n", 0, at_end=True, reset=True)
    append(log, b"more\n")
    assert take(tail) == Piece(b"more\n", 7, at_end=True)


def test_an_emptied_file_is_a_reset_at_once(log: Path) -> None:
    log.write_bytes(b"data\n")
    tail = Tail(log)
    take(tail)
    log.write_bytes(b"")
    assert tail.read() == Piece(b"", 0, at_end=True, reset=True)
    assert tail.read() == Piece(b"", 0, at_end=True)


@pytest.mark.parametrize("size", ["same", "longer"])
def test_a_file_that_was_written_over_in_place_is_another_one(log: Path, size: str) -> None:
    """A later run at the same path, whose log has the same header and is as long or longer."""
    header = b"step,loss\n"
    log.write_bytes(header + b"1,0.5\n2,0.4\n")
    tail = Tail(log)
    take(tail)
    new = header + b"1,0.9\n2,0.8\n" + (b"3,0.7\n" if size == "longer" else b"")
    log.write_bytes(new)
    os.utime(log, ns=(1, 1))
    assert take(tail) == Piece(new, 0, at_end=True, reset=True)


def test_a_change_behind_a_long_common_beginning_is_noticed(log: Path) -> None:
    header = b"#" * (2 * HEAD)
    log.write_bytes(header + b"1,0.5\n")
    tail = Tail(log)
    take(tail)
    log.write_bytes(header + b"1,0.9\n2,0.8\n")
    assert take(tail).reset


def test_what_was_kept_of_the_old_file_is_forgotten(log: Path) -> None:
    log.write_bytes(b"old\nhalf a li")
    tail = Tail(log)
    tail.read()
    tail.advance(4)
    log.write_bytes(b"new\n")
    assert tail.read() == Piece(b"new\n", 0, at_end=True, reset=True)


def test_a_longer_copy_of_itself_is_the_same_file(log: Path, tmp_path: Path) -> None:
    """Rsync puts a new file in the place of the old one; nothing is read or counted twice (case G1)."""
    log.write_bytes(b"".join(b"%d\n" % n for n in range(10)))
    tail = Tail(log)
    first = take(tail).data
    copy = tmp_path / "copy"
    copy.write_bytes(b"".join(b"%d\n" % n for n in range(20)))
    copy.replace(log)
    piece = take(tail)
    assert not piece.reset
    assert first + piece.data == log.read_bytes()


def test_another_file_in_its_place_is_another_one(log: Path, tmp_path: Path) -> None:
    log.write_bytes(b"aaaa\n")
    tail = Tail(log)
    take(tail)
    other = tmp_path / "other"
    other.write_bytes(b"bbbb\ncccc\n")
    other.replace(log)
    assert take(tail) == Piece(b"bbbb\ncccc\n", 0, at_end=True, reset=True)


def test_a_deleted_file_is_gone_and_a_new_one_begins_anew(log: Path) -> None:
    """The same name, even the same bytes: a new file (case G6)."""
    log.write_bytes(b"data\n")
    tail = Tail(log)
    take(tail)
    log.unlink()
    assert tail.read() == Piece(b"", 5, at_end=True, gone=True)
    assert tail.read().gone
    log.write_bytes(b"data\nmore\n")
    assert take(tail) == Piece(b"data\nmore\n", 0, at_end=True, reset=True)
    assert not take(tail).reset


def test_a_file_that_is_not_there_yet(log: Path) -> None:
    tail = Tail(log)
    assert tail.read().gone
    log.write_bytes(b"data\n")
    assert take(tail) == Piece(b"data\n", 0, at_end=True)


def test_a_file_that_cannot_be_read_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Tail(tmp_path).read().error == "not a regular file"
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    assert Tail(fifo).read().error == "not a regular file"

    def denied(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tail_module.os, "open", denied)
    piece = Tail(tmp_path / "log").read()
    assert (piece.error, piece.data, piece.gone) == ("Permission denied", b"", False)


def test_a_file_that_could_not_be_read_for_a_while_goes_on_where_it_was(
    log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log.write_bytes(b"one\n")
    tail = Tail(log)
    take(tail)
    append(log, b"two\n")
    with monkeypatch.context() as patch:
        patch.setattr(tail_module.os, "open", lambda *_: (_ for _ in ()).throw(OSError(24, "Too many open files")))
        assert tail.read().error == "Too many open files"
    assert take(tail) == Piece(b"two\n", 4, at_end=True)


def test_a_status_says_whether_a_look_inside_is_needed(log: Path) -> None:
    log.write_bytes(b"12345")
    tail = Tail(log)
    assert not tail.is_current(log.stat())
    tail.read(2)
    assert not tail.is_current(log.stat())
    tail.read()
    assert tail.is_current(log.stat())
    append(log, b"6")
    assert not tail.is_current(log.stat())


def test_thousands_of_files_need_no_descriptors_of_their_own(tmp_path: Path) -> None:
    """More files than the process may open (case G9)."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    paths = [tmp_path / f"{number}" for number in range(600)]
    for path in paths:
        path.write_bytes(b"x\n")
    tails = [Tail(path) for path in paths]
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    try:
        assert all(take(tail).data == b"x\n" for tail in tails)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_range_is_read_again(log: Path) -> None:
    log.write_bytes(b"0123456789")
    assert read_range(log, 2, 3) == b"234"
    assert read_range(log, 8, 10) == b"89"
    assert read_range(log, 20, 10) == b""
    assert read_range(log.with_name("none"), 0, 10) == b""


def test_short_reads_are_completed(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A network filesystem may give less than asked for."""
    pread = os.pread
    monkeypatch.setattr(tail_module.os, "pread", lambda descriptor, length, at: pread(descriptor, min(length, 3), at))
    log.write_bytes(b"0123456789")
    assert Tail(log).read() == Piece(b"0123456789", 0, at_end=True)


def test_starting_again_gives_the_file_from_its_beginning(tmp_path: Path) -> None:
    """What a reader took for something else is handed out once more, as another content would be."""
    path = tmp_path / "log"
    path.write_bytes(b"one")
    tail = Tail(path)
    tail.advance(len(tail.read().data))
    assert tail.read().data == b""
    tail.start_again()
    piece = tail.read()
    assert (piece.data, piece.offset, piece.reset) == (b"one", 0, True)
