"""What follows from a rule and the table, where it is not plain."""

from __future__ import annotations

import pytest

from danlu.domain.people import UserRole
from danlu.domain.permissions import Permission, Relation
from danlu.server.http.access import API, COMMON, IN_PERSON, ONESELF, OPEN, SIGNED_IN, AccessRule
from danlu.server.http.verdicts import Verdict, verdict
from danlu.server.routes import ALL

ADMINISTRATOR, OPERATOR, ENGINEER, VIEWER = UserRole
OWN, IN_PROJECT, OTHER = Relation
ALLOWED, REFUSED, HIDDEN = Verdict
RULES = {(route.method, route.path): route.rule for routes in ALL for route in routes.all}


def said(method: str, path: str, role: UserRole) -> list[Verdict]:
    rule = RULES[method, f"{API}/{path}"]
    return [verdict(rule, role, relation) for relation in rule.about.relations]


def test_it_is_known_how_everything_can_stand_to_somebody():
    assert all(rule.about.relations for rule in RULES.values())


def test_what_one_may_not_read_is_hidden_and_what_one_may_not_do_refused():
    assert said("POST", "jobs/{job}/stop", ENGINEER) == [ALLOWED, HIDDEN, HIDDEN]
    assert said("POST", "jobs/{job}/start", OPERATOR) == [ALLOWED, REFUSED, REFUSED]
    assert said("POST", "jobs/{job}/start", VIEWER) == [REFUSED, REFUSED, REFUSED]


def test_a_copy_is_ones_own_whosesoever_the_job_is():
    assert said("POST", "jobs/{job}/clone", OPERATOR) == [ALLOWED, ALLOWED, ALLOWED]
    assert said("POST", "jobs/{job}/clone", ENGINEER) == [ALLOWED, HIDDEN, HIDDEN]


def test_creators_say_who_belongs_to_their_project():
    assert said("PUT", "projects/{name}/members/{user}", ENGINEER) == [ALLOWED, REFUSED, REFUSED]
    assert said("DELETE", "projects/{name}/members/{user}", ENGINEER) == [ALLOWED, REFUSED, REFUSED]
    assert said("DELETE", "projects/{name}/members/{user}", VIEWER) == [REFUSED, REFUSED, REFUSED]


@pytest.mark.parametrize("act", ["approve", "refuse"])
def test_nobody_but_creators_and_administrators_decides_a_request(act):
    path = f"requests/{{id}}/{act}"
    assert said("POST", path, ADMINISTRATOR) == [ALLOWED, ALLOWED, ALLOWED]
    assert said("POST", path, OPERATOR) == [REFUSED, ALLOWED, REFUSED]
    assert said("POST", path, ENGINEER) == [REFUSED, ALLOWED, HIDDEN]
    assert said("POST", path, VIEWER) == [REFUSED, HIDDEN, HIDDEN]


def test_nobody_reaches_anothers_tokens_keys_and_sessions():
    for path in ("tokens/{id}", "me/keys/{id}", "me/sessions/{id}"):
        assert said("DELETE", path, ADMINISTRATOR) == [ALLOWED, HIDDEN]


@pytest.mark.parametrize("door", [OPEN, SIGNED_IN, IN_PERSON])
def test_where_no_permission_is_asked_everybody_may(door):
    assert all(verdict(AccessRule(door, ONESELF), role, OWN) is ALLOWED for role in UserRole)


def test_what_is_common_takes_the_permission_on_what_belongs_to_others():
    rule = AccessRule(Permission.USER_READ, COMMON)
    assert [verdict(rule, role, OTHER) for role in UserRole] == [ALLOWED, ALLOWED, REFUSED, REFUSED]
