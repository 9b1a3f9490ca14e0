"""SQLite files of other programs, read without a lock that these could meet, and without a file beside them."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from typing import TypeVar
from urllib.parse import quote

MAX_COPY = 256 << 20
"""A larger file that is written all the time is not copied into memory."""

_HOT = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"  # how a journal begins while it is needed
_PAUSES = (0.0, 0.005, 0.01)  # seconds before each attempt: a change takes its writer milliseconds
_SHARED, _UNLOCKED = "mode=ro", "mode=ro&immutable=1"

FAILURES = (sqlite3.Error, UnicodeError)
"""What asking a damaged database raises; what SQLite says of it may be no text either."""

Result = TypeVar("Result")


def read(path: str, query: Callable[[sqlite3.Connection], Result]) -> Result:
    """Ask a database something.

    The file is read as if nobody ever wrote it, and what was read counts if nobody did meanwhile. If somebody did, it
    is copied into memory first, which takes less time. Where somebody writes during that as well, each time, its writer
    is kept waiting for as long as a copy takes. A database whose latest changes are in a write-ahead log has readers
    that no writer ever waits for.

    Args:
        path: The file.
        query: Asks; may be called several times.

    Raises:
        OSError: It is no database, or cannot be read at the moment.
    """
    try:
        if _size(f"{path}-wal"):
            with closing(_connect(path, _SHARED)) as connection:
                return query(connection)
        answer = _undisturbed(path, query)
        if answer is not None:
            return answer[0]
        if _size(path) > MAX_COPY:
            raise OSError("it is being written all the time")
        with closing(sqlite3.connect(":memory:")) as copy:
            if not _copied(path, copy):
                with closing(_connect(path, _SHARED)) as connection:
                    connection.backup(copy)
            return query(copy)
    except FAILURES as error:
        raise OSError(str(error)) from error


def _undisturbed(path: str, query: Callable[[sqlite3.Connection], Result]) -> tuple[Result] | None:
    """The answer of a database that nobody writes meanwhile; None if somebody does."""
    before = _state(path)
    if before is None:
        return None
    with closing(_connect(path, _UNLOCKED)) as connection:
        try:
            answer = query(connection)
        except FAILURES:
            if _state(path) == before:
                raise
            return None
    return (answer,) if _state(path) == before else None


def _copied(path: str, copy: sqlite3.Connection) -> bool:
    """Copy a database; returns whether nobody wrote it meanwhile."""
    for pause in _PAUSES:
        time.sleep(pause)
        if _undisturbed(path, lambda connection: connection.backup(copy)) is not None:
            return True
    return False


def tables(path: str) -> dict[str, set[str]]:
    """The names of the tables in a database, each with those of its columns; none when it cannot be read."""

    def ask(connection: sqlite3.Connection) -> dict[str, set[str]]:
        rows = connection.execute(
            "SELECT m.name, c.name FROM sqlite_master AS m, pragma_table_info(m.name) AS c WHERE m.type = 'table'"
        )
        found: dict[str, set[str]] = {}
        for table, column in rows:
            found.setdefault(table, set()).add(column)
        return found

    try:
        return read(path, ask)
    except OSError:
        return {}


def _connect(path: str, how: str) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{quote(os.path.abspath(path))}?{how}", uri=True, timeout=1.0)


def _state(path: str) -> tuple[int, int, int, bytes] | None:
    """What changes whenever the database does; None while somebody writes it."""
    try:
        with open(f"{path}-journal", "rb") as journal:
            if journal.read(len(_HOT)) == _HOT:
                return None
    except OSError:
        pass
    with open(path, "rb") as file:
        status = os.fstat(file.fileno())
        return status.st_ino, status.st_size, status.st_mtime_ns, file.read(100)


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0
