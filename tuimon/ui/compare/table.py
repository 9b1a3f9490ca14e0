"""The table of the comparison: a row a run or a group, settings and values of tags in columns."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType

from tuimon.analysis.comparison import MISSING
from tuimon.analysis.comparison import Cell as Value
from tuimon.analysis.comparison import Column as Field
from tuimon.analysis.measures import title as measure_title
from tuimon.text import clean, elide_middle
from tuimon.ui.compare.columns import GAP, SETTINGS, shown_columns, titled
from tuimon.ui.compare.lead import LEAD, lead
from tuimon.ui.compare.lists import RunRows
from tuimon.ui.compare.model import CompareModel
from tuimon.ui.panels.base import Panel
from tuimon.ui.widgets.line_table import Cell, Column, LineTable

ARROWS: Mapping[str | None, str] = {"min": " ↓", "max": " ↑", None: ""}
LAST, BEST, DELTA, WIDEST = 4, 8, 6, 24
"""Cells of a last value, of one with its step and of a difference, at least, and of a setting or a tag, at most."""
THIN = Style(bold=False)
MOST_MEASURED = 200
"""Values that are worked out beyond what is on screen to know how wide columns must be."""


class CompareTable(RunRows, LineTable, inherit_bindings=False):
    """The rows and columns of a model.

    Attributes:
        fields: The columns that are shown.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "cursor(-1)", show=False),
        Binding("down,j", "cursor(1)", show=False),
        Binding("pageup,ctrl+b", "page(-1)", show=False),
        Binding("pagedown,ctrl+f", "page(1)", show=False),
        Binding("home", "edge(-1)", show=False),
        Binding("end", "edge(1)", show=False),
    ]
    """As in other lists, but for ``g`` and ``G``, which are about groups here."""

    def __init__(self, panel: Panel, model: CompareModel) -> None:
        super().__init__(lambda: panel.roles, id="compare-table")
        self._panel = panel
        self._model = model
        self.fields: tuple[Field, ...] = ()
        self.row_names: list[str] = []
        self._names: dict[str, str] = {}
        self._named: tuple[list[str], int] = ([], 0)
        self._name_width = 6
        self._sizes: dict[str, tuple[int, bool]] = {}
        self._sized: tuple[int, list[str]] = (-1, [])
        self._widths: dict[str, int] = {}
        self._current: str | None = None

    @property
    def field(self) -> Field | None:
        """The column under the cursor."""
        return self.fields[self.column] if self.column < len(self.fields) else None

    def watch_cursor(self) -> None:
        """The cursor stays on this row."""
        super().watch_cursor()
        self._current = self.current_row

    def refresh_part(self) -> None:
        """Draw what the model holds now; the cursor stays on its row and its column."""
        current, field = self._current or self.current_row, self.field
        self.row_names = list(self._model.names)
        width = self.size.width
        if not width:  # nothing to lay out, but it may be drawn before it is, and must not ask for rows that went
            self.set_count(len(self.row_names))
            return
        labels = [self._model.label(name) for name in self.row_names]
        if (labels, width) != self._named:
            self._named = (labels, width)
            longest = max((cell_len(clean(label)) for label in labels), default=3)
            self._name_width = max(min(longest, width // 3, 44), 6)
            self._names = dict(zip(self.row_names, elide_middle(labels, self._name_width), strict=True))
        name_width = self._name_width
        self.fields = tuple(
            shown_columns(self._model, width - name_width - LEAD - GAP, lambda f: self._column(f, 0).width)
        )
        self._measure()
        columns = titled([self._column(field, name_width) for field in self.fields], width - 1)  # a scroll bar
        self.set_table(columns, len(self.row_names), self._cell_at, self._lead_at)
        if current in self.row_names:
            self.cursor = self.row_names.index(current)
        self.go_to(field.key if field is not None else "")

    def go_to(self, key: str) -> None:
        """Put the cursor on a column, the first one if it is not shown."""
        self.column = next((at for at, field in enumerate(self.fields) if field.key == key), 0)

    def _measure(self) -> None:
        """Make columns of results wide enough for the rows in sight. They never shrink, so that nothing jumps."""
        top = self.scroll_offset.y
        rows = self.row_names[top : top + self.size.height]
        room = self.size.width + MOST_MEASURED
        for field in self.fields:
            if field.kind not in ("name", "setting") and (room > 0 or field is self.field):
                for row in rows:
                    cell = self._model.cell(row, field)
                    if cell is not None:
                        self._widths[field.key] = max(self._widths.get(field.key, 0), cell_len(cell.text))
                room -= self._widths.get(field.key, LAST) + GAP

    def _column(self, field: Field, name_width: int) -> Column:
        choices = self._model.choices
        sign = ("▼" if choices.reverse else "▲") if field.key == choices.sort else ""
        if field.kind == "name":
            best = self._model.groups and self._model.group_view == "best"
            title = "best run" if best else "group" if self._model.groups else "run"
            return Column(" " * LEAD + title, name_width + LEAD, sorted=sign)
        if field.kind == "setting":
            size, numbers = self._setting_size(field)
            return Column(clean(field.name), min(size, WIDEST), SETTINGS, "right" if numbers else "left", sign)
        group = clean(field.name) + ARROWS[field.direction]
        if field.kind == "delta":
            return Column("Δ", max(DELTA, self._widths.get(field.key, 0)), group, "right", sign)
        title = measure_title(field.kind, self._model.mean_of)
        stepped = field.kind in ("best", "min", "max") and not self._model.groups
        least = max(BEST if stepped else LAST, cell_len(title) + (2 if sign else 0))
        size = max(least, self._widths.get(field.key, 0))
        if len(self._shown_of(field.name)) == 1:
            size = max(size, min(cell_len(group), WIDEST))
        elif field.key == self._shown_of(field.name)[-1]:
            others = sum(max(LAST, self._widths.get(key, 0)) + GAP for key in self._shown_of(field.name)[:-1])
            size = max(size, min(cell_len(group), WIDEST) - others)
        return Column(title, size, group, "left" if stepped else "right", sign)

    def _setting_size(self, field: Field) -> tuple[int, bool]:
        """Cells that a setting needs, and whether it is a number in all of the first rows."""
        if self._sized != (self._model.version, self.row_names[:MOST_MEASURED]):
            self._sized = (self._model.version, self.row_names[:MOST_MEASURED])
            self._sizes.clear()
        if field.key not in self._sizes:
            cells = [cell for row in self.row_names[:MOST_MEASURED] if (cell := self._model.cell(row, field))]
            numbers = all(isinstance(cell.value, (int, float)) for cell in cells)
            size = max((cell_len(clean(cell.text)) for cell in cells), default=0)
            self._sizes[field.key] = (max(4, cell_len(clean(field.name)) + 2, size), numbers)
        return self._sizes[field.key]

    def _shown_of(self, tag: str) -> list[str]:
        """The keys of the values of a tag that are shown or would be."""
        return [c.key for c in self._model.columns_of(tag) if c.key not in self._model.choices.hidden] or [""]

    def _lead_at(self, row: int) -> list[Segment]:
        return lead(self._panel.monitor, self._model, self.row_names[row])

    def _cell_at(self, row: int, column: int) -> Cell:
        name, field, roles = self.row_names[row], self.fields[column], self._panel.roles
        if field.kind == "name":
            return self._names.get(name, name), roles.strong
        if field.kind == "delta":
            found = self._model.delta(name, field)
            if found is None:
                return "", roles.faint
            if not math.isfinite(found.value):
                return found.text, roles.faint
            return found.text, roles.dim if found.better is None else roles.good if found.better else roles.bad + THIN
        cell = self._model.cell(name, field)
        if cell is None:
            return MISSING, roles.faint
        if isinstance(cell.value, float) and not math.isfinite(cell.value):
            return cell.text, roles.bad
        if field.kind == "setting":
            return cell.text, self._setting_style(cell, field)
        return cell.text, roles.text

    def _setting_style(self, cell: Value, field: Field) -> Style:
        """A setting is bright where it differs from the baseline's."""
        model, roles = self._model, self._panel.roles
        if not model.has_baseline:
            return roles.dim
        base = model.cell(model.choices.baseline, field)
        return roles.dim if base is not None and base.text == cell.text else roles.text
