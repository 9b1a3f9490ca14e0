"""Lines that trainings print and that need others to be understood: headings, tables and bars."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

import pytest

from tuimon.formats._console.parser import ConsoleParser

from .console_texts import KERAS, TABLES, TQDM

if TYPE_CHECKING:
    from .conftest import Content

    Read = Callable[..., Content]

NAN = math.nan


def test_counts_within_an_epoch_are_added_up(read: Read) -> None:
    """Also where only the first epoch says how long one is, and for lines at the end of an epoch."""
    lines = [f"epoch {epoch} - iter {count}/50 - loss {epoch}.{count}" for epoch in (1, 2, 3) for count in (0, 20, 40)]
    lines.insert(3, "EPOCH 1 done: acc 0.5")
    lines.append("EPOCH 3 done: acc 0.7")
    found = read(ConsoleParser(), "\n".join([*lines, ""]).encode())
    assert found.steps("loss") == [0, 20, 40, 50, 70, 90, 100, 120, 140]
    assert found.steps("acc") == [40, 150]
    lines = [f"Epoch {epoch}, step {count}: loss 0.5" for epoch in (0, 1) for count in (10, 20)]
    assert read(ConsoleParser(), "\n".join([*lines, ""]).encode()).steps("loss") == [10, 20, 30, 40]
    lines = [f"epoch {epoch} | global_step {step} | loss 0.5" for epoch, step in ((1, 10), (2, 20), (3, 30))]
    assert read(ConsoleParser(), "\n".join([*lines, ""]).encode()).steps("loss") == [10, 20, 30]
    lines = [f"[step={step}/900,epoch={epoch}] loss 0.5" for epoch, step in ((0, 10), (1, 20), (2, 30))]
    assert read(ConsoleParser(), "\n".join([*lines, ""]).encode()).steps("loss") == [10, 20, 30]


def test_validation_stands_at_the_last_step_under_its_own_names(read: Read) -> None:
    text = (
        "Epoch: [0][0/10]\tLoss 1.5 (1.3)\nEpoch: [0][9/10]\tLoss 1.25 (1.3)\n"
        "Test: [0/5]\tLoss 1.5 (1.3)\n * Acc@1 55.2 Acc@5 71.3\n"
        "Epoch: [1][0/10]\tLoss 1.0 (1.3)\nTest set: Average loss: 0.0523, Accuracy: 9827/10000 (98%)\n"
    )
    found = read(ConsoleParser(), text.encode())
    assert found.steps("Loss") == [0, 9, 10]
    assert [(step, value) for step, _, value in found.points["test/Loss"]] == [(9, 1.5)]
    assert [(step, value) for step, _, value in found.points["Acc@5"]] == [(9, 71.3)]
    assert found.values("test/Accuracy") == [98.27]


def test_what_stands_below_a_step_belongs_to_it(read: Read) -> None:
    text = (
        "2025-12-27 22:12:56.500\thost-03:0\tolmo.train:990\tINFO\t[step=10/10000,epoch=0]\n"
        "    train/CrossEntropyLoss=9.064\n    System/Peak GPU Memory (MB)=38,869\n"
        "2025-12-27 22:13:56.500\thost-03:0\tolmo.train:990\tINFO\tSaving a checkpoint\n"
        "    train/CrossEntropyLoss=1.0\n"
    )
    found = read(ConsoleParser(), text.encode())
    moment = datetime.fromisoformat("2025-12-27 22:12:56.500").timestamp()
    assert found.points == {
        "train/CrossEntropyLoss": [(10, moment, 9.064)],
        "System/Peak GPU Memory (MB)": [(10, moment, 38869)],
    }


def test_what_stands_below_a_heading_with_an_iteration_belongs_to_it(read: Read) -> None:
    text = "".join(
        f"{'#' * 20}\n      \033[1m Learning iteration {n}/1500 \033[0m      \n\n"
        f"   Computation: 42000 steps/s (collection: 1.9s)\n   Mean reward: {n}.50\n"
        f"{'-' * 20}\n   Total timesteps: {n * 100}\n   ETA: 35.5s\n\n"
        for n in range(3)
    )
    found = read(ConsoleParser(), text.encode())
    assert {tag: [row[::2] for row in rows] for tag, rows in found.points.items()} == {
        "Mean reward": [(0, 0.5), (1, 1.5), (2, 2.5)],
        "Total timesteps": [(0, 0), (1, 100), (2, 200)],
    }


def test_tables_of_names_and_values_are_rows(read: Read) -> None:
    found = read(ConsoleParser(), TABLES.encode())
    assert [(step, value) for step, _, value in found.points["rollout/ep_rew_mean"]] == [(2048, -150), (4096, 26)]
    assert [(step, value) for step, _, value in found.points["loss"]] == [(3, 0.5)]


def test_parts_of_the_data_below_the_heading_of_an_epoch_stand_at_it(read: Read) -> None:
    text = "".join(
        f"Epoch: 0{e} | Time: 0m 1{e}s\n\tTrain Loss: 0.{e} | Train PPL: 1{e}.5\n\t Val. Loss: 1.{e} |  Val. PPL: 2\n"
        for e in (1, 2, 3)
    )
    found = read(ConsoleParser(), text.encode())
    assert {tag: [row[::2] for row in rows] for tag, rows in found.points.items()} == {
        "Train Loss": [(1, 0.1), (2, 0.2), (3, 0.3)],
        "Train PPL": [(1, 11.5), (2, 12.5), (3, 13.5)],
        "Val. Loss": [(1, 1.1), (2, 1.2), (3, 1.3)],
        "Val. PPL": [(1, 2), (2, 2), (3, 2)],
    }


def test_values_without_a_counter_below_the_heading_of_an_epoch_are_its_own(read: Read) -> None:
    text = "Loss: 9.5, Accuracy: 0.1\n" + "".join(
        f"Epoch {e}/3\nLoss: 0.{e}, Accuracy: 0.5\nlr: 0.1\n" for e in (1, 2, 3)
    )
    found = read(ConsoleParser(), text.encode())
    assert {tag: [row[::2] for row in rows] for tag, rows in found.points.items()} == {
        "Loss": [(1, 0.1), (2, 0.2), (3, 0.3)],
        "Accuracy": [(1, 0.5), (2, 0.5), (3, 0.5)],
    }


COLUMNS: dict[str, tuple[str, dict[str, list[float]], list[float]]] = {
    "spacy": (
        "✔ Initialized pipeline\n\nE    #       LOSS TOK2VEC  LOSS NER  ENTS_F  SCORE \n"
        "---  ------  ------------  --------  ------  ------\n"
        "  0       0          0.00     48.50    0.00    0.00\n  1     200         76.55   2404.50   61.26    0.61\n"
        "a warning in between\n  2     400        130.20   1240.11   66.90    0.67\n",
        {
            "epoch": [0, 1, 2],
            "LOSS TOK2VEC": [0, 76.55, 130.2],
            "LOSS NER": [48.5, 2404.5, 1240.11],
            "ENTS_F": [0, 61.26, 66.9],
            "SCORE": [0, 0.61, 0.67],
        },
        [0, 200, 400],
    ),
    "skorch": (
        "Using cuda\n  epoch    train_loss    valid_acc    cp     dur\n-------  ------------  -----------  --  ------\n"
        "      1        \033[36m0.6905\033[0m       0.5125     +  0.0131\n"
        "      2        0.5905       0.6125        0.0231\n      3        0.4905          nan     +  0.0331\n",
        {"train_loss": [0.6905, 0.5905, 0.4905], "valid_acc": [0.5125, 0.6125, NAN], "dur": [0.0131, 0.0231, 0.0331]},
        [1, 2, 3],
    ),
    "scikit-learn": (
        "      Iter       Train Loss   Remaining Time \n         1           1.1900           13.25s \n"
        "         2           1.1800            1.20m \n        10           0.9100            0.00s \n",
        {"Train Loss": [1.19, 1.18, 0.91]},
        [1, 2, 10],
    ),
    "pipes": (
        "|   iter    |  target   |     x     |\n-------------------------------------\n"
        "| 1         | -7.135    | 2.834     |\n| 2         | -5.5      | 1.5       |\n"
        "=====================================\n| one       | -1        | 1.5       |\n",
        {"target": [-7.135, -5.5], "x": [2.834, 1.5]},
        [1, 2],
    ),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_rows_below_a_heading_are_read_by_its_names(read: Read, name: str) -> None:
    text, values, steps = COLUMNS[name]
    found = read(ConsoleParser(), text.encode())
    assert {tag: [row[2] for row in rows] for tag, rows in found.points.items()} == {
        tag: pytest.approx(column, nan_ok=True) for tag, column in values.items()
    }
    assert all([row[0] for row in rows] == steps for rows in found.points.values())


def test_rows_that_are_read_again_have_the_names_of_their_heading() -> None:
    parser = ConsoleParser()
    head = b"epoch  loss  acc\n1  0.5  0.25\n"
    first = parser.parse(head, at_end=False)
    rows = b"2  0.25  0.5\n"
    assert first.consumed == len(head)
    expected = parser.parse(rows, at_end=False)
    assert parser.clone(len(head)).parse(rows, at_end=False).records == expected.records != []


def test_a_bar_of_keras_counts_when_its_epoch_is_over(read: Read) -> None:
    found = read(ConsoleParser(), KERAS.encode())
    assert [(step, value) for step, _, value in found.points["loss"]] == [(1, 1.5), (2, 1.0)]
    assert [(step, value) for step, _, value in found.points["val_loss"]] == [(1, 1.25), (2, 0.75)]


def test_of_the_states_of_a_bar_at_one_count_the_last_one_counts(read: Read) -> None:
    """The newest one waits for what comes after it."""
    found = read(ConsoleParser(), TQDM.encode())
    assert [(step, value) for step, _, value in found.points["loss"]] == [(1, 5.5), (2, 4.5)]
    found = read(ConsoleParser(), TQDM.encode() + b"\n")
    assert [(step, value) for step, _, value in found.points["loss"]] == [(1, 5.5), (2, 4.5), (3, 3.5)]
    assert found.points.keys() == {"loss", "epoch"}


def test_units_that_change_do_not_bend_the_curve(read: Read) -> None:
    text = b"step 1 time 900ms mem 900MB\nstep 2 time 1.5s mem 1.5GB\nstep 3 time 2min mem 2000MB\n"
    found = read(ConsoleParser(), text)
    assert found.values("time") == pytest.approx([900, 1500, 120_000])
    assert found.values("mem") == pytest.approx([900, 1500, 2000])
