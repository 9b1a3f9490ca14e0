"""Text on sheets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tuimon.ui.screens.details import info_text, nonfinite_text
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


def test_info_text() -> None:
    """Commands can be pasted into a shell, maps read as words."""
    assert info_text(["python", "train.py", "--name", "a b"]) == "python train.py --name 'a b'"
    assert info_text({"commit": "abc", "dirty": True}) == "commit abc, dirty yes"
    assert info_text(3) == "3"
    assert info_text(0.1 + 0.2) == "0.3"
    assert info_text(None) == "None"


def test_nonfinite_text() -> None:
    """Each kind is counted apart, nulls too (case A7)."""
    assert nonfinite_text(40, 0, 0, 0, 1.0) == "NaN ×40, first @1"
    assert nonfinite_text(1, 2, 3, 4, 0.0) == "NaN ×1, Inf ×2, -Inf ×3, null ×4, first @0"
    assert nonfinite_text(0, 0, 0, 0, None) == ""
