"""Rules are set, silenced and added by TOML files, and a bad file says what is wrong and where."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tuimon.findings import read_config
from tuimon.rules.base import Severity
from tuimon.rules.config_file import BadConfig, merged, parse_config
from tuimon.rules.registry import rules
from tuimon.rules.threshold import threshold_rule
from tuimon.rules.views import RunView, SeriesView

GOOD = """
[rules.plateau]
points = 50
severity = "warn"

[rules.spike]
enabled = false

[[silence]]
rule = "nan"
run = "base*"

[[threshold]]
when = "val/loss > 3 for 100 steps"
severity = "error"
message = "out of hand"
"""


def test_a_file_sets_silences_and_adds() -> None:
    """Thresholds, severities, what is off, what is silent and new rules are taken from the file."""
    config = parse_config(GOOD, "rules.toml", rules())
    plateau = next(rule for rule in rules() if rule.name == "plateau")
    assert config.limits(plateau)["points"] == 50
    assert config.limits(plateau)["share"] == plateau.limits["share"]
    assert config.severities == {"plateau": Severity.WARN}
    assert "spike" not in {rule.name for rule in config.applied(rules())}
    assert (config.silences[0].rule, config.silences[0].run, config.silences[0].tag) == ("nan", "base*", "*")
    assert config.added[0].name == "threshold val/loss > 3 for 100 steps"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[rules.plateau\n", "line 1"),
        ("\n[rules.platoe]\npoints = 1", "line 2: there is no rule 'platoe'"),
        ("[rules.plateau]\n\npoints = 'many'", "line 3: 'points' in [rules.plateau] is to be a number"),
        ("[rules.plateau]\nseverity = 'bad'", "line 2: severity"),
        ("[[threshold]]\nwhen = 'loss above 3'", "line 2: cannot read 'loss above 3'"),
        ("[[threshold]]\nseverity = 'warn'", "line 1: a [[threshold]] needs when"),
        ("[[silence]]\nrun = 3", "line 2: run in [[silence]] is to be a text"),
        ("alarm = 1", "line 1: 'alarm' means nothing"),
    ],
)
def test_a_bad_file_says_what_and_where(text: str, says: str) -> None:
    """The message has the name of the file, the line and what is wrong in it."""
    with pytest.raises(BadConfig) as error:
        parse_config(text, "rules.toml", rules())
    assert str(error.value).startswith("rules.toml")
    assert says in str(error.value)


def test_files_add_up_and_later_ones_win(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's file, then one beside the logs, then the one that was named; none of them need exist but the last."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    logs = tmp_path / "logs"
    logs.mkdir()
    assert read_config([str(logs)]).off == frozenset()
    (tmp_path / "tuimon").mkdir()
    (tmp_path / "tuimon" / "rules.toml").write_text("[rules.spike]\nenabled = false\n[rules.plateau]\npoints = 7\n")
    (logs / "tuimon.toml").write_text("[rules.plateau]\npoints = 9\nslow = 0.1\n")
    named = tmp_path / "mine.toml"
    named.write_text("[rules.spike]\nenabled = true\n")
    config = read_config([str(logs)], str(named))
    assert config.off == frozenset()
    assert config.set_limits == {"plateau": {"points": 9.0, "slow": 0.1}}
    with pytest.raises(BadConfig, match="No such file"):
        read_config([], str(tmp_path / "none.toml"))
    assert merged([]).off == frozenset()


@pytest.mark.parametrize(
    ("when", "since"),
    [
        ("val/loss > 3", 60.0),
        ("val/loss > 3 for 30 steps", 60.0),
        ("val/* >= 3 for 39 steps", 60.0),
        ("val/loss > 3 for 41 steps", None),
        ("'val/loss' > 3 for 40 points", 60.0),
        ("val/loss > 3 for 41 points", None),
        ("val/loss < 3", None),
        ("val/loss > 3 for 1 min", None),
        ("val/loss > 3 for 35 s", 60.0),
        ("train/loss > 3", None),
    ],
)
def test_a_threshold_holds_for_so_long_without_a_break(when: str, since: float | None) -> None:
    """Length is counted in steps, points or time, back from the newest point."""
    values = np.where(np.arange(100) < 60, 1.0, 4.0)
    values[10:20] = 5.0
    view = SeriesView.of("val/loss", np.arange(100), values)
    view.time = np.arange(100.0)
    rule = threshold_rule(when, Severity.ERROR)
    found = list(rule.look(view, RunView("a", {"val/loss": view}), {}))  # type: ignore[call-arg,arg-type]
    assert [finding.since_step for finding in found] == ([] if since is None else [since])
    assert all(finding.severity is Severity.ERROR and finding.numbers["value"] == 4.0 for finding in found)
