"""MLflow's tracking database (``mlflow.db``): all runs of all experiments in one SQLite file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tuimon.formats.base import Database
from tuimon.records import Record

_MAGIC = b"SQLite format 3\0"


class MlflowDatabase(Database):
    """The format of MLflow's database. Runs that were deleted or hold no metric are left out.

    The library of SQLite is imported only when there is such a file.
    """

    name = "MLflow database"
    rank = 30
    beside = ("-wal",)

    def sniff(self, path: str, head: bytes) -> bool:
        """See `tuimon.formats.base.Kind.sniff`; the tables of an SQLite file are looked at, its head rarely tells."""
        if not head.startswith(_MAGIC):
            return False
        from tuimon.formats._mlflow_db import is_mlflow

        return is_mlflow(path)

    def read(self, path: str) -> Mapping[str, Sequence[Record]]:
        """See `tuimon.formats.base.Database.read`."""
        from tuimon.formats._mlflow_db import read_runs

        return read_runs(path)


FORMAT = MlflowDatabase()
