"""Which log files make which run: the rules, on made-up files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import nan

import pytest

from tuimon.folders import Log, Part
from tuimon.formats.base import Kind
from tuimon.heads import Glimpse
from tuimon.runs import Runs
from tuimon.walk import Candidate


class Made(Kind):
    """A kind of file by its name."""

    def __init__(self, name: str, rank: int, *, companion: bool = False, cumulative: bool = False) -> None:
        self.name = name
        self.rank = rank
        self.companion = companion
        self.cumulative = cumulative

    def sniff(self, path: str, head: bytes) -> bool:
        raise NotImplementedError


EVENTS = Made("events", 20)
ROWS = Made("rows", 50)
TABLE = Made("table", 60)
PRINTED = Made("printed", 90)
STATE = Made("state", 35, cumulative=True)
SETTINGS = Made("settings", 80, companion=True)
KINDS = {"jsonl": ROWS, "csv": TABLE, "log": PRINTED, "state": STATE, "yaml": SETTINGS, "wandb": Made("records", 15)}
KINDS["json"] = Made("summary", 45)
KINDS["out"] = KINDS["err"] = PRINTED


class Tree:
    """Log files and what their beginnings say."""

    def __init__(self) -> None:
        self.logs: list[Log] = []
        self.seen: dict[str, Glimpse] = {}
        self.runs = Runs(lambda log: self.seen[log.file.path])

    def add(
        self,
        path: str,
        first: Mapping[str, float] | None = None,
        *,
        home: str | None = None,
        mtime: float = 1e9,
        size: int = 5000,
        settings: bool = False,
        start: bytes = b"",
        printed: Mapping[str, Sequence[float]] | None = None,
    ) -> None:
        folder, _, name = path.rpartition("/")
        kind = EVENTS if "tfevents" in name else KINDS[name.rpartition(".")[2]]
        file = Candidate(path, 0, folder, (1, len(self.logs)), size, mtime)
        self.logs.append(Log.of(file, kind, folder if home is None else home))
        plain = kind not in (EVENTS, STATE, KINDS["wandb"])
        self.seen[path] = Glimpse(
            first or {}, plain=plain, settings=settings, whole=True, start=start, printed=printed or {}
        )

    def parts(self) -> dict[str, Part]:
        return self.runs.assign(self.logs, ["logs"], ())

    def places(self) -> dict[str, str]:
        return {path: part.place[1] for path, part in self.parts().items()}


@pytest.fixture
def tree() -> Tree:
    return Tree()


def test_a_run_is_where_its_format_says(tree: Tree) -> None:
    """Files that a program keeps in directories of its own belong to the run above them."""
    for metric in ("loss", "acc"):
        tree.add(f"mlruns/0/abc/metrics/{metric}.csv", {metric: 1.0}, home="mlruns/0/abc")
    tree.add("mlruns/0/abc/params/lr.yaml", home="mlruns/0/abc")
    assert set(tree.places().values()) == {"mlruns/0/abc"}
    assert len(tree.parts()) == 3


def test_settings_alone_make_no_run(tree: Tree) -> None:
    """A configuration without logs is known and left alone."""
    tree.add("conf/base.yaml")
    tree.add("other/train.csv", {"loss": 1.0})
    assert tree.places() == {"other/train.csv": "other"}


def test_settings_go_with_the_run_of_their_directory_or_the_only_one_below(tree: Tree) -> None:
    """Where several runs are below it is not told whose they are."""
    tree.add("here/config.yaml")
    tree.add("here/train.csv", {"loss": 1.0})
    tree.add("here/below/train.csv", {"loss": 1.0})
    tree.add("above/config.yaml")
    tree.add("above/tb/version_0/events.out.tfevents.1")
    tree.add("many/config.yaml")
    tree.add("many/a/train.csv", {"loss": 1.0})
    tree.add("many/b/train.csv", {"loss": 1.0})
    places = tree.places()
    assert places["here/config.yaml"] == "here"
    assert places["above/config.yaml"] == "above/tb/version_0"
    assert "many/config.yaml" not in places


def test_settings_named_as_a_run_within_a_directory_are_its(tree: Tree) -> None:
    """Others in that directory could be of any of the runs."""
    for seed in (1, 2):
        tree.add(f"out/ppo_seed{seed}.csv", {"loss": 1.0})
        tree.add(f"out/ppo_seed{seed}_config.yaml")
    tree.add("out/machine.yaml")
    assert tree.places() == {
        "out/ppo_seed1.csv": "out/ppo_seed1",
        "out/ppo_seed1_config.yaml": "out/ppo_seed1",
        "out/ppo_seed2.csv": "out/ppo_seed2",
        "out/ppo_seed2_config.yaml": "out/ppo_seed2",
    }


def test_two_formats_of_one_run_stay_together(tree: Tree) -> None:
    """Ray writes each result as JSON, as CSV and as events, under names that say different things."""
    tree.add("trial/result.jsonl", {"reward": 1.25, "loss": 3.0, "done": nan})
    tree.add("trial/progress.csv", {"reward": 1.25, "loss": 3.0, "done": nan})
    tree.add("trial/events.out.tfevents.1", {"ray/tune/reward": 1.25})
    tree.add("trial/train.log", {"loss": 3.2})
    assert set(tree.places().values()) == {"trial"}


def test_two_formats_of_different_runs_come_apart(tree: Tree) -> None:
    """Training and validation in files of different formats do not begin with the same values."""
    tree.add("out/train.csv", {"loss": 3.0})
    tree.add("out/val.jsonl", {"loss": 2.0})
    assert set(tree.places().values()) == {"out/train", "out/val"}


def test_each_seed_may_be_there_in_two_formats(tree: Tree) -> None:
    """Files of one stem are one run."""
    for seed, value in ((1, 0.5), (2, 0.75)):
        tree.add(f"out/seed{seed}.csv", {"loss": value})
        tree.add(f"out/seed{seed}.jsonl", {"loss": value})
    assert tree.places() == {
        f"out/seed{seed}.{suffix}": f"out/seed{seed}" for seed in (1, 2) for suffix in ("csv", "jsonl")
    }


def test_a_copy_under_a_time_stamp_is_the_same_run(tree: Tree) -> None:
    """MMEngine writes each line into ``scalars.json`` and into a file named by when it was started."""
    tree.add("work/vis_data/20230605_200941.jsonl", {"loss": 3.0}, start=b"1\n2\n")
    tree.add("work/vis_data/scalars.jsonl", {"loss": 3.0}, start=b"1\n2\n3\n")
    tree.add("work/vis_data/other.jsonl", {"loss": 3.0}, start=b"2\n")
    parts = tree.parts()
    assert parts["work/vis_data/scalars.jsonl"] == Part((0, "work"), "rows copy")
    assert parts["work/vis_data/other.jsonl"].place == (0, "work/other")


def test_texts_that_print_the_same_are_one_run(tree: Tree) -> None:
    """A program's own log beside what the shell kept of it; a text with other values is of another run."""
    for name, values in (("console", [4, 3, 2, 1.5, 1]), ("nohup", [4, 3, 2, 1.5, 1]), ("other", [4, 3, 2.5, 1])):
        tree.add(f"out/{name}.log", {"loss": 4.0, "lr": 0.1}, printed={"loss": values, "lr": [0.1] * 4})
    parts = tree.parts()
    assert parts["out/console.log"].place == parts["out/nohup.log"].place != parts["out/other.log"].place
    assert parts["out/console.log"].family != parts["out/nohup.log"].family


def test_what_is_printed_as_errors_is_of_the_same_run(tree: Tree) -> None:
    """Slurm keeps both; progress bars go to the one and everything else to the other."""
    tree.add("job/slurm-12.out", {"loss": 4.0})
    tree.add("job/slurm-12.err", {"loss": 4.1})
    parts = tree.parts()
    assert parts["job/slurm-12.out"] == Part((0, "job"), "printed")
    assert parts["job/slurm-12.err"] == Part((0, "job"), "printed errors")


def test_logs_in_a_directory_for_logs_are_of_the_run_above(tree: Tree) -> None:
    """Its name says nothing; where it is the root there is nothing above it."""
    tree.add("work/20230605_200941/vis_data/20230605_200941.jsonl", {"loss": 3.0})
    tree.add("work/20230605_200941/20230605_200941.log", {"loss": 3.0})
    tree.add("exp/tensorboard_logs/events.out.tfevents.1")
    tree.add("exp/config.yaml")
    tree.add("exp2/summaries/events.out.tfevents.1")
    tree.add("tb_logs/model/version_0/events.out.tfevents.1")
    assert set(tree.places().values()) == {"work/20230605_200941", "exp", "exp2", "tb_logs/model/version_0"}
    assert tree.places()["exp/config.yaml"] == "exp"


def test_the_only_run_of_wandb_beside_events_is_the_same_run(tree: Tree) -> None:
    """With its settings; several are several launches, and nobody says which one the events are of."""
    tree.add("exp/events.out.tfevents.1")
    tree.add("exp/wandb/run-2024-a/run-a.wandb")
    tree.add("exp/wandb/run-2024-a/files/config.yaml", home="exp/wandb/run-2024-a")
    tree.add("project/train.log", {"loss": 1.0})
    tree.add("project/wandb/run-2024-c/run-c.wandb")
    assert set(tree.places().values()) == {"exp", "project", "project/wandb/run-2024-c"}
    tree.add("exp/wandb/offline-run-2024-b/run-b.wandb")
    places = tree.places()
    assert places["exp/wandb/run-2024-a/files/config.yaml"] == "exp/wandb/run-2024-a"
    assert places["exp/wandb/offline-run-2024-b/run-b.wandb"] == "exp/wandb/offline-run-2024-b"


def test_environments_that_are_stepped_together_are_no_attempts(tree: Tree) -> None:
    """Each has its tags; one environment alone needs no number."""
    for i in (0, 1):
        tree.add(f"many/{i}.monitor.csv", {"r": 1.0})
    tree.add("one/0.monitor.csv", {"r": 1.0})
    parts = {path: (part.place[1], part.suffix) for path, part in tree.parts().items()}
    assert parts == {
        "many/0.monitor.csv": ("many", "env 0"),
        "many/1.monitor.csv": ("many", "env 1"),
        "one/0.monitor.csv": ("one", ""),
    }


def test_tables_of_catboost_go_with_its_events(tree: Tree) -> None:
    """``learn_error.tsv`` tells what is in the event file below ``learn``."""
    for part, value in (("learn", 1.0), ("test", 2.0)):
        tree.add(f"catboost_info/{part}/events.out.tfevents", {"RMSE": value})
        tree.add(f"catboost_info/{part}_error.csv", {"RMSE": value})
    assert set(tree.places().values()) == {"catboost_info/learn", "catboost_info/test"}


def test_logs_that_only_have_a_header_are_looked_at_again(tree: Tree) -> None:
    """Two seeds that were started just now do not tell yet that they are two runs."""
    for seed in (1, 2):
        tree.add(f"out/seed{seed}.csv")
    assert set(tree.places().values()) == {"out"}
    assert tree.runs.unsettled == ["out/seed1.csv", "out/seed2.csv"]
    for path in list(tree.seen):
        tree.seen[path] = Glimpse({"loss": 1.0}, plain=True, whole=True)
    assert set(tree.places().values()) == {"out/seed1", "out/seed2"}
    assert tree.runs.unsettled == []


def test_records_of_different_runs_in_one_directory_are_runs(tree: Tree) -> None:
    """Each is named by its file; alone it is its directory."""
    tree.add("many/run-a.wandb")
    tree.add("many/run-b.wandb")
    tree.add("wandb/run-2024-c/run-c.wandb")
    assert set(tree.places().values()) == {"many/run-a", "many/run-b", "wandb/run-2024-c"}


def test_the_last_values_of_wandb_are_of_the_run_in_whose_directory_they_are(tree: Tree) -> None:
    """Early clients kept them beside the history, whose first values are others."""
    tree.add("wandb/run-1-a/wandb-history.jsonl", {"loss": 2.0})
    tree.add("wandb/run-1-a/wandb-summary.json", {"loss": 0.25})
    tree.add("wandb/run-1-a/config.yaml")
    assert [*tree.places().values()] == ["wandb/run-1-a"] * 3


def test_of_checkpoints_only_the_newest_counts(tree: Tree) -> None:
    """It is the one of the highest number, and the state at the end is newer than all."""
    for step in (500, 1000, 1500):
        tree.add(f"results/checkpoint-{step}/t.state", home="results")
    assert tree.places() == {"results/checkpoint-1500/t.state": "results"}
    tree.add("results/t.state")
    assert tree.places() == {"results/t.state": "results"}


def test_a_checkpoint_of_a_later_training_counts(tree: Tree) -> None:
    """A directory that is used again holds checkpoints of higher numbers that are old."""
    tree.add("results/checkpoint-9000/t.state", home="results", mtime=1e9)
    tree.add("results/checkpoint-500/t.state", home="results", mtime=1e9 + 3600)
    tree.add("results/checkpoint-1000/t.state", home="results", mtime=1e9 + 3700)
    assert tree.places() == {"results/checkpoint-1000/t.state": "results"}


def test_a_checkpoint_goes_with_the_events_that_it_is_of(tree: Tree) -> None:
    """It is of the newest training that was started before it was written."""
    tree.add("results/checkpoint-500/t.state", home="results", mtime=1.7e9 + 500)
    tree.add("results/runs/a/events.out.tfevents.1700000000.host")
    assert tree.places()["results/checkpoint-500/t.state"] == "results/runs/a"
    tree.add("results/runs/b/events.out.tfevents.1700000900.host")
    assert tree.places()["results/checkpoint-500/t.state"] == "results/runs/a"
    tree.add("results/checkpoint-1000/t.state", home="results", mtime=1.7e9 + 1500)
    assert tree.places()["results/checkpoint-1000/t.state"] == "results/runs/b"


def test_hparams_belong_to_the_run_above(tree: Tree) -> None:
    """Their values go beside those of the run, not after them (case F7)."""
    tree.add("run/events.out.tfevents.1", {"loss": 1.0})
    tree.add("run/1543806248.41/events.out.tfevents.2", {"hparam/acc": 0.5}, settings=True)
    part = tree.parts()["run/1543806248.41/events.out.tfevents.2"]
    assert part == Part((0, "run"), "events hparams")


def test_a_run_under_a_time_stamp_is_a_run(tree: Tree) -> None:
    """Only what begins with settings is taken to the run above; what is not known yet is looked at again."""
    tree.add("logs/events.out.tfevents.1", {"loss": 1.0})
    tree.add("logs/1543806248.41/events.out.tfevents.2", {"acc": 0.5})
    tree.add("logs/1543806249.41/events.out.tfevents.3", size=40)
    assert set(tree.places().values()) == {"logs", "logs/1543806248.41", "logs/1543806249.41"}
    assert tree.runs.unsettled == ["logs/1543806249.41/events.out.tfevents.3"]


def test_several_hparams_without_a_training_are_trials(tree: Tree) -> None:
    """A search that only reports results is as many runs as it has settings."""
    tree.add("search/events.out.tfevents.1", size=40)
    for i in range(3):
        tree.add(f"search/154380624{i}.41/events.out.tfevents.{i}", {"hparam/acc": 0.5}, settings=True)
    assert len(set(tree.places().values())) == 4


def test_the_lines_of_a_group_of_scalars_belong_to_the_run_above(tree: Tree) -> None:
    """``add_scalars("data/loss", {"train": …, "val_1": …})`` is two tags of one run, whoever wrote it."""
    tree.add("run/events.out.tfevents.1", {"lr": 0.1})
    tree.add("run/data_loss_train/events.out.tfevents.2", {"data/loss": 1.0})
    tree.add("run/data_loss_val_1/events.out.tfevents.3", {"data/loss": 1.0})
    tree.add("run/data_loss/events.out.tfevents.4", {"data/loss": 1.0})
    tree.add("run/more_train/events.out.tfevents.5", {"more": 1.0, "acc": 1.0})
    tree.add("run/x/y/z/events.out.tfevents.6", {"x/y": 1.0})
    parts = {path.split("/")[1]: (part.place[1], part.suffix) for path, part in tree.parts().items()}
    assert parts == {
        "events.out.tfevents.1": ("run", ""),
        "data_loss_train": ("run", "train"),
        "data_loss_val_1": ("run", "val_1"),
        "data_loss": ("run/data_loss", ""),
        "more_train": ("run/more_train", ""),
        "x": ("run", "z"),
    }


def test_lines_without_a_run_above_are_runs(tree: Tree) -> None:
    """Directories of any program may be named so."""
    tree.add("loss_train/events.out.tfevents.2", {"loss": 1.0})
    tree.add("loss_val/events.out.tfevents.3", {"loss": 1.0})
    assert set(tree.places().values()) == {"loss_train", "loss_val"}
