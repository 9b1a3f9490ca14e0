"""Which delimited texts are logs of a training, and which look like them and are not."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tuimon.formats.base import Format
from tuimon.formats.delimited import FORMAT
from tuimon.formats.monitor_csv import FORMAT as MONITOR
from tuimon.formats.registry import HEAD_SIZE
from tuimon.formats.yolo_results import FORMAT as YOLO

if TYPE_CHECKING:
    from .conftest import Content

    Read = Callable[..., Content]

LOGS = {
    "lightning_logs/version_0/metrics.csv": "epoch,step,train_loss\n0,9,2137.8\n",
    "run/training.log": "epoch,accuracy,loss,val_loss\n0,0.5,1.5,NA\n",
    "run/train.log": "epoch;loss\n0;0,5\n1;0,4\n",
    "run/progress.csv": "train/loss,time/total_timesteps,time/iterations\n,2048,1\n0.5,4096,2\n",
    "exp/progress.txt": "Epoch\tAverageEpRet\tTotalEnvInteracts\tTime\n0\t12.5\t4000\t3.5\n",
    "yolo/results.csv": "   epoch,   train/box_loss\n   0,   1.5\n",
    "history.csv": "epoch,train_loss,valid_loss,accuracy,time\n0,0.8,0.4,0.9,04:39\n",
    "ner/loss.tsv": "EPOCH\tTIMESTAMP\tLEARNING_RATE\tTRAIN_LOSS\n0\t17:02:42\t0.1\t16.5\n",
    "catboost_info/learn_error.tsv": "iter\tLogloss\n0\t0.6\n",
    "catboost_info/time_left.tsv": "iter\tPassed\tRemaining\n0\t158\t317632\n1\t183\t183691\n",
    "a/log.csv": ",epoch,loss\n0,0,0.5\n1,1,0.25\n",
    "wandb_export.csv": '"Step","run - loss","run - loss__MIN"\n"4","1.5","1.5"\n',
    "results/log.txt": "epoch loss acc\n1 0.5 0.1\n2 0.25 0.2\n",
    "curve.dat": "# step loss\n0 0.5\n1 0.25\n",
    "rewards/rewards.csv": "episode,reward\n0,1.5\n1,2.5\n",
    "train_metrics.csv": "loss,accuracy\n0.5,0.1\n0.25,0.2\n",
    "d3rlpy_logs/loss.csv": "1,100,0.5\n1,200,0.25\n2,300,0.2\n",
    "losses.txt": "0.5\n0.25\n0.125\n",
    "loss.csv": "0,0.5\n1,0.25\n2,0.125\n",
    "scalars.csv": "step,tag,value\n1,loss,0.5\n1,acc,0.25\n",
    "log.tsv": "epoch\tsplit\tloss\n0\ttrain\t0.5\n0\tval\t0.75\n",
    "batches.csv": "epoch,batch,loss\n0,0,0.5\n0,1,0.25\n",
    "results.csv": "train_acc,val_acc\n0.5,0.4\n0.6,0.5\n",
    "out.csv": "timestamp,train_loss\n2024-01-01 10:00:00,0.5\n2024-01-01 10:01:00,0.25\n",
    "rewards.txt": "200\n180\n210\n",
    "#header.csv": "#epoch,loss\n0,0.5\n",
    "acme/logs.csv": "actor_steps,episode_length,episode_return,episodes\n100,100,1.5,1\n200,100,2.5,2\n",
    "rlkit/progress.csv": "trainer/QF1 Loss,exploration/num steps total,Epoch\n1.5,1000,0\n1.25,2000,1\n",
    "metrics.csv.1": "step,loss\n1,0.5\n",
    "PPO/progress.csv": "done,training_iteration,date,config/lr,info\nFalse,1,2026-02-13_01-37-28,0.1,2.5\n",
}

OTHERS = {
    "iris.csv": "sepal_length,sepal_width,petal_length,species\n5.1,3.5,1.4,setosa\n4.9,3.0,1.4,setosa\n",
    "iris_plain.csv": "sepal_length,sepal_width,petal_length\n5.1,3.5,1.4\n4.9,3.0,1.4\n",
    "labels.csv": "image,label\na.png,3\nb.png,4\n",
    "data/train.csv": "id,feature_1,feature_2,target\n0,0.5,0.25,1\n1,0.5,0.5,0\n",
    "train.csv": "PassengerId,Survived,Pclass,Name,Age\n1,0,3,Mr. Owen,22\n2,1,1,Mrs. John,38\n",
    "predictions.csv": "id,prediction,score\n0,1,0.5\n1,0,0.25\n",
    "submission.csv": "Id,SalePrice\n1,1.5\n2,2.5\n",
    "files.csv": "path,size\na,1\nb,2\n",
    "weather.csv": "date,temp,wind\n2020-01-01,1.5,3\n2020-01-02,2.5,4\n",
    "stock.csv": "Date,Open,Close\n2020-01-01,1.5,3\n2020-01-02,2.5,4\n",
    "log/sensor.csv": "timestamp,temperature\n1700000000,1.5\n1700000001,2.5\n",
    "mot/gt.txt": "1,1,100,200,50,60,1\n1,2,100,200,50,60,1\n2,1,100,200,50,60,1\n",
    "tracks.csv": "frame,id,x,y\n1,1,5.5,6.5\n2,1,5.6,6.6\n",
    "pokemon.csv": "Name,Generation,HP\nBulbasaur,1,45\nIvysaur,1,60\nVenusaur,1,80\n",
    "eeg.csv": "time,condition,epoch,C3,C4\n0.0,a,0,1.5,2.5\n0.1,a,0,1.5,2.5\n0.2,a,0,1.5,2.5\n",
    "satellites.csv": "epoch,lat,lon\n1700000000,1.5,2.5\n1700000060,1.5,2.5\n",
    "fraud.csv": "step,type,amount,name\n1,PAYMENT,9839.6,C1\n1,PAYMENT,1864.2,C2\n1,TRANSFER,181.0,C3\n",
    "models.csv": "model,accuracy,f1\nresnet,0.9,0.8\nvit,0.95,0.85\n",
    "results.csv": "model,epoch,acc\nresnet,90,0.9\n",
    "sweep.csv": "lr,batch_size,epoch,acc\n0.1,32,90,0.9\n0.01,32,10,0.8\n0.1,64,50,0.7\n0.2,64,3,0.7\n",
    "summary_metrics.csv": "Metric,Q-Learning,DQN\nTime,11.5,0.5\nSpace,2400,33795\n",
    "metrics_summary.csv": "metric,value\naccuracy,0.9\nf1,0.8\n",
    "final.csv": "loss,accuracy\n0.5,0.9\n",
    "X.csv": "0.5,0.25,0.125\n0.5,0.25,0.125\n0.1,0.2,0.3\n",
    "portfolio.csv": "Date,Return\n2020-01-01,0.5\n2020-01-02,0.25\n",
    "y.csv": "1\n0\n1\n1\n",
    "points.txt": "1 2 3\n4 5 6\n7 8 9\n",
    "ratings.csv": "1,31,2.5\n1,1029,3.0\n2,10,4.0\n",
    "vocab.txt": "the\nof\nand\n",
    "requirements.txt": "numpy>=1.26\nmsgspec>=0.19,<1\n",
    "notes.txt": "Step one, do this\nStep two, do that, 3 times\n",
    "recipe.txt": "step,what\n1,mix it, then wait\n2,bake\n",
    "book.txt": "word " * 5000,
    "nvidia.txt": "+-----+-----+\n|  0  |  5  |\n+-----+-----+\n",
    "code.out": "epoch, loss = train(x)\n1, 2\n",
    "console.log": "Epoch 1/3, loss: 0.5\nEpoch 2/3, loss: 0.25\n",
    "service.log": "2023-05-15 22:50:17,398 INFO: Epoch 1: Train Loss=0.0717\n",
    "access.log": '127.0.0.1 - - [10/Oct/2000:13:55:36] "GET / HTTP/1.0" 200 2326\n',
    "metrics.json": '{"step": 1, "loss": 0.5}\n',
    "a.yaml": "step,loss\n1,0.5\n",
    "header_only.csv": "step,loss\n",
    "half.csv": "step,lo",
    "binary.csv": "step,loss\n\0\0\0\n1,2\n",
}


@pytest.mark.parametrize("path", LOGS)
def test_logs(path: str, read: Read) -> None:
    """They are taken and hold at least one point."""
    data = LOGS[path].encode()
    assert FORMAT.sniff(path, data)
    assert read(FORMAT.parser(path), data).points


@pytest.mark.parametrize("path", OTHERS)
def test_look_alikes(path: str) -> None:
    """Data sets, tables of results, lists and prose are left alone."""
    assert not FORMAT.sniff(path, OTHERS[path].encode())


def test_the_beginning_may_be_cut_anywhere() -> None:
    """A log is taken from its first whole row on, whatever follows."""
    text = "epoch,step,train_loss\n" + "".join(f"{step // 10},{step},0.5\n" for step in range(50))
    for cut in range(len("epoch,step,train_loss\n0,0,0.5\n"), len(text)):
        assert FORMAT.sniff("metrics.csv", text[:cut].encode()), cut


def test_a_header_that_is_longer_than_the_beginning() -> None:
    """Ray may have thousands of columns; a row is not seen then."""
    header = ",".join(["training_iteration", *(f"info/learner/policy_{number}/value" for number in range(3000))])
    assert FORMAT.sniff("trial/progress.csv", header[:HEAD_SIZE].encode())
    assert not FORMAT.sniff("trial/table.csv", header[:HEAD_SIZE].encode())
    assert not FORMAT.sniff("trial/progress.csv", ("training_iteration," * 5000)[:HEAD_SIZE].encode())


def truths(real_logs: Path, *formats: str) -> Iterator[tuple[Path, dict[str, Any]]]:
    root = real_logs.parent / "truth"
    for path in sorted(root.rglob("*.json")):
        log = real_logs / str(path.relative_to(root)).removesuffix(".json")
        if path.name != "_DIR.json" and log.is_file():
            truth = json.loads(path.read_text())
            if truth["format"] in formats:
                yield log, truth


def reader_of(log: Path, data: bytes) -> Format | None:
    return next((one for one in (MONITOR, YOLO, FORMAT) if one.sniff(str(log), data[:HEAD_SIZE])), None)


def test_real_tables_are_read_as_an_independent_reader_reads_them(real_logs: Path, read: Read) -> None:
    """Number of points, smallest, largest and last value of every column.

    Where that reader takes NaN for nothing, shifts the columns of a row with one cell more than the header or counts
    booleans, it is not followed. A table of results by method is no log.
    """
    checked = 0
    for log, truth in truths(real_logs, "csv"):
        data = log.read_bytes()
        known = reader_of(log, data)
        if log.name == "summary_metrics.csv":
            assert known is None
            continue
        assert known is not None, log
        found = read(known.parser(str(log)), data, range(0, len(data), 1 << 18))
        assert found.left == b"", log
        named = {tag.strip(): values for tag, values in ((tag, found.values(tag)) for tag in found.points)}
        for column, facts in truth["keys"].items():
            values = [value for value in named.get(column.strip(), []) if not math.isnan(value)]
            if not facts["numeric"] or not values or "TIMESTAMP" in truth["keys"]:
                continue
            assert len(values) == facts["numeric"], (log, column)
            assert (min(values), max(values), values[-1]) == pytest.approx((facts["min"], facts["max"], facts["last"]))
            checked += 1
    assert checked > 1000


def test_no_other_real_log_is_taken_for_a_table(real_logs: Path) -> None:
    for log, _ in truths(real_logs, "json", "jsonl", "text", "tfevents", "visualdl", "wandb"):
        assert reader_of(log, log.read_bytes()[:HEAD_SIZE]) is None, log


@pytest.mark.parametrize(
    "damage", ["3,l0ss\n", "3\n", "3,0.5,7\n", "Warning: slow disk\n", "step,loss\n", "step,loss,acc\n3,1,2\n"]
)
@pytest.mark.parametrize("at", [2, 9])
def test_a_damaged_line_or_another_header_near_the_top_hides_no_log(damage: str, at: int) -> None:
    """A line that was torn, and the header that a resumed training wrote again, leave the log a log."""
    lines = ["step,loss\n", *(f"{step},{1 / (step + 1)}\n" for step in range(20))]
    assert FORMAT.sniff("out/log.csv", "".join([*lines[:at], damage, *lines[at:]]).encode())


def test_a_column_of_texts_with_some_numbers_is_none_of_numbers() -> None:
    """Where every fourth cell is a word, words are what the column holds."""
    rows = "".join(f"{at},{'high' if at % 4 == 0 else at}\n" for at in range(20))
    assert not FORMAT.sniff("out/table.csv", f"step,loss\n{rows}".encode())
