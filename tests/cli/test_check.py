"""``tuimon check``: what is going wrong, in lines and exit statuses that scripts understand."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tuimon.cli import main


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was told, and what is configured, is that of the test."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("XDG_STATE_HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))


def log(folder: Path, values: Sequence[float | str], end: str = "finished") -> Path:
    """A run with these losses."""
    folder.mkdir(parents=True)
    now = time.time() - len(values)
    lines: list[object] = [{"tuimon": 1, "run": {"started": now}, "config": {}}]
    lines += [{"step": n, "time": now + n, "scalars": {"train/loss": value}} for n, value in enumerate(values)]
    if end:
        lines.append({"end": {"status": end, "time": now + len(values), "exit": 0}})
    path = folder / "log.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


FALLING = [1 / (1 + step / 50) for step in range(200)]


def test_all_is_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Status 0 and not a word, as cron likes it."""
    log(tmp_path / "good", FALLING)
    assert main(["check", str(tmp_path)]) == 0
    assert capsys.readouterr() == ("", "")


def test_a_nan_is_told_with_run_tag_and_step(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line, status 1 (case I2)."""
    log(tmp_path / "good", FALLING)
    log(tmp_path / "bad", [*FALLING[:7], *["NaN"] * 3])
    assert main(["check", str(tmp_path)]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("error:   bad: train/loss is NaN, first at step 7")
    assert line.endswith("[nan]")


@pytest.mark.parametrize(
    ("options", "status"),
    [
        (["--fail-on", "nan"], 1),
        (["--fail-on", "divergence"], 0),
        (["--fail-on", "error"], 1),
        (["--runs", "good"], 0),
        (["--tags", "val"], 0),
        (["--fail-on", "divergence", "nan"], 1),
    ],
)
def test_what_counts_can_be_said(options: list[str], status: int, tmp_path: Path) -> None:
    log(tmp_path / "good", FALLING)
    log(tmp_path / "bad", [*FALLING[:7], *["NaN"] * 3])
    assert main(["check", str(tmp_path), *options]) == status


def test_json_has_all_that_is_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log(tmp_path / "bad", [*FALLING[:7], *["NaN"] * 3])
    main(["check", str(tmp_path), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert (found["rule"], found["run"], found["tag"], found["step"]) == ("nan", "bad", "train/loss", 7)
    assert found["severity"] == "error"
    assert found["advice"]
    assert found["cleared"] is False


def test_a_rule_can_be_silenced_and_added_by_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By ``--rules``, and by a file beside the logs."""
    logs = tmp_path / "logs"
    log(logs / "bad", [*FALLING[:7], *["NaN"] * 3])
    log(logs / "high", FALLING)
    rules = tmp_path / "mine.toml"
    rules.write_text('[[threshold]]\nwhen = "train/loss > 0.3 for 5 steps"\nseverity = "error"\nrun = "high"\n')
    (logs / "tuimon.toml").write_text('[[silence]]\nrule = "nan"\n')
    assert main(["check", str(logs), "--rules", str(rules)]) == 0
    rules.write_text('[[threshold]]\nwhen = "train/loss < 0.9 for 5 steps"\nseverity = "error"\nrun = "high"\n')
    assert main(["check", str(logs), "--rules", str(rules)]) == 1
    out = capsys.readouterr().out
    assert "high" in out
    assert "NaN" not in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["{empty}"], "no runs in"),
        (["{missing}"], "no such file"),
        (["{logs}", "--fail-on", "everything"], "--fail-on everything"),
        (["{logs}", "--rules", "{missing}"], "missing: No such file"),
        (["{logs}", "--rules", "{bad}"], "line 1"),
        (["{logs}", "--webhook", "nowhere"], "not an address"),
    ],
)
def test_what_cannot_be_used_has_status_2(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No log is not the same as all is well."""
    log(tmp_path / "logs" / "run", FALLING)
    (tmp_path / "empty").mkdir()
    (tmp_path / "bad.toml").write_text("[rules.none\n")
    places = {name: tmp_path / name for name in ("logs", "empty", "missing")} | {"bad": tmp_path / "bad.toml"}
    assert main(["check", *(word.format(**places) for word in words)]) == 2
    assert said in capsys.readouterr().err


def test_following_tells_of_a_finding_when_it_is_made_and_stops(tmp_path: Path) -> None:
    """With --stop the training can be killed by what follows in the script; the alert command got it too."""
    path = log(tmp_path / "logs" / "run", FALLING, end="")
    told = tmp_path / "told"
    command = [
        sys.executable, "-m", "tuimon", "check", str(tmp_path / "logs"), "--follow", "--stop", "--fail-on", "nan",
        "--alert", f"cat > '{told}'",
    ]  # fmt: skip
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as checking:
        with path.open("a") as file:
            file.write(json.dumps({"step": 200, "time": time.time(), "scalars": {"train/loss": "NaN"}}) + "\n")
        out, _ = checking.communicate(timeout=60)
    assert checking.returncode == 1
    assert out.startswith("error:   run: train/loss is NaN, first at step 200")
    assert json.loads(told.read_text().splitlines()[0])["step"] == 200


def test_the_rules_can_be_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--list"]) == 0
    out = capsys.readouterr().out
    assert "nan " in out
    assert "divergence " in out
