"""What counts as a number, and how nested objects become tags."""

from __future__ import annotations

import json
import math

import pytest

from tuimon.formats._values import leaves, number, quote_bare_tokens, settings, text_number, well_formed


@pytest.mark.parametrize(
    ("text", "value"),
    [("0.5", 0.5), (" -3 ", -3.0), ("1e-4", 1e-4), (".5", 0.5), ("5.", 5.0), ("2.28%", 2.28), ("+7", 7.0)],
)
def test_a_string_that_is_a_number_counts_as_one(text: str, value: float) -> None:
    assert text_number(text) == value


@pytest.mark.parametrize("text", ["NaN", "nan", "-nan", "NAN"])
def test_any_spelling_of_nan_is_nan(text: str) -> None:
    value = text_number(text)
    assert value is not None
    assert math.isnan(value)


@pytest.mark.parametrize(
    ("text", "value"), [("inf", math.inf), ("-Infinity", -math.inf), ("+inf", math.inf), ("Inf", math.inf)]
)
def test_any_spelling_of_infinity_is_infinite(text: str, value: float) -> None:
    assert text_number(text) == value


@pytest.mark.parametrize("text", ["", "adam", "0:03:29", "10/438", "1_000", "2026-01-01", "0x10", "1,5", "4 days", "%"])
def test_labels_durations_and_dates_are_no_numbers(text: str) -> None:
    assert text_number(text) is None


def test_booleans_lists_and_null_are_no_numbers() -> None:
    assert [number(value) for value in (True, False, None, [1.0], {"a": 1})] == [None] * 5


def test_an_integer_beyond_float64_is_infinite() -> None:
    assert number(10**400) == math.inf
    assert number(-(10**400)) == -math.inf


def test_nested_keys_are_joined_and_endless_nesting_ends() -> None:
    deep: dict[str, object] = {"x": 1}
    for _ in range(100):
        deep = {"a": deep}
    assert dict(leaves({"a": {"b": 1, "c": {"d": 2}}, "e": 3})) == {"a/b": 1, "a/c/d": 2, "e": 3}
    assert list(leaves(deep)) == []


def test_settings_are_flat_and_keep_lists_as_text() -> None:
    assert settings({"lr": 0.1, "net": {"sizes": [64, 64], "act": None}}) == {
        "lr": 0.1,
        "net/sizes": "[64, 64]",
        "net/act": None,
    }


def test_bare_tokens_are_quoted_where_values_stand() -> None:
    line = b'{"a": NaN, "b":-Infinity,"c": [inf, -nan], "nan": 1}'
    assert json.loads(quote_bare_tokens(line)) == {"a": "NaN", "b": "-Infinity", "c": ["inf", "-nan"], "nan": 1}


def test_a_string_with_a_token_in_it_breaks_and_never_changes_its_meaning() -> None:
    with pytest.raises(ValueError, match="delimiter"):
        json.loads(quote_bare_tokens(b'{"note": "loss: NaN, lr: 0"}'))


def test_lone_surrogates_become_something_that_can_be_written() -> None:
    assert well_formed("a\ud800b").encode()
    assert well_formed("\u8bad\u7ec3") == "\u8bad\u7ec3"
