"""Precision-recall and ROC curves, and lines on one chart."""

from __future__ import annotations

from typing import ClassVar

from tuimon.analysis.classifier import RateCurve, read_curves
from tuimon.analysis.said import said_of_curves
from tuimon.ui.keys.media import CURVES
from tuimon.ui.media.base import Content, Lines, Look, MediaKind
from tuimon.ui.media.curve_view import CurveState, draw_curves, named

_NAMES = {"pr": ("recall", "precision"), "roc": ("false positive rate", "true positive rate")}


class Curves(MediaKind):
    """Curves, of one run or of several on top of each other."""

    name: ClassVar[str] = "curves"
    one: ClassVar[str] = "curve"
    order: ClassVar[int] = 30
    section: ClassVar[str] = CURVES
    overlays: ClassVar[bool] = True

    def handles(self, sort: str) -> bool:
        """See `MediaKind.handles`."""
        return sort.startswith("curve/")

    def new_state(self) -> CurveState:
        """See `MediaKind.new_state`."""
        return CurveState()

    def lines(self, content: Content, width: int, height: int, look: Look) -> Lines:
        """See `MediaKind.lines`."""
        state = look.state if look.full and isinstance(look.state, CurveState) else CurveState()
        item = content.item
        kind = item.text("kind")
        axes = _NAMES.get(kind, ("x", "y"))
        axes = (item.text("x_name") or axes[0], item.text("y_name") or axes[1])
        groups = [(one, _curves(one)) for one in (content, *look.others)]
        return draw_curves(named(groups, look), kind, axes, width, height, look, state.of(content.tag))

    def summary(self, content: Content, look: Look) -> str:
        """See `MediaKind.summary`."""
        return said_of_curves(_curves(content))

    def act(self, name: str, value: int, state: object, content: Content, look: Look) -> None:
        """See `MediaKind.act`."""
        act_on_curves(name, value, state)

    def point(self, x: int, y: int, state: object, content: Content, look: Look) -> None:
        """See `MediaKind.point`."""
        if isinstance(state, CurveState):
            state.point(x, y)


def act_on_curves(name: str, value: int, state: object) -> None:
    """Move the cursor, put it on another line, or back on the best point."""
    if not isinstance(state, CurveState):
        return
    if name == "along":
        state.move(value)
    elif name == "line":
        state.turn(value)
    elif name == "best":
        state.at = None


def _curves(content: Content) -> list[RateCurve]:
    return [curve for item in content.items for curve in read_curves(item.body)]
