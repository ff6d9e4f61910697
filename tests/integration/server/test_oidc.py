"""Signing in through a provider: a real one, in a process of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import httpx
import pytest

from danlu.domain.people import UserRole
from danlu.domain.rules import Group
from danlu.server.http.cookies import SESSION_COOKIE as COOKIE
from danlu.server.people.oidc import JOURNEY, REFUSED
from tests.fakes.provider import RunningProvider, provider, query_of
from tests.fakes.server import ADMINISTRATOR, ENGINEER, World, served, world
from tests.live import PATIENCE

BEGIN = "/api/v1/session/oidc/corp"


@pytest.fixture(scope="module")
def corp() -> Iterator[RunningProvider]:
    with provider() as running:
        running.knows(
            "4711",
            preferred_username="Zhang.San",
            name="张三",
            email="zhang.san@example.com",
            groups=["research", "gpu-admins"],
        )
        running.knows("4712", preferred_username="li", groups=["sales"])
        running.knows("4713", preferred_username=ENGINEER, groups=["research"])
        running.knows("4714", preferred_username="!!", groups=["research"])
        running.knows("4715", preferred_username="Danlu", groups=["research"])
        yield running


@pytest.fixture
def here(tmp_path: Path, corp: RunningProvider) -> Iterator[World]:
    terms = {
        "name": "corp",
        "title": "Example GitLab",
        "issuer": corp.issuer,
        "client_id": "danlu",
        "client_secret": "s3cret & more",
        "required_groups": ["research"],
        "groups": {"research": "lab"},
        "roles": {"gpu-admins": "operator"},
    }
    with world(tmp_path, oidc=[terms]) as made:
        made.registry.add(made.caller(ADMINISTRATOR), Group("lab"))
        yield made


@pytest.fixture
def browser(here: World) -> Iterator[httpx.Client]:
    with served(here.app) as url, httpx.Client(base_url=url, timeout=PATIENCE) as client:
        yield client


def signed_in(
    browser: httpx.Client, corp: RunningProvider, sub: str = "4711", path: str = BEGIN
) -> httpx.Response:
    there = browser.get(path)
    assert there.status_code == 302, there.text
    return browser.get(corp.approve(there.headers["location"], sub))


def refusal(answer: httpx.Response) -> str:
    assert answer.status_code == 302, answer.text
    assert COOKIE not in answer.cookies
    assert answer.headers["location"] == "/sign-in"
    said = json.loads(unquote(answer.cookies[REFUSED].strip('"')))
    assert said["zh"]
    return str(said["en"])


def test_the_sign_in_page_knows_the_providers(browser):
    assert browser.get("/api/v1/session/providers").json() == {
        "items": [{"name": "corp", "title": "Example GitLab"}]
    }


def test_a_stranger_is_given_an_account_as_the_provider_describes_them(browser, corp, here):
    answer = signed_in(browser, corp, path=f"{BEGIN}?next=/queue")
    assert (answer.status_code, answer.headers["location"]) == (302, "/queue")

    session = browser.get("/api/v1/session").json()
    assert (session["user"]["name"], session["must_set_password"]) == ("zhang-san", False)
    user = here.store.user("zhang-san")
    assert user is not None
    assert (user.display_name, user.email, user.subject) == (
        "张三",
        "zhang.san@example.com",
        f"{corp.issuer}#4711",
    )
    assert (user.role, user.groups, user.password_hash) == (UserRole.OPERATOR, ("lab",), None)
    acts = [(one.entry.act, one.entry.by, one.entry.means) for one in here.store.chain(0, 50)]
    assert ("created", "danlu", "provider corp") in acts


def test_the_same_person_comes_back_to_the_same_account_which_follows_the_provider(browser, corp, here):
    signed_in(browser, corp)
    here.store.edit_user(
        "zhang-san", lambda user, _: replace(user, role=UserRole.VIEWER, groups=("own",), email="old")
    )
    signed_in(browser, corp)
    user = here.store.user("zhang-san")
    assert user is not None
    assert (user.role, user.groups, user.email) == (
        UserRole.OPERATOR,
        ("own", "lab"),
        "zhang.san@example.com",
    )


def test_whoever_is_in_no_required_group_stays_outside(browser, corp, here):
    assert (
        refusal(signed_in(browser, corp, "4712")) == "only members of research at Example GitLab may sign in"
    )
    assert here.store.user("li") is None
    (failed,) = (one.entry for one in here.store.chain(0, 50) if one.entry.act == "sign_in_failed")
    assert (failed.by, failed.means) == ("li", "provider corp")


def test_an_account_of_the_same_name_is_not_taken_over(browser, corp, here):
    said = refusal(signed_in(browser, corp, "4713"))
    assert f"the account '{ENGINEER}' already exists and is not linked to Example GitLab" in said
    assert here.store.user(ENGINEER).subject == ""

    here.store.edit_user(ENGINEER, lambda user, _: replace(user, subject=f"{corp.issuer}#4713"))
    assert signed_in(browser, corp, "4713").headers["location"] == "/"
    assert browser.get("/api/v1/session").json()["user"]["name"] == ENGINEER


@pytest.mark.parametrize("sub", ["4714", "4715"])
def test_nobody_is_named_after_nothing_or_after_danlu_itself(browser, corp, sub):
    assert "cannot become a user name here" in refusal(signed_in(browser, corp, sub))


def test_a_disabled_account_stays_disabled(browser, corp, here):
    signed_in(browser, corp)
    here.store.edit_user("zhang-san", lambda user, _: replace(user, disabled=True))
    assert "disabled" in refusal(signed_in(browser, corp))


def test_a_code_works_once(browser, corp):
    back = corp.approve(browser.get(BEGIN).headers["location"], "4711")
    journey = browser.cookies.get(JOURNEY)
    assert browser.get(back).headers["location"] == "/"
    browser.cookies.set(JOURNEY, journey, path="/api/v1/session/oidc")
    assert "did not confirm" in refusal(browser.get(back, headers={"Cookie": f"{JOURNEY}={journey}"}))


def test_a_return_that_began_elsewhere_is_refused(browser, corp):
    back = corp.approve(browser.get(BEGIN).headers["location"], "4711")
    browser.cookies.clear()
    assert "another browser" in refusal(browser.get(back))

    browser.get(BEGIN)
    assert "another window" in refusal(browser.get(back))


def test_a_journey_that_was_tampered_with_is_refused(browser, corp):
    back = corp.approve(browser.get(BEGIN).headers["location"], "4711")
    body, _, seal = browser.cookies[JOURNEY].partition(".")
    browser.cookies.clear()
    for journey in (f"{body[:-2]}AA.{seal}", f"{body}.", f"{body}.é", "é"):
        headers = {b"Cookie": f"{JOURNEY}={journey}".encode("latin-1")}
        assert "another browser" in refusal(browser.get(back, headers=headers))


def test_what_the_provider_refuses_is_passed_on(browser):
    browser.get(BEGIN)
    assert (
        refusal(browser.get(f"{BEGIN}/callback?error=access_denied"))
        == "Example GitLab refused the sign-in: access_denied"
    )


@pytest.mark.parametrize("next_", ["https://evil.example", "//evil.example", "/\\evil.example", "jobs"])
def test_nobody_is_sent_elsewhere_afterwards(browser, corp, next_):
    answer = signed_in(browser, corp, path=f"{BEGIN}?next={next_}")
    assert answer.headers["location"] == "/"


def test_the_request_asks_for_proof_that_only_this_browser_can_give(browser):
    asked = query_of(browser.get(BEGIN).headers["location"])
    assert asked["code_challenge_method"] == "S256"
    assert asked["response_type"] == "code"
    assert asked["redirect_uri"].endswith(f"{BEGIN}/callback")
    assert len({asked["state"], asked["nonce"], asked["code_challenge"]}) == 3


def test_there_is_no_other_provider(browser):
    assert browser.get("/api/v1/session/oidc/other").status_code == 404


@pytest.mark.parametrize(
    ("issuer", "said"),
    [("http://127.0.0.1:9", "does not answer"), ("http://192.0.2.1", "only over TLS")],
)
def test_a_provider_out_of_reach_leaves_a_person_at_the_sign_in_page(tmp_path, issuer: str, said: str):
    terms: dict[str, Any] = {"name": "corp", "issuer": issuer, "client_id": "danlu"}
    with world(tmp_path, oidc=[terms]) as made, served(made.app) as url, httpx.Client(base_url=url) as client:
        assert said in refusal(client.get(BEGIN))
