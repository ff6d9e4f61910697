"""Records become lines: joined, numbered, escaped."""

from __future__ import annotations

import json
from typing import Any

import pytest

from danlu.ports.logs import LogChunk
from danlu.server.live.log_lines import PlainText, ShownLine, as_events, lines_of


def chunk(*records: bytes, start: int = 0) -> LogChunk:
    data = b"".join(record + b"\n" for record in records)
    return LogChunk(start, start + len(data), data)


def data_of(event: bytes) -> Any:
    fields = dict(line.split(": ", 1) for line in event.decode().strip().split("\n"))
    return fields["id"], fields["event"], json.loads(fields["data"])


def test_a_line_knows_where_it_begins():
    found = lines_of(chunk(b"1700000000.001 o one", b"1700000000.002 e two", start=100))
    assert found == [
        ShownLine(100, 1_700_000_000_001, "o", "one"),
        ShownLine(121, 1_700_000_000_002, "e", "two"),
    ]


def test_the_pieces_of_a_line_are_joined_past_the_other_stream():
    pieces = chunk(b"1.000 O lo", b"1.001 e err", b"1.002 O ng", b"1.003 o !", b"1.004 o next")
    assert [(line.stream, line.text) for line in lines_of(pieces)] == [
        ("o", "long!"),
        ("e", "err"),
        ("o", "next"),
    ]


def test_a_character_cut_in_two_pieces_is_whole_again():
    whole = "炉".encode()
    assert lines_of(chunk(b"1.000 O " + whole[:1], b"1.000 o " + whole[1:]))[0].text == "炉"


def test_a_line_that_goes_on_after_the_chunk_is_shown_as_far_as_it_is_known():
    assert [line.text for line in lines_of(chunk(b"1.000 o a", b"1.001 O 50%"))] == ["a", "50%"]


def test_a_torn_record_is_passed_over():
    assert [line.text for line in lines_of(chunk(b"1.00", b"1.001 o whole", b"garbage"))] == ["whole"]


def test_an_event_carries_the_lines_and_where_to_go_on():
    event = as_events(chunk(b'1.001 o say "hi"\\', "2.002 e 失败\t".encode(), b"nonsense", start=7))
    lines = [[1001, "o", 'say "hi"\\'], [2002, "e", "失败\t"]]
    assert data_of(event) == ("50", "lines", lines)


def test_an_event_joins_pieces_too():
    assert data_of(as_events(chunk(b"1.001 O a", b"1.002 o b")))[2] == [[1001, "o", "ab"]]


def test_bytes_that_are_no_text_do_not_break_an_event():
    assert data_of(as_events(chunk(b"1.001 o \xff\x00\r\xe2\x80\xa8")))[2] == [
        [1001, "o", "\ufffd\x00\r\u2028"]
    ]


SECOND = b"1700000000.00"


@pytest.mark.parametrize(
    "records",
    [
        [SECOND + b"1 o plain", SECOND + b"1 o lines", SECOND + b"2 e of two"],
        [SECOND + b"1 o " + SECOND + b"1 o looks like a head", SECOND + b"1 o "],
        [SECOND + b"1 o back\\n" + SECOND + b"1 o slash", SECOND + b"1 o \\"],
        [SECOND + b'1 o "quoted"\t\r\x00', SECOND + "1 o 炉 🙂\u2028".encode(), SECOND + b"1 o \xff"],
        [SECOND + b"1 O pie", SECOND + b"1 o ce"],
        [SECOND + b"1 o whole", b"torn", SECOND + b"1 o after", SECOND],
        [b"%d.%03d o many times" % (1_700_000_000 + number, number) for number in range(200)],
    ],
)
def test_the_fast_way_and_the_slow_way_say_the_same(records):
    lines = lines_of(chunk(*records))
    assert data_of(as_events(chunk(*records)))[2] == [list(line[1:]) for line in lines]
    plain = PlainText(timestamps=False)
    assert plain.feed(chunk(*records)).decode("utf-8", "replace") == "".join(
        f"{line.text}\n" for line in lines
    )


def test_plain_text_is_what_the_task_wrote():
    text = PlainText(timestamps=False)
    assert text.feed(chunk(b"1.001 o one", b"1.002 O tw")) == b"one\ntw"
    assert text.feed(chunk(b"1.003 o o", b"1.004 O 50%")) == b"o\n50%"
    assert text.end() == b"\n"


def test_plain_text_keeps_streams_apart_and_holds_nothing_back():
    text = PlainText(timestamps=False)
    assert text.feed(chunk(b"1.001 O out", b"1.002 e err", b"1.003 o put")) == b"out\nerr\nput\n"
    assert text.end() == b""


def test_plain_text_tells_the_time_when_asked():
    text = PlainText(timestamps=True)
    assert text.feed(chunk(b"1700000000.001 O a", b"1700000000.002 o b")) == b"2023-11-14T22:13:20.001Z ab\n"
