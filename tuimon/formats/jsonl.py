"""Any log of JSON lines with numbers in them: what a training script prints, and the logs of many frameworks."""

from __future__ import annotations

from tuimon.formats._flat import FlatParser
from tuimon.formats._lines import objects_in
from tuimon.formats._looks import PROSE_KEYS, has_metrics, has_step, names_document
from tuimon.formats.base import Format, Parser

_SAMPLE = 20
_LINE_SUFFIXES = (".jsonl", ".ndjson", ".jsonlines")


class JsonLines(Format):
    """The format of flat JSON-lines metric logs."""

    name = "JSON lines"
    rank = 50

    def sniff(self, path: str, head: bytes) -> bool:
        """See `tuimon.formats.base.Kind.sniff`.

        One line must hold a number that is neither a step nor a time, and most lines must be objects unless the name
        says that all are meant to be. A lone object in a ``.json`` file is taken for a document unless it has a step
        and its name does not say otherwise, and rows of prose (chats, data sets, service logs) are not metrics.
        """
        name = path.rpartition("/")[2].lower()
        text = head.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n\0")
        if not text.startswith(b"{") and b"{" not in text[:4096]:
            return False
        whole = text.rfind(b"\n") + 1
        lines = [line for line in text[:whole].split(b"\n")[: 3 * _SAMPLE] if line.strip(b" \t\r\0")][:_SAMPLE]
        if lines and lines[0].strip() in (b"{", b"[") and not name.endswith(_LINE_SUFFIXES):
            return False
        last_only = not lines
        if last_only:
            lines = [text]
        rows = [row for line in lines if (row := _row(line.strip(b"\0 \t\r"), anywhere=name.endswith(_LINE_SUFFIXES)))]
        if last_only and not rows:
            # one line longer than the head: only its name can say what it is
            return len(head) >= 1 << 16 and text.startswith(b"{") and name.endswith((*_LINE_SUFFIXES, "result.json"))
        if (2 * len(rows) < len(lines) and not name.endswith(_LINE_SUFFIXES)) or not any(
            has_metrics(row) for row in rows
        ):
            return False
        if len(rows) == 1 and name.endswith(".json"):
            return has_step(rows[0]) and not last_only and not names_document(name)
        return any(has_step(row) or not PROSE_KEYS.intersection(row) for row in rows if has_metrics(row))

    def opens(self, path: str, head: bytes) -> bool:  # noqa: ARG002
        """See `tuimon.formats.base.Kind.opens`: a line that is an object is enough."""
        first = head.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n\0").split(b"\n", 1)[0]
        return first.startswith(b"{") and bool(objects_in(first.strip())[0])

    def parser(self, path: str) -> Parser:  # noqa: ARG002
        """See `tuimon.formats.base.Format.parser`."""
        return FlatParser()


def _row(line: bytes, *, anywhere: bool) -> dict[str, object] | None:
    """The first object in a line, which must begin with it unless it may be anywhere."""
    objects = objects_in(line)[0] if anywhere or line.startswith((b"{", b"\xef")) else []
    return objects[0] if objects else None


FORMAT = JsonLines()
