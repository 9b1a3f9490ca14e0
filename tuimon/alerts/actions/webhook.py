"""A message to a webhook: Slack, Discord, or any server that takes JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from urllib.parse import urlsplit

from tuimon import __version__
from tuimon.alerts.base import Alert, together

LONGEST = 10.0
"""Seconds that a server may take to answer."""
MOST = {"slack": 3000, "discord": 2000}
"""Characters of a message that these take."""


class Webhook:
    """Posts JSON to an address.

    Slack gets ``{"text": …}`` and Discord ``{"content": …}``; other servers get the alerts as ``{"text": …,
    "alerts": […]}``.

    Args:
        address: Starts with http:// or https://. For a server that talks like Slack or Discord ``slack+`` or
            ``discord+`` may stand before it.

    Raises:
        ValueError: It is not such an address.
    """

    def __init__(self, address: str) -> None:
        kind, plus, rest = address.partition("+")
        self._style = kind if plus and kind in MOST else ""
        self._address = rest if self._style else address
        parts = urlsplit(self._address)
        host = parts.hostname or ""
        if parts.scheme not in ("http", "https") or not host:
            raise ValueError(f"not an address of a webhook: {address.partition('?')[0]}")
        self.name = f"the webhook at {host}"  # the rest of the address is a secret
        if not self._style and host == "hooks.slack.com":
            self._style = "slack"
        if not self._style and host in ("discord.com", "discordapp.com"):
            self._style = "discord"

    def send(self, alerts: Sequence[Alert]) -> None:
        """Post them in one message.

        Raises:
            OSError: The server cannot be reached, or does not take it.
        """
        from urllib.error import HTTPError, URLError
        from urllib.request import Request, urlopen

        body = json.dumps(self.body(alerts)).encode()
        headers = {"Content-Type": "application/json", "User-Agent": f"tuimon/{__version__}"}
        request = Request(self._address, data=body, headers=headers, method="POST")
        try:
            with urlopen(request, timeout=LONGEST):
                pass
        except HTTPError as problem:
            with problem:
                raise OSError(f"it answered {problem.code} {problem.reason}") from None
        except URLError as problem:
            raise OSError(str(problem.reason)) from None

    def body(self, alerts: Sequence[Alert]) -> dict[str, object]:
        """What is posted."""
        text = together(alerts)
        if self._style == "slack":
            for char, name in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):  # they would be links and mentions
                text = text.replace(char, name)
            return {"text": text[: MOST["slack"]]}
        if self._style == "discord":
            return {"content": text[: MOST["discord"]], "allowed_mentions": {"parse": []}}
        return {"text": text, "alerts": [alert.as_json() for alert in alerts]}
