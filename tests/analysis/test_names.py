"""What the names of tags say: direction, importance, groups, partners."""

from __future__ import annotations

import random

import pytest

from tuimon.analysis.direction import direction
from tuimon.analysis.keytags import common_tags, groups, key_tags, natural, partner


@pytest.mark.parametrize(
    "tag",
    [
        "loss", "train/loss", "val_loss", "Loss/train", "valLoss", "acc/val_loss", "eval/perplexity", "ppl", "rmse",
        "MAE", "error_rate", "top1_err", "metrics/WER", "fid", "cls_loss", "loss_rpn_cls", "train/box_loss", "nll",
        "KL", "epoch_loss", "loss/step",
    ],
)  # fmt: skip
def test_less_is_better(tag: str) -> None:
    """Losses, errors, perplexities, distances."""
    assert direction(tag) == "min"


@pytest.mark.parametrize(
    "tag",
    [
        "acc", "val/accuracy", "Accuracy/val", "valid/auc", "f1", "metrics/mAP50(B)", "mIoU", "bleu", "rouge-L",
        "reward", "rollout/ep_rew_mean", "episode_reward", "eval/r2", "PSNR", "macro_f1", "top1", "exact_match",
        "win_rate", "val_acc_epoch", "bbox/AP50", "charts/episodic_return",
    ],
)  # fmt: skip
def test_more_is_better(tag: str) -> None:
    """Accuracies, scores, rewards."""
    assert direction(tag) == "max"


@pytest.mark.parametrize(
    "tag",
    ["lr", "train/learning_rate", "epoch", "time/iterations", "grad_norm", "samples_per_second", "weird", "学习率", "",
     "lr-Adam", "loss_scale", "gpu/mem", "eta_seconds", "global_step", "data_time", "valid/auc-std",
     "reward_std"],
)  # fmt: skip
def test_neither_is_better(tag: str) -> None:
    """Rates, times, counts, and names that say nothing."""
    assert direction(tag) is None


def test_losses_come_first() -> None:
    """The training loss, the validation loss, scores, then the rest, in the order in which they were logged."""
    tags = ["lr", "gpu/mem", "val/acc", "train/loss", "train/acc", "val/loss", "grad_norm", "train/aux/cls_loss"]
    assert key_tags(tags)[:4] == ["train/loss", "val/loss", "val/acc", "train/acc"]
    assert key_tags(tags, 2) == ["train/loss", "val/loss"]
    assert sorted(key_tags(tags)) == sorted(tags)
    assert key_tags(["b", "a", "b"]) == ["b", "a"]


def test_the_whole_loss_comes_before_its_parts_and_a_mean_before_its_extremes() -> None:
    """Detection logs many parts of a loss; with the whole logged too, scores say more than its parts do."""
    tags = ["loss_cls", "loss_box_reg", "total_loss", "bbox/AP"]
    assert key_tags(tags, 2) == ["total_loss", "bbox/AP"]
    assert key_tags(["loss_d", "loss_g", "score"], 2) == ["loss_d", "loss_g"]
    assert key_tags(["reward_max", "reward_mean"]) == ["reward_mean", "reward_max"]


def test_tags_fall_into_groups_by_their_prefix() -> None:
    """Groups and tags in natural order; tags without a prefix have a place of their own."""
    tags = ["train/loss", "layer10/w", "layer2/w", "loss", "layer2/b", "/odd"]
    assert groups(tags) == {
        "": ["/odd", "loss"],
        "layer2": ["layer2/b", "layer2/w"],
        "layer10": ["layer10/w"],
        "train": ["train/loss"],
    }


def test_natural_order() -> None:
    """Numbers in names count by value; upper and lower case lie together."""
    names = ["run2", "run10", "Run3", "a", "1"]
    random.Random(1).shuffle(names)
    assert sorted(names, key=natural) == ["1", "a", "run2", "Run3", "run10"]
    names = ["lr0", "lr0.05-s0", "lr0.05-s1", "lr0.1-s0", "lr0.5-s0", "lr1", "lr40", "v0.9", "v0.10", "w.0.9", "w.0.10"]
    random.Random(2).shuffle(shuffled := names.copy())
    assert sorted(shuffled, key=natural) == names


@pytest.mark.parametrize(
    ("tag", "other"),
    [
        ("Loss/train", "Loss/val"), ("train/loss", "val/loss"), ("loss", "val_loss"),
        ("training/acc", "validation/acc"), ("val_loss", "loss"), ("train_loss", "test_loss"),
    ],
)  # fmt: skip
def test_training_and_validation_are_partners(tag: str, other: str) -> None:
    """They belong on one chart, however they are named (case F23)."""
    assert partner(tag, [tag, "lr", other]) == other


def test_no_partner() -> None:
    """Two training tags are none."""
    assert partner("loss", ["loss", "acc", "train/acc"]) is None
    assert partner("train/loss", ["train/loss", "loss"]) is None


def test_settings_and_machine_come_last() -> None:
    """Settings that are logged with every row are no results, whatever their names promise; nor is the machine."""
    settings = ["config/use_prev_reward", "seed", "args/model/loss"]
    ordered = key_tags([*settings, "system/gpu0/memory_error", "steps_taken", "info/reward"])
    assert ordered[:3] == ["info/reward", "steps_taken", "system/gpu0/memory_error"]
    assert set(ordered[3:]) == set(settings)


def test_a_few_tags_are_never_those_of_the_machine() -> None:
    """Dozens of system metrics do not fill up what is asked for, unless a run has nothing else."""
    machine = ["system/cpu.0.cpu_percent", "system/gpu.0.gpu", "System/Peak GPU Memory (MB)"]
    assert key_tags([*machine, "train/loss"], 4) == ["train/loss"]
    assert key_tags(machine, 2) == machine[:2]
    assert set(key_tags([*machine, "train/loss"])) == {*machine, "train/loss"}


def test_what_more_runs_have_comes_first() -> None:
    """Shares of runs count in halves; what is of the machine comes last however many have it."""
    counts = {"system/cpu": 34, "rare/loss": 1, "val/acc": 20, "train/loss": 17, "some/loss": 12, "lr": 34}
    assert common_tags(counts, 34) == ["train/loss", "val/acc", "lr", "some/loss", "rare/loss", "system/cpu"]
    assert common_tags(counts, 34, 2) == ["train/loss", "val/acc"]
    assert common_tags({"system/cpu": 2}, 3, 2) == ["system/cpu"]
    assert common_tags({}, 0) == []
