"""A demonstration: sample people, projects and jobs, and three weeks of history made up for them."""

from __future__ import annotations

from danlu.control.demo.data import seed_data
from danlu.control.demo.history import made_up
from danlu.control.demo.seed import DEMO_NODES, DEMO_PROJECTS, seed_demo, seed_history
from danlu.control.demo.volumes import seed_volumes

__all__ = ["DEMO_NODES", "DEMO_PROJECTS", "made_up", "seed_data", "seed_demo", "seed_history", "seed_volumes"]
