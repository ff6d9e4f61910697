"""Removes volumes that have been in the trash long enough, beside the process that runs tasks."""

from __future__ import annotations

import logging
import threading

from danlu.data.counting import ROUND_S
from danlu.data.volumes.disk import DiskVolumes
from danlu.domain.audit import ITSELF, Entry
from danlu.domain.job import Time
from danlu.domain.volumes.volume import gone_at
from danlu.ports.clock import Clock
from danlu.ports.volumes.records import VolumeStore

log = logging.getLogger(__name__)


class VolumeCollector:
    """`life` is how long they stay in the trash; 0: until somebody deletes them for good."""

    def __init__(self, store: VolumeStore, disk: DiskVolumes, life: Time, clock: Clock) -> None:
        self._store, self._disk, self._life, self._clock = store, disk, life, clock

    def run(self, stop: threading.Event) -> None:
        while not stop.is_set():
            try:
                self.round()
            except Exception:
                log.exception("the trash of volumes could not be emptied; retrying")
            stop.wait(ROUND_S)

    def round(self) -> None:
        """Finish what was begun, let go of what is due, and remove the files of what nobody knows any more."""
        self._disk.empty_trash()
        now = self._clock.now()
        for one in self._store.volumes(None):
            due = gone_at(one, self._life)
            if due is not None and due <= now:
                log.info("volume %s (%s) is deleted for good", one.title, one.id)
                self._disk.let_go(one.id)
                self._store.remove_volume(one.id, now, by=Entry(ITSELF, "deleted", ""))
        # A record outlives the mark where somebody took the volume out of the trash in between: then it stays.
        for volume_id in list(self._disk.let_go_of()):
            if self._store.volume(volume_id) is None:
                self._disk.remove(volume_id)
