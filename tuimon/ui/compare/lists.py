"""Lists that are parts of the comparison."""

from __future__ import annotations

from textual.events import Resize

from tuimon.ui.compare.model import CompareModel
from tuimon.ui.panels.base import Panel
from tuimon.ui.widgets.line_list import LineList


class PartList(LineList):
    """A list that is laid out anew when its size changes."""

    def on_resize(self, event: Resize) -> None:
        """Fit names and columns."""
        super().on_resize(event)
        self.refresh_part()

    def refresh_part(self) -> None:
        """Draw what the model holds now."""
        raise NotImplementedError


class RunRows(PartList):
    """A list with a row for each run or group.

    Attributes:
        row_names: What its rows are called.
    """

    row_names: list[str]
    _panel: Panel
    _model: CompareModel

    @property
    def current_row(self) -> str | None:
        """The row under the cursor."""
        return self.row_names[self.cursor] if self.cursor < len(self.row_names) else None

    @property
    def current_run(self) -> str | None:
        """The run under the cursor; of a group its best one."""
        row = self.current_row
        return None if row is None else self._model.run_of(row)

    def watch_cursor(self) -> None:
        """Views about one run follow the cursor."""
        super().watch_cursor()
        run = self.current_run
        if run is not None:
            self._panel.view.current = run
