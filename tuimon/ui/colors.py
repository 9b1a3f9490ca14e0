"""Which colour and glyph stands for which run.

Numbers are given in the order of start (then name) while the first load goes on, and are kept from then on, so that a
run looks the same in every panel, whatever is filtered, and the next time the same directory is opened.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, cast

from rich.style import Style

from tuimon.analysis.keytags import natural
from tuimon.ui.state import RunKey

if TYPE_CHECKING:
    from tuimon.charts.palette import Colors


class RunColors:
    """Colours of runs for one kind of terminal.

    Args:
        system: What the terminal can show, as Rich names it; None for no colour.
        ascii: Whether signs and charts must be plain ASCII.

    Attributes:
        light: Whether they are seen on a light background.
        text_only: Whether only the characters will be seen, so that pictures must not be made of colours alone.
    """

    def __init__(self, system: str | None, *, ascii: bool = False) -> None:  # noqa: A002 - the mode's name everywhere
        self.ascii = ascii
        self.light = False
        self.text_only = False
        self._system = "none" if system is None else system if system in ("truecolor", "256") else "standard"
        self._numbers: dict[str, int] = {}

    @property
    def system(self) -> Colors:
        """The kind of colours that charts are drawn with."""
        return cast("Colors", f"{self._system}-light" if self.light and self._system != "none" else self._system)

    def assign(self, runs: Iterable[RunKey], *, settle: bool) -> bool:
        """Give every run its number.

        Args:
            runs: All runs there are.
            settle: Keep the numbers given so far and only add new ones after them; otherwise number anew, which is
                right as long as runs are still being found.

        Returns:
            Whether a run that had a number got another one.
        """
        ordered = sorted(runs, key=lambda run: (run.started is None, run.started or 0.0, natural(run.name)))
        if settle:
            for run in ordered:
                self._numbers.setdefault(run.name, len(self._numbers))
            return False
        numbers = {run.name: number for number, run in enumerate(ordered)}
        moved = any(numbers.get(name, number) != number for name, number in self._numbers.items())
        self._numbers = numbers
        return moved

    def number(self, run: str) -> int:
        """The number of a run; a run never seen before gets the next one."""
        return self._numbers.setdefault(run, len(self._numbers))

    def color(self, run: str) -> str:
        """The colour of a run as Rich writes it."""
        from tuimon.charts import palette  # after the first paint: charts need numpy

        return palette.series_color(self.number(run), self.system)

    def style(self, run: str) -> Style:
        """The colour of a run as a Rich style without a background."""
        from tuimon.charts import palette

        return palette.style_of(self.color(run))

    def glyph(self, run: str) -> str:
        """A sign of one cell that tells runs apart where colours cannot."""
        from tuimon.charts import palette

        return palette.series_glyph(self.number(run), ascii=self.ascii)
