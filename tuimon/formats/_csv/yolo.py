"""The parser of YOLOv5's ``results.txt``."""

from __future__ import annotations

from tuimon.formats._csv.head import Head
from tuimon.formats._csv.lines import BLANK, records
from tuimon.formats._csv.parser import CsvParser

_TRAIN = ("train/box_loss", "train/obj_loss", "train/cls_loss")
_SIZES = ("train/loss", "train/labels", "train/img_size")
_METRICS = ("metrics/precision", "metrics/recall", "metrics/mAP_0.5", "metrics/mAP_0.5:0.95")
_VALIDATION = ("val/box_loss", "val/obj_loss", "val/cls_loss")
_COLUMNS = (
    ("epoch", "gpu_mem", *_TRAIN, *_SIZES, *_METRICS, *_VALIDATION),
    ("epoch", "gpu_mem", *_TRAIN, "train/kpt_loss", "train/kptv_loss", *_SIZES, *_METRICS, *_VALIDATION),
)
"""The names of the columns, as the later ``results.csv`` has them: of detection, and of poses."""


class YoloParser(CsvParser):
    """Parses a ``results.txt``."""

    def find_head(self, data: bytes, *, at_end: bool) -> Head | None:
        """See `CsvParser.find_head`: the number of cells says what they are."""
        lines, _ = records(data if at_end else data[: data.rfind(b"\n") + 1], BLANK)
        first = next((row for line, _ in lines if (row := self.cells(line, BLANK))), None)
        if first is None:
            return None
        width = len(first)
        known = next((names for names in _COLUMNS if len(names) == width), _COLUMNS[0][:width])
        names = (*known, *(f"column {number}" for number in range(len(known) + 1, width + 1)))
        return Head(BLANK, names, 0, [first], (), ())

    def cells(self, line: str, delimiter: str) -> list[str]:  # noqa: ARG002
        """See `CsvParser.cells`; the memory has its unit behind it."""
        row = line.split()
        return [*row[:1], *(cell.removesuffix("G") for cell in row[1:])]
