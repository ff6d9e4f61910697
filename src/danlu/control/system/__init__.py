"""The installation itself: what is weak about it."""

from __future__ import annotations

from danlu.control.audit import Audit
from danlu.control.foundation import Foundation
from danlu.control.system.doctor import Doctor
from danlu.control.system.facts import ServingFacts
from danlu.files.settings import Settings
from danlu.ports.system import MachineProbe


def build(on: Foundation, audit: Audit, probe: MachineProbe, settings: Settings) -> Doctor:
    serving = ServingFacts(
        settings.host, settings.public_url, settings.trusted_proxies, settings.cluster_programs
    )
    return Doctor(on.store, on.clock, on.planner.nodes, audit, probe, serving, settings.volume_tolerance != 0)
