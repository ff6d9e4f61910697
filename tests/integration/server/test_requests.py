"""Asking to join and for more quota, and deciding, with the real application."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from danlu.domain.errors import Unavailable
from danlu.domain.words import same
from danlu.ports.governance import AuditQuery
from danlu.server.projects import requests_models as wire
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, VIEWER, job_file

HOUR = 3_600_000


@pytest.fixture
def project(ask, request):
    """A project that the engineer has made, with a name of the test's own."""
    name = request.node.name.removeprefix("test_")[:40].rstrip("_[]-")
    assert ask(ENGINEER, "POST", "projects", json={"name": name}).status_code == 201
    return name


@pytest.fixture(autouse=True)
def nothing_open(ask):
    yield
    for who in (OTHER, VIEWER, ENGINEER, ADMINISTRATOR):
        for one in listed(ask, who, "state=open&mine=true"):
            ask(who, "POST", f"requests/{one['id']}/withdraw")


def listed(ask, who, query=""):
    answer = ask(who, "GET", f"requests?{query}")
    assert answer.status_code == 200, answer.text
    wire.RequestList.model_validate(answer.json())
    return answer.json()["items"]


def asked(ask, who, **body):
    answer = ask(who, "POST", "requests", json=body)
    assert answer.status_code == 201, answer.text
    wire.PersonalRequest.model_validate(answer.json())
    assert answer.headers["location"] == f"/api/v1/requests/{answer.json()['id']}"
    return answer.json()["id"]


def join(ask, who, project, **more):
    return asked(ask, who, kind="join", subject=project, **more)


def more_gpus(ask, who, gpus=4, **more):
    return asked(ask, who, kind="quota", amounts={"all": {"gpus": gpus, "jobs": 3}}, **more)


def decide(ask, who, request, verb, **body):
    return ask(who, "POST", f"requests/{request}/{verb}", json=body)


# ── joining ──────────────────────────────────────────────────────────────────────────────────────────


def test_a_stranger_asks_the_creator_says_yes_and_the_job_goes_in(ask, project):
    request = join(ask, OTHER, project, note="For the spring course")
    (seen,) = listed(ask, ENGINEER, "state=open&kind=join")
    assert (seen["id"], seen["user"], seen["subject"], seen["can_decide"]) == (request, OTHER, project, True)
    assert (seen["note"], seen["asked"]) == ("For the spring course", None)
    assert ask(OTHER, "GET", f"requests/{request}").json()["can_decide"] is False

    approved = decide(ask, ENGINEER, request, "approve", answer="Welcome")
    assert approved.status_code == 200, approved.text
    told = ask(OTHER, "GET", f"requests/{request}").json()
    assert (told["state"], told["decided_by"], told["answer"]) == ("approved", ENGINEER, "Welcome")
    assert ask(OTHER, "GET", f"projects/{project}").json()["my_role"] == "member"
    assert ask(OTHER, "POST", "jobs", json=job_file("let-in", project=project)).status_code == 201


def test_somebody_is_let_in_as_something_else(ask, project):
    request = join(ask, VIEWER, project)
    assert decide(ask, ADMINISTRATOR, request, "approve", role="viewer").status_code == 200
    assert ask(VIEWER, "GET", f"projects/{project}").json()["my_role"] == "viewer"
    assert join(ask, VIEWER, project), "a viewer may ask for more"


def test_there_is_nothing_to_ask_where_one_is_in_or_everybody_may(ask, project):
    for who, subject, words in (
        (ENGINEER, project, "is already a creator of project"),
        (OTHER, "public", "public is open"),
    ):
        refused = ask(who, "POST", "requests", json={"kind": "join", "subject": subject})
        assert (refused.status_code, words in refused.json()["detail"]) == (409, True), refused.text
    join(ask, OTHER, project)
    twice = ask(OTHER, "POST", "requests", json={"kind": "join", "subject": project})
    assert (twice.status_code, "the same request is already open" in twice.text) == (409, True)


def test_only_those_concerned_see_a_request_and_only_deciders_decide(ask, project):
    request = join(ask, OTHER, project)
    assert ask(VIEWER, "GET", f"requests/{request}").status_code == 404
    assert listed(ask, VIEWER, "mine=false") == []
    assert all(one["user"] == VIEWER for one in listed(ask, VIEWER))
    assert decide(ask, VIEWER, request, "approve").status_code == 404
    for verb in ("approve", "refuse"):
        refused = decide(ask, OTHER, request, verb, answer="me")
        assert (refused.status_code, "project's creators" in refused.text) == (403, True)
    withdrawn = decide(ask, ENGINEER, request, "withdraw")
    assert (withdrawn.status_code, "only they can withdraw" in withdrawn.text) == (403, True)


def test_a_refusal_needs_words_and_ends_it(ask, project):
    request = join(ask, OTHER, project)
    assert decide(ask, ENGINEER, request, "refuse").status_code == 422
    assert decide(ask, ENGINEER, request, "refuse", answer="").status_code == 422
    assert decide(ask, ENGINEER, request, "refuse", answer="Next year").json()["state"] == "refused"
    late = decide(ask, ADMINISTRATOR, request, "approve")
    assert (late.status_code, late.json()["detail"]) == (
        409,
        f"request {request} was already refused by {ENGINEER}",
    )
    assert ask(OTHER, "GET", f"projects/{project}").json()["my_role"] is None
    assert join(ask, OTHER, project), "they may ask again"


def test_what_is_withdrawn_is_not_decided(ask, project):
    request = join(ask, OTHER, project)
    assert decide(ask, OTHER, request, "withdraw").json()["state"] == "withdrawn"
    late = decide(ask, ENGINEER, request, "approve")
    assert (late.status_code, late.json()["detail"]) == (409, f"request {request} was already withdrawn")


def test_of_two_who_decide_at_once_one_does_and_the_other_is_told(ask, project, here):
    for _ in range(5):
        request = join(ask, OTHER, project)
        with ThreadPoolExecutor(2) as both:
            yes = both.submit(decide, ask, ENGINEER, request, "approve")
            no = both.submit(decide, ask, ADMINISTRATOR, request, "refuse", answer="no")
        done = [yes.result(), no.result()]
        assert sorted(one.status_code for one in done) == [200, 409]
        state = next(one for one in done if one.status_code == 200).json()["state"]
        member = any(one.user == OTHER for one in here.store.members(project))
        assert member is (state == "approved")
        ask(ENGINEER, "DELETE", f"projects/{project}/members/{OTHER}")


def test_a_project_that_is_gone_lets_nobody_in(ask, project):
    request = join(ask, OTHER, project)
    ask(ADMINISTRATOR, "DELETE", f"projects/{project}")
    late = decide(ask, ADMINISTRATOR, request, "approve")
    assert (late.status_code, "no longer exists; refuse the request" in late.text) == (409, True)
    assert decide(ask, ADMINISTRATOR, request, "refuse", answer="It is gone").status_code == 200


# ── more quota ───────────────────────────────────────────────────────────────────────────────────────


def test_more_quota_is_asked_for_and_granted_for_a_while(ask, here):
    ask(ADMINISTRATOR, "PUT", f"quotas/user:{OTHER}", json={"amounts": {"all": {"gpus": 1, "jobs": 1}}})
    request = more_gpus(ask, OTHER, 4, life="2d", note="A deadline")
    shown = ask(OTHER, "GET", f"requests/{request}").json()
    assert (shown["subject"], shown["asked"]) == (
        f"user:{OTHER}", {"amounts": {"all": {"gpus": 4, "jobs": 3}}, "life": "2d"},
    )  # fmt: skip
    assert listed(ask, ENGINEER, "kind=quota") == [], "creators of projects grant no quota"
    assert [one["id"] for one in listed(ask, ADMINISTRATOR, "kind=quota&state=open")] == [request]
    assert decide(ask, ADMINISTRATOR, request, "approve").status_code == 200
    (raised,) = here.registry.quotas()[f"user:{OTHER}"].raises
    assert (raised.amounts, raised.by, raised.reason) == (
        {"all": {"gpus": 4_000, "jobs": 3}}, ADMINISTRATOR, "A deadline",
    )  # fmt: skip
    assert 47 * HOUR < raised.until - here.services.ports.clock.now() <= 48 * HOUR


def test_less_may_be_granted_than_was_asked(ask, here):
    ask(ADMINISTRATOR, "PUT", f"quotas/user:{VIEWER}", json={"amounts": {"single": {"gpus": 1}}})
    request = more_gpus(ask, VIEWER, 64)
    terms = {"amounts": {"single": {"gpus": 8}}, "life": "1h", "answer": "Until tonight"}
    assert decide(ask, ADMINISTRATOR, request, "approve", **terms).status_code == 200
    (raised,) = here.registry.quotas()[f"user:{VIEWER}"].raises
    assert (raised.amounts, raised.reason) == ({"single": {"gpus": 8_000}}, "Until tonight")


def test_what_cannot_be_raised_leaves_the_request_open(ask, here, monkeypatch):
    request = more_gpus(ask, OTHER)
    wrong = decide(ask, ADMINISTRATOR, request, "approve", amounts={"all": {"H900": 2}})
    assert (wrong.status_code, wrong.json()["errors"][0]["code"]) == (422, "no_such_gpu")
    assert ask(OTHER, "GET", f"requests/{request}").json()["state"] == "open"
    noted = here.store.noted(AuditQuery(subject=f"request:{request}"))
    assert [one.entry.act for one in noted] == ["request_reopened", "request_approved"]

    def broken(*_):
        raise Unavailable(same("the disk is away"))

    monkeypatch.setattr(here.services.projects.requests, "_raise_quota", broken)
    assert decide(ask, ADMINISTRATOR, request, "approve").status_code == 503
    assert ask(OTHER, "GET", f"requests/{request}").json()["state"] == "open"


@pytest.mark.parametrize(
    ("body", "mistakes"),
    [
        ({"kind": "join"}, {("subject",): "missing"}),
        ({"kind": "quota"}, {("amounts",): "missing"}),
        ({"kind": "quota", "amounts": {}}, {("amounts",): "missing"}),
        ({"kind": "quota", "amounts": {"all": {}}}, {("amounts",): "missing"}),
        ({"kind": "quota", "amounts": {"singel": {"gpus": 1}}}, {("amounts", "singel"): "not_one_of"}),
        ({"kind": "quota", "amounts": {"all": {"gpu": 1}}}, {("amounts", "all", "gpu"): "no_such_resource"}),
        ({"kind": "quota", "amounts": {"all": {"jobs": -1}}}, {("amounts", "all", "jobs"): "out_of_range"}),
        ({"kind": "join", "subject": "public", "amounts": {}}, {("amounts",): "contradiction"}),
        ({"kind": "quota", "subject": "x", "amounts": {"all": {"gpus": 1}}}, {("subject",): "contradiction"}),
        ({"kind": "join", "subject": "pubic"}, {("subject",): "no_such_project"}),
        ({"kind": "quota", "amounts": {"all": {"gpus": 1}}, "life": "1s"}, {("life",): "out_of_range"}),
    ],
)
def test_every_mistake_is_told_at_its_place(ask, body, mistakes):
    errors = ask(OTHER, "POST", "requests", json=body).json()["errors"]
    assert {tuple(one["loc"]): one["code"] for one in errors} == mistakes


def test_terms_of_the_other_kind_are_refused(ask, project):
    for request, terms in (
        (join(ask, OTHER, project), {"amounts": {"all": {"gpus": 1}}, "life": "1h"}),
        (more_gpus(ask, OTHER), {"role": "member"}),
    ):
        errors = decide(ask, ADMINISTRATOR, request, "approve", **terms).json()["errors"]
        assert {one["loc"][0]: one["code"] for one in errors} == dict.fromkeys(terms, "contradiction")


# ── lists ────────────────────────────────────────────────────────────────────────────────────────────


def test_ones_own_and_those_of_others_come_apart_page_by_page(ask, project):
    mine = more_gpus(ask, ENGINEER)
    theirs = [join(ask, who, project) for who in (OTHER, VIEWER)]
    assert [one["id"] for one in listed(ask, ENGINEER, "state=open&mine=true")] == [mine]
    assert [one["id"] for one in listed(ask, ENGINEER, "state=open&mine=false")] == theirs[::-1]
    first = ask(ENGINEER, "GET", "requests?state=open&limit=2").json()
    rest = ask(ENGINEER, "GET", f"requests?state=open&limit=2&cursor={first['next_cursor']}").json()
    assert (first["total"], len(first["items"]), len(rest["items"])) == (3, 2, 1)
    assert rest["next_cursor"] is None
    assert ask(ENGINEER, "GET", "requests/none-such").status_code == 404
    assert ask(None, "GET", "requests").status_code == 401


def test_decisions_are_noted_with_their_reason(ask, here, project):
    request = join(ask, OTHER, project)
    decide(ask, ENGINEER, request, "refuse", answer="Full")
    (noted,) = here.store.noted(AuditQuery(subject=f"request:{request}"))
    entry = noted.entry
    assert (entry.by, entry.act, entry.reason, entry.means) == (
        ENGINEER,
        "request_refused",
        "Full",
        "token test",
    )
    assert (entry.before["state"], entry.after["state"], entry.after["subject"]) == (
        "open",
        "refused",
        project,
    )
