"""Runs whose directories are named by hashes are listed by the names that their logs give them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tuimon.discover import Discover
from tuimon.ingest import Ingest
from tuimon.titles import is_hash

ONE, OTHER = "ab12cd" + "0" * 26, "ef34ab" + "1" * 26


def mlflow_run(folder: Path, name: str, *, tag: str = "") -> None:
    """A run as MLflow's file store keeps it."""
    for area in ("metrics", "tags"):
        (folder / area).mkdir(parents=True)
    (folder / "meta.yaml").write_text(
        f"lifecycle_stage: active\nrun_id: {folder.name}\nrun_name: {json.dumps(name)}\nstatus: 1\n"
    )
    (folder / "metrics" / "loss").write_text("1700000000000 0.5 0\n1700000001000 0.4 1\n")
    if tag:
        (folder / "tags" / "mlflow.runName").write_text(tag)


def experiment(folder: Path, name: str) -> None:
    """What MLflow says of an experiment."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "meta.yaml").write_text(f"artifact_location: x\nlifecycle_stage: active\nname: {name}\n")


def runs(root: Path) -> set[str]:
    """The names of the runs."""
    discover = Discover([str(root)])
    discover.find()
    return {file.run for file in discover.files}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (ONE, True),
        (ONE.upper(), True),
        ("0b5fca25-5f6c-4f7e-8f0a-2f0d8f6f1f0e", True),
        ("uir9v01p", False),
        ("0" * 31, False),
        ("version_0", False),
    ],
)
def test_hashes_are_known_by_their_looks(name: str, expected: bool) -> None:
    """32 hexadecimal digits, or a UUID."""
    assert is_hash(name) is expected


def test_a_run_is_called_by_its_name_in_its_experiment(tmp_path: Path) -> None:
    """The experiment's number gives way to its name too; a run without a name keeps its hash."""
    experiment(tmp_path / "7", "Digits")
    mlflow_run(tmp_path / "7" / ONE, "brave-fox-1")
    mlflow_run(tmp_path / "7" / OTHER, "")
    assert runs(tmp_path) == {"Digits/brave-fox-1", f"Digits/{OTHER}"}


def test_the_folder_stays_where_the_experiment_has_no_name(tmp_path: Path) -> None:
    """Then its directory's name stays; and other directories are not touched."""
    mlflow_run(tmp_path / "7" / ONE, "brave-fox-1")
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "log.jsonl").write_text('{"step": 1, "loss": 0.5}\n')
    assert runs(tmp_path) == {"7/brave-fox-1", "plain"}


def test_older_versions_keep_the_name_in_a_tag(tmp_path: Path) -> None:
    """There ``meta.yaml`` has an empty name."""
    mlflow_run(tmp_path / "0" / ONE, "", tag="calm-owl-2")
    assert runs(tmp_path) == {"0/calm-owl-2"}


def test_runs_of_one_name_are_told_apart_by_their_hashes(tmp_path: Path) -> None:
    """Both get the first letters; the same name in another experiment is another name."""
    mlflow_run(tmp_path / "0" / ONE, "same")
    mlflow_run(tmp_path / "0" / OTHER, "same")
    mlflow_run(tmp_path / "1" / ONE, "same")
    assert runs(tmp_path) == {"0/same-ab12cd", "0/same-ef34ab", "1/same"}


def test_the_root_may_be_the_run(tmp_path: Path) -> None:
    """Given the run's directory itself, it is called by its name alone."""
    mlflow_run(tmp_path / ONE, "brave-fox-1")
    assert runs(tmp_path / ONE) == {"brave-fox-1"}


def test_a_name_is_one_part_of_a_path(tmp_path: Path) -> None:
    """Slashes and line breaks do not tear it; what is below the run's directory goes with it."""
    mlflow_run(tmp_path / "0" / ONE, "lr/0.1\nnew")
    (tmp_path / "0" / ONE / "artifacts" / "tb").mkdir(parents=True)
    (tmp_path / "0" / ONE / "artifacts" / "tb" / "log.csv").write_text("step,loss\n1,0.5\n2,0.25\n")
    assert all(name.startswith("0/lr_0.1 new") for name in runs(tmp_path))


def test_a_run_that_is_renamed_is_listed_by_its_new_name_only(tmp_path: Path) -> None:
    """Its points are all there; while the file is being rewritten, and empty, the old name stays."""
    folder = tmp_path / "0" / ONE
    mlflow_run(folder, "before")
    ingest = Ingest([str(tmp_path)])
    ingest.load()
    assert set(ingest.store.runs) == {"0/before"}
    for text, name in (("", "0/before"), ("lifecycle_stage: active\nrun_id: x\nrun_name: after\n", "0/after")):
        (folder / "new").write_text(text)
        os.replace(folder / "new", folder / "meta.yaml")
        ingest.load()
        assert set(ingest.store.runs) == {name}
        assert ingest.store.runs[name].points == 2
