"""Flavors: which sizes are available, to whom and when."""

from __future__ import annotations

from danlu.control.flavors.flavors import Flavors
from danlu.control.flavors.measured import Measurements
from danlu.control.flavors.offers import Offers
from danlu.control.foundation import Foundation
from danlu.control.jobs import JobsRoom
from danlu.ports.usage import UsageReader


def build(on: Foundation, jobs: JobsRoom, usage: UsageReader) -> Flavors:
    return Flavors(
        on.registry,
        Offers(on.registry, on.planner, jobs.admission.idle),
        Measurements(on.store, usage),
        on.planner.nodes,
        on.view.active,
        jobs.jobs.get,
    )
