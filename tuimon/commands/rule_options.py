"""The options about rules and alerts: for ``check`` and the live view alike."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from tuimon.commands.outcome import Stop

if TYPE_CHECKING:
    from tuimon.alerts.sender import Sender
    from tuimon.rules.config import RuleConfig
    from tuimon.ui.app import TuimonApp
    from tuimon.ui.lookout import Lookout, LookoutMaker


def add_rule_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--rules``."""
    what = "thresholds, silenced rules and rules of your own (also read: tuimon.toml beside the logs, and rules.toml in"
    parser.add_argument("--rules", metavar="FILE", help=f"{what} ~/.config/tuimon)")


def add_alert_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say how people are told of findings."""
    options = parser.add_argument_group(
        "telling people of findings", "each of warnings and errors once, also when tuimon is started again"
    )
    options.add_argument("--desktop", action="store_true", help="as a notification of the desktop, by the terminal")
    options.add_argument(
        "--alert", metavar="COMMAND", help="run a command, with the findings as JSON lines on its input"
    )
    options.add_argument(
        "--webhook", action="append", default=[], metavar="URL", help="post to Slack, Discord or any server"
    )


def add_watch_options(parser: argparse.ArgumentParser) -> None:
    """Add the options about rules and alerts that the live view has."""
    add_rule_options(parser)
    add_alert_options(parser)
    parser.add_argument("--bell", action="store_true", help="ring when something is found")
    parser.add_argument("--title", action="store_true", help="let the title of the terminal say what is going wrong")


def lookout_maker(args: argparse.Namespace, roots: Sequence[str]) -> LookoutMaker:
    """Makes what looks out for findings in the live view, once the view is on screen.

    Args:
        args: The options.
        roots: The log directories.
    """

    def make(app: TuimonApp) -> Lookout:
        from tuimon.ui.lookout import Lookout
        from tuimon.ui.messages import Problem

        config, sender = None, None
        try:
            config = rule_config(args.rules, roots)
            sender = alert_sender(
                args, roots, app.write_to_terminal, lambda text: app.post_message(Problem("alerts", text))
            )
        except Stop as stop:  # the view is open by now, and works without
            app.post_message(Problem("rules", str(stop)))
        return Lookout(app, config, sender, bell=args.bell, titled=args.title)

    return make


def rule_config(file: str | None, roots: Sequence[str]) -> RuleConfig:
    """What is configured about rules.

    Args:
        file: A file that the person named.
        roots: The log directories.

    Raises:
        Stop: A file cannot be read or used.
    """
    from tuimon.findings import read_config
    from tuimon.rules.config_file import BadConfig
    from tuimon.rules.registry import load_plugins

    problems = load_plugins()
    if problems:
        raise Stop("\n".join(problems))
    try:
        return read_config(roots, file)
    except BadConfig as problem:
        raise Stop(str(problem)) from problem


def alert_sender(
    args: argparse.Namespace, roots: Sequence[str], write: Callable[[str], object], on_problem: Callable[[str], object]
) -> Sender | None:
    """What tells people of findings; None where nobody asked for it.

    Args:
        args: The options.
        roots: The log directories.
        write: Writes to the terminal.
        on_problem: Called with what went wrong, in a thread.

    Raises:
        Stop: An address cannot be used.
    """
    if not (args.desktop or args.alert or args.webhook):
        return None
    from tuimon.alerts.actions.command import Command
    from tuimon.alerts.actions.desktop import Desktop
    from tuimon.alerts.actions.webhook import Webhook
    from tuimon.alerts.base import Action
    from tuimon.alerts.ledger import Ledger
    from tuimon.alerts.sender import Sender

    try:
        actions: list[Action] = [Webhook(address) for address in args.webhook]
    except ValueError as problem:
        raise Stop(str(problem)) from problem
    if args.alert:
        actions.append(Command(args.alert))
    if args.desktop:
        actions.append(Desktop(write))
    try:
        ledger = Ledger.of(roots)
    except OSError:  # there is no home: what was told is known as long as this process lives
        ledger = None
    return Sender(actions, ledger, on_problem)
