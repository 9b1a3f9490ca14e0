"""Gauges and amounts."""

from __future__ import annotations

import pytest

from tuimon.charts.gauges import format_amount, render_cores, render_gauge


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (63.0, "%", "63 %"), (0.51, "%", "0.51 %"), (99.96, "%", "100 %"), (512.0, "B", "512 B"),
        (41.23 * 2**30, "B", "41.2 GiB"), (139500 * 2**20, "B", "136 GiB"), (12.5 * 2**20, "B/s", "12.5 MiB/s"),
        (310.4, "W", "310 W"), (62.0, "°C", "62 °C"), (7.0, "", "7"), (None, "W", "-"), (float("nan"), "W", "NaN"),
        (2.5 * 2**40, "B", "2.5 TiB"),
    ],
)  # fmt: skip
def test_amounts_have_three_digits_and_a_unit(value: float | None, unit: str, text: str) -> None:
    """Bytes in binary prefixes."""
    assert format_amount(value, unit) == text


def test_bars(golden) -> None:  # type: ignore[no-untyped-def]
    """Empty only at nothing, full only at all; more than all is full, the unknown is blank."""
    parts = (0.0, 0.001, 0.25, 0.5, 0.75, 0.999, 1.0, 3.0, None)
    rows = [render_gauge(part, 20) for part in parts] + [render_gauge(part, 20, unicode=False) for part in parts]
    assert all(sum(segment.cell_length for segment in row) == 20 for row in rows)
    golden("gauges", rows)


def test_many_processors_share_cells() -> None:
    """One cell each; of more than there are cells the busiest of each few, and a blank where nothing is known."""
    assert render_cores([0, 50, 100, float("nan")], 10) == "▁▅█ "
    assert render_cores([0, 90, 10, 20], 2) == "█▂"
    assert render_cores([0, 50, 100], 10, unicode=False) == "059"
    assert render_cores([], 10) == ""
