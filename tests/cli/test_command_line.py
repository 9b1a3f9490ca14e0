"""The command line as a whole: help, version, statuses, messages, and what people type out of habit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tuimon import __version__
from tuimon.commands import COMMANDS, live, packages
from tuimon.commands.outcome import INCOMPLETE, NOTHING, OK, USAGE
from tuimon.commands.places import chosen
from tuimon.commands.view_options import view_state
from tuimon.ui.remembered import save_view
from tuimon.ui.state import ViewState

if TYPE_CHECKING:
    from .conftest import Tuimon


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[str], object]]:
    """What the live view would have been opened with."""
    calls: list[tuple[list[str], object]] = []

    def open_view(roots: list[str], args: object, **_more: object) -> int:
        calls.append((roots, args))
        return OK

    monkeypatch.setattr(live, "open_view", open_view)
    return calls


def test_version(tuimon: Tuimon) -> None:
    """The version is printed on standard output."""
    assert tuimon("--version") == tuimon("logs", "--version")
    assert tuimon("--version").out == f"tuimon {__version__}\n"


def test_help_names_every_command_and_every_status(tuimon: Tuimon) -> None:
    """The help of the program lists the commands and the exit statuses."""
    result = tuimon("--help")
    assert result.status == OK
    for name in COMMANDS:
        assert f"tuimon {name}" in result.out
    for status in ("0 ", "1 ", "2 ", "3 ", "129 ", "130 ", "141 ", "143 "):
        assert f"\n  {status}" in result.out


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_its_help(tuimon: Tuimon, name: str) -> None:
    """``tuimon COMMAND --help`` tells what it does."""
    result = tuimon(name, "--help")
    assert result.status == OK
    assert result.out.startswith(f"usage: tuimon {name}")


def test_several_directories(tuimon: Tuimon, opened: list[tuple[list[str], object]], tmp_path: Path) -> None:
    """Directories are given one after the other, or with --logdir as in other tools (case G20)."""
    a, b = tmp_path / "a", tmp_path / "b"
    a.mkdir()
    b.mkdir()
    tuimon(a, b)
    tuimon("--logdir", a, b)
    tuimon(f"--logdir={a}", "--logdir", b)
    assert [roots for roots, _ in opened] == [[str(a), str(b)]] * 3


def test_a_comma_between_directories_gives_a_hint(tuimon: Tuimon, tmp_path: Path) -> None:
    """TensorBoard's ``a,b`` is refused with what to type instead (case G20)."""
    a, b = tmp_path / "a", tmp_path / "b"
    a.mkdir()
    b.mkdir()
    for word in (f"{a},{b}", f"one:{a},two:{b}"):
        result = tuimon(word)
        assert result.status == USAGE
        assert f"tuimon {a} {b}" in result.err
        assert result.out == ""


def test_a_directory_with_a_comma_in_its_name_is_a_directory(
    tuimon: Tuimon, opened: list[tuple[list[str], object]], tmp_path: Path
) -> None:
    """What exists is taken as it is."""
    odd = tmp_path / "a,b"
    odd.mkdir()
    tuimon(odd)
    assert [roots for roots, _ in opened] == [[str(odd)]]


@pytest.mark.parametrize(
    "words",
    [
        ["--port", "6006"],
        ["--port=6006", "--host", "0.0.0.0", "--bind_all"],
        ["-p", "8040", "-t", "localhost", "--language", "en"],
    ],
)
def test_server_flags_are_met_with_one_line(
    tuimon: Tuimon, opened: list[tuple[list[str], object]], tmp_path: Path, words: list[str]
) -> None:
    """Flags of tensorboard and visualdl about their server are not needed, which is said once and is no error."""
    result = tuimon("--logdir", tmp_path, *words)
    assert result.status == OK
    assert [roots for roots, _ in opened] == [[str(tmp_path)]]
    assert len(result.err.splitlines()) == 1
    assert words[0].partition("=")[0] in result.err


def test_smooth_zero_is_raw(tuimon: Tuimon, opened: list[tuple[list[str], object]], tmp_path: Path) -> None:
    """``--smooth 0`` means raw curves and not the default (case D5)."""
    tuimon(tmp_path, "--smooth", "0")
    tuimon(tmp_path)
    assert [view_state(args).smoothing for _, args in opened] == [0.0, 0.6]  # type: ignore[arg-type]


def test_the_view_opens_as_it_was_asked_for(
    tuimon: Tuimon, opened: list[tuple[list[str], object]], tmp_path: Path
) -> None:
    """Runs, tags, smoothing and axes can be chosen at launch, before or after the directory (case E17)."""
    options = {
        "--runs": "lr*", "--tags": "loss", "--smooth": ".9", "--x": "relative", "--xmin": "100", "--xmax": "200",
        "--view": "scalars",
    }  # fmt: skip
    words = ["--log-y", *(word for pair in options.items() for word in pair)]
    tuimon(tmp_path, *words)
    tuimon(*words, tmp_path)
    for roots, args in opened:
        assert roots == [str(tmp_path)]
        view = view_state(args)  # type: ignore[arg-type]
        assert (view.run_filter, view.tag_filter, view.smoothing, view.x_mode) == ("lr*", "loss", 0.9, "relative")
        assert (view.x_min, view.x_max, view.log_y, view.view) == (100, 200, True, 2)
    assert len(opened) == 2


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--xlim", "1:2.5"], {"x_min": 1, "x_max": 2.5}),
        (["--xlim", ":1e3", "--ylim", "-1:"], {"x_min": None, "x_max": 1000, "y_min": -1, "y_max": None}),
        (["--log", "xy"], {"log_x": True, "log_y": True}),
        (["--log", "x"], {"log_x": True, "log_y": False}),
        (["--log-y"], {"log_x": False, "log_y": True}),
        (["--log", "none"], {"log_y": False}),
        (["--x", "relative"], {"x_mode": "relative"}),
        (["--x", "train/epoch"], {"x_mode": "tag"}),
        (["--view", "log"], {"view": 7}),
        ([], {}),
    ],
)
def test_axes_and_views(words: list[str], expected: dict[str, object]) -> None:
    """Limits, logarithmic axes and what the x axis counts; what is not said stays as it was."""
    view = view_state(live.parse(words), ViewState(x_min=7, smoothing=0.9))
    for name, value in ({"x_min": 7, "smoothing": 0.9} | expected).items():
        assert getattr(view, name) == value, name


def test_what_was_chosen_is_found_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A directory opens as it was left; the command line wins over that, and --fresh forgets it (case I11)."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    logs = tmp_path / "logs"
    logs.mkdir()
    notices: list[str] = []

    def opened(*words: str, where: Path = logs) -> tuple[ViewState, Path | None]:
        return live.remembered_view([str(where)], live.parse([str(where), *words]), notices)

    view, place = opened()
    assert place is not None
    assert (view.smoothing, place.exists()) == (0.6, False)
    view.smoothing, view.log_y, view.tag_filter = 0.95, True, "loss"
    save_view(place, view)
    again, _ = opened("--tags", "acc")
    assert (again.smoothing, again.log_y, again.tag_filter) == (0.95, True, "acc")
    assert opened("--fresh")[0].smoothing == 0.6
    assert opened(where=tmp_path)[0].smoothing == 0.6
    shared = tmp_path / "shared.json"
    save_view(shared, ViewState(view=4, smoothing=0.5))
    other, kept = opened("--view", str(shared), "--smooth", "0")
    assert (other.view, other.smoothing, kept) == (4, 0.0, None)
    assert notices == []
    place.write_text("{")
    assert opened()[0].smoothing == 0.6
    assert "is not a view" in notices.pop()


def test_the_other_usual_directory_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When nothing was said and there are logs in ./runs and ./logs, one is opened and the other is told."""
    monkeypatch.chdir(tmp_path)
    for name in ("logs", "runs"):
        Path(name, "a").mkdir(parents=True)
        Path(name, "a", "metrics.csv").write_text("step,loss\n1,2\n")
        told: list[str] = []
        assert chosen([], tell=told.append) == [name]
        assert told == ([] if name == "logs" else ["this is ./runs; there are logs in ./logs too"])


@pytest.mark.parametrize(
    "words",
    [
        ["--xlim", "5"],
        ["--xlim", "2:1"],
        ["--ylim", "a:b"],
        ["--log", "z"],
        ["--view", "."],
        ["--smooth", "1"],
        ["--smooth", "x"],
        ["--view", "nine"],
        ["--poll", "0"],
        ["--nonsense"],
        ["--runs", "re:("],
    ],
)
def test_bad_options_are_usage_errors(tuimon: Tuimon, tmp_path: Path, words: list[str]) -> None:
    """A wrong value ends with status 2 and a message that names it."""
    result = tuimon(tmp_path, *words)
    assert result.status == USAGE
    assert "Traceback" not in result.err
    assert result.err


def test_a_directory_named_like_a_command(
    tuimon: Tuimon, opened: list[tuple[list[str], object]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """``./ls`` is a directory; ``ls`` is the command."""
    monkeypatch.chdir(tmp_path)
    Path("ls").mkdir()
    tuimon("./ls")
    assert [roots for roots, _ in opened] == [["./ls"]]


def test_the_live_view_waits_for_a_directory_that_is_not_there_yet(
    tuimon: Tuimon, opened: list[tuple[list[str], object]], tmp_path: Path
) -> None:
    """A training may make its log directory later (case G19)."""
    assert tuimon(tmp_path / "later").status == OK
    assert [roots for roots, _ in opened] == [[str(tmp_path / "later")]]


@pytest.mark.parametrize("name", ["ls", "show", "compare", "export"])
def test_the_data_commands_say_that_a_directory_is_missing(tuimon: Tuimon, tmp_path: Path, name: str) -> None:
    """A missing directory is a clear message and a status of its own, not an endless wait (case G19)."""
    result = tuimon(name, tmp_path / "nowhere")
    assert result.status == USAGE
    assert "no such file or directory" in result.err
    assert result.out == ""


@pytest.mark.parametrize("name", ["ls", "show", "compare", "export"])
def test_an_empty_directory_is_nothing_found(tuimon: Tuimon, tmp_path: Path, name: str) -> None:
    """No runs is a status of its own; nothing but data goes to standard output."""
    result = tuimon(name, tmp_path)
    assert result.status == NOTHING
    assert "no runs" in result.err
    assert result.out == ""


def test_usual_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With no directory, ./runs, then ./logs, then here: the first that holds logs."""
    monkeypatch.chdir(tmp_path)
    line = '{"step": 1, "loss": 0.5}\n'
    Path("wandb/run-1").mkdir(parents=True)
    Path("wandb/run-1/metrics.jsonl").write_text(line)
    assert chosen([]) == ["."]
    Path("logs/a").mkdir(parents=True)
    Path("runs").mkdir()
    assert chosen([]) == ["."]
    Path("logs/a/metrics.jsonl").write_text(line)
    assert chosen([]) == ["logs"]
    Path("runs/metrics.jsonl").write_text(line)
    assert chosen([]) == ["runs"]


def test_without_logs_it_says_what_to_do_next(tuimon: Tuimon, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With nothing to show, three things to do next; settings alone are nothing to show."""
    monkeypatch.chdir(tmp_path)
    Path("notes.txt").write_text("not a log\n")
    Path("config.yaml").write_text("lr: 0.1\nbatch_size: 32\n")
    result = tuimon()
    assert result.status == NOTHING
    for words in ("tuimon demo", "tuimon DIR", "from tuimon_writer import"):
        assert words in result.err


def test_without_a_terminal_the_live_view_says_what_works(tuimon: Tuimon, logs: Path) -> None:
    """In a pipe or a cron job there is no terminal: the message names the command that needs none."""
    result = tuimon(logs)
    assert result.status == USAGE
    assert "tuimon show" in result.err


def test_missing_packages(tuimon: Tuimon, logs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Installed without dependencies, it says exactly what to install; the version still works."""
    monkeypatch.setattr(packages, "NEEDED", ("os", "no_such_package_a", "no_such_package_b"))
    result = tuimon("ls", logs)
    assert result.status == INCOMPLETE
    assert "pip install 'no_such_package_a' 'no_such_package_b'" in result.err
    assert tuimon("--version").status == OK


def test_logs_without_data_are_told(tuimon: Tuimon, tmp_path: Path) -> None:
    """A training that has only just opened its log is no run yet, but it was seen."""
    (tmp_path / "log.jsonl").write_text('{"tuimon": 1}\n', encoding="utf-8")
    said = tuimon("ls", tmp_path)
    assert f"no runs in {tmp_path}: 1 log there, with nothing in it yet" in said.err


def test_the_help_says_whose_logs_are_opened(tuimon: Tuimon) -> None:
    """The main help names the programs; those of the commands say that the writer's are not the only logs."""
    assert "TensorBoard, W&B" in tuimon("--help").out
    assert "or another program" in " ".join(tuimon("ls", "--help").out.split())
