"""Mistakes are made one at a time and taken back, and what notices them is told so that two runs can be compared."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

from tools.dev.mutants import QUICK, TABLE, first_failure, first_not_ok, groups, understand
from tools.dev.mutations import (
    Caught,
    Mutation,
    Result,
    Results,
    choose,
    compared,
    load,
    misfits,
    planted,
    read,
    save,
    table,
)
from tools.dev.places import ROOT
from tools.dev.steps import Stop

MISTAKE = Mutation(
    "off-by-one", "scheduler", "src/danlu/gang.py", "count >= least", "count > least", "it waits"
)
OTHER = Mutation("no-event", "store", "src/danlu/log.py", "append()", "pass", "nobody hears of it")
RIGHT = "def enough(count, least):\n    return count >= least\n"


def put(root: Path, name: str, text: str) -> Path:
    file = root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def results(**caught: Caught | None) -> Results:
    return Results("c0ffee", {one: Result(one, "area", by, 1.5) for one, by in caught.items()})


def test_a_mistake_is_there_only_as_long_as_it_is_tried(tmp_path: Path):
    file = put(tmp_path, MISTAKE.file, RIGHT)
    with planted(MISTAKE, tmp_path):
        assert "count > least" in file.read_text()
    assert file.read_text() == RIGHT


def test_a_mistake_is_taken_back_though_its_trial_breaks_off(tmp_path: Path):
    file = put(tmp_path, MISTAKE.file, RIGHT)
    with pytest.raises(KeyboardInterrupt), planted(MISTAKE, tmp_path):
        raise KeyboardInterrupt
    assert file.read_text() == RIGHT


def test_the_whole_code_can_be_tried_in_the_place_of_a_mistake(tmp_path: Path):
    file = put(tmp_path, MISTAKE.file, RIGHT)
    with planted(MISTAKE, tmp_path, whole=True):
        assert file.read_text() == RIGHT


def test_what_was_compiled_from_another_text_is_not_run(tmp_path: Path):
    put(tmp_path, MISTAKE.file, RIGHT)
    compiled = put(tmp_path, "src/danlu/__pycache__/gang.cpython-311.pyc", "of the right text")
    neighbour = put(tmp_path, "src/danlu/__pycache__/gangs.cpython-311.pyc", "of another module")
    with planted(MISTAKE, tmp_path):
        assert (compiled.exists(), neighbour.exists()) == (False, True)


@pytest.mark.parametrize(("text", "count"), [(RIGHT * 2, 2), ("", 0)])
def test_a_mistake_whose_text_is_not_there_exactly_once_is_refused(tmp_path: Path, text: str, count: int):
    put(tmp_path, MISTAKE.file, text)
    assert misfits([MISTAKE], tmp_path) == [f"off-by-one: in {MISTAKE.file} {count} times: count >= least"]
    with pytest.raises(Stop, match="off-by-one"), planted(MISTAKE, tmp_path):
        pass


def test_every_mistake_of_the_table_fits_the_sources():
    known = read(TABLE)
    assert misfits(known, ROOT) == []
    assert [one for one, count in Counter(one.id for one in known).items() if count > 1] == []


@pytest.mark.parametrize("one", [one for one in read(TABLE) if not one.of_console], ids=lambda one: one.id)
def test_a_mistake_of_the_table_changes_what_python_does_and_not_whether_it_can_read_it(one: Mutation):
    right = (ROOT / one.file).read_text()
    assert ast.dump(ast.parse(right)) != ast.dump(ast.parse(right.replace(one.old, one.new)))


def test_mistakes_are_chosen_by_id_or_area():
    assert choose([MISTAKE, OTHER], []) == [MISTAKE, OTHER]
    assert choose([MISTAKE, OTHER], ["store"]) == [OTHER]
    assert choose([MISTAKE, OTHER], ["off-by-one"]) == [MISTAKE]
    with pytest.raises(Stop, match="'of-by-one'"):
        choose([MISTAKE, OTHER], ["of-by-one"])


def test_a_tier_that_does_not_exist_is_named():
    with pytest.raises(Stop, match="'units'"):
        understand(["--tiers", "unit,units"])


def test_the_table_tells_how_many_the_ten_minutes_catch():
    by = results(**{"off-by-one": Caught("unit", "test_a"), "no-event": Caught("integration", "test_b")})
    lines = table(by, [MISTAKE, OTHER], QUICK).splitlines()
    assert lines[1].split() == ["off-by-one", "scheduler", "unit:", "test_a"]
    assert lines[-1] == "caught 2 of 2; by the ten-minute run 1"


def test_what_nothing_notices_stands_out():
    lines = table(results(**{"no-event": None}), [OTHER], QUICK).splitlines()
    assert lines[1:] == ["no-event  store        NOT CAUGHT", "caught 0 of 1; by the ten-minute run 0"]


def test_results_are_read_as_they_were_written(tmp_path: Path):
    by = results(**{"off-by-one": Caught("unit", "test_a"), "no-event": None})
    save(tmp_path / "results.json", by)
    assert load(tmp_path / "results.json") == by


def test_a_file_that_holds_no_results_is_told(tmp_path: Path):
    with pytest.raises(Stop, match="does not contain results"):
        load(put(tmp_path, "results.json", '{"commit": "c0ffee"}'))


def test_what_is_no_longer_caught_is_lost():
    before = results(**{"off-by-one": Caught("unit", "test_a"), "no-event": None})
    after = results(**{"off-by-one": None, "no-event": Caught("unit", "test_b")})
    lost, lines = compared(before, after, [MISTAKE, OTHER], QUICK)
    assert lost
    assert lines == [
        "off-by-one: caught in ten minutes before, not caught now",
        "no-event: not caught before, caught in ten minutes now",
    ]


def test_another_test_of_the_same_reach_is_as_good():
    before, after = (results(**{"off-by-one": Caught(tier, "test")}) for tier in ("unit", "scenarios"))
    assert compared(before, after, [MISTAKE], QUICK) == (False, ["Each is caught where it was before."])


def test_who_is_caught_later_than_before_is_told_but_not_lost():
    before, after = (results(**{"off-by-one": Caught(tier, "test")}) for tier in ("unit", "integration"))
    lost, lines = compared(before, after, [MISTAKE], QUICK)
    assert (lost, lines) == (False, ["off-by-one: caught in ten minutes before, caught by integration now"])


def test_the_first_test_that_failed_is_named():
    said = "1 failed\nFAILED tests/unit/test_a.py::test_b[a b] - assert 1 == 2\nFAILED tests/unit/test_c.py::test_d"
    assert first_failure(1, said) == "tests/unit/test_a.py::test_b[a b]"
    assert first_failure(2, "ERROR tests/unit/test_a.py - ImportError") == "tests/unit/test_a.py"
    assert first_failure(-9, "killed") == "pytest, exit code -9"
    assert first_not_ok(1, "TAP version 13\nok 1 - a\nnot ok 2 - b > c # time=3ms\n") == "b > c"


@pytest.mark.parametrize(("code", "said"), [(0, "12 passed"), (5, "no tests ran")])
def test_a_run_without_failures_notices_nothing(code: int, said: str):
    assert first_failure(code, said) is None


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    put(tmp_path, "src/danlu/__init__.py", "")
    put(tmp_path, "src/danlu/gang.py", RIGHT)
    put(tmp_path, "src/danlu/queue.py", "from danlu import gang\n")
    put(tmp_path, "tests/conftest.py", "")
    put(tmp_path, "tests/unit/test_gang.py", "from danlu.gang import enough\n")
    put(tmp_path, "tests/unit/test_other.py", "import json\n")
    put(tmp_path, "tests/scenarios/test_queue.py", "import danlu.queue\n")
    put(tmp_path, "tests/integration/conftest.py", "def start():\n    from danlu import queue\n")
    put(tmp_path, "tests/integration/test_walk.py", "MARK = 'pytest.mark.smoke'\n")
    put(tmp_path, "tests/integration/test_process.py", "COMMAND = ['-m', 'danlu.gang']\n")
    return tmp_path


def test_quick_tests_come_first_and_then_the_smoke(checkout: Path):
    ran = groups(checkout, Path("src/danlu/gang.py"), (*QUICK, "integration"))
    assert list(ran) == [
        ("unit", ["tests/unit/test_gang.py"]),
        ("scenarios", ["tests/scenarios/test_queue.py"]),
        ("smoke", ["-m", "smoke", "tests/integration/test_walk.py"]),
        ("integration", ["tests/integration/test_process.py"]),
        ("integration", ["tests/integration/test_walk.py"]),
    ]
