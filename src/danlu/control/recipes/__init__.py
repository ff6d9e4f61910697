"""Public sets, imported: transfers into a folder of a volume, and then a version of it."""

from __future__ import annotations

from dataclasses import dataclass

from danlu.control.datasets import DatasetsRoom
from danlu.control.foundation import Foundation
from danlu.control.recipes.imports import Imports
from danlu.control.volumes.files import VolumeFiles
from danlu.ports.transfers import Logins


@dataclass(frozen=True, slots=True)
class RecipesRoom:
    imports: Imports


def build(on: Foundation, datasets: DatasetsRoom, files: VolumeFiles, logins: Logins) -> RecipesRoom:
    return RecipesRoom(Imports(on.store, datasets, files, logins, on.clock, on.ids))
