"""This machine, or several nodes that it poses as: every task is a process under a supervisor of its own."""

from danlu.engines.local.engine import LocalEngine

__all__ = ["LocalEngine"]
