"""Which points belong to which attempt: decided from the steps of the files alone."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tuimon.store.attempts import Begin, SourceSteps, decide, is_tangled, limits, wrong_steps
from tuimon.store.segments import Segment, Tracker


def tracked(steps: Iterable[float], *, pieces: int = 1, restarts: Sequence[tuple[int, float]] = ()) -> SourceSteps:
    """The facts of a file with these steps, fed in pieces."""
    tracker = Tracker()
    steps = [float(step) for step in steps]
    edges = sorted({0, len(steps), *(i * len(steps) // pieces for i in range(pieces)), *(at for at, _ in restarts)})
    for start, end in itertools.pairwise(edges):
        if start in {at for at, _ in restarts}:
            tracker.cut()
        tracker.feed(np.array(steps[start:end]))
    numbered = tracker.unnumbered < tracker.count or not steps
    return SourceSteps(tracker.segments, tracker.count, numbered, restarts, tracker.tangled)


def begins(*files: Iterable[float]) -> list[tuple[int, int, float]]:
    """Where the attempts begin: (file, position, step)."""
    return [(b.source, b.position, b.step) for b in decide([tracked(steps) for steps in files])]


def kept(*files: Sequence[float]) -> list[float]:
    """The steps of the curve: what is not superseded, sorted."""
    facts = [tracked(steps) for steps in files]
    found = decide(facts)
    ends = limits(found)
    result = []
    for number, steps in enumerate(files):
        for position, step in enumerate(steps):
            attempt = max(i for i, b in enumerate(found) if (b.source, b.position) <= (number, position))
            if step < ends[attempt]:
                result.append(step)
    return sorted(result)


def test_one_file_that_only_goes_on_is_one_attempt() -> None:
    """Plain training: one attempt, from its first step."""
    assert begins(range(100)) == [(0, 0, 0.0)]


def test_no_points_no_attempt() -> None:
    """Files without points (a newer, empty file) begin nothing (case B6)."""
    assert begins([]) == []
    assert begins(range(5), []) == [(0, 0, 0.0)]
    assert begins([], range(5)) == [(1, 0, 0.0)]


def test_a_resumed_run_supersedes_the_overlap() -> None:
    """F1 0..150 and F2 100..250: the second wins from 100 (case B1)."""
    assert begins(range(151), range(100, 251)) == [(0, 0, 0.0), (1, 0, 100.0)]
    assert kept(range(151), range(100, 251)) == [float(i) for i in range(251)]


def test_a_run_from_the_start_is_a_second_attempt() -> None:
    """Two trainings of the same length in one directory are attempts 1 and 2 (case B3)."""
    assert begins(range(101), range(101)) == [(0, 0, 0.0), (1, 0, 0.0)]


def test_a_shorter_second_training_supersedes_the_first() -> None:
    """A second training that starts over is the newest attempt, although it is shorter so far (case B15)."""
    assert begins(range(101), range(81)) == [(0, 0, 0.0), (1, 0, 0.0)]
    assert kept(range(101), range(81)) == [float(i) for i in range(81)]


def test_files_that_follow_on_are_one_curve() -> None:
    """F1 0..4 and F2 5..7 join without a new attempt (cases B4 and B5)."""
    assert begins(range(5), range(5, 8)) == [(0, 0, 0.0)]


def test_repeated_resumes_lose_no_point() -> None:
    """16,32,48 then 48,64 then 80,96: only the doubled 48 is superseded (case B12)."""
    assert begins([16, 32, 48], [48, 64], [80, 96]) == [(0, 0, 16.0), (1, 0, 48.0)]
    assert kept([16, 32, 48], [48, 64], [80, 96]) == [16, 32, 48, 64, 80, 96]


def test_a_file_that_begins_at_the_last_step_is_an_attempt() -> None:
    """The first point of the later file equals the last step of the earlier one: the later one wins there."""
    assert begins(range(101), range(100, 201)) == [(0, 0, 0.0), (1, 0, 100.0)]


def test_three_attempts_cut_each_other() -> None:
    """A third attempt from before the second cuts both."""
    files = (range(100), range(50, 200), range(30, 60))
    assert begins(*files) == [(0, 0, 0.0), (1, 0, 50.0), (2, 0, 30.0)]
    assert limits([Begin(0, 0, 0.0), Begin(1, 0, 50.0), Begin(2, 0, 30.0)]) == [30.0, 30.0, math.inf]
    assert kept(*files) == [float(i) for i in range(60)]


def test_a_file_after_a_shorter_attempt_goes_on_with_it() -> None:
    """Steps that only a superseded attempt reached do not make a continuation a new attempt."""
    assert begins(range(1000), range(500, 601), range(601, 700)) == [(0, 0, 0.0), (1, 0, 500.0)]


def test_a_restart_record_cuts_from_its_step() -> None:
    """F1 0..5, F2 says it restarts at 3, then 3..7 (case B2)."""
    facts = [tracked(range(6)), tracked(range(3, 8), restarts=[(0, 3.0)])]
    assert decide(facts) == [Begin(0, 0, 0.0), Begin(1, 0, 3.0)]


def test_a_restart_record_cuts_even_what_is_not_logged_again() -> None:
    """The restart is at 3, the next logged step is 10: steps 3..5 of the first file are superseded all the same."""
    facts = [tracked(range(6)), tracked([10, 11], restarts=[(0, 3.0)])]
    assert decide(facts) == [Begin(0, 0, 0.0), Begin(1, 0, 3.0)]


def test_a_restart_record_counts_for_a_tag_that_the_new_file_lacks() -> None:
    """A file without points of the tag still supersedes it from its restart step on."""
    assert decide([tracked(range(6)), SourceSteps((), 0, restarts=[(0, 3.0)])]) == [Begin(0, 0, 0.0), Begin(1, 0, 3.0)]


def test_a_restart_record_within_a_file() -> None:
    """A process that restarts in the same file: the part after the record is a new attempt."""
    facts = [tracked([*range(10), *range(5, 15)], restarts=[(10, 5.0)])]
    assert decide(facts) == [Begin(0, 0, 0.0), Begin(0, 10, 5.0)]


def test_a_restart_record_of_a_fresh_run_is_its_start() -> None:
    """Restarting at 250 without earlier data is one attempt that starts at 250 (case B20)."""
    assert decide([tracked(range(250, 300), restarts=[(0, 250.0)])]) == [Begin(0, 0, 250.0)]


def test_a_run_again_after_a_restart_record_at_a_higher_step() -> None:
    """A restart record says 50 but the file logs from 20: the newest data win from 20."""
    facts = [tracked(range(100)), tracked(range(20, 60), restarts=[(0, 50.0)])]
    assert decide(facts) == [Begin(0, 0, 0.0), Begin(1, 0, 20.0)]


def test_one_step_that_was_far_too_high_is_no_restart() -> None:
    """0,1,2,9999,3,4,5: all seven stay (case B8)."""
    assert begins([0, 1, 2, 9999, 3, 4, 5]) == [(0, 0, 0.0)]


def test_a_few_steps_that_were_far_too_high_are_no_restart() -> None:
    """Two or more wrong steps in a row, once or again: the steps go on where they leapt up, so all stay."""
    assert begins([0, 1, 2, 9999, 10000, 3, 4, 5]) == [(0, 0, 0.0)]
    assert begins([0, 10, 20, 9000, 9990, 30, 40]) == [(0, 0, 0.0)]
    assert begins([0, 10, 20, 9000, 9990, 9999, 30, 40, 8000, 8001, 50, 60]) == [(0, 0, 0.0)]
    assert begins([*range(50), 9999, 10000, *range(50, 100), *range(60, 120)]) == [(0, 0, 0.0), (0, 102, 60.0)]
    assert wrong_steps(tracked([0, 10, 20, 9000, 9990, 30, 40, 8000, 50, 60]).segments) == [(20, 9000), (40, 8000)]
    for steps in ([*range(100), *range(50, 200)], [50, 20, 80], [*range(0, 500, 10), 200, 500, 510]):
        assert wrong_steps(tracked(steps).segments) == []


def test_a_second_counter_in_the_same_series_is_no_wrong_step() -> None:
    """Rows of a validation that counts epochs stand between those of a training that counts iterations."""
    steps = [step for epoch in range(1, 9) for step in (*range(69 * epoch - 68, 69 * epoch + 1), epoch)]
    assert wrong_steps(tracked(steps).segments) == []
    assert wrong_steps(tracked([step for epoch in range(1, 9) for step in (69 * epoch, epoch)]).segments) == []


def test_a_sparse_series_that_runs_again_is_not_taken_for_wrong_steps() -> None:
    """The first value stands far before the others, and training runs again between the others."""
    assert begins([0, 1000, 1010, 1020, 1030, 1010, 1020, 1030]) == [(0, 0, 0.0), (0, 5, 1010.0)]


def test_a_later_file_that_logs_more_seldom_is_an_attempt() -> None:
    """Resumed with another cadence: its second step is past all that was there, and it still supersedes."""
    often = range(0, 151, 10)
    for later in ([100], [100, 200], [100, 200, 300], [101, 200, 300, 400], [120, 170, 220], [90, 190, 290]):
        assert begins(often, later) == [(0, 0, 0.0), (1, 0, float(later[0]))]
        assert kept(often, later) == [*range(0, later[0], 10), *later]
    assert begins(often, [100, 110, 200, 300]) == [(0, 0, 0.0), (1, 0, 100.0)]
    assert begins(range(0, 500, 100), range(250, 600)) == [(0, 0, 0.0), (1, 0, 250.0)]


def test_training_that_goes_on_more_seldom_in_the_same_file_is_an_attempt() -> None:
    """As soon as its steps are seen to be regular; until then it may be a late value."""
    assert begins([*range(0, 151, 10), 100, 200]) == [(0, 0, 0.0)]
    assert begins([*range(0, 151, 10), 100, 200, 300, 400]) == [(0, 0, 0.0), (0, 16, 100.0)]


def test_steps_after_a_too_high_one_are_judged_by_the_true_progress() -> None:
    """A second file that goes on after a stray 9999 in the first does not start an attempt."""
    assert begins([0, 1, 2, 9999, *range(3, 100)], range(100, 150)) == [(0, 0, 0.0)]


def test_a_late_evaluation_is_no_restart() -> None:
    """Val 50, 20, 80 (case B11), and late points amid a long series."""
    assert begins([50, 20, 80]) == [(0, 0, 50.0)]
    assert begins([*range(0, 500, 10), 200, *range(500, 900, 10), 410]) == [(0, 0, 0.0)]


def test_several_late_evaluations_are_no_restart() -> None:
    """Evaluations of 20 and 30 finish after that of 50; training that ran again would have logged 40 again."""
    assert begins([10, 40, 50, 20, 30, 60, 70]) == [(0, 0, 10.0)]
    assert begins([10, 20, 30, 40, 50, 25, 35, 60, 70]) == [(0, 0, 10.0)]
    assert begins([10, 20, 50, 30, 60, 40, 70, 80]) == [(0, 0, 10.0)]
    assert begins([10, 20, 30, 40, 50, 20, 30, 40, 50, 60]) == [(0, 0, 10.0), (0, 5, 20.0)]


def test_validation_rows_counted_in_epochs_are_no_restarts() -> None:
    """Rows with step = epoch between rows with step = iteration: single low points in one file."""
    steps = [s for epoch in range(1, 21) for s in [*(1000 * (epoch - 1) + i for i in range(50, 1001, 50)), epoch]]
    assert begins(steps) == [(0, 0, 50.0)]


def test_validation_rows_of_two_points_of_one_epoch_are_no_restarts() -> None:
    """The low step may be there twice."""
    steps = [s for epoch in range(1, 9) for s in [*(100 * (epoch - 1) + i for i in range(10, 101, 10)), epoch, epoch]]
    assert begins(steps) == [(0, 0, 10.0)]


def test_a_resumed_file_that_begins_with_an_epoch_row_is_no_attempt_from_there() -> None:
    """Resumed at 1000, but the first row is a validation row at step 21: nothing before 1000 is superseded."""
    assert begins(range(50, 1001, 50), [21, *range(1050, 2001, 50)]) == [(0, 0, 50.0)]


def test_a_run_again_within_one_file() -> None:
    """A process that starts over from a checkpoint and appends to the same file."""
    assert begins([*range(100), *range(50, 200)]) == [(0, 0, 0.0), (0, 100, 50.0)]


def test_many_restarts_within_one_file() -> None:
    """Steps go back nine times in one file, single strays and real re-runs: as one detector training log has it."""
    parts: list[list[int]] = [
        [*range(19, 5860, 20), 5878],
        [5877],
        list(range(5519, 15000, 20)),
        list(range(14019, 31140, 20)),
        list(range(31019, 42000, 20)),
        [*range(19, 5600, 20), 5607],
        [5606],
        [*range(5019, 9640, 20), 9653],
        [9652],
        list(range(9019, 20060, 20)),
    ]
    starts = [sum(len(p) for p in parts[:i]) for i in range(len(parts))]
    assert begins([s for part in parts for s in part]) == [
        (0, 0, 19.0),
        (0, starts[2], 5519.0),
        (0, starts[3], 14019.0),
        (0, starts[4], 31019.0),
        (0, starts[5], 19.0),
        (0, starts[7], 5019.0),
        (0, starts[9], 9019.0),
    ]


def test_shuffled_steps_are_no_restarts() -> None:
    """Steps 0..999 in random order are one attempt (case B16)."""
    steps = list(range(1000))
    random.Random(4).shuffle(steps)
    assert len(begins(steps)) == 1


@pytest.mark.parametrize("steps", [[5, 3, 4, 1, 2], [3, 2, 1, 0], [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]])
def test_few_points_in_no_order_are_no_restarts(steps: list[int]) -> None:
    """Few points that come in no order, or backwards."""
    assert len(begins(steps)) == 1


def test_a_step_that_starts_over_each_epoch_is_no_restart() -> None:
    """A batch counter 0..99 that starts over: no epoch supersedes the one before."""
    assert len(begins([*range(100)] * 5)) == 1
    assert len(begins([*range(100)] * 5 + [0, 1, 2])) == 1


def test_repeated_steps_are_kept() -> None:
    """500 points at each of five steps are one attempt with all points (case B18)."""
    assert begins([e for e in range(5) for _ in range(500)]) == [(0, 0, 0.0)]
    assert begins([5] * 100 + [6]) == [(0, 0, 5.0)]


def test_files_without_steps_follow_each_other() -> None:
    """Points without a step are counted on over the files (case B19)."""
    assert begins([math.nan] * 100) == [(0, 0, 0.0)]
    assert begins([math.nan] * 100, [math.nan] * 10) == [(0, 0, 0.0)]


def test_a_file_without_steps_never_supersedes_one_with_steps() -> None:
    """An index is no step: it says nothing about a resume."""
    assert begins(range(1000), [math.nan] * 5) == [(0, 0, 0.0)]


def test_fifty_one_point_files() -> None:
    """One-point files that all begin at step 0: the newest wins, each is an attempt (case B14)."""
    assert len(begins(*[[0]] * 50)) == 50


def test_the_first_file_may_grow_after_the_second_began() -> None:
    """Both files are followed: deciding again when the first has grown past the start of the second."""
    assert begins(range(10), range(10, 20)) == [(0, 0, 0.0)]
    assert begins(range(15), range(10, 20)) == [(0, 0, 0.0), (1, 0, 10.0)]


def test_too_many_steps_back_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where steps go back without end, only their range is kept, in little memory."""
    monkeypatch.setattr("tuimon.store.segments.MOST_SEGMENTS", 50)
    steps = [i % 7 for i in range(2000)]
    facts = tracked(steps, pieces=9)
    assert len(facts.segments) == 1
    assert facts.segments[0] == Segment(0, 2000, 0.0, 6.0)
    assert is_tangled(facts)
    assert decide([facts, tracked([7, 8])]) == [Begin(0, 0, 0.0)]


@settings(deadline=None)
@given(st.lists(st.integers(0, 12), min_size=1, max_size=60), st.integers(1, 10))
def test_batches_make_no_difference(steps: list[int], pieces: int) -> None:
    """Segments are the same whether steps come at once or in pieces, and as found by a plain loop."""
    whole, split = tracked(steps), tracked(steps, pieces=pieces)
    assert whole == split
    plain: list[list[int]] = []
    for i, step in enumerate(steps):
        if i and step >= steps[i - 1]:
            plain[-1].append(step)
        else:
            plain.append([step])
    start = 0
    for segment, run in zip(whole.segments, plain, strict=True):
        different = sorted(set(run))
        ways = [(after - before, -at) for at, (before, after) in enumerate(itertools.pairwise(run)) if after > before]
        longest = sorted(ways, reverse=True)[:2]
        assert segment == Segment(
            start,
            len(run),
            run[0],
            run[-1],
            different[1] if len(different) > 1 else math.inf,
            different[-2] if len(different) > 1 else -math.inf,
            longest[0][0] if longest else 0.0,
            run[-longest[0][1]] if longest else -math.inf,
            longest[1][0] if len(longest) > 1 else 0.0,
        )
        start += len(run)


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(0, 30), max_size=30), max_size=4))
def test_the_newest_attempt_is_never_superseded(files: list[list[int]]) -> None:
    """Whatever the steps, attempts are in file order and the newest one keeps all its points."""
    found = decide([tracked(steps) for steps in files])
    assert sorted((b.source, b.position) for b in found) == [(b.source, b.position) for b in found]
    assert bool(found) == any(files)
    assert not found or limits(found)[-1] == math.inf
    assert limits(found) == sorted(limits(found))


def test_a_copy_goes_its_own_way() -> None:
    """A tracker's copy does not see what the original is fed later."""
    tracker = Tracker()
    tracker.feed(np.array([1.0, 2.0]))
    copy = tracker.copy()
    tracker.feed(np.array([3.0]))
    assert (copy.count, copy.segments[-1].last) == (2, 2.0)
