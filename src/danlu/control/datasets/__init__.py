"""Datasets: versions of data that never change."""

from __future__ import annotations

from dataclasses import dataclass

from danlu.control.datasets.acts import Acts
from danlu.control.datasets.datasets import Datasets
from danlu.control.datasets.lineage import Lineages
from danlu.control.datasets.versions import Versions
from danlu.control.foundation import Foundation
from danlu.control.volumes.files import VolumeFiles
from danlu.domain.job import Time
from danlu.ports.datasets.contents import Contents, ContentStore


@dataclass(frozen=True, slots=True)
class DatasetsRoom:
    datasets: Datasets
    versions: Versions
    acts: Acts
    lineages: Lineages


def build(
    on: Foundation, contents: Contents, kept: ContentStore, files: VolumeFiles, trash_time: Time
) -> DatasetsRoom:
    """`trash_time` is how long datasets stay in the trash, 0: as long as nobody deletes them."""
    datasets = Datasets(on.store, on.registry, on.clock, on.ids, trash_time)
    versions = Versions(on.store, datasets, contents, on.clock)
    acts = Acts(on.store, datasets, versions, files, kept, on.clock, on.ids)
    return DatasetsRoom(datasets, versions, acts, Lineages(on.store, datasets))
