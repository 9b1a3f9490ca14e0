"""What this machine knows of processes, to tell a run that crashed from one that is silent."""

from __future__ import annotations

import os
import socket


def hostname() -> str:
    """The name of this machine, as logs name it."""
    return socket.gethostname()


def pid_space() -> str:
    """Which processes the numbers of processes are of: boot and pid namespace, as logs name them; empty when unknown.

    Containers and other machines may have this machine's name, but not its processes.
    """
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            return f"{file.read().strip()} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return ""


def pid_alive(pid: int) -> bool:
    """Whether a process of this machine is alive. One of another user is; one that only waits to be reaped is not."""
    if pid <= 0 or _is_zombie(pid):
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def _is_zombie(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()[:1] == [b"Z"]
    except OSError:
        return False
