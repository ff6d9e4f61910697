"""Transfers over HTTP, and the runner that carries them out for their owners: with workers that a test drives."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from danlu.control.people.rights import owners_of
from danlu.control.transfers.runner import MOST_ATTEMPTS, TransferBounds, TransferRunner
from danlu.control.transfers.schedules import next_due
from danlu.data.logins import TransferLogins
from danlu.domain.errors import Invalid
from danlu.domain.transfers.problems import Problem
from danlu.domain.transfers.transfer import TransferProgress, WebLogin
from danlu.domain.volumes.volume import MountMode, SharedWith, VolumeKind, VolumeShare
from danlu.ports.transfers import TransferOrder
from danlu.ports.volumes.changing import VolumeFolders
from danlu.server.transfers import models
from tests.fakes.clock import CountingIds, FakeClock
from tests.fakes.server import ADMINISTRATOR, ENGINEER, OTHER, VIEWER, World
from tests.integration.server.conftest import Ask

AWAY = "https://example.org/x?signature=hidden"
HOUR = 3_600_000


@dataclass
class Run:
    order: TransferOrder
    over: bool = False
    why: Problem | None = None
    stopped: bool = False
    far: TransferProgress = field(default_factory=TransferProgress)

    def progress(self) -> TransferProgress:
        return self.far

    def ended(self) -> bool:
        return self.over

    def problem(self) -> Problem | None:
        return self.why

    def stop(self) -> None:
        self.stopped = True


class Workers:
    def __init__(self) -> None:
        self.runs: list[Run] = []
        self.tidied: list[str] = []

    def start(self, order: TransferOrder) -> Run:
        self.runs.append(Run(order))
        return self.runs[-1]

    def tidy(self, transfer_id: str, at: VolumeFolders) -> None:
        assert at.aside
        self.tidied.append(transfer_id)


@dataclass
class Driven:
    """A runner that steps when told to."""

    world: World
    workers: Workers
    clock: FakeClock
    runner: TransferRunner

    def state(self, transfer: str) -> str:
        found = self.world.store.transfer(transfer)
        assert found is not None
        return found.state.value


@pytest.fixture
def driven(here: World) -> Iterator[Driven]:
    driven = driven_in(here)
    yield driven
    for one in here.store.unfinished_transfers():
        here.store.edit_transfer(one.id, lambda it: replace(it, cancelling=True), 1)
    driven.runner.round()


def driven_in(here: World, at_once: int = 3, per_person: int = 2) -> Driven:
    clock, workers = FakeClock(here.services.ports.clock.now()), Workers()
    runner = TransferRunner(
        here.store,
        here.services.volume_files,
        workers,
        TransferLogins(here.root / "secrets"),
        owners_of(here.store, here.registry.groups),
        TransferBounds(at_once, per_person),
        clock,
        CountingIds(),
    )
    return Driven(here, workers, clock, runner)


@pytest.fixture(scope="module", autouse=True)
def volume(here: World) -> str:
    owner = here.caller(ENGINEER)
    made = here.services.volumes.create(owner, "data", kind=VolumeKind.FILESYSTEM, capacity=64 << 20)
    here.services.volumes.share(owner, made.id, [VolumeShare(SharedWith.USER, OTHER, MountMode.RW)])
    return made.id


def begin(ask: Ask, who: str = ENGINEER, **more: Any) -> str:
    answer = ask(who, "POST", "transfers", json={"source": AWAY, "target": "personal:/", **more})
    assert answer.status_code == 201, answer.text
    models.Transfer.model_validate(answer.json())
    found: str = answer.json()["id"]
    assert answer.headers["Location"] == f"/api/v1/transfers/{found}"
    return found


def test_a_transfer_is_seen_by_its_owner_and_without_secrets_by_administrators(
    ask: Ask, driven: Driven
) -> None:
    made = begin(ask, target="data:/in/", login={"user": "eve", "secret": "s3cret"}, include=["*.png"])
    own = ask(ENGINEER, "GET", f"transfers/{made}")
    assert (own.json()["source"], own.json()["target"], own.json()["state"]) == (AWAY, "data:/in/", "queued")
    assert "s3cret" not in own.text
    kept = driven.world.store.transfer(made)
    assert kept is not None
    assert "s3cret" not in (kept.login or "s3cret")
    theirs = ask(ADMINISTRATOR, "GET", f"transfers/{made}").json()
    assert (theirs["source"], theirs["can_edit"]) == ("https://example.org/x", True)
    assert ask(OTHER, "GET", f"transfers/{made}").status_code == 404
    assert ask(OTHER, "POST", f"transfers/{made}/cancel").status_code == 404
    assert made in [one["id"] for one in ask(ENGINEER, "GET", "transfers").json()["items"]]
    assert made not in [one["id"] for one in ask(OTHER, "GET", "transfers").json()["items"]]
    driven.runner.round()
    assert driven.workers.runs[-1].order.login == WebLogin("eve", "s3cret")


def test_lists_go_on_page_by_page(ask: Ask, driven: Driven) -> None:
    made = [begin(ask) for _ in range(3)]
    first = ask(ENGINEER, "GET", "transfers?limit=2").json()
    assert [one["id"] for one in first["items"]] == [made[2], made[1]]
    rest = ask(ENGINEER, "GET", f"transfers?limit=2&cursor={first['next_cursor']}").json()
    assert rest["items"][0]["id"] == made[0]
    assert ask(ENGINEER, "GET", "transfers?state=completed").json()["items"] == []
    assert driven.workers.runs == []


@pytest.mark.parametrize(
    ("body", "status", "field_"),
    [
        ({"source": "nonsense"}, 422, "source"),
        ({"source": "ftp://example.org/x"}, 422, "source"),
        ({"source": "s3://bucket/x"}, 422, "source"),
        ({"source": "https://eve:secret@example.org/x"}, 422, "source"),
        ({"source": "data:/../.."}, 422, "source"),
        ({"target": "https://example.org/x"}, 422, "target"),
        ({"source": "data:/a", "target": "data:/a/b"}, 422, "target"),
        ({"ref": "main"}, 422, "ref"),
        ({"source": "git+https://example.org/x.git", "ref": "--upload-pack=x"}, 422, "ref"),
        ({"sha256": "abc"}, 422, "sha256"),
        ({"target": "nothing:/"}, 404, ""),
    ],
)
def test_what_cannot_be_transferred_is_refused_at_its_field(
    ask: Ask, body: dict[str, Any], status: int, field_: str
) -> None:
    answer = ask(ENGINEER, "POST", "transfers", json={"source": AWAY, "target": "data:/", **body})
    assert answer.status_code == status, answer.text
    if field_:
        (wrong,) = answer.json()["errors"]
        assert wrong["loc"][-1] == field_ or field_ in wrong["loc"]
        assert "secret" not in answer.text


def test_who_only_looks_on_transfers_nothing(ask: Ask) -> None:
    body = {"source": AWAY, "target": "personal:/"}
    assert ask(VIEWER, "POST", "transfers", json=body).status_code == 403


def test_it_runs_completes_and_its_record_goes(ask: Ask, driven: Driven) -> None:
    made = begin(ask)
    driven.runner.round()
    (run,) = driven.workers.runs
    assert driven.state(made) == "running"
    assert ask(ENGINEER, "DELETE", f"transfers/{made}").status_code == 409
    run.far = TransferProgress(1, 2, 3, 4, rate=5)
    driven.clock.advance(1_000)
    driven.runner.round()
    assert ask(ENGINEER, "GET", f"transfers/{made}").json()["progress"]["bytes"] == 3
    run.over = True
    driven.runner.round()
    over = ask(ENGINEER, "GET", f"transfers/{made}").json()
    assert (over["state"], over["progress"]["rate"]) == ("completed", 0)
    assert driven.workers.tidied == [made]
    assert ask(ENGINEER, "POST", f"transfers/{made}/cancel").status_code == 409
    assert ask(ENGINEER, "POST", f"transfers/{made}/resume", json={}).status_code == 409
    assert ask(ENGINEER, "DELETE", f"transfers/{made}").status_code == 204
    assert ask(ENGINEER, "GET", f"transfers/{made}").status_code == 404


def test_only_so_many_run_at_once_in_all_and_of_one_person(ask: Ask, driven: Driven) -> None:
    own = [begin(ask) for _ in range(3)]
    others = [begin(ask, OTHER) for _ in range(2)]
    driven.runner.round()
    assert [driven.state(one) for one in own] == ["running", "running", "queued"]
    assert [driven.state(one) for one in others] == ["running", "queued"]
    driven.workers.runs[0].over = True
    driven.runner.round()
    assert [driven.state(one) for one in own] == ["completed", "running", "running"]


def test_what_is_cancelled_is_stopped_and_can_be_resumed(ask: Ask, driven: Driven) -> None:
    made = begin(ask)
    driven.runner.round()
    assert ask(ENGINEER, "POST", f"transfers/{made}/cancel").json()["cancelling"]
    driven.runner.round()
    assert driven.workers.runs[0].stopped
    assert driven.state(made) == "cancelled"
    assert ask(ENGINEER, "POST", f"transfers/{made}/resume", json={}).json()["state"] == "queued"
    driven.runner.round()
    assert driven.state(made) == "running"
    waiting = begin(ask)
    assert ask(ENGINEER, "POST", f"transfers/{waiting}/cancel").json()["state"] == "cancelled"


def test_it_is_tried_again_later_and_later_and_in_the_end_fails(ask: Ask, driven: Driven) -> None:
    made = begin(ask)
    for attempt in range(MOST_ATTEMPTS):
        driven.runner.round()
        assert len(driven.workers.runs) == attempt + 1
        driven.workers.runs[-1].over = True
        driven.workers.runs[-1].why = Problem("not_reached", {"host": "example.org", "why": "refused"})
        driven.runner.round()
        driven.runner.round()
        assert len(driven.workers.runs) == attempt + 1  # not before its time
        driven.clock.advance(HOUR)
    told = ask(ENGINEER, "GET", f"transfers/{made}").json()
    assert (told["state"], told["problem"]["code"], told["attempts"]) == (
        "failed",
        "not_reached",
        MOST_ATTEMPTS,
    )
    assert "example.org" in told["problem"]["text"]["zh"]


def test_what_cannot_be_helped_fails_at_once(ask: Ask, driven: Driven) -> None:
    made = begin(ask)
    driven.runner.round()
    driven.workers.runs[-1].over, driven.workers.runs[-1].why = True, Problem("wrong_checksum", {})
    driven.runner.round()
    assert driven.state(made) == "failed"


def test_a_share_that_is_revoked_stops_it_with_the_reason(ask: Ask, driven: Driven, volume: str) -> None:
    made = begin(ask, OTHER, target=f"{ENGINEER}:data:/")
    driven.runner.round()
    assert driven.state(made) == "running"
    owner, rooms = driven.world.caller(ENGINEER), driven.world.services.volumes
    rooms.share(owner, volume, [VolumeShare(SharedWith.USER, OTHER, MountMode.RO)])
    driven.clock.advance(60_000)
    driven.runner.round()
    assert driven.workers.runs[-1].stopped
    told = ask(OTHER, "GET", f"transfers/{made}").json()
    assert (told["state"], told["problem"]["code"]) == ("failed", "no_access")
    rooms.share(owner, volume, [VolumeShare(SharedWith.USER, OTHER, MountMode.RW)])
    assert ask(OTHER, "POST", f"transfers/{made}/resume", json={}).status_code == 200
    driven.runner.round()
    assert driven.state(made) == "running"


def test_a_new_leader_begins_what_the_former_one_ran(ask: Ask, driven: Driven) -> None:
    made = begin(ask)
    driven.runner.round()
    next_one = driven_in(driven.world)
    next_one.runner.round()
    assert [run.order.id for run in next_one.workers.runs] == [made]
    kept = driven.world.store.transfer(made)
    assert kept is not None
    assert kept.attempts == 2
    next_one.workers.runs[0].over = True
    next_one.runner.round()
    assert next_one.state(made) == "completed"


def test_a_schedule_catches_up_once_and_never_has_two_at_a_time(ask: Ask, driven: Driven) -> None:
    body = {"source": AWAY, "target": "personal:/", "cron": "@hourly"}
    answer = ask(ENGINEER, "POST", "transfers/schedules", json=body)
    assert answer.status_code == 201, answer.text
    models.TransferSchedule.model_validate(answer.json())
    schedule = answer.json()["id"]
    driven.runner.round()
    assert driven.workers.runs == []
    driven.clock.advance(5 * HOUR)
    driven.runner.round()
    assert len(driven.workers.runs) == 1
    driven.clock.advance(HOUR)
    driven.runner.round()
    told = ask(ENGINEER, "GET", f"transfers/schedules/{schedule}").json()
    assert (len(driven.workers.runs), told["last_skipped"]) == (1, True)
    driven.workers.runs[0].over = True
    driven.clock.advance(HOUR)
    driven.runner.round()
    assert len(driven.workers.runs) + len(driven.world.store.unfinished_transfers()) >= 2
    paused = ask(ENGINEER, "PATCH", f"transfers/schedules/{schedule}", json={"paused": True}).json()
    assert paused["due_at"] is None
    assert ask(OTHER, "DELETE", f"transfers/schedules/{schedule}").status_code == 404
    assert ask(ENGINEER, "DELETE", f"transfers/schedules/{schedule}").status_code == 204


@pytest.mark.parametrize(
    ("cron", "zone"), [("nonsense", "UTC"), ("* * * * * *", "UTC"), ("@daily", "Mars/Phobos")]
)
def test_times_that_make_no_sense_are_refused(cron: str, zone: str) -> None:
    with pytest.raises(Invalid):
        next_due(cron, zone, 0)


def test_a_schedule_is_due_in_its_own_time_zone() -> None:
    assert next_due("30 2 * * *", "Asia/Shanghai", 0) == (18 * 60 + 30) * 60_000
