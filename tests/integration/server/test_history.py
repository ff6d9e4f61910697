"""Where a job came from, and what ended last."""

from __future__ import annotations

import pytest

from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, World, job_file


def ended(here: World, owner: str, name: str, **keys: object) -> str:
    """A job that ran and is over."""
    job = here.jobs.create(here.caller(owner), job_file(name, **keys), start=True)
    for _ in range(4):
        here.controller.step()
    return job.id


def names(answer):
    return [job["name"] for job in answer.json()["items"]]


# ── clones ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_clone_names_its_source_through_edits_runs_and_the_sources_end(ask, here):
    first = ask(ENGINEER, "POST", "jobs", json=job_file("origin")).json()
    assert first["cloned_from"] is None
    source = {"id": first["id"], "name": "origin#1"}
    clone = ask(ENGINEER, "POST", "jobs/origin/clone", json={"name": "copy"}).json()
    assert clone["cloned_from"] == source
    renamed = ask(ENGINEER, "PUT", "jobs/copy/spec", json=job_file("better-copy"))
    assert renamed.json()["cloned_from"] == source
    ask(ENGINEER, "POST", "jobs/better-copy/start")
    for _ in range(4):
        here.controller.step()
    assert ask(ENGINEER, "DELETE", "jobs/origin").status_code == 204
    found = ask(ENGINEER, "GET", "jobs/better-copy").json()
    assert (found["state"], found["cloned_from"]) == ("completed", source)
    again = ask(ENGINEER, "POST", "jobs/better-copy/clone").json()
    assert again["cloned_from"] == {"id": clone["id"], "name": "better-copy#1"}, "the one it was made of"


def test_nobody_says_themselves_what_a_job_was_cloned_from(ask):
    file = job_file("forged", cloned_from={"id": "x", "name": "y"})
    answer = ask(ENGINEER, "POST", "jobs", json=file)
    assert (answer.status_code, answer.json()["errors"][0]["code"]) == (422, "unknown_key")


# ── what ended last ──────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def past(here: World) -> World:
    ended(here, ENGINEER, "past-1")
    ended(here, OTHER, "past-2", env={"SIMULATED_EXIT_CODE": "3"})
    ended(here, ENGINEER, "past-3", env={"SIMULATED_EXIT_CODE": "3"})
    here.jobs.create(here.caller(ENGINEER), job_file("past-never"))
    return here


@pytest.mark.parametrize(
    ("who", "query", "expected"),
    [
        (ENGINEER, "owner=me", ["past-3", "past-1"]),
        (ENGINEER, "", ["past-3", "past-1"]),
        (ENGINEER, f"owner={OTHER}", []),
        (ADMINISTRATOR, "", ["past-3", "past-2", "past-1"]),
        (ADMINISTRATOR, f"owner={OTHER}", ["past-2"]),
        (ADMINISTRATOR, "state=failed", ["past-3", "past-2"]),
        (ADMINISTRATOR, "state=failed&state=running&kind=training&project=public", ["past-3", "past-2"]),
        (ADMINISTRATOR, "state=running", []),
        (ADMINISTRATOR, "kind=service", []),
    ],
)
def test_what_ended_comes_latest_first_whatever_else_is_asked(ask, past, who, query, expected):
    answer = ask(who, "GET", f"jobs?sort=-ended&search=past-&{query}")
    assert (names(answer), answer.json()["total"]) == (expected, len(expected))


def test_it_goes_on_by_cursor(ask, past):
    first = ask(ADMINISTRATOR, "GET", "jobs?sort=-ended&search=past-&limit=2")
    more = first.json()["next_cursor"]
    rest = ask(ADMINISTRATOR, "GET", f"jobs?sort=-ended&search=past-&limit=2&cursor={more}")
    assert (names(first), names(rest)) == (["past-3", "past-2"], ["past-1"])
    assert rest.json()["next_cursor"] is None
    other = ask(ADMINISTRATOR, "GET", f"jobs?cursor={more}")
    assert (other.status_code, other.json()["errors"][0]["code"]) == (422, "bad_cursor")
