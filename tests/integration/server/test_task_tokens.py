"""What a task may ask of Danlu with the token it was given, with the real application."""

from __future__ import annotations

import gzip
import hashlib
import itertools
from dataclasses import replace

import pytest

from danlu.control.people.task_tokens import TaskTokens
from danlu.domain.errors import NotSignedIn
from danlu.domain.job import Job
from danlu.server.http.access import OPEN
from danlu.server.routes import ALL
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, VIEWER, World, job_file

LONG = {"SIMULATED_RUN_FOR": "1h"}
ARCHIVE = gzip.compress(b"some code", mtime=0)
DIGEST = hashlib.sha256(ARCHIVE).hexdigest()
ELSE = gzip.compress(b"other code", mtime=0)
ELSE_DIGEST = hashlib.sha256(ELSE).hexdigest()
numbers = itertools.count()


@pytest.fixture(scope="module", autouse=True)
def _uploaded(here: World) -> None:
    for digest, content in ((DIGEST, ARCHIVE), (ELSE_DIGEST, ELSE)):
        (here.root / "code" / f"{digest}.tar.gz").write_bytes(content)


@pytest.fixture
def running(here: World):
    """A job of Eve's with code, running."""
    made = here.jobs.create(
        here.caller(ENGINEER),
        job_file(f"tasked-{next(numbers)}", env=LONG, code={"archive": DIGEST}),
        start=True,
    )
    here.controller.step()
    here.controller.step()
    yield here.jobs.get(here.caller(ENGINEER), made.id)
    if here.jobs.get(here.caller(ENGINEER), made.id).active:
        here.jobs.act(here.caller(ENGINEER), made.id, "reset")
        _settle(here)


@pytest.fixture
def as_task(ask, here: World):
    """A request by a task of a job's present attempt."""

    def asked(job: Job, method: str, path: str, **headers: str):
        token = _tokens(here).token(job.attempt_id)
        return ask(None, method, path, headers={"Authorization": f"Bearer {token}", **headers})

    return asked


def _tokens(here: World) -> TaskTokens:
    return here.tasks


def _settle(here: World) -> None:
    for _ in range(3):
        here.controller.step()


def test_a_task_reads_its_own_job_events_and_logs(as_task, running):
    assert as_task(running, "GET", f"jobs/{running.id}").json()["id"] == running.id
    assert as_task(running, "GET", f"jobs/{running.spec.name}").json()["id"] == running.id
    assert as_task(running, "GET", f"jobs/{running.id}/events").json()["items"]
    assert as_task(running, "GET", f"jobs/{running.id}/logs").status_code == 200


def test_a_task_may_act_on_nothing_it_sees(as_task, running):
    assert as_task(running, "GET", f"jobs/{running.id}").json()["actions"] == []


def test_a_task_fetches_the_code_its_job_names(as_task, running):
    answer = as_task(running, "GET", f"code/{DIGEST}")
    assert (answer.status_code, answer.content) == (200, ARCHIVE)
    assert answer.headers["content-length"] == str(len(ARCHIVE))
    assert (answer.headers["content-type"], answer.headers["etag"]) == ("application/gzip", f'"{DIGEST}"')


def test_code_that_is_there_already_is_not_sent_again(as_task, running):
    answer = as_task(running, "GET", f"code/{DIGEST}", **{"If-None-Match": f'"{DIGEST}"'})
    assert (answer.status_code, answer.content) == (304, b"")


def test_a_task_fetches_no_other_code(as_task, running):
    assert as_task(running, "GET", f"code/{ELSE_DIGEST}").status_code == 404
    assert as_task(running, "GET", f"code/{DIGEST}?job=no-such").status_code == 404


def test_a_task_knows_of_no_other_job_of_its_owner(as_task, here, running):
    other = here.jobs.create(
        here.caller(ENGINEER), job_file(f"untold-{next(numbers)}", code={"archive": ELSE_DIGEST})
    )
    for path in ("", "/events", "/logs"):
        assert as_task(running, "GET", f"jobs/{other.id}{path}").status_code == 404
        assert as_task(running, "GET", f"jobs/{other.spec.name}{path}").status_code == 404
    assert as_task(running, "GET", f"code/{ELSE_DIGEST}?job={other.id}").status_code == 404


ROUTES = [route for routes in ALL for route in routes.all]
REFUSED = sorted(
    (route.method, route.path)
    for route in ROUTES
    if route.rule.permission is not OPEN and not route.for_tasks and route.method != "WS"
)


@pytest.mark.parametrize(("method", "path"), REFUSED)
def test_every_other_door_is_closed_to_tasks(as_task, running, method, path):
    kinds = (
        *("name", "id", "template", "key", "volume", "entry", "upload", "transfer", "schedule"),
        *("dataset", "version", "tag", "act", "recipe"),
    )
    names = dict.fromkeys(kinds, "x")
    at = path.format(job=running.id, user=ENGINEER, digest=DIGEST, **names)
    assert as_task(running, method, at).status_code == 403


def test_sockets_are_closed_to_tasks():
    """The guard is the same for them; none is among the doors for tasks."""
    assert not any(route.for_tasks for route in ROUTES if route.method == "WS")


# ── how long it is good ──────────────────────────────────────────────────────────────────────────────


def test_a_token_dies_with_its_attempt(as_task, here, running):
    assert as_task(running, "GET", f"jobs/{running.id}").status_code == 200
    here.jobs.act(here.caller(ENGINEER), running.id, "reset")
    _settle(here)
    here.app.state.desk.identity.forget()
    refused = as_task(running, "GET", f"jobs/{running.id}")
    assert (refused.status_code, "is over" in refused.json()["detail"]) == (401, True)


def test_an_earlier_attempts_token_is_no_good_for_the_next(as_task, here, running):
    here.jobs.act(here.caller(ENGINEER), running.id, "restart")
    _settle(here)
    now = here.jobs.get(here.caller(ENGINEER), running.id)
    assert (now.attempts, bool(now.live_tasks)) == (2, True)
    here.app.state.desk.identity.forget()
    assert as_task(running, "GET", f"jobs/{running.id}").status_code == 401
    assert as_task(now, "GET", f"jobs/{running.id}").status_code == 200


@pytest.mark.parametrize(
    "spoil",
    [
        lambda t: t[:-1] + "0g"[t[-1] == "0"],
        lambda t: t[:-5],
        lambda t: "danlu_task_",
        lambda t: t.replace("-1_", "-2_"),
        lambda t: t + "é",
    ],
)
def test_a_forged_token_is_refused(ask, here, running, spoil):
    token = spoil(_tokens(here).token(running.attempt_id)).encode()
    assert (
        ask(None, "GET", f"jobs/{running.id}", headers={"Authorization": b"Bearer " + token}).status_code
        == 401
    )


def test_another_key_makes_other_tokens(ask, here, running):
    token = TaskTokens(b"another", here.store).token(running.attempt_id)
    assert (
        ask(None, "GET", f"jobs/{running.id}", headers={"Authorization": f"Bearer {token}"}).status_code
        == 401
    )


def test_the_tasks_of_somebody_without_an_account_are_nobodys(as_task, fresh):
    job = fresh.jobs.create(fresh.caller(OTHER), job_file("left-behind", env=LONG), start=True)
    _settle(fresh)
    tokens = _tokens(fresh)
    token = tokens.token(fresh.jobs.get(fresh.caller(OTHER), job.id).attempt_id)
    assert tokens.caller(token).name == OTHER
    fresh.services.people.accounts.edit_user(fresh.caller(ADMINISTRATOR), OTHER, disabled=True, jobs="keep")
    assert tokens.caller(token).name == OTHER  # what was kept goes on
    fresh.store.edit_user(OTHER, lambda user, _: replace(user, deleted=True))
    with pytest.raises(NotSignedIn, match="no longer has an account"):
        tokens.caller(token)


# ── people fetch code too ────────────────────────────────────────────────────────────────────────────


def test_the_owner_and_administrators_fetch_a_jobs_code(ask, running):
    for who in (ENGINEER, ADMINISTRATOR):
        answer = ask(who, "GET", f"code/{DIGEST}?job={running.id}")
        assert (answer.status_code, answer.content) == (200, ARCHIVE)


def test_people_say_whose_code_they_want(ask):
    refused = ask(ENGINEER, "GET", f"code/{DIGEST}")
    assert (refused.status_code, refused.json()["errors"][0]["loc"]) == (422, ["query", "job"])


@pytest.mark.parametrize(("who", "status"), [(OTHER, 404), (VIEWER, 404), (None, 401)])
def test_others_do_not_fetch_it(ask, running, who, status):
    assert ask(who, "GET", f"code/{DIGEST}?job={running.id}").status_code == status


def test_a_digest_that_is_none_is_refused(ask, running):
    assert ask(ENGINEER, "GET", f"code/xyz?job={running.id}").status_code == 422
