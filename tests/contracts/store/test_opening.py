"""Opening a database: made where there is none, brought up to date, refused when it is from the future."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text

from danlu.domain.errors import Unavailable
from danlu.domain.job import Attempt, Job, JobState, Task, TaskState, Turn
from danlu.domain.members import MemberRole
from danlu.domain.people import User, UserRole
from danlu.domain.preferences import Preferences
from danlu.domain.rules import Project
from danlu.ports.store import JobQuery
from danlu.store.sql import SqlStore
from danlu.store.sql.database import Database
from danlu.store.sql.jobs.rows import asked, attempt_values, standing
from danlu.store.sql.schema import HEAD, metadata
from tests.contracts.store.building import NOW, added, at_once, new_job

LIN = User("lin", UserRole.ENGINEER, NOW, "林", groups=("nlp",))
MINUTE = 60_000


def test_a_database_is_made_where_there_is_none(empty_url):
    with closing(SqlStore.open(empty_url)) as store:
        job = added(store)
    with closing(SqlStore.open(empty_url)) as store:
        assert store.get(job.id) == job


def test_many_may_open_a_new_database_at_once(empty_url):
    stores = at_once(4, lambda _: SqlStore.open(empty_url))
    try:
        assert {added(store).version for store in stores} == {1}
        assert stores[0].page(JobQuery()).total == 4
    finally:
        for store in stores:
            store.close()


def test_the_migrations_make_exactly_the_tables_the_code_speaks_of(empty_url):
    with closing(SqlStore.open(empty_url)) as store, store._database.reading() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_what_the_first_tables_held_is_there_after_the_upgrade(empty_url):
    old, person = new_job("before"), User("lin", UserRole.ENGINEER, NOW, "林")
    _make_first_tables(empty_url, old, person)

    with closing(SqlStore.open(empty_url)) as store:
        assert store.get(old.id) == old
        assert old.turn == Turn()
        assert store.user("lin") == person
        # The triggers that count still do, and so do the runs of a name.
        assert added(store, "before").run == 2
        assert store.page(JobQuery()).total == 2


def _make_first_tables(url: str, job: Job, person: User) -> None:
    with _made(url, "0001") as insert:
        insert("jobs", _row(job, without=("turn",)))
        insert("users", _person(person, without=("groups",)))


def test_what_the_second_tables_held_is_there_after_the_upgrade(empty_url):
    """Ended jobs are in the list of those, whoever is signed in stays so, and old events are still told."""
    old = replace(new_job("before"), state=JobState.STOPPED, ended_at=NOW + 5)
    with _made(empty_url, "0002") as insert:
        insert("jobs", _row(old))
        insert("users", _person(LIN))
        for number in (1, 2):
            life = {"created_at": NOW + number, "expires_at": NOW + MINUTE}
            insert("sessions", {"secret_hash": f"s{number}", '"user"': "lin", "csrf": "word", **life})
        told = {"data": '{"rule": "node", "name": "n1"}', "text_en": "node n1 edited", "text_zh": "…"}
        insert("events", {"seq": 7, "time": NOW, "kind": "rule_changed", "actor": "admin", **told})

    with closing(SqlStore.open(empty_url)) as store:
        assert store.get(old.id) == old
        assert [row.id for row in store.page(JobQuery(sort="-ended", owners=("lin",))).rows] == [old.id]
        assert (store.user("lin"), store.preferences("lin")) == (LIN, Preferences())
        second, first = store.sessions("lin", NOW)
        assert (second.secret_hash, second.seen_at, second.agent) == ("s2", NOW + 2, "")
        assert first.id
        assert first.id != second.id
        assert [event.text.en for event in store.events_after(0, 10)] == ["node n1 edited"]
        assert store.events_about("node:n1", None, 10) == ()
        # The triggers that count still do.
        added(store, "after")
        assert store.page(JobQuery()).total == 2


def test_what_the_fourth_tables_held_is_there_after_the_upgrade(empty_url):
    """Whoever made a project or has a job in it belongs to it, and `public` is open to everybody."""
    with _made(empty_url, "0004") as insert:
        insert("users", _person(LIN))
        insert("users", _person(replace(LIN, name="wang")))
        insert("users", _person(replace(LIN, name="gone", deleted=True)))
        # A project that is gone, an account that is, and one that never was: none of them gives anybody anything.
        for owner, project in (
            ("wang", "vision"),
            ("lin", "bygone"),
            ("gone", "vision"),
            ("nobody", "vision"),
        ):
            insert("jobs", _row(new_job(f"{owner}-before", owner=owner, project=project)))
        for name, data in (
            ("public", '{"name": "public"}'),
            ("vision", '{"name": "vision", "creator": "lin"}'),
            ("speech", '{"name": "speech", "creator": "gone"}'),
            ("video", '{"name": "video"}'),
        ):
            insert("rules", {"kind": "project", "name": name, "data": data, "version": 1, "changed_at": NOW})

    with closing(SqlStore.open(empty_url)) as store:
        assert [(one.user, one.role) for one in store.members("vision")] == [
            ("lin", MemberRole.CREATOR),
            ("wang", MemberRole.MEMBER),
        ]
        assert [store.members(name) for name in ("public", "speech", "video", "bygone")] == [()] * 4
        assert {rule.name: rule.open for rule in store.rules() if isinstance(rule, Project)} == {
            "public": True,
            "speech": False,
            "video": False,
            "vision": False,
        }
        assert store.last_noted() is None


def test_an_attempt_of_the_fifth_tables_goes_on_after_the_upgrade(empty_url):
    attempt = Attempt(1, (Task("worker", 0, "node-0", "127.0.0.1", state=TaskState.RUNNING),), NOW)
    old = replace(new_job("before"), state=JobState.RUNNING, attempt=attempt, attempts=1)
    with _made(empty_url, "0005") as insert:
        insert("jobs", _row(old))
        values = attempt_values(old, attempt)
        insert("attempts", {name: value for name, value in values.items() if name != "progress"})

    with closing(SqlStore.open(empty_url)) as store:
        assert store.get(old.id) == old
        assert store.attempts(old.id) == (attempt,)


def test_lists_tell_where_jobs_of_the_tenth_tables_run_and_how_long_they_may(empty_url):
    attempt = Attempt(1, (Task("worker", 0, "node-7", "127.0.0.1", state=TaskState.RUNNING),), NOW)
    running = replace(new_job("before", max_time=MINUTE), state=JobState.RUNNING, attempt=attempt, attempts=1)
    waits = replace(running, id="other", spec=replace(running.spec, name="waits"), state=JobState.QUEUED)
    with _made(empty_url, "0010") as insert:
        for job in (running, waits):
            insert("jobs", _row(job))
            insert("attempts", attempt_values(job, attempt))

    with closing(SqlStore.open(empty_url)) as store:
        shown = {
            row.name: (row.placed, row.expected_time, row.max_time) for row in store.page(JobQuery()).rows
        }
    assert shown == {"before": (["node-7"], None, MINUTE), "waits": (None, None, MINUTE)}


def test_runs_of_the_eleventh_tables_are_numbered_where_a_name_has_several(empty_url):
    alone, first = new_job("alone"), new_job("same")
    second = replace(new_job("same"), run=2)
    with _made(empty_url, "0011") as insert:
        for job in (alone, first, second):
            insert("jobs", {**_row(job), "run": job.run})
        for name, last in (("alone", 1), ("same", 2)):
            insert("job_runs", {"owner": "lin", "name": name, "last": last})

    with closing(SqlStore.open(empty_url)) as store:
        found = [store.get(job.id) for job in (alone, first, second)]
        assert [job.title for job in found if job] == ["alone", "same#1", "same#2"]
        assert [row.id for row in store.page(JobQuery(search="same#1")).rows] == [first.id]


def _person(user: User, without: tuple[str, ...] = ()) -> dict[str, Any]:
    """As the tables had people before providers named them."""
    values = {**asdict(user), "role": user.role.value, "groups": json.dumps(user.groups)}
    return {name: value for name, value in values.items() if name not in ("email", "subject", *without)}


_LATER = ("gpu_mix", "saved", "run", "expected_time", "max_time", "placed", "numbered")


def _row(job: Job, without: tuple[str, ...] = ()) -> dict[str, Any]:
    own = {"id": job.id, "owner": job.owner, "version": 1, "created_at": NOW}
    values = {**own, **standing(job), **asked(job)}
    return {name: value for name, value in values.items() if name not in (*_LATER, *without)}


@contextmanager
def _made(url: str, version: str) -> Iterator[Callable[[str, dict[str, Any]], None]]:
    """A database as an older Danlu left it, to be filled."""
    database = Database(url, 5)
    with database.migrating() as connection:
        config = Config()
        config.set_main_option("script_location", "danlu.store.sql:migrations")
        config.attributes["connection"] = connection
        command.upgrade(config, version)

        def insert(table: str, values: dict[str, Any]) -> None:
            named = {name.strip('"'): value for name, value in values.items()}
            places = ", ".join(f":{name}" for name in named)
            connection.execute(text(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({places})"), named)

        yield insert
    database.close()


def test_the_newest_migration_is_the_one_the_code_expects():
    config = Config()
    config.set_main_option("script_location", "danlu.store.sql:migrations")

    assert ScriptDirectory.from_config(config).get_current_head() == HEAD


def test_a_database_from_the_future_is_refused_in_words(store, url):
    with store._database.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    try:
        with pytest.raises(Unavailable, match=f"newer Danlu .schema 9999; this one supports up to {HEAD}"):
            SqlStore.open(url)
    finally:
        with store._database.writing() as connection:
            connection.execute(text(f"UPDATE alembic_version SET version_num = '{HEAD}'"))


def test_an_up_to_date_database_is_opened_without_loading_the_migrations(store, url):
    code = (
        "import sys; from danlu.store.sql import SqlStore; SqlStore.open(sys.argv[1]).close();"
        "sys.exit('alembic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code, url], check=False).returncode == 0


def test_a_file_that_is_no_database_is_refused_in_words(tmp_path: Path):
    path = tmp_path / "danlu.db"
    path.write_text("no database at all, but quite some text " * 100)

    with pytest.raises(Unavailable, match="file is not a database"):
        SqlStore.open(f"sqlite:///{path}")


def test_a_place_that_cannot_be_opened_is_refused_in_words(tmp_path: Path):
    with pytest.raises(Unavailable, match=r"nowhere/danlu.db cannot be opened: No such file or directory"):
        SqlStore.open(f"sqlite:///{tmp_path / 'nowhere' / 'danlu.db'}")


def test_a_server_that_does_not_answer_is_unavailable(tmp_path: Path):
    with pytest.raises(Unavailable, match="does not answer"):
        SqlStore.open(f"postgresql://danlu:word@/danlu?host={tmp_path}")


@pytest.mark.parametrize("address", ["sqlite://", "sqlite:///:memory:", "mysql://u:secret@h/d", "rubbish"])
def test_what_is_no_address_of_a_database_is_refused_without_telling_its_password(address):
    with pytest.raises(Unavailable, match="sqlite:///FILE or postgresql://") as refusal:
        SqlStore.open(address)

    assert "secret" not in str(refusal.value)


def test_the_files_are_readable_by_their_owner_only(tmp_path: Path):
    with closing(SqlStore.open(f"sqlite:///{tmp_path / 'danlu.db'}")) as store:
        added(store)
        assert {path.stat().st_mode & 0o077 for path in tmp_path.iterdir()} == {0}
