"""W&B's ``wandb-summary.json``: the last value of each tag of a run."""

from __future__ import annotations

from collections.abc import Sequence

from tuimon.formats._json import JsonDocument, as_dict
from tuimon.formats._rows import Batch, Layout
from tuimon.formats._values import number
from tuimon.formats._wandb import files as wandb_files
from tuimon.formats._wandb.values import Sorter
from tuimon.formats.base import Format, Parser
from tuimon.records import MediaRecord, Null, Record, TextRecord


class WandbSummary(Format):
    """The format."""

    name = "W&B summary"
    rank = 45
    whole = True

    def sniff(self, path: str, head: bytes) -> bool:
        """See `tuimon.formats.base.Kind.sniff`."""
        return path.rpartition("/")[2] == "wandb-summary.json" and head.lstrip().startswith(b"{")

    def home(self, folder: str, file_name: str) -> str:  # noqa: ARG002
        """See `tuimon.formats.base.Kind.home`."""
        return wandb_files.home(folder)

    def parser(self, path: str) -> Parser:  # noqa: ARG002
        """See `tuimon.formats.base.Format.parser`."""
        return _Summary()


class _Summary(JsonDocument):
    def records(self, value: object) -> Sequence[Record]:
        values = as_dict(value)
        step, time = number(values.get("_step")), number(values.get("_timestamp"))
        sorter = Sorter(step, time)
        for tag, inner in values.items():
            if not tag.startswith("_"):
                sorter.take(tag, inner)
        others: list[Record] = [
            record for record in sorter.others if not isinstance(record, (MediaRecord, Null, TextRecord))
        ]
        if not sorter.numbers:
            return others
        layout = Layout(len(sorter.numbers), tuple(sorter.numbers))
        return [Batch(layout, [step], [time], [*sorter.numbers.values()]).rows(), *others]


FORMAT = WandbSummary()
