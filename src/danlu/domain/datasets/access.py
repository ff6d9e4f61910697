"""What somebody may do with a dataset: see it, read its versions, make new ones, change it."""

from __future__ import annotations

from danlu.domain.permissions import Permission
from danlu.domain.volumes.access import Access

_DATASETS = Access(Permission.DATASET_READ, Permission.DATASET_WRITE)
sees, mode_of, may_edit = _DATASETS.sees, _DATASETS.mode_of, _DATASETS.may_edit
