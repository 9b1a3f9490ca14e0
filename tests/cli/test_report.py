"""``tuimon report``: one page that stands alone."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tuimon.ingest import Ingest
from tuimon.notes import Note, Notes

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@pytest.fixture(name="logs")
def logs_fixture(write: Callable[..., Path], tmp_path: Path) -> Path:
    """Two runs: one finished well, one failed, with a name that tries to be markup and a picture."""
    write(
        "good", [(at, {"val/loss": 1 / (at + 1), "val/acc": at / 10}) for at in range(10)], config={"lr": 0.1, "n": 3}
    )
    path = write(
        "b<i>d", [(at, {"val/loss": 2.0 if at < 5 else "NaN"}) for at in range(10)], config={"lr": 0.2, "n": 3}
    )
    (path.parent / "a.png").write_bytes(PNG)
    (path.parent / "large.png").write_bytes(PNG + bytes(2 << 20))
    with path.open("a") as file:
        for name in ("a", "large"):
            file.write(
                f'{{"step":3,"time":1.0,"media":{{"tag":"{name}","kind":"image","path":"{name}.png","caption":"<u>"}}}}\n'
            )
        file.write('{"step":1,"time":1.0,"text":{"tag":"sample","text":"</pre><script>alert(1)</script>"}}\n')
        file.write('{"end":{"status":"failed","time":1700000010.0,"exit":1,"error":"Traceback\\nValueError: <x>"}}\n')
    return tmp_path / "logs"


class Tags(HTMLParser):
    """The tags of a page, each with its attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A tag begins."""
        self.found.append((tag, dict(attrs)))


def test_a_page_that_stands_alone(tuimon: Callable[..., Any], logs: Path, tmp_path: Path) -> None:
    """It has states, values, charts and pictures, fetches nothing and runs nothing; names and texts are only text."""
    target = tmp_path / "report.html"
    result = tuimon("report", logs, "-o", target)
    assert result.status == 0
    assert "report.html" in result.err
    page = target.read_text("utf-8")
    tags = Tags(page).found
    assert not {"script", "i-d", "link", "iframe", "u", "object"} & {tag for tag, _ in tags}
    for tag, attributes in tags:
        assert not [name for name in attributes if name.startswith("on")]
        for name in ("src", "href"):
            assert (attributes.get(name) or "data:").startswith("data:"), tag
    assert "b&lt;i&gt;d" in page
    assert "ValueError: &lt;x&gt;" in page
    assert "&lt;/pre&gt;&lt;script&gt;" in page
    assert "0.1 @9" in page  # the best validation loss and its step
    assert page.count("<svg") == 2
    assert "NaN ×5, first @5" in page
    assert base64.b64encode(PNG).decode() in page
    assert "1 picture beyond" in page
    assert "prefers-color-scheme:dark" in page


def test_only_what_was_asked_for(tuimon: Callable[..., Any], logs: Path) -> None:
    """Runs and tags can be chosen; with one run there is nothing to compare."""
    page = tuimon("report", logs, "--runs", "good", "--tags", "val/acc", "--title", "For you", "-o", "-").out
    assert "<h1>For you</h1>" in page
    assert "b&lt;i&gt;d" not in page
    assert page.count("<svg") == 1
    assert "<h2>Comparison</h2>" not in page
    assert tuimon("report", logs, "--runs", "nobody", "-o", "-").status == 1


def test_markdown(tuimon: Callable[..., Any], logs: Path, tmp_path: Path) -> None:
    """The format follows the name of the file; charts are text, differing settings a table, names have no markup."""
    target = tmp_path / "report.md"
    assert tuimon("report", logs, "-o", target).status == 0
    text = target.read_text("utf-8")
    assert text.startswith("# logs\n")
    comparison = text.split("## Comparison")[1].split("## ")[0]
    head = [cell.strip() for cell in comparison.strip().split("\n")[0].strip("|").split("|")]
    assert head[:2] == ["run", "lr"]
    assert "n" not in head
    assert "b&#60;i&#62;d" in comparison
    assert "### val/loss ↓" in text
    assert "2 pictures" in text or "1 pictures" in text
    assert re.search(r"^```text\n.*ValueError: <x>\n```$", text, re.MULTILINE | re.DOTALL)


def test_fences_that_a_text_cannot_close(
    tuimon: Callable[..., Any], write: Callable[..., Path], tmp_path: Path
) -> None:
    """A text with fences of its own stays inside of longer ones."""
    path = write("a", [(0, {"loss": 1.0})])
    with path.open("a") as file:
        file.write('{"step":1,"time":1.0,"text":{"tag":"t","text":"```\\n# not a heading\\n````"}}\n')
    text = tuimon("report", tmp_path / "logs", "--format", "md", "-o", "-").out
    assert "`````text\n```\n# not a heading\n````\n`````" in text


def test_notes_are_in_it(tuimon: Callable[..., Any], logs: Path) -> None:
    """What the person wrote on a run goes with it."""
    ingest = Ingest([str(logs)])
    ingest.load()
    with ingest.store.lock:
        Notes().put(ingest.store.runs["good"], Note("keep <this>", ("best",)))
    page = tuimon("report", logs, "-o", "-").out
    assert "keep &lt;this&gt;" in page
    assert "#best" in page
    assert "keep <this>" in tuimon("report", logs, "-o", "-", "--format", "md").out


def test_smoothed_curves_keep_the_raw_ones(tuimon: Callable[..., Any], logs: Path) -> None:
    """With smoothing there are two lines a run, the raw one pale."""
    page = tuimon("report", logs, "--runs", "good", "--smooth", "0.9", "-o", "-").out
    assert page.count('<path class="c"') == 4
    assert page.count(' p"><path') == 2
    assert "smoothed 0.9" in page
