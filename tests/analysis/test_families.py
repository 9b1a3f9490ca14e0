"""Which tags are drawn on one chart."""

from __future__ import annotations

import pytest

from tuimon.analysis.families import families, member_names


@pytest.mark.parametrize(
    "pair",
    [
        ("Loss/train", "Loss/val"),
        ("train/loss", "val/loss"),
        ("loss", "val_loss"),
        ("train_acc", "valid_acc"),
        ("epoch/train-top1", "epoch/eval-top1"),
        ("training.loss", "validation.loss"),
    ],
)
def test_training_and_validation_of_one_quantity_belong_together(pair: tuple[str, str]) -> None:
    """The usual ways of naming the two are recognised, training first (case F23)."""
    assert families([pair[1], "lr", pair[0]]) == [pair]


def test_other_tags_stay_alone() -> None:
    """Different quantities, words that only contain "val", and a tag without a partner make no family."""
    assert families(["loss", "value/loss", "train/acc", "val/loss2", "interval", "evaluate"]) == []


def test_a_plain_tag_is_no_third_curve() -> None:
    """A tag that does not name its data does not displace the one that does."""
    assert families(["loss", "train/loss", "val/loss", "test/loss"]) == [("train/loss", "val/loss", "test/loss")]


def test_members_are_named_by_their_data() -> None:
    """The names on the chart say only what differs."""
    assert member_names(("Loss/train", "Loss/val")) == ["train", "val"]
    assert member_names(("loss", "val_loss")) == ["train", "val"]
    assert member_names(("lr",)) == ["lr"]
