"""What stands in MLflow's tracking database, as records of its runs."""

from __future__ import annotations

import math
import sqlite3
from array import array
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from tuimon.formats import _mlflow, _sqlite
from tuimon.records import Record, RunInfo, ScalarRows

_NEEDED = {"experiments", "runs", "metrics", "params", "tags"}
_INFINITE = 1.7976931348623157e308
"""The largest number stands for infinity, which databases do not have."""

Columns = tuple["array[float]", "array[float]", "array[float]"]


def is_mlflow(path: str) -> bool:
    """Whether a database has the tables of MLflow."""
    return _sqlite.tables(path).keys() >= _NEEDED


def read_runs(path: str) -> dict[str, Sequence[Record]]:
    """The records of each run, called after its experiment and its name.

    Raises:
        OSError: It cannot be read at the moment.
    """
    columns = _sqlite.tables(path)
    try:
        return _sqlite.read(path, lambda connection: _runs(connection, columns))
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:  # SQLite holds any type anywhere
        raise OSError(f"it is damaged: {error}") from error


def _runs(connection: sqlite3.Connection, columns: Mapping[str, set[str]]) -> dict[str, Sequence[Record]]:
    metrics = _metrics(connection, columns["metrics"])
    told: dict[str, list[Record]] = defaultdict(list)
    for table, take in (("params", _mlflow.param), ("tags", _mlflow.tag)):
        for run, key, value in connection.execute(f'SELECT run_uuid, "key", value FROM {table} ORDER BY rowid'):
            if run in metrics:
                told[run] += take(key, value or "")
    experiments = dict(connection.execute("SELECT experiment_id, name FROM experiments"))
    connection.row_factory = sqlite3.Row
    rows = [dict(row) for row in connection.execute("SELECT * FROM runs ORDER BY start_time, rowid")]
    names = {
        row[
            "run_uuid"
        ]: f"{experiments.get(row['experiment_id'], row['experiment_id'])}/{row['name'] or row['run_uuid']}"
        for row in rows
        if row["run_uuid"] in metrics and row.get("lifecycle_stage") != "deleted"
    }
    times = Counter(names.values())
    found: dict[str, Sequence[Record]] = {}
    for row in rows:
        run = row["run_uuid"]
        if run in names:
            name = names[run] if times[names[run]] == 1 else f"{names[run]} {run[:8]}"
            project = RunInfo({"project": experiments.get(row["experiment_id"])})
            found[name] = [*_mlflow.run(row), project, *told[run], *_rows(metrics[run])]
    return found


def _metrics(connection: sqlite3.Connection, columns: set[str]) -> dict[str, dict[str, Columns]]:
    """Steps, times and values of each metric of each run."""
    step, is_nan = (name if name in columns else default for name, default in (("step", "NULL"), ("is_nan", "0")))
    rows = connection.execute(f'SELECT run_uuid, "key", {step}, timestamp, value, {is_nan} FROM metrics ORDER BY rowid')
    found: dict[str, dict[str, Columns]] = {}
    for run, key, number, stamp, value, nan in rows:
        metrics = found.setdefault(run, {})
        if key not in metrics:
            metrics[key] = (array("d"), array("d"), array("d"))
        steps, times, values = metrics[key]
        steps.append(math.nan if number is None else number)
        times.append(stamp or 0)
        values.append(math.nan if nan or value is None else value)
    return found


def _rows(metrics: Mapping[str, Columns]) -> list[Record]:
    records: list[Record] = []
    for key, (steps, times, values) in metrics.items():
        when = array("d", map(_mlflow.seconds, times))
        large = array("d", (math.copysign(math.inf, value) if abs(value) >= _INFINITE else value for value in values))
        records.append(ScalarRows((key,), steps.tobytes(), when.tobytes(), large.tobytes()))
    return records
