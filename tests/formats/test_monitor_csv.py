"""``monitor.csv``: episodes below a line that says when the clock was started."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tuimon.formats.monitor_csv import FORMAT
from tuimon.records import Config

if TYPE_CHECKING:
    from .conftest import Content

    Read = Callable[..., Content]

HEAD = b'#{"t_start": 1600000000.5, "env_id": "CartPole-v1"}\r\nr,l,t,is_success\r\n'
DATA = HEAD + b"1.5,10,0.5,True\r\n-2.0,20,1.25,False\r\n3.0,5,2.0,True\r\n0.5,1,0.25,True\r\n"


def test_it_is_known_by_its_first_two_lines() -> None:
    """Before the first episode there is nothing else; a remark alone is not enough."""
    assert FORMAT.sniff("logs/0.monitor.csv", HEAD)
    assert FORMAT.sniff("monitor.csv", b'# {"t_start": 1.5, "env_id": "x"} \nr,l,t\n')
    assert not FORMAT.sniff("0.monitor.csv", HEAD[:60])
    assert not FORMAT.sniff("a.csv", b'# {"t_start": 1.5}\nstep,loss\n1,2\n')
    assert not FORMAT.sniff("a.csv", b"r,l,t\n1,2,3\n")


def test_episodes(read: Read) -> None:
    """Steps are environment steps, times wall times; after the clock was started again, nobody knows the time."""
    found = read(FORMAT.parser("0.monitor.csv"), DATA)
    assert [*found.points] == ["r", "l", "is_success"]
    assert found.values("r") == [1.5, -2.0, 3.0, 0.5]
    assert found.values("is_success") == [1, 0, 1, 1]
    assert found.steps("r") == [10, 30, 35, 36]
    assert found.times("r")[:3] == [1600000001.0, 1600000001.75, 1600000002.5]
    assert str(found.times("r")[3]) == "nan"
    assert found.others == [Config({"env_id": "CartPole-v1"})]


def test_growth_at_every_byte_and_reading_again(read: Read) -> None:
    """A range that is read again begins with the steps that there were before it."""
    whole = read(FORMAT.parser("0.monitor.csv"), DATA)
    parser, kept, start = FORMAT.parser("0.monitor.csv"), b"", 0
    found = read(parser, b"")
    ranges = []
    for at in range(len(DATA)):
        kept += DATA[at : at + 1]
        parsed = parser.parse(kept, at_end=True)
        found.take(parsed.records)
        if parsed.consumed:
            ranges.append((start, start + parsed.consumed))
            start += parsed.consumed
            kept = kept[parsed.consumed :]
    assert str(found.points) == str(whole.points)
    for number, (low, _) in enumerate(ranges):
        again = read(parser.clone(low), DATA[low:])
        skipped = len(whole.points["r"]) - len(again.points["r"])
        assert skipped == number
        assert str(again.points["r"]) == str(whole.points["r"][skipped:])


def test_episodes_that_are_odd(read: Read) -> None:
    """An endless length or time, and a header without a clock further down cost nothing else."""
    data = b'#{"t_start": 100.0}\nr,l,t\n1,10,5\n2,inf,inf\n3,10,7\nr,l,time\n4,10,9\n'
    found = read(FORMAT.parser("0.monitor.csv"), data)
    assert found.values("r") == [1, 2, 3, 4]
    assert found.steps("r") == [10, 10, 20, 10]
    assert str(found.times("r")) == "[105.0, nan, 107.0, nan]"
    endless = b'#{"t_start": 1' + b"0" * 400 + b"}\nr,l,t\n1,10,5\n"
    assert read(FORMAT.parser("0.monitor.csv"), endless).steps("r") == [10]
