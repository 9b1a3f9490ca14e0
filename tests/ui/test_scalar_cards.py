"""The first line of a card."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from rich.segment import Segment

from tuimon.ui.roles import ansi_roles
from tuimon.ui.widgets.card_title import shortened, title_line

ROLES = ansi_roles(colors=True)
MARKS = (("NaN ×1,000 first @17", "nan"), ("null ×3 first @5", "null"))


def title(
    tags: Sequence[str], width: int, marks: Sequence[tuple[str, str]] = (), focused: bool = False
) -> list[Segment]:
    return title_line(tags, [Segment("0.25")], marks, width, ROLES, focused)


def text(line: Sequence[Segment]) -> str:
    return "".join(segment.text for segment in line)


@pytest.mark.parametrize("width", [12, 20, 36, 60, 120])
@pytest.mark.parametrize("tag", ["loss", "train/loss", "损失/训练损失", "a/very/long/tag/of/many/parts", "x" * 90])
def test_it_fills_its_width_and_ends_with_the_value(tag: str, width: int) -> None:
    """Whatever the tag, the value stands at the right end."""
    for marks in ((), MARKS[:1]):
        line = title([tag], width, marks)
        if not marks or width >= 30:
            assert sum(segment.cell_length for segment in line) == width
            assert text(line).endswith(" 0.25")


def test_counts_are_shortened_before_the_tag() -> None:
    """With little room the first steps go, then all but the first count; no number is ever cut."""
    assert text(title(["loss"], 60, MARKS)).startswith("loss  NaN ×1,000 first @17  null ×3 first @5 ")
    assert text(title(["train/loss"], 40, MARKS)).startswith("train/loss  NaN ×1,000  null ×3 ")
    assert text(title(["train/loss"], 30, MARKS)).split() == ["train/loss", "NaN", "×1,000", "0.25"]


def test_a_family_is_named_by_its_first_tag_and_the_other_data() -> None:
    """The quantity is said once."""
    assert text(title(["train/loss", "val/loss"], 40)).startswith("train/loss + val ")


@pytest.mark.parametrize(
    ("name", "room", "parts"),
    [
        ("train/grad_norm", 20, ("train/", "grad_norm")),
        ("train/grad_norm", 14, ("tra…/", "grad_norm")),
        ("train/grad_norm", 12, ("t…/", "grad_norm")),
        ("train/grad_norm", 10, ("", "grad_norm")),
        ("train/grad_norm", 8, ("", "trai…orm")),
        ("loss", 10, ("", "loss")),
        ("loss", 3, ("", "l…s")),
    ],
)
def test_of_a_long_tag_the_group_goes_first(name: str, room: int, parts: tuple[str, str]) -> None:
    """The last part tells charts of one group apart."""
    assert shortened(name, room) == parts
