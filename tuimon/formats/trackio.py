"""trackio's databases: a file of SQLite for each project, with all of its runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tuimon.formats.base import Database
from tuimon.records import Record

_MAGIC = b"SQLite format 3\0"


class Trackio(Database):
    """The format. The library of SQLite is imported only when there is such a file."""

    name = "trackio"
    rank = 30
    beside = ("-wal",)

    def sniff(self, path: str, head: bytes) -> bool:
        """See `tuimon.formats.base.Kind.sniff`; the tables say whose database it is."""
        if not head.startswith(_MAGIC):
            return False
        if b"run_name" not in head and not path.endswith(".db"):
            return False
        from tuimon.formats._trackio import has_metrics

        return has_metrics(path)

    def read(self, path: str) -> Mapping[str, Sequence[Record]]:
        """See `tuimon.formats.base.Database.read`."""
        from tuimon.formats._trackio import read_runs

        return read_runs(path)


FORMAT = Trackio()
