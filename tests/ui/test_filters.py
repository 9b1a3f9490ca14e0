"""Filters typed by people."""

from __future__ import annotations

import pytest

from tuimon.ui.filters import FilterError, compile_any, compile_filter


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


NAMES = ("train/loss", "val/loss", "val/acc", "lr", "Episode / Steps (mean)", "a/b")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("val loss", "val/loss"),
        ("val AND loss", "val/loss"),
        ("acc | lr", "val/acc lr"),
        ("acc|lr", "val/acc lr"),
        ("acc OR lr", "val/acc lr"),
        ("!/ -acc !lr", ""),
        ("!loss !acc -(mean) -a/b", "lr"),
        ("NOT val loss", "train/loss"),
        ("(acc | train) /", "train/loss val/acc"),
        ("val (acc | train)", "val/acc"),
        ("!(val | lr) loss", "train/loss"),
        ("/^val/", "val/loss val/acc"),
        ("/^val/ loss", "val/loss"),
        ("/^a/b$/", "a/b"),
        ("/loss$/|lr", "train/loss val/loss lr"),
        ("!/loss|acc/ !e", "lr a/b"),
        ("/loss", "train/loss val/loss"),
        ("re:^(lr|val) ?", "val/loss val/acc lr"),
        ("*/loss !val*", "train/loss"),
        ("*loss | lr", "train/loss val/loss lr"),
        ('"/ Steps"', "Episode / Steps (mean)"),
        ('!"/"', "lr"),
        ("steps(mean)", ""),
        ("(mean)", "Episode / Steps (mean)"),
        ("Steps (mean)", "Episode / Steps (mean)"),
    ],
)
def test_and_or_not(text: str, expected: str) -> None:
    """Terms beside each other must both hold; there are "or", "not" and parentheses, in signs and in words."""
    test = compile_filter(text)
    assert " ".join(filter(test, NAMES)) == expected


@pytest.mark.parametrize("text", ["val |", "| val", "val OR", "(val", "val !", "val -", '"val', "val ()", "'val'"])
def test_what_is_not_finished_is_taken_as_far_as_it_goes(text: str) -> None:
    """No half typed filter empties the screen or is an error."""
    assert " ".join(filter(compile_filter(text), NAMES)) == "val/loss val/acc"


def test_any_of_some_filters() -> None:
    """On the command line several filters mean any of them, and none means everything."""
    assert list(filter(compile_any(["lr", "acc"]), NAMES)) == ["val/acc", "lr"]
    assert list(filter(compile_any([]), NAMES)) == list(NAMES)
