"""Every reason speaks both languages and survives being stored."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from danlu.domain import events, reasons
from danlu.domain.reasons import Reason, decode, encode
from danlu.domain.words import Words

_SAMPLES: dict[str, Any] = {"int": 2048, "str": "worker-0", "bool": True, "int | None": 2048}


def sample(kind: type[Reason]) -> Reason:
    return kind(**{field.name: _SAMPLES[str(field.type)] for field in dataclasses.fields(kind)})


@pytest.mark.parametrize("kind", reasons.ALL.values(), ids=list(reasons.ALL))
def test_a_reason_has_a_sentence_a_meaning_and_advice_in_both_languages(kind: type[Reason]) -> None:
    subject = sample(kind)
    for words in (subject.sentence, subject.meaning, subject.advice):
        filled = words.fill(**subject.shown())
        assert filled.en
        assert filled.zh
        assert "{" not in filled.en.replace("{node_lost", "")
        assert any("一" <= letter <= "鿿" for letter in filled.zh)


@pytest.mark.parametrize("kind", reasons.ALL.values(), ids=list(reasons.ALL))
def test_a_reason_survives_being_stored(kind: type[Reason]) -> None:
    assert decode(encode(sample(kind))) == sample(kind)


def test_no_reason_is_stored_as_nothing() -> None:
    assert encode(None) is None
    assert decode(None) is None


def test_codes_are_told_apart() -> None:
    assert len(reasons.ALL) == len({kind.__name__ for kind in reasons.ALL.values()})
    assert all(kind == leaf.kind for kind, leaf in events.ALL.items())


def test_limits_are_shown_with_their_unit() -> None:
    assert reasons.OutOfMemory("worker-0", 32 * 2**30).text().en == "worker-0 ran out of memory (limit 32GiB)"
    assert reasons.OverTime(5_400_000).text().en == "ran longer than its max_time of 1h30m"


def test_amounts_are_counted_as_each_language_counts() -> None:
    assert reasons.ProjectCap("nlp", "A100", 2000, 3000, 4000).text() == Words(
        "project nlp uses 3 A100 of at most 4 A100; this job needs 2 A100",
        "项目组 nlp 已用 3 卡 A100，上限 4 卡 A100；该任务需要 2 卡 A100",
    )
    amounts = {"gpus": "8 卡", "cpus": "8 核 CPU", "memory": "7.81KiB"}
    for resource, shown in amounts.items():
        assert reasons.Reclaimed("nlp", "vision", resource, 8000, 4000).shown_in_chinese()["held"] == shown


def test_what_people_did_is_told_without_a_word_of_the_other_language() -> None:
    assert events.UserChanged("root", "lin", "edited").text() == Words(
        "user lin edited by root",
        "root 修改了用户 lin",
    )
    assert events.SignedIn("lin", "link").text() == Words("lin signed in by link", "lin 通过登录链接登录")


def test_durations_are_natural_in_chinese_sentences_and_travel_as_numbers() -> None:
    hung = reasons.Hung(quiet=6_900_000)
    assert hung.text().zh.startswith("已 1 小时 55 分钟无任何进展")
    assert "for 1h55m" in hung.text().en
    assert hung.params() == {"quiet": 6_900_000}
