"""What is known of processes of this machine."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tuimon.processes import pid_alive, pid_space
from tuimon_writer import metadata


def test_this_process_is_alive() -> None:
    """And so is one of another user, such as the first of the system."""
    assert pid_alive(os.getpid())
    assert pid_alive(1)


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="needs /proc")
def test_a_process_that_waits_to_be_reaped_is_dead() -> None:
    """A killed training whose parent has not asked for its status yet has crashed all the same."""
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    assert pid_alive(child.pid)
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert not pid_alive(child.pid)
    child.communicate()
    assert not pid_alive(child.pid)


@pytest.mark.parametrize("pid", [0, -1])
def test_no_process_has_a_number_below_one(pid: int) -> None:
    """``kill`` would take these for groups of processes."""
    assert not pid_alive(pid)


def test_writer_and_viewer_name_the_same_processes() -> None:
    """Otherwise no log of this machine could be asked for its process."""
    assert metadata.pid_space() == pid_space()
