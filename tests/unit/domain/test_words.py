"""A sentence is made once for both languages."""

from __future__ import annotations

import pytest

from danlu.domain.errors import Conflict, FieldError, Invalid
from danlu.domain.events import Grown, Nominated
from danlu.domain.job import Task
from danlu.domain.reasons import StopHangs
from danlu.domain.terms import amount_said, no_such
from danlu.domain.words import BadValue, Guess, Words, joined, listed, same, say


def test_a_parameter_with_words_of_its_own_is_put_into_each_language():
    said = say("{what} of {name}", "{name} 的{what}", what=Words("the job", "任务"), name="lin")
    assert said == Words("the job of lin", "lin 的任务")
    assert said.params == {"what": Words("the job", "任务"), "name": "lin"}


def test_braces_stand_for_themselves_where_nothing_is_filled_in():
    assert say("{gpus: 1}", "{gpus: 1}") == same("{gpus: 1}")


def test_braces_that_people_write_are_not_filled_again():
    assert say("'{name}'", "“{name}”", name="{x}").en == "'{x}'"


def test_each_language_separates_in_its_own_way():
    assert listed(["a", Words("b", "乙")]) == Words("a, b", "a、乙")
    assert joined([Words("no", "否"), Words("yes", "是")]) == Words("no; yes", "否；是")


@pytest.mark.parametrize(
    ("resource", "amount", "said"),
    [("gpus", 2000, Words("2 gpus", "2 卡")), ("memory", 2**30, same("1GiB"))],
)
def test_amounts_are_counted_as_each_language_counts(resource: str, amount: int, said: Words):
    assert amount_said(resource, amount) == said


def test_a_refusal_has_its_sentence_in_both_languages_and_its_title_without_one():
    refused = Conflict(no_such("user", "lin"))
    assert (str(refused), refused.detail, refused.text.zh) == (
        "there is no user 'lin'",
        "there is no user 'lin'",
        "没有名为“lin”的用户",
    )
    assert Conflict().text == Conflict.title


def test_a_request_with_mistakes_says_how_many_in_both_languages():
    wrong = FieldError(("a",), "missing", same("x"))
    assert Invalid((wrong,)).text == Words("1 error in the request", "请求中有 1 处错误")
    assert Invalid((wrong, wrong)).text.en == "2 errors in the request"


def test_only_a_guess_suggests_a_word():
    guess = Guess("did you mean 'gpus'?", "你是想写“gpus”吗？", meant="gpus")
    assert FieldError((), "x", same("x"), hint=guess).suggestion == "gpus"
    assert FieldError((), "x", same("x"), hint=same("did you mean 'gpus'?")).suggestion is None


def test_a_value_that_cannot_be_read_says_why_in_both_languages():
    assert str(BadValue(Words("no", "否"))) == "no"


def test_events_separate_names_as_each_language_does() -> None:
    tasks = tuple(Task("worker", at, node, "") for at, node in enumerate(("gpu-2", "gpu-1")))
    assert Nominated(tasks, ("j",)).text().zh.startswith("正在 gpu-1、gpu-2 上")
    assert Nominated(tasks, ("j",)).text().en.startswith("making room on gpu-1, gpu-2;")
    assert Grown(1, tasks).text() == Words(
        "grew by worker-0, worker-1 on gpu-1, gpu-2", "在 gpu-1、gpu-2 上增加了子任务 worker-0、worker-1"
    )
    assert StopHangs("worker-0, worker-1", 60_000).text().zh.endswith("worker-0、worker-1")
