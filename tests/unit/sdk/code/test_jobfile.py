"""Reading job files: YAML 1.2's meanings, places, and mistakes in plain words."""

from __future__ import annotations

import pytest

from danlu.sdk.code import jobfile
from danlu.sdk.http.errors import BadFile


@pytest.fixture(autouse=True, params=["C", "Python"])
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """PyYAML comes with and without its C parser, whose errors have other words."""
    monkeypatch.setattr(jobfile, "_loaders", {})
    if request.param == "Python":
        monkeypatch.delattr("yaml.CSafeLoader")


def test_words_that_yaml_once_took_for_booleans_are_words():
    text = "on: {task_failed: fail}\nenv: {A: yes, B: no, C: off, D: y, E: On}\na: true\nb: False\n"
    data = jobfile.parse(text).data
    assert data["on"] == {"task_failed": "fail"}
    assert data["env"] == {"A": "yes", "B": "no", "C": "off", "D": "y", "E": "On"}
    assert (data["a"], data["b"]) == (True, False)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("12", 12),
        ("-3", -3),
        ("010", 10),
        ("0o10", 8),
        ("0x1F", 31),
        ("0.5", 0.5),
        (".5", 0.5),
        ("1e3", 1000.0),
        ("1_000", "1_000"),
        ("1:30", "1:30"),
        ("2024-01-01", "2024-01-01"),
        (".inf", ".inf"),
        (".nan", ".nan"),
        ("~", None),
        ("null", None),
        ("", None),
        ("'12'", "12"),
        ('"true"', "true"),
        ("64GiB", "64GiB"),
        ("=", "="),
    ],
)
def test_a_plain_value_means_what_yaml_1_2_says(written, meant):
    assert jobfile.parse(f"a: {written}\n").data == {"a": meant}


def test_every_place_is_remembered():
    text = "kind: training\nresources:\n  gpus: 9\nroles:\n  - {name: ps, min: 2}\n"
    file = jobfile.parse(text, "job.yaml")
    assert file.place_of(("resources", "gpus")) == (3, 9)
    assert file.place_of(("resources", "gpus"), at_key=True) == (3, 3)
    assert file.place_of(("roles", 0, "min")) == (5, 21)
    assert file.place_of(("roles", 0)) == (5, 5)
    assert file.place_of(("resources", "missing")) == (2, 1)
    assert file.place_of(("roles", 0, "command")) == (5, 5)
    assert file.place_of(("name",)) == (1, 1)


def test_anchors_and_merges_are_understood():
    text = "base: &b {cpus: 2, memory: 1GiB}\nresources:\n  <<: *b\n  cpus: 4\nagain: *b\n"
    data = jobfile.parse(text).data
    assert data["resources"] == {"cpus": 4, "memory": "1GiB"}
    assert data["again"] == {"cpus": 2, "memory": "1GiB"}


def test_json_is_read_too_even_with_tabs():
    file = jobfile.parse('{\n\t"kind": "training",\n\t"name": "a\\u00e9/x"\n}\n')
    assert file.data == {"kind": "training", "name": "aé/x"}
    assert file.place_of(("name",)) == (3, 10)


def test_a_key_written_twice_names_both_places():
    with pytest.raises(BadFile) as caught:
        jobfile.parse("name: a\nkind: training\nname: b\n")
    assert (caught.value.line, caught.value.column) == (3, 1)
    assert caught.value.also == (1, 1, "the first 'name'")


MISTAKES = [
    ("resources:\n\tgpus: 1\n", 2, 1, "tab", "spaces"),
    ("name: 'abc\nkind: x\n", 1, 7, "quote is opened", "close it with '"),
    ("resources: {gpus: 1\nname: x\n", 1, 12, "bracket", "}"),
    ("roles: [a, b\nname: x\n", 1, 8, "bracket", "]"),
    ("name: a\n  kind: x\n", 2, 3, "indented deeper", "align it with 'name: a'"),
    ("command: echo a: b\n", 1, 16, "two colons", "quotes"),
    ("name: a\nkind\ncommand: x\n", 2, 1, "'kind' is neither", "kind: …"),
    ("name: @me\n", 1, 7, "begin with '@'", "quotes"),
    ("name: *who\n", 1, 7, "refers to nothing", "&who"),
    ("name: a\n---\nname: b\n", 2, 1, "second document", "one job"),
    ("roles:\n  - a\n b: c\n", 3, 2, "indentation", "align"),
    ("name: a\nother: \x07\n", 2, 8, "not allowed", "remove"),
    ("- a\n- b\n", 1, 1, "this is a list", "kind: training"),
    ("name:train\n", 1, 5, "a single text", "space after the colon"),
    ("just words\n", 1, 1, "a single text", "kind: training"),
    ("", 1, 1, "empty", "kind, name and command"),
    ("# only this\n", 1, 1, "empty", "kind"),
    ("{a: b}: c\n", 1, 1, "plain word", "quote"),
    ("a: !!python/object:os.system x\n", 1, 4, "is not supported here", "remove it"),
    ("a: !!python/object/apply:os.system ['ls']\n", 1, 4, "apply:os.system is not supported here", "remove"),
    ("a: 1\nb: !env {c: d}\n", 2, 4, "the tag !env is not supported here", "remove it"),
    ("!!python/object:x.Y {a: b}\n", 1, 1, "is not supported here", "remove it"),
    ("!!python/name:os.system x: b\n", 1, 1, "is not supported here", "remove it"),
    ("a: &x [*x]\n", 1, 4, "nested", ""),
]


@pytest.mark.parametrize(("text", "line", "column", "says", "hint"), MISTAKES)
def test_a_mistake_is_told_in_words_at_its_place(text, line, column, says, hint):
    with pytest.raises(BadFile) as caught:
        jobfile.parse(text)
    assert says in caught.value.detail
    assert hint in caught.value.hint
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize("name", ["deep.json", "deep.yaml"])
@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"a":' * 100_000, '{"a": ' + "[" * 99_999 + "]" * 99_999 + "}"]
)
def test_a_file_nested_too_deeply_is_refused_and_not_climbed_into(text, name):
    with pytest.raises(BadFile, match="nested too deeply") as caught:
        jobfile.parse(text, name)
    assert caught.value.line == 1
    assert caught.value.column > jobfile.MAX_DEPTH


def test_lists_in_lists_of_blocks_count_as_nested_too():
    with pytest.raises(BadFile, match="nested too deeply"):
        jobfile.parse("a:\n  " + "- " * 5_000 + "x\n")


def test_tags_of_yaml_itself_mean_what_they_say():
    assert jobfile.parse("a: !!str 12\nb: !!map {c: !!seq [1]}\n").data == {"a": "12", "b": {"c": [1]}}


def test_aliases_that_blow_up_are_stopped():
    text = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{new}: &{new} [{','.join(['*' + old] * 9)}]\n"
        for old, new in zip("abcdefg", "bcdefgh", strict=True)
    )
    with pytest.raises(BadFile, match="repeat too much"):
        jobfile.parse(text)


def test_other_encodings_and_binaries_are_named():
    with pytest.raises(BadFile, match="not UTF-8") as caught:
        jobfile.decode(b"name: a\nowner: \xff\n")
    assert caught.value.line == 2
    with pytest.raises(BadFile, match="not text"):
        jobfile.decode(b"\x7fELF\0\0")
    assert jobfile.decode("\ufeffname: a".encode()) == "name: a"
