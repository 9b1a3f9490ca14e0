"""The part of the main screen that asks for a line of text: filters of tags and runs, and whatever a panel asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, cast

from textual.screen import Screen

from tuimon.ui.keys import DISTRIBUTIONS, MEDIA

if TYPE_CHECKING:
    from tuimon.store import Run
    from tuimon.ui.app import TuimonApp
    from tuimon.ui.widgets.prompt import Offer, Prompt


class Prompting(Screen[None]):
    """A screen that can ask for a line of text; what is typed applies at once."""

    _prompt: Prompt | None = None

    def refresh_view(self) -> None:
        """Draw everything again after another choice of what to see."""
        raise NotImplementedError

    def refresh_frame(self) -> None:
        """Draw what is around the panel."""
        raise NotImplementedError

    async def action_filter_tags(self) -> None:
        """Ask which tags to show."""
        app = cast("TuimonApp", self.app)
        view = app.view

        def told() -> str:
            tags = known_tags(app)
            passing = sum(map(view.matches_tag, tags))
            return f"{passing} of {len(tags)} tags"

        await self.ask(
            "tags", view.tag_filter, lambda text: setattr(view, "tag_filter", text), tell=told, old=view.old_tag_filters
        )

    async def action_filter_runs(self) -> None:
        """Ask which runs to show."""
        from tuimon.analysis.completion import complete
        from tuimon.ui.run_filter import hint

        app = cast("TuimonApp", self.app)
        view = app.view

        def told() -> str:
            return hint(view.run_filter, app.answers) or f"{len(view.listed)} of {view.total_runs} runs"

        def offers(text: str, cursor: int) -> Sequence[Offer]:
            with app.store.lock:
                names = app.answers.known_names()
            return complete(text, cursor, names) if text.strip() else ()

        await self.ask(
            "runs",
            view.run_filter,
            lambda text: setattr(view, "run_filter", text),
            hint="part of the name, glob*, /regex/, or lr < 0.01 and loss < 0.5",
            tell=told if app.ready else lambda: "",
            old=view.old_run_filters,
            complete=offers if app.ready else None,
        )

    async def ask(
        self,
        label: str,
        value: str,
        apply: Callable[[str], None],
        hint: str = "",
        undo: str = "",
        *,
        tell: Callable[[], str] = lambda: "",
        old: list[str] | None = None,
        complete: Callable[[str, int], Sequence[Offer]] | None = None,
    ) -> None:
        """Ask for a line of text, which applies while it is typed.

        Args:
            label: What it is for.
            value: What is in force.
            apply: Takes what was typed; raises ``FilterError`` when it is no good.
            hint: What may be typed; by default how to filter.
            undo: What is applied when the person leaves with escape.
            tell: What to say of what is in force.
            old: What was typed at other times, the newest last.
            complete: Ways to go on from a text and a place in it.
        """
        from tuimon.ui.widgets.prompt import Prompt

        if self._prompt is not None:
            return

        def changed(text: str) -> None:
            apply(text)
            self.refresh_view()

        self._prompt = Prompt(label, value, changed, hint, undo, tell=tell, old=old, complete=complete)
        await self.mount(self._prompt, before="#footer")
        self.set_focus(self._prompt.field)  # before the next key is looked at, which may be in the queue already
        self.refresh_frame()

    async def on_prompt_closed(self) -> None:
        """Take the prompt away and give the keys back to the panel."""
        if self._prompt is not None:
            await self._prompt.remove()
            self._prompt = None
        self.give_keys_back()
        self.refresh_view()

    def give_keys_back(self) -> None:
        """Let the panel have the keys."""
        raise NotImplementedError


def known_tags(app: TuimonApp) -> set[str]:
    """The tags of the runs shown that the panel on view could show."""
    panel = app.main.panel
    title = panel.title if panel is not None else ""

    def tags(run: Run) -> Iterable[str]:
        if title == DISTRIBUTIONS:
            return run.histograms
        return [*run.media, *run.texts] if title == MEDIA else run.series

    if not app.ready:
        return set()
    with app.store.lock:
        runs = [app.store.runs[name] for name in app.view.shown if name in app.store.runs]
        return {tag for run in runs for tag in tags(run)}
