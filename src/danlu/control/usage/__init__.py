"""What is and was held, used and wanted."""

from __future__ import annotations

from dataclasses import dataclass

from danlu.control.foundation import Foundation
from danlu.control.usage.holders import Holders
from danlu.control.usage.panel import Panel
from danlu.control.usage.trends import Trends


@dataclass(frozen=True, slots=True)
class UsageRoom:
    panel: Panel
    holders: Holders
    trends: Trends


def build(on: Foundation) -> UsageRoom:
    panel = Panel(on.planner.nodes, on.registry.pools, on.view, on.clock)
    return UsageRoom(panel, Holders(on.view, panel, on.clock), Trends(on.store, on.clock))
