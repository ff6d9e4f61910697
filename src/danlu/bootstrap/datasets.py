"""What does the long work on datasets, in the process that leads."""

from __future__ import annotations

from collections.abc import Callable

from danlu.bootstrap.parts import Parts
from danlu.control import volumes
from danlu.control.datasets.datasets import Datasets
from danlu.control.datasets.runner import ActRunner
from danlu.control.foundation import Foundation
from danlu.domain.permissions import Caller
from danlu.ports.store import Store


def dataset_acts(
    parts: Parts, on: Foundation, store: Store, as_person: Callable[[str], Caller | None]
) -> ActRunner:
    trash_time = parts.settings.volume_trash_time
    kept = volumes.build(on, parts.volumes, None, trash_time, parts.attached)
    files = volumes.build_files(
        on, kept, parts.places, parts.personal, lambda _: None, parts.settings.file_trash_time
    )
    return ActRunner(
        store,
        Datasets(on.store, on.registry, on.clock, on.ids, trash_time),
        files,
        parts.contents,
        on.registry,
        as_person,
        on.clock,
        on.ids,
        parts.settings.dataset_total or None,
        trash_time,
        parts.shelf.shelved,
    )
