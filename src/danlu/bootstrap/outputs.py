"""What keeps outputs of jobs, in the process that leads."""

from __future__ import annotations

from collections.abc import Callable

from danlu.bootstrap.parts import Parts
from danlu.control.datasets.datasets import Datasets
from danlu.control.foundation import Foundation
from danlu.control.outputs.runner import OutputRunner
from danlu.data.files import DiskFiles
from danlu.domain.permissions import Caller
from danlu.ports.store import Store


def output_runner(
    parts: Parts, on: Foundation, store: Store, as_owner: Callable[[str], Caller | None]
) -> OutputRunner:
    datasets = Datasets(on.store, on.registry, on.clock, on.ids, parts.settings.volume_trash_time)
    return OutputRunner(store, datasets, parts.results, DiskFiles(), as_owner, on.clock, on.ids)
