"""Outputs are made once: whoever dies between any two steps, there is neither a second version nor none."""

from __future__ import annotations

import contextlib
import os
import random
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from danlu.control.datasets.datasets import Datasets
from danlu.control.datasets.runner import ActRunner
from danlu.control.outputs.outputs import Outputs
from danlu.control.outputs.runner import OutputRunner
from danlu.control.transfers.runner import TransferBounds, TransferRunner
from danlu.control.volumes.files import FilesOfVolume
from danlu.data.files import DiskFiles
from danlu.data.results.figures import FileResults
from danlu.data.results.shelf import Shelf
from danlu.domain.audit import Entry
from danlu.domain.datasets.dataset import Act, ActProgress, Dataset, Summary
from danlu.domain.errors import Conflict, NotAllowed
from danlu.domain.ids import make_id
from danlu.domain.job import JobState
from danlu.domain.people import User, UserRole
from danlu.domain.permissions import Caller
from danlu.domain.transfers.problems import Problem
from danlu.domain.transfers.transfer import TransferProgress
from danlu.domain.words import Words
from danlu.ports.datasets.contents import ActCancelled, SnapshotRefused, StoredSnapshot
from danlu.ports.files import PlaceBelow
from danlu.ports.transfers import TransferOrder
from danlu.ports.volumes.changing import Hand, OpenVolume, VolumeFolders
from tests.effort import rounds, seed
from tests.fakes.clock import CountingIds
from tests.simulation.world import LIN, Crashed, Crashing, World

D1 = make_id(1, 1)
BY = Entry("lin", "created", "")
DATASET = {"path": "out", "dataset": "clean", "tag": "good"}
FOLDER = {"path": "out", "to": "personal:/kept/{name}-{run}/"}


class Contents:
    """A store of contents that has any folder at once; `refuses` is a code instead."""

    refuses = ""

    def snapshot(self, act: Act, place: PlaceBelow, roots: Any, most: Any, tell: Any, keep: Any) -> None:
        assert (Path(place.root) / place.path.decode() / "a.txt").exists()
        if self.refuses:
            raise SnapshotRefused(self.refuses)
        if not tell(ActProgress(1, 1)):
            raise ActCancelled
        keep(StoredSnapshot("ab" * 32, 1, 0, 1, 1, Summary()))


class Copied:
    """A worker that is done at once."""

    def progress(self) -> TransferProgress:
        return TransferProgress(1, 1, 1, 1)

    def ended(self) -> bool:
        return True

    def problem(self) -> Problem | None:
        return None

    def stop(self) -> None:
        return None


class Copiers:
    def __init__(self) -> None:
        self.orders: list[TransferOrder] = []

    def start(self, order: TransferOrder) -> Copied:
        assert order.source.left is not None
        self.orders.append(order)
        return Copied()

    def tidy(self, transfer_id: str, at: VolumeFolders) -> None:
        return None


class Files:
    """Everybody's own directory; `closed` is what opening it refuses."""

    closed = False

    def open(self, caller: Caller, ref: str, *, write: bool = False) -> FilesOfVolume:
        if self.closed:
            raise NotAllowed(Words("no longer", "不再"))
        return FilesOfVolume(ref, ref, OpenVolume(VolumeFolders("/", "/"), Hand()))


class Lab:
    """A world with a job that has ended, what it left, and what keeps that: with a crash at any call of the store."""

    calls = 0

    def __init__(self, root: Path, *outputs: dict[str, Any], put_away: bool = True, **keys: Any) -> None:
        root.mkdir(exist_ok=True)
        self.world = World(root)
        self.store = self.world.store
        self.store.add_user(User("lin", UserRole.ENGINEER, 0))
        self.store.add_dataset(Dataset(D1, "lin", "clean", 1, 1), 1, by=BY, check=lambda _: None)
        self.ids = CountingIds()
        self.shelf = Shelf(root / "results", root / "runs", root / "volumes")
        self.files, self.copiers, self.contents = Files(), Copiers(), Contents()
        self.owner: Caller | None = LIN
        job = self.world.submit("some-job", outputs=list(outputs), **keys)
        self.world.steps(8)
        self.job = self.world.jobs.get(LIN, job.id)
        self.left = root / "results" / self.job.id / "1" / "worker-0"
        if put_away:
            (self.left / "out").mkdir(parents=True)
            (self.left / "out" / "a.txt").write_text("x")
        self.boot()

    def boot(self, moment: Callable[[str], bool] = lambda _: False) -> None:
        """Another leader."""
        store: Any = Crashing(self.store, moment)
        datasets = Datasets(store, self.world.registry, self.world.clock, self.ids, 0)
        results = FileResults(self.shelf, self.left / "none")
        files: Any = self.files
        self.outputs = OutputRunner(
            store, datasets, results, DiskFiles(), lambda _: self.owner, self.world.clock, self.ids
        )
        self.acts = ActRunner(
            store, datasets, files, self.contents, self.world.registry, lambda _: self.owner,  # type: ignore[arg-type]
            self.world.clock, self.ids, None, 0, self.shelf.shelved,
        )  # fmt: skip
        self.transfers = TransferRunner(
            store, files, self.copiers, files, lambda _: self.owner, TransferBounds(4, 4),
            self.world.clock, self.ids, self.shelf.shelved,
        )  # fmt: skip

    def rounds(self, number: int = 6) -> None:
        for _ in range(number):
            self.outputs.round()
            self.acts.round(threading.Event())
            self.transfers.round()

    def states(self) -> list[str]:
        return [one.state.value for one in self.store.outputs_of(self.job.id)]

    def codes(self) -> list[str | None]:
        return [one.problem.code if one.problem else None for one in self.store.outputs_of(self.job.id)]

    def told(self) -> list[str]:
        events = self.store.events_of(self.job.id, 0, 1000)
        return [one.kind for one in events if one.kind.startswith("output_")]


def crashing(root: Path, at: int) -> Lab:
    """Made by a leader that dies at this call of the store, and by another one after it."""
    lab = Lab(root, DATASET, FOLDER)
    calls = 0

    def dies(name: str) -> bool:
        nonlocal calls
        calls += 1
        return calls == at

    lab.boot(dies)
    with contextlib.suppress(Crashed):
        lab.rounds()
    lab.calls = calls
    lab.boot()
    lab.rounds()
    return lab


def test_outputs_are_made_once_whatever_call_the_leader_dies_at(tmp_path: Path) -> None:
    plain = crashing(tmp_path / "plain", 0)
    assert plain.calls > 60
    moments = range(1, plain.calls + 1)
    for at in random.Random(seed()).sample(moments, rounds(12, plain.calls)):
        lab = crashing(tmp_path / str(at), at)
        where = f"crash at call {at} of {plain.calls}"
        assert lab.states() == ["done", "done"], where
        assert [one.number for one in lab.store.versions(D1)] == [1], where
        assert [one.state.value for one in lab.store.transfers("lin")] == ["completed"], where
        assert lab.told() == ["output_made", "output_made"], where
        lab.store.close()


def test_a_version_knows_the_job_its_run_and_its_attempt(tmp_path: Path) -> None:
    lab = Lab(tmp_path, DATASET, FOLDER)
    lab.rounds()
    (made,) = lab.store.versions(D1)
    assert (made.job, made.job_id, made.tags) == ("some-job#1", lab.job.id, ("good",))
    assert (made.source.attempt, made.source.run, made.source.place) == (1, "worker-0", "some-job#1:/out")
    (order,) = lab.copiers.orders
    assert (order.target.end.path, order.target.end.folder) == (b"kept/some-job-1", True)


def test_nothing_is_made_before_what_the_task_left_was_put_away(tmp_path: Path) -> None:
    lab = Lab(tmp_path, DATASET, put_away=False)
    running = tmp_path / "runs" / f"{lab.job.id}-1" / "worker-0" / "work"
    (running / "out").mkdir(parents=True)
    (running / "out" / "a.txt").write_text("x")
    lab.rounds()
    assert lab.states() == ["pending"]
    lab.left.parent.mkdir(parents=True)
    running.rename(lab.left)
    lab.rounds()
    assert lab.states() == ["done"]


@pytest.mark.parametrize(
    ("output", "code"),
    [
        ({"path": "nothing", "dataset": "clean"}, "nothing_there"),
        ({"path": "out/a.txt", "dataset": "clean"}, "not_a_folder"),
        ({"path": "link", "dataset": "clean"}, "link"),
        ({"path": "link/passwd", "to": "personal:/x"}, "link"),
        ({"path": "pipe", "to": "personal:/x"}, "link"),
    ],
)
def test_what_is_not_there_or_leads_out_is_refused_in_words(
    tmp_path: Path, output: dict[str, Any], code: str
) -> None:
    lab = Lab(tmp_path, output)
    (lab.left / "link").symlink_to("/etc")
    os.mkfifo(lab.left / "pipe")
    lab.rounds()
    assert (lab.states(), lab.codes(), lab.told()) == (["failed"], [code], ["output_failed"])
    assert lab.store.versions(D1) == ()
    assert lab.store.transfers("lin") == []


def test_results_that_are_gone_make_no_output(tmp_path: Path) -> None:
    lab = Lab(tmp_path, DATASET, put_away=False)
    lab.rounds()
    assert (lab.states(), lab.codes()) == (["failed"], ["not_kept"])


def test_access_is_decided_again_when_it_is_done(tmp_path: Path) -> None:
    lab = Lab(tmp_path, DATASET, FOLDER)
    lab.files.closed = True
    lab.store.edit_dataset(D1, lambda one: replace(one, owner="ann"), 2, by=BY)
    lab.rounds()
    assert (lab.states(), lab.codes()) == (["failed", "failed"], ["no_dataset", "no_access"])
    assert lab.store.versions(D1) == ()
    lab.files.closed = False
    lab.store.edit_dataset(D1, lambda one: replace(one, owner="lin"), 3, by=BY)
    again = Outputs(lab.store, lab.world.clock)
    again.retry(LIN, lab.job)
    lab.rounds()
    assert lab.states() == ["done", "done"]
    assert len(lab.store.versions(D1)) == 1
    with pytest.raises(Conflict):
        again.retry(LIN, lab.job)


def test_quotas_apply_and_it_is_made_again_when_there_is_room(tmp_path: Path) -> None:
    lab = Lab(tmp_path, DATASET)
    lab.contents.refuses = "over_quota"
    lab.rounds()
    assert (lab.states(), lab.codes()) == (["failed"], ["over_quota"])
    (one,) = lab.store.outputs_of(lab.job.id)
    assert one.problem is not None
    assert "quota" in one.problem.text.en
    assert "danlu outputs JOB --retry" in one.problem.advice.en
    assert lab.world.jobs.get(LIN, "some-job").state is JobState.COMPLETED
    lab.contents.refuses = ""
    Outputs(lab.store, lab.world.clock).retry(LIN, lab.job, [one.id])
    lab.rounds()
    assert lab.states() == ["done"]


def test_nothing_is_made_for_accounts_that_are_gone(tmp_path: Path) -> None:
    lab = Lab(tmp_path, DATASET, FOLDER)
    lab.owner = None
    lab.rounds()
    assert lab.codes() == ["owner_gone", "owner_gone"]


def test_of_a_job_that_failed_only_what_is_always_kept_is_made(tmp_path: Path) -> None:
    lab = Lab(tmp_path, DATASET, {**FOLDER, "when": "always"}, env={"SIMULATED_EXIT_CODE": "1"})
    lab.rounds()
    assert lab.job.state is JobState.FAILED
    found = Outputs(lab.store, lab.world.clock).of(lab.job)
    assert [(one.output.place, one.output.state.value) for one in found] == [(0, "skipped"), (1, "done")]


def test_a_job_is_deleted_only_after_its_outputs_are_made(tmp_path: Path) -> None:
    lab = Lab(tmp_path, DATASET)
    with pytest.raises(Conflict, match="danlu outputs"):
        lab.world.jobs.delete(LIN, "some-job")
    lab.rounds()
    lab.world.jobs.delete(LIN, "some-job")
    assert len(lab.store.versions(D1)) == 1
