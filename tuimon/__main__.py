"""Entry point of the ``tuimon`` command and of ``python -m tuimon``."""

from __future__ import annotations

import sys

from tuimon.cli import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
