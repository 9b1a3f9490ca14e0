"""What the scalars panel remembers, besides smoothing and axes, which other panels share."""

from __future__ import annotations

from dataclasses import dataclass, field

CURVES = ("both", "smoothed", "raw")
"""Which curves are drawn where there is smoothing."""
ORDERS = ("best", "worst", "nearest", "name")
"""The orders of the table at the cursor."""


@dataclass
class ScalarsChoices:
    """The choices.

    Attributes:
        x_tag: The tag whose values are the x axis, where the x mode is "tag".
        curves: One of ``CURVES``.
        robust: Whether the y axes leave out outliers.
        y_limits: Ends of the y axis of single tags, None for one that is left open; other tags have those of the view.
        pins: Keys of the cards that stand first, in that order.
        folded: Groups of tags whose charts are folded away.
        overlays: Tags that are drawn on the chart of another one, by its card's key.
        columns, rows: How many charts are wanted side by side and above each other; 0 is as many as fit well.
        order: The order of the table at the cursor, one of ``ORDERS``.
        events: Whether alerts and notes are marked on the x axis.
    """

    x_tag: str = ""
    curves: str = "both"
    robust: bool = False
    y_limits: dict[str, list[float | None]] = field(default_factory=dict)
    pins: list[str] = field(default_factory=list)
    folded: set[str] = field(default_factory=set)
    overlays: dict[str, list[str]] = field(default_factory=dict)
    columns: int = 0
    rows: int = 0
    order: str = "best"
    events: bool = True

    def toggle_pin(self, key: str) -> bool:
        """Pin a card behind those that are pinned, or let it go; whether it is pinned now."""
        if key in self.pins:
            self.pins.remove(key)
            return False
        self.pins.append(key)
        return True

    def next_curves(self) -> str:
        """Go on to the next choice of curves and return its name."""
        self.curves = CURVES[(CURVES.index(self.curves) + 1) % len(CURVES)]
        return self.curves

    def next_order(self) -> str:
        """Go on to the next order of the table and return its name."""
        self.order = ORDERS[(ORDERS.index(self.order) + 1) % len(ORDERS)]
        return self.order
