"""The exceptions of ``wandb``, for scripts that catch them. They are never raised here."""

from __future__ import annotations


class Error(Exception):
    """The base of the others."""


class CommError(Error):
    """A failed communication."""


class UsageError(Error):
    """A call that makes no sense."""


class ConfigError(Error):
    """A setting that may not be changed."""
