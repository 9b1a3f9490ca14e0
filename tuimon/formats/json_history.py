"""Training histories in one JSON document: an array of rows (Chainer's ``log``), or columns (Keras' ``history``)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from tuimon.formats._axes import is_axis, is_step
from tuimon.formats._json import JsonDocument, beginning, row_records
from tuimon.formats._looks import columns, is_columns, is_history, names_document
from tuimon.formats._values import settings
from tuimon.formats.base import Format, Parser
from tuimon.records import Config, Record, Skipped

_LONGEST_SETTING = 200


class JsonHistory(Format):
    """The format of arrays of rows and of objects of columns that are clearly those of a training."""

    name = "JSON history"
    rank = 40
    whole = True

    def sniff(self, path: str, head: bytes) -> bool:
        """See `tuimon.formats.base.Kind.sniff`."""
        name = path.rpartition("/")[2]
        if b"}\n{" in head or b"}\r\n{" in head or head[:2].isalpha():  # JSON lines
            return False
        value = beginning(head)
        if isinstance(value, list):
            return is_history(value)
        if not isinstance(value, dict):
            return False
        return bool(_row_lists(value)) or (not names_document(name) and is_columns(value, cut=True))

    def parser(self, path: str) -> Parser:  # noqa: ARG002
        """See `tuimon.formats.base.Format.parser`."""
        return _History()


class _History(JsonDocument):
    def records(self, value: object) -> Sequence[Record]:
        if isinstance(value, list):
            rows = [row for row in value if isinstance(row, dict)]
            other = len(value) - len(rows)
            found = row_records(rows)
            return [*found, Skipped("bad row", -1, "no object", other)] if other else found
        if not isinstance(value, dict):
            return [Skipped("bad document", 0, "no array and no object")]
        lists = _row_lists(value)
        return _of_lists(value, lists) if lists else _of_columns(value)


def _row_lists(value: dict[str, object], prefix: str = "") -> dict[str, list[object]]:
    """The rows of a training in an object, by the keys that lead to them: ``{"args": …, "history": [{…}, {…}]}``."""
    found: dict[str, list[object]] = {}
    for key, inner in value.items():
        if isinstance(inner, list) and is_history(inner):
            found[prefix + key] = inner
        elif isinstance(inner, dict) and not prefix:
            found.update(_row_lists(inner, f"{key}/"))
    return found


def _of_lists(value: dict[str, object], lists: dict[str, list[object]]) -> list[Record]:
    """Rows of one list as they are; where there are several, each under its own name."""
    given = {key: x for key, x in settings(value).items() if key not in lists and len(str(x)) <= _LONGEST_SETTING}
    records: list[Record] = [Config(given)] if given else []
    for name, rows in lists.items():
        objects = [row for row in rows if isinstance(row, dict)]
        records += row_records(objects if len(lists) == 1 else [_under(name, row) for row in objects])
    return records


def _under(name: str, row: dict[str, object]) -> dict[str, object]:
    return {key if is_axis(key) else f"{name}/{key}": x for key, x in row.items()}


def _of_columns(value: dict[str, object]) -> list[Record]:
    """Columns that have as many values as the steps stand at these steps, the others are counted from 0."""
    found, others = columns(value)
    by_length: dict[int, dict[str, list[object]]] = defaultdict(dict)
    for name, column in found.items():
        by_length[len(column)][name] = column
    records: list[Record] = [Config(settings(others))] if others else []
    for group in by_length.values():
        steps = [name for name in group if is_step(name.rpartition("/")[2])]
        if len(steps) == 1 and len(group) > 1:
            group["step"] = group.pop(steps[0])
        names = list(group)
        records += row_records([dict(zip(names, row, strict=True)) for row in zip(*group.values(), strict=True)])
    return records


FORMAT = JsonHistory()
