"""A cluster that exists only in memory: for tests, forecasts, replays and demonstrations."""

from danlu.engines.simulated.cluster import Behaviour, SimulatedCluster
from danlu.engines.simulated.engine import SimulatedEngine

__all__ = ["Behaviour", "SimulatedCluster", "SimulatedEngine"]
