"""A report as one HTML page: nothing is fetched, no script runs, and whatever a log says is text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from tuimon.analysis.description import Part
from tuimon.charts.palette import series_color, series_glyph
from tuimon.numbers import counted, format_age, format_clock, format_duration, format_step, format_value
from tuimon.report.content import Report, RunPage
from tuimon.report.svg import line_chart
from tuimon.rules.base import Severity
from tuimon.text import clean

STYLE = """
:root{color-scheme:light dark;--bg:#fff;--fg:#1c2128;--dim:#5b6472;--rule:#d8dde4;--soft:#f3f5f8;--good:#1a7f37;
--warn:#9a5b00;--bad:#c4162a;--accent:#0b6fc2}
@media(prefers-color-scheme:dark){:root{--bg:#14171c;--fg:#e4e7ec;--dim:#9aa3b2;--rule:#2d333d;--soft:#1c2027;
--good:#4bc680;--warn:#e8c547;--bad:#ff6b6b;--accent:#53b3fd}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:1240px;padding:24px 20px 60px;background:var(--bg);color:var(--fg);
font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Noto Sans CJK SC",sans-serif}
h1{font-size:26px;margin:0 0 4px;overflow-wrap:anywhere}h2{font-size:19px;margin:36px 0 10px}
h3{font-size:15px;margin:18px 0 4px;overflow-wrap:anywhere}
.d{color:var(--dim)}.good{color:var(--good)}.warn{color:var(--warn)}.bad{color:var(--bad)}.strong{font-weight:600}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums}
th,td{padding:5px 12px 5px 0;text-align:left;border-bottom:1px solid var(--rule);vertical-align:top;white-space:nowrap}
th{font-weight:600;color:var(--dim)}td.n,th.n{text-align:right}td.w{white-space:normal;overflow-wrap:anywhere}
.charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(560px,100%),1fr));gap:14px 20px}
svg.chart{width:100%;height:auto;display:block}
svg text{font:11px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Noto Sans CJK SC",sans-serif;fill:var(--dim)}
svg .t{font-size:13px;font-weight:600;fill:var(--fg)}svg .n{fill:var(--fg)}svg .k{fill:var(--dim)}
svg .g{fill:var(--c);font-size:12px}
svg .r{stroke:var(--rule);fill:none}svg .a{stroke:var(--dim);fill:none}
svg .c{stroke:var(--c);fill:none;stroke-width:1.6;stroke-linejoin:round;stroke-linecap:round}
svg .p .c{opacity:.3;stroke-width:1}svg .b{stroke:var(--bad);fill:none;stroke-width:1.3}
i.g{font-style:normal;color:var(--c)}
.pictures{display:grid;grid-template-columns:repeat(auto-fill,minmax(180px,1fr));gap:14px}
figure{margin:0}figure img{max-width:100%;min-width:64px;border:1px solid var(--rule);image-rendering:auto}
figcaption{font-size:13px;color:var(--dim);overflow-wrap:anywhere}
pre{background:var(--soft);padding:10px 12px;overflow-x:auto;font:13px/1.45 ui-monospace,"DejaVu Sans Mono",monospace;
white-space:pre-wrap;overflow-wrap:anywhere;margin:6px 0}
details{border-top:1px solid var(--rule);padding:6px 0}summary{cursor:pointer;font-weight:600;overflow-wrap:anywhere}
ul{padding-left:20px;margin:6px 0}
@media print{details{display:block}body{max-width:none}}
"""
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
"""What a browser may load for the page: nothing but what it holds."""
ROLES = {
    "running": "good", "finished": "good", "stalled": "warn", "killed": "warn", "interrupted": "warn",
    "failed": "bad", "crashed": "bad",
}  # fmt: skip
"""How the states are coloured."""
SEVERITY = {Severity.ERROR: ("bad", "error"), Severity.WARN: ("warn", "warning"), Severity.INFO: ("d", "note")}


def as_html(report: Report) -> str:
    """The page."""
    pages = report.runs
    body = [
        f"<h1>{_text(report.title)}</h1>",
        f'<p class="d">{_text(about(report))}</p>',
        *_findings(pages),
        *_section("Runs", [_runs(pages)]),
        *_section("Notes", list(_notes(pages))),
        *_section("Comparison", [_comparison(report)] if len(pages) > 1 else []),
        *_section("Charts", list(_charts(report))),
        *_section("Pictures", list(_pictures(report))),
        *_section("Texts", list(_texts(report))),
        *_section("All that is known", list(_details(pages))),
        *_section("Left out", _listed(report.left_out)),
    ]
    head = (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f"<title>{_text(report.title)}</title><style>{STYLE}{_colors(len(pages))}</style></head><body>\n"
    )
    return head + "\n".join(body) + "\n</body></html>\n"


def about(report: Report) -> str:
    """What the report is about, in a line."""
    return (
        f"{counted(len(report.runs), 'run')} in {', '.join(report.places)} · made {format_clock(report.made)} by tuimon"
    )


def _text(text: str) -> str:
    return escape(clean(text))


def _lines(text: str) -> str:
    """A text of several lines."""
    return escape("\n".join(map(clean, text.expandtabs().split("\n"))))


def _section(title: str, body: Sequence[str]) -> list[str]:
    return [f"<h2>{title}</h2>", *body] if body else []


def _listed(items: Iterable[str]) -> list[str]:
    found = [f"<li>{_text(item)}</li>" for item in items]
    return [f"<ul>{''.join(found)}</ul>"] if found else []


def _colors(count: int) -> str:
    """Classes of the runs' colours, on a light and on a dark page."""
    light = "".join(f".s{at}{{--c:{series_color(at, 'truecolor-light')}}}" for at in range(count))
    dark = "".join(f".s{at}{{--c:{series_color(at)}}}" for at in range(count))
    return f"{light}@media(prefers-color-scheme:dark){{{dark}}}"


def _name(page: RunPage) -> str:
    glyph = series_glyph(page.color)
    return f'<span class="s{page.color}"><i class="g">{glyph}</i></span> {_text(page.summary.name)}'


def _findings(pages: Sequence[RunPage]) -> Iterator[str]:
    found = [(page, finding) for page in pages for finding in page.findings]
    if not found:
        return
    yield "<h2>What stands out</h2><ul>"
    for page, finding in sorted(found, key=lambda pair: -pair[1].severity):
        role, word = SEVERITY[finding.severity]
        advice = f'. <span class="d">{_text(finding.advice)}</span>' if finding.advice else ""
        yield f'<li><span class="{role} strong">{word}</span> {_name(page)}: {_text(finding.message)}{advice}</li>'
    yield "</ul>"


def _runs(pages: Sequence[RunPage]) -> str:
    head = '<tr><th>run</th><th>state</th><th class="n">step</th><th class="n">took</th><th class="n">speed</th>'
    rows = [head + "<th>last record</th><th>best</th></tr>"]
    for page in pages:
        summary = page.summary
        state = summary.state.kind.value
        took = ""
        if summary.started is not None and summary.last_time is not None:
            took = format_duration(max(summary.last_time - summary.started, 0.0))
        speed = "" if summary.rate is None else f"{format_value(summary.rate, 3)}/s"
        step = format_step(summary.step)
        if summary.total is not None:
            step += f" of {format_step(summary.total)}"
        best = "<br>".join(f'<span class="d">{_text(tag)}</span> {_text(value)}' for tag, value in page.best[:4])
        cells = [
            f'<td class="w">{_name(page)}</td>',
            f'<td class="{ROLES.get(state, "d")}">{state}</td>',
            *(f'<td class="n">{_text(text)}</td>' for text in (step, took, speed)),
            f"<td>{_text(format_age(summary.age))}{' ago' if summary.age is not None else ''}</td>",
            f"<td>{best}</td>",
        ]
        rows.append(f"<tr>{''.join(cells)}</tr>")
        if page.error:
            rows.append(f'<tr><td colspan="7" class="w"><pre class="bad">{_lines(page.error)}</pre></td></tr>')
        elif summary.state.detail:
            rows.append(f'<tr><td></td><td colspan="6" class="d w">{_text(summary.state.detail)}</td></tr>')
    return f'<div class="wide"><table>{"".join(rows)}</table></div>'


def _notes(pages: Sequence[RunPage]) -> Iterator[str]:
    for page in pages:
        if page.note:
            tags = "".join(f' <span class="d">#{_text(tag)}</span>' for tag in page.note.tags)
            yield f"<h3>{_name(page)}{tags}</h3>"
            if page.note.text:
                yield f"<pre>{_lines(page.note.text)}</pre>"


def _comparison(report: Report) -> str:
    table = report.table
    pages = {page.summary.name: page for page in report.runs}
    numeric = {column.key: column.kind not in ("name", "setting") for column in table.columns}
    rows = ["".join(f"<th{_side(numeric[c.key])}>{_text(c.title)}</th>" for c in table.columns)]
    for row in table.rows:
        cells = []
        for column in table.columns:
            text = _name(pages[row.run]) if column.kind == "name" else _text(row.cell(column).text)
            cells.append(f"<td{_side(numeric[column.key])}>{text}</td>")
        rows.append("".join(cells))
    return f'<div class="wide"><table>{"".join(f"<tr>{row}</tr>" for row in rows)}</table></div>'


def _side(right: bool) -> str:
    return ' class="n"' if right else ""


def _charts(report: Report) -> Iterator[str]:
    if report.charts:
        yield '<div class="charts">'
        yield from (line_chart(chart.title, chart.lines, log_y=report.log_y) for chart in report.charts)
        yield "</div>"


def _pictures(report: Report) -> Iterator[str]:
    if report.pictures:
        pages = {page.summary.name: page for page in report.runs}
        yield '<div class="pictures">'
        for picture in report.pictures:
            said = f" · {_text(picture.caption)}" if picture.caption else ""
            about_it = f"{_name(pages[picture.run])}<br>{_text(picture.tag)} · step {_text(picture.step)}{said}"
            image = f'<img src="{picture.uri}" alt="{_text(picture.tag)}">'
            yield f"<figure>{image}<figcaption>{about_it}</figcaption></figure>"
        yield "</div>"


def _texts(report: Report) -> Iterator[str]:
    pages = {page.summary.name: page for page in report.runs}
    for text in report.texts:
        yield f'<h3>{_name(pages[text.run])} <span class="d">{_text(text.tag)} · step {_text(text.step)}</span></h3>'
        yield f"<pre>{_lines(text.text)}</pre>"


def _details(pages: Sequence[RunPage]) -> Iterator[str]:
    for page in pages:
        yield f"<details><summary>{_name(page)}</summary>"
        yield from map(_part, page.parts)
        yield "</details>"


def _part(part: Part) -> str:
    rows = "".join(
        f'<tr><td class="d">{_text(fact.label)}</td><td class="w {fact.role if fact.role != "dim" else "d"}">'
        f"{_lines(fact.text)}</td></tr>"
        for fact in part.facts
    )
    return f'<h3>{_text(part.title)} <span class="d">{_text(part.remark)}</span></h3><table>{rows}</table>'
