"""One's own affairs over HTTP: preferences that are nobody else's, and browsers that can be signed out at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import httpx
import pytest

from danlu.server.people.me_models import OwnSessionList, Preferences
from tests.fakes.server import ENGINEER, OTHER, PASSWORD, VIEWER
from tests.live import PATIENCE

NOTHING: dict[str, Any] = {
    **dict.fromkeys(("language", "theme", "time_zone", "news_seen")),
    "views": [],
    "dismissed": [],
}
VIEW = {"page": "jobs", "name": "失败的", "query": "state=failed&owner=me"}

Browser = Callable[..., httpx.Client]


@pytest.fixture
def browser(url: str) -> Iterator[Browser]:
    """A browser of its own that is signed in: browser("eve", "Firefox")."""
    with ExitStack() as stack:

        def opened(name: str = ENGINEER, agent: str = "Firefox") -> httpx.Client:
            made = stack.enter_context(httpx.Client(base_url=f"{url}/api/v1/", timeout=PATIENCE))
            made.headers["User-Agent"] = agent
            answer = made.post("session", json={"username": name, "password": PASSWORD})
            made.headers["X-CSRF-Token"] = answer.json()["csrf"]
            return made

        yield opened


@pytest.fixture
def narrow(here) -> Iterator[dict[str, str]]:
    """A token with scopes."""
    secret, token = here.people.make_token(here.caller(ENGINEER), "narrow", ("job:read", "token:read"))
    yield {"Authorization": f"Bearer {secret}"}
    here.people.revoke_token(here.caller(ENGINEER), token.id)


# ── preferences ──────────────────────────────────────────────────────────────────────────────────────


def test_preferences_are_kept_for_their_owner_alone(ask, browser):
    eve = browser()
    assert ask(OTHER, "GET", "me/preferences").json() == NOTHING
    said = {"theme": "dark", "views": [VIEW], "news_seen": "2026-01-31T20:00:00+08:00"}
    kept = {**NOTHING, **said, "news_seen": "2026-01-31T12:00:00.000Z"}
    assert eve.patch("me/preferences", json=said).json() == kept
    Preferences.model_validate(kept)
    assert ask(ENGINEER, "GET", "me/preferences").json() == kept, "a token without scopes is the person"
    assert ask(OTHER, "GET", "me/preferences").json() == NOTHING
    assert eve.patch("me/preferences", json={"language": "zh-CN", "theme": None}).json() == {
        **kept,
        "language": "zh-CN",
        "theme": None,
    }
    assert eve.patch("me/preferences").json() == eve.get("me/preferences").json()
    assert eve.patch("me/preferences", json=dict.fromkeys(NOTHING)).json() == NOTHING


def test_a_viewer_has_preferences_too(ask):
    assert ask(VIEWER, "PATCH", "me/preferences", json={"theme": "light"}).json()["theme"] == "light"


def test_every_mistake_is_told_at_its_place(ask):
    wrong = {"time_zone": "Asia/Shangai", "views": [VIEW, VIEW]}
    answer = ask(ENGINEER, "PATCH", "me/preferences", json=wrong)
    assert answer.status_code == 422
    zone, view = answer.json()["errors"]
    assert (zone["loc"], zone["value"], zone["hint"]) == (
        ["time_zone"],
        "Asia/Shangai",
        "did you mean 'Asia/Shanghai'?",
    )
    assert (view["loc"], view["code"]) == (["views", 1, "name"], "duplicate")
    (moment,) = ask(ENGINEER, "PATCH", "me/preferences", json={"news_seen": "soon"}).json()["errors"]
    assert (moment["loc"], moment["value"]) == (["news_seen"], "soon")


def test_too_much_is_refused_whole(ask):
    views = [{"page": "jobs", "name": str(number), "query": "查" * 2000} for number in range(50)]
    answer = ask(OTHER, "PATCH", "me/preferences", json={"views": views, "theme": "dark"})
    assert (answer.status_code, answer.json()["type"]) == (413, "too_large")
    assert ask(OTHER, "GET", "me/preferences").json() == NOTHING


def test_changes_of_different_keys_at_once_all_survive(ask, here, url):
    said = {
        "language": "en",
        "theme": "auto",
        "time_zone": "Europe/Berlin",
        "views": [VIEW],
        "dismissed": ["tour"],
        "news_seen": "2026-01-31T12:00:00.000Z",
    }
    for _ in range(3):
        ask(OTHER, "PATCH", "me/preferences", json=dict.fromkeys(NOTHING))
        with ThreadPoolExecutor(6) as threads:
            answers = threads.map(
                lambda item: httpx.patch(
                    f"{url}/api/v1/me/preferences", json=dict([item]), headers=here.bearer(OTHER)
                ),
                said.items(),
            )
        assert {answer.status_code for answer in answers} == {200}
        assert ask(OTHER, "GET", "me/preferences").json() == said


# ── sessions ─────────────────────────────────────────────────────────────────────────────────────────


def listed(client: httpx.Client) -> list[dict[str, Any]]:
    found: dict[str, list[dict[str, Any]]] = client.get("me/sessions").json()
    OwnSessionList.model_validate(found)
    return found["items"]


def sign_out_everywhere(ask) -> None:
    assert ask(ENGINEER, "DELETE", "me/sessions").status_code == 204


def test_one_sees_where_one_is_signed_in_and_nobody_elses(ask, browser):
    sign_out_everywhere(ask)
    browser(OTHER)
    there, here = browser(agent="Safari"), browser(agent="Firefox\t" + "x" * 300)
    current, other = listed(here)
    assert (current["current"], other["current"], other["agent"]) == (True, False, "Safari")
    assert current["agent"] == "Firefox" + "x" * 193
    assert current["address"] == "127.0.0.1"
    assert current["created_at"] == current["seen_at"] < current["expires_at"]
    assert [one["current"] for one in listed(there)] == [False, True]
    assert [one["current"] for one in ask(ENGINEER, "GET", "me/sessions").json()["items"]] == [False, False]


def test_a_browser_signed_out_elsewhere_is_refused_at_once(browser):
    there, here = browser(agent="left open"), browser()
    assert there.get("session").status_code == 200
    (found,) = [one for one in listed(here) if one["agent"] == "left open"]
    assert here.delete(f"me/sessions/{found['id']}").status_code == 204
    assert there.get("session").status_code == 401
    assert here.get("session").status_code == 200
    assert here.delete(f"me/sessions/{found['id']}").status_code == 404


def test_signing_out_everywhere_else_leaves_this_browser_and_other_people(ask, browser):
    there, other, here = browser(), browser(OTHER), browser()
    assert [client.get("session").status_code for client in (there, other, here)] == [200, 200, 200]
    assert here.delete("me/sessions").status_code == 204
    assert [client.get("session").status_code for client in (there, other, here)] == [401, 200, 200]
    assert [one["current"] for one in listed(here)] == [True]
    assert ask(ENGINEER, "GET", "session").status_code == 200, "tokens are not affected"
    assert ask(ENGINEER, "DELETE", "me/sessions").status_code == 204
    assert here.get("session").status_code == 401


def test_a_browser_may_end_its_own_session(browser):
    here = browser()
    (current,) = [one for one in listed(here) if one["current"]]
    answer = here.delete(f"me/sessions/{current['id']}")
    assert answer.status_code == 204
    assert 'danlu_session=""' in answer.headers["set-cookie"]
    assert "danlu_session" not in here.cookies


def test_nobody_ends_a_session_of_somebody_else(ask, browser):
    eve = browser()
    (current,) = [one for one in listed(eve) if one["current"]]
    for who in (OTHER, "admin"):
        assert ask(who, "DELETE", f"me/sessions/{current['id']}").status_code == 404
    assert eve.get("session").status_code == 200


def test_another_site_cannot_sign_one_out(browser):
    eve = browser()
    del eve.headers["X-CSRF-Token"]
    assert eve.delete("me/sessions").status_code == 403
    assert eve.patch("me/preferences", json={"theme": "dark"}).status_code == 403


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "me/preferences"),
        ("PATCH", "me/preferences"),
        ("GET", "me/sessions"),
        ("DELETE", "me/sessions"),
        ("DELETE", "me/sessions/some"),
    ],
)
def test_ones_own_affairs_are_not_for_tokens_with_scopes_nor_for_strangers(ask, narrow, method, path):
    refused = ask(None, method, path, headers=narrow)
    assert (refused.status_code, refused.json()["type"]) == (403, "not_allowed")
    assert "sign in to do that" in refused.json()["detail"]
    assert ask(None, method, path).status_code == 401
