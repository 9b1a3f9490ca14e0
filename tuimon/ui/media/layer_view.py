"""The layers of a model, or the nodes of a graph, as a tree that folds, with sums and their share of the whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.cells import cell_len
from rich.segment import Segment
from textual.strip import Strip

from tuimon.analysis.parts import Part, kinds, visible
from tuimon.analysis.said import is_graph, said_of_model
from tuimon.charts.bars import bar
from tuimon.charts.palette import series_color, style_of
from tuimon.numbers import counted, format_count
from tuimon.text import clean, fit
from tuimon.ui.media.base import Lines, Look

UNFOLDED = 300
"""Models of more parts are folded below the second level at first."""
_BAR = 10
_KINDS = 12
_LONGEST_NAME = 48
_LEAST_FACTS = 16
"""Cells that shapes and settings need, to be shown at all."""


@dataclass
class LayerState:
    """What the keys change, for each tag.

    Attributes:
        row: The part under the cursor, counted in those on view.
        top: The first one on view.
        depth: Parts at this depth and below are folded; None folds none.
        toggled: Parts that are the other way round.
        largest_first: Sort by parameters.
        page: Rows that were on view.
        above: Lines above them.
        parts: The parts that there were.
    """

    tag: str = ""
    row: int = 0
    top: int = 0
    depth: int | None = None
    toggled: set[str] = field(default_factory=set)
    largest_first: bool = False
    page: int = 1
    above: int = 2
    parts: Sequence[Part] = ()

    def of(self, tag: str, root: Part) -> LayerState:
        """This state, as it is at first where it was of another tag."""
        if tag != self.tag:
            self.__init__(tag, depth=None if root.nodes <= UNFOLDED else 2)  # type: ignore[misc]
        return self

    def folded(self, part: Part) -> bool:
        """Whether what is in a part is hidden."""
        return (self.depth is not None and part.depth >= self.depth) != (part.path in self.toggled)

    def fold(self, folded: bool) -> None:
        """Fold the part under the cursor, or the one that it is in; or unfold it."""
        if not self.parts:
            return
        part = self.parts[min(self.row, len(self.parts) - 1)]
        if part.children and self.folded(part) != folded:
            self.toggled ^= {part.path}
        elif folded:
            above = [at for at in range(self.row) if self.parts[at].depth < part.depth]
            self.row = above[-1] if above else self.row
        elif part.children:
            self.row += 1

    def next_depth(self, deepest: int) -> None:
        """Fold all but one level, then all but two and so on, then none."""
        levels = [*range(1, min(deepest, 5)), None]
        at = levels.index(self.depth) if self.depth in levels else -1
        self.depth, self.toggled, self.row = levels[(at + 1) % len(levels)], set(), 0


def draw_layers(
    root: Part, counts: bool, inputs: str, width: int, height: int, look: Look, state: LayerState | None
) -> Lines:
    """Draw the tree.

    Args:
        root: The model.
        counts: Whether the numbers of parameters are known; else nodes are counted.
        inputs: What the model is fed with, in words.
        width: Cells across.
        height: Lines.
        look: How to draw.
        state: What is folded and where the cursor is; None draws the beginning, for a card.
    """
    roles = look.roles
    head: Lines = [
        [
            Segment(
                fit(" · ".join(filter(None, (clean(said_of_model(root, counts)), inputs))), width),
                roles.strong if state else roles.dim,
            )
        ]
    ]
    if not counts and height >= 6:
        head.append([Segment(fit(_kinds_text(root), width), roles.dim)])
    room = max(height - len(head) - 1, 1)
    if state is None:
        state = LayerState(depth=_fitting_depth(root, room))
        cursor = -1
    else:
        cursor = state.row
    state.parts = parts = visible(root, state.folded, largest_first=state.largest_first)
    state.page, state.above = room, len(head) + 1
    if cursor >= 0:
        cursor = state.row = max(0, min(state.row, len(parts) - 1))
        state.top = max(0, min(max(state.top, state.row - room + 1), state.row, len(parts) - room))
    shown = parts[state.top : state.top + room]
    table = _Columns(root, parts, counts, width, look, state)
    lines = [*head, table.head()]
    for at, part in enumerate(shown, state.top):
        line = table.row(part)
        lines.append(list(roles.under_cursor(Strip(line).adjust_cell_length(width))) if at == cursor else line)
    hidden = len(parts) - len(shown)
    if cursor < 0 and hidden > 0:
        lines[-1] = [Segment(fit(f"… {hidden + 1} more", width), roles.dim)]
    return lines[:height]


def _kinds_text(root: Part) -> str:
    found = kinds(root)
    said = ", ".join(f"{clean(kind)} {format_count(count)}" for kind, count in found[:_KINDS])
    return f"{counted(len(found), 'type')}: {said}{', …' if len(found) > _KINDS else ''}"


def _fitting_depth(root: Part, room: int) -> int | None:
    """Down to which level all parts fit, at least one."""
    for depth in (None, 4, 3, 2):
        if len(visible(root, lambda part, most=depth: most is not None and part.depth >= most)) <= room:  # type: ignore[misc]
            return depth
    return 1


class _Columns:
    """The columns of the tree that have room."""

    def __init__(
        self, root: Part, parts: Sequence[Part], counts: bool, width: int, look: Look, state: LayerState
    ) -> None:
        self._root, self._counts, self._width, self._look, self._state = root, counts, width, look, state
        self._whole = root.total if counts else root.nodes
        named = max((2 * part.depth + 2 + cell_len(clean(part.label)) for part in parts), default=8)
        typed = max((cell_len(clean(part.kind)) for part in parts), default=4)
        self._name = min(max(named, 8), _LONGEST_NAME, max(width * 2 // 5, 12))
        self._kind = min(max(typed, 4), 24, max(width // 5, 8))
        nested = counts or any(part.depth > 1 for part in root.walk())
        self._heads = ("scope", "nodes", "inputs") if is_graph(root) else ("layer", "layers", "settings")
        if counts:
            self._heads = ("layer", "parameters", "shapes")
        self._number = max(len(self._amount(root)), len(self._heads[1])) if nested else 0
        self._bar = _BAR if width >= 60 and nested else 0
        self._rest = width - self._name - self._kind - 4 - (self._number + self._bar + 9 if nested else 0)

    def _amount(self, part: Part) -> str:
        amount = part.total if self._counts else part.nodes if part.children else 0
        return format_count(amount) if amount else ""

    def head(self) -> list[Segment]:
        """The names of the columns."""
        name, amount, facts = self._heads
        text = f"{fit(name, self._name)}  {fit('type', self._kind)}  "
        if self._number:
            text += fit(amount, self._number, "right") + "  " + fit("share", self._bar + 5) + "  "
        if self._rest >= _LEAST_FACTS:
            text += f"trained  {facts}" if self._counts else facts
        return [Segment(fit(text, self._width), self._look.roles.bar + self._look.roles.dim)]

    def row(self, part: Part) -> list[Segment]:
        """A part."""
        roles, look = self._look.roles, self._look
        amount = part.total if self._counts else part.nodes if part.children else 0
        share = amount / self._whole if self._whole else 0.0
        signs = "+-" if look.ascii else "▸▾"
        sign = (signs[0] if self._state.folded(part) else signs[1]) if part.children else " "
        name = fit(f"{'  ' * part.depth}{sign} {clean(part.label)}", self._name, "middle-elide")
        line = [
            Segment(name + "  ", roles.text if part.own or not self._counts or not part.depth else roles.dim),
            Segment(fit(part.kind, self._kind, "middle-elide") + "  ", roles.dim),
        ]
        if self._number:
            line.append(Segment(fit(self._amount(part), self._number, "right") + "  ", roles.text))
            color = style_of(series_color(0, look.colors))
            line.append(Segment(bar(share, self._bar, unicode=not look.ascii), color))
            line.append(Segment(fit(f"{share:.0%}" if amount else "", 5, "right") + "  ", roles.dim))
        used = sum(segment.cell_length for segment in line)
        if self._rest < _LEAST_FACTS:
            return list(Strip(line).crop(0, self._width))
        rest = _trained(part) if self._counts else ""
        said = [str(part.facts.get(key) or "") for key in ("shapes", "settings", "inputs")]
        if self._counts:
            line.append(Segment(fit(rest, 9), roles.warn if rest == "frozen" else roles.dim))
            used += 9
        line.append(Segment(fit("  ".join(filter(None, said)), max(self._width - used, 0)), roles.dim))
        return line


def _trained(part: Part) -> str:
    """Which share of the parameters is trained."""
    if not part.total:
        return ""
    share = part.total_trained / part.total
    return "all" if share == 1 else "frozen" if not share else f"{share:.0%}"
