"""A run in several formats: each number once, from the format that is believed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tuimon.records import Config, End, Restart, RunInfo, ScalarRows, Skipped
from tuimon.store import Mirror, Origin, Run, Source
from tuimon.store.mirrors import Teller, believed, exact_form, loose_form, told_twice

Rows = Callable[..., ScalarRows]

EVENTS = Origin("events", 20)
JSON = Origin("json", 50)
CSV = Origin("csv", 60)
PRINTED = Origin("printed", 90, rounded=True)


def add(log: Any, origin: Origin, *records: object, path: str = "") -> Source:
    """Records of a file of this family."""
    source: Source = log.store.source("run", path or origin.family, origin=origin)
    log.add(source, *records)
    return source


def run(log: Any) -> Run:
    found: Run = log.store.runs["run"]
    return found


def shown(log: Any) -> dict[str, str]:
    """Where each tag is shown from."""
    return {tag: series.parts[0].source.path for tag, series in run(log).series.items()}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("eval/loss", "eval_loss"),
        ("ray/tune/episode_reward_mean", "episode_reward_mean"),
        ("summary/best", "best"),
        ("Train/Loss", "train.loss"),
        ("metrics/mAP50(B)", "metrics/mAP50-B"),
        ("epoch_loss", "loss"),
        ("scalars/lr", "lr"),
    ],
)
def test_names_of_one_tag(one: str, other: str) -> None:
    """Case, what stands between words, and what some programs put before all tags say nothing."""
    assert exact_form(one) == exact_form(other)


@pytest.mark.parametrize(
    ("one", "other"), [("loss", "train/loss"), ("Loss/train", "train_loss"), ("lr", "learning_rate"), ("训练", "训练")]
)
def test_names_of_one_tag_of_training(one: str, other: str) -> None:
    """Training is what is meant where nothing else is said."""
    assert loose_form(one) == loose_form(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("loss", "val_loss"),
        ("acc1", "acc5"),
        ("train_loss_step", "train_loss_epoch"),
        ("train", "training"),
        ("α", "β"),
    ],
)
def test_names_of_different_tags(one: str, other: str) -> None:
    """Nothing that could be another number is taken for the same."""
    assert loose_form(one) != loose_form(other)


def test_a_loose_name_must_be_the_only_one() -> None:
    """With ``loss`` and ``train_loss`` in one file, nobody can tell which one ``Loss/train`` is."""
    assert told_twice([("a", ["loss", "train_loss"]), ("b", ["Loss/train", "loss"])])["b"] == {"loss": "a"}
    assert told_twice([("a", ["loss"]), ("b", ["Loss/train", "loss"])])["b"] == {"loss": "a"}
    assert told_twice([("a", ["loss"]), ("b", ["Loss/train"])])["b"] == {"Loss/train": "a"}


def test_the_trainer_puts_train_before_names_in_its_events() -> None:
    """Its ``train/train_loss`` is the mean that it calls ``train_loss`` elsewhere."""
    events = ("events", ["train/loss", "train/train_loss", "eval/loss"])
    assert told_twice([events, ("state", ["loss", "eval_loss", "train_loss"])])["state"].keys() == {
        "loss",
        "eval_loss",
        "train_loss",
    }


def test_the_richest_is_believed() -> None:
    """Curves before sums, logs before texts, times before none; more points, what grows, more tags, stricter ones."""
    points = {"loss": 100, "acc": 100}
    poor = Teller("poor", 10, False, False, True, {"loss": 10, "acc": 10})
    printed = Teller("printed", 90, True, False, True, {"loss": 500, "acc": 500, "eta": 500})
    untimed = Teller("untimed", 60, False, False, False, {"loss": 500, "acc": 500, "eta": 500})
    full = Teller("full", 50, False, False, True, points)
    fuller = Teller("fuller", 60, False, False, True, {**points, "lr": 95})
    strict = Teller("strict", 20, False, False, True, {"loss": 95, "acc": 95})
    assert believed([full, strict]) == ["strict", "full"]
    assert believed([strict, full, fuller]) == ["fuller", "strict", "full"]
    assert believed([poor, full]) == ["full", "poor"]
    assert believed([untimed, poor]) == ["untimed", "poor"]
    assert believed([untimed, Teller("timed", 60, False, False, True, {"loss": 300, "acc": 300})])[0] == "timed"
    assert believed([printed, untimed]) == ["untimed", "printed"]
    sums = Teller("sums", 15, False, False, True, {"loss": 1, "acc": 1, "f1": 1})
    assert believed([sums, printed]) == ["printed", "sums"]
    kept = Teller("kept", 10, False, True, True, {"loss": 100, "acc": 100, "f1": 100})
    assert believed([kept, full]) == ["full", "kept"]


def test_each_number_is_there_once(log: Any, make_rows: Rows) -> None:
    """Duplicates make no attempts and are not counted; what only one format has is shown from there."""
    add(log, CSV, make_rows(["loss", "speed"], range(10), [1.0, 2.0] * 10, [None] * 10))
    add(log, EVENTS, make_rows(["train/loss", "lr"], range(10), [1.0, 0.1] * 10))
    assert shown(log) == {"train/loss": "events", "lr": "events", "speed": "csv"}
    assert run(log).points == 30
    assert run(log).attempts == 1
    assert run(log).mirrors == [Mirror("csv", "events", 1, 2)]


def test_files_of_one_format_are_attempts_as_ever(log: Any, make_rows: Rows) -> None:
    """A resumed run whose events and CSV both go on is still resumed, and its CSV is still a copy."""
    for number, steps in ((1, range(10)), (2, range(5, 15))):
        for origin in (EVENTS, CSV):
            rows = make_rows("loss", steps, [float(number)] * 10, [1000.0 * number + i for i in range(10)])
            add(log, origin, rows, path=f"{origin.family}{number}")
    series = run(log).series["loss"]
    assert [attempt.source for attempt in series.attempts] == ["events1", "events2"]
    assert series.curve().x.tolist() == list(range(15))


def test_a_restart_is_of_the_files_that_it_is_said_in(log: Any, make_rows: Rows) -> None:
    """The CSV of a run that was restarted goes on in the same file, which holds what came after."""
    again = [*range(10), *range(5, 15)]
    add(log, CSV, make_rows("speed", again, [1.0] * 20))
    add(log, EVENTS, make_rows("loss", range(10), [1.0] * 10), path="events1")
    add(log, EVENTS, Restart(5.0), make_rows("loss", range(5, 15), [1.0] * 10, range(2000, 2010)), path="events2")
    assert run(log).series["loss"].curve().x.tolist() == list(range(15))
    assert run(log).series["speed"].curve().x.tolist() == list(range(15))


def test_what_is_believed_does_not_change_while_files_grow(log: Any, make_rows: Rows) -> None:
    """A file that is flushed more often has more points for a while."""
    add(log, EVENTS, make_rows("loss", range(10), [1.0] * 10))
    add(log, JSON, make_rows("loss", range(10), [1.0] * 10))
    assert shown(log) == {"loss": "events"}
    for start in range(10, 200, 10):
        add(log, JSON, make_rows("loss", range(start, start + 10), [1.0] * 10))
        assert shown(log)["loss"] == "events"
        add(log, EVENTS, make_rows("loss", range(start, start + 10), [1.0] * 10))
        assert shown(log)["loss"] == "events"
        assert run(log).series["loss"].count == start + 10


def test_a_file_that_no_longer_grows_is_believed_no_longer(log: Any, make_rows: Rows) -> None:
    """One of two loggers died; the training is shown from the other one in the end."""
    add(log, EVENTS, make_rows("train/loss", range(10), [1.0] * 10))
    add(log, JSON, make_rows("loss", range(10), [1.0] * 10))
    for step in range(10, 60):
        add(log, JSON, make_rows("loss", [step], [1.0]))
    assert list(run(log).series) == ["loss"]
    assert run(log).last_step == 59
    assert run(log).attempts == 1


def test_what_is_believed_is_decided_by_rank_until_all_is_loaded(log: Any, make_rows: Rows) -> None:
    """What is read first says nothing about which file holds more."""
    sources = [log.store.source("run", origin.family, origin=origin) for origin in (JSON, EVENTS)]
    for source in sources:
        log.store.loading(source, True)
    log.add(sources[0], make_rows(["loss", "acc"], range(100), [1.0] * 200))
    log.add(sources[1], make_rows("loss", range(3), [1.0] * 3))
    assert shown(log) == {"loss": "events", "acc": "json"}
    for source in sources:
        log.store.loading(source, False)
    assert shown(log) == {"loss": "json", "acc": "json"}


def test_a_file_that_is_loaded_later_turns_nothing_round(log: Any, make_rows: Rows) -> None:
    """Neither a resumed training nor another format that comes while the run is shown."""
    add(log, JSON, make_rows(["loss", "acc"], range(100), [1.0] * 200))
    add(log, CSV, make_rows("loss", range(100), [1.0] * 100))
    assert shown(log)["loss"] == "json"
    for origin in (CSV, EVENTS):
        late = log.store.source("run", f"late {origin.family}", origin=origin)
        log.store.loading(late, True)
        assert shown(log)["loss"] == "json"
        log.add(late, make_rows("loss", range(100, 102), [1.0] * 2))
        assert shown(log)["loss"] == "json"
        log.store.loading(late, False)
    assert shown(log)["loss"] == "json"


def test_a_copy_is_shown_when_the_other_file_goes(log: Any, make_rows: Rows) -> None:
    """Nothing is lost by being hidden."""
    events = add(log, EVENTS, make_rows("train/loss", range(10), [1.0] * 10))
    add(log, CSV, make_rows("loss", range(10), [2.0] * 10))
    assert list(run(log).series) == ["train/loss"]
    log.store.drop(events)
    assert list(run(log).series) == ["loss"]
    assert run(log).series["loss"].last.value == 2.0  # type: ignore[union-attr]
    assert run(log).mirrors == []


def test_numbers_under_a_suffix_are_tags_of_their_own(log: Any, make_rows: Rows) -> None:
    """The lines of a group of scalars come from files that all name it alike."""
    add(log, EVENTS, make_rows("loss", range(3), [1.0] * 3))
    for line in ("train", "val"):
        add(log, Origin("events", 20, suffix=line), make_rows("loss", range(3), [2.0] * 3), path=line)
    assert list(run(log).series) == ["loss", "loss/train", "loss/val"]
    assert run(log).attempts == 1


def test_a_run_without_data_is_not_listed(log: Any, make_rows: Rows) -> None:
    """It is there as soon as one of its files gives something, were it only that something cannot be read."""
    quiet = Origin("events", 20, expected=False)
    source = log.store.source("run", "a", origin=quiet)
    log.add(source, Restart(3.0))
    assert log.store.runs == {}
    log.store.dirty()
    log.add(source, make_rows("loss", [3], [1.0]))
    assert list(log.store.runs) == ["run"]
    assert log.store.dirty().structure
    log.add(log.store.source("damaged", "b", origin=quiet), Skipped("bad record"))
    log.add(log.store.source("begun", "c", origin=quiet), RunInfo({"name": "x"}))
    assert list(log.store.runs) == ["run", "damaged", "begun"]


def test_a_run_that_turns_out_to_hold_nothing_is_listed_no_longer(log: Any) -> None:
    """A large file promises data; when it is read it may have been a graph only."""
    source = log.store.source("run", "a", origin=EVENTS)
    log.store.loading(source, True)
    assert list(log.store.runs) == ["run"]
    log.store.loading(source, False)
    assert log.store.runs == {}
    log.store.drop(source)
    log.add(log.store.source("run", "a", origin=EVENTS), Config({"lr": 1}))
    assert list(log.store.runs) == ["run"]


def test_settings_beside_the_log_make_no_run_and_end_none(log: Any, make_rows: Rows) -> None:
    """They come and go with it."""
    aside = Origin("settings", 80, companion=True, expected=False)
    settings = log.store.source("run", "config.yaml", origin=aside, order=5e9)
    log.add(settings, Config({"lr": 1}), RunInfo({"host": "h"}))
    assert log.store.runs == {}
    source = add(log, JSON, make_rows("loss", [1], [1.0]), RunInfo({"name": "x"}), End("finished"))
    assert run(log).config == {"lr": 1}
    assert run(log).end == End("finished")
    log.store.drop(source)
    assert log.store.runs == {}
