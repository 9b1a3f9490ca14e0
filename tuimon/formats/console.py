"""What a training prints: lines with a step and named numbers, in any of the usual ways of writing them."""

from __future__ import annotations

import re

from tuimon.formats._looks import names_text_log
from tuimon.formats.base import Format, Parser

_MARKUP = (b"<", b"#!", b"%PDF", b"PK")
_LETTER = rb"[A-Za-z\x80-\xff]"


class Console(Format):
    """The format of plain output; the last resort, so it is taken only when it is clearly that of a training."""

    name = "console output"
    rank = 90

    def sniff(self, path: str, head: bytes) -> bool:
        """See `tuimon.formats.base.Kind.sniff`."""
        if not names_text_log(path) or head.startswith(_MARKUP) or b"\0" in head or not re.search(_LETTER, head):
            return False
        from tuimon.formats._console.sniff import is_training

        return is_training(head)

    def opens(self, path: str, head: bytes) -> bool:  # noqa: ARG002
        """See `tuimon.formats.base.Kind.opens`: whatever it is called."""
        if head.startswith(_MARKUP) or b"\0" in head:
            return False
        from tuimon.formats._console.sniff import is_training

        return is_training(head)

    def home(self, folder: str, file_name: str) -> str:
        """See `tuimon.formats.base.Kind.home`: W&B keeps the output of a run in a directory of its own."""
        parent, _, last = folder.rpartition("/")
        return parent if last == "files" and file_name == "output.log" else folder

    def parser(self, path: str) -> Parser:  # noqa: ARG002
        """See `tuimon.formats.base.Format.parser`."""
        from tuimon.formats._console.parser import ConsoleParser

        return ConsoleParser()


FORMAT = Console()
