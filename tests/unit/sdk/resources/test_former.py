"""Verbs by the names that they had before the client had rooms."""

from __future__ import annotations

from operator import attrgetter

import pytest

from danlu.sdk import Client
from danlu.sdk.resources.former import MOVED
from tests.fakes.http_server import FakeServer


@pytest.mark.parametrize(("name", "place"), MOVED.items())
def test_a_former_name_leads_to_a_verb_that_there_is(client: Client, name: str, place: str) -> None:
    assert callable(getattr(client, name))
    assert callable(attrgetter(place)(client))


@pytest.mark.parametrize(
    "name", ["projects", "flavors", "quotas", "nodes", "users", "maintenance", "clusters"]
)
def test_a_former_name_works_and_says_the_present_one(server: FakeServer, client: Client, name: str) -> None:
    server.on("GET", name, {"items": [{"name": "x"}], "next_cursor": None})
    with pytest.warns(
        DeprecationWarning, match=rf"client\.{name}\(\) is now client\.{MOVED[name]}\(\)"
    ) as said:
        found = getattr(client, name)()
    assert [one.name for one in found] == ["x"]
    assert said[0].filename == __file__


def test_arguments_go_along(server: FakeServer, client: Client) -> None:
    server.on("PATCH", "users/ann", {"name": "ann", "role": "viewer"})
    with pytest.warns(DeprecationWarning, match="people.edit"):
        assert client.edit_user("ann", role="viewer").role == "viewer"  # type: ignore[attr-defined]
    assert server.requests[-1].json() == {"role": "viewer"}


def test_what_there_never_was_is_told_as_ever(client: Client) -> None:
    with pytest.raises(AttributeError, match="'Client' object has no attribute 'projcts'"):
        client.projcts  # type: ignore[attr-defined]  # noqa: B018
