"""How a stream is cut into records."""

from hypothesis import given
from hypothesis import strategies as st

from danlu.ports.supervision import split_record
from danlu.runtime.recording.records import LONGEST, Records

NOW = b"1700000000.123"


def read(data):
    """(stream and wholeness as a letter, text) of every record."""
    records = [split_record(line) for line in data.split(b"\n")[:-1]]
    return [((r.stream if r.whole else r.stream.upper()), r.text) for r in records if r is not None]


def test_whole_lines_become_records_with_time_and_stream():
    assert Records("o").feed(b"one\ntwo\n", NOW) == b"1700000000.123 o one\n1700000000.123 o two\n"


def test_empty_lines_are_kept():
    assert read(Records("e").feed(b"\n\nx\n", NOW)) == [("e", b""), ("e", b""), ("e", b"x")]


def test_a_line_that_comes_in_parts_is_one_record():
    records = Records("o")
    assert records.feed(b"he", NOW) == b""
    assert records.unfinished
    assert read(records.feed(b"llo\nwor", NOW)) == [("o", b"hello")]
    assert read(records.flush(NOW)) == [("O", b"wor")]
    assert read(records.feed(b"ld\n", NOW)) == [("o", b"ld")]
    assert not records.unfinished


def test_a_piece_whose_line_then_ends_is_closed_by_an_empty_record():
    records = Records("o")
    records.feed(b"prompt", NOW)
    assert read(records.flush(NOW) + records.feed(b"\n", NOW)) == [("O", b"prompt"), ("o", b"")]


def test_a_line_of_the_longest_length_stays_whole_and_one_more_is_split():
    assert read(Records("o").feed(b"x" * LONGEST + b"\n", NOW)) == [("o", b"x" * LONGEST)]
    longer = read(Records("o").feed(b"a\n" + b"x" * (LONGEST + 1) + b"\nb\n", NOW))
    assert longer == [("o", b"a"), ("O", b"x" * LONGEST), ("o", b"x"), ("o", b"b")]


def test_a_line_without_end_is_not_gathered():
    records = Records("o")
    pieces = b"".join(records.feed(b"x" * 10_000, NOW) for _ in range(100))
    assert {letter for letter, _ in read(pieces)} == {"O"}
    assert sum(len(text) for _, text in read(pieces)) > 1_000_000 - LONGEST


def test_half_a_character_waits_for_its_rest_but_not_for_ever():
    records = Records("o")
    half = "丹".encode()[:2]
    records.feed(b"x" + half, NOW)
    assert read(records.flush(NOW)) == [("O", b"x")]
    assert records.flush(NOW) == b""
    assert read(records.flush(NOW, final=True)) == [("O", half)]


@given(
    st.lists(
        st.binary(max_size=200_000) | st.sampled_from([b"\n", b"x" * 70_000, "丹炉\n".encode()]), max_size=8
    )
)
def test_nothing_is_lost_or_added_however_the_bytes_arrive(chunks):
    records = Records("e")
    out = b"".join(records.feed(chunk, NOW) for chunk in chunks if chunk) + records.flush(NOW, final=True)
    parsed = read(out)
    assert b"".join(text + (b"\n" if letter == "e" else b"") for letter, text in parsed) == b"".join(chunks)
    assert all(len(text) <= LONGEST for _, text in parsed)
