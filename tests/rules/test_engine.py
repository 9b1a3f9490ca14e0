"""Findings appear, change and clear as logs grow, whichever way the points come."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tuimon.findings import Findings
from tuimon.findings.digest import MOST_BINS, Digest
from tuimon.findings.reading import RunReader
from tuimon.records import Restart
from tuimon.rules.base import Finding, Rule, Severity
from tuimon.rules.config import RuleConfig, Silence
from tuimon.store import Store

NOW = 1.7e9 + 1e5


def decay(n: int, seed: int = 0, noise: float = 0.02) -> np.ndarray:
    return np.exp(-np.arange(n) / (n / 5)) + 0.2 + noise * np.random.default_rng(seed).normal(size=n)


def test_nan_is_found_at_once_and_only_once(fill: Callable[..., None]) -> None:
    """A loss that becomes NaN is told in the very next look, with run, tag and step, and not again (case I2)."""
    store = Store()
    findings = Findings(store)
    fill(store, "a", {"loss": decay(200)})
    assert findings.update(store.dirty(), NOW, budget=None)[0] == []
    fill(store, "a", {"loss": [np.nan]}, first=200)
    new, _ = findings.update(store.dirty(), NOW, budget=None)
    assert [(f.rule, f.run, f.tag, f.step, f.severity) for f in new] == [("nan", "a", "loss", 200.0, Severity.ERROR)]
    fill(store, "a", {"loss": [np.nan] * 5}, first=201)
    assert findings.update(store.dirty(), NOW, budget=None)[0] == []
    assert findings.worst_of("a") is Severity.ERROR


def test_a_finding_that_no_longer_holds_is_cleared_and_remembered(fill: Callable[..., None]) -> None:
    """A loss that diverged and came back is in the history with the time at which it was cleared."""
    store = Store()
    findings = Findings(store)
    fill(store, "a", {"loss": [*decay(300), *np.linspace(0.2, 3.0, 60), *[3.0] * 40]})
    assert "divergence" in {finding.rule for finding in findings.update(store.dirty(), NOW, budget=None)[0]}
    cleared: list[Finding] = []
    for part in range(20):
        fill(store, "a", {"loss": 0.15 + 0.01 * np.random.default_rng(part).normal(size=50)}, first=400 + 50 * part)
        cleared += findings.update(store.dirty(), NOW + part, budget=None)[1]
    assert "divergence" in {finding.rule for finding in cleared}
    assert "divergence" in {past.finding.rule for past in findings.history}
    assert "divergence" not in {finding.rule for finding in findings.active}


def test_findings_of_a_run_that_is_gone_are_cleared(fill: Callable[..., None]) -> None:
    """Nothing is told of a run that was deleted."""
    store = Store()
    findings = Findings(store)
    fill(store, "a", {"loss": [1.0, np.nan]})
    findings.update(store.dirty(), NOW, budget=None)
    store.drop(store.source("a", "log"))
    assert [finding.rule for finding in findings.update(store.dirty(), NOW, budget=None)[1]] == ["nan"]
    assert findings.active == []


def test_superseded_points_are_not_looked_at(fill: Callable[..., None]) -> None:
    """What a restart replaces does not count: a divergence before it is over."""
    store = Store()
    fill(store, "a", {"loss": [*decay(200), *np.linspace(0.2, 5.0, 100)]})
    store.append(store.source("a", "log"), [Restart(150.0)])
    fill(store, "a", {"loss": decay(300)[150:]}, first=150)
    assert "divergence" not in {finding.rule for finding in Findings(store).look(NOW)}


def test_what_waits_for_lack_of_time_is_done_later(fill: Callable[..., None]) -> None:
    """With no time at all each look does a little, and nothing is lost: what is left waits."""
    store = Store()
    findings = Findings(store)
    for name in "abc":
        fill(store, name, {"loss": [1.0, np.nan], "acc": [0.1, 0.2]})
    first, _ = findings.update(store.dirty(), NOW, budget=0.0)
    assert len(first) <= 1
    assert findings.pending
    new, _ = findings.update(store.dirty(), NOW, budget=None)
    assert {finding.run for finding in [*first, *new]} == set("abc")
    assert not findings.pending


def test_a_rule_that_fails_stops_no_other(fill: Callable[..., None]) -> None:
    """An error in a rule, of a plugin say, is kept and told; the others go on."""

    def fail(*_: object) -> list[Finding]:
        raise ZeroDivisionError("no")

    store = Store()
    fill(store, "a", {"loss": [1.0, np.nan]})
    findings = Findings(store, config=RuleConfig(added=[Rule("broken", "broken", "run", fail)]))
    assert [finding.rule for finding in findings.look(NOW)] == ["nan"]
    assert findings.errors == {"broken": "ZeroDivisionError: no"}


def test_what_is_silenced_or_set_is_so(fill: Callable[..., None]) -> None:
    """A rule can be off, silent for some runs and tags, and have another severity."""
    store = Store()
    for name in ("base/1", "other"):
        fill(store, name, {"loss": [1.0, np.nan]})
    assert Findings(store, config=RuleConfig(off=frozenset({"nan"}))).look(NOW) == []
    silent = RuleConfig(silences=[Silence("nan", "base/*")], severities={"nan": Severity.WARN})
    assert [(f.run, f.severity) for f in Findings(store, config=silent).look(NOW)] == [("other", Severity.WARN)]


@pytest.mark.parametrize("apart", [False, True])
def test_bit_by_bit_gives_the_bins_of_all_at_once(fill: Callable[..., None], apart: bool) -> None:
    """However the points arrive, the bins hold all of them: number, lowest and highest."""
    values = decay(5000, noise=0.3)
    values[1234] = 50.0
    store, whole = Store(), Store()
    reader, other = RunReader(), RunReader()
    more = {"rare": [0.0]} if apart else {}
    fill(whole, "a", {"loss": values})
    for first in range(0, 5000, 37):
        fill(store, "a", {"loss": values[first : first + 37]}, first=first)
        if apart:
            fill(store, "a", {"loss": [values[first]], **more}, first=min(first + 37, 5000))
        reader.refresh(store.runs["a"])
    other.refresh(whole.runs["a"])
    mine, theirs = (r.view(s.runs["a"], NOW).series["loss"] for r, s in ((reader, store), (other, whole)))
    assert len(mine) <= MOST_BINS
    assert mine.high.max() == theirs.high.max() == 50.0
    assert mine.low.min() == theirs.low.min()
    assert mine.finite == pytest.approx(5000, rel=0.06)
    assert np.interp(2500, mine.x, mine.mid) == pytest.approx(np.interp(2500, theirs.x, theirs.mid), abs=0.15)


def test_a_bin_has_a_middle_that_an_outlier_does_not_move() -> None:
    """The middle of a bin is near most of its values, whatever one of them is."""
    digest = Digest()
    values = np.ones((1, 4000))
    values[0, ::777] = 1e6
    digest.add(np.arange(4000.0), np.arange(4000.0), values, values, np.ones(4000))
    middles = digest.bins().middle[0]
    assert np.median(np.abs(middles - 1)) == 0
    assert (middles < 1.001).mean() > 0.98
