"""Text on sheets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tuimon.ui.screens.sheet import wrap


def lines(text: str, width: int, indent: int = 0) -> list[str]:
    """Wrapped lines as text."""
    return ["".join(segment.text for segment in line) for line in wrap(text, width, None, indent)]


@pytest.mark.parametrize(
    ("text", "width", "indent", "expected"),
    [
        ("", 10, 0, [""]),
        ("one two three", 8, 0, ["one two", "three"]),
        ("one two three", 8, 2, ["one two", "  three"]),
        ('  File "a.py"', 20, 4, ['  File "a.py"']),
        ("    return very long", 13, 2, ["    return", "      very", "      long"]),
        ("abcdefghij", 4, 0, ["abcd", "efgh", "ij"]),
        ("中文中文中文", 5, 0, ["中文", "中文", "中文"]),
    ],
)
def test_wrap(text: str, width: int, indent: int, expected: list[str]) -> None:
    """Lines break at spaces, long words break anywhere, the indent of a traceback stays."""
    assert lines(text, width, indent) == expected


@given(st.text("ab 中", max_size=60), st.integers(6, 30), st.integers(0, 4))
def test_wrap_fits_and_loses_nothing(text: str, width: int, indent: int) -> None:
    """No line is too wide, and no letter is lost."""
    wrapped = lines(text, width, indent)
    assert all(cell_len(line) <= width for line in wrapped)
    assert "".join(wrapped).replace(" ", "") == text.replace(" ", "")
