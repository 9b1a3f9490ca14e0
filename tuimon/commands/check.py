"""``tuimon check DIR …``: what is going wrong, for scripts, cron and CI."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tuimon.commands.narrowing import add_narrowing, give_back_place, matcher
from tuimon.commands.outcome import NOTHING, OK, USAGE, Stop, for_output, say
from tuimon.commands.places import add_places, chosen
from tuimon.commands.rule_options import add_alert_options, add_rule_options, alert_sender, rule_config

if TYPE_CHECKING:
    from tuimon.findings import Findings
    from tuimon.rules.base import Finding, Rule
    from tuimon.rules.config import RuleConfig
    from tuimon.store import Store
    from tuimon.ui.book import RunBook
    from tuimon.ui.filters import Matcher

FOUND = 1
"""Exit status: something was found."""

STATUSES = f"""\
exit status:
  0    nothing was found that --fail-on names
  {FOUND}    something was
  {USAGE}    the command line is wrong, there is no log, or it cannot be read"""


def parse(words: Sequence[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="tuimon check",
        description="Say what is going wrong in the runs, a line a finding, the worst first.",
        epilog=STATUSES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add_places(parser)
    add_narrowing(parser)
    parser.add_argument("--json", action="store_true", help="print a JSON object a line, with all that is known")
    parser.add_argument("--advice", action="store_true", help="say below each finding what people usually try")
    parser.add_argument(
        "--fail-on",
        nargs="+",
        default=["warn"],
        metavar="WHAT",
        help="what gives the exit status 1: info, warn or error and what is worse, or names of rules (default: warn)",
    )
    parser.add_argument("--follow", action="store_true", help="go on, and tell of each finding when it is made")
    parser.add_argument("--stop", action="store_true", help="with --follow: end at the first finding of --fail-on")
    parser.add_argument("--list", action="store_true", help="list the rules and end")
    add_rule_options(parser)
    add_alert_options(parser)
    args = parser.parse_args(words)
    give_back_place(args)
    return args


def run(args: argparse.Namespace) -> int:
    """Check."""
    if args.list:
        from tuimon.rules.registry import rules

        config = rule_config(args.rules, args.places)
        print("\n".join(f"{rule.name:20} {rule.title}" for rule in config.applied(rules())))
        return OK
    try:
        roots = chosen(args.places, may_come=args.follow)
        return _check(args, roots)
    except Stop as stop:  # no log is no answer to whether all is well
        raise Stop(str(stop), USAGE if stop.status == NOTHING else stop.status) from stop


def _check(args: argparse.Namespace, roots: list[str]) -> int:
    from tuimon.alerts.base import Alert
    from tuimon.rules.base import Severity
    from tuimon.rules.registry import rules

    config = rule_config(args.rules, roots)
    fails = Failing(args.fail_on, config.applied(rules()))
    printer = Printer(matcher(args.runs), matcher(args.tags), json_lines=args.json, advice=args.advice)
    sender = alert_sender(args, roots, _to_terminal, say)
    failed = False
    try:
        for new, cleared in _looks(args, roots, config):
            told = printer.found(new)
            printer.cleared(cleared)
            sys.stdout.flush()
            if sender is not None:
                sender.tell(Alert.of(finding) for finding in told if finding.severity > Severity.INFO)
            failed = failed or any(map(fails, told))
            if failed and args.stop:
                break
    finally:
        if sender is not None:
            sender.close()
    if not printer.count and sys.stdout.isatty():
        say("nothing found")
    return FOUND if failed else OK


def _looks(
    args: argparse.Namespace, roots: list[str], config: RuleConfig
) -> Iterator[tuple[list[Finding], list[Finding]]]:
    """What was found anew and what holds no more, of each look."""
    from tuimon.commands.following import follow
    from tuimon.commands.loading import load

    stores = follow(roots) if args.follow else iter((load(roots).store,))
    findings: Findings | None = None
    for store in stores:
        if findings is None:
            findings, book = _watching(store, config)
        now = time.time()
        with store.lock:
            changes = store.dirty()
        book.forget(changes.runs)
        book.tick()
        new, cleared = findings.update(changes, now, budget=None)
        yield sorted(new, key=lambda finding: -finding.severity), cleared
    if findings is not None:
        for rule, problem in findings.errors.items():
            say(f"the rule {rule} failed: {problem}")


def _watching(store: Store, config: RuleConfig) -> tuple[Findings, RunBook]:
    from tuimon.findings import Findings
    from tuimon.ui.book import RunBook

    book = RunBook(store, time.time)
    return Findings(store, config=config, state_of=book.state), book


def _to_terminal(text: str) -> None:
    """Write a sequence for the terminal past standard output, which may be a file."""
    with open("/dev/tty", "w") as terminal:
        terminal.write(text)


class Failing:
    """Which findings give the exit status 1.

    Args:
        names: Severities and names of rules.
        rules: The rules that there are.

    Raises:
        Stop: A name is neither.
    """

    def __init__(self, names: Sequence[str], rules: Sequence[Rule]) -> None:
        from tuimon.rules.base import Severity

        words = {severity.word: severity for severity in Severity}
        known = {rule.name for rule in rules}
        wrong = [name for name in names if name not in words and name not in known]
        if wrong:
            raise Stop(f"--fail-on {wrong[0]}: neither info, warn nor error, nor one of {', '.join(sorted(known))}")
        self._least = min((words[name] for name in names if name in words), default=None)
        self._rules = known.intersection(names)

    def __call__(self, finding: Finding) -> bool:
        """Whether a finding does."""
        return finding.rule in self._rules or (self._least is not None and finding.severity >= self._least)


class Printer:
    """Prints findings.

    Args:
        runs: Which runs to tell of.
        tags: Which tags.
        json_lines: Whether other programs read it.
        advice: Whether to say what people usually try.
    """

    def __init__(self, runs: Matcher, tags: Matcher, *, json_lines: bool, advice: bool) -> None:
        self._runs, self._tags = runs, tags
        self._json, self._advice = json_lines, advice
        self.count = 0

    def found(self, findings: Sequence[Finding]) -> list[Finding]:
        """Print those that are asked for, and return them."""
        told = [one for one in findings if self._runs(one.run) and (not one.tag or self._tags(one.tag))]
        for finding in told:
            self._print(finding, finding.severity.word)
        self.count += len(told)
        return told

    def cleared(self, findings: Sequence[Finding]) -> None:
        """Print that these hold no more, where they are asked for."""
        for finding in findings:
            if self._runs(finding.run) and (not finding.tag or self._tags(finding.tag)):
                self._print(finding, "cleared")

    def _print(self, finding: Finding, word: str) -> None:
        if self._json:
            from tuimon.alerts.base import Alert

            facts = {**Alert.of(finding).as_json(), "cleared": word == "cleared"}
            print(json.dumps(facts))
            return
        print(for_output(f"{word + ':':8} {finding.run}: {finding.message} [{finding.rule}]"))
        if self._advice and finding.advice and word != "cleared":
            print(for_output(f"{'':8} {finding.advice}"))
