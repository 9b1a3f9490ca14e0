"""A report as Markdown, with charts as text: it reads well in a terminal, in an issue and in a mail."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tuimon.charts.figures import line_figure
from tuimon.charts.model import ChartLine
from tuimon.numbers import format_age, format_duration, format_step, format_value
from tuimon.report.content import Report, RunPage
from tuimon.report.html import SEVERITY, about
from tuimon.tables import markdown as table_of
from tuimon.text import clean

WIDTH, HEIGHT = 90, 16
"""Cells of a chart."""
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~&!])")


def as_markdown(report: Report) -> str:
    """The text."""
    blocks = [f"# {_text(report.title)}", _text(about(report))]
    blocks += _findings(report.runs)
    blocks += ["## Runs", _runs(report.runs)]
    for page in report.runs:
        if page.error:
            blocks += [f"**{_text(page.summary.name)}** failed:", _fenced(page.error)]
    noted = [page for page in report.runs if page.note]
    if noted:
        blocks.append("## Notes")
    for page in noted:
        tags = "".join(f" `{clean(tag).replace('`', '')}`" for tag in page.note.tags)
        blocks.append(f"**{_text(page.summary.name)}**{tags}")
        if page.note.text:
            blocks.append(_fenced(page.note.text))
    if len(report.runs) > 1:
        table = report.table
        head = [_cell(column.title) for column in table.columns]
        rows = [[_cell(row.cell(column).text) for column in table.columns] for row in table.rows]
        right = [column.kind not in ("name", "setting") for column in table.columns]
        blocks += ["## Comparison", table_of(head, rows, right)]
    if report.charts:
        blocks.append("## Charts")
    for chart in report.charts:
        lines = [ChartLine(line.label, "default", line.x, line.low, line.high) for line in chart.lines if not line.pale]
        figure = line_figure(lines, WIDTH, HEIGHT, log_y=report.log_y, color=False)
        told = [f"{line.label}: {line.remark}" for line in chart.lines if not line.pale and line.remark]
        blocks += [
            f"### {_text(chart.title)}",
            _fenced("\n".join([*(row.rstrip() for row in figure.split("\n")), *told])),
        ]
    if report.texts:
        blocks.append("## Texts")
    for text in report.texts:
        blocks += [f"**{_text(text.run)}** {_text(text.tag)}, step {text.step}", _fenced(text.text)]
    left_out = [*report.left_out]
    if report.pictures:
        left_out.append(f"{len(report.pictures)} pictures, which only HTML can hold")
    if left_out:
        blocks += ["## Left out", "\n".join(f"- {_text(item)}" for item in left_out)]
    return "\n\n".join(blocks) + "\n"


def _text(text: str) -> str:
    r"""Text without markup: "a_b" is ``a\_b``."""
    return _SPECIAL.sub(r"\\\1", clean(text))


def _cell(text: str) -> str:
    """Text of a cell, in which the table escapes what divides cells itself."""
    return re.sub(r"[<>&*_`\[\]~]", lambda found: f"&#{ord(found[0])};", clean(text))


def _fenced(text: str) -> str:
    """Text as it is, between fences that are longer than any in it."""
    lines = [clean(line) for line in text.expandtabs().split("\n")]
    longest = max((len(found) for line in lines for found in re.findall(r"`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([fence + "text", *lines, fence])


def _findings(pages: Sequence[RunPage]) -> Iterator[str]:
    found = [(page, finding) for page in pages for finding in page.findings]
    if found:
        yield "## What stands out"
        yield "\n".join(
            f"- **{SEVERITY[finding.severity][1]}** {_text(page.summary.name)}: {_text(finding.message)}"
            + (f". {_text(finding.advice)}" if finding.advice else "")
            for page, finding in sorted(found, key=lambda pair: -pair[1].severity)
        )


def _runs(pages: Sequence[RunPage]) -> str:
    rows = []
    for page in pages:
        summary = page.summary
        took = ""
        if summary.started is not None and summary.last_time is not None:
            took = format_duration(max(summary.last_time - summary.started, 0.0))
        speed = "" if summary.rate is None else f"{format_value(summary.rate, 3)}/s"
        best = ", ".join(f"{tag} {value}" for tag, value in page.best[:4])
        state = summary.state.kind.value
        row = [summary.name, state, format_step(summary.step), took, speed, format_age(summary.age), best]
        rows.append([*map(_cell, row)])
    head = ["run", "state", "step", "took", "speed", "last record", "best"]
    return table_of(head, rows, [False, False, True, True, True, False, False])
