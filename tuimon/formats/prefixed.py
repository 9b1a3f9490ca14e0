"""Log lines with an object of metrics at their end, as fairseq writes them: ``2020-05-01 … | train | {"loss": …}``."""

from __future__ import annotations

from tuimon.formats._looks import names_text_log
from tuimon.formats.base import Format, Parser


class Prefixed(Format):
    """The format: text in front of one JSON object a line; lines without an object are what the program says."""

    name = "prefixed JSON lines"
    rank = 70

    def sniff(self, path: str, head: bytes) -> bool:
        """See `tuimon.formats.base.Kind.sniff`: several lines must end with metrics at a step."""
        if b"}\n" not in head or b"\0" in head or not names_text_log(path):
            return False
        from tuimon.formats._prefixed import has_rows

        return has_rows(head)

    def parser(self, path: str) -> Parser:  # noqa: ARG002
        """See `tuimon.formats.base.Format.parser`."""
        from tuimon.formats._prefixed import PrefixedParser

        return PrefixedParser()


FORMAT = Prefixed()
