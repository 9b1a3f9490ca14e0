"""What is remembered of the media panel."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class MediaChoices:
    """Choices about media.

    Attributes:
        beside: Whether a maximised item shows the runs beside each other.
        raw_texts: Whether texts are shown as they were logged, not as Markdown.
        matrix_shares: Whether a confusion matrix shows shares of its rows, not numbers.
        cosine: Whether the neighbours of a vector are those of the smallest angle, not of the smallest distance.
    """

    beside: bool = False
    raw_texts: bool = False
    matrix_shares: bool = False
    cosine: bool = True
