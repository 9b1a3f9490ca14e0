"""What the person has chosen to see: which runs, which tags, and how they are drawn.

No Textual and no numpy: a view is a few sets and numbers with rules, so the rules are tested without a terminal.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import ClassVar

from tuimon.analysis.keytags import natural
from tuimon.ui.choices.compare import CompareChoices
from tuimon.ui.choices.distributions import DistributionsChoices
from tuimon.ui.choices.findings import FindingsChoices
from tuimon.ui.choices.log import LogChoices
from tuimon.ui.choices.media import MediaChoices
from tuimon.ui.choices.run import RunChoices
from tuimon.ui.choices.scalars import ScalarsChoices
from tuimon.ui.choices.system import SystemChoices
from tuimon.ui.filters import Matcher, compile_filter
from tuimon.ui.keys import VIEWS
from tuimon.ui.run_filter import Answers, RunFilter

SMOOTHING = (0.0, 0.5, 0.6, 0.8, 0.9, 0.95, 0.99, 0.995, 0.999, 0.9995)
"""The steps that ``+`` and ``-`` go through; finer towards 1, where the effect grows fastest."""
X_MODES = ("step", "relative-step", "relative", "active", "wall", "epoch")
"""What the x axis can count, apart from the values of any tag ("tag"); see ``tuimon.analysis.axes``."""
RUN_ORDERS = ("newest", "oldest", "name")
"""The orders a list of runs can have."""
CHART_LIMIT = 30
"""Runs drawn in a chart when nothing is selected; more lines than this cannot be told apart."""

GROUPED_LIMIT = 500
"""Runs in a chart while runs are grouped: a line is a mean of all runs of a group."""


@dataclass(frozen=True, slots=True)
class RunKey:
    """What ordering needs to know of a run: its name and its start time in seconds (None while unknown)."""

    name: str
    started: float | None = None


@dataclass
class ViewState:
    """The choices that every panel draws by.

    Attributes:
        view: Which panel is on screen, by its number.
        current: The run that was under a cursor last, which panels about one run show.
        hidden: Runs that are left out of every chart and table.
        selected: Runs to narrow the view to; while it is empty nothing is narrowed.
        pinned: Runs that stay on top and are drawn whatever is selected.
        run_order: One of ``RUN_ORDERS``.
        smoothing: EMA factor, 0 (raw) to below 1.
        x_mode: One of ``X_MODES``, or "tag" for the values of ``scalars.x_tag``.
        log_x, log_y: Whether that axis is logarithmic.
        x_min, x_max: Part of the x axis to show, in its own unit; None leaves that end open.
        y_min, y_max: Part of the value axes to show; None leaves that end to the data.
        families: Whether training and validation of one quantity share a chart.
        superseded: Whether charts also draw, dim, what a resumed run has superseded.
        page: Page of charts, 0 first.
        show_runs: Whether the list of runs is wanted beside the charts.
        ascii: Whether everything is drawn in plain ASCII; fixed while the app runs.
        old_run_filters, old_tag_filters: Filters that were typed before, the newest last.
        media: Choices of the media panel.
        scalars: More choices of the scalars panel.
        compare: Choices of the comparison.
        distributions: Choices of the distributions panel.
        system: Choices of the system panel.
        log: Choices of the log panel.
        run: Choices of the run panel.
        findings: Choices of the list of findings.
    """

    kept: ClassVar[tuple[str, ...]] = ("run_filter", "tag_filter")
    """Properties that are remembered beside the fields; see ``tuimon.ui.remembered``."""

    view: int = 1
    current: str = ""
    hidden: set[str] = field(default_factory=set)
    selected: set[str] = field(default_factory=set)
    pinned: set[str] = field(default_factory=set)
    run_order: str = "newest"
    smoothing: float = 0.6
    x_mode: str = "step"
    log_x: bool = False
    log_y: bool = False
    families: bool = False
    superseded: bool = False
    x_min: float | None = None
    x_max: float | None = None
    y_min: float | None = None
    y_max: float | None = None
    page: int = 0
    show_runs: bool = True
    ascii: bool = field(default=False, metadata={"kept": False})
    old_run_filters: list[str] = field(default_factory=list)
    old_tag_filters: list[str] = field(default_factory=list)
    media: MediaChoices = field(default_factory=MediaChoices)
    scalars: ScalarsChoices = field(default_factory=ScalarsChoices)
    compare: CompareChoices = field(default_factory=CompareChoices)
    distributions: DistributionsChoices = field(default_factory=DistributionsChoices)
    system: SystemChoices = field(default_factory=SystemChoices)
    log: LogChoices = field(default_factory=LogChoices)
    run: RunChoices = field(default_factory=RunChoices)
    findings: FindingsChoices = field(default_factory=FindingsChoices)
    _runs: dict[str, RunKey] = field(default_factory=dict, repr=False)
    _listed: list[str] = field(default_factory=list, repr=False)
    _run_filter: str = field(default="", repr=False)
    _tag_filter: str = field(default="", repr=False)
    _run_match: RunFilter = field(default=RunFilter(""), repr=False)
    _answers: Answers | None = field(default=None, repr=False)
    _asked: bool = field(default=False, repr=False)
    _tag_match: Matcher = field(default=compile_filter(""), repr=False)

    def mend(self) -> None:
        """Put right what cannot be, as after a file was edited, or when a kind of something is no more."""
        fresh = ViewState()
        if self.view not in dict(VIEWS):
            self.view = fresh.view
        if self.run_order not in RUN_ORDERS:
            self.run_order = fresh.run_order
        if self.x_mode not in (*X_MODES, "tag"):
            self.x_mode = fresh.x_mode
        if not 0 <= self.smoothing < 1:
            self.smoothing = fresh.smoothing
        self.page = max(self.page, 0)
        self._arrange()

    # -- runs ------------------------------------------------------------------------------------------------------

    def set_runs(self, runs: Iterable[RunKey]) -> None:
        """Say which runs exist. Choices about runs that are gone are kept, in case they come back."""
        self._runs = {run.name: run for run in runs}
        self._arrange()

    @property
    def listed(self) -> list[str]:
        """Every run that passes the run filter, pinned ones first, then in ``run_order``."""
        return self._listed

    @property
    def shown(self) -> list[str]:
        """The runs that tables and charts are about: listed, not hidden, and selected if anything is."""
        return [name for name in self._listed if self.is_shown(name)]

    @property
    def charted(self) -> list[str]:
        """The runs that charts draw: those shown, so many at most unless they were selected."""
        shown = self.shown
        return shown if self._narrowed() else shown[: GROUPED_LIMIT if self.compare.group_by else CHART_LIMIT]

    @property
    def total_runs(self) -> int:
        """How many runs there are, whatever the filter."""
        return len(self._runs)

    def is_shown(self, name: str) -> bool:
        """Whether a listed run is drawn."""
        if name in self.hidden:
            return False
        return not self._narrowed() or name in self.selected or name in self.pinned

    def toggle_selected(self, name: str) -> None:
        """Select a run, or take it out of the selection; a run that was hidden is shown again."""
        self.selected ^= {name}
        if name in self.selected:
            self.hidden.discard(name)

    def toggle_hidden(self, name: str) -> None:
        """Hide a run, or show it again."""
        self.hidden ^= {name}
        if name in self.hidden:
            self.selected.discard(name)

    def toggle_pinned(self, name: str) -> None:
        """Pin a run to the top, or let it go."""
        self.pinned ^= {name}
        self._arrange()

    def toggle_all(self) -> None:
        """Show every listed run; when all are shown already, hide them all."""
        if self.hidden.isdisjoint(self._listed) and not self._narrowed():
            self.hidden |= set(self._listed)
        else:
            self.hidden -= set(self._listed)
            self.selected.clear()

    def next_order(self) -> str:
        """Go on to the next order of runs and return its name."""
        self.run_order = RUN_ORDERS[(RUN_ORDERS.index(self.run_order) + 1) % len(RUN_ORDERS)]
        self._arrange()
        return self.run_order

    def _narrowed(self) -> bool:
        """Whether the selection holds a run that exists; a selection of vanished runs must not blank the screen."""
        return any(name in self._runs for name in self.selected)

    def _arrange(self) -> None:
        self._asked = self._run_match.asks(self._answers)
        passes = self._run_match.passing(self._answers)
        keys = [run for run in self._runs.values() if passes(run.name)]
        keys.sort(key=lambda run: natural(run.name))
        if self.run_order != "name":
            sign = -1.0 if self.run_order == "newest" else 1.0
            keys.sort(key=lambda run: (run.started is None, sign * (run.started or 0.0)))
        keys.sort(key=lambda run: run.name not in self.pinned)
        self._listed = [run.name for run in keys]

    # -- filters ---------------------------------------------------------------------------------------------------

    @property
    def run_filter(self) -> str:
        """The filter on run names as typed; setting a bad one raises ``FilterError`` and changes nothing."""
        return self._run_filter

    @run_filter.setter
    def run_filter(self, text: str) -> None:
        self._run_match = RunFilter(text)
        self._run_filter = text.strip()
        self._arrange()

    def set_answers(self, answers: Answers) -> None:
        """Say who knows the runs, so that the filter may ask for more than their names."""
        self._answers = answers
        self._arrange()

    def filter_again(self, runs: Iterable[str]) -> bool:
        """These runs changed: list those that pass now; whether the list is another one."""
        asks = self._run_match.asks(self._answers)
        if not asks and not self._asked:
            return False
        if asks == self._asked:
            passes, listed = self._run_match.passing(self._answers), set(self._listed)
            if all(passes(name) == (name in listed) for name in runs if name in self._runs):
                return False
        self._arrange()
        return True

    @property
    def tag_filter(self) -> str:
        """The filter on tags as typed; setting a bad one raises ``FilterError`` and changes nothing."""
        return self._tag_filter

    @tag_filter.setter
    def tag_filter(self, text: str) -> None:
        self._tag_match = compile_filter(text)
        self._tag_filter = text.strip()
        self.page = 0

    def matches_tag(self, tag: str) -> bool:
        """Whether a tag passes the tag filter."""
        return self._tag_match(tag)

    # -- drawing ---------------------------------------------------------------------------------------------------

    def more_smoothing(self, steps: int = 1) -> float:
        """Go ``steps`` up (or down, when negative) the smoothing scale and return the new factor."""
        at = min(range(len(SMOOTHING)), key=lambda i: abs(SMOOTHING[i] - self.smoothing))
        self.smoothing = SMOOTHING[max(0, min(at + steps, len(SMOOTHING) - 1))]
        return self.smoothing

    def next_x_mode(self, steps: int = 1) -> str:
        """Go on to the next kind of x axis and return its name."""
        at = X_MODES.index(self.x_mode) if self.x_mode in X_MODES else -1
        self.x_mode = X_MODES[(at + steps) % len(X_MODES)]
        return self.x_mode

    def toggle_log_y(self) -> bool:
        """Switch value axes between linear and logarithmic and return whether they are logarithmic now."""
        self.log_y = not self.log_y
        return self.log_y
