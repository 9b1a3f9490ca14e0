"""The layout of a page of cards: how many fit, the order they come in, the headings, and where the focus goes."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tuimon.ui.widgets.card_layout import (
    CARD_HEIGHT,
    CARD_WIDTH,
    GAP,
    Card,
    Heading,
    cards_of,
    closed_up,
    grid_for,
    headings,
    moved,
    page_count,
    page_of,
    slots,
    turned,
)


@pytest.mark.parametrize(
    ("size", "columns", "rows"),
    [((200, 46), 5, 4), ((172, 46), 4, 4), ((140, 36), 3, 3), ((80, 20), 2, 2)],
)
def test_many_charts_fill_the_page(size: tuple[int, int], columns: int, rows: int) -> None:
    """With more charts than fit, a page has as many as its size allows."""
    grid = grid_for(*size, 40, headings=True)
    assert (grid.columns, grid.rows, grid.lines) == (columns, rows, False)


@pytest.mark.parametrize("size", [(40, 9), (30, 40), (60, 8), (1, 1), (34, 30)])
def test_a_small_page_has_one_line_a_tag(size: tuple[int, int]) -> None:
    """Where no second chart fits, each tag gets a line instead."""
    grid = grid_for(*size, 12, headings=True)
    assert grid.lines
    assert (grid.columns, grid.rows) == (1, size[1])
    assert {slot.height for slot in slots(grid, 0, 12)} == {1}


def test_few_charts_are_large() -> None:
    """One chart gets the page, four get a quarter each."""
    assert grid_for(172, 46, 1).capacity == 1
    four = grid_for(172, 46, 4)
    assert (four.columns, four.rows) == (2, 2)


@pytest.mark.parametrize("size", [(35, 9), (80, 20), (133, 41), (200, 46), (250, 66)])
@pytest.mark.parametrize("count", [1, 2, 3, 5, 12, 100])
@pytest.mark.parametrize("with_headings", [False, True])
def test_cards_stay_on_the_page_and_apart(size: tuple[int, int], count: int, with_headings: bool) -> None:
    """No card leaves the page, overlaps another, or is smaller than a chart may be."""
    grid = grid_for(*size, count, headings=with_headings)
    places = slots(grid, 0, count)
    for slot in places:
        assert 0 <= slot.x <= slot.x + slot.width <= size[0]
        assert 0 <= slot.y <= slot.y + slot.height <= size[1]
        if not grid.lines:
            assert slot.width >= CARD_WIDTH
            assert slot.height >= CARD_HEIGHT
    for left, right in pairwise(places):
        if left.y == right.y:
            assert right.x == left.x + left.width + GAP
        else:
            assert right.y >= left.y + left.height


def test_no_line_of_a_full_page_is_left_over() -> None:
    """Lines that the rows cannot share evenly make some rows one line higher."""
    places = slots(grid_for(172, 47, 40, headings=True), 0, 40)
    assert places[0].y == 1
    assert places[-1].y + places[-1].height == 47
    assert {slot.height for slot in places} == {10, 11}


def test_every_card_is_on_exactly_one_page() -> None:
    """Turning all pages shows each card once."""
    grid = grid_for(80, 20, 11)
    seen = [slot.index for page in range(page_count(grid, 11)) for slot in slots(grid, page, 11)]
    assert seen == list(range(11))
    assert page_of(grid, 10) == page_count(grid, 11) - 1 == 2


def test_groups_flow_on_and_each_has_its_heading() -> None:
    """A row that holds two groups names both; a row in which none begins has no heading, and higher cards."""
    cards = [Card((name,), name.split("/")[0]) for name in ("a/1", "a/2", "b/1", "b/2", "b/3")]
    grid = grid_for(130, 22, 12, headings=True)
    assert grid.columns == 3
    plain = slots(grid, 0, len(cards))
    places = closed_up(grid, plain, cards)
    width = grid.width
    assert places[:3] == plain[:3]
    assert [(slot.y, slot.height) for slot in places[3:]] == [(slot.y - 1, slot.height + 1) for slot in plain[3:]]
    assert headings(grid, places, cards) == [
        Heading("a", 0, 0, 2 * width + GAP),
        Heading("b", 2 * (width + GAP), 0, width),
    ]


def test_a_group_that_goes_on_beside_a_new_one_is_not_named_again() -> None:
    """A heading line that names a new group has a bare rule over the cards of the group from the row above."""
    cards = [Card((name,), name.split("/")[0]) for name in ("a/1", "a/2", "a/3", "a/4", "b/1")]
    grid = grid_for(130, 22, 12, headings=True)
    places = closed_up(grid, slots(grid, 0, len(cards)), cards)
    second = [(piece.text, piece.goes_on) for piece in headings(grid, places, cards) if piece.y > 0]
    assert second == [("a", True), ("b", False)]


def test_focus_moves_by_card_row_and_page() -> None:
    """Arrows go to neighbours across page ends and stop at the first and the last card; pages keep the place."""
    grid = grid_for(80, 20, 11)
    assert (grid.columns, grid.capacity) == (2, 4)
    assert moved(grid, 0, 11, 0, 1) == 1
    assert moved(grid, 0, 11, 0, -1) == 0
    assert moved(grid, 0, 11, -1, 0) == 0
    assert moved(grid, 2, 11, 1, 0) == 4
    assert moved(grid, 9, 11, 1, 0) == 10, "under a hole comes the last card"
    assert moved(grid, 10, 11, 1, 0) == 10
    assert turned(grid, 1, 11, 1) == 5
    assert turned(grid, 7, 11, 1) == 10, "the last page has no fourth card"
    assert turned(grid, 9, 11, 5) == 9
    assert turned(grid, 9, 11, -5) == 1
    assert turned(grid, 0, 0, 1) == 0


def test_a_family_has_one_card_where_its_first_tag_stands() -> None:
    """Tags drawn over one another do not come again on their own."""
    groups = [("train", ["train/loss", "train/lr"]), ("val", ["val/loss", "val/acc"])]
    cards = cards_of(groups, [("train/loss", "val/loss")])
    assert [card.tags for card in cards] == [("train/loss", "val/loss"), ("train/lr",), ("val/acc",)]
    assert [card.group for card in cards] == ["train", "train", "val"]
    assert cards[0].key == "train/loss"
