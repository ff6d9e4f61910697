"""The audit log in words."""

from __future__ import annotations

import pytest

from danlu.domain.acts import ACTS, NOUNS, sentence
from danlu.domain.audit import Entry
from danlu.domain.rules import KINDS


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("kind", NOUNS)
def test_every_act_on_every_thing_is_a_sentence_in_both_languages(act, kind):
    words = sentence(Entry("lin", act, f"{kind}:big"))
    assert "lin" in words.en
    assert "lin" in words.zh
    assert not {"{", "}"} & set(words.en + words.zh)


def test_there_is_a_word_for_every_kind_of_rule():
    assert set(KINDS) <= set(NOUNS)


def test_what_this_danlu_has_no_word_for_is_shown_as_it_is():
    words = sentence(Entry("lin", "blessed", "ship:argo"))
    assert words.en == "lin blessed ship:argo"


def test_names_with_braces_are_only_names():
    assert sentence(Entry("{lin}", "edited", "pool:{x}")).en == "{lin} changed pool {x}"
