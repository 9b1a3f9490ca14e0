"""Tables as text: aligned for people, Markdown, and CSV. Cells are measured as terminals show them."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from tuimon.text import clean, fit, width

Rows = Sequence[Sequence[str]]


def plain(head: Sequence[str], rows: Rows, right: Sequence[bool]) -> str:
    """A table with aligned columns, two spaces apart.

    Args:
        head: The headings.
        rows: The cells; control characters are shown, not sent.
        right: For each column whether it is aligned to the right.
    """
    widths = [max(map(width, column)) for column in zip(head, *rows, strict=True)]
    lines = [
        "  ".join(
            fit(cell, size, "right" if to_right else "left")
            for cell, size, to_right in zip(row, widths, right, strict=True)
        ).rstrip()
        for row in (head, *rows)
    ]
    return "\n".join(lines)


def markdown(head: Sequence[str], rows: Rows, right: Sequence[bool]) -> str:
    """A Markdown table, aligned in its source too. Arguments as for `plain`."""
    escaped = [[clean(cell).replace("\\", "\\\\").replace("|", "\\|") for cell in row] for row in (head, *rows)]
    widths = [max(3, *map(width, column)) for column in zip(*escaped, strict=True)]
    rule = ["-" * (size - 1) + ":" if to_right else "-" * size for size, to_right in zip(widths, right, strict=True)]
    return "\n".join(
        "| "
        + " | ".join(
            fit(cell, size, "right" if to_right else "left")
            for cell, size, to_right in zip(row, widths, right, strict=True)
        )
        + " |"
        for row in (escaped[0], rule, *escaped[1:])
    )


def comma_separated(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table as CSV, with a heading line, without a line end at the end; None is empty."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows((head, *rows))
    return text.getvalue().removesuffix("\n")
