"""Refusals as they are sent: codes, parameters and suggestions, and sentences in both languages."""

from __future__ import annotations

import json
from typing import Any

from danlu.domain.errors import Conflict, DanluError, FieldError, Invalid
from danlu.domain.terms import no_such
from danlu.domain.words import Words, listed, say
from danlu.files.reading import read_job_file
from danlu.server.http.problems import field_error, incident, problem


def sent(error: DanluError) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(bytes(problem(error).body))
    return body


def test_a_refusal_is_told_in_english_and_in_both_languages():
    body = sent(Conflict(no_such("user", "lin")))
    assert body["detail"] == body["text"]["en"] == "there is no user 'lin'"
    assert body["text"]["zh"] == "没有名为“lin”的用户"
    assert (body["type"], body["title"]) == ("conflict", Conflict.title.en)


def test_a_mistake_brings_its_parameters_and_the_word_that_was_meant():
    (error,) = read_job_file({"kind": "trainning", "name": "bert", "command": "true"}).errors
    told = field_error(error)
    assert told["suggestion"] == "training"
    assert told["params"]["value"] == "trainning"
    assert told["hint"] == told["hint_text"]["en"] == "did you mean 'training'?"
    assert told["hint_text"]["zh"] == "你是想写“training”吗？"
    assert told["text"]["zh"].startswith("“trainning”不在可选范围内")


def test_what_is_not_known_of_a_mistake_is_left_out():
    told = field_error(FieldError(("name",), "missing", Words("name is required", "name 为必填项")))
    assert set(told) == {"loc", "code", "message", "text", "params"}


def test_parameters_are_plain_or_in_both_languages():
    text = say("{why}: {names}", "{why}：{names}", why=OSError("no"), names=listed(["a", "b"]))
    (told,) = sent(Invalid((FieldError((), "x", text),)))["errors"]
    assert told["params"] == {"why": "no", "names": {"en": "a, b", "zh": "a、b"}}


def test_a_mistake_of_ours_is_told_in_both_languages_too():
    body = json.loads(bytes(incident(RuntimeError("x")).body))
    assert body["incident"] in body["text"]["zh"]
