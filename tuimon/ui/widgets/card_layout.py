"""Where the cards of a page go: how many fit, which are on which page, and where the group headings stand.

A *card* is one chart or heat map: the tags it shows and the group it belongs to. Everything here is a pure function of
sizes and names, so that the layout of any terminal can be tested without opening one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tuimon.analysis.families import distinct_ends, member_names

CARD_WIDTH = 35
"""Fewest columns in which a chart is still worth drawing."""
CARD_HEIGHT = 9
"""Fewest lines in which a chart is still worth drawing."""
TIGHT = (16, 5)
"""Fewest columns and lines of a chart where a person asked for so many."""
GAP = 2
"""Blank columns between neighbouring cards."""
ASPECT = 4.0
"""Columns per line of a well shaped chart (a cell is about twice as high as wide)."""


@dataclass(frozen=True, slots=True)
class Card:
    """One chart of the grid.

    Attributes:
        tags: The tags drawn over one another, the one that names the card first.
        group: The group whose heading it stands under.
        kind: "" for one tag or those of a family, "overlay" for tags that a person put together, "multiline" and
            "margin" for what a log asks for; of a margin the second and third tag are the bounds of the first.
        title: Its name; by default that of its tags.
        over: The tag that the log asks to be its x axis.
    """

    tags: tuple[str, ...]
    group: str = ""
    kind: str = ""
    title: str = ""
    over: str = ""

    @property
    def key(self) -> str:
        """What tells it from other cards: its title where the log asked for it, else its tag."""
        return f"{self.kind}:{self.title}" if self.kind in ("multiline", "margin") else self.tags[0]

    @property
    def tag(self) -> str:
        """Its first tag."""
        return self.tags[0]

    @property
    def members(self) -> list[str]:
        """Short names that tell its tags apart."""
        return member_names(self.tags) if not self.kind else distinct_ends(self.tags)

    def axis(self, mode: str, tag: str) -> tuple[str, str]:
        """The kind of its x axis and the tag that it follows, where ``mode`` and ``tag`` are those of the page."""
        return ("tag", self.over) if mode == "step" and self.over else (mode, tag)


@dataclass(frozen=True, slots=True)
class Grid:
    """How a page is divided.

    Attributes:
        columns, rows: Number of cards across and down; ``rows`` lines of one card each where ``lines`` is true.
        width: Columns of a card.
        page_height: Lines of the page; what the rows do not share evenly goes to the lower ones.
        lines: Whether the cards are single lines (a sparkline each), because no chart fits.
        headings: Whether a row that begins a group has a heading line above it.
    """

    columns: int
    rows: int
    width: int
    page_height: int
    lines: bool = False
    headings: bool = False

    @property
    def capacity(self) -> int:
        """Cards on a page."""
        return self.columns * self.rows

    def row(self, number: int) -> tuple[int, int]:
        """First line and height of the cards in a row; a heading stands in the line above."""
        top = number * self.page_height // self.rows + self.headings
        return top, (number + 1) * self.page_height // self.rows - top


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of one card on the page, in cells from its top left corner."""

    index: int
    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Heading:
    """A piece of a heading line: the name of the group that begins at ``x``, or that ``goes_on`` from above."""

    text: str
    x: int
    y: int
    width: int
    goes_on: bool = False


def grid_for(
    width: int,
    height: int,
    count: int,
    *,
    headings: bool = False,
    smallest: tuple[int, int] = (CARD_WIDTH, CARD_HEIGHT),
    asked: tuple[int, int] = (0, 0),
) -> Grid:
    """Divide a page so that as many cards as possible are on it, and as large as possible when there are few.

    Args:
        width: Columns of the page.
        height: Lines of the page.
        count: How many cards there are in all.
        headings: Whether a row may have a heading line above it.
        smallest: Fewest columns and lines a card may have.
        asked: Columns and rows that the person wants; 0 where there is no wish. As many as fit of them are given.

    Returns:
        The division; single lines when the page has no room for two lines of charts or for one of full width.
    """
    least_width, least_height = smallest
    extra = 1 if headings else 0
    most_columns = (width + GAP) // (least_width + GAP)
    most_rows = height // (least_height + extra)
    if most_columns < 1 or most_rows < 1 or (most_columns == most_rows == 1 and count > 1):
        return Grid(1, max(height, 1), max(width, 1), max(height, 1), lines=True)
    if any(asked):
        tight = (max(least_width // 2, TIGHT[0]), max(least_height // 2, TIGHT[1]))
        most_columns = min(asked[0], (width + GAP) // (tight[0] + GAP)) if asked[0] else most_columns
        most_rows = min(asked[1], height // (tight[1] + extra)) if asked[1] else most_rows
    across = range(most_columns if asked[0] else 1, most_columns + 1)
    down = range(most_rows if asked[1] else 1, most_rows + 1)
    wanted = max(min(count, most_columns * most_rows), 1)
    best = min(
        ((columns, rows) for columns in across for rows in down if columns * rows >= wanted),
        key=lambda shape: _badness(shape, width, height, wanted),
    )
    columns, rows = best
    return Grid(columns, rows, (width - GAP * (columns - 1)) // columns, height, headings=headings)


def _badness(grid: tuple[int, int], width: int, height: int, count: int) -> float:
    """How far a division into columns and rows is from well shaped charts on a full page."""
    columns, rows = grid
    shape = ((width + GAP) / columns - GAP) / (height / rows)
    return abs(math.log(max(shape, 0.01) / ASPECT)) + 2.0 * (columns * rows - count) / count


def page_count(grid: Grid, count: int) -> int:
    """Number of pages, at least one."""
    return max(1, -(-count // grid.capacity))


def page_of(grid: Grid, index: int) -> int:
    """The page (from 0) that holds card ``index``."""
    return max(index, 0) // grid.capacity


def slots(grid: Grid, page: int, count: int) -> list[Slot]:
    """The places of the cards of a page, in order."""
    first = page * grid.capacity
    found: list[Slot] = []
    for place in range(min(grid.capacity, count - first)):
        row, column = divmod(place, grid.columns)
        y, height = grid.row(row)
        found.append(Slot(first + place, column * (grid.width + GAP), y, grid.width, height))
    return found


def closed_up(grid: Grid, places: Sequence[Slot], cards: Sequence[Card]) -> list[Slot]:
    """The places of a page where the cards of a row in which no group begins are higher by the heading it lacks."""
    if not grid.headings:
        return list(places)
    first: dict[str, int] = {}
    for slot in places:
        first.setdefault(cards[slot.index].group, slot.y)
    begun = set(first.values())
    return [slot if slot.y in begun else replace(slot, y=slot.y - 1, height=slot.height + 1) for slot in places]


def headings(grid: Grid, places: Sequence[Slot], cards: Sequence[Card]) -> list[Heading]:
    """The heading lines of a page: each group is named once, above the row in which it begins.

    Cards flow on without a break, so a row may hold the end of one group and the beginning of the next: a heading line
    has a piece for each of its groups, as wide as their cards.

    Args:
        grid: The division of the page.
        places: The places of its cards, as ``closed_up`` gives them.
        cards: All cards.
    """
    if not grid.headings:
        return []
    first: dict[str, int] = {}
    for slot in places:
        first.setdefault(cards[slot.index].group, slot.y)
    begun = set(first.values())
    pieces: list[Heading] = []
    for slot in places:
        if slot.y not in begun:
            continue
        group = cards[slot.index].group
        last = pieces[-1] if pieces else None
        if last is not None and last.y == slot.y - 1 and last.text == group:
            pieces[-1] = replace(last, width=slot.x + slot.width - last.x)
        else:
            pieces.append(Heading(group, slot.x, slot.y - 1, slot.width, first[group] != slot.y))
    return pieces


def moved(grid: Grid, index: int, count: int, down: int, right: int) -> int:
    """The card that the focus goes to from card ``index``.

    Args:
        grid: The division of a page.
        index: The focused card.
        count: How many cards there are.
        down: Rows to go down; negative is up.
        right: Cards to go on in reading order; negative is back.

    Returns:
        An index that exists, when there is any card; ``index`` itself when there is nothing in that direction. Below
        the last card of a column the focus goes to the last card.
    """
    target = index + right + down * grid.columns
    if down > 0 and target >= count and index // grid.columns < (count - 1) // grid.columns:
        target = count - 1
    return target if 0 <= target < count else index


def turned(grid: Grid, index: int, count: int, pages: int) -> int:
    """The card that the focus goes to when ``pages`` pages are turned: at the same place, if there is one there."""
    page = min(max(page_of(grid, index) + pages, 0), page_count(grid, count) - 1)
    return max(min(page * grid.capacity + index % grid.capacity, count - 1), 0)


def cards_of(groups: Iterable[tuple[str, Sequence[str]]], families: Sequence[tuple[str, ...]] = ()) -> list[Card]:
    """The cards of a grid, in order.

    Args:
        groups: Pairs of a group's name and its tags, in the order to show them.
        families: Tags to be drawn over one another, such as ``("train/loss", "val/loss")``. The family's card stands
            where the first of its tags comes, and the others have no card of their own.
    """
    family = {tag: tags for tags in families for tag in tags}
    seen: set[str] = set()
    cards: list[Card] = []
    for group, tags in groups:
        for tag in tags:
            if tag not in seen:
                members = family.get(tag, (tag,))
                seen.update(members)
                cards.append(Card(members, group))
    return cards
