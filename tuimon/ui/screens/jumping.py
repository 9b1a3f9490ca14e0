"""The part of the main screen that goes to what a finding is about."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, cast

from textual.screen import Screen

from tuimon.ui.keys import DISTRIBUTIONS, RUN, SCALARS, VIEWS

if TYPE_CHECKING:
    from tuimon.rules.base import Finding
    from tuimon.ui.app import TuimonApp
    from tuimon.ui.panels.base import Panel


class Jumping(Screen[None]):
    """A screen with panels, one of which shows what a finding is about."""

    panel: Panel | None
    when_shown: Callable[[], None] | None = None
    """What to do once the panel that was asked for has its size and its content."""

    def action_view(self, number: int) -> None:
        """Put another panel on view."""
        raise NotImplementedError

    def action_findings(self) -> None:
        """Show what the rules found, and then what the person chose of it."""
        from tuimon.ui.screens.findings import FindingsScreen

        screen = FindingsScreen()

        def go(_: None) -> None:
            if screen.chosen is not None:
                self.show_finding(screen.chosen)

        self.app.push_screen(screen, go)

    def show_finding(self, finding: Finding) -> None:
        """Show what a finding is about: its chart with the cursor where it shows, or all of its run."""
        from tuimon.ui.panels.scalars import ScalarsPanel

        monitor = cast("TuimonApp", self.app)
        view, store = monitor.view, monitor.store
        view.current = finding.run
        view.hidden.discard(finding.run)
        if view.selected and finding.run not in view.pinned:
            view.selected.add(finding.run)
        with store.lock:
            run = store.runs.get(finding.run)
            charted = run is not None and finding.tag in run.series
            spread = run is not None and finding.tag in run.histograms
        if finding.run not in view.listed:
            view.run_filter = ""
        if not view.matches_tag(finding.tag):
            view.tag_filter = ""
        wanted = SCALARS if charted else DISTRIBUTIONS if spread else RUN
        before = self.panel
        self.action_view(next(number for number, title in VIEWS if title == wanted))
        panel = self.panel
        if charted and isinstance(panel, ScalarsPanel):
            show = partial(panel.show_tag, finding.tag, finding.step)
            if panel is before:
                show()
            else:
                self.when_shown = show
