"""Every line once, in order, however the answers of kubelets are cut and whatever a crash leaves."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from danlu.engines.kubernetes.logs.log_file import LogFile, WrittenElsewhere
from danlu.engines.kubernetes.logs.printed import LONGEST, Mark, Printed
from danlu.ports.logs import LogKey
from danlu.ports.supervision import LogRecord, split_record
from danlu.telemetry.logs import FileLogs
from tests.effort import chance_of, rounds
from tests.unit.engines.kubernetes.kubelet import PIECE, START, Kubelet, chatter

OLD_AND_NEW = pytest.mark.parametrize("old", [True, False], ids=["old kubelet", "new kubelet"])


def records(data: bytes) -> list[LogRecord]:
    assert not data or data.endswith(b"\n")
    found = [split_record(line) for line in data.split(b"\n")[:-1]]
    assert None not in found
    return [record for record in found if record is not None]


def text_of(data: bytes) -> bytes:
    """What was printed, as readers restore it."""
    return b"".join(record.text + b"\n" * record.whole for record in records(data) if record.stream == "o")


def read_on(kubelet: Kubelet, file: LogFile, chance: random.Random | None = None, whole: bool = True) -> None:
    """One answer into the log, in chunks of any size, cut anywhere unless whole."""
    mark = file.mark()
    printed = Printed(mark)
    answer = kubelet.answer(max(0, mark.since - 1))
    if not whole and chance:
        answer = answer[: chance.randrange(len(answer) + 1)]
    at = 0
    while at < len(answer):
        size = chance.choice([1, 7, 100, 5000, 200_000]) if chance else len(answer)
        if out := printed.feed(answer[at : at + size]):
            file.append(out, printed.mark)
        at += size
        if chance and chance.random() < 0.2 and (out := printed.flush()):
            file.append(out, printed.mark)
    if whole and (out := printed.flush(final=True)):
        file.append(out, printed.mark)


@OLD_AND_NEW
@pytest.mark.parametrize("number", range(rounds(10, 40)))
def test_lines_arrive_once_and_in_order_over_cuts_restarts_and_torn_files(
    tmp_path: Path, number: int, old: bool
) -> None:
    chance = chance_of(number)
    path = tmp_path / "1" / "worker-0.log"
    kubelet, file, printed = Kubelet(old, chance.choice(["Z", "+08:00"])), LogFile(path), []
    for _ in range(12):
        printed += [text + b"\n" for text in chatter(chance, kubelet, chance.randrange(20))]
        read_on(kubelet, file, chance, whole=False)
        if chance.random() < 0.5:
            if chance.random() < 0.5:
                size = path.stat().st_size
                with path.open("r+b") as torn:
                    torn.truncate(max(0, size - chance.randrange(200)))
            file = LogFile(path)
    read_on(kubelet, file)
    assert text_of(path.read_bytes()) == b"".join(printed)
    times = [record.time_ms for record in records(path.read_bytes())]
    assert times == sorted(times)
    size = path.stat().st_size
    read_on(kubelet, LogFile(path))
    assert path.stat().st_size == size


def test_a_log_beyond_its_bound_loses_its_middle_and_goes_on_after_a_restart(tmp_path: Path) -> None:
    path, limit = tmp_path / "1" / "worker-0.log", 4 << 20
    number, file = 0, LogFile(path, limit)
    for _ in range(8):
        file = LogFile(path, limit)
        file.mark()
        for _ in range(16):
            lines = [
                b"%d.000 o line %08d %s\n" % (int(START) + number + at, number + at, b"x" * 200)
                for at in range(500)
            ]
            file.append(b"".join(lines), Mark())
            number += 500
    assert path.stat().st_size > 3 * limit
    assert path.stat().st_blocks * 512 <= limit + (1 << 20)
    logs = FileLogs(tmp_path.parent)
    key = LogKey(tmp_path.name, 1, "worker-0")
    assert logs.find(key, "line 00000000", 0, 9).records
    assert logs.find(key, "log_limit", 0, 9).records
    assert logs.find(key, f"line {number - 1:08d}", 0, 9).records
    assert not logs.find(key, f"line {number // 2:08d}", 0, 9).records


def test_a_record_bears_the_time_that_the_node_noted() -> None:
    printed = Printed(Mark())
    out = printed.feed(b"2026-03-01T08:00:00.123987654+08:00 hello  you\r\n2026-03-01T00:00:01Z \n")
    base = int(START) * 1000
    assert records(out) == [(base + 123, "o", True, b"hello  you\r"), (base + 1000, "o", True, b"")]


@OLD_AND_NEW
def test_a_line_without_an_end_is_shown_in_pieces_that_do_not_split_characters(old: bool) -> None:
    kubelet, printed = Kubelet(old), Printed(Mark())
    bar = ("进度\r" * 4000).encode()
    kubelet.print(bar, ends=False)
    answer = kubelet.answer()
    data = b"".join(
        printed.feed(answer[at : at + 5001]) + printed.flush() for at in range(0, len(answer), 5001)
    )
    shown = records(data)
    assert len(shown) > 5
    assert not any(record.whole for record in shown)
    for record in shown:
        record.text.decode()
    assert text_of(data) + text_of(printed.flush(final=True)) == bar


def test_lines_beyond_the_longest_are_kept_in_pieces() -> None:
    kubelet = Kubelet()
    kubelet.print(b"a" * (2 * LONGEST + 5))
    kubelet.print(b"next")
    shown = records(Printed(Mark()).feed(kubelet.answer()))
    assert [(len(record.text), record.whole) for record in shown] == [
        (LONGEST, False),
        (LONGEST, False),
        (5, True),
        (4, True),
    ]


def test_a_line_that_goes_on_for_hours_is_joined_over_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "log"
    kubelet = Kubelet(old=True)
    expected = b""
    for number in range(8):
        piece = b"%d" % number * PIECE
        kubelet.print(piece, after_ns=10**12, ends=False)
        expected += piece
        read_on(kubelet, LogFile(path))
    assert text_of(path.read_bytes()) == expected


@OLD_AND_NEW
@pytest.mark.parametrize("restart", [True, False])
def test_the_end_of_a_line_that_took_long_is_not_taken_for_a_line(
    tmp_path: Path, old: bool, restart: bool
) -> None:
    path = tmp_path / "log"
    kubelet, file = Kubelet(old), LogFile(path)
    kubelet.print(b"a" * PIECE, ends=False)
    kubelet.print(b"b", after_ns=5 * 10**9)
    kubelet.print(b"")
    kubelet.print(b"done")
    for _ in range(3):
        read_on(kubelet, LogFile(path) if restart else file)
    assert text_of(path.read_bytes()) == b"a" * PIECE + b"b\n\ndone\n"


def test_what_the_node_removed_before_it_was_read_is_told(tmp_path: Path) -> None:
    path = tmp_path / "log"
    kubelet, file = Kubelet(), LogFile(path)
    kubelet.print(b"first")
    kubelet.print(b"begins" + b"." * PIECE, ends=False)
    read_on(kubelet, file)
    kubelet.rotate()
    kubelet.print(b"after", after_ns=10**10)
    read_on(kubelet, file)
    read_on(kubelet, LogFile(path))
    *_, ended, told, after = records(path.read_bytes())
    assert (ended.whole, ended.text) == (True, b"")
    assert (told.stream, b"may be missing" in told.text) == ("e", True)
    assert after.text == b"after"


def test_a_clock_set_back_while_it_is_followed_loses_nothing_and_disorders_nothing(tmp_path: Path) -> None:
    path = tmp_path / "log"
    kubelet, file = Kubelet(), LogFile(path)
    for hours in (0, 0, -1, 0):
        kubelet.print(b"%d" % len(kubelet.noted), after_ns=hours * 3600 * 10**9 + 10**9)
    for _ in range(4):
        read_on(kubelet, file)
        kubelet.print(b"%d" % len(kubelet.noted), after_ns=10**9)
    assert text_of(path.read_bytes()) == b"0\n1\n2\n3\n4\n5\n6\n"
    times = [record.time_ms for record in records(path.read_bytes())]
    assert times == sorted(times)


def test_words_of_the_kubelets_own_are_no_output() -> None:
    printed = Printed(Mark())
    noise = b"unable to retrieve container logs for containerd://" + b"a" * 64
    assert printed.feed(noise) + printed.flush() + printed.feed(b"b" * 70_000) == b""
    assert records(printed.feed(b"\n2026-03-01T00:00:00Z said\n"))[0].text == b"said"
    assert printed.feed(noise + b"\n") == b""


def test_a_log_that_another_wrote_to_is_read_again_first(tmp_path: Path) -> None:
    path = tmp_path / "log"
    kubelet, mine, other = Kubelet(), LogFile(path), LogFile(path)
    kubelet.print(b"first")
    read_on(kubelet, mine)
    kubelet.print(b"second")
    read_on(kubelet, other)
    kubelet.print(b"third")
    with pytest.raises(WrittenElsewhere):
        read_on(kubelet, mine)
    mine.reread()
    read_on(kubelet, mine)
    assert text_of(path.read_bytes()) == b"first\nsecond\nthird\n"
