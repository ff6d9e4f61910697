"""Rosters: names pasted from anywhere, and whom they mean."""

from __future__ import annotations

import pytest

from danlu.control.people.roster import MOST_NAMES, RosterRow, UnknownName, read_roster, recognize, roster_of
from danlu.domain.errors import Invalid
from danlu.domain.people import User, UserRole


def words(text: str) -> list[str]:
    return [row.word for row in read_roster(text).rows]


def person(name: str, email: str = "", *, deleted: bool = False) -> User:
    return User(name, UserRole.ENGINEER, 0, email=email, deleted=deleted)


@pytest.mark.parametrize(
    "text",
    [
        "lin,wang,chen",
        "lin; wang; chen;",
        "lin wang\tchen",
        "lin\r\nwang\r\n\r\nchen\r\n",
        "lin，wang；chen",
        "lin、wang、chen",
        " 'lin', \"wang\", `chen` ",
        "\ufefflin\nwang, lin\nchen wang",
    ],
)
def test_names_are_found_between_whatever_separates_them_and_each_once(text: str) -> None:
    assert words(text) == ["lin", "wang", "chen"]


@pytest.mark.parametrize("text", ["", "  \n ", ",;,"])
def test_a_text_without_names_is_an_empty_roster(text: str) -> None:
    assert read_roster(text).rows == ()


@pytest.mark.parametrize(
    "text",
    [
        "name,role\nlin,creator\nwang,\n",
        "Role;User\nCREATOR;lin\n;wang\n",
        "user\trole\tsince\nlin\tcreator\t2024\nwang\n",
        '"User Name","Department","Role"\n"lin","Vision, NLP","creator"\nwang,x,""\n',
        "用户名,角色\nlin,creator\nwang,\n",
        "name role\nlin creator\nwang",
    ],
)
def test_a_table_is_read_by_its_header_with_the_role_beside_the_name(text: str) -> None:
    assert read_roster(text).rows == (RosterRow("lin", "creator"), RosterRow("wang"))


def test_rows_of_a_table_without_a_name_are_left_out() -> None:
    assert words("email,name\nlin@lab.example,lin\nnobody@lab.example,\nshort\n") == ["lin"]


def test_a_single_line_is_never_a_header() -> None:
    assert words("name") == ["name"]
    assert words("user, lin") == ["user", "lin"]


def test_the_first_line_about_somebody_counts() -> None:
    assert read_roster("name,role\nlin,viewer\nlin,creator").rows == (RosterRow("lin", "viewer"),)


def test_too_many_names_and_unreadable_tables_are_refused_at_the_text() -> None:
    with pytest.raises(Invalid, match="error") as refused:
        read_roster(" ".join(f"u{number}" for number in range(MOST_NAMES + 1)))
    assert (refused.value.errors[0].loc, refused.value.errors[0].code) == (("text",), "too_many")
    with pytest.raises(Invalid) as unreadable:
        read_roster('name,role\n"' + "x" * 200_000)
    assert (unreadable.value.errors[0].loc, unreadable.value.errors[0].code) == (("text",), "bad_form")


def test_a_word_means_the_person_of_that_name_in_any_case_or_of_that_address() -> None:
    lin, wang = person("lin"), person("wang", "Wang.Hao@lab.example")
    found = recognize(read_roster("LIN wang.hao@LAB.example"), [lin, wang])
    assert [user.name for user, _ in found.people] == ["lin", "wang"]
    assert found.strangers == ()


def test_an_address_that_two_people_share_means_nobody() -> None:
    both = [person("lin", "lab@lab.example"), person("wang", "lab@lab.example")]
    assert recognize(roster_of(["lab@lab.example"]), both).people == ()


def test_somebody_named_twice_comes_once() -> None:
    found = recognize(read_roster("lin, lin@lab.example"), [person("lin", "lin@lab.example")])
    assert [user.name for user, _ in found.people] == ["lin"]


def test_nobodys_names_come_back_with_the_nearest_name() -> None:
    there = [person("linmei"), person("gone", deleted=True)]
    found = recognize(read_roster("linmi, gone, x9"), there)
    assert found.people == ()
    assert found.strangers == (
        UnknownName("linmi", "linmei"),
        UnknownName("gone", None),
        UnknownName("x9", None),
    )


def test_a_long_list_of_nobodies_names_is_told_without_guessing_for_each() -> None:
    there = [person(f"person-{number:04d}") for number in range(50)]
    found = recognize(roster_of([f"persan-{number:04d}" for number in range(50)]), there)
    guesses = [stranger.suggestion is not None for stranger in found.strangers]
    assert guesses == [True] * 20 + [False] * 30
