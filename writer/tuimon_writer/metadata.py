"""What a log says of its process: host, pid, rank, command line, Python, git state. Cheap, and never a failure."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tuimon_writer.values import Json

_RANKS = ("RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMI_RANK")
_GIT_SECONDS = 1.0
_git: dict[str, dict[str, Json]] = {}


def host_name() -> str:
    """The name of this machine."""
    return os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "localhost")


def rank() -> int | None:
    """The rank of this process in a distributed training, from the launcher's environment; None outside of one."""
    for name in _RANKS:
        found = os.environ.get(name, "")
        if found.isdecimal():
            return int(found)
    return None


def pid_space() -> str:
    """Which processes the number of this one is among: boot and pid namespace of Linux; empty elsewhere."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            return f"{file.read().strip()} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return ""


def describe_process() -> dict[str, Json]:
    """Host, pid, rank, command line, Python version and git state; what is not known is left out.

    The git state is asked for once a process, for at most a second.
    """
    found: dict[str, Json] = {"host": host_name(), "pid": os.getpid()}
    space = pid_space()
    if space:
        found["pid_space"] = space
    number = rank()
    if number is not None:
        found["rank"] = number
    found["command"] = [*(getattr(sys, "orig_argv", None) or sys.argv)]
    found["python"] = sys.version.split()[0]
    git = git_state(_script_directory())
    if git:
        found["git"] = git
    return found


def _script_directory() -> str:
    script = getattr(sys.modules.get("__main__"), "__file__", None)
    try:
        return os.path.dirname(os.path.abspath(script)) if script else os.getcwd()
    except OSError:  # the working directory is gone
        return os.sep


def git_state(directory: str) -> dict[str, Json]:
    """The commit, branch and dirtiness of the repository that holds a directory; empty outside of one.

    "dirty" says whether tracked files differ from the commit; it is left out when git does not answer in time.
    """
    if directory not in _git:
        _git[directory] = _ask_git(directory) if _in_repository(directory) else {}
    return _git[directory]


def _in_repository(directory: str) -> bool:
    while not os.path.exists(os.path.join(directory, ".git")):
        parent = os.path.dirname(directory)
        if parent == directory:
            return False
        directory = parent
    return True


def _ask_git(directory: str) -> dict[str, Json]:
    import subprocess

    command = ["git", "-C", directory, "status", "--porcelain=v2", "--branch", "--untracked-files=no"]
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0"}
    found: dict[str, Json] = {}
    try:
        answer = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_GIT_SECONDS,
            check=True,
            env=environment,
            start_new_session=True,
        ).stdout.decode(errors="replace")
    except (OSError, RuntimeError, subprocess.SubprocessError):  # no git, a broken or huge repository, or too late
        return found
    lines = answer.splitlines()
    for key, prefix in (("commit", "# branch.oid "), ("branch", "# branch.head ")):
        value = next((line[len(prefix) :] for line in lines if line.startswith(prefix)), None)
        if value is not None:
            found[key] = value
    found["dirty"] = any(not line.startswith("#") for line in lines)
    return found
