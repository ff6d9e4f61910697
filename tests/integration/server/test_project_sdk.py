"""Projects and requests through the SDK, with the real application behind it."""

from __future__ import annotations

import pytest

from danlu.sdk import Client, Conflict, Invalid, Member, NotAllowed
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, VIEWER, job_file


@pytest.fixture
def sdk(here, url):
    """A client of somebody: sdk("eve")."""
    made = []

    def client(name):
        made.append(Client(url=url, token=here.bearer(name)["Authorization"].split()[1]))
        return made[-1]

    yield client
    for one in made:
        one.close()


def test_a_project_from_its_making_to_a_job_of_somebody_who_asked_to_join(sdk):
    eve, otto = sdk(ENGINEER), sdk(OTHER)
    project = eve.projects.create("course", description="Spring")
    assert (project.my_role, project.members, project.open) == ("creator", 1, False)
    with pytest.raises(Invalid) as refused:
        otto.create(job_file("homework", project="course"))
    assert refused.value.errors[0].hint == "ask to join: danlu project join course"

    request = otto.projects.requests.join("course", "I take it")
    assert [one.id for one in eve.projects.requests.list(state="open", mine=False)] == [request.id]
    assert eve.projects.requests.get(request.id).can_decide
    approved = eve.projects.requests.approve(request.id, "Welcome")
    assert (approved.state, approved.answer) == ("approved", "Welcome")
    assert otto.create(job_file("homework", project="course")).project == "course"
    with pytest.raises(Conflict, match="was already approved by eve"):
        eve.projects.requests.refuse(request.id, "No")


def test_members_come_go_and_are_listed(sdk):
    eve = sdk(ENGINEER)
    eve.projects.create("seminar")
    assert eve.projects.enlist("seminar", [OTHER, "nobody"], preview=True).changed == (OTHER,)
    done = eve.projects.enlist("seminar", f"{OTHER}; {VIEWER}", role="viewer")
    assert (done.changed, done.already, done.unknown) == ((OTHER, VIEWER), (), ())
    assert eve.projects.set_member("seminar", OTHER).role == "member"
    assert [(one.user, one.role) for one in eve.projects.members("seminar")] == [
        (ENGINEER, "creator"), (OTHER, "member"), (VIEWER, "viewer"),
    ]  # fmt: skip
    assert isinstance(eve.projects.members("seminar")[0], Member)
    sdk(OTHER).projects.remove_member("seminar", OTHER)
    eve.projects.enlist("seminar", [VIEWER], remove=True)
    assert [one.user for one in eve.projects.members("seminar")] == [ENGINEER]
    with pytest.raises(NotAllowed):
        sdk(OTHER).projects.set_member("seminar", OTHER)
    standing = eve.projects.standing("seminar")
    assert (standing.account, standing.running, standing.amounts[0]["resource"]) == ("public", 0, "A100")


def test_quota_is_asked_for_withdrawn_and_granted(sdk):
    otto, admin = sdk(OTHER), sdk(ADMINISTRATOR)
    admin.quotas.set(f"user:{OTHER}", amounts={"all": {"gpus": 1}})
    first = otto.projects.requests.ask_for_quota({"all": {"gpus": 2}}, "1d", "A deadline")
    assert first.asked == {"amounts": {"all": {"gpus": 2}}, "life": "1d"}
    assert otto.projects.requests.withdraw(first.id).state == "withdrawn"
    second = otto.projects.requests.ask_for_quota({"all": {"gpus": 9}})
    assert (
        admin.projects.requests.approve(second.id, amounts={"all": {"gpus": 3}}, life="2h").state
        == "approved"
    )
