"""Attacks on accounts: guessing, locking others out, floods, tokens that linger, cookies and logs that are forged."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import httpx
import pytest
from argon2 import PasswordHasher

from danlu.domain.audit import Entry, sealed
from danlu.server.http.password_line import WAITING_AT_ONE_ADDRESS
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, PASSWORD, World, served, world
from tests.live import PATIENCE

GUESSES = 5
"""As many failures as a minute has here."""


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with world(tmp_path_factory.mktemp("world"), sign_in_attempts=GUESSES) as made:
        yield made


@pytest.fixture(scope="module")
def url(here: World) -> Iterator[str]:
    with served(here.app) as address:
        yield address


@pytest.fixture(autouse=True)
def forgotten(here: World) -> None:
    """Every attack begins with a clean slate."""
    attempts = here.app.state.desk.attempts
    attempts._failures.clear()
    attempts._next.clear()


@contextmanager
def browser_at(url: str, address: str) -> Iterator[httpx.Client]:
    """Somebody at another address of this machine."""
    transport = httpx.HTTPTransport(local_address=address)
    with httpx.Client(base_url=f"{url}/api/v1/", transport=transport, timeout=PATIENCE) as client:
        yield client


def try_in(client: httpx.Client, name: str, password: str) -> int:
    return client.post("session", json={"username": name, "password": password}).status_code


def guess(client: httpx.Client, name: str, times: int) -> Counter[int]:
    return Counter(try_in(client, name, f"guess {number}") for number in range(times))


# ── guessing ─────────────────────────────────────────────────────────────────────────────────────────


def test_a_guesser_locks_out_themselves_and_not_the_person(url: str) -> None:
    with browser_at(url, "127.0.0.2") as guesser, browser_at(url, "127.0.0.3") as person:
        assert guess(guesser, ENGINEER, GUESSES + 5) == {401: GUESSES, 429: 5}
        assert try_in(guesser, ENGINEER, PASSWORD) == 429, "a lucky guess comes too late"
        assert try_in(person, ENGINEER, PASSWORD) == 200


def test_a_crowd_of_guessers_locks_out_nobody_who_knows_the_password(url: str) -> None:
    for number in range(10, 15):
        with browser_at(url, f"127.0.1.{number}") as guesser:
            guess(guesser, ENGINEER, GUESSES)
    with browser_at(url, "127.0.2.1") as late:
        assert guess(late, ENGINEER, 3) == {401: 1, 429: 2}, (
            "a name under attack leaves each address few tries"
        )
    with browser_at(url, "127.0.2.2") as person:
        assert try_in(person, ENGINEER, PASSWORD) == 200


def test_a_browser_that_signed_in_before_is_let_in_beside_a_guesser(url: str) -> None:
    with browser_at(url, "127.0.0.4") as person, browser_at(url, "127.0.0.4") as guesser:
        assert try_in(person, ENGINEER, PASSWORD) == 200
        guess(guesser, ENGINEER, GUESSES + 1)
        with browser_at(url, "127.0.0.4") as stranger:
            assert try_in(stranger, ENGINEER, PASSWORD) == 429
        assert try_in(person, ENGINEER, PASSWORD) == 200
        known = person.cookies["danlu_device"]
        person.cookies.clear()
        person.cookies.set("danlu_device", known)
        assert guess(person, ENGINEER, GUESSES + 1) == {401: GUESSES, 429: 1}, (
            "it has a budget, not a free pass"
        )


def test_everybody_behind_one_proxy_still_gets_in_while_one_of_them_guesses(url: str) -> None:
    with browser_at(url, "127.0.0.5") as guesser:
        for number in range(10 * GUESSES):
            assert try_in(guesser, f"somebody{number}", "spring2026") == 401
        with browser_at(url, "127.0.0.5") as person:
            assert try_in(person, OTHER, PASSWORD) == 200


def test_another_persons_or_a_made_up_device_buys_no_guesses(url: str) -> None:
    with browser_at(url, "127.0.0.6") as guesser:
        assert try_in(guesser, OTHER, PASSWORD) == 200
        mark = guesser.cookies["danlu_device"]
        assert guess(guesser, ENGINEER, GUESSES) == {401: GUESSES}
        for forged in (
            mark,
            mark[:-1] + ("0" if mark[-1] != "0" else "1"),
            "a.99999999999.b",
            "",
            "..",
            "a.b.c",
        ):
            guesser.cookies.clear()
            guesser.cookies.set("danlu_device", forged)
            assert try_in(guesser, ENGINEER, "guess") == 429


class Hasher:
    """Argon2id that can be held up, and counts."""

    def __init__(self) -> None:
        self._real = PasswordHasher(1, 8, 1)
        self.free, self.asked = threading.Event(), 0
        self.free.set()

    def hash(self, password: str) -> str:
        return self._real.hash(password)

    def verify(self, hashed: str, password: str) -> bool:
        self.asked += 1
        assert self.free.wait(PATIENCE)
        return self._real.verify(hashed, password)


@pytest.fixture
def hasher(here: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hasher]:
    made = Hasher()
    monkeypatch.setattr(here.people._passwords, "_hasher", made)
    yield made
    made.free.set()


def test_a_flood_is_refused_early_and_others_still_get_their_turn(url: str, hasher: Hasher) -> None:
    flood = 60
    refused: list[httpx.Response] = []

    def flooding(number: int) -> httpx.Response:
        with browser_at(url, "127.0.0.7") as guesser:
            body = {"username": f"flood{number}", "password": "guess"}
            answer = guesser.post("session", json=body)
            refused.extend([answer] if answer.status_code == 429 else [])
            return answer

    hasher.free.clear()
    with ThreadPoolExecutor(flood + 1) as crowd, browser_at(url, "127.0.0.8") as person:
        told = [crowd.submit(flooding, number) for number in range(flood)]
        while (
            len(refused) < flood - 1 - WAITING_AT_ONE_ADDRESS
        ):  # refused although not one password was checked yet
            done = [one.result() for one in told if one.done()]
            assert {answer.status_code for answer in done} <= {429}
        mine = crowd.submit(try_in, person, ENGINEER, PASSWORD)
        hasher.free.set()
        statuses = Counter(one.result().status_code for one in told)
        assert mine.result() == 200
    assert statuses == {401: 1 + WAITING_AT_ONE_ADDRESS, 429: flood - 1 - WAITING_AT_ONE_ADDRESS}
    assert int(refused[0].headers["retry-after"]) >= 1
    assert "at once" in refused[0].json()["text"]["en"]
    assert "同时登录" in refused[0].json()["text"]["zh"]


def test_a_name_that_is_none_costs_as_much_as_one_that_is(here: World, url: str, hasher: Hasher) -> None:
    admin = here.caller(ADMINISTRATOR)
    here.services.people.accounts.add_user(admin, "unready", admin.user.role)  # without a password
    costs = []
    with browser_at(url, "127.0.0.9") as guesser:
        for name in (ENGINEER, "nobody-at-all", "unready"):
            before = hasher.asked
            assert try_in(guesser, name, "guess") == 401
            costs.append(hasher.asked - before)
    assert costs == [1, 1, 1]


# ── tokens ───────────────────────────────────────────────────────────────────────────────────────────


def with_token(url: str, secret: str, method: str, path: str, **more: Any) -> httpx.Response:
    bearer = {"Authorization": f"Bearer {secret}"}
    return httpx.request(method, f"{url}/api/v1/{path}", headers=bearer, timeout=PATIENCE, **more)


def signed_in(client: httpx.Client, name: str) -> dict[str, str]:
    session = client.post("session", json={"username": name, "password": PASSWORD}).json()
    return {"X-CSRF-Token": session["csrf"]}


def test_who_has_a_stolen_session_leaves_no_lasting_token_behind(url: str) -> None:
    with browser_at(url, "127.0.0.10") as thief:
        csrf = signed_in(thief, ENGINEER)
        for life in ("never", "366d"):
            answer = thief.post("tokens", json={"name": "mine", "expires_in": life}, headers=csrf)
            assert answer.status_code == 422
            (wrong,) = answer.json()["errors"]
            assert (wrong["loc"], wrong["bound"]) == (["expires_in"], "365d")
        made = thief.post("tokens", json={"name": "unasked"}, headers=csrf).json()
        session = thief.get("me/sessions").json()["items"][0]
        assert made["expires_at"] == session["expires_at"]


def test_who_has_a_leaked_token_is_out_when_it_is_revoked(here: World, url: str) -> None:
    secret, leaked = here.people.make_token(here.caller(ENGINEER), "leaked", life=3_600_000)
    longer = with_token(url, secret, "POST", "tokens", json={"name": "longer", "expires_in": "30d"})
    assert longer.status_code == 422
    hidden = with_token(url, secret, "POST", "tokens", json={"name": "hidden"}).json()
    deeper = with_token(url, hidden["secret"], "POST", "tokens", json={"name": "deeper"}).json()
    for one in (hidden, deeper):
        assert one["expires_at"] is not None
        assert with_token(url, one["secret"], "GET", "me").status_code == 200
    admin = here.bearer(ADMINISTRATOR)
    seen = httpx.get(f"{url}/api/v1/all-tokens?user={ENGINEER}", headers=admin).json()["items"]
    assert {"leaked", "hidden", "deeper"} <= {one["name"] for one in seen}
    assert all("secret" not in one and "secret_hash" not in one for one in seen)
    assert httpx.delete(f"{url}/api/v1/all-tokens/{leaked.id}", headers=admin).status_code == 204
    for gone in (secret, hidden["secret"], deeper["secret"]):
        assert with_token(url, gone, "GET", "me").status_code == 401


def test_a_thief_is_out_when_the_person_changes_the_password_and_says_so(here: World, url: str) -> None:
    stolen, _ = here.people.make_token(here.caller(OTHER), "stolen")
    with browser_at(url, "127.0.0.11") as thief, browser_at(url, "127.0.0.12") as person:
        signed_in(thief, OTHER)
        csrf = signed_in(person, OTHER)
        change = {"new": PASSWORD, "current": PASSWORD, "end_tokens": True}
        assert person.put("me/password", json=change, headers=csrf).status_code == 204
        assert thief.get("session").status_code == 401
        assert with_token(url, stolen, "GET", "me").status_code == 401
        assert person.get("session").status_code == 200


@pytest.mark.parametrize(("method", "path"), [("GET", "all-tokens"), ("DELETE", "all-tokens/any")])
def test_nobody_looks_at_the_tokens_of_others(here: World, url: str, method: str, path: str) -> None:
    answer = httpx.request(method, f"{url}/api/v1/{path}", headers=here.bearer(ENGINEER))
    assert answer.status_code == 403


# ── the audit log ────────────────────────────────────────────────────────────────────────────────────


def test_who_can_write_to_the_database_forges_no_audit_log(tmp_path: Any) -> None:
    with world(tmp_path) as other, served(other.app) as url:
        admin = other.bearer(ADMINISTRATOR)
        for name in ("one", "two", "three"):
            made = httpx.post(f"{url}/api/v1/projects", json={"name": name}, headers=admin)
            assert made.status_code == 201
        honest = httpx.get(f"{url}/api/v1/audit/verify", headers=admin).json()
        assert honest["ok"]
        forged = _forge(tmp_path / "danlu.db")
        verdict = httpx.get(f"{url}/api/v1/audit/verify", headers=admin).json()
        assert not verdict["ok"]
        assert verdict["broken"]["seq"] == forged
        assert "key" in verdict["broken"]["text"]["en"]
        assert "密钥" in verdict["broken"]["text"]["zh"]
        assert (tmp_path / "secrets" / "audit-key").stat().st_mode & 0o077 == 0


def _forge(file: Any) -> int:
    """Put another name to an entry and make a perfect chain of seals again, as anybody who reads the code could."""
    columns = 'seq, time, "by", act, subject, before, after, reason, address, means, seal'
    with sqlite3.connect(file) as database:
        rows = database.execute(f"SELECT {columns} FROM audit ORDER BY seq").fetchall()
        database.execute("DROP TRIGGER audit_no_update")
        at = next(number for number, row in enumerate(rows) if row[4] == "project:two")
        seal = rows[at - 1][-1]
        for row in rows[at:]:
            seq, time, by, act, subject, before, after, reason, address, means, _ = row
            name = "mallory" if seq == rows[at][0] else by
            was, became = (None if one is None else json.loads(one) for one in (before, after))
            seal = sealed(seal, seq, time, Entry(name, act, subject, was, became, reason, address, means))
            database.execute('UPDATE audit SET "by" = ?, seal = ? WHERE seq = ?', (name, seal, seq))
    return int(rows[at][0])
