"""What carries transfers out, in the process that leads."""

from __future__ import annotations

from collections.abc import Callable

from danlu.bootstrap.parts import Parts
from danlu.control import volumes
from danlu.control.foundation import Foundation
from danlu.control.quotas.storage import PERSONAL, bound_of
from danlu.control.transfers.runner import TransferBounds, TransferRunner
from danlu.control.volumes.files import VolumeFiles
from danlu.data.transfers.processes import ProcessWorkers
from danlu.domain.permissions import Caller
from danlu.ports.store import Store


def files_for_transfers(parts: Parts, on: Foundation) -> VolumeFiles:
    """Of volumes, as transfers and imports use them."""
    settings = parts.settings
    total, trash_time = settings.volume_total or None, settings.volume_trash_time
    kept = volumes.build(on, parts.volumes, total, trash_time, parts.attached)
    return volumes.build_files(
        on,
        kept,
        parts.places,
        parts.personal,
        lambda owner: bound_of(on.registry, owner, PERSONAL, settings.personal_limit or None),
        settings.file_trash_time,
    )


def transfer_runner(
    parts: Parts, store: Store, files: VolumeFiles, as_owner: Callable[[str], Caller | None]
) -> TransferRunner:
    settings = parts.settings
    limits = settings.unpack_limit, settings.unpack_entries
    return TransferRunner(
        store,
        files,
        ProcessWorkers(settings.disk_reserve, limits, settings.transfer_networks, settings.attach_local),
        parts.logins,
        as_owner,
        TransferBounds(settings.transfers_at_once, settings.transfers_per_person),
        parts.clock,
        parts.ids,
        parts.shelf.shelved,
    )
