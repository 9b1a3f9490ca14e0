"""Finding a command by a few letters: words in any order, or letters in theirs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

Row = TypeVar("Row")


def find(wanted: str, rows: Sequence[Row], text: Callable[[Row], str]) -> list[Row]:
    """The rows that a person may mean, the likeliest first; all of them while nothing was typed.

    Args:
        wanted: What was typed.
        rows: What there is.
        text: What a row is known by.
    """
    scored = [(score, at) for at, row in enumerate(rows) if (score := fitness(wanted, text(row))) is not None]
    return [rows[at] for _, at in sorted(scored)]


def fitness(wanted: str, text: str) -> float | None:
    """How far a text is from what was typed, 0 being as near as can be; None where it cannot be meant.

    Every word must be in the text; one that begins a word of it is nearer than one inside. Where that fails, the
    letters must at least follow each other, in as short a stretch as possible.
    """
    text, words = text.casefold(), wanted.casefold().split()
    if not words:
        return 0.0
    total = 0.0
    for word in words:
        at = text.find(f" {word}")
        if text.startswith(word):
            continue
        if at >= 0:
            total += 1 + at / 1000
        elif (at := text.find(word)) >= 0:
            total += 3 + at / 1000
        else:
            break
    else:
        return total
    letters = "".join(words)
    stretch = min((_stretch(letters, text, start) for start, c in enumerate(text) if c == letters[0]), default=None)
    return None if stretch is None or stretch > 4 * len(letters) + 4 else 100.0 + stretch


def _stretch(letters: str, text: str, start: int) -> int:
    """How many characters from a place on hold some letters in their order; very many where they do not."""
    at = start - 1
    for letter in letters:
        at = text.find(letter, at + 1)
        if at < 0:
            return 1 << 30
    return at - start + 1
