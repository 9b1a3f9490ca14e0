"""The table of the tensors of a run: what is wrong with each, its numbers, and the ratio of gradient to weights."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from tuimon.analysis.tensors import TensorRow, ordered
from tuimon.numbers import format_count, format_step, format_value
from tuimon.text import Align, clean, elide_middle
from tuimon.text import width as cells
from tuimon.ui.roles import Roles
from tuimon.ui.widgets.distribution import percent, short
from tuimon.ui.widgets.line_table import Cell, Column, LineTable

FIELDS: tuple[tuple[str, str, int, str, Align], ...] = (
    ("tag", "tensor", 0, "", "left"),
    ("flags", "finding", 0, "", "left"),
    ("minimum", "min", 9, "finite values", "right"),
    ("maximum", "max", 9, "finite values", "right"),
    ("mean", "mean", 10, "finite values", "right"),
    ("std", "std", 9, "finite values", "right"),
    ("zeros", "zero", 7, "finite values", "right"),
    ("nan", "NaN", 7, "not finite", "right"),
    ("inf", "Inf", 7, "not finite", "right"),
    ("ratio", "/weights", 9, "gradient", "right"),
    ("count", "n", 8, "", "right"),
    ("step", "step", 8, "", "right"),
)
"""Attribute of a row, title, cells, group, and how it is placed."""
NORM_FIELDS = (*FIELDS[:2], ("size", "norm", 10, "", "right"), FIELDS[9], FIELDS[11])
"""The same for norms that were logged as numbers."""
LEAST, MOST = 12, 48
"""Cells of the names, at least and at most."""
FINDING, ROOMY = 16, 100
"""Cells of the findings, and from how wide a table on they have all that they need."""
BAD = 4
"""How bad a finding is that is written in the colour of what is wrong."""


class TensorTable(LineTable):
    """The tensors of a run."""

    sign_width = 0

    def __init__(self, roles: Callable[[], Roles]) -> None:
        super().__init__(roles, frozen=1, id="tensors")
        self._roles_now = roles
        self._rows: list[TensorRow] = []
        self._names: list[str] = []
        self._fields = FIELDS

    @property
    def tag(self) -> str:
        """The tensor under the cursor; empty when there is none."""
        return self._rows[self.cursor].tag if self.cursor < len(self._rows) else ""

    @property
    def sort_key(self) -> str:
        """The attribute that the column under the cursor shows."""
        return self._fields[min(self.column, len(self._fields) - 1)][0]

    def fill(self, rows: Sequence[TensorRow], sort: str, descending: bool, width: int, *, norms: bool) -> None:
        """Show these rows, sorted, in a table of this width; the cursor stays on its tensor."""
        under = self.tag
        self._fields = NORM_FIELDS if norms else FIELDS
        known = sort if any(field[0] == sort for field in self._fields) else "flags"
        self._rows = ordered(rows, known, descending)
        names = [clean(row.tag) for row in self._rows]
        name = max(min(max(map(cells, names), default=0), MOST, width * 2 // 5), LEAST)
        self._names = elide_middle(names, name)
        findings = max((len(", ".join(row.flags)) for row in self._rows), default=0)
        wide = {"tag": name, "flags": min(max(findings, FINDING), MOST) if width >= ROOMY else FINDING}
        arrow = "▼" if descending else "▲"
        columns = [
            Column(title, wide.get(key, size), group, align, arrow if key == known else "")
            for key, title, size, group, align in self._fields
        ]
        self.set_table(columns, len(self._rows), self._text)
        at = next((at for at, row in enumerate(self._rows) if row.tag == under), None)
        if at is not None:
            self.cursor = at

    def _placed(self, width: int) -> list[tuple[int, int]]:
        """No column lies under the sign that there are more."""
        placed = super()._placed(width)
        last, start = placed[-1] if placed else (0, 0)
        under = len(placed) > 2 and last < len(self.columns) - 1 and start + self.columns[last].width > width - 2
        return placed[:-1] if under else placed

    def _text(self, number: int, column: int) -> Cell:
        row, key, roles = self._rows[number], self._fields[column][0], self._roles_now()
        if key == "tag":
            return self._names[number], roles.strong if row.flags else roles.text
        if key == "flags":
            return ", ".join(row.flags), roles.bad if row.badness >= BAD else roles.warn
        value = getattr(row, key)
        if value is None:
            return "-", roles.faint
        if isinstance(value, float) and not math.isfinite(value):
            return format_value(value), roles.bad
        about = "~" if row.estimated and key in ("mean", "std", "zeros") else ""
        if key in ("nan", "inf"):
            return format_count(value), roles.bad if value else roles.faint
        if key == "zeros":
            return about + percent(value), roles.bad if value == 1 else roles.text
        if key in ("step", "count"):
            return format_step(value) if key == "step" else format_count(value), roles.dim
        return about + short(value), roles.text
