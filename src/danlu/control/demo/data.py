"""A sample dataset, transfers and a schedule between the sample volumes, asked for through the same use cases as real
ones: whoever leads carries them out."""

from __future__ import annotations

from danlu.control.datasets import DatasetsRoom
from danlu.control.demo.volumes import PeopleAndMembers
from danlu.control.people.rights import Rights
from danlu.control.transfers import TransfersRoom
from danlu.domain.permissions import Caller
from danlu.domain.transfers.transfer import TransferWish

DATASET = "web-text-zh"
_CARD = "# Chinese web text\n\nCleaned sentences, one JSON object a line: `id`, `text`.\n"
_VERSIONS = ((b"2024-03", (), "first crawl"), (b"2024-06", ("clean",), "without duplicates, one more part"))


def seed_data(datasets: DatasetsRoom, transfers: TransfersRoom, store: PeopleAndMembers) -> None:
    """Create what is missing; a second start adds nothing, not even what was thrown away."""
    rights = Rights(store)
    wang, lin = store.user("wang"), store.user("lin")
    if wang is not None and lin is not None and _seed_dataset(datasets, rights.caller(wang)):
        _seed_transfers(transfers, rights.caller(lin))


def _seed_dataset(room: DatasetsRoom, caller: Caller) -> bool:
    """Whether there was none."""
    had = [
        one for trashed in (False, True) for one in room.datasets.all(caller, caller.name, trashed=trashed)
    ]
    if any(one.name == DATASET for one in had):
        return False
    room.datasets.create(
        caller, DATASET, description="Chinese web text, cleaned", licence="CC-BY-4.0", card=_CARD, public=True
    )
    for folder, tags, note in _VERSIONS:
        room.acts.snapshot(caller, DATASET, "corpus-zh", folder, tags, note)
    return True


def _seed_transfers(room: TransfersRoom, caller: Caller) -> None:
    """One that completes, and one that fails because its source is missing."""
    as_usual = TransferWish()
    target = "imagenet-tiny:/baseline/"
    room.transfers.create(caller, "chen:benchmarks:/loss.csv", target, as_usual)
    room.transfers.create(caller, "chen:benchmarks:/accuracy.csv", target, as_usual)
    room.schedules.create(caller, "chen:benchmarks:/", target, as_usual, "0 3 * * 1", "Asia/Shanghai")
