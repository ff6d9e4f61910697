"""This machine, or several virtual nodes on it: every task is a process under its own supervisor."""

from danlu.engines.local.engine import LocalEngine

__all__ = ["LocalEngine"]
