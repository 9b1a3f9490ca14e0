"""The comparison as text to take elsewhere: for people, as Markdown, CSV, LaTeX or JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from tuimon.analysis.comparison import Cell, Column, Table
from tuimon.strict_json import dump, finite, step_number
from tuimon.tables import comma_separated, markdown, plain
from tuimon.text import clean

_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "±": r"$\pm$", "–": "--", "<": r"$<$", ">": r"$>$",
    "Δ": r"$\Delta$",
}  # fmt: skip


def as_plain(table: Table) -> str:
    """The table for people."""
    return plain(*_texts(table))


def as_markdown(table: Table) -> str:
    """The table for a README or an issue."""
    return markdown(*_texts(table))


def as_latex(table: Table) -> str:
    r"""The table for a paper; it needs ``\usepackage{booktabs}``."""
    head, rows, right = _texts(table)

    def line(cells: list[str]) -> str:
        return " & ".join(map(latex, cells)) + r" \\"

    columns = "".join("r" if to_right else "l" for to_right in right)
    body = [line(head), r"\midrule", *map(line, rows)]
    return "\n".join([rf"\begin{{tabular}}{{{columns}}}", r"\toprule", *body, r"\bottomrule", r"\end{tabular}"])


def latex(text: str) -> str:
    """Text with LaTeX's own characters escaped."""
    return re.sub(r"[\\{}&%$#_~^±–<>Δ]", lambda found: _LATEX[found.group()], clean(text))


def as_csv(table: Table) -> str:
    """The table for a spreadsheet: values in full precision; steps, and what groups spread, in columns of their own."""
    spread = {c.key for c in table.columns if any(row.cell(c).spread is not None for row in table.rows)}
    head: list[str] = []
    for column in table.columns:
        head.append(csv_title(column))
        if column.key in spread:
            head += [f"{part} of {csv_title(column)}" for part in ("std", "min", "max", "n")]
        elif _has_step(column):
            head.append(f"step of {csv_title(column)}")
    rows = []
    for row in table.rows:
        cells: list[Any] = []
        for column in table.columns:
            cell = row.cell(column)
            cells.append(cell.text if cell.value is None and column.key in row.cells else finite(cell.value))
            if column.key in spread:
                of = cell.spread
                cells += [None] * 4 if of is None else [finite(of.std), finite(of.low), finite(of.high), of.n]
            elif _has_step(column):
                cells.append(step_number(cell.step))
        rows.append(cells)
    return comma_separated(head, rows)


def csv_title(column: Column) -> str:
    """What a column is called where there is no place for a second line."""
    return column.title if column.kind in ("name", "setting", "delta") else f"{column.kind} {column.name}"


def as_json(table: Table) -> str:
    """The table for programs: an array of runs, or of groups."""
    result = []
    for row in table.rows:
        config: dict[str, Any] = {}
        tags: dict[str, dict[str, Any]] = {}
        for column in table.columns:
            cell = row.cells.get(column.key)
            if cell is None:
                continue
            if column.kind == "setting":
                config[column.name] = cell.text if cell.value is None and cell.text != "null" else cell.value
            elif column.kind == "delta":
                tags.setdefault(column.name, {})[f"delta_{column.key.split(':')[1]}"] = cell.value
            elif column.kind != "name":
                tags.setdefault(column.name, {})[column.kind] = _point(column, cell)
        result.append({"run": row.run, "config": config, "tags": tags})
    return dump(result)


def _point(column: Column, cell: Cell) -> dict[str, Any]:
    point: dict[str, Any] = {"value": cell.value, "step": step_number(cell.step)}
    if cell.spread is not None:
        of = cell.spread
        point = {"mean": of.mean, "std": of.std, "min": of.low, "max": of.high, "n": of.n}
    return point | ({"better": column.direction} if column.kind == "best" else {})


WRITERS: Mapping[str, Callable[[Table], str]] = {
    "table": as_plain,
    "md": as_markdown,
    "csv": as_csv,
    "latex": as_latex,
    "json": as_json,
}
"""How a table is written, by the name of the format."""


def _texts(table: Table) -> tuple[list[str], list[list[str]], list[bool]]:
    """Headings, cells and alignments."""
    head = [column.title for column in table.columns]
    rows = [[row.cell(column).text for column in table.columns] for row in table.rows]
    numeric = [
        column.kind not in ("name", "setting")
        or (column.kind == "setting" and all(_is_number(row.cell(column).value) for row in table.rows))
        for column in table.columns
    ]
    return head, rows, numeric


def _has_step(column: Column) -> bool:
    return column.kind in ("best", "min", "max")


def _is_number(value: object) -> bool:
    return value is None or (isinstance(value, (int, float)) and not isinstance(value, bool))
