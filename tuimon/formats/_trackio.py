"""What stands in a database of trackio, as records of its runs."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import datetime, timezone
from functools import lru_cache

import msgspec

from tuimon.formats._rows import Collector, Layout
from tuimon.formats._sqlite import FAILURES
from tuimon.formats._values import settings
from tuimon.formats._wandb.values import Sorter, decoded
from tuimon.records import Config, MediaRecord, Null, Record, RunInfo, TextRecord

_ROWS = msgspec.json.Decoder(dict[str, float])
_PIECE = 4096
_OWN = "trackio."
_FILES = frozenset({"image", "audio", "video", "html"})
_MOST_ROWS = 1000
_ABOUT = {"_Username": "user", "_Group": "group"}


def read_runs(path: str) -> Mapping[str, Sequence[Record]]:
    """The records of each run of a database, by the name of the project and of the run.

    Raises:
        OSError: It cannot be read at the moment.
    """
    before = _state(path)
    project = os.path.splitext(os.path.basename(path))[0]
    try:
        with closing(connect(path)) as database:
            found = {f"{project}/{name}": run.drain() for name, run in _Runs(database).read().items()}
    except FAILURES as error:
        raise OSError(f"{type(error).__name__}: {error}") from None
    if _is_still(path) and _state(path) != before:  # it was read without a lock
        raise OSError("it changed while it was read")
    return found


def connect(path: str) -> sqlite3.Connection:
    """A connection that only reads.

    A database without a write-ahead log beside it is read without any lock, since even a reader would make files
    beside it, or hold up its writer.

    Raises:
        sqlite3.Error: It cannot be opened.
    """
    quoted = os.path.abspath(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
    mode = "mode=ro&immutable=1" if _is_still(path) else "mode=ro"
    return sqlite3.connect(f"file:{quoted}?{mode}", uri=True, timeout=1.0, isolation_level=None)


def has_metrics(path: str) -> bool:
    """Whether a database has the tables of trackio, also when they are in its write-ahead log so far."""
    try:
        with closing(connect(path)) as database:
            return {"run_name", "metrics"} <= set(_columns(database, "metrics"))
    except FAILURES:
        return False


def _is_still(path: str) -> bool:
    """Whether nothing but the file itself is to be read."""
    try:
        return not os.path.getsize(path + "-wal")
    except OSError:
        return True


def _state(path: str) -> tuple[int, int, int]:
    status = os.stat(path)
    return status.st_ino, status.st_size, status.st_mtime_ns


def _columns(database: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in database.execute(f"PRAGMA table_info({table})")]


class _Runs:
    """Reads the tables of a database.

    Args:
        database: It.
    """

    def __init__(self, database: sqlite3.Connection) -> None:
        self._database = database
        self._runs: dict[str, _Run] = {}
        self._names: dict[tuple[str, str], str] = {}

    def read(self) -> dict[str, _Run]:
        """All of its runs, by name."""
        for table, take in (
            ("configs", _Run.take_config),
            ("metrics", _Run.take_metrics),
            ("system_metrics", _Run.take_system),
            ("alerts", _Run.take_alerts),
        ):
            for run, rows in self._rows(table):
                take(run, rows)
        return self._runs

    def _rows(self, table: str) -> Iterator[tuple[_Run, list[dict[str, object]]]]:
        """The rows of a table in the order in which they were written: those of one run that follow each other."""
        columns = _columns(self._database, table)
        if not {"id", "run_name"} <= set(columns):
            return
        cursor = self._database.execute(f"SELECT {', '.join(map(_quoted, columns))} FROM {table} ORDER BY id")
        while rows := cursor.fetchmany(_PIECE):
            waiting: dict[str, list[dict[str, object]]] = {}
            for row in rows:
                values = dict(zip(columns, row, strict=True))
                waiting.setdefault(self._name(values), []).append(values)
            for name, found in waiting.items():
                run = self._runs.get(name)
                if run is None:
                    run = self._runs[name] = _Run(name)
                yield run, found

    def _name(self, row: dict[str, object]) -> str:
        """The name of a row's run; of several runs with the same name all but the first have their id in it."""
        name, identity = str(row.get("run_name")), str(row.get("run_id") or "")
        known = self._names.get((name, identity))
        if known is None:
            taken = any(other == name for other, _ in self._names)
            known = self._names[name, identity] = f"{name} {identity[:8]}" if taken else name
        return known


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


class _Run:
    """Gathers the records of a run.

    Args:
        name: Its name.
    """

    def __init__(self, name: str) -> None:
        self._collector = Collector(0)
        self._layouts: dict[tuple[str, ...], Layout] = {}
        self._numeric: set[str] = set()
        self._collector.add(RunInfo({"name": name}))

    def drain(self) -> list[Record]:
        """Its records."""
        return self._collector.drain()

    def take_config(self, rows: Sequence[dict[str, object]]) -> None:
        """Take its settings."""
        for row in rows:
            values = decoded(_raw(row.get("config")))
            if not isinstance(values, dict):
                continue
            started = _seconds(values.get("_Created")) or _seconds(row.get("created_at"))
            about = {ours: values[theirs] for theirs, ours in _ABOUT.items() if values.get(theirs)}
            self._collector.add(RunInfo({**about, "started": started} if started else about))
            self._collector.add(Config(settings({key: x for key, x in values.items() if not key.startswith("_")})))

    def take_metrics(self, rows: Sequence[dict[str, object]]) -> None:
        """Take its rows of values."""
        self._take(rows, "")

    def take_system(self, rows: Sequence[dict[str, object]]) -> None:
        """Take its samples of what the machine does."""
        self._take(rows, "system/")

    def take_alerts(self, rows: Sequence[dict[str, object]]) -> None:
        """Take its messages."""
        for row in rows:
            step = row.get("step")
            body = {"title": row.get("title") or "", "text": row.get("text") or "", "level": row.get("level") or "warn"}
            when = _seconds(row.get("timestamp"))
            self._collector.add(
                MediaRecord("alert", "alert", float(step) if isinstance(step, int) else None, when, body)
            )

    def _take(self, rows: Sequence[dict[str, object]], prefix: str) -> None:
        raws = [_raw(row.get("metrics")) for row in rows]
        decoded_rows = _decoded(raws)
        for at, row in enumerate(rows):
            number = row.get("step")
            step = float(number) if isinstance(number, (int, float)) else None
            time = _seconds(row.get("timestamp"))
            values = decoded_rows[at] if decoded_rows is not None else self._take_others(raws[at], step, time)
            if not values:
                continue
            keys = (prefix, *values)
            layout = self._layouts.get(keys)
            if layout is None:
                tags = tuple(prefix + key for key in values)
                layout = self._layouts[keys] = Layout(len(tags), tags)
                self._numeric.update(tags)
            batch = self._collector.batch(layout)
            batch.steps.append(step)
            batch.times.append(time)
            batch.values.extend(values.values())

    def _take_others(self, raw: bytes, step: float | None, time: float | None) -> dict[str, float]:
        """Take what is no number of a row; gives the numbers."""
        try:
            return _ROWS.decode(raw)
        except (msgspec.DecodeError, RecursionError):
            pass
        sorter = Sorter(step, time)
        values = decoded(raw)
        if not isinstance(values, dict):
            self._collector.skip("bad row", 0, raw[:200].decode("utf-8", "replace"))
            return {}
        for tag, value in values.items():
            kind = str(value.get("_type")) if isinstance(value, dict) else ""
            if kind.startswith(_OWN):
                record = _thing(tag, kind.removeprefix(_OWN), value, step, time)
                if record is not None:
                    self._collector.add(record)
                    continue
                value = {**value, "_type": kind.removeprefix(_OWN)}
            sorter.take(tag, value)
        for other in sorter.others:
            if not isinstance(other, Null):
                self._collector.add(other)
            elif other.tag in self._numeric:  # of what never is a number, it says nothing
                self._collector.null(other)
        for tag in sorter.unknown:
            self._collector.skip("unknown value", 0, "", about=tag)
        return sorter.numbers


def _thing(tag: str, kind: str, value: Mapping[str, object], step: float | None, time: float | None) -> Record | None:
    """What an object of one of trackio's own types is; None for those that W&B has as well."""
    inner, path = value.get("_value"), value.get("file_path")
    if kind == "markdown" and isinstance(inner, str):
        return TextRecord(tag, step, time, inner)
    if kind == "table" and isinstance(inner, list):
        rows = [row for row in inner if isinstance(row, dict)]
        columns = [*dict.fromkeys(key for row in rows[:_MOST_ROWS] for key in row)]
        body = {"columns": columns, "rows": [[row.get(key) for key in columns] for row in rows[:_MOST_ROWS]]}
        return MediaRecord("table", tag, step, time, {"tag": tag, "kind": "table", **body, "total": len(rows)})
    if isinstance(path, str):
        about = {"caption": value["caption"]} if isinstance(value.get("caption"), str) else {}
        what = kind if kind in _FILES else "file"
        return MediaRecord("media", tag, step, time, {"tag": tag, "kind": what, "path": f"media/{path}", **about})
    return None


def _decoded(raws: Sequence[bytes]) -> list[dict[str, float]] | None:
    """Rows that hold nothing but numbers; None when one of them is another."""
    try:
        found = _ROWS.decode_lines(b"\n".join(raws))
    except (msgspec.DecodeError, RecursionError):
        return None
    return found if len(found) == len(raws) else None


def _raw(value: object) -> bytes:
    return value.encode("utf-8", "replace") if isinstance(value, str) else value if isinstance(value, bytes) else b""


@lru_cache(maxsize=1024)
def _seconds(text: object) -> float | None:
    """The time in an ISO date; one without a zone is in UTC."""
    try:
        found = datetime.fromisoformat(str(text).replace("Z", "+00:00"))
    except ValueError:
        return None
    return (found if found.tzinfo else found.replace(tzinfo=timezone.utc)).timestamp()
