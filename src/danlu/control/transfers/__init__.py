"""Transfers: data on its way between places outside and volumes, carried out by Danlu itself."""

from __future__ import annotations

from dataclasses import dataclass

from danlu.control.foundation import Foundation
from danlu.control.transfers.ends import titled_ends as titled_ends
from danlu.control.transfers.schedules import Schedules
from danlu.control.transfers.transfers import Transfers
from danlu.control.volumes.files import VolumeFiles
from danlu.ports.transfers import Logins


@dataclass(frozen=True, slots=True)
class TransfersRoom:
    transfers: Transfers
    schedules: Schedules


def build(on: Foundation, files: VolumeFiles, logins: Logins) -> TransfersRoom:
    transfers = Transfers(on.store, files, logins, on.clock, on.ids)
    return TransfersRoom(transfers, Schedules(on.store, transfers, on.clock, on.ids))
