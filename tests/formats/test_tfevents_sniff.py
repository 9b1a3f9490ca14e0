"""Which files are taken for event files, and what their names say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tuimon.formats.registry import detect
from tuimon.formats.tfevents import FORMAT
from tuimon.records import RunInfo

if TYPE_CHECKING:
    from .conftest import Events


@pytest.mark.parametrize(
    "name",
    [
        "events.out.tfevents",
        "events.out.tfevents.1.v2",
        "a.tfevents.profile-empty",
        "tfevents.17.my.host",
        "x.tfevents",
    ],
)
def test_any_name_with_tfevents_in_it(events: type[Events], name: str) -> None:
    """Also a file without the usual first event, as CatBoost writes; and one that has nothing but a few bytes yet."""
    assert detect(f"a/{name}", events.scalar("v", 1.0)) is FORMAT
    assert detect(f"a/{name}", events.version()[:30]) is FORMAT
    assert detect(f"a/{name}", events.version()[:7]) is FORMAT


def test_another_name_with_the_right_beginning(events: type[Events]) -> None:
    """A copy under any name is known by its first event alone."""
    assert detect("a/backup.bin", events.version() + b"rest") is FORMAT
    assert detect("a/backup.bin", events.scalar("v", 1.0)) is None
    assert detect("a/backup.bin", events.version()[:39] + b"x") is not None


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("read_tfevents.py", b"import struct\n\ndef read(path):\n    return open(path, 'rb').read()\n"),
        ("tfevents.md", b"# Event files\n\nThey hold scalars.\n"),
        (
            "tfevents.npy",
            b"\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }" + bytes(64),
        ),
        ("tfevents.zip", b"PK\x03\x04\x14\x00\x00\x00\x08\x00" + bytes(range(200))),
        ("tfevents.zero", bytes(4096)),
        ("data.bin", bytes(64)),
    ],
)
def test_look_alikes_are_left_alone(name: str, head: bytes) -> None:
    assert not FORMAT.sniff(name, head)


def test_the_host_is_in_the_name(events: type[Events]) -> None:
    """As TensorFlow and PyTorch build the name."""
    data = events.version() + events.scalar("v", 1.0)
    names = {
        "events.out.tfevents.1700000000.my-box.local.123.0": "my-box.local",
        "events.out.tfevents.1700000000.node7.123.45.v2": "node7",
        "events.out.tfevents.1700000000.node7.profile-empty": "node7",
        "events.out.tfevents.1700000000.node7": "node7",
        "events.out.tfevents": None,
    }
    for name, host in names.items():
        info = FORMAT.parser(f"d/{name}").parse(data, True).records[0]
        assert isinstance(info, RunInfo)
        assert info.info.get("host") == host
