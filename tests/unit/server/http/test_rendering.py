"""An answer is declared once: how it is rendered follows from its annotations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from danlu.domain.words import Words
from danlu.server import routes
from danlu.server.http.models import Answer, Moment, Span, Text, Thousandths
from danlu.server.http.rendering import GIVEN, At, By


class Shade(Enum):
    DARK = "dark"


@dataclass
class Inner:
    name: str
    words: Words | None = None


@dataclass
class Source:
    name: str = "x"
    at: int = 1_500
    ended: int | None = None
    shade: Shade = Shade.DARK
    milli: int = 1_500
    few: tuple[str, ...] = ("a", "b")
    inner: Inner = field(default_factory=lambda: Inner("in"))
    inners: tuple[Inner, ...] = (Inner("one", Words("e", "z")),)
    labels: Mapping[str, str] = field(default_factory=dict)

    @property
    def both(self) -> Words:
        return Words("e", "z")


class Nested(Answer, of=Inner):
    name: str
    words: Text | None


def shouted(one: Source) -> str:
    return one.name.upper()


def sorted_inners(one: Source) -> list[Inner]:
    return sorted(one.inners, key=lambda each: each.name)


def rendered(annotation: Any, **more: Any) -> Any:
    """What an answer with this one key is, made of a Source."""
    made = type(
        "Made", (Answer,), {"__annotations__": {"key": annotation}, "__module__": __name__}, of=Source
    )
    return made.render(Source(**more))["key"]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("annotation", "shown"),
    [
        (Annotated[str, At("name")], "x"),
        (Annotated[str, At("inner.name")], "in"),
        (Annotated[Moment, At("at")], "1970-01-01T00:00:01.500Z"),
        (Annotated[Moment | None, At("at")], "1970-01-01T00:00:01.500Z"),
        (Annotated[Moment | None, At("ended")], None),
        (Annotated[Thousandths, At("milli")], 1.5),
        (Annotated[Span, At("milli")], "1s500ms"),
        (Annotated[Shade, At("shade")], "dark"),
        (Annotated[Literal["dark"], At("shade")], "dark"),
        (Annotated[list[str], At("few")], ["a", "b"]),
        (Annotated[Text, At("both")], {"en": "e", "zh": "z"}),
        (Annotated[Nested, At("inner")], {"name": "in", "words": None}),
        (Annotated[list[Nested], At("inners")], [{"name": "one", "words": {"en": "e", "zh": "z"}}]),
        (Annotated[list[Nested], By(sorted_inners)], [{"name": "one", "words": {"en": "e", "zh": "z"}}]),
        (Annotated[str, By(shouted)], "X"),
    ],
)
def test_the_annotation_says_how_a_key_is_rendered(annotation, shown):
    assert rendered(annotation) == shown


def test_a_list_in_an_answer_is_a_list_whatever_it_was():
    assert type(rendered(Annotated[list[str], At("few")])) is list


class Named(Answer, of=Source):
    name: str
    job_class: str = Field(alias="class")
    mine: Annotated[bool, GIVEN]

    @staticmethod
    def render(one: Source) -> dict[str, Any]:
        return {"by": "hand"}


class Outer(Answer, of=Inner, base=""):
    name: str


@dataclass
class Further:
    inner: Inner
    count: int


class Extended(Outer, of=Further, base="inner"):
    count: int
    mine: Annotated[bool, GIVEN]


def test_what_is_written_by_hand_is_used_as_it_is():
    assert Named.render(Source()) == {"by": "hand"}


def test_inherited_keys_are_found_where_the_answer_says_and_given_ones_are_told():
    assert Extended.render(Further(Inner("n"), 2), mine=True) == {"name": "n", "count": 2, "mine": True}
    assert Outer.render(Inner("n")) == {"name": "n"}  # the one below has not changed the one above


def test_the_key_is_the_one_that_clients_know():
    class Aliased(Answer, of=Source):
        shade: Shade = Field(alias="class")

    assert Aliased.render(Source()) == {"class": "dark"}


@pytest.mark.parametrize(
    ("annotation", "mistake"),
    [(str, "Source has no key"), (Annotated[Nested, At("both")], "a Nested is not made of Words")],
)
def test_a_wrong_declaration_is_refused(annotation, mistake):
    with pytest.raises(TypeError, match=mistake):
        rendered(annotation)


def test_an_answer_that_does_not_say_what_it_is_made_of_cannot_be_rendered():
    class Unsaid(Answer):
        name: str

    with pytest.raises(TypeError, match="Unsaid does not say what it is made of"):
        Unsaid.render(Source())


def heirs(kind: type[Answer]) -> Iterator[type[Answer]]:
    for heir in kind.__subclasses__():
        yield heir
        yield from heirs(heir)


DECLARED = [one for one in heirs(Answer) if one.made_of and one.__module__.startswith("danlu.")]


@pytest.mark.parametrize("answer", DECLARED, ids=lambda one: one.__name__)
def test_every_declared_answer_can_be_rendered_from_what_it_is_made_of(answer):
    assert routes.ALL  # which loads them all
    assert callable(answer.render)
