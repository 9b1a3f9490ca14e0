"""Filter expressions over runs."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tuimon.analysis.completion import KnownNames, complete
from tuimon.analysis.conditions import Among, Both, Compare, Either, Expression, Field, Is, Not, fields
from tuimon.analysis.expressions import DEEPEST, ExpressionError, parse
from tuimon.analysis.run_tests import RunTests
from tuimon.analysis.values import Moment, Seconds, Value, moment, span
from tuimon.records import Config, RunInfo
from tuimon.store import Store


class Known:
    """Facts from a plain mapping."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values

    def value(self, field: Field) -> Value | tuple[str, ...]:
        return self.values.get(f"{field.measure}:{field.name}" if field.measure else field.name)


RUN = Known(
    {
        "lr": 0.003,
        "batch": 64,
        "opt": "AdamW",
        "amp": True,
        "depth": "12",
        "val/acc": 0.9,
        "best:val/acc": 0.95,
        "loss": math.nan,
        "name": "resnet50/seed1",
        "age": Seconds(5400),
        "started": Moment(1_764_460_800.0),
        "tag": ("good", "paper"),
        "odd name": 1.5,
        "huge": 10**400,
    }
)


@pytest.mark.parametrize(
    "text",
    [
        "lr < 0.01 and val/acc > 0.8 and name ~ res",
        "lr<0.01 and val/acc>=.9",
        "1e-4 < lr <= 3e-3",
        "0.003 = lr",
        "batch = 64.0",
        "batch != 32",
        "opt = adamw",
        "opt in (sgd, AdamW)",
        "opt not in (sgd, 'rms prop')",
        "amp = true",
        "depth > 9",
        "best(val/acc) > 0.94",
        "best(`val/acc`) > 0.94",
        "name ~ ^resnet\\d+/",
        "(name ~ ^res(net|t)) and not (lr > 1)",
        "name !~ vit",
        "age < 2h and age >= 1h30m",
        "started > 2025-11-29",
        "tag = good and tag != bad and tag ~ pap",
        "`odd name` = 1.5",
        "nosuch is missing and lr is not missing",
        "loss is nan or nosuch > 3",
        "loss = nan",
        "not loss < 1",
        "lr > 1 or batch = 64 and amp = true",
        "NOT lr > 1 AND batch ≥ 64",
        "lr < 1 && batch > 3 || lr > 7",
        'opt = "AdamW"',
        "huge > 1e300",
        "opt > Aa",
    ],
)
def test_what_passes(text: str) -> None:
    """The signs, words, measures and values of the language."""
    assert parse(text).test(RUN)


@pytest.mark.parametrize(
    "text",
    [
        "nosuch < 1", "nosuch != 1", "nosuch in (1)", "not nosuch is missing", "loss < 1", "loss >= 1",
        "lr < adam", "opt < 3", "amp > 0", "tag = bad", "tag != good", "name ~ Resnet",
        "(lr > 1 or batch = 64) and amp = false",
    ],
)  # fmt: skip
def test_what_does_not_pass(text: str) -> None:
    """A missing value passes no comparison, NaN has no order, a number is not compared with a word."""
    assert not parse(text).test(RUN)


@pytest.mark.parametrize(
    ("text", "at", "reason"),
    [
        ("lr <", 4, "expected a value"),
        ("lr 3", 3, "expected a comparison"),
        ("(lr < 1", 7, "expected `)`"),
        ("lr < 1 lr", 7, "expected `and`"),
        ("", 0, "expected a condition"),
        ("lr < 1 and", 10, "expected a condition"),
        ("name ~ [", 7, "not a regular expression"),
        ("x = 'abc", 4, "a quote is not closed"),
        ("`abc", 0, "a backtick is not closed"),
        ("x in 3", 5, "expected `(`"),
        ("x is good", 5, "expected `missing`"),
        ("best(min(x)) < 1", 0, "means nothing"),
        ("(" * 200 + "x < 1", DEEPEST + 1, "too many"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text: str, at: int, reason: str) -> None:
    """The message names what was expected, and where."""
    with pytest.raises(ExpressionError) as caught:
        parse(text)
    assert caught.value.at == at
    assert reason in caught.value.reason


NAMES = st.text(st.characters(exclude_characters="`", exclude_categories=("Cs",)), min_size=1, max_size=6)
VALUES = st.text(st.characters(exclude_categories=("Cs",)), max_size=6)
FIELDS = st.builds(Field, NAMES, st.sampled_from(["", "best", "mean"]), st.just(True))
CONDITIONS = st.one_of(
    st.builds(Compare, FIELDS, st.sampled_from(["<", "<=", ">", ">=", "=", "!="]), VALUES),
    st.builds(lambda field, values: Among(field, tuple(values)), FIELDS, st.lists(VALUES, min_size=1, max_size=3)),
    st.builds(Is, FIELDS, st.sampled_from(["missing", "nan"])),
)
EXPRESSIONS: st.SearchStrategy[Expression] = st.recursive(
    CONDITIONS,
    lambda inner: st.one_of(
        st.builds(Not, inner),
        st.builds(lambda parts: Both(tuple(parts)), st.lists(inner, min_size=2, max_size=3)),
        st.builds(lambda parts: Either(tuple(parts)), st.lists(inner, min_size=2, max_size=3)),
    ),
    max_leaves=6,
)


@settings(max_examples=60, deadline=None)
@given(EXPRESSIONS)
def test_what_is_written_reads_the_same(expression: Expression) -> None:
    """Any expression can be written down and read again, whatever its names and values hold."""
    assert parse(str(expression)) == expression
    assert all(field.quoted for field in fields(expression))


PIECES = [
    "lr",
    "<",
    "0.1",
    "(",
    ")",
    "and",
    "or",
    "not",
    "in",
    "is",
    "missing",
    "~",
    "`xy`",
    "'q'",
    ",",
    "1e",
    "é≤",
    "\0",
]


@settings(max_examples=150, deadline=None)
@given(st.one_of(st.text(max_size=30), st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join)))
def test_any_text_is_read_or_explained(text: str) -> None:
    """Whatever is typed gives an expression that can be tested and completed, or the reader's own error."""
    complete(text, len(text) // 2, KnownNames(["lr"], ["state"], {"lr": ["0.1"]}))
    with contextlib.suppress(ExpressionError):
        assert parse(text).test(RUN) in (True, False)


def test_times_as_people_write_them() -> None:
    """Lengths of time and dates; what is neither is none."""
    assert [span(text) for text in ("90", "90s", "1h30m", "2 d", "5 min", "x", "3y", "h")] == [
        90, 90, 5400, 172_800, 300, None, None, None,
    ]  # fmt: skip
    assert moment("2025-11-30T00:00:00Z") == 1_764_460_800
    assert moment("soon") is None


def sweep(run_of: Any, rows: Any) -> Store:
    """Three runs: settings of other types, nested ones, and a tag that one lacks."""
    store = Store()
    info = RunInfo({"started": 100.0, "host": "gpu1"})
    run_of([info, Config({"opt/lr": 0.1, "seed": 1}), rows("acc", [0.1, 0.9, 0.5])], name="a", store=store)
    run_of([Config({"opt/lr": 0.01, "name": "x"}), rows("acc", [0.2, 0.4, 0.8])], name="b", store=store)
    run_of([Config({"opt/lr": "0.2"}), rows("loss", [3.0])], name="c", store=store)
    return store


def passing(store: Store, text: str) -> str:
    tests = RunTests(store, now=lambda: 1000.0, state=lambda run: "running" if run == "a" else "finished")
    return "".join(run for run in store.runs if tests.passes(parse(text), run))


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("acc >= 0.8", "b"), ("best(acc) >= 0.8", "ab"), ("min(acc) < 0.15", "a"), ("mean(acc) = 0.5", "a"),
        ("lr < 0.15", "ab"), ("opt.lr >= 0.1", "ac"), ("opt/lr in (0.1, 0.2)", "ac"), ("acc is missing", "c"),
        ("name = b", "b"), ("`name` = x", "b"), ("state = running", "a"), ("host ~ gpu", "a"), ("seed = 1", "a"),
        ("not acc < 0.6", "bc"), ("attempts = 1", "abc"), ("step >= 2", "ab"), ("started = 100", "a"),
    ],
)  # fmt: skip
def test_runs_by_settings_metrics_and_facts(run_of: Any, rows: Any, text: str, runs: str) -> None:
    """Settings by the end of their names, tags by their last or best value, facts of the run (case F12)."""
    assert passing(sweep(run_of, rows), text) == runs


def test_a_changed_run_is_asked_again(run_of: Any, rows: Any) -> None:
    """What was found of a run holds until it is said that the run changed; names that nobody has are told."""
    store = sweep(run_of, rows)
    tests = RunTests(store, now=lambda: 0.0, state=lambda _run: "running")
    high = parse("acc > 0.85")
    assert not tests.passes(high, "b")
    store.append(store.runs["b"].sources[0], [rows("acc", [0.99], [3])])
    assert not tests.passes(high, "b")
    tests.forget(["b"])
    assert tests.passes(high, "b")
    assert tests.unknown(parse("acc > 1 and momentum = 3 and best(lr) > 1")) == ["momentum", "lr"]
    assert not tests.passes(high, "gone")


def listed(text: str, known: KnownNames) -> list[str]:
    return [one.text for one in complete(text, len(text), known)]


def test_completion(run_of: Any, rows: Any) -> None:
    """Names, then signs, then known values, then what joins conditions; odd names in backticks."""
    known = RunTests(sweep(run_of, rows), now=lambda: 0.0, state=lambda _run: "").known_names()
    assert listed("op", known) == ["opt/lr "]
    assert listed("lr", known)[0] == "opt/lr "
    assert listed("opt/lr ", known)[:2] == ["opt/lr < ", "opt/lr <= "]
    assert listed("opt/lr = ", known) == ["opt/lr = 0.01 ", "opt/lr = 0.1 ", "opt/lr = 0.2 "]
    assert listed("state = fin", known) == ["state = finished "]
    assert listed("state in (fin", known) == ["state in (finished "]
    assert listed("acc > 1 ", known) == ["acc > 1 and ", "acc > 1 or "]
    assert listed("not be", known) == ["not best("]
    assert listed("a", KnownNames(["a b"])) == ["`a b` "]
    middle = complete("acc  and lr < 1", 4, known)[0]
    assert (middle.text, middle.cursor) == ("acc < and lr < 1", 6)
