"""Confusion matrices, and other matrices of numbers."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment

from tuimon.analysis.confusion import Matrix, read_matrix
from tuimon.analysis.said import said_of_matrix
from tuimon.text import fit
from tuimon.ui.keys.media import MATRIX
from tuimon.ui.media.base import Content, Lines, Look, MediaKind
from tuimon.ui.media.kept import Kept
from tuimon.ui.media.matrix_view import MatrixState, draw_card, draw_matrix

EMPTY = "a matrix without values"


class Matrices(MediaKind):
    """Matrices."""

    name: ClassVar[str] = "matrices"
    one: ClassVar[str] = "matrix"
    order: ClassVar[int] = 40
    section: ClassVar[str] = MATRIX

    def __init__(self) -> None:
        self._read = Kept(read_matrix, 4)

    def handles(self, sort: str) -> bool:
        """See `MediaKind.handles`."""
        return sort.startswith("matrix/")

    def new_state(self) -> MatrixState:
        """See `MediaKind.new_state`."""
        return MatrixState()

    def card(self, content: Content, width: int, height: int, look: Look) -> Lines:
        """See `MediaKind.card`."""
        matrix = self._read(content.item.body)
        if matrix is None:
            return [[Segment(fit(EMPTY, width), look.roles.dim)]]
        return draw_card(matrix, _names(content, matrix), width, height, look)

    def lines(self, content: Content, width: int, height: int, look: Look) -> Lines:
        """See `MediaKind.lines`."""
        matrix, state = self._read(content.item.body), look.state
        assert isinstance(state, MatrixState)
        if matrix is None:
            return [[Segment(fit(EMPTY, width), look.roles.dim)]]
        percent = look.choices.matrix_shares
        return draw_matrix(matrix, _names(content, matrix), width, height, look, state.of(content.tag), percent=percent)

    def summary(self, content: Content, look: Look) -> str:
        """See `MediaKind.summary`."""
        matrix = self._read(content.item.body)
        return EMPTY if matrix is None else said_of_matrix(matrix)

    def act(self, name: str, value: int, state: object, content: Content, look: Look) -> None:
        """See `MediaKind.act`."""
        matrix = self._read(content.item.body)
        if matrix is not None:
            act_on_matrix(name, value, state, matrix, look)

    def point(self, x: int, y: int, state: object, content: Content, look: Look) -> None:
        """See `MediaKind.point`."""
        if isinstance(state, MatrixState):
            state.point(x, y)


def act_on_matrix(name: str, value: int, state: object, matrix: Matrix, look: Look) -> None:
    """Move the cursor, or change what is shown."""
    if not isinstance(state, MatrixState):
        return
    if name == "down":
        state.move(value, 0, matrix)
    elif name == "right":
        state.move(0, value, matrix)
    elif name == "worst":
        state.next_pair(value, matrix)
    elif name == "rate":
        state.by_rate, state.pair = not state.by_rate, -1
    elif name == "classes":
        state.classes = not state.classes
    elif name == "share":
        look.choices.matrix_shares = not look.choices.matrix_shares


def _names(content: Content, matrix: Matrix) -> tuple[str, str]:
    named = ("actual", "predicted") if matrix.confusion else ("", "")
    return content.item.text("row_name") or named[0], content.item.text("column_name") or named[1]
