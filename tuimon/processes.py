"""What this machine knows of processes, to tell a run that crashed from one that is silent."""

from __future__ import annotations

import os
import socket


def hostname() -> str:
    """The name of this machine, as logs name it."""
    return socket.gethostname()


def pid_alive(pid: int) -> bool:
    """Whether a process of this machine is alive. One of another user is, too."""
    if pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
