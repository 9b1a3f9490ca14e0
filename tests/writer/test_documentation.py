"""The examples of the log format's reference are valid logs."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tuimon.formats.tuimon_jsonl import FORMAT
from tuimon.records import End, ScalarRows, Skipped

REFERENCE = Path(__file__).resolve().parents[2] / "docs" / "log-format.md"


def _block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", REFERENCE.read_text(), re.DOTALL)
    assert found
    return found[1]


def _check(directory: Path, logs: Any, rows: int) -> None:
    (path,) = directory.rglob("*.jsonl")
    logs.lines(path)
    records = FORMAT.parser(path.name).parse(path.read_bytes(), True).records
    assert sum(record.count for record in records if isinstance(record, ScalarRows)) == rows
    assert [record.status for record in records if isinstance(record, End)] == ["finished"]
    assert not any(isinstance(record, Skipped) for record in records)


def test_lines() -> None:
    """Every line that the reference shows is read without a complaint."""
    lines = re.findall(r"^\{.*\}$", REFERENCE.read_text(), re.MULTILINE)
    data = "".join(f"{line}\n" for line in lines if '"gap"' not in line).encode()
    parsed = FORMAT.parser("x.jsonl").parse(data, True)
    assert len(lines) >= 10
    assert not [record for record in parsed.records if isinstance(record, Skipped)]


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash(tmp_path: Path, logs: Any) -> None:
    """The Bash example writes a log."""
    subprocess.run(["bash", "-euc", _block("bash")], cwd=tmp_path, check=True)
    _check(tmp_path, logs, rows=3)


@pytest.mark.skipif(shutil.which("rustc") is None, reason="needs rustc")
def test_rust(tmp_path: Path, logs: Any) -> None:
    """The Rust example compiles and writes a log."""
    (tmp_path / "train.rs").write_text(_block("rust"))
    subprocess.run(["rustc", "--edition", "2021", "train.rs"], cwd=tmp_path, check=True)
    subprocess.run(["./train"], cwd=tmp_path, check=True)
    _check(tmp_path, logs, rows=100)
