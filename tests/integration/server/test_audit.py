"""The audit log with the real application: what is in it, who may read it, and that tampering shows."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest
from sqlalchemy import text

from danlu.sdk.resources.audit import verify_lines
from danlu.server.audit import models as wire
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, VIEWER, World, job_file


@pytest.fixture(scope="module", autouse=True)
def something_done(here: World, url: str) -> None:
    here.registry.add(here.caller(ADMINISTRATOR), _project("nlp"))


def _project(name: str):
    from danlu.domain.rules import Project

    return Project(name, weight=2, description="=danger")


def test_an_act_is_listed_with_who_did_it_from_where_and_what_it_changed(ask):
    ask(ADMINISTRATOR, "PATCH", "projects/nlp", json={"weight": 3})
    page = ask(ADMINISTRATOR, "GET", "audit?subject=project:nlp&limit=1").json()
    wire.AuditList.model_validate(page)
    (entry,) = page["items"]
    assert (entry["by"], entry["act"], entry["address"]) == (ADMINISTRATOR, "edited", "127.0.0.1")
    assert (entry["before"]["weight"], entry["after"]["weight"]) == (2, 3)
    assert entry["means"].startswith("token ")
    assert entry["text"] == {"en": "admin changed project nlp", "zh": "admin 修改了项目组 nlp"}
    older = ask(ADMINISTRATOR, "GET", f"audit?subject=project:nlp&cursor={page['next_cursor']}").json()
    assert older["items"][-1]["act"] == "added"


@pytest.mark.parametrize("path", ["audit", "audit/export", "audit/verify"])
@pytest.mark.parametrize(
    ("who", "status"), [(ADMINISTRATOR, 200), (ENGINEER, 403), (VIEWER, 403), (None, 401)]
)
def test_the_log_is_for_those_who_may_read_it(ask, path, who, status):
    assert ask(who, "GET", path).status_code == status


def test_an_administrators_act_on_anothers_job_is_noted_and_ones_own_is_not(ask, here):
    job = here.jobs.create(here.caller(ENGINEER), job_file("watched"), start=True)
    ask(ADMINISTRATOR, "POST", f"jobs/{job.id}/stop")
    here.controller.step()
    ask(ENGINEER, "POST", f"jobs/{job.id}/start")
    ask(ADMINISTRATOR, "PUT", f"jobs/{job.id}/pin")

    listed = ask(ADMINISTRATOR, "GET", f"audit?subject=job:{ENGINEER}:watched%231").json()["items"]
    assert [(one["by"], one["act"]) for one in listed] == [
        (ADMINISTRATOR, "pinned"),
        (ADMINISTRATOR, "stopped"),
    ]


def test_an_export_can_be_verified_without_the_server(ask):
    exported = ask(ADMINISTRATOR, "GET", "audit/export").text
    lines = exported.splitlines()
    verdict = verify_lines(lines)
    assert verdict.ok
    assert verdict.count == len(lines)

    forged = json.loads(lines[1])
    forged["by"] = "somebody"
    broken = verify_lines([lines[0], json.dumps(forged), *lines[2:]])
    assert (broken.ok, (broken.broken or {})["seq"]) == (False, 2)
    shorter = verify_lines([lines[0], *lines[2:]])
    assert (shorter.broken or {})["why"].startswith("entry 2 is missing")
    for cut in (lines[1][:40], "[]", '{"seq": 2}', "no JSON"):
        why = {"en": "line 2 is not an entry of an audit log", "zh": "第 2 行不是审计日志的条目"}
        assert verify_lines([lines[0], cut]).broken == {"seq": 2, "why": why["en"], "text": why}
    assert ask(ADMINISTRATOR, "GET", "audit?act=exported").json()["items"]


def test_a_table_has_no_formulas(ask):
    ask(ADMINISTRATOR, "POST", "projects", json={"name": "calc", "description": "=1+1"})
    rows = list(csv.DictReader(io.StringIO(ask(ADMINISTRATOR, "GET", "audit/export?format=csv").text)))
    assert rows[0]["seq"] == "1"
    assert not [cell for row in rows for cell in row.values() if cell.startswith(("=", "+", "@"))]


def test_the_whole_log_holds_against_a_seal_noted_earlier(ask, fresh):
    noted = ask(ADMINISTRATOR, "GET", "audit/verify").json()
    assert noted["ok"]
    assert noted["signed_since"] == 1
    again = ask(ADMINISTRATOR, "GET", f"audit/verify?seq={noted['seq']}&seal={noted['seal']}").json()
    assert again["ok"]
    other = ask(ADMINISTRATOR, "GET", f"audit/verify?seq={noted['seq']}&seal={'f' * 64}").json()
    assert other["broken"]["why"].endswith("different seal than the one that was noted")
    beyond = ask(ADMINISTRATOR, "GET", f"audit/verify?seq=99999&seal={'f' * 64}").json()
    assert "the log ends at" in beyond["broken"]["why"]
    assert beyond["broken"]["text"]["zh"].startswith("日志止于条目")


def test_tampering_is_told_where_it_happened(fresh):
    for name in ("one", "two", "three"):
        fresh.registry.add(fresh.caller(ADMINISTRATOR), _project(name))
    with fresh.store._database.writing() as connection:
        connection.execute(text("DROP TRIGGER audit_no_update"))
        connection.execute(text("UPDATE audit SET address = '10.9.9.9' WHERE subject = 'project:two'"))
    verdict = fresh.services.audit.verify(fresh.caller(ADMINISTRATOR))
    assert verdict.broken is not None
    assert fresh.store.chain(verdict.broken.seq - 1, 1)[0].entry.subject == "project:two"


@pytest.mark.parametrize(
    "query", ["since=tomorrow", "limit=0", "cursor=x", "seal=abc", f"seal={'0' * 64}", "seq=1"]
)
def test_a_wrong_question_is_told_its_mistake(ask, query):
    path = "audit/verify" if query.startswith("se") else "audit"
    assert ask(ADMINISTRATOR, "GET", f"{path}?{query}").status_code == 422


def test_someone_who_may_not_read_learns_nothing(ask):
    assert "project:nlp" not in ask(OTHER, "GET", "audit").text


def test_a_search_reads_so_many_entries_for_a_page_and_goes_on_from_there(ask, here, monkeypatch):
    monkeypatch.setattr("danlu.control.audit._SEARCHED", 3)
    act = here.caller(ADMINISTRATOR).entry("exported", "audit:", reason="needle")
    here.store.note([act, *[replace(act, reason="hay")] * 7], 1)

    found: list[dict[str, str]] = []
    cursor, pages = "", 0
    while not found:
        page = ask(ADMINISTRATOR, "GET", f"audit?search=NEEDLE{cursor}").json()
        found, cursor, pages = page["items"], f"&cursor={page['next_cursor']}", pages + 1
    assert (pages, [one["reason"] for one in found]) == (3, ["needle"])
    of_one = ask(ADMINISTRATOR, "GET", f"audit?search=needle&by={ADMINISTRATOR}").json()
    assert [one["reason"] for one in of_one["items"]] == ["needle"]
    assert of_one["next_cursor"] is None


def test_whoever_reads_anothers_log_is_noted_once_in_a_while(ask, here):
    job = here.jobs.create(here.caller(ENGINEER), job_file("private"), start=True)
    for who in (ENGINEER, ADMINISTRATOR, ADMINISTRATOR):
        assert ask(who, "GET", f"jobs/{job.id}/logs").status_code == 200
    listed = ask(ADMINISTRATOR, "GET", f"audit?subject=job:{ENGINEER}:private%231&act=read").json()["items"]
    assert [one["by"] for one in listed] == [ADMINISTRATOR]


def test_an_exported_file_is_held_against_a_seal_noted_earlier(ask):
    lines = ask(ADMINISTRATOR, "GET", "audit/export").text.splitlines()
    last = json.loads(lines[-1])
    assert verify_lines(lines, last["seq"], last["seal"]).ok
    cut = verify_lines(lines[:-1], last["seq"], last["seal"])
    assert (cut.broken or {})["why"].startswith("the file ends at")
    other = verify_lines(lines, last["seq"], "f" * 64)
    assert "differs from the one that was noted" in (other.broken or {})["why"]
