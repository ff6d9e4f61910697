"""What a pass remembers of what failed, and when it forgets."""

from __future__ import annotations

from danlu.domain.job import JobClass
from danlu.domain.reasons import NotTogether, ProjectCap, RunTimeLimit
from danlu.scheduler import FOREVER, Pending
from danlu.scheduler.draft import Draft
from danlu.scheduler.failures import NEVER, Failures
from danlu.scheduler.model import Eviction, QueueLine
from tests.fakes.queue import HOUR, State, node, run, wait

LANE = ("A100", JobClass.SINGLE)
CAP = ProjectCap("public", "A100", 2000, 8000, 8000)
SHORT, LONG = wait("short", 2, max_time=HOUR), wait("long", 2, max_time=3 * HOUR)


def draft(*jobs: Pending) -> Draft:
    return Draft(State([node("n1")], [run("r", "n1", 7), *(jobs or (SHORT, LONG))]).snapshot())


def test_who_asks_the_same_for_as_long_or_longer_finds_no_room_either() -> None:
    failures = Failures(draft())
    failures.note_no_room(LONG, LANE, LONG.max_time)
    assert failures.no_room(LONG, LANE)
    assert not failures.no_room(SHORT, LANE)
    assert not failures.no_room(wait("other", 4, max_time=FOREVER), LANE)
    assert not failures.no_room(LONG, ("H100", JobClass.SINGLE))


def test_no_room_at_all_is_known_to_the_next_pass_and_the_rest_forgotten() -> None:
    here, other = draft(), wait("other", 4)
    before = Failures(here)
    before.note_no_room(SHORT, LANE, 0)
    before.note_no_room(other, LANE, HOUR)
    before.note_gate(LONG, LANE, CAP)
    before.note_nobody_leaves(LONG, LANE, None)
    before.note_reserved_for(LONG, other, LANE)
    before.heads[LANE] = SHORT
    after = Failures(here, before)
    assert (after.no_room_since(SHORT, LANE), after.no_room_since(other, LANE)) == (0, NEVER)
    assert (after.gate(LONG, LANE), after.nobody_leaves(LONG, LANE)) == (None, False)
    assert (after.reserved_for(other, LANE), after.heads) == (None, {})


def test_when_somebody_was_told_to_leave_the_next_pass_knows_nothing() -> None:
    here = draft()
    before = Failures(here)
    before.note_no_room(SHORT, LANE, 0)
    here.evictions.append(Eviction("r", (), True, "short", NotTogether("zone", 1, 0)))
    assert not Failures(here, before).no_room(SHORT, LANE)


def test_a_gate_is_before_all_who_ask_the_same_but_a_limit_on_time_before_one_alone() -> None:
    failures, twin = Failures(draft()), wait("twin", 2, max_time=HOUR)
    failures.note_gate(SHORT, LANE, RunTimeLimit("brief", "1h", 60_000))
    assert failures.gate(SHORT, LANE) is not None
    assert failures.gate(twin, LANE) is None
    failures.note_gate(SHORT, LANE, CAP)
    assert failures.gate(twin, LANE) == CAP
    assert failures.gate(wait("theirs", 2, owner="cho"), LANE) is None


def test_for_one_that_gave_way_and_for_one_before_a_gate_others_would_have_to_go() -> None:
    failures, twin = Failures(draft()), wait("twin", 2, max_time=3 * HOUR)
    failures.note_nobody_leaves(LONG, LANE, CAP)
    assert not failures.nobody_leaves(twin, LANE)
    failures.note_nobody_leaves(LONG, LANE, None)
    assert failures.nobody_leaves(twin, LANE)
    assert not failures.nobody_leaves(SHORT, LANE)
    evicted = run("gone", "n1", 2, max_time=3 * HOUR).requeued("r")
    assert not failures.nobody_leaves(evicted, LANE)


def test_those_like_whom_somebody_failed_are_skipped_once_the_lane_has_a_head() -> None:
    other = wait("other", 1)
    failures, line = Failures(draft(SHORT, LONG, other)), QueueLine(LANE, (SHORT, LONG, other))
    failures.note_no_room(SHORT, LANE, 0)
    assert failures.skip(line, 0) == 0
    failures.heads[LANE] = SHORT
    assert failures.skip(line, 0) == 2


def test_a_line_that_wants_only_what_failed_is_not_worth_a_look() -> None:
    here = draft()
    failures = Failures(here)
    (line,) = here.snapshot.lines
    failures.heads[LANE] = SHORT
    failures.note_no_room(LONG, LANE, LONG.max_time)
    assert failures.worth(line)
    failures.note_no_room(SHORT, LANE, 0)
    assert not failures.worth(line)
    assert failures.skip(line, 0) == len(line.jobs)
