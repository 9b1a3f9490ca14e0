"""Filters typed by people."""

from __future__ import annotations

import pytest

from tuimon.ui.filters import FilterError, compile_filter


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("", "anything", True),
        ("loss", "Loss/train", True),
        ("Loss", "train/loss", False),
        ("loss", "acc", False),
        ("lr*", "lr0.1-bs8", True),
        ("lr*", "run-lr", False),
        ("*/loss", "Val/Loss", True),
        ("run[12]", "run2", True),
        ("run[12]", "run3", False),
        ("re:^val/", "val/loss", True),
        ("re:^val/", "train/val/loss", False),
        ("re:LOSS$", "train/loss", False),
        ("损失", "训练/损失", True),
        ("  loss  ", "loss", True),
    ],
)
def test_matches(text: str, name: str, expected: bool) -> None:
    """A part of the name, a glob over all of it or a regular expression; capitals count only when typed."""
    assert compile_filter(text)(name) is expected


def test_a_bad_expression_says_what_is_wrong() -> None:
    """A half typed regular expression is a message, not a crash."""
    with pytest.raises(FilterError, match="not a regular expression: missing \\)"):
        compile_filter("re:(a")


def test_an_unfinished_class_is_a_plain_sign() -> None:
    """An open bracket in a glob is taken for itself, so typing one never fails."""
    assert compile_filter("a[")("a[")
