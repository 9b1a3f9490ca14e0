"""Tables of comma- or tab-separated values: every dialect, growth, damage and reading again."""

from __future__ import annotations

import csv
import io
import itertools
import math
import random
import struct
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tuimon.formats._csv.bulk import LEAST
from tuimon.formats.delimited import FORMAT
from tuimon.records import Config, Null, ScalarRows, Skipped

if TYPE_CHECKING:
    from .conftest import Content

    Read = Callable[..., Content]

NAN = math.nan


def parse(read: Read, text: str | bytes, name: str = "logs/metrics.csv") -> Content:
    data = text.encode() if isinstance(text, str) else text
    return read(FORMAT.parser(name), data)


def columns(content: Content) -> dict[str, list[float]]:
    return {tag: content.values(tag) for tag in content.points}


def test_a_plain_table(read: Read) -> None:
    """The step is no tag, every other column is one."""
    found = parse(read, "step,loss,lr\n0,0.5,0.1\n10,0.25,0.1\n")
    assert found.points == {
        "loss": [(0.0, pytest.approx(NAN, nan_ok=True), 0.5), (10.0, pytest.approx(NAN, nan_ok=True), 0.25)],
        "lr": [(0.0, pytest.approx(NAN, nan_ok=True), 0.1), (10.0, pytest.approx(NAN, nan_ok=True), 0.1)],
    }
    assert found.others == []


def test_an_empty_cell_was_not_logged(read: Read) -> None:
    """Lightning writes the train and the validation values of a step into rows of their own."""
    found = parse(read, "epoch,step,train_loss,val_loss\n0,9,0.5,\n0,9,,0.75\n1,19,0.25,\n1,19,,\n")
    assert found.steps("train_loss") == [9, 19]
    assert found.values("train_loss") == [0.5, 0.25]
    assert found.steps("val_loss") == [9]
    assert found.values("epoch") == [0, 0, 1, 1]


def test_a_column_without_any_value_is_no_tag(read: Read) -> None:
    found = parse(read, "step,loss,rate,state\n0,0.5,,idle\n1,0.25,,busy\n")
    assert list(found.points) == ["loss"]
    assert found.others == []


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|", " ", "   "])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_dialects(read: Read, delimiter: str, end: str, bom: bytes) -> None:
    """Delimiters, line ends and a byte order mark."""
    rows = [["epoch", "train/loss", "acc"], ["0", "0.5", "1e-3"], ["1", "-2.5e+10", "nan"]]
    found = parse(read, bom + "".join(delimiter.join(row) + end for row in rows).encode())
    assert found.steps("train/loss") == [0, 1]
    assert found.values("train/loss") == [0.5, -2.5e10]
    assert found.values("acc") == pytest.approx([1e-3, NAN], nan_ok=True)
    assert found.left == b""


def test_padded_columns(read: Read) -> None:
    """Ultralytics pads names and values with blanks."""
    found = parse(read, "          epoch,   train/box_loss\n              0,           1.6878\n")
    assert columns(found) == {"train/box_loss": [1.6878]}


def test_quotes(read: Read) -> None:
    """Names and numbers in quotes, delimiters, quotes and line breaks within them."""
    text = '"Step","a, b","note"\n"4","12.5","one, ""two""\nthree"\n"5","13.5","x"\n'
    found = parse(read, text)
    assert found.steps("a, b") == [4, 5]
    assert found.values("a, b") == [12.5, 13.5]


def test_a_stray_quote_costs_nothing(read: Read) -> None:
    """A quote in the middle of a cell is a sign like any other, as is one that is never closed."""
    rows = "".join(f'{step},0.5,5" disk\n' for step in range(100))
    assert parse(read, "step,loss,note\n" + rows).steps("loss") == [*range(100)]
    rows = "".join(f"{step},0.5,{'x' * 1000}\n" for step in range(1, 100))
    assert parse(read, 'step,loss,note\n0,0.5,"open\n' + rows).steps("loss") == [*range(100)]


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("0.1", 0.1),
        ("+1", 1.0),
        (".5", 0.5),
        ("1.", 1.0),
        ("1E5", 1e5),
        ("-0.0", -0.0),
        ("1e400", math.inf),
        ("inf", math.inf),
        ("-Infinity", -math.inf),
        ("NaN", NAN),
        ("2.28%", 2.28),
        ("tensor(0.5, device='cuda:0')", 0.5),
        ("1,5", 1.5),
        ("1,500", 1.5),
        ("1,234.5", 1234.5),
        ("123456789012345678", 123456789012345678.0),
        ("4.35", 4.35),
        ("0.30000000000000004", 0.30000000000000004),
    ],
)
def test_spellings_of_numbers(read: Read, cell: str, value: float) -> None:
    found = parse(read, f"step;x\n1;{cell}\n2;0.5\n")
    assert struct.pack("2d", *found.values("x")) == struct.pack("2d", value, 0.5)


def test_a_comma_between_thousands(read: Read) -> None:
    """In a table with commas, a number in quotes has commas between thousands."""
    found = parse(read, 'step,tokens,loss\n1,"1,234,567","0,5"\n')
    assert columns(found) == {"tokens": [1234567], "loss": [0.5]}


@pytest.mark.parametrize("cell", ["", "NA", "N/A", "-", "_", "?"])
def test_words_for_nothing(read: Read, cell: str) -> None:
    """Keras writes NA and Flair _ where nothing was logged."""
    found = parse(read, f"step,loss,acc\n1,{cell},1\n2,0.5,1\n")
    assert found.steps("loss") == [2]
    assert found.others == []


def test_none_is_a_null(read: Read) -> None:
    """What was logged without a value is marked, also where it comes before the first number."""
    found = parse(read, "step,loss,note\n1,None,None\n2,0.5,None\n3,null,x\n")
    assert found.steps("loss") == [2]
    assert found.others == [Null("loss", 1.0, None), Null("loss", 3.0, None)]


def test_labels_are_left_out_and_texts_among_numbers_are_counted(read: Read) -> None:
    found = parse(read, "step,name,loss,state\n1,a,0.5,True\n2,b,oops,False\n3,c,0.25,on\n4,d,oops,True\n")
    assert columns(found) == {"loss": [0.5, 0.25]}
    (skipped,) = found.others
    assert isinstance(skipped, Skipped)
    assert (skipped.kind, skipped.count, skipped.detail) == ("not a number", 2, "loss: oops")


def test_flags_are_one_and_zero(read: Read) -> None:
    """Whether an episode was a success is a measurement; where there is nothing, nothing was logged."""
    found = parse(read, "step,success,done,x\n1,True,TRUE,1\n2,False,,True\n3,True,false,0\n")
    assert columns(found) == {"success": [1, 0, 1], "done": [1, 0], "x": [1, 0]}
    assert found.steps("done") == [1, 3]
    assert [record.detail for record in found.others if isinstance(record, Skipped)] == ["x: True"]


def test_flags_are_the_same_however_they_arrive(read: Read) -> None:
    """A row at a time, as a whole, and when an earlier range is read again."""
    data = b"step,success\n" + b"".join(b"%d,%s\n" % (row, (b"True", b"False")[row % 3 > 0]) for row in range(50))
    whole = read(FORMAT.parser("a.csv"), data)
    assert whole.values("success") == [float(row % 3 == 0) for row in range(50)]
    parser = FORMAT.parser("a.csv")
    assert str(read(parser, data, range(20, len(data), 9)).points) == str(whole.points)
    assert str(read(parser.clone(13), data[13:]).points) == str(whole.points)


def test_a_number_among_flags_and_a_flag_among_numbers(read: Read) -> None:
    """What a column begins with says what it is; the rest is counted or read all the same."""
    parser = FORMAT.parser("a.csv")
    first = read(parser, b"step,a,b\n1,True,0.5\n")
    second = read(parser, b"2,0,True\n3,maybe,False\n4,False,0.25\n")
    assert (first.values("a"), second.values("a")) == ([1], [0, 0])
    assert (first.values("b"), second.values("b")) == ([0.5], [0.25])
    assert parse(read, "step,a,b\n1,True,0.5\n2,0,True\n").points.keys() == {"a", "b"}
    assert parse(read, "step,a,b\n1,True,0.5\n2,maybe,True\n").points.keys() == {"b"}


def test_wall_times(read: Read) -> None:
    """Dates, seconds and milliseconds; a duration stays a tag."""
    found = parse(read, "step,timestamp,loss\n1,1700000000.5,0.5\n2,1700000001.5,0.25\n")
    assert found.times("loss") == [1700000000.5, 1700000001.5]
    found = parse(read, "timestamp,step,loss\n1700000000500,1,0.5\n")
    assert found.times("loss") == [1700000000.5]
    found = parse(read, "date,step,loss\n2023-11-14T22:13:20Z,1,0.5\n2023-11-14 22:13:21+00:00,2,0.25\n")
    assert found.times("loss") == [1700000000, 1700000001]
    assert list(found.points) == ["loss"]
    found = parse(read, "step,time,loss\n1,0.5,0.5\n")
    assert columns(found) == {"time": [0.5], "loss": [0.5]}


def test_durations_are_seconds(read: Read) -> None:
    """Fastai writes how long an epoch took as 04:39."""
    found = parse(read, "epoch,train_loss,time\n0,0.5,04:39\n1,0.25,1:04:36\n")
    assert found.values("time") == [279, 3876]


def test_the_finest_counter_is_the_step(read: Read) -> None:
    """The others stay tags; a counter that may be worth a curve does, too."""
    found = parse(read, "Epoch\tTotalEnvInteracts\tLossPi\n0\t4000\t0.5\n1\t8000\t0.25\n", "progress.txt")
    assert found.steps("LossPi") == [4000, 8000]
    assert list(found.points) == ["Epoch", "TotalEnvInteracts", "LossPi"]


def test_a_counter_in_a_group(read: Read) -> None:
    """What rlpyt and others call Diagnostics/Iteration counts the steps where nothing else does; it stays a tag."""
    found = parse(read, "Diagnostics/Iteration,ReturnAverage\n5,0.5\n10,0.25\n", "progress.csv")
    assert found.steps("ReturnAverage") == [5, 10]
    assert found.values("Diagnostics/Iteration") == [5, 10]
    assert parse(read, "train/epoch,step,loss\n5,1,0.5\n").steps("loss") == [1]


def test_steps_that_begin_anew_in_every_epoch(read: Read) -> None:
    """They are counted on, from zero or one, and again from an epoch that was trained once more."""
    text = "epoch,batch,loss\n" + "".join(f"{e},{b},0.5\n" for e in (0, 1, 2) for b in (0, 1, 2))
    assert parse(read, text).steps("loss") == [*range(9)]
    again = text + "1,0,0.5\n1,1,0.5\n"
    assert parse(read, again).steps("loss") == [*range(9), 3, 4]
    text = "epoch,iter,loss\n" + "".join(f"{e},{b},0.5\n" for e in (1, 2) for b in (10, 20, 30))
    assert parse(read, text).steps("loss") == [10, 20, 30, 40, 50, 60]
    text = "epoch,step,loss\n0,10,1\n0,20,1\n1,30,1\n1,40,1\n"
    assert parse(read, text).steps("loss") == [10, 20, 30, 40]


def test_an_episode_with_its_number_of_steps(read: Read) -> None:
    """A row an episode has the episode as its step, not the length of it."""
    found = parse(read, "episode,step,reward\n0,16,404\n1,16,334\n2,15,300\n")
    assert found.steps("reward") == [0, 1, 2]
    assert found.values("step") == [16, 16, 15]


def test_the_part_of_the_data_goes_before_the_tag(read: Read) -> None:
    found = parse(read, "epoch,phase,loss\n0,train,0.5\n0,val,0.75\n1,train,0.25\n1,val,0.5\n")
    assert columns(found) == {"train/loss": [0.5, 0.25], "val/loss": [0.75, 0.5]}


def test_the_long_form(read: Read) -> None:
    """A row a value, with its tag beside it."""
    found = parse(read, "step,tag,value\n1,loss,0.5\n1,acc,0.1\n2,loss,0.25\n")
    assert columns(found) == {"loss": [0.5, 0.25], "acc": [0.1]}
    assert found.steps("loss") == [1, 2]


def test_values_without_a_name_are_named_after_the_file(read: Read) -> None:
    """TensorBoard's download has Wall time, Step and Value; d3rlpy writes no header at all."""
    found = parse(read, "Wall time,Step,Value\n1700000000.5,3,0.5\n", "run-a_b-tag-train_loss.csv")
    assert found.points == {"train_loss": [(3.0, 1700000000.5, 0.5)]}
    found = parse(read, "1,100,0.5\n1,200,0.25\n2,300,0.125\n", "d3rlpy_logs/DQN/td_loss.csv")
    assert found.steps("td_loss") == [100, 200, 300]
    assert found.values("td_loss") == [0.5, 0.25, 0.125]


def test_an_index_is_no_tag(read: Read) -> None:
    """What pandas and R write in front; it counts the rows where nothing else does."""
    assert parse(read, ",epoch,loss\n0,1,0.5\n1,2,0.25\n").steps("loss") == [1, 2]
    found = parse(read, ",loss\n0,0.5\n1,0.25\n")
    assert columns(found) == {"loss": [0.5, 0.25]}
    assert found.steps("loss") == [0, 1]
    assert columns(parse(read, '"loss" "acc"\n"1" 0.5 1\n"2" 0.25 2\n')) == {"loss": [0.5, 0.25], "acc": [1, 2]}


def test_a_column_without_a_name_is_called_by_its_number(read: Read) -> None:
    """Where it holds anything; what is left of a delimiter at the end of every line is nothing."""
    assert columns(parse(read, "step,loss,\n1,0.5,\n2,0.25,7\n")) == {"loss": [0.5, 0.25], "column 3": [7]}
    assert columns(parse(read, "step,loss,\n1,0.5,\n2,0.25,\n")) == {"loss": [0.5, 0.25]}


def test_without_any_counter_there_is_no_step(read: Read) -> None:
    """The store then counts the rows."""
    assert all(math.isnan(step) for step in parse(read, "loss,acc\n0.5,1\n0.25,2\n").steps("loss"))


def test_settings_are_no_tags(read: Read) -> None:
    """Ray repeats all its settings in every row."""
    text = "training_iteration,loss,config/lr,config/model,config/ok\n1,0.5,0.1,mlp,True\n2,0.25,0.1,mlp,True\n"
    found = parse(read, text)
    assert columns(found) == {"loss": [0.5, 0.25]}
    assert found.others == [Config({"lr": 0.1, "model": "mlp", "ok": True})]


def test_remarks(read: Read) -> None:
    """numpy.savetxt puts its header into a remark; settings may be in one; others are passed over."""
    assert columns(parse(read, "# step loss\n1 0.5\n2 0.25\n")) == {"loss": [0.5, 0.25]}
    found = parse(read, '# {"lr": 0.1}\n# begun\nstep,loss\n1,0.5\n# resumed\n2,0.25\n')
    assert columns(found) == {"loss": [0.5, 0.25]}
    assert found.others == [Config({"lr": 0.1})]


def test_a_header_in_the_middle(read: Read) -> None:
    """A resumed training writes its header again, or another one."""
    found = parse(read, "step,loss\n1,0.5\nstep,loss\n2,0.25\n")
    assert found.steps("loss") == [1, 2]
    assert found.others == []
    found = parse(read, "step,loss\n1,0.5\nstep,acc,loss\n2,0.75,0.25\n")
    assert columns(found) == {"loss": [0.5, 0.25], "acc": [0.75]}


def test_rows_of_another_length(read: Read) -> None:
    """Short rows lack their last cells, empty cells too many are nothing, and what cannot be told is counted."""
    found = parse(read, "step,loss,acc\n1,0.5\n2,0.25,0.5,,\n3,0.125,0.5,7\nTraceback\n4,1,1\n")
    assert found.steps("loss") == [1, 2, 4]
    assert found.steps("acc") == [2, 4]
    (skipped,) = found.others
    assert isinstance(skipped, Skipped)
    assert (skipped.kind, skipped.count, skipped.detail) == ("ragged row", 2, "3,0.125,0.5,7")
    assert skipped.where == len("step,loss,acc\n1,0.5\n2,0.25,0.5,,\n")


def test_the_same_name_twice(read: Read) -> None:
    """The second one gets a number that no other column has."""
    assert list(parse(read, "step,loss,loss\n1,0.5,0.25\n").points) == ["loss", "loss.1"]
    found = parse(read, "step,a,a,a.1,a\n1,1,2,3,4\n")
    assert columns(found) == {"a": [1], "a.2": [2], "a.1": [3], "a.3": [4]}


def test_a_hole_of_nul_bytes(read: Read) -> None:
    """What a crashed machine leaves in a file."""
    found = parse(read, b"step,loss\n1,0.5\n\0\0\0\0\0\n2,0.25\n")
    assert found.steps("loss") == [1, 2]
    assert [record.kind for record in found.others if isinstance(record, Skipped)] == ["NUL bytes"]


def test_a_line_that_does_not_end(read: Read) -> None:
    """It is passed over without being kept, and the rows after it are read."""
    data = b"step,loss\n1,0.5\n" + b"x" * (9 << 20) + b"\n2,0.25\n"
    found = read(FORMAT.parser("a.csv"), data, range(0, len(data), 1 << 20))
    assert found.steps("loss") == [1, 2]
    assert [record.kind for record in found.others if isinstance(record, Skipped)] == ["line too long"]


MIXED = (
    b'# {"lr": 0.1}\n'
    b"epoch,iter,note,train_loss,val_loss,time\r\n"
    b"0,0,a,0.123456789,,1700000000\r\n"
    b'0,1,"b\nc",0.5,nan,1700000001\r\n'
    b"0,2,d,,0.25,1700000002\r\n"
    b"1,0,e,None,0.125,1700000003\r\n"
    b"epoch,iter,note,train_loss,val_loss,time\r\n"
    b"1,1,f,oops,-inf,1700000004\r\n"
    b"1,2,g,1,2,3,4,5,6\r\n"
    b"epoch,iter,val_loss,extra,time\r\n"
    b"2,0,4,5,1700000005\r\n"
    b"2,1,4.5,5.5,1700000006\r\n"
)


def test_growth_at_every_byte(read: Read) -> None:
    """Whatever part of the file is there at first, and however it arrives, the same points come out of it."""
    whole = read(FORMAT.parser("a.csv"), MIXED)
    assert whole.left == b""
    for cut in range(len(MIXED)):
        parts = read(FORMAT.parser("a.csv"), MIXED, [cut])
        assert str(parts.points) == str(whole.points), cut
        assert parts.kinds() == whole.kinds(), cut


def test_a_byte_at_a_time_each_at_the_end_of_the_file(read: Read) -> None:
    """Half a number is never taken for a whole one."""
    whole = read(FORMAT.parser("a.csv"), MIXED)
    parser, found, kept = FORMAT.parser("a.csv"), read(FORMAT.parser("a.csv"), b""), b""
    for at in range(len(MIXED)):
        kept += MIXED[at : at + 1]
        parsed = parser.parse(kept, at_end=True)
        found.take(parsed.records)
        kept = kept[parsed.consumed :]
    assert str(found.points) == str(whole.points)


def test_a_last_row_without_a_line_break(read: Read) -> None:
    """It counts in a file that is finished, but not in one that is seen growing, or that was cut by a full buffer."""
    assert parse(read, "step,loss\n1,0.5\n2,0.25").steps("loss") == [1, 2]
    assert parse(read, "step,loss\n1,0.5").steps("loss") == [1]
    for half in ("2", "2,", "2,0."):
        assert parse(read, f"step,loss\n1,0.5\n{half}").steps("loss") == [1]
    parser = FORMAT.parser("a.csv")
    assert parser.parse(b"step,loss\n1,0.5\n", at_end=True).consumed == 16
    assert parser.parse(b"2,0.25", at_end=True).consumed == 0
    rows = b"step,loss\n" + b"".join(b"%d,0.5\n" % step for step in range(1000))
    found = read(FORMAT.parser("a.csv"), rows[:4096])
    assert found.left == rows[: len(rows)][rows[:4096].rfind(b"\n") + 1 : 4096]


def test_a_last_row_that_went_on_after_all() -> None:
    """The file is to be read again; not so where only the line break had been missing."""
    data = b"step,loss\n1,0.5\n2,0.2"
    for more, again in ((b"5\n3,0.125\n", True), (b"5", True), (b"\r", False), (b"\r\n3,0.125\n", False)):
        parser = FORMAT.parser("a.csv")
        assert parser.parse(data, at_end=True).consumed == len(data)
        parsed = parser.parse(more, at_end=True)
        assert (parsed.again, parsed.consumed) == (again, len(more) if b"3," in more and not again else 0)
        assert not any(isinstance(record, Skipped) for record in parsed.records)


def test_reading_an_earlier_range_again(read: Read) -> None:
    """Every range from a place up to which a piece was consumed gives the same points once more."""
    for data in (MIXED, b"epoch,batch,loss\n" + b"".join(b"%d,%d,1\n" % (e, b) for e in range(3) for b in range(5))):
        parser = FORMAT.parser("a.csv")
        ranges, kept, start = [], b"", 0
        for at in range(len(data)):
            kept += data[at : at + 1]
            parsed = parser.parse(kept, at_end=False)
            if parsed.consumed:
                ranges.append((start, parsed))
                start += parsed.consumed
                kept = kept[parsed.consumed :]
        assert len(ranges) > 5
        for number, (offset, first) in enumerate(ranges):
            length = sum(parsed.consumed for _, parsed in ranges[number:][:3])
            again = read(parser.clone(offset), data[offset : offset + length])
            expected = read(FORMAT.parser("a.csv"), b"")
            for _, parsed in ranges[number:][:3]:
                expected.take(parsed.records)
            assert {tag: [*map(str, points)] for tag, points in again.points.items()} == {
                tag: [*map(str, points)] for tag, points in expected.points.items()
            }, (offset, first)


def random_table(source: random.Random) -> tuple[list[str], list[list[str]]]:
    """A table as programs write it: every column of one sort of cells, with holes."""
    sorts = [
        lambda: repr(source.random()),
        lambda: repr(struct.unpack("d", source.randbytes(8))[0]),
        lambda: str(source.randrange(-(10**18), 10**18)),
        lambda: f"{source.random():.6g}",
        lambda: source.choice(["nan", "inf", "-inf", "NaN", "1", "0.5"]),
        lambda: source.choice(["", "0.5", "1e-5"]),
        lambda: source.choice(["a", "b c", 'say "x"', "x,y", "", "two\nlines"]),
    ]
    chosen = [source.choice(sorts) for _ in range(source.randrange(1, 8))]
    names = ["step", *(f"m{number}" for number in range(len(chosen)))]
    return names, [[str(step), *(cell() for cell in chosen)] for step in range(source.randrange(1, 60))]


def test_as_the_csv_module_and_float_read_it(read: Read) -> None:
    """Every number of random tables, to the last bit, whatever the delimiter and wherever the pieces are cut."""
    source = random.Random(5)
    for _ in range(60):
        names, rows = random_table(source)
        text = io.StringIO()
        delimiter = source.choice(",\t;|")
        quoting = source.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
        csv.writer(text, delimiter=delimiter, quoting=quoting).writerows([names, *rows])
        data = text.getvalue().encode()
        cuts = sorted(source.randrange(len(data)) for _ in range(3))
        found = read(FORMAT.parser("a.csv"), data, cuts)
        for at, name in enumerate(names[1:], 1):
            expected = [(float(row[0]), number) for row in rows if (number := as_float(row[at])) is not None]
            points = [(step, value) for step, _, value in found.points.get(name, [])]
            assert struct.pack(f"{2 * len(points)}d", *sum(points, ())) == struct.pack(
                f"{2 * len(expected)}d", *sum(expected, ())
            )
        assert found.left == b""


STAMPS = {
    "as Python writes it": lambda stamp: stamp.isoformat(" ", "microseconds"),
    "whole seconds": lambda stamp: stamp.isoformat("T", "seconds"),
    "with a zone": lambda stamp: stamp.astimezone(timezone.utc).isoformat(),
    "a number": lambda stamp: repr(stamp.timestamp()),
    "padded": lambda stamp: stamp.strftime(" %Y-%m-%d %H:%M:%S"),
}


@pytest.mark.parametrize("stamp", STAMPS)
def test_large_blocks_are_read_as_small_ones(read: Read, stamp: str) -> None:
    """Columns of all sorts in blocks that are read at once, and the same rows one by one."""
    source = random.Random(stamp)
    words = ["nan", "-inf", "NaN", "", "None", "null", "1", "-0.0", "NA", "2.5%", "1e-300", "+.5", "7.", "oops"]
    columns = {
        "words": [source.choice(words) for _ in range(1500)],
        "dense": [repr(source.random()) for _ in range(1500)],
        "short": [f"{source.gauss(0, 1e3):.6g}" for _ in range(1500)],
        "any": [repr(struct.unpack("d", source.randbytes(8))[0]) for _ in range(1500)],
        "names": [
            source.choice(["node-1", "node-2", "\u00e9t\u00e9", "a rather long name of a node"]) for _ in range(1500)
        ],
        "done": [source.choice(["True", "False", ""]) for _ in range(1500)],
        "sparse": [source.choice(["", "", "0.5"]) for _ in range(1500)],
    }
    start = datetime(2024, 3, 30, 22, 59, 59, 500_000)  # noqa: DTZ001
    stamps = [STAMPS[stamp](start + timedelta(seconds=7.25 * row)) for row in range(1500)]
    delimiter, end = source.choice(",\t;"), source.choice(["\n", "\r\n"])
    lines = [delimiter.join(["step", "timestamp", *columns]) + end]
    cells = zip(map(str, range(1500)), stamps, *columns.values(), strict=True)
    lines += [delimiter.join(row) + end for row in cells]
    data = "".join(lines).encode()
    assert len(data) > 3 * LEAST
    whole = read(FORMAT.parser("a.csv"), data, [2 * LEAST])
    edges = [*itertools.accumulate(len(line.encode()) for line in lines)]
    parts = read(FORMAT.parser("a.csv"), data, edges[20:-1])
    assert whole.points.keys() == {*columns} - {"names"}
    for tag, points in whole.points.items():
        assert str(points) == str(parts.points[tag]), tag
    assert sorted(map(str, nulls_in(whole))) == sorted(map(str, nulls_in(parts))) != []
    assert texts_in(whole) == texts_in(parts) > 0


def nulls_in(content: Content) -> list[Null]:
    return [record for record in content.others if isinstance(record, Null)]


def texts_in(content: Content) -> int:
    return sum(record.count for record in content.others if isinstance(record, Skipped))


def as_float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


@settings(max_examples=150, deadline=2000)
@given(
    st.lists(st.tuples(st.integers(0, len(MIXED)), st.binary(max_size=6)), max_size=4),
    st.lists(st.integers(0, len(MIXED)), max_size=3),
)
def test_damage_never_raises(changes: list[tuple[int, bytes]], cuts: list[int]) -> None:
    """Any bytes at any place: nothing is raised, and at the end little is left waiting."""
    data = MIXED
    for place, new in changes:
        data = data[:place] + new + data[place + len(new) // 2 :]
    FORMAT.sniff("a.csv", data or b"x")
    parser, kept = FORMAT.parser("a.csv"), b""
    edges = [0, *sorted(cuts), len(data)]
    for low, high in zip(edges, edges[1:]):  # noqa: B905, RUF007
        kept += data[low:high]
        parsed = parser.parse(kept, at_end=high == len(data))
        assert 0 <= parsed.consumed <= len(kept)
        assert all(record.count for record in parsed.records if isinstance(record, ScalarRows))
        kept = kept[parsed.consumed :]


@settings(max_examples=150, deadline=2000)
@given(st.binary(max_size=400) | st.text(alphabet='01,;\n"#e.-x\t ', max_size=400).map(str.encode))
def test_any_bytes_never_raise(data: bytes) -> None:
    if data:
        FORMAT.sniff("a.csv", data)
    parsed = FORMAT.parser("a.csv").parse(data, at_end=True)
    assert 0 <= parsed.consumed <= len(data)
