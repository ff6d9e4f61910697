"""The pure decision: which queued jobs start where, and why the others wait."""

from danlu.scheduler.decide import could_ever_start, decide
from danlu.scheduler.model import Assigned, Held, Pending, Plan, Snapshot, Start

__all__ = ["Assigned", "Held", "Pending", "Plan", "Snapshot", "Start", "could_ever_start", "decide"]
