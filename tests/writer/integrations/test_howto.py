"""The examples of docs/howto are scripts that run, and their logs read well."""

from __future__ import annotations

import fnmatch
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tuimon.ingest import Ingest

HOWTO = Path(__file__).resolve().parents[3] / "docs" / "howto"
PAGES = {  # the framework, and the runs that its page makes with a tag of each
    "accelerate": ("accelerate", {"line": "train/loss"}),
    "huggingface": ("transformers", {"bert": "eval/loss", "bert-2": "train/loss"}),
    "keras": ("keras", {"dense": "val_loss", "dense-batches": "batch/loss"}),
    "lightgbm": ("lightgbm", {"leaves": "valid/auc", "folds": "valid/auc-std"}),
    "lightning": ("lightning", {"line/version_0": "train/loss", "line/with-weights": "train/loss"}),
    "ray": ("ray", {"rates/train_*": "loss"}),
    "xgboost": ("xgboost", {"trees": "valid/logloss", "folds": "test/auc-std"}),
}


def test_all_pages_are_tried() -> None:
    """Each page for a framework is in the table above."""
    pages = {path.stem for path in HOWTO.glob("*.md") if "tuimon_writer.integrations" in path.read_text()}
    assert pages == set(PAGES)


@pytest.mark.parametrize("page", PAGES)
def test_page(tmp_path: Path, run_script: Any, page: str) -> None:
    """The blocks of a page, one after the other, train and leave finished runs that the monitor reads."""
    framework, expected = PAGES[page]
    if find_spec(framework) is None:
        pytest.skip(f"{framework} is not installed")
    blocks = re.findall(r"```python\n(.*?)```", (HOWTO / f"{page}.md").read_text(), re.DOTALL)
    result = run_script("\n".join(blocks))
    assert result.returncode == 0, result.stderr
    ingest = Ingest([str(tmp_path / "runs")], on_change=lambda _: None)
    ingest.load()
    runs = ingest.store.runs
    for name, tag in expected.items():
        found = fnmatch.filter(runs, name)
        assert found, [*runs]
        for run in found:
            assert runs[run].end is not None
            assert runs[run].end.status == "finished"
            assert runs[run].series[tag].count > 0
            assert runs[run].config
