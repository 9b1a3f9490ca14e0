"""YOLOv5's ``results.txt``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tuimon.formats.yolo_results import FORMAT

if TYPE_CHECKING:
    from .conftest import Content

    Read = Callable[..., Content]


def rows(epochs: int, losses: int = 3) -> bytes:
    """The lines as YOLOv5's ``train.py`` writes them."""
    text = ""
    for epoch in range(epochs):
        text += "%10s" * 2 % (f"{epoch}/{epochs - 1}", f"{4.5 + epoch:.3g}G")
        text += "%10.4g" * (losses + 3) % (*[0.5 / (epoch + number + 1) for number in range(losses + 1)], 106, 640)
        text += "%10.4g" * 7 % (0.1 * epoch, 0.2, 0.3, 0.04, 0.05, 0.06, 0.07) + "\n"
    return text.encode()


def test_the_columns_have_the_names_of_the_later_results_csv(read: Read) -> None:
    found = read(FORMAT.parser("runs/exp/results.txt"), rows(3))
    assert found.steps("train/box_loss") == [0, 1, 2]
    assert found.values("train/box_loss") == [0.5, 0.25, 0.1667]
    assert found.values("gpu_mem") == [4.5, 5.5, 6.5]
    assert found.values("metrics/precision") == [0, 0.1, 0.2]
    assert found.values("metrics/mAP_0.5:0.95") == [0.04] * 3
    assert found.values("val/cls_loss") == [0.07] * 3
    assert found.values("train/img_size") == [640] * 3


def test_poses_have_two_losses_more(read: Read) -> None:
    found = read(FORMAT.parser("results.txt"), rows(2, losses=5))
    assert found.values("train/kptv_loss") == [0.1, 0.08333]
    assert found.values("val/cls_loss") == [0.07] * 2


def test_growth_at_every_byte(read: Read) -> None:
    data = rows(3)
    whole = read(FORMAT.parser("results.txt"), data)
    parser, kept = FORMAT.parser("results.txt"), b""
    found = read(parser, b"")
    for at in range(len(data)):
        kept += data[at : at + 1]
        parsed = parser.parse(kept, at_end=True)
        found.take(parsed.records)
        kept = kept[parsed.consumed :]
    assert str(found.points) == str(whole.points)


def test_nothing_else_is_taken_for_it() -> None:
    assert FORMAT.sniff("results.txt", rows(1))
    assert not FORMAT.sniff("results.csv", rows(1))
    assert not FORMAT.sniff("a.txt", b"0/99 4.5G is a lot of memory\n")
    assert not FORMAT.sniff("a.txt", b"     0/99     4.69G   0.08773\n")
    assert not FORMAT.sniff("a.txt", b"1/2 cup of sugar\n2 eggs\n")
