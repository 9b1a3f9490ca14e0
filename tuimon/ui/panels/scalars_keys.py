"""What keys and the mouse do in the scalars."""

from __future__ import annotations

from tuimon.analysis.axes import epoch_tag
from tuimon.numbers import counted
from tuimon.ui.choices.scalars import ScalarsChoices
from tuimon.ui.panels.card_panel import CardPanel
from tuimon.ui.widgets.card_grid import CardGrid
from tuimon.ui.widgets.chart_focus import BESIDE, ChartFocus
from tuimon.ui.widgets.scalar_asks import AXIS_HINT, LIMITS_HINT, limits_text, parse_axis, parse_limits
from tuimon.ui.widgets.scalar_cards import ScalarCards
from tuimon.ui.widgets.window import PAN, Window


class ScalarsKeys(CardPanel):
    """The actions of the scalars panel, which draws by what they change."""

    _focus: ChartFocus
    _cards: ScalarCards
    _window: Window
    said: str = ""
    """What a key has to tell, until the next one."""

    @property
    def choices(self) -> ScalarsChoices:
        """What the panel remembers."""
        return self.view.scalars

    def _all_tags(self) -> list[str]:
        with self.store.lock:
            runs = [self.store.runs[name] for name in self._cards.look.runs if name in self.store.runs]
            return list(dict.fromkeys(tag for run in runs for tag in run.series))

    def show_tag(self, tag: str, step: float | None) -> None:
        """Give the whole panel to the chart of a tag, with the cursor at a step where the x axis counts them."""
        if not self._grid.focus_on(tag):
            return
        card = self._grid.focused_card
        if not self.maximised:
            self.action_maximise()
        elif card is not None:
            self._focus.open(card)
            self._focus.draw()
        if step is not None and self.view.x_mode == "step":
            if self._focus.size.width:
                self._focus.point_to(step)
            else:  # it has not been shown before
                self._focus.call_after_refresh(self._focus.point_to, step)
        self._show_status()

    def _tell(self, text: str) -> None:
        """Say something in the first line until the next key."""
        self.said = text
        self._show_status()
        self.said = ""

    # -- cursor and zoom -------------------------------------------------------------------------------------------

    def action_move(self, down: int, right: int) -> None:
        """Move the focus in the grid, the cursor in a maximised chart."""
        if self.maximised:
            self._focus.move(down, right)
        else:
            self._grid.move(down, right)
        self._show_status()

    def action_cursor(self, columns: int) -> None:
        """Move the cursor of all charts."""
        card = self._grid.focused_card
        if self.maximised:
            self._focus.move(0, columns)
        elif card is not None:
            shown = self._cards.shown(card)
            place = self._cards.placements.get(card.key)
            width = place.width if place is not None and place.width else self._grid.grid.width - BESIDE
            if shown is not None:
                self._window.move(columns, shown, max(width, 1), self._cards.points(card))
            self._grid.redraw()
        self._show_status()

    def action_jump(self, last: int) -> None:
        """Move the cursor to the first or the last step."""
        card = self._grid.focused_card
        if self.maximised:
            self._focus.jump(bool(last))
        elif card is not None:
            shown = self._cards.shown(card)
            if shown is not None:
                self._window.jump(self._cards.points(card), bool(last), shown)
            self._grid.redraw()
        self._show_status()

    def action_mark_start(self) -> None:
        """Leave a second cursor where the cursor is, or take it away."""
        card = self._grid.focused_card
        if self.maximised:
            self._focus.mark()
        elif card is not None:
            self._window.toggle_anchor(self._cards.points(card))
            self._grid.redraw()
        self._show_status()

    def action_forget_cursor(self) -> None:
        """Tell of the last values again."""
        window = self._focus.window if self.maximised else self._window
        window.cursor = window.anchor = None
        self._redraw()

    def action_zoom(self, steps: int) -> None:
        """Zoom in or out; 0 shows everything again, also beyond the ends that were set at the start."""
        zoomed = (self._focus.window if self.maximised else self._window).zoom is not None
        if not steps and not zoomed and (self.view.x_min, self.view.x_max) != (None, None):
            self.view.x_min = self.view.x_max = None
            self.refresh_view()
        elif self.maximised:
            self._focus.zoom(steps)
        else:
            card = self._grid.focused_card
            shown = self._cards.shown(card) if card is not None else None
            whole = self._cards.whole(card) if card is not None else None
            if shown is not None and whole is not None:
                self._window.zoom_by(steps, shown, whole)
            self._grid.redraw()
        self._show_status()

    def action_pan(self, steps: int) -> None:
        """Move a zoomed range."""
        card = self._grid.focused_card
        if self.maximised:
            self._focus.pan(steps)
        elif card is not None:
            shown, whole = self._cards.shown(card), self._cards.whole(card)
            if shown is not None and whole is not None:
                self._window.pan_by(steps * PAN * (shown[1] - shown[0]), shown, whole)
            self._grid.redraw()
        self._show_status()

    def on_card_grid_zoomed(self, message: CardGrid.Zoomed) -> None:
        """The wheel was turned with ctrl held: zoom all charts at the pointer."""
        card = message.card
        place = self._cards.placements.get(card.key)
        shown, whole = self._cards.shown(card), self._cards.whole(card)
        if shown is not None and whole is not None and card.axis(self.view.x_mode, "")[0] == self.view.x_mode:
            centre = place.x_at(message.column) if place is not None else None
            self._window.zoom_by(message.steps, shown, whole, centre)
            self._grid.redraw()
            self._show_status()

    def _redraw(self) -> None:
        """Draw what is on screen again, at once."""
        if self.maximised:
            self._draw_focus()
        else:
            self._grid.redraw()
        self._show_status()

    # -- axes ------------------------------------------------------------------------------------------------------

    def action_toggle_log(self) -> None:
        """Switch the y axes between linear and logarithmic."""
        self.view.toggle_log_y()
        self.refresh_view()

    def action_toggle_log_x(self) -> None:
        """Switch the x axes between linear and logarithmic."""
        self.view.log_x = not self.view.log_x
        self.refresh_view()

    def action_toggle_robust(self) -> None:
        """Leave outliers out of the y axes, or not."""
        self.choices.robust = not self.choices.robust
        self.refresh_view()

    def action_next_axis(self) -> None:
        """Go on to the next kind of x axis that makes sense for the runs on screen."""
        with self.store.lock:
            runs = [self.store.runs[name] for name in self._cards.look.runs if name in self.store.runs]
            timed = any(run.first_time is not None for run in runs)
            epochs = any(epoch_tag(list(run.series)) is not None for run in runs)
        while True:
            mode = self.view.next_x_mode()
            if mode in ("step", "relative-step") or (epochs if mode == "epoch" else timed):
                break
        self._changed_axis()

    def _changed_axis(self) -> None:
        """Places on the axis mean nothing on another one."""
        self._window.clear()
        self.view.x_min = self.view.x_max = None
        self.refresh_view()

    async def action_ask_axis(self) -> None:
        """Ask what the x axis is to count."""
        view, tags = self.view, self._all_tags()
        before = view.scalars.x_tag if view.x_mode == "tag" else view.x_mode

        def apply(text: str) -> None:
            found = parse_axis(text, tags)
            if found != (view.x_mode, view.scalars.x_tag if view.x_mode == "tag" else ""):
                view.x_mode, view.scalars.x_tag = found
                self._window.clear()
                view.x_min = view.x_max = None

        await self.monitor.main.ask("x axis", "" if before == "step" else before, apply, AXIS_HINT, before)

    async def action_ask_limits(self) -> None:
        """Ask for the ends of the y axis of this chart, or of all."""
        card = self._focus.card if self.maximised else self._grid.focused_card
        if card is None:
            return
        view, mine, key = self.view, self.choices.y_limits, card.key
        before = (dict(mine), (view.y_min, view.y_max))

        def apply(text: str) -> None:
            everywhere, limits = parse_limits(text)
            mine.clear()
            mine.update(before[0])
            view.y_min, view.y_max = before[1]
            if everywhere:
                view.y_min, view.y_max = limits
            elif limits == (None, None):
                mine.pop(key, None)
            else:
                mine[key] = list(limits)

        now = limits_text(self._cards.look.limits_of(key))
        every = "all " if now and key not in mine else ""
        await self.monitor.main.ask(f"y of {card.title or card.tag}", every + now, apply, LIMITS_HINT, every + now)

    # -- curves ----------------------------------------------------------------------------------------------------

    def action_smooth(self, steps: int) -> None:
        """Smooth more or less."""
        self.view.more_smoothing(steps)
        self.refresh_view()

    def action_next_curves(self) -> None:
        """Draw raw and smoothed curves, or one kind alone."""
        self.choices.next_curves()
        self.refresh_view()

    def action_toggle_families(self) -> None:
        """Draw training and validation of a quantity on one chart, or apart."""
        self.view.families = not self.view.families
        self.refresh_view()

    def action_toggle_superseded(self) -> None:
        """Draw what a resumed run has superseded, or leave it out."""
        self.view.superseded = not self.view.superseded
        self.refresh_view()

    def action_toggle_events(self) -> None:
        """Mark alerts and notes on the x axis, or not."""
        self.choices.events = not self.choices.events
        self.refresh_view()

    # -- charts ----------------------------------------------------------------------------------------------------

    def action_pin_chart(self) -> None:
        """Let this chart stand first, or no longer."""
        card = self._focus.card if self.maximised else self._grid.focused_card
        if card is not None:
            pinned = self.choices.toggle_pin(card.key)
            self.refresh_view()
            self._tell(f"{card.title or card.tag} {'pinned' if pinned else 'no longer pinned'}")

    def action_overlay(self) -> None:
        """Take a chart; on another one, draw the one that was taken over it."""
        card = self._focus.card if self.maximised else self._grid.focused_card
        if card is None:
            return
        taken = next((one for one in self._grid.cards if one.key == self._cards.marked), None)
        if taken is None:
            self._cards.marked = card.key
            self._redraw()
            self._tell(f"{card.title or card.tag} taken; m on another chart draws it there too")
            return
        self._cards.marked = ""
        if taken.key != card.key:
            put = self.choices.overlays.setdefault(card.key, [])
            put += [tag for tag in taken.tags if tag not in put and tag not in card.tags]
        self.refresh_view()

    def action_apart(self) -> None:
        """Take apart what was drawn over this chart."""
        card = self._focus.card if self.maximised else self._grid.focused_card
        self._cards.marked = ""
        if card is not None:
            self.choices.overlays.pop(card.key, None)
            self.refresh_view()

    def action_fold(self) -> None:
        """Fold the group of this chart away."""
        card = self._grid.focused_card
        if card is None or self.maximised:
            return
        groups = {one.group for one in self._grid.cards}
        if len(groups) < 2:
            self._tell("there is no other group to look at")
            return
        self.choices.folded.add(card.group)
        self.refresh_view()

    def action_unfold(self) -> None:
        """Unfold all groups."""
        self.choices.folded.clear()
        self.refresh_view()

    def action_columns(self, more: int) -> None:
        """Have more or fewer charts side by side."""
        self._ask_for(columns=max(self._grid.grid.columns + more, 1))

    def action_rows(self, more: int) -> None:
        """Have more or fewer rows of charts."""
        self._ask_for(rows=max(self._grid.grid.rows + more, 1))

    def _ask_for(self, *, columns: int = 0, rows: int = 0) -> None:
        """Divide the page as the person asks, where that is possible."""
        if self.maximised or self._grid.grid.lines:
            return
        choices, before = self.choices, self._grid.grid
        was = (choices.columns, choices.rows)
        choices.columns, choices.rows = columns or was[0], rows or was[1]
        self.refresh_view()
        if self._grid.grid == before or self._grid.grid.lines:
            choices.columns, choices.rows = was
            self.refresh_view()
            self._tell("there is no room for more")

    def action_any_grid(self) -> None:
        """Have as many charts as fit well."""
        self.choices.columns = self.choices.rows = 0
        self.refresh_view()

    # -- table -----------------------------------------------------------------------------------------------------

    def action_next_order(self) -> None:
        """Sort the table in another way."""
        self._focus.order = self.choices.next_order()
        self._redraw()

    def action_toggle_tall(self) -> None:
        """Give the table most of the room, or the chart."""
        self._focus.tall = not self._focus.tall
        self._redraw()

    def action_copy_table(self) -> None:
        """Copy the table with all its rows."""
        text = self._focus.table
        self.app.copy_to_clipboard(text)
        self._tell(f"{counted(text.count(chr(10)) - 1, 'row')} copied")
