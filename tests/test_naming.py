"""Runs are named so that a person recognises them, and plain files become runs only where they must."""

from __future__ import annotations

import os

import pytest

from tuimon.naming import own_runs, readable, root_labels, run_names, stem, time_in, words


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("F1.jsonl", ("f",)),
        ("F10.jsonl", ("f",)),
        ("20230605_200941.json", ()),
        ("20210812_190636.log.json", ()),
        ("1764494630.123.jsonl", ()),
        ("metrics.json", ("metrics",)),
        ("metrics_semi-supervise.json", ("metrics", "semi", "supervise")),
        ("training_logs191017(2).log", ("training",)),
        ("train_log_resumed.jsonl", ("train",)),
        ("ppo_seed4.jsonl", ("ppo", "seed4")),
        ("run_2.jsonl", ("run2",)),
        ("gain=0.0355.csv", ("gain", "0.0355")),
        ("lr_1e-3.jsonl", ("lr", "1e-3")),
        ("训练1.jsonl", ("训练",)),
        ("train.log.1", ("train",)),
        ("train.jsonl.2024-01-02", ("train",)),
        ("train.jsonl.bak", ("train",)),
        ("train.json~", ("train",)),
        ("resnet-v1.5", ("resnet", "v", "1.5")),
    ],
)
def test_words_leave_out_counters_and_time_stamps(name: str, expected: tuple[str, ...]) -> None:
    """Counters and time stamps go; words, seeds and settings stay."""
    assert words(name) == expected


def test_a_counter_or_a_time_stamp_makes_attempts_of_one_run() -> None:
    """Files that differ by a number only are one run."""
    assert own_runs({"F1.jsonl": {"loss"}, "F2.jsonl": {"loss"}}) == {}
    assert own_runs({"20230605_200941.json": {"loss"}, "20230606_100000.json": {"loss"}}) == {}


def test_seeds_and_variants_that_share_tags_are_runs_of_their_own() -> None:
    """Files that hold the same tags under names that say something different cannot be one curve."""
    assert own_runs({"timeseries_seed1.jsonl": {"kl"}, "timeseries_seed4.jsonl": {"kl"}, "eval.jsonl": {"return"}}) == {
        "timeseries_seed1.jsonl": "timeseries_seed1",
        "timeseries_seed4.jsonl": "timeseries_seed4",
    }
    assert own_runs({"metrics.json": {"a"}, "metrics_semi-supervise.json": {"a", "b"}}) == {
        "metrics.json": "metrics",
        "metrics_semi-supervise.json": "metrics_semi-supervise",
    }


def test_parts_of_a_run_with_tags_of_their_own_stay_together() -> None:
    """Tags that any file may have, such as the epoch, do not tear a run apart."""
    assert own_runs({"train.csv": {"epoch", "loss"}, "eval.csv": {"Epoch", "epoch", "accuracy"}}) == {}


def test_attempts_of_a_variant_share_its_name() -> None:
    """A variant that was restarted is still one run."""
    shared = {"train-1.jsonl": {"loss"}, "train-2.jsonl": {"loss"}, "val.jsonl": {"loss"}}
    assert own_runs(shared) == {"train-1.jsonl": "train", "train-2.jsonl": "train", "val.jsonl": "val"}


def test_different_variants_never_get_one_name() -> None:
    """Where what the names have in common is the same, the first file's whole name stands for the group."""
    own = own_runs({"a1b.log": {"x"}, "a2b.log": {"x"}, "a1c.log": {"x"}, "a2c.log": {"x"}})
    assert own["a1b.log"] == own["a2b.log"]
    assert own["a1c.log"] == own["a2c.log"]
    assert own["a1b.log"] != own["a1c.log"]


def test_stem_takes_off_every_log_suffix_and_nothing_else() -> None:
    """A dot in a name is not always a suffix."""
    assert [stem(name) for name in ("train.log.json", "v1.5", ".json", "loss.CSV")] == [
        "train",
        "v1.5",
        ".json",
        "loss",
    ]


def test_roots_get_the_shortest_label_that_tells_them_apart() -> None:
    """As many parts from the end as it takes; "." is the directory's own name (case F21)."""
    assert root_labels(["/x/a/logs", "/x/b/logs", "/y/runs/"]) == ["a/logs", "b/logs", "runs"]
    assert root_labels(["."]) == [os.path.basename(os.getcwd())]
    assert root_labels(["/logs", "/a/logs"]) == ["/logs", "a/logs"]


def test_runs_are_prefixed_only_where_two_would_have_one_name() -> None:
    """Runs of several roots keep their short names unless they clash."""
    assert run_names([(0, "r"), (1, "r"), (1, "q")], ["a", "b"]) == {(0, "r"): "a/r", (1, "r"): "b/r", (1, "q"): "q"}


def test_every_run_gets_a_name_of_its_own() -> None:
    """A directory in the root that is called like the root cannot take its name, however often."""
    places = [(0, ""), (0, "logs"), (0, "logs/logs"), (0, "b")]
    names = run_names(places, ["logs"])
    assert names[0, ""] == "logs"
    assert names[0, "b"] == "b"
    assert len(set(names.values())) == len(places)


def test_names_that_are_not_utf8_can_be_printed() -> None:
    """A name from another system shows its bytes as escapes."""
    name = readable(os.fsdecode(b"run\xff\xe9"))
    assert name == "run\\xff\\xe9"


def test_time_in_a_name() -> None:
    """Both usual ways of stamping a file are understood, and a counter is no time."""
    assert time_in("events.out.tfevents.1736867458.host.949554.7") == 1736867458.0
    assert time_in("20230605_200941.json") == 1685995781.0
    assert time_in("PPO_2026-02-13_01-37-24") == time_in("20260213T013724.log")
    assert time_in("metrics_12.json") is None
    assert time_in("20239905_200941.json") is None
