"""Tables of comma- or tab-separated values: every dialect."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from tuimon.formats.delimited import FORMAT
from tuimon.records import Config, Null, Skipped

from .tables import columns, parse

if TYPE_CHECKING:
    from .conftest import Content

    Read = Callable[..., Content]

NAN = math.nan


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
