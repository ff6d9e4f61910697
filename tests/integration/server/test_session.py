"""Signing in: cookies, CSRF, links, limits, and revocation at once."""

from __future__ import annotations

import httpx
import pytest

from tests.fakes.server import ADMINISTRATOR, ENGINEER, PASSWORD, served, world

SIGN_IN = {"username": ENGINEER, "password": PASSWORD}


def test_a_browser_signs_in_and_out(client):
    answer = client.post("/api/v1/session", json=SIGN_IN)
    session = answer.json()
    cookie = answer.headers["set-cookie"]
    assert session["user"]["name"] == ENGINEER
    assert session["must_set_password"] is False
    assert "danlu_session=" in cookie
    assert all(part in cookie for part in ("HttpOnly", "SameSite=strict", "Path=/", "Max-Age=1209600"))
    assert "Secure" not in cookie
    assert client.get("/api/v1/session").json() == session
    refused = client.delete("/api/v1/session")
    assert (refused.status_code, refused.json()["type"]) == (403, "not_allowed")
    assert client.delete("/api/v1/session", headers={"X-CSRF-Token": session["csrf"]}).status_code == 204
    assert client.get("/api/v1/session").status_code == 401


def test_a_session_that_ended_is_over_even_for_those_who_kept_the_cookie(client):
    session = client.post("/api/v1/session", json=SIGN_IN).json()
    kept = client.cookies["danlu_session"]
    client.get("/api/v1/session")
    client.delete("/api/v1/session", headers={"X-CSRF-Token": session["csrf"]})
    assert client.get("/api/v1/session", headers={"Cookie": f"danlu_session={kept}"}).status_code == 401


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1"])
def test_another_site_cannot_write_for_a_signed_in_browser(client, origin):
    session = client.post("/api/v1/session", json=SIGN_IN).json()
    headers = {"X-CSRF-Token": session["csrf"], "Origin": origin}
    assert client.post("/api/v1/jobs", json={}, headers=headers).status_code == 403
    assert client.post("/api/v1/session", json=SIGN_IN, headers={"Origin": origin}).status_code == 403


def test_our_own_site_can(client, url):
    session = client.post("/api/v1/session", json=SIGN_IN, headers={"Origin": url}).json()
    headers = {"X-CSRF-Token": session["csrf"], "Origin": url}
    assert client.post("/api/v1/jobs/check", json={}, headers=headers).status_code == 200


def test_a_name_that_is_none_and_a_wrong_password_are_told_alike(client):
    wrong = [{**SIGN_IN, "password": "wrong"}, {"username": "nobody", "password": "wrong"}]
    answers = [client.post("/api/v1/session", json=body) for body in wrong]
    assert [answer.status_code for answer in answers] == [401, 401]
    assert answers[0].json() == answers[1].json()
    assert answers[0].headers["www-authenticate"] == "Bearer"


def test_a_link_signs_in_once_and_asks_for_a_password(here, client):
    admin = here.caller(ADMINISTRATOR)
    here.services.people.accounts.add_user(admin, "newcomer", admin.user.role)
    code = here.people.make_link("newcomer")
    session = client.post("/api/v1/session/link", json={"code": code}).json()
    assert session["must_set_password"] is True
    again = client.post("/api/v1/session/link", json={"code": code}, headers={"Cookie": ""})
    assert again.status_code == 401
    csrf = {"X-CSRF-Token": session["csrf"]}
    short = client.put("/api/v1/me/password", json={"new": "short"}, headers=csrf)
    assert (short.status_code, short.json()["errors"][0]["loc"]) == (422, ["new"])
    assert client.put("/api/v1/me/password", json={"new": "long enough"}, headers=csrf).status_code == 204
    assert client.get("/api/v1/session").json()["must_set_password"] is False
    wrong = client.put("/api/v1/me/password", json={"new": "other enough"}, headers=csrf)
    assert wrong.json()["errors"][0]["loc"] == ["current"]


def test_failed_sign_ins_are_limited_per_name_and_address(tmp_path):
    with (
        world(tmp_path, sign_in_attempts=3) as here,
        served(here.app) as url,
        httpx.Client(base_url=url) as client,
    ):
        for _ in range(5):
            assert client.post("/api/v1/session", json=SIGN_IN).status_code == 200
        wrong = {**SIGN_IN, "password": "wrong"}
        client.cookies.clear()  # a stranger's browser
        statuses = [client.post("/api/v1/session", json=wrong).status_code for _ in range(4)]
        assert statuses == [401, 401, 401, 429]
        refused = client.post("/api/v1/session", json=SIGN_IN)
        assert (refused.status_code, refused.json()["type"]) == (429, "too_many")
        assert 1 <= int(refused.headers["retry-after"]) <= 61
        other = client.post("/api/v1/session", json={"username": "otto", "password": PASSWORD})
        assert other.status_code == 200, "somebody else at the same address is not locked out"


def test_an_address_cannot_be_made_up(tmp_path):
    with world(tmp_path, sign_in_attempts=1) as here, served(here.app) as url:
        statuses = [
            httpx.post(
                f"{url}/api/v1/session",
                json={"username": f"guess{number}", "password": "wrong"},
                headers={"X-Forwarded-For": f"10.0.0.{number}"},
            ).status_code
            for number in range(11)
        ]
    assert statuses == [401] * 10 + [429]


def test_a_present_password_cannot_be_guessed_without_end(tmp_path):
    with (
        world(tmp_path, sign_in_attempts=3) as here,
        served(here.app) as url,
        httpx.Client(base_url=url, headers=here.bearer(ENGINEER)) as client,
    ):
        guess = {"new": "long enough", "current": "a guess"}
        answers = [client.put("/api/v1/me/password", json=guess) for _ in range(4)]
        assert [answer.status_code for answer in answers] == [422, 422, 422, 429]
        right = client.put("/api/v1/me/password", json={**guess, "current": PASSWORD})
        assert right.status_code == 429
        assert client.post("/api/v1/session", json=SIGN_IN).status_code == 429, "it is one limit"


def test_a_new_password_that_will_not_do_is_no_guess(tmp_path):
    with (
        world(tmp_path, sign_in_attempts=1) as here,
        served(here.app) as url,
        httpx.Client(base_url=url, headers=here.bearer(ENGINEER)) as client,
    ):
        for _ in range(3):
            answer = client.put("/api/v1/me/password", json={"new": "short", "current": PASSWORD})
            assert answer.status_code == 422


def test_a_new_password_signs_out_elsewhere_and_not_here(fresh):
    with (
        served(fresh.app) as url,
        httpx.Client(base_url=url) as client,
        httpx.Client(base_url=url) as elsewhere,
    ):
        elsewhere.post("/api/v1/session", json=SIGN_IN)
        csrf = {"X-CSRF-Token": client.post("/api/v1/session", json=SIGN_IN).json()["csrf"]}
        change = {"new": "long enough", "current": PASSWORD}
        assert client.put("/api/v1/me/password", json=change, headers=csrf).status_code == 204
        assert client.get("/api/v1/session").status_code == 200
        assert elsewhere.get("/api/v1/session").status_code == 401


def test_a_token_with_scopes_sets_no_password(fresh):
    token, _ = fresh.people.make_token(fresh.caller(ENGINEER), "narrow", ("job:read",))
    with served(fresh.app) as url:
        answer = httpx.put(
            f"{url}/api/v1/me/password",
            json={"new": "long enough", "current": PASSWORD},
            headers={"Authorization": f"Bearer {token}"},
        )
    assert (answer.status_code, answer.json()["type"]) == (403, "not_allowed")


def test_a_cookie_is_secure_where_people_come_by_https(tmp_path):
    with (
        world(tmp_path, public_url="https://danlu.example/furnace") as here,
        served(here.app) as url,
        httpx.Client(base_url=url) as client,
    ):
        origin = {"Origin": "https://danlu.example", "Host": "danlu.example"}
        answer = client.post("/api/v1/session", json=SIGN_IN, headers=origin)
        device, session = answer.headers.get_list("set-cookie")
        assert session.startswith("__Host-danlu_session=")
        assert device.startswith("__Host-danlu_device=")
        for cookie in (session, device):
            assert all(part in cookie for part in ("Secure", "HttpOnly", "SameSite=strict", "Path=/"))
            assert "Domain" not in cookie
        kept = session.partition(";")[0]
        assert client.get("/api/v1/session", headers={**origin, "Cookie": kept}).status_code == 200
        planted = {**origin, "Cookie": kept.removeprefix("__Host-")}
        assert httpx.get(f"{url}/api/v1/session", headers=planted).status_code == 401


def test_a_revoked_token_is_refused_at_once(ask):
    made = ask(ENGINEER, "POST", "tokens", json={"name": "short-lived", "expires_in": "30d"}).json()
    assert made["secret"].startswith("danlu_")
    bearer = {"Authorization": f"Bearer {made['secret']}"}
    assert ask(None, "GET", "session", headers=bearer).status_code == 200
    listed = ask(ENGINEER, "GET", "tokens").json()["items"]
    assert "secret" not in listed[-1]
    assert ask(ENGINEER, "DELETE", f"tokens/{made['id']}").status_code == 204
    assert ask(None, "GET", "session", headers=bearer).status_code == 401
    assert ask(ENGINEER, "DELETE", f"tokens/{made['id']}").status_code == 404


def test_a_disabled_person_is_shut_out_at_once(ask, here):
    body = {"name": "mallory", "role": "engineer", "password": PASSWORD}
    assert ask(ADMINISTRATOR, "POST", "users", json=body).status_code == 201
    assert ask(ADMINISTRATOR, "POST", "users", json=body).json()["type"] == "name_taken"
    assert ask("mallory", "GET", "jobs").status_code == 200
    assert ask(ADMINISTRATOR, "PATCH", "users/mallory", json={"disabled": True}).json()["disabled"] is True
    assert ask("mallory", "GET", "jobs").status_code == 401
    assert ask(ADMINISTRATOR, "DELETE", "users/mallory").status_code == 204
    assert ask(ADMINISTRATOR, "PATCH", "users/mallory", json={}).status_code == 404


def test_the_last_administrator_stays(ask, here):
    for user in here.store.users():
        if user.name != ADMINISTRATOR and user.role == "administrator":
            ask(ADMINISTRATOR, "DELETE", f"users/{user.name}")
    answer = ask(ADMINISTRATOR, "PATCH", f"users/{ADMINISTRATOR}", json={"role": "viewer"})
    assert (answer.status_code, answer.json()["type"]) == (409, "conflict")


def test_people_are_paged(ask):
    first = ask(ADMINISTRATOR, "GET", "users?limit=2").json()
    second = ask(ADMINISTRATOR, "GET", f"users?limit=200&cursor={first['next_cursor']}").json()
    assert len(first["items"]) == 2
    assert second["next_cursor"] is None
    names = [user["name"] for user in first["items"] + second["items"]]
    assert names == sorted(set(names))


@pytest.mark.parametrize("header", ["Bearer nonsense", "Bearer", "Basic ZXZlOng=", "nonsense"])
def test_a_wrong_token_is_no_token(ask, header):
    assert ask(None, "GET", "jobs", headers={"Authorization": header}).status_code == 401
