"""Weights & Biases' `.wandb` files: what its client records of a run, offline as well as online."""

from __future__ import annotations

from tuimon.formats._wandb.files import MAGIC
from tuimon.formats.base import Format, Parser


class Wandb(Format):
    """The format of a run's record in its own directory."""

    name = "W&B"
    rank = 15

    def sniff(self, path: str, head: bytes) -> bool:  # noqa: ARG002
        """See `tuimon.formats.base.Kind.sniff`."""
        return head.startswith(MAGIC)

    def parser(self, path: str) -> Parser:  # noqa: ARG002
        """See `tuimon.formats.base.Format.parser`."""
        from tuimon.formats._wandb.parser import WandbParser

        return WandbParser()


FORMAT = Wandb()
