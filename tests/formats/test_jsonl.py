"""Flat JSON lines of other programs."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tuimon.formats._flat import FlatParser
from tuimon.formats.jsonl import FORMAT
from tuimon.formats.tuimon_jsonl import NativeParser
from tuimon.records import Config, Null, ScalarRows, Skipped

if TYPE_CHECKING:
    from .conftest import Content

    Read = Callable[..., Content]


def lines(*rows: object) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


@pytest.fixture(scope="session")
def content(read: Read) -> Read:
    """What rows give when they are read as a file."""
    return lambda *rows: read(FlatParser(), lines(*rows))


def test_each_number_is_a_point_of_its_tag(content: Read) -> None:
    found = content({"step": 1, "loss": 0.5, "lr": 1}, {"step": 2, "loss": 0.25, "lr": 1e-3})
    assert found.points.keys() == {"loss", "lr"}
    assert [(step, value) for step, _, value in found.points["loss"]] == [(1, 0.5), (2, 0.25)]
    assert found.values("lr") == [1, 1e-3]
    assert found.others == []


def test_rows_of_one_layout_are_one_batch(content: Read) -> None:
    assert content(*({"step": n, "loss": n} for n in range(1000))).batches == 1


def test_a_tag_in_several_layouts_keeps_the_order_of_the_file(content: Read) -> None:
    rows = [{"step": n, "loss": n, **({"val": n} if n % 10 == 9 else {})} for n in range(100)]
    assert content(*rows).steps("loss") == list(range(100))


def test_rows_without_a_step_have_none(content: Read) -> None:
    assert all(math.isnan(step) for step in content({"loss": 1.0}, {"loss": 2.0}).steps("loss"))


def test_a_row_without_the_main_counter_uses_another_one(content: Read) -> None:
    found = content(
        {"step": 10, "epoch": 1, "loss": 0.5}, {"epoch": 2, "val": 0.7}, {"step": None, "epoch": 3, "val": 1}
    )
    assert found.steps("loss") == [10]
    assert found.steps("val") == [2, 3]
    assert found.values("epoch") == [1]


def test_an_infinite_step_is_none(content: Read) -> None:
    assert math.isnan(content({"step": "Infinity", "loss": 1.0}).steps("loss")[0])


@pytest.mark.parametrize("unit", [1, 1000, 1_000_000, 1_000_000_000])
def test_wall_times_in_any_unit_become_seconds(content: Read, unit: int) -> None:
    found = content({"step": 1, "timestamp": 1_764_494_630 * unit, "loss": 1})
    assert found.times("loss") == [1_764_494_630]
    assert "timestamp" not in found.points


def test_a_duration_stays_a_tag(content: Read) -> None:
    found = content({"step": 1, "time": 0.4, "loss": 1})
    assert found.values("time") == [0.4]
    assert math.isnan(found.times("loss")[0])


def test_dates_and_fractions_are_axes(content: Read) -> None:
    found = content({"global_step/max_steps": "10/438", "date": "2026-02-13 01:00:00", "loss": "0.5", "acc": "2.28%"})
    assert found.points.keys() == {"loss", "acc"}
    assert found.points["loss"] == [(10, datetime(2026, 2, 13, 1).timestamp(), 0.5)]  # noqa: DTZ001
    assert found.values("acc") == [2.28]


def test_nested_objects_lists_booleans_and_labels(content: Read) -> None:
    found = content({"epoch": 1, "eval": {"ap": 0.5, "curve": [1, 2]}, "done": True, "device": "cpu", "boxes": [[1]]})
    assert found.points.keys() == {"eval/ap"}
    assert found.others == []


def test_the_spellings_of_nothing_and_infinity(read: Read) -> None:
    """Bare tokens, strings and null are accepted on following lines, and the rows after them are read (case A11)."""
    values = [b"NaN", b"Infinity", b"-Infinity", b'"NaN"', b"null", b"nan", b"-inf", b"1e400", b"7"]
    data = b"".join(b'{"step": %d, "loss": %s}\n' % (step, value) for step, value in enumerate(values))
    found = read(FlatParser(), b'{"step": -1, "loss": 0}\n' + data)
    read = dict(zip(map(int, found.steps("loss")), found.values("loss"), strict=True))
    assert [math.isnan(read[step]) for step in (0, 3, 5)] == [True] * 3
    assert [read[step] for step in (1, 2, 6, 7, 8)] == [math.inf, -math.inf, -math.inf, math.inf, 7]
    assert found.others == [Null("loss", 4, None)]


def test_nan_as_a_string_does_not_touch_other_tags(content: Read) -> None:
    """A string "nan" is NaN; another string is counted once a tag, and nothing else suffers (case A6)."""
    found = content(
        {"step": 1, "loss": "nan", "acc": 0.7}, {"step": 2, "loss": "oops", "acc": 0.8}, {"step": 3, "acc": "x"}
    )
    assert math.isnan(found.values("loss")[0])
    assert found.values("acc") == [0.7, 0.8]
    assert [(type(record), record.kind, record.detail) for record in found.others if isinstance(record, Skipped)] == [
        (Skipped, "not a number", "loss: oops"),
        (Skipped, "not a number", "acc: x"),
    ]


def test_text_before_the_first_number_is_counted_when_the_tag_turns_numeric(read: Read) -> None:
    first, second = lines({"step": 1, "loss": "warming up"}), lines({"step": 2, "loss": 1.0})
    found = read(FlatParser(), first + second, [len(first)])
    assert found.others == [Skipped("not a number", 0, "loss: warming up", 1)]


def test_nulls_of_a_tag_without_numbers_are_no_series(content: Read) -> None:
    """Columns that a framework always writes as null do not show up; a gap in a real series does (case A7)."""
    found = content(
        {"step": 1, "reward": None, "loss": None}, {"step": 2, "reward": None, "loss": 3}, {"step": 3, "loss": None}
    )
    assert found.others == [Null("loss", 1, None), Null("loss", 3, None)]
    assert found.points.keys() == {"loss"}


def test_a_null_without_a_step_stays_between_its_neighbours() -> None:
    parser = FlatParser()
    records = parser.parse(lines({"loss": 1}, {"loss": None}, {"loss": 3}), True).records
    assert [type(record).__name__ for record in records] == ["ScalarRows", "Null", "ScalarRows"]


def test_nulls_keep_their_place_among_the_values_of_their_tag() -> None:
    """A metric that is null in most rows, and rows of other tags: nulls and values of a tag come in file order."""
    rows = [{"step": i, "loss": 1.0, "val": 0.5 if i % 10 == 9 else None} for i in range(40)]
    for parser, text in (
        (FlatParser(), lines(*rows)),
        (NativeParser(), lines(*({"step": r.pop("step"), "scalars": r} for r in map(dict, rows)))),
    ):
        found: list[tuple[float | None, bool]] = []
        for record in parser.parse(text, True).records:
            if isinstance(record, Null):
                found.append((record.step, True))
            elif isinstance(record, ScalarRows) and "val" in record.tags:
                found += [(step, False) for step in memoryview(record.steps).cast("d")]
        assert found == [(float(i), i % 10 != 9) for i in range(40)]


def test_integers_are_exact_up_to_2_to_the_53rd_and_never_an_error(content: Read) -> None:
    found = content({"step": 1.0, "n": 2**53}, {"step": 2, "n": 10**30}, {"step": 3, "n": 10**400})
    assert found.values("n") == [2**53, 1e30, math.inf]
    assert found.steps("n") == [1, 2, 3]


def test_settings_on_every_row_are_given_once_and_are_tags_as_well(content: Read) -> None:
    row = {"training_iteration": 1, "loss": 0.5, "config": {"lr": 0.1, "model": {"act": "relu"}, "seed": None}}
    found = content(row, {**row, "training_iteration": 2})
    assert found.others == [Config({"lr": 0.1, "model/act": "relu", "seed": None})]
    assert found.values("config/lr") == [0.1, 0.1]


def test_a_first_line_of_labels_is_settings(content: Read) -> None:
    found = content({"exp_name": "faster_rcnn", "env_info": "x" * 5000}, {"epoch": 1, "loss": 0.5})
    assert found.others == [Config({"exp_name": "faster_rcnn"})]


def test_iterations_within_an_epoch_become_one_step(content: Read) -> None:
    rows = [{"mode": "train", "epoch": e, "iter": i, "loss": 1.0} for e in (1, 2) for i in (50, 100)]
    assert content(*rows, {"mode": "val", "epoch": 2, "iter": 7, "mAP": 0.3}).steps("loss") == [50, 100, 150, 200]
    assert content(*rows, {"mode": "val", "epoch": 2, "iter": 7, "mAP": 0.3}).steps("mAP") == [200]


def test_rows_that_name_their_tag(content: Read) -> None:
    found = content({"tag": "train/loss", "value": 0.5, "step": 3}, {"tag": "acc", "value": 1, "step": 3})
    assert found.points.keys() == {"train/loss", "acc"}
    assert found.steps("acc") == [3]


def test_numbers_kept_as_number_mean_and_deviation_are_their_mean(content: Read) -> None:
    """As StyleGAN and its relatives keep them, with thousands of images as steps."""
    rows = [
        {"Loss/G": {"num": 128, "mean": n / 4, "std": 0.5}, "Progress/kimg": {"num": 1, "mean": n * 4.0, "std": 0}}
        for n in range(3)
    ]
    found = content(*rows)
    assert {tag: [row[::2] for row in points] for tag, points in found.points.items()} == {
        "Loss/G": [(0, 0), (4, 0.25), (8, 0.5)],
        "Progress/kimg": [(0, 0), (4, 4), (8, 8)],
    }


def test_any_tag_is_kept_as_it_is(content: Read) -> None:
    tags = ["Episode / Total timesteps (mean)", "\u8bad\u7ec3/\u635f\u5931 %", "a:b", "\U0001f525", "/lead", "\n", ""]
    found = content({"step": 1, **dict.fromkeys(tags, 1.0)})
    assert list(found.points) == tags


def test_an_earlier_range_read_again_gives_the_same_points(read: Read) -> None:
    first = lines(*({"step": n, "time": 1_764_494_630 + n, "loss": n} for n in range(50)))
    parser = FlatParser()
    read(parser, first)
    read(parser, lines({"step": 50, "time": 0, "loss": 50}))
    middle = first.splitlines(keepends=True)[20:30]
    again = read(parser.clone(0), b"".join(middle))
    assert again.points == {"loss": [(float(n), 1_764_494_630.0 + n, float(n)) for n in range(20, 30)]}


numbers = st.one_of(
    st.floats(),
    st.integers(-(2**70), 2**70),
    st.sampled_from(["0.5", "nan", "Infinity", "-inf", " 7 ", "3%", "label", True, None, [1], {"x": 2.5, "y": "1"}]),
)
tags = st.sampled_from(["step", "epoch", "time", "loss", "a/b", "\u635f", "lr", "timestamp"])
rows = st.lists(st.dictionaries(tags, numbers, max_size=5), max_size=12)


@given(rows=rows, data=st.data())
def test_any_cut_of_the_bytes_gives_the_same_points(
    read: Read, rows: list[dict[str, object]], data: st.DataObject
) -> None:
    text = lines(*rows)
    cuts = data.draw(st.lists(st.integers(0, len(text)), max_size=6))
    whole, pieces = read(FlatParser(), text), read(FlatParser(), text, cuts)
    assert str(sorted(whole.points.items())) == str(sorted(pieces.points.items()))
    assert _counted(whole) == _counted(pieces)
    assert whole.left == pieces.left == b""


def _counted(found: Content) -> dict[str, int]:
    counts: dict[str, int] = {}
    for record in found.others:
        name = f"{record.kind} {record.detail}" if isinstance(record, Skipped) else str(record)
        name = name.split(": ")[0]
        counts[name] = counts.get(name, 0) + (record.count if isinstance(record, Skipped) else 1)
    return counts


@given(
    rows=st.lists(st.dictionaries(st.text(max_size=8), st.one_of(st.floats(), st.integers()), max_size=6), max_size=10)
)
def test_the_values_are_those_of_the_standard_library(read: Read, rows: list[dict[str, float]]) -> None:
    """Whatever is read fast is what `json` reads, to the last bit."""
    text = lines(*({f"zz{key}": value for key, value in row.items()} for row in rows))
    expected: dict[str, list[str]] = {}
    for line in text.splitlines():
        for tag, value in json.loads(line).items():
            expected.setdefault(tag, []).append(float(value).hex())
    found = read(FlatParser(), text)
    assert {tag: [value.hex() for value in found.values(tag)] for tag in found.points} == expected


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("metrics.jsonl", b'{"step": 1, "loss": 0.5}'),
        ("metrics.jsonl", b'{"loss": 0.5}\n'),
        ("log.txt", b'{"train_lr": 1e-4, "train_loss": 1.7, "epoch": 0}\n'),
        ("metrics.json", b'{"iteration": 19, "loss": 0.5}\n'),
        ("20230607_213107.json", b'{"loss": 1}\n{"loss": 2}\n{"lo'),
        ("metrics.json", b'\xef\xbb\xbf{"step": 1, "loss": NaN}\r\n{"step": 2, "loss": 1}\r\n'),
        ("anything", b'\n\n{"epoch": 1, "text": "hello", "loss": 2}\n'),
        ("events.jsonl", b'{"system.cpu": 86.01, "_timestamp": 1585015311.6, "_wandb": true}\n'),
        ("log.json", b'{"env_info": "x", "seed": null}\n{"mode": "train", "epoch": 1, "iter": 50, "loss": 1}\n'),
        ("metrics.jsonl", b'ss": 3}\n{"step": 1, "loss": 0.5}\n{"step": 2, "loss": 0.5}\n'),
        ("huge.jsonl", b'{"config": "' + b"x" * 70_000),
        ("metrics.jsonl", b'{"step": 1, "loss": 0.5}\n' + b"a warning\n" * 50),
    ],
)
def test_metric_logs_are_recognised(name: str, head: bytes) -> None:
    assert FORMAT.sniff(name, head[: 1 << 16])


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("package.json", b'{\n  "name": "x",\n  "version": 1\n}\n'),
        ("progress.json", b"[\n    11.0,\n    15.0\n]\n"),
        ("history.json", b'[\n{"epoch": 1, "loss": 2},\n{"epoch": 2, "loss": 1}\n]\n'),
        (
            "training.json",
            b'{\n"meta":{"iterations":3},\n"rows":[\n{"loss":1,"iteration":0},\n{"loss":1,"iteration":1}]}\n',
        ),
        ("wandb-summary.json", b'{"loss": 0.5, "_step": 10}\n'),
        ("config.json", b'{"lr": 0.1, "epoch": 10}\n'),
        ("results.json", b'{"accuracy": 0.9}\n'),
        ("chat.jsonl", b'{"timestamp": "2025-07-17T11:27:05", "user": "What?", "assistant": null}\n'),
        ("train.jsonl", b'{"text": "once upon a time", "label": 3}\n{"text": "the end", "label": 1}\n'),
        ("app.log", b'{"level": "info", "ts": 1764494630.1, "msg": "listening", "port": 8080}\n'),
        ("steps.jsonl", b'{"step": 1}\n{"step": 2}\n'),
        ("numbers.jsonl", b"1\n2\n3\n"),
        ("metrics.csv", b"step,loss\n1,0.5\n"),
        ("stdout.txt", b"epoch 1 {lr: 0.1}\nloss 0.5\n"),
        ("model.bin", bytes(range(256)) * 10),
    ],
)
def test_other_files_are_not_taken(name: str, head: bytes) -> None:
    assert not FORMAT.sniff(name, head)


def test_the_head_may_be_cut_anywhere(read: Read) -> None:
    text = lines(*({"step": n, "loss": 1 / (n + 1), "note": "\u8bad"} for n in range(40)))
    for cut in range(60, len(text), 7):
        assert FORMAT.sniff("metrics.jsonl", text[:cut])
    assert read(FORMAT.parser("metrics.jsonl"), text).steps("loss") == list(range(40))


def test_the_log_of_ms_swift_with_its_last_rows(read: Read) -> None:
    """Steps are fractions, shares have a sign, durations are no numbers, and the last rows hold other things."""
    first = {"loss": 1.5, "grad_norm": 2.5, "memory(GiB)": 20.25, "train_speed(iter/s)": 0.05, "epoch": 0.02}
    progress = {"global_step/max_steps": "10/438", "percentage": "2.28%", "elapsed_time": "1m 23s"}
    last = {"train_runtime": 99.5, "epoch": 1.0, "global_step/max_steps": "438/438", "percentage": "100.00%"}
    summary = {
        "train_dataset": "12 rows",
        "best_metric": 0.5,
        "global_step": 438,
        "log_history": [first],
        "memory": 33.2,
    }
    text = lines({**first, **progress}, {"eval_loss": 0.5, **progress}, last, summary)
    assert FORMAT.sniff("logging.jsonl", text)
    found = read(FlatParser(), text)
    assert [(step, value) for step, _, value in found.points["loss"]] == [(10, 1.5)]
    assert [(step, value) for step, _, value in found.points["percentage"]] == [(10, 2.28), (10, 2.28), (438, 100.0)]
    assert found.steps("best_metric") == found.steps("train_runtime") == [438]
    assert "elapsed_time" not in found.points
    assert not [record for record in found.others if isinstance(record, Skipped)]
