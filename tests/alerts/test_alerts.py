"""People are told of findings: once each, not too often, by a command, the desktop or a webhook."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from tuimon.alerts.actions.command import Command
from tuimon.alerts.actions.desktop import Desktop
from tuimon.alerts.actions.webhook import Webhook
from tuimon.alerts.base import Alert, together
from tuimon.alerts.ledger import MOST, REMEMBERED, Ledger
from tuimon.alerts.sender import Sender
from tuimon.alerts.terminal import notification, title
from tuimon.rules.base import Finding, Severity


def alert(number: int = 0, message: str = "train/loss is NaN, first at step 7") -> Alert:
    """A finding, as it is told."""
    finding = Finding(
        "nan", f"run{number}", "train/loss", 7.0, Severity.ERROR, message, "Lower the learning rate.",
        {"count": 3.0, "last": float("nan")}, 7.0,
    )  # fmt: skip
    return Alert.of(finding)


class Recorder:
    """An action that only remembers; it fails so many times first."""

    name = "the recorder"

    def __init__(self, failures: int = 0) -> None:
        self.sent: list[list[str]] = []
        self.failures = failures
        self.happened = threading.Semaphore(0)

    def send(self, alerts: Sequence[Alert]) -> None:
        try:
            if self.failures:
                self.failures -= 1
                raise OSError("no route to host")
            self.sent.append([one.run for one in alerts])
        finally:
            self.happened.release()


def test_each_alert_is_told_once_also_by_the_next_process(tmp_path: Path) -> None:
    """The key of a finding (rule, run, tag, first step) is remembered in a file."""
    path = tmp_path / "told.json"
    for expected in ([["run1", "run2"]], [["run3"]]):
        action = Recorder()
        sender = Sender([action], Ledger(path), pytest.fail)
        sender.tell([alert(1), alert(2)] if len(expected[0]) == 2 else [alert(2), alert(3), alert(1)])
        sender.close()
        assert action.sent == expected


def test_what_is_worse_or_begins_later_is_told_and_another_guess_of_its_beginning_is_not(tmp_path: Path) -> None:
    """A run that was silent and then crashed is told of twice; a loss that diverges again after it was told as well."""

    def found(severity: Severity, since: float, step: float) -> Alert:
        return Alert.of(Finding("state", "run", "", step, severity, "it happened", since_step=since))

    path = tmp_path / "told.json"
    Ledger(path).note([found(Severity.WARN, 520, 600)], 1e9)
    ledger = Ledger(path)
    assert ledger.fresh([found(Severity.WARN, 544, 900)]) == []
    assert len(ledger.fresh([found(Severity.ERROR, 520, 600)])) == 1
    assert len(ledger.fresh([found(Severity.WARN, 700, 900)])) == 1


def test_what_comes_soon_after_goes_together_into_the_next_message() -> None:
    """The rate of messages is limited, nothing is lost: the pause ends, or the sender is closed."""
    action = Recorder()
    sender = Sender([action], None, pytest.fail, every=3600)
    sender.tell([alert(0)])
    assert action.happened.acquire(timeout=10)
    for number in range(1, 9):
        sender.tell([alert(number)])
    sender.tell([alert(3)])
    sender.close()
    assert action.sent == [["run0"], [f"run{number}" for number in range(1, 9)]]


def test_an_action_that_fails_is_tried_again_and_does_not_hold_up_others() -> None:
    problems: list[str] = []
    broken, fine = Recorder(failures=2), Recorder()
    sender = Sender([broken, fine], None, problems.append, every=0, retries=(0.01, 0.01, 0.01))
    sender.tell([alert(1)])
    for _ in range(3):
        assert broken.happened.acquire(timeout=10)
    sender.close()
    assert (broken.sent, fine.sent) == ([["run1"]], [["run1"]])
    assert problems == ["the recorder failed: no route to host"] * 2


def test_a_damaged_ledger_is_as_if_nothing_was_told_and_an_old_entry_is_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "told.json"
    path.write_text("{not json")
    ledger = Ledger(path)
    assert [one.run for one in ledger.fresh([alert(1)])] == ["run1"]
    ledger.note([alert(1)], 0.0)
    ledger.note([alert(number) for number in range(2, MOST + 10)], REMEMBERED + 1)
    known = Ledger(path)
    assert [one.run for one in known.fresh([alert(1), alert(MOST + 5)])] == ["run1"]
    assert len(json.loads(path.read_text())) == MOST


def test_a_command_gets_a_line_an_alert_and_the_first_in_its_environment(tmp_path: Path) -> None:
    """Its input is JSON lines in which NaN is a string, as JSON has none."""
    out = tmp_path / "out"
    Command(f"(cat; echo $TUIMON_RUN $TUIMON_STEP $TUIMON_SEVERITY) > '{out}'").send([alert(1), alert(2)])
    *lines, environment = out.read_text().splitlines()
    found = [json.loads(line) for line in lines]
    assert [one["run"] for one in found] == ["run1", "run2"]
    assert found[0]["numbers"] == {"count": 3.0, "last": "NaN"}
    assert environment == "run1 7 error"


def test_a_command_that_fails_says_why() -> None:
    with pytest.raises(OSError, match="exit status 3: no such channel"):
        Command(f"{sys.executable} -c 'import sys; print(\"no such channel\", file=sys.stderr); sys.exit(3)'").send(
            [alert()]
        )


@contextmanager
def server(status: int) -> Iterator[tuple[str, list[dict[str, object]]]]:
    """A web server that takes JSON: its address, and what it got."""
    got: list[dict[str, object]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as http:
        thread = threading.Thread(target=http.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{http.server_port}/hook/secret", got
        finally:
            http.shutdown()
            thread.join()


def test_a_webhook_is_posted_to_in_the_words_of_its_server() -> None:
    """Slack gets a text whose signs mean nothing to it, Discord content that mentions nobody, others all there is."""
    odd = alert(1, "loss <!channel> @everyone")
    with server(200) as (address, got):
        Webhook(address).send([alert(1), alert(2)])
        Webhook(f"slack+{address}").send([odd])
        Webhook(f"discord+{address}").send([odd])
    plain, slack, discord = got
    assert plain["text"] == together([alert(1), alert(2)])
    assert [one["step"] for one in plain["alerts"]] == [7.0, 7.0]  # type: ignore[attr-defined]
    assert slack == {"text": "error: run1: loss &lt;!channel&gt; @everyone"}
    assert discord["allowed_mentions"] == {"parse": []}


def test_a_webhook_that_refuses_says_so_without_its_secret() -> None:
    with server(403) as (address, _):
        hook = Webhook(address)
        with pytest.raises(OSError, match="it answered 403"):
            hook.send([alert()])
    assert hook.name == "the webhook at 127.0.0.1"
    with pytest.raises(OSError, match="refused"):
        hook.send([alert()])


@pytest.mark.parametrize("address", ["example.org/hook", "ftp://example.org", "https://", "slack+x"])
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(ValueError, match="not an address"):
        Webhook(address)


def test_a_long_message_gives_the_number_of_the_rest() -> None:
    assert together([alert(number) for number in range(9)]).splitlines()[-1] == "and 4 more"


@pytest.mark.parametrize(
    ("environment", "sequence"),
    [
        ({"TERM": "xterm-kitty"}, "\x1b]9;run: bad; worse\x1b\\"),
        ({"TERM": "rxvt-unicode"}, "\x1b]777;notify;run;bad; worse\x1b\\"),
        ({"TERM": "tmux-256color", "TMUX": "/tmp/x"}, "\x1bPtmux;\x1b\x1b]9;run: bad; worse\x1b\x1b\\\x1b\\"),
    ],
)
def test_a_notification_is_what_the_terminal_knows(environment: dict[str, str], sequence: str) -> None:
    assert notification("run", "bad; worse", environment) == sequence


def test_nothing_from_a_log_ends_the_sequence_that_it_is_in() -> None:
    """Control characters in names become spaces, so that no log can control the terminal."""
    assert title("a\x1b\\\x07b\nc") == "\x1b]2;a \\ b c\x1b\\"
    written: list[str] = []
    Desktop(written.append).send([alert(1, "x\x1b]52;c;!\x07"), alert(2)])
    assert written[0].count("\x1b") == (4 if written[0].startswith("\x1bPtmux") else 2)
    assert "(and 1 other finding)" in written[0]
