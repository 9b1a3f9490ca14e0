"""What a log says of its process: host, pid, rank, job, command line, Python, git state. Cheap, and never a failure."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tuimon_writer.values import Json

_PLACE = ("rank", "local_rank", "world_size", "node")
_LAUNCHERS = (  # where torchrun, Slurm, Open MPI and other MPIs say these; only one of them is believed
    ("RANK", "LOCAL_RANK", "WORLD_SIZE", "GROUP_RANK"),
    ("SLURM_PROCID", "SLURM_LOCALID", "SLURM_NTASKS", "SLURM_NODEID"),
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("PMI_RANK", "MPI_LOCALRANKID", "PMI_SIZE"),
)
_ON = ("1", "true", "yes", "on")
_GIT_SECONDS = 1.0
_git: dict[str, dict[str, Json]] = {}


def host_name() -> str:
    """The name of this machine."""
    return os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "localhost")


def place() -> dict[str, int]:
    """Where this process is in a distributed training, from the environment of its launcher; empty outside of one.

    Returns:
        "rank" and, as far as they are known, "local_rank" (within the machine), "world_size" and "node" (number of the
        machine).
    """
    for names in _LAUNCHERS:
        if os.environ.get(names[0], "").isdecimal():
            found = ((key, os.environ.get(name, "")) for key, name in zip(_PLACE, names, strict=False))
            return {key: int(value) for key, value in found if value.isdecimal()}
    return {}


def is_silenced(main_rank_only: bool | None) -> bool:
    """Whether a process of this rank is to write nothing.

    Args:
        main_rank_only: Whether only rank 0 writes; None for what TUIMON_MAIN_RANK_ONLY in the environment says.
    """
    if main_rank_only is None:
        main_rank_only = os.environ.get("TUIMON_MAIN_RANK_ONLY", "").strip().lower() in _ON
    return bool(main_rank_only) and place().get("rank", 0) != 0


def job() -> str:
    """The job of Slurm (with the index of an array) or the run id of torchrun; empty when there is none."""
    array, index = os.environ.get("SLURM_ARRAY_JOB_ID"), os.environ.get("SLURM_ARRAY_TASK_ID")
    if array and index:
        return f"{array}_{index}"
    elastic = os.environ.get("TORCHELASTIC_RUN_ID", "")
    return os.environ.get("SLURM_JOB_ID") or ("" if elastic == "none" else elastic)


def package_versions(wanted: object) -> dict[str, Json]:
    """Versions of packages; those that are not installed are left out.

    Args:
        wanted: Names of packages or of their modules, or True for those that are imported already.
    """
    from importlib.metadata import PackageNotFoundError, packages_distributions, version

    names = _loaded() if wanted is True else [wanted] if isinstance(wanted, str) else [*wanted]  # type: ignore[misc]
    of_module = {} if wanted is not True and all(map(_is_package, names)) else packages_distributions()
    found: dict[str, Json] = {}
    for name in names:
        for package in of_module.get(name, [name]):
            try:
                found[package] = version(package)
            except PackageNotFoundError:
                continue
    return dict(sorted(found.items()))


def _is_package(name: str) -> bool:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return bool(version(name))
    except PackageNotFoundError:
        return False


def _loaded() -> list[str]:
    tops = {name.partition(".")[0] for name in [*sys.modules]}
    return sorted(tops - sys.stdlib_module_names - {"__main__"})


def pid_space() -> str:
    """Which processes the number of this one is among: boot and pid namespace of Linux; empty elsewhere."""
    try:
        with open("/proc/sys/kernel/random/boot_id", encoding="ascii") as file:
            return f"{file.read().strip()} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return ""


def describe_process() -> dict[str, Json]:
    """Host, pid, rank, job, command line, Python version and git state; what is not known is left out.

    The git state is asked for once a process, for at most a second.
    """
    found: dict[str, Json] = {"host": host_name(), "pid": os.getpid()}
    space = pid_space()
    if space:
        found["pid_space"] = space
    found.update(place())
    number = job()
    if number:
        found["job"] = number
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
