"""YOLOv5's ``results.txt`` (YOLOv3, v4 and v7 have it as well): padded columns without a header, a line an epoch."""

from __future__ import annotations

import re

from tuimon.formats.base import Format, Parser

_ROW = rb"\s*\d+/\d+\s+[\d.]+G(?:\s+(?:[-+.\deE]+|nan|inf)){6,18}\s*"


class YoloResults(Format):
    """The format of ``results.txt``. ``gpu_mem`` is in GB."""

    name = "YOLO results"
    rank = 58

    def sniff(self, path: str, head: bytes) -> bool:
        """See `tuimon.formats.base.Kind.sniff`."""
        if not path.endswith(".txt"):
            return False
        return re.fullmatch(_ROW, head.partition(b"\n")[0], re.IGNORECASE) is not None

    def parser(self, path: str) -> Parser:  # noqa: ARG002
        """See `tuimon.formats.base.Format.parser`."""
        from tuimon.formats._csv.yolo import YoloParser

        return YoloParser("results")


FORMAT = YoloResults()
