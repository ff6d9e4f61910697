"""What is and was held, used and wanted."""

from __future__ import annotations

from dataclasses import dataclass

from danlu.control.foundation import Foundation
from danlu.control.usage.panel import Panel
from danlu.control.usage.trends import Trends


@dataclass(frozen=True, slots=True)
class UsageRoom:
    panel: Panel
    trends: Trends


def build(on: Foundation) -> UsageRoom:
    panel = Panel(on.planner.nodes, on.registry.pools, on.view, on.clock)
    return UsageRoom(panel=panel, trends=Trends(on.store, on.clock))
